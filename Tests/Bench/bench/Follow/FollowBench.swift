import Glibc
internal import PodcastStore
private import TestSupport

/// Refreshing and subscribing, beside curl, which only fetches, beside other podcast programs where they are installed,
/// and beside a C program that fetches, parses and stores.
enum FollowBench {
  /// `follow`, or some of its parts: `follow many`, `follow long`, `follow huge`. The other podcast programs take minutes;
  /// `follow many alone` leaves them out.
  static func run(_ arguments: [String]) async throws {
    let parts = arguments.filter { ["many", "long", "huge"].contains($0) }
    let workspace = try Workspace()
    defer { workspace.remove() }
    func isWanted(_ part: String) -> Bool { parts.isEmpty || parts.contains(part) }
    if isWanted("many") {
      for delay in Effort.size([0, 200], brief: [0]) {
        for (feeds, episodes) in Effort.size([(100, 300), (500, 100)], brief: [(5, 10)]) {
          try ManyFeeds(feeds: feeds, episodes: episodes, delay: delay, rounds: Effort.rounds(3), workspace).run(
            besidePeers: !arguments.contains("alone") && !Effort.isBrief)
        }
      }
    }
    if isWanted("long") {
      for episodes in Effort.size([5000, 300], brief: [50]) { try await longFeed(of: episodes, workspace) }
    }
    if isWanted("huge") { try await HugeFeed.run(workspace) }
  }

  private static func longFeed(of episodes: Int, _ workspace: Workspace) async throws {
    Report.title("one feed of \(episodes) episodes")
    let feed = GeneratedFeed.bytes(episodes: episodes)
    let server = try FeedServer(feed, delay: 0, workspace)
    defer { server.stop() }
    let c = "C: curl, SAX, SQLite"
    let table = Comparison(goal: c, isHeadline: true)
    for _ in 1...Effort.rounds(5) {
      for name in [c, "podcli subscribe"] {
        try workspace.emptyLibrary()
        let isC = name == c
        table.add(
          name,
          try Measured.run(
            isC ? workspace.product("podcli-baseline") : workspace.podcli,
            isC ? [workspace.library + "/library.db", server.url("/a")] : ["subscribe", server.url("/a")], in: workspace
          ))
      }
    }
    table.show()
    try await librarySize(feed.count, workspace)
  }

  /// Of the library in which the feed is the only one, once its index is complete.
  private static func librarySize(_ feedSize: Int, _ workspace: Workspace) async throws {
    let path = workspace.library + "/library.db"
    _ = try Measured.run(workspace.podcli, ["search", "anything"], in: workspace)
    let store = try PodcastStore(path: path)
    while try await store.indexedPercentage() != nil { usleep(10_000) }
    await store.close()
    let size = try contents(of: path).count
    let beside = Figure.Peer(name: "the feed", values: [.bytes: Double(feedSize)])
    Report.tell(Figure("the library, with its index", [.bytes: Double(size)], beside: beside, goal: "1.5 ×"))
  }
}

/// Many feeds from one server, for the first time and when nothing has changed.
private struct ManyFeeds {
  private let feeds: Int
  private let delay: Int
  private let rounds: Int
  private let workspace: Workspace
  private let documents: [[UInt8]]
  private let server: FeedServer
  private let title: String

  init(feeds: Int, episodes: Int, delay: Int, rounds: Int, _ workspace: Workspace) throws {
    self.feeds = feeds
    self.delay = delay
    self.rounds = rounds
    self.workspace = workspace
    documents = (0..<feeds).map { GeneratedFeed.bytes(episodes: episodes, feed: $0) }
    let files = try documents.enumerated().map { try workspace.write($1, to: "feed\($0).xml") }
    server = try FeedServer(files: files, delay: delay, workspace)
    title = "\(feeds) feeds of \(episodes) episodes, \(delay) ms away"
  }

  func run(besidePeers: Bool) throws {
    defer { server.stop() }
    Report.title(title)
    let first = Comparison(goal: Self.c, isHeadline: feeds > 100)
    let later = Comparison(goal: "curl, nothing new (304)", isHeadline: feeds > 100)
    let same = Comparison(goal: "parsing alone")
    // Other podcast programs take minutes, so they get one round.
    for round in 1...rounds {
      try fetchFirst(first, later)
      try fetchTheSame(same)
      if round == 1, besidePeers { try peers(first, later) }
    }
    for table in [first, later, same] { table.show() }
    try showServer()
  }

  // MARK: Measurements

  private static let c = "C: curl, SAX, SQLite"

  private func fetchFirst(_ first: Comparison, _ later: Comparison) throws {
    let (list, urls) = try lists("tagged")
    first.add("curl, which only fetches", try Measured.run("curl", curl(urls), in: workspace))
    try workspace.emptyLibrary()
    let baseline = workspace.product("podcli-baseline")
    first.add(
      Self.c,
      try Measured.run(baseline, [workspace.library + "/library.db"] + addresses("tagged"), in: workspace))
    try workspace.emptyLibrary()
    first.add("podcli import", try Measured.run(workspace.podcli, ["import", list, "-q"], in: workspace))
    later.add(
      "curl, nothing new (304)", try Measured.run("curl", curl(urls) + ["-H", "If-None-Match: \"1\""], in: workspace))
    later.add(
      "podcli refresh, nothing new (304)", try Measured.run(workspace.podcli, ["refresh", "-q"], in: workspace))
  }

  /// Servers that send the whole feed every time: identical bytes, another date in it, or another processing instruction
  /// in it, so that only parsing shows that nothing is new.
  private func fetchTheSame(_ same: Comparison) throws {
    let alone = Measured.processorTime { for document in documents { ParseBench.keepEverything(document) } }
    same.add("parsing alone", Measured(wall: alone, processor: alone, peakMegabytes: 0, status: 0))
    let kinds = [
      ("plain", "podcli refresh, the same 200"), ("dated", "podcli refresh, 200 with another date"),
      ("touched", "podcli refresh, 200 with nothing new"),
    ]
    for (kind, name) in kinds {
      let (list, _) = try lists(kind)
      try workspace.clearLibrary()
      _ = try Measured.run(workspace.podcli, ["import", list, "-q"], in: workspace)
      same.add(name, try Measured.run(workspace.podcli, ["refresh", "-q"], in: workspace))
    }
  }

  private func peers(_ first: Comparison, _ later: Comparison) throws {
    let (list, _) = try lists("tagged")
    try workspace.clearLibrary()
    if Measured.isInstalled("gpo") {
      first.add(
        "gpo import and update", try Measured.run("sh", ["-c", "gpo import '\(list)' && gpo update"], in: workspace))
      later.add("gpo update (304)", try Measured.run("gpo", ["update"], in: workspace))
    }
    if Measured.isInstalled("newsboat") {
      let addresses = try workspace.write(addresses("tagged").joined(separator: "\n"), to: "newsboat-urls")
      let config = try workspace.write("reload-threads 64\ndownload-retries 1\n", to: "newsboat-config")
      let arguments = ["-u", addresses, "-c", workspace.library + "/cache.db", "-C", config, "-x", "reload"]
      first.add("newsboat reload, 64 threads", try Measured.run("newsboat", arguments, in: workspace))
      later.add("newsboat reload (304)", try Measured.run("newsboat", arguments, in: workspace))
    }
  }

  /// Shows the server's processor time: a server that was always busy would itself be the bottleneck.
  private func showServer() throws {
    let before = try server.processorTime()
    let (_, urls) = try lists("tagged")
    let alone = try Measured.run("curl", curl(urls), in: workspace)
    let used = try server.processorTime() - before
    Report.tell(Figure("the server, while curl fetches all of it", [.time: alone.wall, .processor: used]))
  }

  // MARK: Lists

  private func addresses(_ kind: String) -> [String] { (1...feeds).map { server.url("/\(kind)/\($0)") } }

  private func lists(_ kind: String) throws -> (opml: String, urls: String) {
    let outlines = addresses(kind).map { "<outline type=\"rss\" text=\"feed\" xmlUrl=\"\($0)\"/>" }.joined()
    let urls = addresses(kind).map { "url=\($0)\noutput=/dev/null\n" }.joined()
    return (
      try workspace.write("<opml><body>\(outlines)</body></opml>", to: "list.opml"),
      try workspace.write(urls, to: "urls")
    )
  }

  private func curl(_ urls: String) -> [String] {
    ["-s", "--no-progress-meter", "--parallel", "--parallel-immediate", "--parallel-max", "64", "-K", urls]
  }
}
