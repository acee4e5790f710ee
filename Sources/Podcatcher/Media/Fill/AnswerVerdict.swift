internal import Transfer

/// Judges an answer by its head, for a file of which some bytes may be here already. Pure.
enum AnswerVerdict: Hashable, Sendable {
  /// The body belongs into the file, from this byte on.
  case bytes(from: Int64)
  /// Of another rendition than the one that is here; whole, or just the range that was asked for.
  case anotherFile(isWhole: Bool)
  /// Bytes from another offset than was asked for.
  case wrongPosition
  /// The server knows no such range.
  case rangeRefused
  case failed(status: Int)

  /// `asked`: the first byte that was asked for, nil when it was everything. `known`: the file that is here, nil when
  /// nothing is, so that any file will do.
  /// `isLenient`: a whole answer that does not name its rendition is believed, because no bytes are kept beside it.
  init(_ head: HTTPHead, asked: Int64?, known: Rendition?, isLenient: Bool = false) {
    let isSame = known.map { Self.isSame(head, $0, isLenient) } ?? true
    switch (head.status, asked) {
    case (206, let asked?):
      guard head.firstByte == asked, !head.isEncoded else { self = .wrongPosition; return }
      self = isSame ? .bytes(from: asked) : .anotherFile(isWhole: false)
    // The server knows no ranges, or will not give one of a file that it no longer has.
    case (200, _): self = isSame ? .bytes(from: 0) : .anotherFile(isWhole: true)
    case (416, _?): self = .rangeRefused
    default: self = .failed(status: head.status)
    }
  }

  private static func isSame(_ head: HTTPHead, _ known: Rendition, _ isLenient: Bool) -> Bool {
    let total = head.status == 206 ? head.totalSize : head.length
    if head.isEncoded { return false }
    if let ours = known.total, let total, total != ours { return false }
    if let ours = known.etag, !ours.isEmpty, let theirs = head.strongTag { return ours == theirs }
    if let ours = known.lastModified, !ours.isEmpty, let theirs = head["last-modified"] { return ours == theirs }
    // Only a server that honours `If-Range` is believed without saying which file it is.
    return head.status == 206 || isLenient || (known.validator == nil && total != nil && total == known.total)
  }
}
