/// Splits a JSON document, as its bytes arrive, into the members of its object and the elements of one list among them.
///
/// Only brackets and quotes are followed: whether a piece is JSON is for its reader to find out. So one broken piece
/// does not lose the others.
struct JSONSplitter {
  enum Piece {
    case member(name: String)
    case element
  }

  enum Failure {
    case notAnObject
    case tooDeep
    /// The reader of the pieces wants no more.
    case refused
  }

  private enum State {
    case start, beforeName, name, colon, beforeValue, beforeElement, value, behind
  }

  /// The member whose elements are split.
  let list: String
  let limits: FeedLimits
  private(set) var failure: Failure?
  /// True behind the object.
  var isOver: Bool { state == .behind }
  /// The pieces that were left out because they are too long.
  private(set) var tooLong = 0

  private var state = State.start
  private var name = ""
  private var isInList = false
  private var depth = 0
  private var isInText = false
  private var isEscaped = false
  /// The beginning of the open name or value in earlier chunks.
  private var pending: [UInt8] = []
  private var isTooLong = false

  init(list: String, limits: FeedLimits) {
    self.list = list
    self.limits = limits
  }

  /// Hands each piece that is complete to `sink`, until it returns false.
  mutating func take(
    _ bytes: UnsafeBufferPointer<UInt8>, into sink: (Piece, UnsafeBufferPointer<UInt8>) -> Bool
  ) {
    var index = 0
    while index < bytes.count, state != .behind, failure == nil {
      index = step(bytes, index, sink)
    }
  }

  private mutating func step(
    _ bytes: UnsafeBufferPointer<UInt8>, _ index: Int, _ sink: (Piece, UnsafeBufferPointer<UInt8>) -> Bool
  ) -> Int {
    switch state {
    case .name, .value: return finish(bytes, index, sink)
    case _ where Bytes.isBlank(bytes[index]): break
    // A byte-order mark.
    case .start where bytes[index] >= 0x80: break
    case .start: enter(bytes[index] == UInt8(ascii: "{") ? .beforeName : nil)
    case .colon: enter(bytes[index] == UInt8(ascii: ":") ? .beforeValue : nil)
    case .beforeName: beginName(bytes[index])
    case .beforeElement: return beginElement(bytes[index], index)
    case .beforeValue: return beginValue(bytes[index], index)
    case .behind: break
    }
    return index + 1
  }

  private mutating func enter(_ next: State?) {
    if let next { state = next } else { failure = .notAnObject }
  }

  private mutating func beginName(_ byte: UInt8) {
    switch byte {
    case UInt8(ascii: "}"): state = .behind
    case UInt8(ascii: ","): break
    case UInt8(ascii: "\""):
      state = .name
      isInText = true
    default: failure = .notAnObject
    }
  }

  private mutating func beginValue(_ byte: UInt8, _ index: Int) -> Int {
    if byte == UInt8(ascii: "["), name == list {
      isInList = true
      state = .beforeElement
      return index + 1
    }
    state = .value
    return index
  }

  private mutating func beginElement(_ byte: UInt8, _ index: Int) -> Int {
    switch byte {
    case UInt8(ascii: ","): return index + 1
    case UInt8(ascii: "]"):
      isInList = false
      state = .beforeName
      return index + 1
    // The list was not closed.
    case UInt8(ascii: "}"):
      isInList = false
      state = .beforeName
      return index
    default:
      state = .value
      return index
    }
  }

  // MARK: - Names and values

  private mutating func finish(
    _ bytes: UnsafeBufferPointer<UInt8>, _ start: Int, _ sink: (Piece, UnsafeBufferPointer<UInt8>) -> Bool
  ) -> Int {
    guard let end = end(of: bytes, from: start) else {
      if failure == nil { keep(bytes[start...]) }
      return bytes.count
    }
    if pending.isEmpty, !isTooLong, end - start <= limits.textBytes {
      deliver(UnsafeBufferPointer(rebasing: bytes[start..<end]), sink)
    } else {
      keep(bytes[start..<end])
      let whole = pending
      pending = []
      if isTooLong {
        tooLong += 1
        name = ""
      } else {
        whole.withUnsafeBufferPointer { deliver($0, sink) }
      }
      isTooLong = false
    }
    state = state == .name ? .colon : isInList ? .beforeElement : .beforeName
    return end
  }

  private mutating func keep(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) {
    isTooLong = isTooLong || pending.count + bytes.count > limits.textBytes
    if isTooLong { pending = [] } else { pending += bytes }
  }

  private mutating func deliver(
    _ bytes: UnsafeBufferPointer<UInt8>, _ sink: (Piece, UnsafeBufferPointer<UInt8>) -> Bool
  ) {
    if state == .name {
      name = String(decoding: bytes.dropLast(), as: UTF8.self)
    } else if !sink(isInList ? .element : .member(name: name), bytes) {
      failure = .refused
    }
  }

  /// The index behind the name or the value; nil while its end is missing.
  private mutating func end(of bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int? {
    var index = start
    while index < bytes.count {
      if isInText {
        guard let end = endOfText(bytes, from: index) else { return nil }
        index = end
        isInText = false
        if depth == 0 { return index }
        continue
      }
      switch bytes[index] {
      case UInt8(ascii: "\""): isInText = true
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        depth += 1
        if depth >= limits.depth { failure = .tooDeep }
        guard failure == nil else { return nil }
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        // The end of a number or a word, which belongs to the list or the object around it.
        guard depth > 0 else { return index }
        depth -= 1
        if depth == 0 { return index + 1 }
      case UInt8(ascii: ",") where depth == 0: return index
      default: break
      }
      index += 1
    }
    return nil
  }

  /// The index behind the closing quote.
  private mutating func endOfText(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int? {
    var index = start
    while index < bytes.count {
      if isEscaped {
        isEscaped = false
      } else if bytes[index] == UInt8(ascii: "\\") {
        isEscaped = true
      } else if bytes[index] == UInt8(ascii: "\"") {
        return index + 1
      } else {
        index = ByteScan.endOfPlain(bytes, from: index, .quoted)
        if index < bytes.count, bytes[index] < 0x20 || bytes[index] >= 0x80 { index += 1 }
        continue
      }
      index += 1
    }
    return nil
  }
}
