import PodcastModel

/// Makes any text well-formed XML before libxml2 reads it, because libxml2's own recovery loses text.
///
/// The input is chunks of UTF-8 (more or less). The output is UTF-8 without declarations, comments and processing
/// instructions, whose tags match and whose references XML knows. A clean document is only scanned, not copied. Every
/// look-ahead is bounded, so the time is linear.
struct XMLRepair: ~Copyable {
  enum State { case markup, data, comment, instruction, declaration }

  let limits: FeedLimits
  let warnings: Warnings
  let kinds: ElementKinds
  /// Bytes from 0x80 up are windows-1252, not UTF-8.
  var isWindows1252 = false

  var output = RepairOutput()
  var failure: FeedError?
  var page = WebPage()
  /// True behind the root element, and in a document of another kind.
  var isOver = false

  var state = State.markup
  var declaration = DeclarationSkipper()
  var entities = DeclaredEntities()
  var commentEnd = SectionEnd("-->")
  var dataEnd = SectionEnd("]]>")
  var elements = OpenElements()
  /// True until the first text behind a tag.
  var isBehindTag = true
  /// True after a valid character of several bytes.
  var hasLongCharacters = false
  /// True for the last chunk: an incomplete token will not be completed.
  var isLast = false

  private var pending: [UInt8] = []
  /// The size from which pending bytes are scanned again. It doubles, so a growing token is scanned a few times.
  private var pendingGoal = 0
  /// The line of `countedTo` in the current chunk; lines are counted only for warnings.
  private var lines = 1
  private var chunk = UnsafeBufferPointer<UInt8>(start: nil, count: 0)
  private var countedTo = 0
  private var position = 0
  /// The size of the document so far, as UTF-8.
  var byteCount = 0
  /// The bytes that have been processed.
  private(set) var usedCount = 0

  init(kinds: ElementKinds, limits: FeedLimits, warnings: Warnings) {
    self.kinds = kinds
    self.limits = limits
    self.warnings = warnings
  }

  // MARK: - Chunks

  mutating func take(_ bytes: UnsafeBufferPointer<UInt8>, isLast: Bool, flush: RepairedPiece.Sink) {
    let size = bytes.count
    guard failure == nil else { return }
    // The bytes within the limit are kept, however the document is cut into chunks.
    let bytes = UnsafeBufferPointer(rebasing: bytes.prefix(max(0, limits.documentBytes - byteCount)))
    byteCount += size
    defer { checkSize() }
    self.isLast = isLast
    if pending.isEmpty {
      let used = process(bytes, flush)
      keep(UnsafeBufferPointer(rebasing: bytes[used...]))
    } else {
      pending.append(contentsOf: bytes)
      guard pending.count >= pendingGoal || isLast || byteCount > limits.documentBytes else { return }
      let waiting = pending
      pending = []
      waiting.withUnsafeBufferPointer { waiting in
        let used = process(waiting, flush)
        keep(UnsafeBufferPointer(rebasing: waiting[used...]))
      }
    }
  }

  private mutating func checkSize() {
    guard byteCount > limits.documentBytes, failure == nil else { return }
    failure = FeedError(.limit, "the document is larger than \(FeedLimits.text(limits.documentBytes))")
  }

  private mutating func keep(_ rest: UnsafeBufferPointer<UInt8>) {
    guard !rest.isEmpty, !isOver, failure == nil else { return }
    pending.append(contentsOf: rest)
    pendingGoal = rest.count * 2
    if rest.count > limits.tagBytes, state == .markup {
      failure = FeedError(.limit, "a tag is longer than \(FeedLimits.text(limits.tagBytes))")
    }
  }

  /// Returns the number of bytes processed.
  private mutating func process(_ bytes: UnsafeBufferPointer<UInt8>, _ flush: RepairedPiece.Sink) -> Int {
    var index = 0
    chunk = bytes
    output.begin(bytes)
    countedTo = 0
    while index < bytes.count, !isOver, failure == nil {
      position = index
      let next = step(bytes, index)
      guard next > index else { break }
      index = next
      if output.isLarge { output.flush(flush) }
    }
    position = index
    usedCount += index
    countLines()
    output.flush(flush)
    chunk = UnsafeBufferPointer(start: nil, count: 0)
    return index
  }

  private mutating func countLines() {
    lines += ByteScan.countLines(UnsafeBufferPointer(rebasing: chunk[countedTo..<position]))
    countedTo = position
  }

  /// Processes one stretch or token. Returns the index behind it, or the same index when more bytes are needed.
  private mutating func step(_ bytes: UnsafeBufferPointer<UInt8>, _ index: Int) -> Int {
    switch state {
    case .markup: bytes[index] == UInt8(ascii: "<") ? markup(bytes, index) : text(bytes, index)
    case .data: data(bytes, index)
    case .comment: comment(bytes, index)
    case .instruction: skip(to: ">", bytes, index)
    case .declaration:
      if let end = declaration.end(in: bytes, from: index) { leaveDeclaration(end) } else { bytes.count }
    }
  }

  /// The position of the current chunk's first byte in the document.
  var chunkStart: Int { usedCount }

  private mutating func leaveDeclaration(_ end: Int) -> Int {
    state = .markup
    entities.declare(declaration.entities, isWindows1252: isWindows1252)
    return end
  }

  /// Skips to behind the terminator, keeping back bytes that could be the beginning of one.
  private mutating func skip(to terminator: StaticString, _ bytes: UnsafeBufferPointer<UInt8>, _ index: Int) -> Int {
    if let end = Bytes.first(terminator, in: bytes, from: index) {
      state = .markup
      return end + terminator.utf8CodeUnitCount
    }
    return isLast ? bytes.count : max(index, bytes.count - terminator.utf8CodeUnitCount + 1)
  }

  // MARK: - Warnings

  // The text of a warning is built only while it is kept: there can be millions of warnings.

  mutating func warn(_ text: StaticString) {
    guard warnings.wantsWords else { return warnings.count() }
    countLines()
    warnings.add("line \(lines): \(text)")
  }

  mutating func warn(_ text: StaticString, _ detail: Slice<UnsafeBufferPointer<UInt8>>) {
    guard warnings.wantsWords else { return warnings.count() }
    countLines()
    warnings.add("line \(lines): \(text) \(String(decoding: detail, as: UTF8.self))")
  }

  mutating func warnAboutOpenElement() {
    guard warnings.wantsWords else { return warnings.count() }
    countLines()
    warnings.add("line \(lines): <\(elements.topName)> is not closed")
  }
}
