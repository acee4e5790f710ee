private import Glibc
internal import PodcastModel
internal import PodcastStore

/// The media record in the library, as its file is filled.
extension MediaRecord {
  /// The rendition that the bytes here are of.
  var known: Rendition { Rendition(etag: etag, lastModified: lastModified, total: total) }

  /// The value for `If-Range`.
  var validator: String? { known.validator }

  func isFrom(_ address: String) -> Bool { sourceURL?.withoutQuery == address.withoutQuery }

  mutating func forgetBytes() {
    received = 0
    ranges = []
    begin(Rendition())
  }

  /// From now on the bytes are those of this rendition. Its token is in the note beside the file, too.
  mutating func begin(_ rendition: Rendition) {
    total = rendition.total
    etag = rendition.etag
    lastModified = rendition.lastModified
    self.rendition = String(UInt64.random(in: .min ... .max), radix: 36)
  }

  /// The path of the whole file, if it is here. A file has its name only once it is whole, so the name counts even where a
  /// kill came before the library was told. A file that is surely no media file is asked for again.
  mutating func adoptWholeFile() -> String? {
    guard let path, let size = RegularFile.size(of: path), FirstBytes.fault(inFile: path) == nil else { return nil }
    if state != .complete, size == total { complete(size) }
    return state == .complete && size == received ? path : nil
  }

  /// The bytes of a file that is here, where the server told no length and may have broken off before its end.
  var unprovenSize: Int64? { state == .complete && total == nil ? received : nil }

  mutating func complete(_ size: Int64) {
    state = .complete
    received = size
    total = size
    ranges = []
    (failedAttempts, error) = (0, nil)
    completedAt = .now
  }
}

extension PartialFile {
  /// The bytes that are here of the file that the record describes. Only what can be continued counts: from another address, or
  /// without a validator to tell renditions apart, the rest may be of another file.
  func present(of record: MediaRecord, at address: String) -> RangeMap {
    guard record.isFrom(address), record.validator != nil else { return RangeMap() }
    let map = present(RangeMap(record.ranges), of: record.rendition)
    return record.total.map { map.end <= $0 } ?? true ? map : RangeMap()
  }
}

extension String {
  /// Publishers put tokens into the query that are new at every fetch.
  fileprivate var withoutQuery: Substring { prefix { $0 != "?" } }
}

enum RegularFile {
  /// In bytes; nil for what is no file.
  static func size(of path: String) -> Int64? {
    var information = stat()
    guard stat(path, &information) == 0, information.st_mode & S_IFMT == S_IFREG else { return nil }
    return Int64(information.st_size)
  }
}
