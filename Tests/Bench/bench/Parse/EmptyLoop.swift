import CXML2

/// The baseline: callbacks that only count, so that none is optimised away.
enum EmptyLoop {
  nonisolated(unsafe) private static var library: podcli_xml = {
    var library = podcli_xml()
    if let problem = podcli_xml_load(&library) { fatalError(String(cString: problem)) }
    library.xmlInitParser()
    return library
  }()

  nonisolated(unsafe) private static var events = 0

  static func parse(_ feed: [UInt8]) {
    var sax = xmlSAXHandler()
    sax.initialized = UInt32(truncatingIfNeeded: XML_SAX2_MAGIC)
    sax.startElementNs = { _, _, _, _, _, _, _, _, _ in EmptyLoop.events += 1 }
    sax.endElementNs = { _, _, _, _ in EmptyLoop.events += 1 }
    sax.characters = { _, _, _ in EmptyLoop.events += 1 }
    sax.cdataBlock = sax.characters
    guard let context = library.xmlCreatePushParserCtxt(&sax, nil, nil, 0, nil) else { return }
    defer { library.xmlFreeParserCtxt(context) }
    feed.withUnsafeBytes { bytes in
      let text = bytes.assumingMemoryBound(to: CChar.self)
      var start = 0
      while start < text.count {
        let count = min(ParseBench.chunk, text.count - start)
        _ = library.xmlParseChunk(context, text.baseAddress! + start, Int32(count), 0)
        start += count
      }
      _ = library.xmlParseChunk(context, nil, 0, 1)
    }
  }
}
