import Glibc
import PodcastModel
import TestSupport
import Testing

@testable import PodcastStore

/// The position is written, whatever obstacle there is.
@Suite struct ShutdownTests {
  private func play(_ stage: Stage, into sink: PCMSink, seconds: Double) async throws -> RunningProgram {
    let playing = try stage.home.podcli("play", "1").heard(by: sink).start()
    try await sink.wait(forSeconds: seconds)
    return playing
  }

  @Test func `P4: while the library is locked the position goes into a side file, and comes back`() async throws {
    let stage = try Stage()
    try await stage.subscribe()
    let sink = try PCMSink(in: stage.home)
    let playing = try await play(stage, into: sink, seconds: 1)
    do {
      let other = try Connection(path: stage.home.path + "/podcli/library.db", mode: .readWrite)
      try other.execute("BEGIN IMMEDIATE")
      try await sink.wait(forSeconds: 3)
      playing.send(SIGTERM)
      #expect(try await playing.end().status == .exited(143))
      #expect(access(stage.home.path + "/podcli/progress.pending", F_OK) == 0)
      try other.execute("ROLLBACK")
    }
    let store = try PodcastStoreForTests.writing(stage.home)
    let position = try #require(try await store.episode(EpisodeID(rawValue: 1))?.status.lastListenTime?.inSeconds)
    #expect(abs(position - sink.heard) < 0.3 * Deadline.slowness)
    #expect(access(stage.home.path + "/podcli/progress.pending", F_OK) != 0)
  }

  @Test(arguments: [SIGTERM, SIGINT, SIGHUP])
  func `a signal ends the session in the history where the voice was`(signal: Int32) async throws {
    let stage = try Stage()
    try await stage.subscribe()
    let sink = try PCMSink(in: stage.home)
    let playing = try await play(stage, into: sink, seconds: 3)
    playing.send(signal)
    #expect(try await playing.end().status == .exited(128 + signal))
    // Otherwise the library took too long.
    guard access(stage.home.path + "/podcli/progress.pending", F_OK) != 0 else { return }
    let session = try #require(try await stage.library().history().first?.session)
    let position = try #require(try await stage.position(of: 1))
    #expect(abs(session.endPosition.inSeconds - position) < 0.5 * Deadline.slowness)
    #expect(session.endedAt != nil && session.listened > .zero)
  }

  @Test func `a pause that a locked library did not take is saved once it is free`() async throws {
    let stage = try Stage()
    try await stage.subscribe()
    let playing = try stage.home.podcli("play", "1").setting("PODCLI_AO", "null").start()
    try await stage.wait(forPosition: 1, of: 1)
    do {
      let other = try Connection(path: stage.home.path + "/podcli/library.db", mode: .readWrite)
      try other.execute("BEGIN IMMEDIATE")
      #expect(try await stage.run("seek", "30").status == .exited(0))
      #expect(try await stage.run("pause").status == .exited(0))
      // By the time that this gives up, the player has.
      #expect(try await stage.run("mark", "favourite", "2").status == .exited(9))
      #expect(try await stage.position(of: 1) ?? 0 < 30)
      try other.execute("ROLLBACK")
    }
    try await stage.wait(for: "the position of the pause") { library in
      try await library.current()?.status.lastListenTime ?? .zero >= .seconds(30)
    }
    playing.send(SIGKILL)
    _ = try await playing.end()
  }

  @Test func `while the library is locked, a position that is not to be kept goes nowhere`() async throws {
    let stage = try Stage()
    try await stage.subscribe()
    let sink = try PCMSink(in: stage.home)
    let playing = try stage.home.podcli("play", "1", "--no-save").heard(by: sink).start()
    try await sink.wait(forSeconds: 1)
    let other = try Connection(path: stage.home.path + "/podcli/library.db", mode: .readWrite)
    try other.execute("BEGIN IMMEDIATE")
    try await sink.wait(forSeconds: 2)
    playing.send(SIGTERM)
    let outcome = try await playing.end()
    #expect(outcome.status == .exited(143))
    #expect(!outcome.error.contains("podcli resume"))
    #expect(access(stage.home.path + "/podcli/progress.pending", F_OK) != 0)
    try other.execute("ROLLBACK")
    #expect(try await stage.position(of: 1) == nil)
  }

  @Test func `while the library is locked, stopping by hand keeps the position of a first hearing, too`() async throws {
    let stage = try Stage()
    try await stage.subscribe()
    let sink = try PCMSink(in: stage.home)
    do {
      let other = try Connection(path: stage.home.path + "/podcli/library.db", mode: .readWrite)
      try other.execute("BEGIN IMMEDIATE")
      let program = stage.home.podcli("play", "1", "--start", "20").heard(by: sink).on(Program.Screen())
      let playing = try program.start()
      // The audio may begin with silence.
      try await playing.wait(for: "two seconds of it") { transcript in
        (22...40).contains { transcript.screen.contains("▶ 00:00:\($0)") }
      }
      playing.type("q")
      #expect(try await playing.end().status == .exited(0))
      try other.execute("ROLLBACK")
    }
    await (try PodcastStoreForTests.writing(stage.home)).close()
    let position = try #require(try await stage.position(of: 1))
    #expect(position > 21.5 && position < 45)
  }

  @Test func `no bookmark is reported that a locked library did not take`() async throws {
    let stage = try Stage()
    try await stage.subscribe()
    let playing = try stage.home.podcli("play", "1").on(Program.Screen()).start()
    try await playing.wait(forScreen: "▶ 00:00:01")
    let other = try Connection(path: stage.home.path + "/podcli/library.db", mode: .readWrite)
    try other.execute("BEGIN IMMEDIATE")
    playing.type("m")
    try await playing.wait(forScreen: "No bookmark could be made")
    try other.execute("ROLLBACK")
    playing.type("m")
    try await playing.wait(forScreen: "Bookmarked 0:")
    playing.type("q")
    _ = try await playing.end()
    #expect(try await stage.library().bookmarks().count == 1)
  }

  @Test func `P3: a second signal ends at once, and the position is there`() async throws {
    let stage = try Stage()
    try await stage.subscribe()
    let sink = try PCMSink(in: stage.home)
    let playing = try await play(stage, into: sink, seconds: 2)
    playing.send(SIGINT)
    playing.send(SIGINT)
    #expect(try await playing.end().status == .exited(130))
    #expect(try #require(try await stage.position(of: 1)) > 0.5)
  }

  /// The system tells every program of a closed terminal, and the shell tells it again.
  @Test func `P3: a terminal that closes leaves the history, however often SIGHUP comes`() async throws {
    let stage = try Stage()
    try await stage.subscribe()
    let sink = try PCMSink(in: stage.home)
    let playing = try await play(stage, into: sink, seconds: 2)
    for _ in 1...5 { playing.send(SIGHUP) }
    #expect(try await playing.end().status == .exited(129))
    let session = try #require(try await stage.library().history(limit: 9).first?.session)
    #expect(session.endedAt != nil && session.listened > .seconds(1))
  }

  @Test func `P1: kill -9 leaves what was heard in the history, too`() async throws {
    let stage = try Stage()
    try await stage.subscribe()
    let sink = try PCMSink(in: stage.home)
    let playing = try await play(stage, into: sink, seconds: 2)
    playing.send(SIGKILL)
    _ = try await playing.end()
    #expect(try await stage.library().history(limit: 9).map(\.entry.episode.title) == ["Episode 1"])
  }

  @Test func `P6: killed just after resume, the old position is still there`() async throws {
    let stage = try Stage()
    try await stage.subscribe()
    let store = try PodcastStoreForTests.writing(stage.home)
    try await store.startPlaying(EpisodeID(rawValue: 1))
    try await store.savePosition(.seconds(30), of: EpisodeID(rawValue: 1), urgency: .flush)
    await store.close()
    let resuming = try stage.home.podcli("resume").start()
    try await resuming.wait(forError: "Resuming")
    resuming.send(SIGKILL)
    _ = try await resuming.end()
    #expect(try #require(try await stage.position(of: 1)) >= 29)
  }

  @Test(arguments: [SIGKILL, SIGTERM])
  func `P6: the position from before a long break stays until it is passed again`(signal: Int32) async throws {
    let stage = try Stage()
    try await stage.subscribe()
    let threeDaysAgo = Timestamp(seconds: Timestamp.now.seconds - 3 * 86_400)
    let store = try PodcastStoreForTests.writing(stage.home)
    try await store.startPlaying(EpisodeID(rawValue: 1), at: threeDaysAgo)
    try await store.savePosition(.seconds(30), of: EpisodeID(rawValue: 1), urgency: .flush, at: threeDaysAgo)
    await store.close()
    let sink = try PCMSink(in: stage.home)
    let resuming = try stage.home.podcli("resume").heard(by: sink).start()
    try await sink.wait(forSeconds: 2.5)
    #expect(resuming.transcript.error.contains("Resuming Sample Show: Episode 1 at 0:10"))
    resuming.send(signal)
    _ = try await resuming.end()
    #expect(try await stage.position(of: 1) == 30)
  }

  @Test func `P7: a position of one episode is never stored for the next`() async throws {
    let stage = try Stage()
    try await stage.subscribe()
    let sink = try PCMSink(in: stage.home)
    let first = try await play(stage, into: sink, seconds: 2)
    first.send(SIGTERM)
    _ = try await first.end()
    let second = try stage.home.podcli("play", "2", "--start", "40").heard(by: sink).start()
    try await sink.wait(forSeconds: sink.heard + 1)
    second.send(SIGTERM)
    _ = try await second.end()
    #expect(try #require(try await stage.position(of: 1)) < 4)
    #expect(try #require(try await stage.position(of: 2)) > 40)
  }

  @Test func `S1, S2: on a full disk the position is still saved`() async throws {
    let stage = try Stage()
    try await stage.subscribe()
    let sink = try PCMSink(in: stage.home)
    let playing = try await play(stage, into: sink, seconds: 1)
    // No file may grow any more: the log was made large enough beforehand.
    let limited = try await stage.home.program("/usr/bin/prlimit", "--pid", "\(playing.pid)", "--fsize=1024").run()
    try #require(limited.status == .exited(0))
    try await sink.wait(forSeconds: 3)
    playing.send(SIGTERM)
    #expect(try await playing.end().status == .exited(143))
    let store = try PodcastStoreForTests.writing(stage.home)
    let position = try #require(try await store.episode(EpisodeID(rawValue: 1))?.status.lastListenTime?.inSeconds)
    #expect(abs(position - sink.heard) < 0.3 * Deadline.slowness)
  }

  /// On a file system of its own, which only root can mount. A player that was here before has reserved the space where the
  /// disk is full by the time this one begins.
  @Test(.enabled(if: geteuid() == 0 && !isSanitized), arguments: [false, true])
  func `S1: while the library is locked and the disk full, the side file has the space that was reserved for it`(
    isFullBefore: Bool
  ) async throws {
    let stage = try Stage()
    try await stage.subscribe()
    if isFullBefore { try #require(try await stage.run("play", "1", "--until", "0:01").status == .exited(0)) }
    let folder = stage.home.path + "/podcli"
    let script = """
      cp -a "$1" "$1.copy" && mount -t tmpfs -o size=8m none "$1" && cp -a --sparse=never "$1.copy/." "$1" &&
      { \(isFullBefore ? #"cat /dev/zero > "$1/first" 2> /dev/null;"# : "") exec "$2" play 1 --start 1; }
      """
    let sink = try PCMSink(in: stage.home)
    let playing = try stage.home.program(
      "/usr/bin/unshare", "--mount", "sh", "-c", script, "sh", folder, builtProduct("podcli")
    ).heard(by: sink).start()
    try await sink.wait(forSeconds: 1)
    let inside = open("/proc/\(playing.pid)/root\(folder)", O_RDONLY | O_DIRECTORY)
    try #require(inside >= 0)
    defer { close(inside) }
    // SQLite's own lock for writing, in the file of shared memory: SQLite would look for the file system in its own place.
    let shared = openat(inside, "library.db-shm", O_RDWR)
    defer { close(shared) }
    var lock = flock(l_type: Int16(F_WRLCK), l_whence: Int16(SEEK_SET), l_start: 120, l_len: 1, l_pid: 0)
    #expect(fcntl(shared, F_SETLKW, &lock) == 0)
    let filler = openat(inside, "filler", O_CREAT | O_WRONLY, 0o600)
    let block = [UInt8](repeating: 1, count: 1 << 12)
    while write(filler, block, block.count) > 0 {}
    #expect(errno == ENOSPC)
    close(filler)
    playing.send(SIGTERM)
    #expect(try await playing.end().status == .exited(143))
    let pending = openat(inside, "progress.pending", O_RDONLY)
    #expect(pending >= 0)
    var bytes = [UInt8](repeating: 0, count: 100)
    let count = read(pending, &bytes, bytes.count)
    close(pending)
    let words = String(decoding: bytes.prefix(max(0, count)), as: UTF8.self).split(separator: " ").compactMap {
      Int($0)
    }
    #expect(words.first == 1 && words.dropFirst().first ?? 0 > 500)
  }
}
