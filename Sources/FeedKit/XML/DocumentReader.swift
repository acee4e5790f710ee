/// Turns bytes of any encoding into the events of well-formed XML: decoding, repair and libxml2 in a row.
final class DocumentReader {
  private let limits: FeedLimits
  private var decoder: EncodingDecoder
  private var repair: XMLRepair
  private var parser: XMLPushParser
  private var libraryError: FeedError?

  init(
    handler: XMLHandler, kinds: ElementKinds, charset: String?, limits: FeedLimits, warnings: Warnings
  ) throws(FeedError) {
    self.limits = limits
    decoder = EncodingDecoder(charset: charset)
    repair = XMLRepair(kinds: kinds, limits: limits, warnings: warnings)
    parser = try XMLPushParser(handler: handler)
  }

  /// True behind the root element or a failure: the rest is ignored.
  var isOver: Bool { repair.isOver || repair.failure != nil || libraryError != nil }
  var failure: FeedError? { repair.failure ?? libraryError }
  var page: WebPage { repair.page }

  /// The warnings about the declared encoding; a wrong one matters if a byte beyond ASCII was read before the document
  /// ended.
  var encodingWarnings: [String] {
    decoder.unknownLabels + (repair.usedCount > decoder.plainCount ? decoder.warnings : [])
  }

  func take(_ bytes: UnsafeRawBufferPointer) {
    guard !isOver else { return }
    read(bytes.bindMemory(to: UInt8.self), isLast: false)
  }

  func finish() {
    if !isOver { read(UnsafeBufferPointer(start: nil, count: 0), isLast: true) }
    parser.finish()
  }

  private func read(_ bytes: UnsafeBufferPointer<UInt8>, isLast: Bool) {
    decoder.decode(bytes, isLast: isLast) { text, isLast, decoder in
      repair.isWindows1252 = decoder.isWindows1252
      repair.take(text, isLast: isLast) { parse($0) }
    }
  }

  private func parse(_ piece: RepairedPiece) {
    guard libraryError == nil else { return }
    // libxml2's errors are ignored: the repaired document is well-formed.
    parser.parse(piece)
    if parser.nameCount > limits.names { libraryError = FeedError(.limit, "more than \(limits.names) different names") }
  }
}
