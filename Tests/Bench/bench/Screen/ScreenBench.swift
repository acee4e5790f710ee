import Glibc
import PodcastModel
import PodcastStore
import TestSupport

/// The screen in a terminal of 120×36: its first frame, a frame after a key, how quiet it is when nothing happens and while
/// an episode plays, and two programs of its kind beside it.
enum ScreenBench {
  static func run(_ arguments: [String]) async throws {
    let home = try Workspace()
    defer { home.remove() }
    let size = Effort.size((podcasts: 500, episodes: 100), brief: (podcasts: 10, episodes: 100))
    let podcasts = arguments.first.flatMap { Int($0) } ?? size.podcasts
    // A cover that cannot be fetched is looked for once the selection rests, and its room given up: a frame of its own
    // amid those that answer the letters.
    try await makeLibrary([home.library + "/library.db", String(podcasts), String(size.episodes)], hasCovers: false)
    Report.title("The screen, at \(podcasts * size.episodes) episodes")
    try await firstFrame(home)
    try await keys(home)
    try await idle(home)
    guard arguments.isEmpty else { return }
    try await playing()
    try await ScreenPeers.run()
  }

  private static func firstFrame(_ home: Workspace) async throws {
    var (waits, memory): ([Double], [Double]) = ([], [])
    for _ in 0..<Effort.rounds(31) {
      let start = ContinuousClock.now
      let screen = try ScreenStage.start(home.podcli, home: home.library)
      try await screen.wait(forScreen: ScreenStage.frameEnd)
      waits.append((ContinuousClock.now - start) / .seconds(1))
      memory.append(Measured.peakMegabytes(of: screen.pid))
      try await ScreenStage.settle(screen)
      screen.type("q")
      try await screen.end()
    }
    var figure = Figure(
      "exec to the first frame", [.time: Amount.median(waits), .memory: Amount.median(memory)], runs: waits.count,
      goal: "10 ms, 14 MB")
    figure.isHeadline = true
    Report.tell(figure)
    guard let instructions = try await ScreenStage.instructions(home.podcli, home: home.library) else {
      return print("  the instructions of the first frame were not counted: valgrind is missing, or it failed")
    }
    Report.tell(
      Figure("exec to the first frame, under callgrind", [.instructions: instructions / 1e6], goal: "8 M instructions"))
  }

  private static func keys(_ home: Workspace) async throws {
    let screen = try ScreenStage.start(home.podcli, home: home.library)
    try await ScreenStage.settle(screen)
    let moves = waits(for: Array(repeating: "j", count: Effort.rounds(200)), in: screen)
    tell("a key that moves, to its frame", moves.map(\.first), goal: "5 ms")
    try await filter(by: LibraryGenerator.words.prefix(10), "a letter of a filter, to its rows", in: screen)
    // A very common word, and others that are seldom in one episode.
    let seldom = [0, 110, 20, 100, 60].map { LibraryGenerator.words[$0] }
    try await filter(by: seldom[...], "the same, of words that are seldom together", in: screen)
    screen.type("q")
    try await screen.end()
  }

  private static func filter(by words: ArraySlice<String>, _ name: String, in screen: RunningProgram) async throws {
    screen.type("/")
    try await ScreenStage.settle(screen)
    let line = words.joined(separator: " ")
    let letters = waits(for: line.prefix(Effort.size(40, brief: 1)).map { String($0) }, in: screen)
    tell(name, letters.map(\.last), goal: "30 ms")
    screen.type("\u{3}")
    try await ScreenStage.settle(screen)
  }

  private static func tell(_ name: String, _ waits: [Double], goal: String) {
    let sorted = waits.sorted()
    Report.tell(
      Figure(
        name, [.half: Amount.median(sorted), .most: sorted[sorted.count * 95 / 100]], runs: sorted.count, goal: goal))
  }

  /// The times from each key to the first and to the last bytes that follow it.
  private static func waits(
    for keys: [String], in screen: RunningProgram
  ) -> [(first: Double, last: Double)] {
    var waits: [(first: Double, last: Double)] = []
    for key in keys {
      var count = screen.transcript.screenBytes.count
      let start = ContinuousClock.now
      var times: [Double] = []
      screen.type(key)
      while case let now = (ContinuousClock.now - start) / .seconds(1), now - (times.last ?? 0) < 0.1 {
        if case let new = screen.transcript.screenBytes.count, new > count {
          times.append(now)
          count = new
        }
        usleep(50)
      }
      if let first = times.first, let last = times.last { waits.append((first, last)) }
    }
    return waits
  }

  private static func idle(_ home: Workspace) async throws {
    let screen = try ScreenStage.start(home.podcli, home: home.library)
    try await ScreenStage.settle(screen, quiet: 1)
    let values = try await ScreenStage.idle(screen, seconds: Effort.size(5, brief: 1))
    Report.tell(Figure("five seconds in which nothing happens", values, goal: "0, 0"))
    screen.type("q")
    try await screen.end()
  }

  // MARK: Playing

  /// A minute of an episode with a transcript, of which a line is said every seven seconds; then the same with times of
  /// words.
  private static func playing() async throws {
    Report.title("The screen while an episode plays, a second of it")
    let seconds = Effort.size(60, brief: 3)
    for (name, isTimed) in [("its page, with a transcript", false), ("the same, each word lit", true)] {
      let home = try Workspace()
      defer { home.remove() }
      try await makeEpisode(home, isTimed: isTimed)
      let player = try ScreenStage.start(home.podcli, ["play", "1"], home: home.library)
      try await player.wait(forScreen: "▶")
      let screen = try ScreenStage.start(home.podcli, home: home.library)
      try await ScreenStage.settle(screen, atMost: 3)
      screen.type("4")
      try await ScreenStage.settle(screen, atMost: 3)
      let values = try await ScreenStage.idle(screen, seconds: seconds).mapValues { $0 / Double(seconds) }
      Report.tell(Figure(name, values, goal: "200 bytes, 2 ms CPU"))
      screen.type("Q")
      try await screen.end()
      try await player.end()
    }
  }

  private static func makeEpisode(_ home: Workspace, isTimed: Bool) async throws {
    let file = try home.write(Tone(seconds: 600).wav, to: "1.wav")
    _ = try home.write("auto-measure = off\n", to: "home/config")
    var feed = Feed()
    feed.title = "Bench"
    var episode = FeedEpisode()
    episode.guid = "1"
    episode.title = "Ten minutes"
    episode.enclosure = Enclosure(url: "file://" + file)
    feed.episodes = [episode]
    let store = try PodcastStore(path: home.library + "/library.db")
    _ = try await store.subscribe(to: feed, at: "file:///feed.xml")
    var generator = LibraryGenerator(seed: 4)
    let segments = (0..<86).map { number in
      let text = generator.text(words: 18)
      let start = Double(number) * 7
      var segment = TranscriptSegment(
        start: start, end: start + 6.5, speaker: number % 2 == 0 ? "Ana" : "Joe", text: text)
      if isTimed { segment.wordStarts = (0..<18).map { start + Double($0) * 0.36 } }
      return segment
    }
    try await store.setTranscript(segments, of: EpisodeID(rawValue: 1))
    await store.close()
  }
}
