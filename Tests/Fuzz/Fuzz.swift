import FeedKit
import Glibc
import PodcastModel

/// What is fed with random bytes, by the name in `PODCLI_FUZZ_TARGET`; without one, the first byte chooses.
private let targets: [(name: String, run: @Sendable ([UInt8]) -> Void)] = [
  ("feed", fuzzFeed), ("dates", { _ = DateText.timestamp(text($0)) }),
  ("durations", { _ = DurationText.seconds(text($0)) }), ("opml", fuzzOutlines),
  ("chapters", { _ = ChapterFile.chapters(in: $0) }), ("transcripts", { _ = Transcript.segments(in: $0) }),
  ("html", fuzzHTML), ("json", fuzzJSON), ("addresses", fuzzAddress),
]

private let chosen = getenv("PODCLI_FUZZ_TARGET").map { String(cString: $0) }

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ data: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: data, count: count))
  if let chosen {
    targets.first { $0.name == chosen }?.run(bytes)
  } else if let first = bytes.first {
    targets[Int(first) % targets.count].run(Array(bytes.dropFirst()))
  }
  return 0
}

private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

/// Whole and cut: both ways must end the same.
private func fuzzFeed(_ bytes: [UInt8]) {
  let whole = document(bytes, chunk: max(1, bytes.count))
  let size = Int(bytes.first ?? 0) % 13 + 1
  precondition(whole == document(bytes, chunk: size), "the cuts between chunks made a difference")
}

private func document(_ bytes: [UInt8], chunk: Int) -> String {
  var start = 0
  do throws(FeedError) {
    let parser = try FeedParser(baseURL: "https://example.org/feed")
    while start < bytes.count {
      let failure: FeedError? = bytes[start..<min(start + chunk, bytes.count)].withUnsafeBytes { bytes in
        do throws(FeedError) { try parser.parse(bytes) } catch { return error }
        return nil
      }
      if let failure { throw failure }
      start += chunk
    }
    return FeedDocument.json(try parser.finish()).compact
  } catch {
    return error.message
  }
}

private func fuzzOutlines(_ bytes: [UInt8]) {
  guard let feeds = try? OPML.feeds(in: bytes) else { return }
  let text = OPML.document(title: "Fuzz", feeds: feeds)
  let again = (try? OPML.feeds(in: Array(text.utf8)))?.count
  precondition(again != nil, "what was written cannot be read")
}

private func fuzzHTML(_ bytes: [UInt8]) {
  let html = text(bytes)
  _ = PlainText.line(html)
  _ = PlainText.notes(html, baseURL: "https://example.org/").textWithLinks
  _ = NotesChapters.chapters(in: html)
}

private func fuzzJSON(_ bytes: [UInt8]) {
  guard let value = JSON(parsing: bytes) else { return }
  precondition(JSON(parsing: value.pretty) != nil, "what was written cannot be read")
}

private func fuzzAddress(_ bytes: [UInt8]) {
  let address = text(bytes)
  _ = WebAddress.resolve(address, against: "https://example.org/a/b?c")
  _ = WebAddress.resolve("../x", against: address)
  _ = WebAddress(address).host
}
