private import Glibc
internal import PodcastStore
internal import System
private import Text

/// The note beside a file that is being filled: its ranges that are written. It is replaced after every write, so that a
/// killed process loses no byte that came. Written bytes that are not synced survive everything but a crash of the
/// system, so a note from before the last start of the system is ignored.
struct RangeNote: Hashable, Sendable {
  var boot: String
  /// Names the rendition; the library holds the same token.
  var token: String
  var map: RangeMap

  static let longest = 4096

  /// `podcli-map BOOT TOKEN 0-4095,8192-9000 SUM`, on one line: a single page, which is written whole or not at all.
  var text: String {
    var ranges = map.ranges
    // Ranges that do not fit are fetched again.
    while ranges.count > 100 { ranges.removeFirst() }
    let words = "podcli-map \(boot) \(token) \(ranges.isEmpty ? "-" : ByteRanges.text(ranges))"
    return words + " " + Self.sum(words) + "\n"
  }

  init(boot: String, token: String, map: RangeMap) {
    self.boot = boot
    self.token = token
    self.map = map
  }

  /// Nil for anything but a note that is whole. Bytes behind its line are the rest of a longer one.
  init?(_ text: String) {
    guard let line = text.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false).first else {
      return nil
    }
    let words = line.split(separator: " ")
    guard words.count == 5, words[0] == "podcli-map", Self.sum(String(line.dropLast(words[4].count + 1))) == words[4]
    else { return nil }
    self.init(boot: String(words[1]), token: String(words[2]), map: RangeMap(ByteRanges.parse(String(words[3]))))
  }

  private static func sum(_ text: String) -> String { String(FNV1a.hash(text[...]), radix: 16) }

  /// Names this start of the system; nil where it cannot be told, and then every note is ignored.
  static let currentBoot: String? = {
    let id = Files.read("/proc/sys/kernel/random/boot_id", atMost: 64) ?? []
    return id.count > 30 ? String(decoding: id.filter { $0 > 32 }, as: UTF8.self) : nil
  }()
}
