import PodcastModel
import PodcastStore
import ScreenKit

@testable import Podcatcher
@testable import podcli

/// States of the screen for tests: a library with titles in several scripts, and a player.
enum ScreenSamples {
  static let now = Timestamp(CivilTime(year: 2026, month: 8, day: 20, hour: 12))
  static let sizes = [(40, 10), (80, 24), (120, 36), (200, 50)].map { Size(columns: $0.0, rows: $0.1) }

  enum Condition: String, CaseIterable { case empty, loading, error, playing, paused, buffering }

  static let podcasts = [
    podcast(1, "Late Night Linux", unplayed: 41), podcast(2, "Small Hours", unplayed: 1),
    podcast(3, "深夜ラジオ 🎙️", unplayed: 12), podcast(4, "Darknet Diaries", unplayed: 0, error: "the feed is gone"),
  ]

  static let episodes: [EpisodeEntry] = (0..<60).map { number in
    let podcast = podcasts[number % 4]
    let titles = [
      "Late Night Linux – Episode \(312 - number): The one about fonts, and everything else that you ever wanted to know",
      "Counting seconds", "第\(312 - number)回 夜更かしの理由 👩‍👩‍👧", "\(147 - number): Tornado",
    ]
    var episode = Episode(id: EpisodeID(rawValue: Int64(number + 1)), guid: "g\(number)", title: titles[number % 4])
    episode.publishedAt = Timestamp(seconds: now.seconds - Int64(number) * 86_400)
    episode.duration = .seconds(number % 5 == 1 ? 32 : 5020 - number * 60)
    episode.link = "https://example.org/\(number)"
    var entry = EpisodeEntry(episode: episode, podcast: podcast.reference)
    entry.status.hasCompleted = number % 7 == 5
    entry.isFavourite = number % 11 == 4
    if number % 6 == 3 { entry.download = Download(state: .complete, progress: 1) }
    if number % 6 == 4 { entry.download = Download(state: .downloading, progress: 0.31) }
    entry.chapterCount = number % 2 == 0 ? 9 : nil
    entry.hasTranscript = number % 3 == 0
    return entry
  }

  static var begun: [EpisodeEntry] {
    zip([40, 41], [2467, 12]).map { number, seconds in
      var entry = episodes[number]
      if number == 40 { entry.episode.duration = .seconds(5020) }
      entry.status.lastListenTime = .seconds(seconds)
      entry.status.isCurrentlyPlaying = number == 40
      return entry
    }
  }

  private static func podcast(_ id: Int64, _ title: String, unplayed: Int, error: String? = nil) -> PodcastEntry {
    var entry = PodcastEntry(reference: PodcastReference(id: PodcastID(rawValue: id), title: title, feedURL: ""))
    entry.episodeCount = 312
    entry.unplayedCount = unplayed
    entry.refreshError = error
    return entry
  }

  static var home: HomeRows { HomeRows(begun: begun, new: EpisodeWindow(episodes, hasMoreAfter: true)) }

  static func texts(of id: EpisodeID) -> EpisodeTextsOnScreen {
    var texts = EpisodeTextsOnScreen(episode: id)
    let lines = [
      "and that is why nobody ships bitmap fonts any more.", "Except on this very terminal.",
      "Except on terminals, yes. When you look at the glyphs you see the grid, and the grid is the whole point.",
      "We should say who pays for this.",
    ]
    texts.paragraphs = (0..<200).map { number in
      TranscriptSegment(
        start: 2400 + Double(number) * 17, end: nil, speaker: number % 3 == 0 ? "Ana Lee" : "Joe",
        text: lines[number % 4])
    }
    texts.chapters = [(0, "Welcome"), (760, "Hinting"), (2402, "Sponsor"), (2539, "Letters")].map {
      Chapter(start: $0.0, title: $0.1)
    }
    texts.notes = notes
    return texts
  }

  static let notes = """
    A long talk about hinting with those who drew the fonts you look at; a letter from a listener; and why bitmaps last.

    • one
    • two

    [1] https://fonts.example/hinting
    """

  static func player(_ state: PlayerStatus.State) -> PlayerStatus {
    var status = PlayerStatus(state: state, episode: begun[0].episode.id)
    status.entry = begun[0]
    status.position = .seconds(2467)
    status.duration = .seconds(5020)
    status.speed = 1.4
    status.volume = 80
    status.chapter = .init(index: 3, title: "Sponsor", count: 4)
    status.sleepAt = Timestamp(seconds: now.seconds + 1440)
    return status
  }

  /// The screen on a page, as the events of such a library leave it.
  static func state(
    _ page: ScreenPage = .home, _ size: Size = Size(columns: 80, rows: 24), _ condition: Condition = .playing
  ) -> ScreenState {
    var state = ScreenState({ .podcli }, size: size, now: now)
    for event in events(condition) { _ = ScreenUpdate.update(&state, event) }
    _ = ScreenUpdate.update(&state, .input(.key(.character(Character("\(page.rawValue + 1)")))))
    answer(&state, condition)
    return state
  }

  private static func events(_ condition: Condition) -> [ScreenEvent] {
    switch condition {
    case .empty: [.home(HomeRows(begun: [], new: EpisodeWindow())), .queue([]), .podcasts([])]
    case .loading: []
    case .error:
      [ScreenState.ListName.home, .queue, .podcasts].map {
        .failed($0, "the library is locked by another program, and stays so; try again")
      }
    case .playing, .paused, .buffering:
      [
        .home(home), .queue([episodes[0], episodes[6], episodes[2]]), .podcasts(podcasts),
        .status(player(PlayerStatus.State(rawValue: condition.rawValue) ?? .playing)),
      ]
    }
  }

  /// The library's answers on the page.
  private static func answer(_ state: inout ScreenState, _ condition: Condition) {
    guard ![.empty, .loading, .error].contains(condition) else { return }
    if let podcast = state.podcast {
      let own = episodes.filter { $0.podcast.id == podcast.id }
      _ = ScreenUpdate.update(&state, .episodes(EpisodeWindow(own), of: podcast.id))
    }
    if let id = state.selectedEntry?.episode.id {
      _ = ScreenUpdate.update(&state, .about(.init(episode: id, notes: notes)))
    }
    if let id = state.transcript.episode { _ = ScreenUpdate.update(&state, .texts(texts(of: id))) }
  }
}

extension ScreenState {
  /// The screen as text.
  var lines: [String] {
    let cells = ScreenDrawing.draw(self)
    return (0..<cells.size.rows).map { cells.line($0) }
  }

  /// Types keys, as a terminal sends them. Returns what they ask for.
  @discardableResult
  mutating func type(_ keys: String) -> [ScreenEffect] {
    var decoder = InputDecoder()
    return (decoder.take(keys.utf8) + decoder.flush()).flatMap { ScreenUpdate.update(&self, .input($0)) }
  }

  @discardableResult
  mutating func take(_ event: ScreenEvent) -> [ScreenEffect] { ScreenUpdate.update(&self, event) }
}
