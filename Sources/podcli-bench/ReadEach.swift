import FeedKit
import Glibc
import PodcastModel

/// Reads the feeds whose paths come on standard input (a tab and a base address may follow, then a charset) and
/// prints the document of each on a line: for comparing with other parsers.
enum ReadEach {
  static func run(_ arguments: [String]) {
    let isPretty = arguments.contains("pretty")
    while let line = readLine() {
      let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map { String($0) }
      let document = document(path: fields[0], base: field(fields, 1), charset: field(fields, 2))
      print(isPretty ? document.pretty : document.compact)
    }
  }

  private static func field(_ fields: [String], _ index: Int) -> String? {
    index < fields.count && !fields[index].isEmpty ? fields[index] : nil
  }

  private static func document(path: String, base: String?, charset: String?) -> JSON {
    guard let bytes = bytes(of: path) else { return ["error": ["code": "unreadable"]] }
    do throws(FeedError) {
      return FeedDocument.json(try FeedParser.feed(from: bytes, baseURL: base, charset: charset))
    } catch {
      return [
        "error": ["code": JSON(error.code.rawValue), "message": JSON(error.message), "links": JSON(error.feedLinks)]
      ]
    }
  }

  static func bytes(of path: String) -> [UInt8]? {
    guard let file = fopen(path, "rb") else { return nil }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while case let count = fread(&buffer, 1, buffer.count, file), count > 0 { bytes += buffer[..<count] }
    return bytes
  }
}
