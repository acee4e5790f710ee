import FeedKit
import Glibc
import PodcastModel
import Podcatcher
private import TestSupport
internal import Text

/// Reads the feeds whose paths come on standard input (tab-separated after each, and optional: base URL, charset, chunk
/// size) and prints each as one line of JSON, for comparing with other parsers.
enum ReadEach {
  static func run(_ arguments: [String]) {
    let isPretty = arguments.contains("pretty")
    while let line = readLine() {
      let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map { String($0) }
      let document = document(
        path: fields[0], base: field(fields, 1), charset: field(fields, 2), chunk: field(fields, 3).flatMap { Int($0) })
      print(isPretty ? document.pretty : document.compact)
    }
  }

  private static func field(_ fields: [String], _ index: Int) -> String? {
    index < fields.count && !fields[index].isEmpty ? fields[index] : nil
  }

  private static func document(path: String, base: String?, charset: String?, chunk: Int?) -> JSON {
    guard let bytes = try? contents(of: path) else { return ["error": ["code": "unreadable"]] }
    do throws(FeedError) {
      if let document = try sideDocument(path, bytes, base) { return document }
      return FeedDocument.json(try feed(bytes, base, charset, chunk: max(1, chunk ?? bytes.count)))
    } catch {
      return [
        "error": ["code": JSON(error.code.rawValue), "message": JSON(error.message), "links": JSON(error.feedLinks)]
      ]
    }
  }

  private static func feed(
    _ bytes: [UInt8], _ base: String?, _ charset: String?, chunk: Int
  ) throws(FeedError) -> Feed {
    let parser = try FeedParser(baseURL: base, charset: charset)
    try parser.parse(bytes[...], inChunksOf: chunk)
    return try parser.finish()
  }

  /// Reads an OPML file, chapters or a transcript, told apart by extension or folder.
  private static func sideDocument(_ path: String, _ bytes: [UInt8], _ base: String?) throws(FeedError) -> JSON? {
    if path.hasSuffix(".opml") { return FeedDocument.json(outlines: try OPML.feeds(in: bytes, baseURL: base)) }
    if path.contains("Chapters/") {
      return FeedDocument.json(chapters: ChapterFile.chapters(in: bytes, baseURL: base) ?? [])
    }
    return path.contains("Transcripts/") ? FeedDocument.json(transcript: Transcript.segments(in: bytes)) : nil
  }
}

/// Reads one feed in chunks as from the network and prints processor time and peak memory, for hostile input.
enum ReadOne {
  static func run(_ arguments: [String]) {
    guard let path = arguments.first, let file = fopen(path, "rb") else { return print("no such file") }
    defer { fclose(file) }
    let outcome: String
    do throws(FeedError) {
      var limits = FeedLimits()
      if arguments.contains("unlimited") { limits.documentBytes = .max }
      let parser = try FeedParser(limits: limits)
      try read(file, into: parser)
      let feed = try parser.finish()
      outcome =
        "\(feed.episodes.count) episodes, incomplete \(feed.isIncomplete), \(feed.warnings.last ?? "no warnings")"
    } catch {
      outcome = "\(error.code): \(error.message)"
    }
    var usage = rusage()
    getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
    let time = Double(clock()) / Double(CLOCKS_PER_SEC)
    print("cpu \((time * 100).rounded() / 100) s, peak \(usage.ru_maxrss >> 10) MB, \(outcome)")
  }

  private static func read(_ file: UnsafeMutablePointer<FILE>, into parser: FeedParser) throws(FeedError) {
    var buffer = [UInt8](repeating: 0, count: 16 << 10)
    while case let count = fread(&buffer, 1, buffer.count, file), count > 0 {
      try parser.parse(buffer[..<count], inChunksOf: count)
    }
  }
}

extension FeedParser {
  /// Parses in chunks, as from the network.
  func parse(_ bytes: ArraySlice<UInt8>, inChunksOf size: Int) throws(FeedError) {
    var rest = bytes
    while !rest.isEmpty {
      let failure: FeedError? = rest.prefix(size).withUnsafeBytes { bytes in
        do throws(FeedError) { try parse(bytes) } catch { return error }
        return nil
      }
      if let failure { throw failure }
      rest = rest.dropFirst(size)
    }
  }
}
