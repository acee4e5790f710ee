import Glibc
internal import PodcastModel
internal import PodcastStore

/// X5: a feed of 100,000 items in 50 MB: time, memory, and the longest wait of a player that saves its position meanwhile.
enum HugeFeed {
  static func run(_ workspace: Workspace) async throws {
    Report.title("one feed of \(items) items")
    try workspace.clearLibrary()
    let server = try FeedServer(document, delay: 0, workspace)
    defer { server.stop() }
    for (name, arguments) in [
      ("podcli subscribe", ["subscribe", server.url("/touched/a")]), ("podcli refresh, nothing new", ["refresh"]),
    ] {
      var figure = Figure(name, of: [try Measured.run(workspace.podcli, arguments, in: workspace)], goal: "5 s, 128 MB")
      figure.isHeadline = true
      Report.tell(figure)
    }
    try overlong(workspace)
    try workspace.clearLibrary()
    let wait = try await longestWait(server, workspace)
    Report.tell(Figure("a player's wait to write meanwhile", [.longest: wait], goal: "50 ms"))
  }

  /// Twice as long as any feed may be: its first half is kept.
  private static func overlong(_ workspace: Workspace) throws {
    try workspace.clearLibrary()
    let bytes = Array(String(decoding: document, as: UTF8.self).replacing("</description>", with: filler).utf8)
    let server = try FeedServer(bytes, delay: 0, workspace)
    defer { server.stop() }
    let run = try Measured.run(workspace.podcli, ["subscribe", server.url("/a")], in: workspace)
    Report.tell(Figure("podcli subscribe, of \(bytes.count) bytes", of: [run], goal: "128 MB"))
  }

  private static let filler = String(repeating: "And still more words. ", count: 33) + "</description>"

  private static let items = Effort.size(100_000, brief: 1000)

  private static var document: [UInt8] {
    var text = "<rss version=\"2.0\"><channel><title>Everything</title><link>https://example.org/</link>\n"
    for number in (1...items).reversed() {
      let words = "Words about number \(number), and more of them. "
      text += """
        <item><title>Item \(number)</title><link>https://example.org/e/\(number)</link>
        <guid isPermaLink="false">g-\(number)</guid><pubDate>Mon, 0\(number % 9 + 1) Jan 2024 10:10:00 GMT</pubDate>
        <description>\(words)\(words)\(words)\(words)\(words)</description>
        <enclosure url="https://cdn.example.org/\(number).mp3" type="audio/mpeg" length="\(number)"/></item>

        """
    }
    return Array((text + "</channel></rss>").utf8)
  }

  /// Saves a position every few milliseconds until podcli exits (a player does so every second); returns the longest wait in
  /// seconds.
  private static func longestWait(_ server: FeedServer, _ workspace: Workspace) async throws -> Double {
    let feed = try workspace.write(GeneratedFeed.bytes(episodes: 1), to: "one.xml")
    _ = try Measured.run(workspace.podcli, ["subscribe", feed], in: workspace)
    let store = try PodcastStore(path: workspace.library + "/library.db")
    let pid = try Measured.spawn(
      workspace.podcli, ["subscribe", server.url("/a")], home: workspace.library, output: nil)
    var (status, longest, second) = (Int32(0), Duration.zero, 0)
    while waitpid(pid, &status, WNOHANG) == 0 {
      usleep(2000)
      second += 1
      let start = ContinuousClock.now
      try await store.savePosition(.seconds(second), of: EpisodeID(rawValue: 1), urgency: .tick)
      longest = max(longest, ContinuousClock.now - start)
    }
    await store.close()
    return longest.inSeconds
  }
}
