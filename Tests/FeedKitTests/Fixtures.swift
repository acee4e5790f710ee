import FeedKit
import PodcastModel
import Podcatcher
import TestSupport
import Text

/// Pairs of files beside the tests: the input, and the document expected of it.
enum Fixtures {
  static let folder = #filePath.split(separator: "/").dropLast().reduce("") { $0 + "/" + $1 } + "/Fixtures"

  /// The URL that the fixtures are read with.
  static let base = "https://example.org/podcast/feed.xml"

  /// The names without their ending, sorted.
  static func names(in subfolder: String, ending: String) -> [String] {
    TestSupport.names(in: "\(folder)/\(subfolder)").filter { $0.hasSuffix(ending) }
      .map { String($0.dropLast(ending.count)) }.sorted()
  }

  static func bytes(_ path: String) -> [UInt8] { (try? contents(of: "\(folder)/\(path)")) ?? [] }

  static func text(_ path: String) -> String { String(decoding: bytes(path), as: UTF8.self) }
}

extension FeedParser {
  /// Parses the document in chunks of that size.
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

  /// The error of a document that is no feed.
  static func refusal(_ bytes: [UInt8], _ limits: FeedLimits = .standard) -> FeedError? {
    do throws(FeedError) {
      _ = try feed(from: bytes, chunk: 16 << 10, limits: limits)
      return nil
    } catch {
      return error
    }
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
