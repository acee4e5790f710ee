private import CSQLite
private import Glibc
private import Text

/// The parts of SQLite's full-text index that C programs may call: its division of a text into words, and its ranking functions.
final class FullText {
  private var tokenizer = fts5_tokenizer()
  private let instance: OpaquePointer

  /// Also gives the connection the function `relevance`.
  init(_ connection: Connection) throws(StoreError) {
    guard let api = Self.api(of: connection.handle) else { throw connection.failure(SQLITE_ERROR) }
    var context: UnsafeMutableRawPointer?
    var instance: OpaquePointer?
    var result = api.pointee.xFindTokenizer(api, "unicode61", &context, &tokenizer)
    if result == SQLITE_OK { result = Self.create(tokenizer, context, &instance) }
    if result == SQLITE_OK { result = api.pointee.xCreateFunction(api, "relevance", nil, relevance, nil) }
    guard let instance, result == SQLITE_OK else { throw connection.failure(result) }
    self.instance = instance
  }

  deinit { tokenizer.xDelete(instance) }

  private static func api(of handle: OpaquePointer) -> UnsafeMutablePointer<fts5_api>? {
    var api: UnsafeMutablePointer<fts5_api>?
    var statement: OpaquePointer?
    guard sqlite3_prepare_v2(handle, "SELECT fts5(?1)", -1, &statement, nil) == SQLITE_OK else { return nil }
    defer { sqlite3_finalize(statement) }
    // SQLite copies neither the pointer's target nor the name of its type.
    withUnsafeMutablePointer(to: &api) { target in
      "fts5_api_ptr".withCString { type in
        sqlite3_bind_pointer(statement, 1, target, type, nil)
        sqlite3_step(statement)
      }
    }
    return api
  }

  /// With the arguments of the schema.
  private static func create(
    _ tokenizer: fts5_tokenizer, _ context: UnsafeMutableRawPointer?, _ instance: inout OpaquePointer?
  ) -> Int32 {
    "remove_diacritics".withCString { name in
      "2".withCString { value in
        var arguments: [UnsafePointer<CChar>?] = [name, value]
        return tokenizer.xCreate(context, &arguments, 2, &instance)
      }
    }
  }

  // MARK: Words

  private struct Visitor {
    let visit: (UnsafeRawBufferPointer, Range<Int>) -> Bool
  }

  /// Calls `visit` with each word as the index spells it, and its bytes in the text, until it returns false.
  func forEachWord(in text: String, _ visit: (UnsafeRawBufferPointer, Range<Int>) -> Bool) {
    withoutActuallyEscaping(visit) { visit in
      withUnsafePointer(to: Visitor(visit: visit)) { visitor in
        tokenize(text, UnsafeMutableRawPointer(mutating: visitor)) { visitor, _, word, count, start, end in
          guard let visitor = visitor?.assumingMemoryBound(to: Visitor.self) else { return SQLITE_ERROR }
          let bytes = UnsafeRawBufferPointer(start: word, count: Int(count))
          return visitor.pointee.visit(bytes, Int(start)..<Int(end)) ? SQLITE_OK : SQLITE_DONE
        }
      }
    }
  }

  private typealias VisitWord =
    @convention(c) (UnsafeMutableRawPointer?, Int32, UnsafePointer<CChar>?, Int32, Int32, Int32) -> Int32

  private func tokenize(_ text: String, _ context: UnsafeMutableRawPointer, _ visit: VisitWord) {
    var text = text
    text.withUTF8 { bytes in
      bytes.withMemoryRebound(to: CChar.self) { characters in
        _ = tokenizer.xTokenize(
          instance, context, FTS5_TOKENIZE_DOCUMENT, characters.baseAddress, Int32(characters.count), visit)
      }
    }
  }

  func words(of text: String) -> [[UInt8]] {
    var words: [[UInt8]] = []
    forEachWord(in: text) { word, _ in
      words.append(Array(word))
      return true
    }
    return words
  }
}

// MARK: Ranking

/// `relevance(search, weight of column 1, …, '12 345 …')`: BM25 like SQLite's own `bm25`, which however walks over all
/// episodes with each phrase to count them. Here these numbers are given, roughly; those of the last phrases may be left out.
private let relevance: fts5_extension_function = { api, context, result, count, values in
  guard let api = api?.pointee, let values else { return }
  let columns = Int(api.xColumnCount(context))
  let phrases = Int(api.xPhraseCount(context))
  var (rows, allWords) = (sqlite3_int64(0), sqlite3_int64(0))
  var (found, length) = (Int32(0), Int32(0))
  guard Int(count) == columns + 1, let text = sqlite3_value_text(values[columns]),
    api.xRowCount(context, &rows) == SQLITE_OK,
    api.xColumnTotalSize(context, -1, &allWords) == SQLITE_OK, api.xInstCount(context, &found) == SQLITE_OK,
    api.xColumnSize(context, -1, &length) == SQLITE_OK
  else { return }
  let known = String(cString: text).split(separator: " ").map { Double($0) ?? 0 }
  var weights = [Double](repeating: 0, count: phrases)
  for index in 0..<found {
    var (phrase, column, word) = (Int32(0), Int32(0), Int32(0))
    guard api.xInst(context, index, &phrase, &column, &word) == SQLITE_OK else { return }
    weights[Int(phrase)] += sqlite3_value_double(values[Int(column)])
  }
  let relativeLength = Double(length) * Double(max(1, rows)) / Double(max(1, allWords))
  var sum = 0.0
  for (phrase, weight) in weights.enumerated() {
    let episodes = phrase < known.count ? known[phrase] : 0
    let rarity = max(1e-6, log((Double(rows) - episodes + 0.5) / (episodes + 0.5)))
    sum += rarity * weight * 2.2 / (weight + 1.2 * (0.25 + 0.75 * relativeLength))
  }
  sqlite3_result_double(result, sum)
}

// MARK: Texts

extension FullText {
  /// Gives a connection the function `plain_text_1`: the text of show notes as it is indexed. The number is
  /// that of the rules by which `PlainText.withoutMarkup` makes it. Other rules need another number, and a migration that
  /// empties the index and makes its view anew with that.
  static func addPlainText(to handle: OpaquePointer) {
    let flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS
    sqlite3_create_function_v2(handle, "plain_text_1", 1, flags, nil, plainText, nil, nil, nil)
  }
}

private let plainText: @convention(c) (OpaquePointer?, Int32, UnsafeMutablePointer<OpaquePointer?>?) -> Void = {
  context, _, values in
  guard let value = values?.pointee else { return }
  let html = UnsafeBufferPointer(start: sqlite3_value_text(value), count: Int(sqlite3_value_bytes(value)))
  var text = PlainText.withoutMarkup(String(decoding: html, as: UTF8.self))
  text.withUTF8 { bytes in
    bytes.withMemoryRebound(to: CChar.self) { characters in
      sqlite3_result_text(context, characters.baseAddress, Int32(characters.count), podcli_sqlite_transient())
    }
  }
}
