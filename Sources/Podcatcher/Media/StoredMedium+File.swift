internal import PodcastModel
internal import PodcastStore

/// The row of a medium in the library, as the file beside it is filled.
extension MediaRecord {
  /// The file that is here, or a part of.
  var known: Rendition { Rendition(etag: etag, lastModified: lastModified, total: total) }

  /// What `If-Range` may carry.
  var validator: String? { known.validator }

  mutating func forgetBytes() {
    received = 0
    ranges = []
    begin(Rendition())
  }

  /// From now on the bytes are those of this file. The word for it is in the note beside the file, too.
  mutating func begin(_ file: Rendition) {
    total = file.total
    etag = file.etag
    lastModified = file.lastModified
    rendition = String(UInt64.random(in: .min ... .max), radix: 36)
  }

  /// Where all of it lies. A file has its name only once it is whole: who was killed right after giving it the name
  /// could not tell the library any more.
  mutating func adoptWholeFile() -> String? {
    guard let path, let size = DownloadFiles.size(of: path) else { return nil }
    if state != .complete, size == total { complete(size) }
    return state == .complete && size == received ? path : nil
  }

  mutating func complete(_ size: Int64) {
    state = .complete
    received = size
    total = size
    ranges = []
    error = nil
    completedAt = .now
  }
}

extension PartFile {
  /// What is here of the file that the row speaks of. Only what can be continued counts: from another address, or
  /// without anything to tell one version from the next by, nobody knows what the rest would be the rest of.
  func present(of row: MediaRecord, at address: String) -> RangeMap {
    guard row.sourceURL?.withoutQuery == address.withoutQuery, row.validator != nil else { return RangeMap() }
    let map = present(RangeMap(row.ranges), of: row.rendition)
    return row.total.map { map.end <= $0 } ?? true ? map : RangeMap()
  }
}

extension String {
  /// Publishers put tokens there that are new at every fetch.
  fileprivate var withoutQuery: Substring { prefix { $0 != "?" } }
}
