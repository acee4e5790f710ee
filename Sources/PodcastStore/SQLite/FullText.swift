private import CSQLite
private import Glibc
private import Text

/// The parts of SQLite's full-text index that C programs may call: its division of a text into words, and its ranking functions.
final class FullText {
  private var tokenizer = fts5_tokenizer()
  private let instance: OpaquePointer

  /// Also gives the connection the function `term_weights`.
  init(_ connection: Connection) throws(StoreError) {
    guard let api = Self.api(of: connection.handle) else { throw connection.failure(SQLITE_ERROR) }
    var context: UnsafeMutableRawPointer?
    var instance: OpaquePointer?
    var result = api.pointee.xFindTokenizer(api, "unicode61", &context, &tokenizer)
    if result == SQLITE_OK { result = Self.create(tokenizer, context, &instance) }
    if result == SQLITE_OK { result = api.pointee.xCreateFunction(api, "term_weights", nil, termWeights, nil) }
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
    var text = text
    text.withUTF8 { bytes in
      guard let indexed = IndexedText(bytes) else { return forEachToken(in: bytes, visit) }
      var (shifts, shift) = (indexed.shifts[...], 0)
      func place(of byte: Int) -> Int {
        while let next = shifts.first, next.at <= byte {
          shift += next.by
          shifts.removeFirst()
        }
        return byte - shift
      }
      indexed.bytes.withUnsafeBufferPointer { bytes in
        forEachToken(in: bytes) { word, range in
          let start = place(of: range.lowerBound)
          return visit(word, start..<place(of: range.upperBound))
        }
      }
    }
  }

  private func forEachToken(
    in text: UnsafeBufferPointer<UInt8>, _ visit: (UnsafeRawBufferPointer, Range<Int>) -> Bool
  ) {
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

  private func tokenize(
    _ text: UnsafeBufferPointer<UInt8>, _ context: UnsafeMutableRawPointer, _ visit: VisitWord
  ) {
    text.withMemoryRebound(to: CChar.self) { characters in
      _ = tokenizer.xTokenize(
        instance, context, FTS5_TOKENIZE_DOCUMENT, characters.baseAddress, Int32(characters.count), visit)
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

/// An episode's relevance, term by term: BM25 like SQLite's own `bm25`, which however walks over all episodes with each phrase
/// to count them. Here these numbers are given, roughly.
enum TermWeights {
  static func read(_ blob: [UInt8]) -> [Double] {
    blob.withUnsafeBytes { bytes in
      stride(from: 0, to: bytes.count, by: MemoryLayout<Double>.stride).map {
        bytes.loadUnaligned(fromByteOffset: $0, as: Double.self)
      }
    }
  }

  static func rarities(_ counts: [Int64], of all: Int64) -> [Double] {
    counts.map { max(1e-6, log((Double(all) - Double($0) + 0.5) / (Double($0) + 0.5))) }
  }

  /// A term of unknown rarity counts for one.
  static func relevance(_ weights: [Double], _ rarities: [Double]) -> Double {
    weights.enumerated().reduce(0) { $0 + $1.element * ($1.offset < rarities.count ? rarities[$1.offset] : 1) }
  }
}

/// `term_weights(search, weight of column 1, …)`: a number of eight bytes for each phrase of the query.
private let termWeights: fts5_extension_function = { api, context, result, count, values in
  guard let api = api?.pointee, let values else { return }
  let columns = Int(api.xColumnCount(context))
  var weights = [Double](repeating: 0, count: Int(api.xPhraseCount(context)))
  var (rows, allWords) = (sqlite3_int64(0), sqlite3_int64(0))
  var (found, length) = (Int32(0), Int32(0))
  guard Int(count) == columns, api.xRowCount(context, &rows) == SQLITE_OK,
    api.xColumnTotalSize(context, -1, &allWords) == SQLITE_OK, api.xInstCount(context, &found) == SQLITE_OK,
    api.xColumnSize(context, -1, &length) == SQLITE_OK
  else { return }
  for index in 0..<found {
    var (phrase, column, word) = (Int32(0), Int32(0), Int32(0))
    guard api.xInst(context, index, &phrase, &column, &word) == SQLITE_OK else { return }
    weights[Int(phrase)] += sqlite3_value_double(values[Int(column)])
  }
  let relativeLength = Double(length) * Double(max(1, rows)) / Double(max(1, allWords))
  for index in weights.indices {
    weights[index] = weights[index] * 2.2 / (weights[index] + 1.2 * (0.25 + 0.75 * relativeLength))
  }
  weights.withUnsafeBytes { sqlite3_result_blob(result, $0.baseAddress, Int32($0.count), podcli_sqlite_transient()) }
}

// MARK: Texts

extension FullText {
  /// Gives a connection the functions of the index's view: `plain_text_1`, the text of show notes, and `indexed_text_2`, any
  /// text as it is indexed. The numbers are those of the rules in `PlainText.withoutMarkup` and `IndexedText`. Other rules need
  /// another number, and a migration that empties the index and makes its view anew with that. Of an earlier
  /// number the name alone is needed, for the migrations up to then.
  static func addTexts(to handle: OpaquePointer) {
    let flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS
    sqlite3_create_function_v2(handle, "plain_text_1", 1, flags, nil, plainText, nil, nil, nil)
    for name in ["indexed_text_1", "indexed_text_2"] {
      sqlite3_create_function_v2(handle, name, 1, flags, nil, indexedText, nil, nil, nil)
    }
  }
}

private let plainText: @convention(c) (OpaquePointer?, Int32, UnsafeMutablePointer<OpaquePointer?>?) -> Void = {
  context, _, values in
  guard let value = values?.pointee else { return }
  let html = UnsafeBufferPointer(start: sqlite3_value_text(value), count: Int(sqlite3_value_bytes(value)))
  var text = PlainText.withoutMarkup(String(decoding: html, as: UTF8.self))
  text.withUTF8 { setResult($0, context) }
}

private let indexedText: @convention(c) (OpaquePointer?, Int32, UnsafeMutablePointer<OpaquePointer?>?) -> Void = {
  context, _, values in
  guard let value = values?.pointee else { return }
  let text = UnsafeBufferPointer(start: sqlite3_value_text(value), count: Int(sqlite3_value_bytes(value)))
  guard let indexed = IndexedText(text) else { return sqlite3_result_value(context, value) }
  indexed.bytes.withUnsafeBufferPointer { setResult($0, context) }
}

private func setResult(_ text: UnsafeBufferPointer<UInt8>, _ context: OpaquePointer?) {
  text.withMemoryRebound(to: CChar.self) { characters in
    sqlite3_result_text(context, characters.baseAddress, Int32(characters.count), podcli_sqlite_transient())
  }
}
