private import Glibc
internal import PodcastModel
internal import PodcastStore
internal import TestSupport

/// S7: kills three processes that write to one library, all at once, again and again. After each kill the library must be
/// intact and contain every position that was acknowledged.
struct KillStorm {
  let amount: Amount
  private let scratch = Scratch()

  init(_ amount: Amount) { self.amount = amount }

  func run() async throws {
    defer { scratch.remove() }
    try await prepare()
    var random = SeededGenerator(seed: 1)
    var (kills, written) = (0, 0)
    for round in amount.begin() {
      kills = round
      let workers = ["player", "refresher", "marker"].map { Child(role: $0, library: scratch.library, seed: round) }
      // A random moment: there is no condition to wait for.
      _ = poll(nil, 0, Int32.random(in: 3...60, using: &random))
      for worker in workers { worker.kill() }
      let acknowledged = workers[0].lastLine.flatMap { Int64($0) }
      if acknowledged != nil { written += 1 }
      try await check(round, acknowledged)
    }
    print("\(kills) kills, \(written) of them amid positions: every library whole, no position lost")
  }

  private func prepare() async throws {
    let store = try PodcastStore(path: scratch.library)
    for podcast in 0..<3 {
      _ = try await store.subscribe(to: .edition(0, of: podcast, episodes: 40), at: Feed.address(of: podcast))
    }
    guard let first = try await store.playlist().last else { stop("no episode to play") }
    try await store.startPlaying(first.episode.id)
    await store.close()
  }

  private func check(_ round: Int, _ acknowledged: Int64?) async throws {
    let store = try PodcastStore(path: scratch.library)
    let problems = try await store.problems(.full)
    if !problems.isEmpty { stop("kill \(round): \(problems)") }
    guard let current = try await store.current() else { stop("kill \(round): no episode is the current one") }
    let position = current.status.lastListenTime?.inMilliseconds ?? 0
    if let acknowledged, position < acknowledged { stop("kill \(round): at \(position), acknowledged \(acknowledged)") }
    await store.close()
  }
}

/// A child process: this program as a worker.
private struct Child {
  private let pid: pid_t
  private let output: Int32

  init(role: String, library: String, seed: Int) {
    var ends: [Int32] = [0, 0]
    pipe(&ends)
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    posix_spawn_file_actions_adddup2(&actions, ends[1], 1)
    posix_spawn_file_actions_addclose(&actions, ends[0])
    posix_spawn_file_actions_addclose(&actions, ends[1])
    let words = ["/proc/self/exe", "worker", role, library, String(seed)]
    var arguments: [UnsafeMutablePointer<CChar>?] = words.map { (word: String) in strdup(word) } + [nil]
    var pid: pid_t = 0
    guard posix_spawn(&pid, "/proc/self/exe", &actions, nil, &arguments, environ) == 0 else { stop("cannot start") }
    for argument in arguments { free(argument) }
    posix_spawn_file_actions_destroy(&actions)
    close(ends[1])
    self.pid = pid
    output = ends[0]
  }

  func kill() {
    Glibc.kill(pid, SIGKILL)
    var status: Int32 = 0
    waitpid(pid, &status, 0)
    // A worker that ended without the kill has failed.
    if status & 0x7f != SIGKILL { stop("a worker ended by itself, with status \(status)") }
  }

  var lastLine: String? {
    defer { close(output) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 65_536)
    while case let count = read(output, &chunk, chunk.count), count > 0 { bytes += chunk[..<count] }
    let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
    // The piece after the last newline is an incomplete line.
    return lines.dropLast().last.map(String.init)
  }
}
