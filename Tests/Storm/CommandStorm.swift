private import CSQLite
private import Glibc
internal import PodcastModel
internal import PodcastStore
internal import TestSupport

/// S7: kills podcli at random moments of a command that writes much. After each kill the library must be intact, with
/// the old or the new content; in the end the command must complete when it is not killed.
struct CommandStorm {
  let amount: Amount

  func run(_ command: Command, named name: String) async throws {
    let home = try TemporaryHome()
    defer { home.remove() }
    let server = try LoopbackServer()
    try await command.prepare(home, server)
    // An undisturbed run gives the range of the random moments.
    let start = Monotonic.seconds
    try await complete(home, server, command, round: 0)
    let usual = Int32((Monotonic.seconds - start) * 1200) + 2
    var random = SeededGenerator(seed: 5)
    var (kills, struck) = (0, 0)
    for round in amount.begin() {
      kills = round
      try await command.begin(home, server, round)
      let running = try home.podcli(command.words).start()
      // A random moment: there is no condition to wait for.
      _ = poll(nil, 0, Int32.random(in: 0...usual, using: &random))
      running.send(SIGKILL)
      if try await running.end().status == .signalled(SIGKILL) { struck += 1 }
      try await check(home, command, "\(name), kill \(round)", isComplete: false)
    }
    try await complete(home, server, command, round: kills + 1)
    print("\(kills) kills, \(struck) of them amid \(name): every library whole, and all of it done in the end")
  }

  private func complete(_ home: TemporaryHome, _ server: LoopbackServer, _ command: Command, round: Int) async throws {
    try await command.begin(home, server, round)
    let outcome = try await home.podcli(command.words).run(by: Deadline(after: .seconds(120)))
    if outcome.status != .exited(0) { stop("\(command.words) ended with \(outcome)") }
    try await check(home, command, "undisturbed", isComplete: true)
  }

  private func check(_ home: TemporaryHome, _ command: Command, _ name: String, isComplete: Bool) async throws {
    let store = try PodcastStore(path: home.library)
    let problems = try await store.problems(.full)
    if !problems.isEmpty { stop("\(name): \(problems)") }
    guard let position = try await store.current()?.status.lastListenTime, position == Command.position else {
      stop("\(name): the position is lost")
    }
    let episodes = try await store.podcasts().map(\.episodeCount)
    if let wrong = command.objection(episodes, isComplete) { stop("\(name): \(wrong)") }
    await store.close()
  }
}

/// The command that is killed, its set-up, and the check afterwards.
struct Command {
  let words: [String]
  /// Runs once.
  let prepare: (TemporaryHome, LoopbackServer) async throws -> Void
  /// Runs before each round.
  let begin: (TemporaryHome, LoopbackServer, Int) async throws -> Void
  /// Returns the error in the podcasts' numbers of episodes, if there is one.
  let objection: ([Int], Bool) -> String?

  static let position = Duration.seconds(61)

  /// Refreshes ten feeds, each of which adds thirty episodes and edits others every time.
  static var refresh: Command {
    let (feeds, step) = (10, 30)
    let edition = Observed(0)
    func serve(_ server: LoopbackServer) {
      for feed in 1...feeds {
        server.serve("/\(feed).xml") { _ in
          .feed(SampleFeed(episodes: 100 + edition.value * step, mediaBase: server.url("/\(feed)")).bytes)
        }
      }
    }
    return Command(
      words: ["refresh", "--force", "-q"],
      prepare: { home, server in
        serve(server)
        let urls = (1...feeds).map { server.url("/\($0).xml") }
        let outcome = try await home.podcli(["subscribe"] + urls).run()
        if outcome.status != .exited(0) { stop("cannot subscribe: \(outcome)") }
        try await savePosition(home)
      }, begin: { _, _, round in edition.update { $0 = round + 1 } },
      objection: { episodes, isComplete in
        let all = 100 + edition.value * step
        if episodes.count != feeds { return "\(episodes.count) podcasts of \(feeds)" }
        if isComplete { return episodes.allSatisfy { $0 == all } ? nil : "episodes \(episodes), not \(all) of each" }
        // The kill may have come before the refresh began or after it ended; a feed is merged in slices.
        return episodes.allSatisfy { 100...all ~= $0 } ? nil : "episodes \(episodes), not 100 to \(all) of each"
      })
  }

  /// Opens a library of the first schema version, with some thousand episodes.
  static var migrate: Command {
    let (podcasts, episodes) = (4, 2000)
    let old = "/old.db"
    return Command(
      words: ["queue", "add", "2"],
      prepare: { home, _ in
        let store = try PodcastStore(path: home.path + old)
        for podcast in 1...podcasts {
          _ = try await store.subscribe(
            to: .edition(0, of: podcast, episodes: episodes), at: Feed.address(of: podcast))
        }
        try await savePosition(store)
        await store.close()
        OldLibrary.make(of: home.path + old)
        mkdir(home.path + "/podcli", 0o700)
      },
      begin: { home, _, _ in
        for suffix in ["", "-wal", "-shm", ".version-1"] { unlink(home.library + suffix) }
        try home.write(try contents(of: home.path + old), to: "podcli/library.db")
      },
      objection: { counts, _ in
        counts == Array(repeating: episodes, count: podcasts) ? nil : "episodes \(counts), not \(episodes) of each"
      })
  }

  /// Indexes some thousand episodes for searches, as a process in the background does after an import.
  static var index: Command {
    let (podcasts, episodes) = (4, 2000)
    let imported = "/imported.db"
    return Command(
      words: ["doctor", "--index"],
      prepare: { home, _ in
        let store = try PodcastStore(path: home.path + imported)
        for podcast in 1...podcasts {
          _ = try await store.subscribe(
            to: .edition(0, of: podcast, episodes: episodes), at: Feed.address(of: podcast))
        }
        try await savePosition(store)
        await store.close()
        mkdir(home.path + "/podcli", 0o700)
      },
      begin: { home, _, _ in
        for suffix in ["", "-wal", "-shm"] { unlink(home.library + suffix) }
        for suffix in ["", "-wal"] {
          try home.write(try contents(of: home.path + imported + suffix), to: "podcli/library.db" + suffix)
        }
      },
      objection: { counts, _ in
        counts == Array(repeating: episodes, count: podcasts) ? nil : "episodes \(counts), not \(episodes) of each"
      })
  }

  private static func savePosition(_ home: TemporaryHome) async throws {
    let store = try PodcastStore(path: home.library)
    try await savePosition(store)
    await store.close()
  }

  private static func savePosition(_ store: PodcastStore) async throws {
    try await store.startPlaying(EpisodeID(rawValue: 1))
    try await store.savePosition(position, of: EpisodeID(rawValue: 1), urgency: .flush)
  }
}

extension TemporaryHome {
  fileprivate var library: String { path + "/podcli/library.db" }
}

/// Makes a library of the first schema version by reverting the migrations of a new one. PodcastStore's tests check that
/// the result equals a library of that version.
private enum OldLibrary {
  private static let backwards = """
    DROP TABLE guessed_places;
    DROP INDEX media_here;
    ALTER TABLE media DROP COLUMN is_automatic;
    DELETE FROM migrations WHERE number > 1;
    PRAGMA user_version = 1;
    PRAGMA journal_mode = DELETE;
    """

  static func make(of path: String) {
    var handle: OpaquePointer?
    guard sqlite3_open(path, &handle) == SQLITE_OK, sqlite3_exec(handle, backwards, nil, nil, nil) == SQLITE_OK else {
      stop("cannot make an old library: \(String(cString: sqlite3_errmsg(handle)))")
    }
    sqlite3_close(handle)
  }
}
