private import Glibc
internal import PodcastModel
internal import PodcastStore

/// Every listing and search command, beside the `sqlite3` program with a similar statement on the same library, run in
/// turns. The goal is 1.5 times its time, and 5 ms to start.
enum LookBench {
  static func run(_ arguments: [String]) async throws {
    let home = try Workspace()
    defer { home.remove() }
    let library = home.library + "/library.db"
    let size = Effort.size((podcasts: 500, episodes: 100), brief: (podcasts: 10, episodes: 100))
    try await makeLibrary([library, String(size.podcasts), String(size.episodes)])
    let rounds = arguments.first.flatMap { Int($0) } ?? Effort.rounds(15)
    Report.title("Questions to \(size.podcasts * size.episodes) episodes")
    for question in LookQuestion.all where arguments.count < 2 || question.name.contains(arguments[1]) {
      let ours = Comparison.Command(
        name: "podcli", program: home.podcli, arguments: question.arguments, home: home.library)
      let theirs = Comparison.Command(
        name: "sqlite3", program: "sqlite3", arguments: ["-readonly", question.mode, library, question.statement],
        home: home.library)
      var figure = try Comparison.inTurns(question.name, ours, theirs, rounds: rounds)
      figure.goal = figure.beside?.values[.time].map {
        Measure.time.text($0 * 1.5 + 0.005) + " (1.5 ×, and 5 ms to start)"
      }
      Report.tell(figure)
    }
    let helping = try (0..<rounds).map { _ in try Measured.run(home.podcli, ["--help"], in: home) }
    var help = Figure("--help", of: helping, goal: "5 ms")
    help.isHeadline = true
    Report.tell(help)
    try preview(home, rounds)
    try await firstSearch()
  }

  private static func preview(_ home: Workspace, _ rounds: Int) throws {
    let episodes = Effort.size(5000, brief: 50)
    let bytes = GeneratedFeed.bytes(episodes: episodes)
    let file = try home.write(bytes, to: "long.xml")
    let runs = try (0..<rounds).map { _ in try Measured.run(home.podcli, ["preview", file, "--json"], in: home) }
    var figure = Figure("preview --json of \(bytes.count) bytes", of: runs, goal: "250 ms, 30 MB")
    figure.isHeadline = true
    Report.tell(figure)
  }

  /// The first search after a large import, and the time until the index is complete in the background.
  private static func firstSearch() async throws {
    let home = try Workspace()
    defer { home.remove() }
    let library = home.library + "/library.db"
    let size = Effort.size((podcasts: 50, episodes: 1000), brief: (podcasts: 2, episodes: 500))
    try await makeLibrary([library, String(size.podcasts), String(size.episodes)], isIndexed: false)
    let start = ContinuousClock.now
    let run = try Measured.run(home.podcli, ["search", LibraryGenerator.words[0]], in: home)
    let count = size.podcasts * size.episodes
    var first = Figure("the first search after importing \(count)", of: [run], goal: "300 ms")
    first.isHeadline = true
    Report.tell(first)
    let store = try PodcastStore(path: library, access: .readOnly)
    while try await store.indexedPercentage() != nil { usleep(10_000) }
    Report.tell(Figure("and their index is complete", [.time: (ContinuousClock.now - start).inSeconds]))
  }
}
