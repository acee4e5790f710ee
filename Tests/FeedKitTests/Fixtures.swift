import FeedKit
import Glibc
import PodcastModel

/// Pairs of files beside the tests: what comes in, and the document that must come out.
enum Fixtures {
  static let folder = #filePath.split(separator: "/").dropLast().reduce("") { $0 + "/" + $1 } + "/Fixtures"

  /// Where the feeds pretend to come from.
  static let base = "https://example.org/podcast/feed.xml"

  /// Names without their ending, in order.
  static func names(in subfolder: String, ending: String) -> [String] {
    guard let directory = opendir("\(folder)/\(subfolder)") else { return [] }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name.hasSuffix(ending) { names.append(String(name.dropLast(ending.count))) }
    }
    return names.sorted()
  }

  static func bytes(_ path: String) -> [UInt8] {
    guard let file = fopen("\(folder)/\(path)", "rb") else { return [] }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while case let count = fread(&buffer, 1, buffer.count, file), count > 0 { bytes += buffer[..<count] }
    return bytes
  }

  static func text(_ path: String) -> String { String(decoding: bytes(path), as: UTF8.self) }
}

extension FeedParser {
  /// The document cut into pieces of that size.
  static func feed(from bytes: [UInt8], chunk: Int, limits: FeedLimits = .standard) throws(FeedError) -> Feed {
    let parser = try FeedParser(baseURL: Fixtures.base, limits: limits)
    var start = 0
    while start < bytes.count {
      let end = min(start + chunk, bytes.count)
      let failure: FeedError? = bytes.withUnsafeBytes { bytes in
        do throws(FeedError) { try parser.parse(UnsafeRawBufferPointer(rebasing: bytes[start..<end])) } catch {
          return error
        }
        return nil
      }
      if let failure { throw failure }
      start = end
    }
    return try parser.finish()
  }

  static func document(from bytes: [UInt8], chunk: Int) -> JSON {
    do throws(FeedError) {
      return FeedDocument.json(try feed(from: bytes, chunk: chunk))
    } catch {
      return [
        "error": ["code": JSON(error.code.rawValue), "message": JSON(error.message), "links": JSON(error.feedLinks)]
      ]
    }
  }
}
