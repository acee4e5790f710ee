import CXML2

/// libxml2's functions, looked up once, at the first parse.
enum XMLLibrary {
  struct Functions: @unchecked Sendable {
    // Written once, before it is published; after that only read. The functions are thread-safe once
    // `xmlInitParser` has run.
    fileprivate(set) var table = podcli_xml()
  }

  static func functions() throws(FeedError) -> Functions { try loaded.get() }

  private static let loaded: Result<Functions, FeedError> = {
    var functions = Functions()
    if let problem = podcli_xml_load(&functions.table) {
      return .failure(FeedError(.libraryMissing, "libxml2 (Debian package libxml2): \(String(cString: problem))"))
    }
    functions.table.xmlInitParser()
    // For the whole process, other users of libxml2 included: no external entity is ever opened.
    functions.table.xmlSetExternalEntityLoader { _, _, _ in nil }
    return .success(functions)
  }()
}
