import Glibc
import TestSupport
import Testing

/// The journey that the README shows, in a real terminal. `PODCLI_DRAW_SCREENS=1` records it anew, for `make picture`.
@Suite struct JourneyTests {
  @Test(arguments: [(80, 24), (120, 36)])
  func `subscribe, triage ten, play, leave, come back, find a sentence and hear it, queue, reorder, undo`(
    columns: Int, rows: Int
  ) async throws {
    let journey = try await Journey(columns: columns, rows: rows)
    try await journey.subscribe()
    try await journey.triage()
    try await journey.playAndComeBack()
    try await journey.findSentence()
    try await journey.lineUp()
    try await journey.end()
  }
}

private final class Journey {
  private let stage: Stage
  private let screen: TmuxScreen
  private var frames: [String] = []
  private let isRecorded: Bool

  /// Of the episodes, from the oldest on.
  private static let titles = [
    "Bitmaps on paper", "Letters", "The one about fonts", "Tape", "Counting seconds", "Suspend to disk", "Night trains",
    "A terminal of one's own", "What the storm left", "Keys", "Rain", "Small hours",
  ]
  private static let words = """
    WEBVTT

    00:00.000 --> 00:20.000
    <v Ana>That is why nobody ships bitmap fonts any more.

    00:20.000 --> 00:40.000
    <v Joe>Except on this very terminal.

    00:40.000 --> 01:00.000
    <v Ana>Look at the glyphs, and you see the lighthouse keeper's grid.

    01:00.000 --> 03:00.000
    <v Joe>We should say who pays for this.

    """

  init(columns: Int, rows: Int) async throws {
    isRecorded = getenv("PODCLI_DRAW_SCREENS") != nil && columns == 80
    stage = try Stage(episodes: 12, seconds: 180)
    var feed = SampleFeed(title: "Late Night Linux", episodes: 12, mediaBase: stage.server.url("/media"), seconds: 180)
    feed.itemExtra[3] = "<podcast:transcript url=\"\(stage.server.url("/t.vtt"))\" type=\"text/vtt\"/>"
    var xml = feed.xml
    for (index, title) in Self.titles.enumerated() {
      xml = xml.replacing("<title>Episode \(index + 1)</title>", with: "<title>\(title)</title>")
    }
    stage.server.serve("/feed.xml", Response.feed(Array(xml.utf8)))
    stage.server.serve("/t.vtt", Response.ok(Self.words, type: "text/vtt"))
    screen = try await TmuxScreen(in: stage.home, columns: columns, rows: rows)
  }

  /// Waits for what a step shows, and keeps the frame.
  private func sees(_ what: String, _ condition: (String) -> Bool) async throws {
    _ = try await screen.shows(what, condition)
    if isRecorded { frames.append(Recording.absolute(try await screen.capture(styled: true))) }
  }

  private func sees(_ text: String) async throws { try await sees(text) { $0.contains(text) } }

  func subscribe() async throws {
    try await screen.type("podcli", "Enter")
    try await sees(":subscribe URL")
    try await screen.type(":", "subscribe \(stage.feedURL)")
    try await sees("subscribe http")
    try await screen.type("Enter")
    try await sees("12 episodes")
    try await screen.type("Escape")
    try await sees("the new episodes") { $0.contains("▌●") && $0.contains("Small hours") }
  }

  func triage() async throws {
    for title in Self.titles.reversed().prefix(10) {
      try await screen.type("x")
      _ = try await screen.shows("Played: \(title)")
    }
    try await sees("Played: The one about fonts")
    try await screen.type("u")
    try await sees("Undone: marking as played: The one about fonts")
  }

  func playAndComeBack() async throws {
    try await screen.type("g", "Enter")
    try await sees("▶ 00:0")
    try await screen.type("4")
    try await sees("Except on this very terminal.")
    try await screen.type("q")
    try await sees("Still playing")
    #expect(try await stage.run("status").output.hasPrefix("playing\t3\t"))
    try await screen.type("clear; podcli", "Enter")
    try await sees("the screen with the player") { $0.contains("1 Home") && $0.contains("▶ 00:0") }
  }

  func findSentence() async throws {
    try await screen.type("/", "lighthouse")
    try await sees("the sentence") { $0.contains("0:40") && $0.contains("said") }
    try await screen.type("Down", "Enter")
    try await sees("the jump") { text in ["0:4", "0:5", "1:", "2:"].contains { text.contains("▶ 00:0\($0)") } }
    // The key that follows at once would be taken for one with Alt.
    try await screen.type("Escape")
    _ = try await screen.shows("the list again") { !$0.contains("/lighthouse") }
    try await screen.type("4")
    // On a slow machine the voice is further by now, and is put back.
    let deadline = Deadline()
    while try await !isSaid(screen.capture()), !deadline.hasPassed {
      try #require(try await stage.run("seek", "42").status == .exited(0))
    }
    try await sees("the line that is said", isSaid)
  }

  private func isSaid(_ text: String) -> Bool {
    text.split(separator: "\n").contains { $0.hasPrefix("▌") && $0.contains("the glyphs") }
  }

  func lineUp() async throws {
    try await screen.type("1", "G", "a")
    try await sees("2 Queue 1")
    try await screen.type("Up", "a")
    try await sees("2 Queue 2")
    try await screen.type("2")
    try await sees("the queue") { self.order(in: $0) == ["Bitmaps on paper", "Letters"] }
    try await screen.type("J")
    try await sees("the other order") { self.order(in: $0) == ["Letters", "Bitmaps on paper"] }
    try await screen.type("u")
    try await sees("the first order") { self.order(in: $0) == ["Bitmaps on paper", "Letters"] }
  }

  /// The titles of the list, from above.
  private func order(in text: String) -> [String] {
    text.split(separator: "\n").dropFirst().prefix { !$0.contains("▶ 00:") }.compactMap { line in
      Self.titles.prefix(2).first { line.prefix(60).contains($0) }
    }.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
  }

  func end() async throws {
    try await screen.type("Q")
    _ = try await screen.shows("Stopped")
    #expect(try #require(try await stage.position(of: 3)) >= 40)
    try await screen.end()
    guard isRecorded else { return }
    let folder = Folders.fixtures + "/Screens/Journey"
    mkdir(folder, 0o755)
    for name in names(in: folder) { unlink(folder + "/" + name) }
    for (number, frame) in frames.enumerated() {
      let descriptor = open("\(folder)/\(number + 10).txt", O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
      defer { close(descriptor) }
      let bytes = Array(frame.utf8)
      try #require(write(descriptor, bytes, bytes.count) == bytes.count)
    }
  }
}

/// A screen as tmux tells it, where each style changes the one before, in styles that stand alone.
private enum Recording {
  static func absolute(_ text: String) -> String {
    var output = ""
    var codes: [Int] = []
    var rest = text[...]
    while let escape = rest.firstIndex(of: "\u{1B}") {
      output += rest[..<escape]
      let sequence = rest[escape...].prefix { $0 != "m" }
      rest = rest[sequence.endIndex...].dropFirst()
      for code in sequence.dropFirst(2).split(separator: ";", omittingEmptySubsequences: false).map({ Int($0) ?? 0 }) {
        apply(code, to: &codes)
      }
      output += "␛[" + ([0] + codes).map { String($0) }.joined(separator: ";") + "m"
    }
    return output + rest
  }

  private static func apply(_ code: Int, to codes: inout [Int]) {
    switch code {
    case 0: codes = []
    case 22: codes.removeAll { $0 == 1 || $0 == 2 }
    case 23...28: codes.removeAll { $0 == code - 20 }
    case 39: codes.removeAll { (30...37).contains($0) || (90...97).contains($0) }
    case 30...37, 90...97:
      apply(39, to: &codes)
      codes.append(code)
    default: if !codes.contains(code) { codes.append(code) }
    }
  }
}
