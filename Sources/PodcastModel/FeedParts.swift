// The small parts of a feed that Podcasting 2.0 and iTunes add, one struct each.

package struct Person: Hashable, Sendable {
  package var name: String
  package var role = "host"
  package var group = "cast"
  package var image: String?
  package var link: String?

  package init(name: String) { self.name = name }
}

package struct Funding: Hashable, Sendable {
  package var url: String
  package var text: String?

  package init(url: String, text: String? = nil) {
    self.url = url
    self.text = text
  }
}

package struct Location: Hashable, Sendable {
  package var name: String?
  package var geo: String?
  package var osm: String?

  package init() {}
}

package struct License: Hashable, Sendable {
  package var identifier: String?
  package var url: String?

  package init() {}
}

package struct Trailer: Hashable, Sendable {
  package var url: String
  package var type: String?
  package var length: Int64?
  package var title: String?
  package var season: Double?
  package var publishedAt: Timestamp?

  package init(url: String) { self.url = url }
}

package struct RemoteItem: Hashable, Sendable {
  package var feedGUID: String?
  package var feedURL: String?
  package var itemGUID: String?
  package var medium: String?
  package var title: String?

  package init() {}
}

package struct LiveItem: Hashable, Sendable {
  package var status: String?
  package var start: Timestamp?
  package var end: Timestamp?
  package var title: String?
  package var guid: String?

  package init() {}
}

/// `podcast:value`: kept and printed, never acted on.
package struct PaymentInfo: Hashable, Sendable {
  package struct Recipient: Hashable, Sendable {
    package var name: String?
    package var type: String?
    package var address: String?
    package var split: Double?

    package init() {}
  }

  package var type: String?
  package var method: String?
  package var recipients: [Recipient] = []

  package init() {}
}

package struct ChaptersLink: Hashable, Sendable {
  package var url: String
  package var type: String?

  package init(url: String, type: String? = nil) {
    self.url = url
    self.type = type
  }
}

package struct TranscriptLink: Hashable, Sendable {
  package var url: String
  package var type: String?
  package var language: String?
  package var relation: String?

  package init(url: String) { self.url = url }
}

package struct Soundbite: Hashable, Sendable {
  package var start: Double
  package var duration: Double
  package var title: String?

  package init(start: Double, duration: Double, title: String? = nil) {
    self.start = start
    self.duration = duration
    self.title = title
  }
}

package struct AlternateEnclosure: Hashable, Sendable {
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
