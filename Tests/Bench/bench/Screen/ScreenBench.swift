import Glibc
import TestSupport

/// The screen in a terminal of 120×36: its first frame, a frame after a key, and how quiet it is when nothing happens.
enum ScreenBench {
  static func run(_ arguments: [String]) async throws {
    let home = try Workspace()
    defer { home.remove() }
    let size = Effort.size((podcasts: 500, episodes: 100), brief: (podcasts: 10, episodes: 100))
    let podcasts = arguments.first.flatMap { Int($0) } ?? size.podcasts
    try await makeLibrary([home.library + "/library.db", String(podcasts), String(size.episodes)])
    Report.title("The screen, at \(podcasts * size.episodes) episodes")
    try await firstFrame(home)
    try await keys(home)
    try await idle(home)
  }

  private static func opened(_ home: Workspace) async throws -> RunningProgram {
    let environment = [
      "PODCLI_HOME": home.library, "HOME": home.library, "PATH": Measured.searchPath, "LC_ALL": "C.UTF-8",
      "TERM": "xterm-256color",
    ]
    return try Program(home.podcli, environment: environment).on(Program.Screen(columns: 120, rows: 36)).start()
  }

  /// A frame ends so.
  private static let frameEnd = "\u{1B}[?2026l"

  private static func firstFrame(_ home: Workspace) async throws {
    var (waits, memory): ([Double], [Double]) = ([], [])
    for _ in 0..<Effort.rounds(31) {
      let start = ContinuousClock.now
      let screen = try await opened(home)
      try await screen.wait(forScreen: frameEnd)
      waits.append((ContinuousClock.now - start) / .seconds(1))
      try await settle(screen)
      memory.append(Measured.peakMegabytes(of: screen.pid))
      screen.type("q")
      try await screen.end()
    }
    var figure = Figure(
      "exec to the first frame", [.time: Amount.median(waits), .memory: memory.max() ?? 0], runs: waits.count,
      goal: "10 ms, 14 MB")
    figure.isHeadline = true
    Report.tell(figure)
  }

  private static func keys(_ home: Workspace) async throws {
    let screen = try await opened(home)
    try await settle(screen)
    let moves = waits(for: Array(repeating: "j", count: Effort.rounds(200)), in: screen)
    tell("a key that moves, to its frame", moves.map(\.first), goal: "5 ms")
    screen.type("/")
    try await settle(screen)
    let line = LibraryGenerator.words[0] + " " + LibraryGenerator.words[1]
    let letters = waits(for: line.prefix(Effort.size(40, brief: 1)).map { String($0) }, in: screen)
    tell("a letter of a filter, to its rows", letters.map(\.last), goal: "30 ms")
    screen.type("\u{3}q")
    try await screen.end()
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
    let screen = try await opened(home)
    try await settle(screen)
    let (bytes, wakeUps) = (screen.transcript.screenBytes.count, Self.wakeUps(of: screen.pid))
    try await Task.sleep(for: .seconds(Effort.size(5, brief: 1)))
    let figure = Figure(
      "five seconds in which nothing happens",
      [
        .bytes: Double(screen.transcript.screenBytes.count - bytes),
        .wakeUps: Double(Self.wakeUps(of: screen.pid).reduce(0) { $0 + $1.value - (wakeUps[$1.key] ?? 0) }),
      ], goal: "0, 0")
    Report.tell(figure)
    screen.type("q")
    try await screen.end()
  }

  /// Waits until nothing was drawn for 100 ms.
  private static func settle(_ screen: RunningProgram) async throws {
    try await screen.wait(forScreen: frameEnd)
    var last = -1
    while screen.transcript.screenBytes.count != last {
      last = screen.transcript.screenBytes.count
      try await Task.sleep(for: .milliseconds(100))
    }
  }

  /// The times that each thread of the process began to wait. A thread that ends meanwhile counts no more.
  private static func wakeUps(of pid: pid_t) -> [Int: Int] {
    guard let folder = opendir("/proc/\(pid)/task") else { return [:] }
    defer { closedir(folder) }
    var counts: [Int: Int] = [:]
    while let entry = readdir(folder) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
      guard let thread = Int(name), let status = try? contents(of: "/proc/\(pid)/task/\(name)/status") else { continue }
      for line in String(decoding: status, as: UTF8.self).split(separator: "\n") where line.contains("ctxt_switches") {
        counts[thread, default: 0] += line.split(separator: "\t").last.flatMap { Int($0) } ?? 0
      }
    }
    return counts
  }
}
