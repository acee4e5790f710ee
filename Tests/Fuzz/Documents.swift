import FeedKit
import PodcastModel
import Podcatcher
import Text

// Documents from the network.

/// Parses whole and in chunks: the results must be equal, and valid UTF-8 (strings are made of unchecked bytes).
@Sendable func fuzzFeed(_ bytes: [UInt8]) {
  let whole = document(bytes, chunk: max(1, bytes.count))
  insist(String(validating: Array(whole.utf8), as: UTF8.self) != nil, "bytes that are not UTF-8 became text")
  let size = Int(bytes.first ?? 0) % 13 + 1
  insist(whole == document(bytes, chunk: size), "the cuts between chunks made a difference")
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

@Sendable func fuzzOutlines(_ bytes: [UInt8]) {
  guard let feeds = try? OPML.feeds(in: bytes) else { return }
  let text = OPML.document(title: "Fuzz", feeds: feeds)
  let again = (try? OPML.feeds(in: Array(text.utf8)))?.count
  insist(again != nil, "what was written cannot be read")
}

@Sendable func fuzzHTML(_ bytes: [UInt8]) {
  let html = text(bytes)
  _ = PlainText.line(html)
  _ = PlainText.notes(html, baseURL: "https://example.org/").textWithLinks
  _ = NotesChapters.chapters(in: html)
}

@Sendable func fuzzJSON(_ bytes: [UInt8]) {
  guard let value = JSON(parsing: bytes) else { return }
  insist(JSON(parsing: value.pretty) != nil, "what was written cannot be read")
}

@Sendable func fuzzAddress(_ bytes: [UInt8]) {
  let address = text(bytes)
  _ = WebURL.resolve(address, against: "https://example.org/a/b?c")
  _ = WebURL.resolve("../x", against: address)
  _ = WebURL(address).host
}
