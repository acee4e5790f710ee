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
    return (first, Int64(parts[1]))
  }

  /// What `If-Range` may carry: an ETag that promises equal bytes, else the date of the last change.
  var strongValidator: String? {
    if let tag = self["etag"], !tag.hasPrefix("W/") { return tag }
    return self["last-modified"]
  }
}
