import CommandKit
import PodcastModel
import PodcastStore
import Podcatcher
import ScreenKit
import Testing

@testable import podcli

/// The rows and headers of lists, and the keys that are about them.
@Suite struct ScreenListsTests {
  private typealias Samples = ScreenSamples
  private static let wide = Size(columns: 120, rows: 36)

  // MARK: Rows

  private static func entry(_ change: (inout EpisodeEntry) -> Void) -> EpisodeEntry {
    var entry = Samples.episodes[0]
    entry.episode.duration = .seconds(1000)
    change(&entry)
    return entry
  }

  private static func row(_ entry: EpisodeEntry) -> String {
    var state = Samples.state(.queue)
    state.take(.queue([entry]))
    return state.lines[1]
  }

  @Test(arguments: ["▶", "★", "◐", "●", "✓"]) func `a sign means the same on the screen and in the playlist`(
    sign: String
  ) {
    let entry = Self.entry {
      if sign == "▶" { $0.status.isCurrentlyPlaying = true }
      if "★".contains(sign) { $0.isFavourite = true }
      if "▶◐".contains(sign) { $0.status.lastListenTime = .seconds(12) }
      if "✓◐".contains(sign) { $0.status.hasCompleted = true }
    }
    #expect(Self.row(entry).dropFirst().hasPrefix(sign))
    let table = Table.episodes(Console(environment: Environment { _ in nil }))
    #expect(table.rendered([entry], width: 100, Paint(usesColor: false)).contains(" \(sign) "))
  }

  @Test func `an arrow with a percentage is a download that goes on, and else the percentage is what was heard`() {
    let begun = Self.entry {
      $0.status.lastListenTime = .seconds(250)
      $0.download = Download(state: .paused, progress: 0.54)
    }
    #expect(Self.row(begun).hasSuffix("25 %"))
    let running = Self.entry { $0.download = Download(state: .downloading, progress: 0.54) }
    #expect(Self.row(running).hasSuffix("↓54%"))
  }

  // MARK: Marks

  @Test func `an episode that was played and begun again is played with x, and one that is only played is not`() {
    let begun = Self.entry {
      $0.status.hasCompleted = true
      $0.status.lastListenTime = .seconds(12)
    }
    var state = Samples.state(.queue)
    state.take(.queue([begun]))
    let marks = state.type("xx").map { if case .mark(let mark, _) = $0 { "\(mark)" } else { "" } }
    #expect(marks == ["played", "unplayed"])
  }

  @Test func `x takes the mark of the episode that plays away`() {
    var state = Samples.state(.queue)
    var entry = Samples.begun[0]
    entry.status.isCurrentlyPlaying = false
    entry.status.hasCompleted = false
    state.take(.queue([entry]))
    #expect(state.lines[1].dropFirst().hasPrefix("▶"))
    let marks = state.type("x").compactMap { if case .mark(let mark, _) = $0 { "\(mark)" } else { nil } }
    // The player saves its position again.
    entry.status.hasCompleted = true
    state.take(.queue([entry]))
    let again = state.type("x").compactMap { if case .mark(let mark, _) = $0 { "\(mark)" } else { nil } }
    #expect(marks == ["played"] && again == ["unplayed"])
  }

  // MARK: Podcasts

  @Test(arguments: [80, 120]) func `the page of a podcast that is followed no longer is left`(columns: Int) {
    var state = Samples.state(.podcasts, Size(columns: columns, rows: 36))
    state.type("j\r/x")
    #expect(state.isInPodcast && state.podcast?.id == Samples.podcasts[1].id)
    state.take(.podcasts(Samples.podcasts.filter { $0.id != Samples.podcasts[1].id }))
    // Until then, its letters would be keys.
    state.type("Q")
    #expect(state.filter?.field.text == "xQ")
    state.type("\u{1B}")
    #expect(!state.isInPodcast && state.filter == nil && state.podcast?.id != Samples.podcasts[1].id)
    #expect(!state.lines.contains { $0.contains("Small Hours") })
  }

  @Test func `a long title of a podcast leaves the facts their place`() {
    var state = Samples.state(.podcasts)
    state.type("\r")
    var podcast = Samples.podcasts[0]
    podcast.reference.title = String(repeating: "A long title ", count: 12)
    state.take(.podcasts([podcast]))
    #expect(state.lines[1].contains("A long title") && state.lines[1].hasSuffix("312 episodes · 41 to hear"))
    #expect(state.lines[1].contains("… "))
  }

  @Test func `where there is no room for both, the title of a podcast stands alone`() {
    var state = Samples.state(.podcasts, Size(columns: 40, rows: 12))
    state.type("\r")
    var podcast = Samples.podcasts[0]
    podcast.reference.title = "A long title of a podcast"
    state.take(.podcasts([podcast]))
    #expect(state.lines[1] == " Podcasts › A long title of a podcast")
  }

  // MARK: Notes

  @Test func `i shows all about the selected episode at every width, and on Playing the notes`() {
    var state = Samples.state()
    state.type("jj")
    let id = Samples.episodes[0].episode.id
    #expect(state.type("i").contains(.run(1, ["info", String(id.rawValue)], isWatching: false)))
    #expect(state.output != nil && state.page == .home)
    state = Samples.state(.playing)
    state.type("i")
    #expect(state.transcript.view == .notes && state.output == nil)
  }

  @Test func `all about an episode is wrapped anew for another width`() {
    var state = Samples.state()
    state.type("jji")
    let id = Samples.episodes[0].episode.id
    state.take(.output("one\ntwo\n", of: 1, isEnd: true))
    #expect(
      state.take(.resized(Size(columns: 60, rows: 24))) == [.run(2, ["info", String(id.rawValue)], isWatching: false)])
    #expect(state.output?.text == "one\ntwo\n")
    // While a window is dragged, one after the other.
    #expect(state.take(.resized(Size(columns: 61, rows: 24))).isEmpty)
    #expect(
      state.take(.output("one\n", of: 2, isEnd: true)) == [.run(3, ["info", String(id.rawValue)], isWatching: false)])
    state.take(.output("one\n", of: 3, isEnd: true))
    #expect(state.output?.text == "one\n" && state.output?.isRunning == false)
    #expect(state.take(.resized(Size(columns: 61, rows: 20))).isEmpty)
  }

  @Test(arguments: ScreenPage.allCases, [80, 120]) func `each key is offered once`(page: ScreenPage, columns: Int) {
    let state = Samples.state(page, Size(columns: columns, rows: 36))
    let keys = ScreenKeys.valid(in: state).flatMap(\.keys)
    #expect(keys.count == Set(keys).count, "\(keys.sorted())")
  }

  @Test func `J and K are offered where they move or scroll something`() {
    func offered(_ state: ScreenState) -> [String] {
      var state = state
      if let id = state.selectedEntry?.episode.id { state.take(.about(.init(episode: id, notes: Samples.notes))) }
      return ScreenKeys.valid(in: state).filter { $0.keys.contains("J") }.map(\.meaning)
    }
    #expect(offered(Samples.state()).isEmpty)
    #expect(offered(Samples.state(.home, Self.wide)) == ["scroll the notes down"])
    #expect(offered(Samples.state(.podcasts, Self.wide)).isEmpty)
    #expect(offered(Samples.state(.queue)) == ["move it down in the queue"])
    var state = Samples.state(.queue, Self.wide)
    state.take(.queue([Samples.episodes[0]]))
    #expect(offered(state) == ["scroll the notes down"])
    state.take(.queue([]))
    #expect(offered(state).isEmpty)
  }

  @Test func `the notes beside a list scroll until their last line is shown`() throws {
    var state = Samples.state(.home, Self.wide)
    let notes = (1...60).map { "line \($0) of them" }.joined(separator: "\n")
    let id = try #require(state.selectedEntry?.episode.id)
    state.take(.about(.init(episode: id, notes: notes)))
    state.type(String(repeating: "J", count: 40))
    #expect(state.lines[33].contains("line 60 of them"))
    state.take(.resized(Size(columns: 120, rows: 50)))
    #expect(state.lines[47].contains("line 60 of them"))
  }

  // MARK: What is typed

  @Test func `candidates are set apart, and stand beside what they mean where there is room or they are numbers`() {
    var state = Samples.state(.home, Size(columns: 80, rows: 14))
    state.type(":episodes ")
    state.take(.candidates((1...9).map { Choice("Late Night \($0)", "\($0) unplayed") }, for: "episodes "))
    #expect(state.lines[2].contains("Late Night 1 · Late Night 2"))
    state.take(.candidates([Choice("Late Night 1", "3 unplayed"), Choice("Late", "1 unplayed")], for: "episodes "))
    #expect(
      state.lines[2].hasPrefix(" Late Night 1  3 unplayed") && state.lines[3].hasPrefix(" Late          1 unplayed"))
    state.take(.candidates((1...30).map { Choice("\($0)", "Small Hours: Title") }, for: "episodes "))
    #expect(state.lines[2].hasPrefix(" 1   Small Hours: Title") && state.lines[3].hasPrefix(" 2   Small"))
    #expect(state.lines.contains { $0.hasPrefix(" … and 26 more") })
    let long = "The long running history of computing, part"
    state.take(.candidates([Choice(long + " one", "a"), Choice(long + " two", "b")], for: "episodes "))
    #expect(state.lines[2...3].joined().contains("part one") && state.lines[2...4].joined().contains("two"))
  }

  @Test func `a filter line that is wrong from the beginning does not go on loading`() {
    var state = Samples.state()
    state.type("/age<x")
    state.take(.found(FoundRows(line: "age<x", mistake: "'age<x' is no filter")))
    #expect(!state.lines.contains { $0.contains(" … ") || $0.hasSuffix("  …") || $0.contains("Nothing matches") })
    #expect(state.lines.contains { $0.contains("is no filter") })
  }
}
