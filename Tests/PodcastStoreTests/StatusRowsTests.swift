import Glibc
import PodcastModel
import System
import Testing

@testable import PodcastStore

struct StatusRowsTests {
  private let library = TemporaryLibrary()
  private let url = "https://example.org/feed"

  private func pending(
    _ id: EpisodeID, _ seconds: Int64, _ number: Int64, byte: HeardByte? = nil, isEnd: Bool = false
  ) throws -> PendingProgress {
    let connection = try Connection(path: library.path, mode: .readWrite)
    let guid = try #require(try connection.first("SELECT guid FROM episodes WHERE id = \(id)") { $0.text(0) })
    return PendingProgress(
      Episode(id: id, guid: guid, title: ""), position: .seconds(seconds), number: number, byte: byte, isEnd: isEnd)
  }

  private func leave(_ pending: PendingProgress...) {
    #expect(PendingProgress.write(pending, in: library.directory))
  }

  private func subscribed() async throws -> (store: PodcastStore, ids: [EpisodeID]) {
    let store = try library.open()
    return (store, try await store.subscribe(to: .sample(episodes: 3), at: url).added)
  }

  @Test func `one episode at most is the current one`() async throws {
    let (store, ids) = try await subscribed()
    for id in ids { try await store.startPlaying(id) }
    let current = try await store.playlist().filter(\.status.isCurrentlyPlaying)
    #expect(current.map(\.episode.id) == [ids.last])
    #expect(try await store.current()?.episode.id == ids.last)
  }

  @Test func `the position survives closing`() async throws {
    let (store, ids) = try await subscribed()
    try await store.startPlaying(ids[0])
    try await store.savePosition(.milliseconds(61_500), of: ids[0], urgency: .tick)
    await store.close()
    let reopened = try library.open(.readOnly)
    let current = try await reopened.current()
    #expect(current?.status.lastListenTime == .milliseconds(61_500))
    #expect(try await reopened.resumable().map(\.episode.id) == [ids[0]])
  }

  @Test func `a finished episode has no position and is not current`() async throws {
    let (store, ids) = try await subscribed()
    try await store.startPlaying(ids[0])
    try await store.savePosition(.seconds(60), of: ids[0], urgency: .tick)
    try await store.markCompleted(ids[0])
    let entry = try #require(try await store.episode(ids[0]))
    #expect(entry.status.hasCompleted && entry.status.lastListenTime == nil && !entry.status.isCurrentlyPlaying)
    #expect(try await store.current() == nil)
    #expect(try await store.resumable().isEmpty)
  }

  @Test func `an episode that is marked while it plays keeps the mark, until it is undone, started again or heard on`()
    async throws
  {
    let (store, ids) = try await subscribed()
    let id = ids[0]
    func position() async throws -> Duration? { try await store.episode(id)?.status.lastListenTime }
    try await store.markCompleted(id)
    // It is heard a second time.
    try await store.startPlaying(id)
    try await store.savePosition(.seconds(10), of: id, urgency: .tick)
    #expect(try await position() == .seconds(10))
    let other = try library.open()
    try await other.mark(.played, [id])
    for urgency in [PositionUrgency.tick, .flush] {
      try await store.savePosition(.seconds(20), of: id, urgency: urgency)
    }
    let marked = try #require(try await store.episode(id)).status
    #expect(marked.hasCompleted && marked.lastListenTime == nil && !marked.isCurrentlyPlaying)
    #expect(try await other.undo()?.action == .markedPlayed)
    try await store.savePosition(.seconds(30), of: id, urgency: .flush)
    #expect(try await position() == .seconds(30))
    try await other.mark(.played, [id])
    try await store.startPlaying(id)
    try await store.savePosition(.seconds(40), of: id, urgency: .flush)
    #expect(try await position() == .seconds(40))
    try await other.mark(.unplayed, [id])
    try await store.savePosition(.seconds(40.2), of: id, urgency: .flush)
    #expect(try await position() == nil)
    try await store.savePosition(.seconds(50), of: id, urgency: .flush)
    #expect(try await position() == .seconds(50))
    // An end of its own that could not be written before.
    try await store.markCompleted(id)
    try await store.savePosition(.seconds(60), of: id, urgency: .flush)
    #expect(try await position() == .seconds(60))
  }

  @Test func `an unknown episode is not found`() async throws {
    let (store, _) = try await subscribed()
    await #expect { try await store.startPlaying(EpisodeID(rawValue: 999)) } throws: {
      ($0 as? StoreError)?.code == .notFound
    }
  }

  @Test func `a store that writes nothing shows the position of the side file, which stays`() async throws {
    let (store, ids) = try await subscribed()
    try await store.startPlaying(ids[0])
    try await store.savePosition(.seconds(60), of: ids[0], urgency: .tick)
    let number = store.positionNumbers.next()
    await store.close()
    for (id, seconds) in [(ids[0], Int64(75)), (ids[1], 20)] {
      leave(try pending(id, seconds, number))
      let reader = try library.open(.readOnly)
      #expect(try await reader.episode(id)?.status.lastListenTime == .seconds(seconds))
      #expect(try await reader.playlist().first { $0.episode.id == id }?.status.lastListenTime == .seconds(seconds))
      #expect(try await reader.resumable().contains { $0.episode.id == id })
      // The one that `resume` plays.
      #expect(try await reader.current()?.episode.id == id)
      #expect(try await reader.podcasts().count == 1)
      await reader.close()
    }
    #expect(library.files.contains("progress.pending"))
  }

  @Test func `the current episode comes first, also after the clock was set back`() async throws {
    let (store, ids) = try await subscribed()
    let now = Timestamp.now
    for (id, days) in [(ids[0], Int64(0)), (ids[1], -30)] {
      let moment = Timestamp(seconds: now.seconds + days * 86_400)
      try await store.startPlaying(id, at: moment)
      try await store.savePosition(.seconds(60), of: id, urgency: .flush, at: moment)
    }
    #expect(try await store.current()?.episode.id == ids[1])
    #expect(try await store.resumable().map(\.episode.id) == [ids[1], ids[0]])
  }

  @Test func `the last played of many begun episodes are found without reading the others`() async throws {
    let store = try library.open()
    var feed = Feed.sample(episodes: 200)
    for index in feed.episodes.indices { feed.episodes[index].title = String(repeating: "\(index) ", count: 400) }
    let ids = try await store.subscribe(to: feed, at: "https://example.org/feed").added
    for (number, id) in ids.enumerated() {
      let moment = Timestamp(seconds: Timestamp.now.seconds - 1000 + Int64(number))
      try await store.savePosition(.seconds(60), of: id, urgency: .flush, at: moment)
    }
    #expect(try await store.resumable(limit: 3).map(\.episode.id) == ids.suffix(3).reversed())
    let (few, all) = (try await store.pagesReadByResumable(3), try await store.pagesReadByResumable(200))
    #expect(few * 5 < all, "\(few) of \(all)")
  }

  @Test func `a position from the side file is taken when it is the last one`() async throws {
    let (store, ids) = try await subscribed()
    try await store.startPlaying(ids[0])
    try await store.savePosition(.seconds(60), of: ids[0], urgency: .tick)
    let number = store.positionNumbers.next()
    await store.close()
    leave(try pending(ids[0], 75, number))
    let reopened = try library.open()
    #expect(try await reopened.episode(ids[0])?.status.lastListenTime == .seconds(75))
    #expect(try await reopened.heardPosition(of: ids[0]) == nil)
    #expect(!library.files.contains("progress.pending"))
  }

  @Test func `a side file that is written while the one before is merged is kept`() async throws {
    let (store, ids) = try await subscribed()
    try await store.startPlaying(ids[0])
    await store.close()
    let directory = library.directory
    let opened = try OpenLibrary(LibraryFile(path: library.path), .readWrite)
    let connection = try opened.connection
    for number in 1...100 as ClosedRange<Int64> {
      leave(try pending(ids[0], 2 * number, 1000 + 2 * number))
      let later = try pending(ids[0], 2 * number + 1, 1001 + 2 * number)
      let writing = Task.detached { PendingProgress.write([later], in: directory) }
      _ = try PendingProgress.merge(into: opened, directory: directory)
      #expect(await writing.value)
      _ = try PendingProgress.merge(into: opened, directory: directory)
      let kept = try connection.integer("SELECT last_listen_time FROM statuses WHERE episode_id = \(ids[0])")
      #expect(kept == (2 * number + 1) * 1000)
    }
  }

  private func byte(_ offset: Int64) -> HeardByte { HeardByte(offset: offset, fileSize: 9000, isExact: true) }

  @Test func `a position from the side file comes with its byte`() async throws {
    let (store, ids) = try await subscribed()
    try await store.savePosition(.seconds(60), of: ids[0], byte: byte(600), urgency: .tick)
    let number = store.positionNumbers.next()
    await store.close()
    leave(try pending(ids[0], 75, number, byte: byte(750)))
    let reopened = try library.open()
    #expect(
      try await reopened.heardPosition(of: ids[0]) == HeardPosition(position: .seconds(75), byte: byte(750)))
  }

  @Test func `a position from the side file is taken, too, when the library has none of that episode`() async throws {
    let (store, ids) = try await subscribed()
    await store.close()
    leave(try pending(ids[1], 75, 1))
    let reopened = try library.open()
    #expect(try await reopened.episode(ids[1])?.status.lastListenTime == .seconds(75))
    #expect(try await reopened.resumable().map(\.episode.id) == [ids[1]])
  }

  @Test func `a stale side file changes nothing`() async throws {
    let (store, ids) = try await subscribed()
    try await store.startPlaying(ids[0])
    let number = store.positionNumbers.next()
    try await store.savePosition(.seconds(60), of: ids[0], byte: byte(600), urgency: .flush)
    await store.close()
    leave(try pending(ids[0], 5, number, byte: byte(50)))
    let reopened = try library.open()
    #expect(try await reopened.episode(ids[0])?.status.lastListenTime == .seconds(60))
    #expect(
      try await reopened.heardPosition(of: ids[0]) == HeardPosition(position: .seconds(60), byte: byte(600)))
  }

  @Test func `a side file keeps a line for each episode: positions, and ends, which leave the queue`() async throws {
    let (store, ids) = try await subscribed()
    try await store.startPlaying(ids[2])
    try await store.savePosition(.seconds(60), of: ids[0], urgency: .flush)
    try await store.enqueue([ids[1]])
    await store.close()
    leave(try pending(ids[0], 70, 100), try pending(ids[1], 10, 101))
    leave(try pending(ids[0], 75, 102), try pending(ids[1], 30, 103, isEnd: true), try pending(ids[2], 20, 104))
    let reader = try library.open(.readOnly)
    #expect(try await reader.episode(ids[2])?.status.lastListenTime == .seconds(20))
    await reader.close()
    let reopened = try library.open()
    #expect(try await reopened.episode(ids[0])?.status.lastListenTime == .seconds(75))
    #expect(try await reopened.episode(ids[2])?.status.lastListenTime == .seconds(20))
    let ended = try #require(try await reopened.episode(ids[1]))
    #expect(ended.status.hasCompleted && ended.status.lastListenTime == nil)
    #expect(try await reopened.queue().isEmpty)
    #expect(try await reopened.episodes(matching: EpisodeFilter(words: ["played"])).map(\.episode.id) == [ids[1]])
    #expect(try await reopened.podcasts().map(\.unplayedCount) == [2])
    #expect(try await reopened.problems(.full) == [])
    #expect(!library.files.contains("progress.pending"))
  }

  @Test func `the last episode in the side file is the one to resume, unless a later one is the current one`()
    async throws
  {
    let (store, ids) = try await subscribed()
    try await store.startPlaying(ids[0])
    for _ in 1...9 { try await store.savePosition(.seconds(9), of: ids[0], urgency: .flush) }
    await store.close()
    let player = try library.open()
    let lock = try Connection(path: library.path, mode: .readWrite)
    try lock.execute("BEGIN IMMEDIATE")
    await player.hurry()
    await #expect(throws: StoreError.self) { try await player.startPlaying(ids[1]) }
    leave(try pending(ids[2], 70, 1), try pending(ids[1], 10, player.positionNumbers.next()))
    let later = try library.open()
    try lock.execute("ROLLBACK")
    try await later.startPlaying(ids[2])
    try await later.savePosition(.seconds(44), of: ids[2], urgency: .flush)
    #expect(try await library.open().current()?.episode.id == ids[2])
    #expect(try await library.open().episode(ids[1])?.status.lastListenTime == .seconds(10))
    leave(try pending(ids[1], 20, later.positionNumbers.next()))
    #expect(try await library.open().current()?.episode.id == ids[1])
  }

  @Test func `a side file that had to wait is merged before what the process writes`() async throws {
    let (store, ids) = try await subscribed()
    await store.close()
    leave(try pending(ids[0], 70, 50), try pending(ids[1], 20, 51))
    let lock = try Connection(path: library.path, mode: .readWrite)
    try lock.execute("BEGIN IMMEDIATE")
    let later = try library.open()
    try lock.execute("ROLLBACK")
    try await later.markCompleted(ids[0])
    try await later.mark(.played, [ids[1]])
    #expect(!library.files.contains("progress.pending"))
    let reopened = try library.open()
    for id in ids.prefix(2) {
      let status = try #require(try await reopened.episode(id)).status
      #expect(status.hasCompleted && status.lastListenTime == nil)
    }
    #expect(try await reopened.current() == nil)
  }

  @Test func `a side file keeps an earlier end beside a position, and lines of another library`() async throws {
    let (store, ids) = try await subscribed()
    await store.close()
    let stranger = PendingProgress(Episode(id: ids[0], guid: "another", title: ""), position: .seconds(5), number: 9)
    leave(stranger, try pending(ids[0], 0, 10, isEnd: true))
    leave(try pending(ids[0], 40, 11))
    let status = try #require(try await library.open().episode(ids[0])).status
    #expect(status.hasCompleted && status.lastListenTime == .seconds(40))
    #expect(PendingProgress.read(in: library.directory) == [stranger])
  }

  @Test func `a line of another library stays and changes nothing, one of an earlier version is taken`() async throws {
    let (store, ids) = try await subscribed()
    await store.close()
    var stranger = Episode(id: ids[0], guid: "another", title: "")
    leave(PendingProgress(stranger, position: .seconds(70), number: 100))
    #expect(try await library.open(.readOnly).episode(ids[0])?.status.lastListenTime == nil)
    let before = try library.open()
    #expect(try await before.episode(ids[0])?.status.lastListenTime == nil)
    let file = library.directory + "/progress.pending"
    #expect(unlink(file) == 0)
    // The publisher changed the guid: by its media file it is the same episode.
    stranger.enclosure = try await before.episode(ids[0])?.episode.enclosure
    leave(PendingProgress(stranger, position: .seconds(80), number: 101))
    #expect(try await library.open().episode(ids[0])?.status.lastListenTime == .seconds(80))
    #expect(!library.files.contains("progress.pending"))
    let lines = "\(ids[0].rawValue) 90000 102 900 9000 1\nof a later version\n"
    #expect(Files.replace(file, with: Array(lines.utf8), isDurable: false))
    let reopened = try library.open()
    #expect(try await reopened.episode(ids[0])?.status.lastListenTime == .seconds(90))
    #expect(try await reopened.heardPosition(of: ids[0])?.byte == byte(900))
    #expect(Files.read(file).map { String(decoding: $0, as: UTF8.self) } == "of a later version\n")
  }

  @Test func `a position that waited in the side file is of the time when it was heard`() async throws {
    let (store, ids) = try await subscribed()
    let episode = try #require(try await store.episode(ids[0])).episode
    await store.close()
    leave(PendingProgress(episode, position: .seconds(70), number: 100, heardAt: Timestamp(seconds: 1_800_000)))
    let later = try library.open()
    #expect(try await later.current()?.status.lastPlayedAt == Timestamp(seconds: 1_800_000))
    #expect(!library.files.contains("progress.pending"))
  }

  @Test func `a library that cannot take the side file yet numbers its positions above it`() async throws {
    let (store, ids) = try await subscribed()
    await store.close()
    leave(try pending(ids[0], 70, 100))
    let lock = try Connection(path: library.path, mode: .readWrite)
    try lock.execute("BEGIN IMMEDIATE")
    let later = try library.open()
    #expect(try await later.episode(ids[0])?.status.lastListenTime == .seconds(70))
    #expect(try await later.current()?.episode.id == ids[0])
    try lock.execute("ROLLBACK")
    #expect(later.positionNumbers.next() == 101)
    try await later.savePosition(.seconds(5), of: ids[1], urgency: .flush)
    try await later.mark(.played, [ids[2]])
    #expect(try await later.episode(ids[0])?.status.lastListenTime == .seconds(70))
    await later.close()
    let reopened = try library.open()
    let positions = try await reopened.playlist().map(\.status.lastListenTime)
    #expect(Set(positions) == [nil, .seconds(5), .seconds(70)])
    #expect(try await reopened.podcasts().map(\.unplayedCount) == [2])
    #expect(try await reopened.problems(.full) == [])
  }

  @Test func `the last position of the side file is the current episode, whichever episode was it before`() async throws
  {
    let (store, ids) = try await subscribed()
    let lower = try #require(ids.prefix(2).min { $0.rawValue < $1.rawValue })
    let upper = try #require(ids.prefix(2).max { $0.rawValue < $1.rawValue })
    for id in [lower, upper] {
      try await store.startPlaying(id)
      try await store.savePosition(.seconds(60), of: id, urgency: .flush)
    }
    await store.close()
    for (number, id) in [lower, upper, lower].enumerated() {
      leave(try pending(id, 70, 1000 + Int64(number)))
      let reader = try library.open(.readOnly)
      #expect(try await reader.current()?.episode.id == id)
      await reader.close()
    }
  }

  @Test func `once the library is free, what other processes write is seen`() async throws {
    let (store, ids) = try await subscribed()
    leave(try pending(ids[0], 70, 100))
    let lock = try Connection(path: library.path, mode: .readWrite)
    try lock.execute("BEGIN IMMEDIATE")
    let waiting = try library.open()
    try lock.execute("ROLLBACK")
    try await store.mark(.favourite, [ids[1]])
    #expect(try await waiting.episode(ids[1])?.isFavourite == true)
    #expect(try await waiting.episode(ids[0])?.status.lastListenTime == .seconds(70))
  }

  @Test func `a position from the side file is as new as its merge`() async throws {
    let (store, ids) = try await subscribed()
    let weekAgo = Timestamp(seconds: Timestamp.now.seconds - 604_800)
    try await store.savePosition(.seconds(60), of: ids[0], urgency: .flush, at: weekAgo)
    await store.close()
    leave(try pending(ids[0], 70, 100, isEnd: true), try pending(ids[1], 5, 101))
    let reopened = try library.open()
    #expect(try #require(try await reopened.episode(ids[0])?.status.lastPlayedAt).seconds > weekAgo.seconds + 604_000)
  }

  @Test func `the process that holds a file's lock is not one that holds a file of the same number elsewhere`() throws {
    let path = library.directory + "/held"
    close(open(path, O_CREAT | O_WRONLY | O_CLOEXEC, 0o600))
    var information = stat()
    try #require(stat(path, &information) == 0)
    let inode = information.st_ino
    // The kernel's own line for it.
    let descriptor = open(path, O_RDWR | O_CLOEXEC)
    defer { close(descriptor) }
    try #require(flock(descriptor, LOCK_EX) == 0)
    let table = String(decoding: Files.read("/proc/locks", atMost: 1 << 20) ?? [], as: UTF8.self)
    let line = try #require(table.split(separator: "\n").first { $0.contains(":\(inode) ") })
    let device = try #require(line.split(separator: " ").first { $0.hasSuffix(":\(inode)") }).dropLast("\(inode)".count)
    let other = "1: POSIX  ADVISORY  WRITE 1000001 7f:7f:\(inode) 0 EOF"
    let own = "2: POSIX  ADVISORY  WRITE 1000002 \(device)\(inode) 0 EOF"
    #expect(LockHolder.find(for: path, in: other + "\n" + own)?.pid == 1_000_002)
    #expect(LockHolder.find(for: path, in: other)?.pid == 1_000_001)
    let elsewhere = "2: POSIX  ADVISORY  WRITE 1000003 \(device)\(inode + 1) 0 EOF"
    #expect(LockHolder.find(for: path, in: other + "\n" + elsewhere) == nil)
  }

  @Test func `a second player learns the process and episode of the first`() throws {
    let id = EpisodeID(rawValue: 7)
    do {
      let lock = try #require(try PlayerLock(directory: library.directory))
      lock.announce(id)
      #expect(try PlayerLock(directory: library.directory) == nil)
      #expect(PlayerLock.holder(in: library.directory)?.episode == id)
    }
    #expect(PlayerLock.holder(in: library.directory) == nil)
    #expect(try PlayerLock(directory: library.directory) != nil)
  }
}

extension PodcastStore {
  fileprivate func pagesReadByResumable(_ limit: Int) throws(StoreError) -> Int {
    let connection = try connection
    let before = connection.pagesAskedFor
    _ = try resumable(limit: limit)
    return connection.pagesAskedFor - before
  }
}
