private import Glibc
internal import PodcastModel
internal import PodcastStore
internal import TestSupport

/// Kills `podcli sync` at each of its steps: at the first call of the system that has an effect, at the second and so on. After
/// each kill the library must be whole; in the end two libraries must be equal, with everything that was done, once.
struct SyncStorm {
  /// The other side: a folder that both share, or a server.
  enum Meeting: String { case folder, server }

  let amount: Amount
  let meeting: Meeting

  private static let episodes = 12
  private static let calls =
    "write,pwrite64,fsync,fdatasync,rename,renameat2,unlink,ftruncate,mkdir,connect,sendto,recvfrom"

  func run() async throws {
    guard access("/usr/bin/strace", X_OK) == 0 else { stop("strace is not installed: make test-deps") }
    let homes = (try TemporaryHome(), try TemporaryHome())
    let feeds = try LoopbackServer()
    let server = try PodcastServer(.opodsync)
    feeds.serve(
      "/feed.xml", .feed(SampleFeed(episodes: Self.episodes, mediaBase: feeds.url("/media"), seconds: 600).bytes))
    let folder = homes.0.path + "/shared"
    mkdir(folder, 0o700)
    for home in [homes.0, homes.1] { try await join(home, feeds.url("/feed.xml"), folder, server.url) }
    var (step, steps, kills, struck) = (1, 0, 0, 0)
    for round in amount.begin() {
      kills = round
      let home = round % 2 == 0 ? homes.0 : homes.1
      try await act(round, in: home)
      if try await isKilled(home, at: step) {
        struck += 1
        step += 1
      } else {
        (steps, step) = (max(steps, step - 1), 1)
      }
      try await check(home, "kill \(round) at step \(step)")
    }
    for _ in 0..<2 {
      for home in [homes.0, homes.1] { try await sync(home) }
    }
    try await compare(homes, marks: kills)
    print(
      "\(kills) kills, \(struck) of them amid a sync with a \(meeting.rawValue) of \(max(steps, step - 1)) steps: every library"
        + " whole, both equal, everything there once")
    for home in [homes.0, homes.1] { home.remove() }
  }

  // MARK: Machines

  private func join(_ home: TemporaryHome, _ feed: String, _ folder: String, _ server: String) async throws {
    try await expect(home.podcli("subscribe", feed))
    try await expect(home.podcli("config", "set", "sync=manual"))
    switch meeting {
    case .folder: try await expect(home.podcli("sync", "folder", folder))
    case .server:
      let words = ["sync", "login", server, "--user", PodcastServer.user, "--password-stdin"]
      try await expect(home.podcli(words).input(PodcastServer.password + "\n"))
      try await sync(home)
    }
  }

  private func sync(_ home: TemporaryHome) async throws { try await expect(home.podcli("sync")) }

  private func expect(_ program: Program) async throws {
    let outcome = try await program.run(by: Deadline(after: .seconds(120)))
    if outcome.status != .exited(0) { stop("\(outcome)") }
  }

  /// False where the sync ended before it came to this step.
  private func isKilled(_ home: TemporaryHome, at step: Int) async throws -> Bool {
    let words = [
      "-f", "-qq", "-o", "/dev/null", "-e", "trace=" + Self.calls, "-e",
      "inject=\(Self.calls):signal=KILL:when=\(step)", builtProduct("podcli"), "sync", "-q",
    ]
    let outcome = try await home.program("/usr/bin/strace", words).run(by: Deadline(after: .seconds(120)))
    switch outcome.status {
    case .signalled(SIGKILL), .exited(128 + SIGKILL): return true
    case .exited(0): return false
    default: stop("strace: \(outcome)")
    }
  }

  // MARK: Deeds

  /// Something of each kind, with a bookmark that tells the round.
  private func act(_ round: Int, in home: TemporaryHome) async throws {
    let store = try PodcastStore(path: home.path + "/podcli/library.db")
    let ids = try await store.playlist().map(\.episode.id)
    let (one, other) = (ids[round % ids.count], ids[round * 5 % ids.count])
    try await store.savePosition(.seconds(30 + round * 37 % 500), of: one, urgency: .flush)
    try await store.mark(round % 3 == 0 ? .played : .unplayed, [other])
    if meeting == .folder {
      try await store.mark(round % 2 == 0 ? .favourite : .unfavourite, [other])
      try await store.addBookmark(at: .seconds(round), note: "round \(round)", in: one)
      try await store.enqueue([one], at: .next)
    }
    await store.close()
  }

  // MARK: Checks

  private func check(_ home: TemporaryHome, _ name: String) async throws {
    let store = try PodcastStore(path: home.path + "/podcli/library.db")
    let problems = try await store.problems(.full)
    if !problems.isEmpty { stop("\(name): \(problems)") }
    await store.close()
  }

  private func compare(_ homes: (TemporaryHome, TemporaryHome), marks: Int) async throws {
    let (first, second) = (try await picture(homes.0), try await picture(homes.1))
    if first != second { stop("they differ: \(Set(first).symmetricDifference(second).sorted())") }
    guard meeting == .folder else { return }
    let rounds = first.filter { $0.hasPrefix("mark") }.count
    if rounds != marks { stop("\(rounds) bookmarks of \(marks)") }
  }

  private func picture(_ home: TemporaryHome) async throws -> [String] {
    let store = try PodcastStore(path: home.path + "/podcli/library.db")
    var lines: [String] = []
    for entry in try await store.playlist() {
      let position = entry.status.lastListenTime.map { String($0.components.seconds) } ?? "-"
      lines.append("\(entry.episode.title) \(position) \(entry.status.hasCompleted) \(entry.isFavourite)")
      for mark in try await store.bookmarks(of: entry.episode.id) {
        lines.append("mark \(entry.episode.title) \(mark.position.inMilliseconds) \(mark.note ?? "")")
      }
    }
    lines.append("queue " + (try await store.queue().map(\.episode.title).joined(separator: ", ")))
    await store.close()
    return lines.sorted()
  }
}
