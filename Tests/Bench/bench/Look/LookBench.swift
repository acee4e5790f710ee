private import Glibc
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
  }
}
