internal import Transfer

extension HTTPHead {
  /// Of a 206 answer: `bytes 100-199/1000` starts at 100.
  var firstByte: Int64? { contentRange?.first }

  /// The size of the whole document, where the server tells it.
  var totalSize: Int64? { contentRange?.total }

  private var contentRange: (first: Int64, total: Int64?)? {
    guard let text = self["content-range"], text.lowercased().hasPrefix("bytes ") else { return nil }
    let parts = text.dropFirst("bytes ".count).split(separator: "/")
    guard parts.count == 2, let first = parts[0].split(separator: "-").first.flatMap({ Int64($0) }) else { return nil }
    return (first, Self.size(parts[1]))
  }

  /// Nil where the text is no size that a media file can have: a length that is not told.
  private static func size(_ text: some StringProtocol) -> Int64? {
    Int64(text).flatMap { (0...FillLimits.believable).contains($0) ? $0 : nil }
  }

  var strongTag: String? { self["etag"].flatMap { $0.hasPrefix("W/") ? nil : $0 } }

  /// The size of a whole answer.
  var length: Int64? { isEncoded ? nil : self["content-length"].flatMap { Self.size($0) } }

  /// A cut would have been noticed, although no length was told.
  var marksItsEnd: Bool { version >= 2 || self["transfer-encoding"]?.lowercased().contains("chunked") ?? false }

  /// The file that this answer brings, or a part of.
  var rendition: Rendition {
    if isEncoded { return Rendition() }
    return Rendition(
      etag: strongTag, lastModified: self["last-modified"], total: status == 206 ? totalSize : length)
  }
}
