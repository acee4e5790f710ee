import Glibc
internal import PodcastModel
internal import PodcastStore

/// The time that a player waits to write its position, alone and while another process refreshes.
struct PositionBench {
  let library: String
  private var path: String { library + "/library.db" }

  private enum Company: String, CaseIterable {
    case nobody = "alone"
    case merging = "amid merges"
    case indexing = "amid indexing"
    case leaving = "amid unsubscribe --delete"
  }

  func run() async throws {
    Report.title("Positions, one every 10 ms, every fourth on its way to the disk at once")
    let store = try PodcastStore(path: path)
    guard let id = try await store.playlist(limit: 100).last?.episode.id else { return }
    try await store.startPlaying(id)
    for company in Company.allCases { try await measure(store, id, company) }
    await store.close()
  }

  private func measure(_ store: PodcastStore, _ id: EpisodeID, _ company: Company) async throws {
    let other = try Companion(company, library: path)
    var (times, refused) = ([Double](), 0)
    var second = try await store.episode(id)?.status.lastListenTime ?? .zero
    while times.count < 4000, company == .nobody ? times.count < Effort.size(1000, brief: 20) : other.isBusy {
      second += .milliseconds(10)
      let start = ContinuousClock.now
      do { try await store.savePosition(second, of: id, urgency: .tick) } catch { refused += 1 }
      times.append((ContinuousClock.now - start).inSeconds)
      usleep(10_000)
    }
    other.end()
    times.sort()
    guard let longest = times.last else { return }
    func within(_ percent: Int) -> Double { times[times.count * percent / 100] }
    var figure = Figure(
      company.rawValue, [.half: within(50), .most: within(95), .nearlyAll: within(99), .longest: longest],
      runs: times.count, goal: "99 % 5 ms")
    if refused > 0 { figure.values[.refused] = Double(refused) }
    figure.isHeadline = true
    Report.tell(figure)
  }

  /// A child process that repeats one kind of write, and prints "b" when one begins and "e" when it ends.
  private final class Companion {
    private var pid: pid_t = 0
    private var output: Int32 = -1
    private var isAtIt = false

    init(_ work: Company, library: String) throws {
      guard work != .nobody else { return }
      var ends: [Int32] = [0, 0]
      guard pipe(&ends) == 0 else { throw Measured.CannotStart(program: "a pipe") }
      pid = try Measured.spawn(
        "/proc/self/exe", ["disturb", library, work.rawValue] + Effort.words, home: "/", output: ends[1])
      close(ends[1])
      output = ends[0]
    }

    /// Waits until its preparations are over; false once it has exited.
    var isBusy: Bool {
      var descriptor = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
      while poll(&descriptor, 1, isAtIt ? 0 : 20_000) > 0 {
        var letter: UInt8 = 0
        guard read(output, &letter, 1) == 1 else { return false }
        isAtIt = letter == UInt8(ascii: "b")
      }
      return isAtIt
    }

    func end() {
      guard pid > 0 else { return }
      kill(pid, SIGTERM)
      waitpid(pid, nil, 0)
      close(output)
    }
  }

  /// Runs in the child process.
  static func disturb(_ arguments: [String]) async throws {
    guard arguments.count == 2, let company = Company(rawValue: arguments[1]) else { return }
    let store = try PodcastStore(path: arguments[0])
    var generator = LibraryGenerator(seed: 78)
    let feed = generator.feed(999_998, episodes: Effort.size(5000, brief: 50))
    let url = "https://other.example/feed.xml"
    func whileMeasured(_ isMeasured: Bool, _ work: () async throws -> Void) async throws {
      if isMeasured { say("b") }
      try await work()
      if isMeasured { say("e") }
    }
    if company == .merging {
      // The two versions of the feed differ in every episode.
      var other = feed
      for index in other.episodes.indices { other.episodes[index].title? += "!" }
      for round in 0..<Effort.size(40, brief: 4) {
        try await whileMeasured(true) { _ = try await store.subscribe(to: round % 2 == 0 ? feed : other, at: url) }
      }
    }
    for _ in 0..<Effort.rounds(3) {
      let podcast = try await store.subscribe(to: feed, at: url).podcast
      if company != .merging {
        try await whileMeasured(company == .indexing) { try await store.indexForSearch() }
      }
      try await whileMeasured(company == .leaving) { try await store.unsubscribe(podcast, deleting: true) }
    }
    await store.close()
  }

  private static func say(_ letter: String) {
    var byte = letter.utf8.first ?? 0
    write(1, &byte, 1)
  }
}
