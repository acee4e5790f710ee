import Glibc
import TestSupport

/// A program on a terminal of 120×36 that the benchmark reads.
struct ScreenStage {
  /// A frame of podcli's ends so.
  static let frameEnd = "\u{1B}[?2026l"

  static func start(
    _ program: String, _ arguments: [String] = [], home: String, with variables: [String: String] = [:]
  ) throws -> RunningProgram {
    let environment = [
      "PODCLI_HOME": home, "HOME": home, "PATH": Measured.searchPath, "LC_ALL": "C.UTF-8", "TERM": "xterm-256color",
      "PODCLI_AO": "null",
    ]
    return try Program(program, arguments, environment: environment.merging(variables) { $1 })
      .on(Program.Screen(columns: 120, rows: 36)).start()
  }

  /// Waits until nothing was drawn for a while; returns the time of the last bytes since the call.
  @discardableResult
  static func settle(_ screen: RunningProgram, quiet: Double = 0.1, atMost limit: Double = 60) async throws -> Double {
    let start = ContinuousClock.now
    var (count, last) = (-1, 0.0)
    while case let now = (ContinuousClock.now - start) / .seconds(1), now < limit {
      if case let new = screen.transcript.screenBytes.count, new != count { (count, last) = (new, now) }
      if count > 0, now - last > quiet { break }
      try await Task.sleep(for: .milliseconds(2))
    }
    return last
  }

  /// Its bytes, its wake-ups and its share of a processor, in seconds, while nothing is typed.
  static func idle(_ screen: RunningProgram, seconds: Int) async throws -> [Measure: Double] {
    let bytes = screen.transcript.screenBytes.count
    let (wakeUps, time) = (counts(of: screen.pid, "status", field: "ctxt_switches"), runTimes(of: screen.pid))
    try await Task.sleep(for: .seconds(seconds))
    func added(_ before: [Int: Int], _ after: [Int: Int]) -> Double {
      Double(after.reduce(0) { $0 + $1.value - (before[$1.key] ?? 0) })
    }
    return [
      .bytes: Double(screen.transcript.screenBytes.count - bytes),
      .wakeUps: added(wakeUps, counts(of: screen.pid, "status", field: "ctxt_switches")),
      .processor: added(time, runTimes(of: screen.pid)) / 1e9,
    ]
  }

  /// The times that each thread of the process began to wait. A thread that ends meanwhile counts no more.
  private static func counts(of pid: pid_t, _ file: String, field: String) -> [Int: Int] {
    threads(of: pid).reduce(into: [:]) { counts, thread in
      for line in lines(of: "/proc/\(pid)/task/\(thread)/\(file)") where line.contains(field) {
        counts[thread, default: 0] += line.split(separator: "\t").last.flatMap { Int($0) } ?? 0
      }
    }
  }

  /// The nanoseconds that each thread has run.
  private static func runTimes(of pid: pid_t) -> [Int: Int] {
    threads(of: pid).reduce(into: [:]) { times, thread in
      let line = lines(of: "/proc/\(pid)/task/\(thread)/schedstat").first ?? ""
      times[thread] = line.split(separator: " ").first.flatMap { Int($0) }
    }
  }

  private static func threads(of pid: pid_t) -> [Int] { names(in: "/proc/\(pid)/task").compactMap { Int($0) } }

  private static func lines(of path: String) -> [Substring] {
    String(decoding: (try? contents(of: path)) ?? [], as: UTF8.self).split(separator: "\n")
  }

  /// The instructions up to the first write, which is the first frame; nil without valgrind.
  static func instructions(_ podcli: String, home: String) async throws -> Double? {
    guard Measured.isInstalled("valgrind") else { return nil }
    let counts = home + "/callgrind"
    let words = ["--tool=callgrind", "--dump-before=write", "--callgrind-out-file=\(counts)", podcli]
    let screen = try start("valgrind", words, home: home)
    // It waits in the terminal until the screen takes keys, which is right after the first frame.
    screen.type("q")
    try await screen.end()
    let first = String(decoding: (try? contents(of: counts + ".1")) ?? [], as: UTF8.self)
    return first.split(separator: "\n").first { $0.hasPrefix("totals:") }
      .flatMap { $0.split(separator: " ").last }.flatMap { Double($0) }
  }
}
