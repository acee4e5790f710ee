internal import Transfer

/// What an answer means for a download of which the first bytes may be here already. Pure.
enum DownloadVerdict: Hashable, Sendable {
  /// What follows belongs behind what is here.
  case append
  /// The whole file, from its first byte.
  case fromTheStart
  /// Bytes of who knows what: ask again, for everything.
  case askForAll
  /// The server knows no such range, so what is here is of no use.
  case rangeRefused
  case failed(status: Int)

  /// `asked`: the first byte that was asked for, nil when it was everything.
  init(_ head: HTTPHead, asked: Int64?, total: Int64?, etag: String?) {
    switch (head.status, asked) {
    case (206, let asked?): self = Self.isSame(head, asked, total, etag) ? .append : .askForAll
    case (200, _): self = .fromTheStart
    case (416, _?): self = .rangeRefused
    default: self = .failed(status: head.status)
    }
  }

  private static func isSame(_ head: HTTPHead, _ asked: Int64, _ total: Int64?, _ etag: String?) -> Bool {
    guard head.firstByte == asked, !head.isEncoded else { return false }
    if let total, let theirs = head.totalSize, theirs != total { return false }
    if let etag, let theirs = head.strongTag, theirs != etag { return false }
    return true
  }
}

extension HTTPHead {
  var strongTag: String? { self["etag"].flatMap { $0.hasPrefix("W/") ? nil : $0 } }

  /// Packed though nobody asked for it: its length and its validators are not those of the file.
  var isEncoded: Bool { self["content-encoding"].map { $0.lowercased() != "identity" && !$0.isEmpty } ?? false }

  /// The size of a whole answer.
  var length: Int64? { isEncoded ? nil : self["content-length"].flatMap { Int64($0) }.flatMap { $0 >= 0 ? $0 : nil } }

  /// A cut would have been noticed, although no length was told.
  var marksItsEnd: Bool { self["transfer-encoding"]?.lowercased().contains("chunked") ?? false }
}

/// What a file is not, by its first bytes. Whatever the server calls it: a page about a lost episode is no episode.
enum FirstBytes {
  static let enough = 512

  /// Nil when it may be a medium.
  static func fault(_ bytes: some Collection<UInt8>) -> String? {
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    let text = bytes.dropFirst(bytes.starts(with: mark) ? mark.count : 0).drop { $0 <= 32 }
    let start = String(decoding: text.prefix(16), as: UTF8.self).lowercased()
    if start.hasPrefix("<") { return "a web page or XML" }
    if start.hasPrefix("#extm3u") || start.hasPrefix("#extinf") || start.hasPrefix("[playlist]") { return "a playlist" }
    if start.hasPrefix("{") || start.hasPrefix("[") { return "JSON" }
    return nil
  }
}
