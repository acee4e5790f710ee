import CXML2

/// What a document says, as it is read. Pointers are valid during the call only; names are interned, so the same
/// name in one document always has the same address.
class XMLHandler {
  /// What goes round libxml2, in the order of its marks.
  private final var waiting: [UnsafeBufferPointer<UInt8>] = []
  private final var next = 0

  func startElement(_ name: XMLName, _ attributes: XMLAttributes) {}
  func endElement() {}
  func text(_ bytes: UnsafeBufferPointer<UInt8>) {}

  /// The texts are there only while `body` runs.
  fileprivate final func expecting(_ texts: [UnsafeBufferPointer<UInt8>], _ body: () -> Void) {
    waiting = texts
    body()
    waiting = []
    next = 0
  }

  fileprivate final func meetMark() {
    guard next < waiting.count else { return }
    next += 1
    text(waiting[next - 1])
  }
}

struct XMLName {
  let local: UnsafePointer<UInt8>
  let prefix: UnsafePointer<UInt8>?
  let uri: UnsafePointer<UInt8>?
}

/// A libxml2 push parser over SAX2, with nothing switched on that could open, expand or fetch.
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
    handler.expecting(piece.texts) { parse(piece.markup, isLast: false) }
  }

  func finish() { parse(UnsafeBufferPointer(start: nil, count: 0), isLast: true) }

  private func parse(_ bytes: UnsafeBufferPointer<UInt8>, isLast: Bool) {
    bytes.withMemoryRebound(to: CChar.self) { text in
      _ = library.table.xmlParseChunk(context, text.baseAddress, Int32(clamping: text.count), isLast ? 1 : 0)
    }
  }

  /// How many different names the document has used so far.
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
      Unmanaged<XMLHandler>.fromOpaque(user)._withUnsafeGuaranteedRef { $0.meetMark() }
    }
    // Without one of its own libxml2 would expand the document's entities even though nobody declared interest.
    sax.entityDecl = { _, _, _, _, _, _ in }
    return sax
  }

  private static func deliver(_ text: UnsafePointer<UInt8>?, _ length: Int32, to user: UnsafeMutableRawPointer?) {
    guard let user, let text, length > 0 else { return }
    let bytes = UnsafeBufferPointer(start: text, count: Int(length))
    Unmanaged<XMLHandler>.fromOpaque(user)._withUnsafeGuaranteedRef { $0.text(bytes) }
  }
}
