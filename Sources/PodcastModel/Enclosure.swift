/// The media file of an episode, as the feed links it.
package struct Enclosure: Hashable, Sendable {
  package var url: String
  package var type: String?
  package var length: Int64?

  package init(url: String, type: String? = nil, length: Int64? = nil) {
    self.url = url
    self.type = type
    self.length = length
  }

  /// The bytes that it takes in memory.
  package var ownSize: Int { MemoryLayout<Self>.stride + 64 + url.utf8.count }
}

/// `podcast:alternateEnclosure`: another rendition of the media file.
package struct AlternateEnclosure: Hashable, Sendable {
  /// One URL of the rendition.
  package struct Source: Hashable, Sendable {
    package var uri: String
    package var contentType: String?

    package init(uri: String, contentType: String? = nil) {
      self.uri = uri
      self.contentType = contentType
    }
  }

  package var type: String?
  package var length: Int64?
  package var bitrate: Double?
  package var height: Int?
  package var language: String?
  package var title: String?
  package var relation: String?
  package var codecs: String?
  package var isDefault: Bool?
  package var sources: [Source] = []

  package init() {}
}
