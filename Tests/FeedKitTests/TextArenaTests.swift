import PodcastModel
import System
import TestSupport
import Testing

@testable import FeedKit

@Suite struct TextArenaTests {
  private static let megabyte = 1 << 20

  private func fill(_ arena: TextArena, megabytes: Int) -> [EpisodeTexts] {
    (0..<megabytes).map { number in
      let text = [UInt8](repeating: UInt8(number), count: Self.megabyte)
      var ranges = EpisodeTexts.Ranges()
      ranges[.description] = 0..<UInt32(text.count)
      return text.withUnsafeBufferPointer { EpisodeTexts($0, ranges, in: arena.room) }
    }
  }

  private func isWhole(_ texts: [EpisodeTexts]) -> Bool {
    texts.enumerated().allSatisfy { number, texts in
      texts.withUTF8(of: .description) { text in
        text.map { $0.count == Self.megabyte && $0.allSatisfy { $0 == UInt8(number) } } ?? false
      }
    }
  }

  /// The number of mappings of files in that folder.
  private func mapped(from folder: String) throws -> Int {
    let maps = String(decoding: try contents(of: "/proc/self/maps"), as: UTF8.self)
    return maps.split(separator: "\n").count { $0.contains(folder) }
  }

  /// The memory in kilobytes that mappings of files in that folder take.
  private func resident(from folder: String) throws -> Int {
    let maps = String(decoding: try contents(of: "/proc/self/smaps"), as: UTF8.self)
    var isOurs = false
    return maps.split(separator: "\n").reduce(0) { sum, line in
      let words = line.split(separator: " ")
      if words[0].contains("-") { isOurs = line.contains(folder) }
      return sum + (isOurs && words[0] == "Rss:" ? Int(words[1]) ?? 0 : 0)
    }
  }

  private func letGo(_ texts: [EpisodeTexts]) {
    for (one, next) in zip(texts, texts.dropFirst()) { one.letGo(before: next) }
  }

  @Test func `a reader gives up the memory of blocks in the file, and reads them again`() throws {
    let home = try TemporaryHome()
    let texts = fill(TextArena(spoolingTo: home.path), megabytes: 40)
    #expect(isWhole(texts))
    #expect(try resident(from: home.path) > 0)
    letGo(texts)
    #expect(try resident(from: home.path) == 0)
    #expect(isWhole(texts))
  }

  @Test func `blocks beyond the limit are mapped from a file that goes with the last text`() throws {
    let home = try TemporaryHome()
    do {
      let texts = fill(TextArena(spoolingTo: home.path), megabytes: 40)
      #expect(try mapped(from: home.path) > 0)
      #expect(isWhole(texts))
    }
    #expect(try mapped(from: home.path) == 0)
  }

  @Test func `without a file everything stays in memory`() {
    let texts = fill(TextArena(spoolingTo: "/there/is/no/such/folder"), megabytes: 40)
    letGo(texts)
    #expect(isWhole(texts))
  }

  @Test func `texts do not overlap`() {
    let arena = TextArena()
    let kept = (0..<1000).map { _ in arena.room(for: 10_000) }
    let starts = kept.map { Int(bitPattern: $0.0.start) + $0.1 }.sorted()
    #expect(zip(starts, starts.dropFirst()).allSatisfy { $1 - $0 >= 10_000 })
  }
}
