import Glibc
import PodcastModel
import PodcastStore
import ScreenKit
import TestSupport
import Testing

@testable import podcli

/// Every listing on four widths of screen, with colours and without, and in a pipe, as `Fixtures/Screens` has them.
/// `PODCLI_DRAW_SCREENS=1` draws them anew: read the changes before you keep them.
@Suite struct GoldenScreenTests {
  private static let listings: [String: [String]] = [
    "playlist": ["playlist", "--all"],
    "playlist-filtered": ["playlist", "unplayed", "minutes<20", "sort:title"],
    "episodes": ["episodes", "late"],
    "podcasts": ["podcasts"],
    "queue": ["queue"],
    "resume-list": ["resume", "--list"],
    "search": ["search", "lighthouse"],
    "search-place": ["search", "garbage"],
    "history": ["history"],
    "bookmarks": ["bookmarks"],
    "downloads": ["downloads"],
    "chapters": ["chapters", "2"],
    "transcript": ["transcript", "2"],
    "info": ["info", "2"],
    "info-podcast": ["info", "late"],
    "status": ["status"],
    "config": ["config"],
    "set": ["set", "late"],
    "preview": ["preview", "late.xml"],
    "help": ["-h"],
    "help-play": ["help", "play"],
    "help-filters": ["help", "filters"],
  ]

  @Test func `every listing looks as it was drawn`() async throws {
    let stage = try await Self.stage()
    for (name, words) in Self.listings.sorted(by: { $0.key < $1.key }) {
      let drawn = try await Self.drawn(words, stage)
      let file = Self.folder + name + ".txt"
      if getenv("PODCLI_DRAW_SCREENS") != nil { try draw(drawn, to: file) }
      let expected = (try? contents(of: file)).map { String(decoding: $0, as: UTF8.self) }
      let fault = expected.map { Self.firstDifference(drawn, $0) } ?? "was never drawn"
      #expect(fault == nil, "\(name): \(fault ?? "")")
    }
  }

  /// The page counts days back from today, so the test sets the date.
  @Test func `the statistics look as they were drawn`() throws {
    var statistics = ListeningStatistics()
    statistics.listened = .seconds(40_000)
    statistics.savedBySpeed = .seconds(9000)
    statistics.savedByTrim = .seconds(700)
    statistics.episodes = 12
    let monday: Int64 = 1_767_571_200
    statistics.days = [(0, 3600), (1, 120), (4, 9000), (9, 30), (13, 7000)].map { day, length in
      .init(date: Timestamp(seconds: monday + day * 86_400), listened: .seconds(length))
    }
    statistics.podcasts = [("深夜ラジオ 🎙️ 夜更かし", 20_000), ("Late Night Linux", 12_000), ("Daily", 60)].map { title, length in
      let podcast = PodcastReference(id: .init(rawValue: 1), title: title, feedURL: "")
      return .init(podcast: podcast, listened: .seconds(length), episodes: 2)
    }
    let today = Timestamp(seconds: monday + 14 * 86_400)
    var drawn = ""
    for width in Self.widths {
      for color in [false, true] {
        let page = StatisticsPage(width: width, paint: Paint(usesColor: color), today: today).rendered(statistics)
        for line in lines(plain(page)) { #expect(DisplayWidth.of(String(line)) <= width) }
        drawn += "=== \(width)\(color ? ", colour" : "")\n" + Self.visible(page)
      }
    }
    drawn += "=== pipe\n" + StatisticsPage.tabSeparated(statistics)
    let file = Self.folder + "stats.txt"
    if getenv("PODCLI_DRAW_SCREENS") != nil { try draw(drawn, to: file) }
    #expect(drawn == String(decoding: try contents(of: file), as: UTF8.self))
  }

  // MARK: Drawing

  private static let widths = [60, 80, 120, 200]
  private static let folder = Folders.fixtures + "/Screens/"

  private static func drawn(_ words: [String], _ stage: Stage) async throws -> String {
    var text = ""
    for width in widths {
      for color in ["never", "always"] {
        let outcome = try await stage.home.podcli(words + ["--color", color]).in(stage.home.path)
          .on(Program.Screen(columns: width, rows: 100)).setting("PAGER", "cat").setting("TERM", "dumb").run()
        try #require(outcome.status == .exited(0), "\(words): \(outcome)")
        let screen = outcome.transcript.screen.replacing("\r\n", with: "\n")
        for line in lines(plain(screen)) where !line.contains("://") && !line.contains("podcli ") {
          #expect(DisplayWidth.of(String(line)) <= width, "\(words) at \(width): \(line)")
        }
        text += "=== \(width)\(color == "always" ? ", colour" : "")\n" + visible(screen)
      }
    }
    let piped = try await stage.home.podcli(words).in(stage.home.path).run()
    #expect(!piped.output.contains("\u{1B}"))
    text += "=== pipe\n" + (words == ["podcasts"] ? withoutRefreshes(piped.output) : piped.output)
    return text.replacing(stage.server.origin, with: "http://127.0.0.1:PORT").replacing(stage.home.path, with: "HOME")
  }

  /// Removes the dates of the last refresh, which differ each time.
  private static func withoutRefreshes(_ list: String) -> String {
    lines(list).map { line in
      var fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
      if fields.count > 6 { fields[6] = "NOW" }
      return fields.joined(separator: "\t") + "\n"
    }.joined()
  }

  /// Makes escape characters readable.
  private static func visible(_ text: String) -> String { text.replacing("\u{1B}", with: "␛") }

  private static func firstDifference(_ drawn: String, _ expected: String) -> String? {
    let (new, old) = (lines(drawn), lines(expected))
    for (index, line) in new.enumerated() where index >= old.count || old[index] != line {
      return "line \(index + 1) is\n\(line)\nand was\n\(index < old.count ? old[index] : "nothing")"
    }
    return new.count == old.count ? nil : "\(old.count - new.count) lines are gone"
  }

  // MARK: The library

  /// Titles in scripts of every width, long titles, and each state of an episode.
  private static func stage() async throws -> Stage {
    let stage = try Stage(episodes: 1, seconds: 1)
    var late = SampleFeed(title: "Late Night Linux", episodes: 4, mediaBase: "https://media.example", seconds: 2820)
    late.channelExtra = "<itunes:author>Joe &amp; Félim</itunes:author>"
    late.itemExtra[2] = """
      <link>https://late.example/2</link>
      <content:encoded xmlns:content="http://purl.org/rss/1.0/modules/content/"><![CDATA[<p>Of the <b>lighthouse</b>, \
      and <a href="https://late.example/notes">more</a>, in a paragraph that is longer than any narrow screen is wide.\
      </p><ul><li>one</li><li>two</li></ul>]]></content:encoded>
      """
    let titles = [
      1:
        "Late Night Linux – Episode 1: kernels and kettles, and everything that anybody ever wanted to know about both",
      2: "Late Night Linux: Episode 2", 3: "第三回：灯台の話 🌊 👩‍👩‍👧", 4: "E\u{301}te\u{301} naïve café",
    ]
    let xml = titles.reduce(late.xml) {
      $0.replacing("<title>Episode \($1.key)</title>", with: "<title>\($1.value)</title>")
    }
    stage.server.serve("/late.xml", Response.feed(Array(xml.utf8)))
    try stage.home.write(xml, to: "late.xml")
    let long = "Daily Über-Ñandú: the podcast with the longest title that anybody could think of on a Tuesday"
    for (path, title) in [("/long.xml", long), ("/radio.xml", "深夜ラジオ 🎙️ 夜更かし")] {
      let feed = SampleFeed(title: title, episodes: 2, mediaBase: "https://media.example", seconds: 600)
      stage.server.serve(path, Response.feed(feed.bytes))
    }
    for path in ["/late.xml", "/long.xml", "/radio.xml"] {
      try #require(try await stage.run("subscribe", stage.server.url(path)).status == .exited(0))
    }
    try await stage.seed(fill)
    _ = try await stage.run("set", "late", "speed=1.4")
    return stage
  }

  private static func fill(_ store: PodcastStore) async throws {
    func id(_ number: Int64) -> EpisodeID { EpisodeID(rawValue: number) }
    let then = Timestamp(seconds: 1_767_225_600)
    try await store.setChapters(
      [Chapter(start: 0, title: "Start"), Chapter(start: 754, title: "The garbage collector, and who empties it")],
      of: id(2))
    try await store.setTranscript(
      [
        TranscriptSegment(start: 1, end: 4, speaker: "Anna", text: "Welcome to the show."),
        TranscriptSegment(
          start: 754.5, end: 760, speaker: "Bert",
          text:
            "The garbage collector is never in time, which is why nobody in this building has had an empty bin since May."
        ),
      ], of: id(2))
    try await store.enqueue([id(2), id(7), id(1)])
    try await store.mark(.played, [id(4)])
    try await store.mark(.favourite, [id(2)])
    try await store.addBookmark(at: .seconds(2467), note: "the recipe", in: id(2), now: then)
    for (number, start) in [(1, 0), (7, 7200), (2, 90_000)] as [(Int64, Int64)] {
      let moment = Timestamp(seconds: then.seconds + start)
      var session = ListeningSession(startedAt: moment, startPosition: .seconds(60))
      let row = try await store.beginSession(session, of: id(number))
      session.endedAt = Timestamp(seconds: moment.seconds + 300)
      session.endPosition = .seconds(480)
      session.listened = .seconds(300)
      try await store.update(row, to: session)
    }
    try await store.savePosition(.seconds(1736), of: id(2), urgency: .flush, at: then)
    try await store.savePosition(.seconds(60), of: id(7), urgency: .flush, at: then)
    try await store.startPlaying(id(2), at: then)
  }
}
