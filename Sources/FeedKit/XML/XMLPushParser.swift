import CXML2

/// Receives the events of a document. Pointers are valid during the call only. Names are interned: one name has one
/// address in a document.
class XMLHandler {
  /// The piece that libxml2 reads, whose texts bypass it.
  private final var piece: RepairedPiece?
  private final var (nextText, nextPlaceholder) = (0, 0)

  func startElement(_ name: XMLName, _ attributes: XMLAttributes) {}
  func endElement() {}
  func text(_ bytes: UnsafeBufferPointer<UInt8>) {}

  /// Sets the texts for the placeholders that `body` meets; they are valid only while it runs.
  fileprivate final func expecting(_ piece: RepairedPiece, _ body: () -> Void) {
    self.piece = piece
    body()
    self.piece = nil
    (nextText, nextPlaceholder) = (0, 0)
  }

  fileprivate final func deliverTexts() {
    guard let piece, nextPlaceholder < piece.ends.count else { return }
    while nextText < piece.ends[nextPlaceholder] {
      text(piece.bytes(of: piece.texts[nextText]))
      nextText += 1
    }
    nextPlaceholder += 1
  }
}

struct XMLName {
  let local: UnsafePointer<UInt8>
  let prefix: UnsafePointer<UInt8>?
  let uri: UnsafePointer<UInt8>?
}

/// A libxml2 push parser over SAX2. No option is set that would open files, expand entities or fetch.
struct XMLPushParser: ~Copyable {
  private let library: XMLLibrary.Functions
  private let context: xmlParserCtxtPtr
  private let handler: XMLHandler

  init(handler: XMLHandler) throws(FeedError) {
    let library = try XMLLibrary.functions()
    context = try Self.context(library, for: handler)
    self.library = library
    self.handler = handler
  }

  private static func context(
    _ library: XMLLibrary.Functions, for handler: XMLHandler
  ) throws(FeedError) -> xmlParserCtxtPtr {
    var sax = callbacks
    let user = Unmanaged.passUnretained(handler).toOpaque()
    guard let context = library.table.xmlCreatePushParserCtxt(&sax, user, nil, 0, nil) else {
      throw FeedError(.parser, "libxml2 has no memory for a parser")
    }
    let options = [
      XML_PARSE_NONET, XML_PARSE_RECOVER, XML_PARSE_NOERROR, XML_PARSE_NOWARNING, XML_PARSE_IGNORE_ENC,
    ].reduce(0) { $0 | $1.rawValue }
    _ = library.table.xmlCtxtUseOptions(context, Int32(options))
    return context
  }

  deinit { library.table.xmlFreeParserCtxt(context) }

  func parse(_ piece: RepairedPiece) {
    handler.expecting(piece) { parse(piece.markup, isLast: false) }
  }

  func finish() { parse(UnsafeBufferPointer(start: nil, count: 0), isLast: true) }

  private func parse(_ bytes: UnsafeBufferPointer<UInt8>, isLast: Bool) {
    bytes.withMemoryRebound(to: CChar.self) { text in
      _ = library.table.xmlParseChunk(context, text.baseAddress, Int32(clamping: text.count), isLast ? 1 : 0)
    }
  }

  /// The number of distinct names in the document so far.
  var nameCount: Int { Int(library.table.xmlDictSize(context.pointee.dict)) }

  private static var callbacks: xmlSAXHandler {
    var sax = xmlSAXHandler()
    sax.initialized = UInt32(truncatingIfNeeded: XML_SAX2_MAGIC)
    sax.startElementNs = { user, local, prefix, uri, namespaceCount, namespaces, count, _, values in
      guard let user, let local else { return }
      let attributes = XMLAttributes(values, count: Int(count), namespaces: namespaces, Int(namespaceCount))
      Unmanaged<XMLHandler>.fromOpaque(user)._withUnsafeGuaranteedRef {
        $0.startElement(XMLName(local: local, prefix: prefix, uri: uri), attributes)
      }
    }
    sax.endElementNs = { user, _, _, _ in
      guard let user else { return }
      Unmanaged<XMLHandler>.fromOpaque(user)._withUnsafeGuaranteedRef { $0.endElement() }
    }
    sax.characters = { user, text, length in XMLPushParser.deliver(text, length, to: user) }
    sax.ignorableWhitespace = sax.characters
    sax.processingInstruction = { user, _, _ in
      guard let user else { return }
      Unmanaged<XMLHandler>.fromOpaque(user)._withUnsafeGuaranteedRef { $0.deliverTexts() }
    }
    // Without this callback libxml2 would expand the entities that the document declares.
    sax.entityDecl = { _, _, _, _, _, _ in }
    return sax
  }

  private static func deliver(_ text: UnsafePointer<UInt8>?, _ length: Int32, to user: UnsafeMutableRawPointer?) {
    guard let user, let text, length > 0 else { return }
    let bytes = UnsafeBufferPointer(start: text, count: Int(length))
    Unmanaged<XMLHandler>.fromOpaque(user)._withUnsafeGuaranteedRef { $0.text(bytes) }
  }
}
