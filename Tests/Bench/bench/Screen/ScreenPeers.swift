import Glibc
import TestSupport

/// newsboat and castero beside the screen, with the same number of episodes, in one run.
enum ScreenPeers {
  static func run() async throws {
    let podcasts = Effort.size(50, brief: 2)
    let home = try Workspace()
    defer { home.remove() }
    Report.title("The screen beside its like, at \(podcasts * 100) episodes")
    try await makeLibrary([home.library + "/library.db", String(podcasts), "100"])
    try await tell("podcli", home) { try ScreenStage.start(home.podcli, home: home.library) }
    let feeds = (1...podcasts).map { GeneratedFeed.bytes(episodes: 100, feed: $0) }
    try await newsboat(home, feeds)
    try await castero(home, feeds)
  }

  private static func newsboat(_ home: Workspace, _ feeds: [[UInt8]]) async throws {
    guard Measured.isInstalled("newsboat") else { return print("  newsboat is not installed") }
    let files = try feeds.enumerated().map { try home.write($0.element, to: "\($0.offset).xml") }
    let list = try home.write(files.map { "file://\($0)\n" }.joined(), to: "urls")
    let words = ["-u", list, "-c", home.folder + "/cache.db"]
    _ = try Measured.run("newsboat", words + ["-x", "reload"], home: home.folder)
    try await tell("newsboat", home) { try ScreenStage.start("newsboat", words, home: home.folder) }
  }

  private static func castero(_ home: Workspace, _ feeds: [[UInt8]]) async throws {
    guard Measured.isInstalled("castero") else { return print("  castero is not installed") }
    let server = try LoopbackServer()
    for (number, feed) in feeds.enumerated() { server.serve("/\(number).xml", Response.feed(feed)) }
    let outlines = feeds.indices.map { "<outline type=\"rss\" xmlUrl=\"\(server.url("/\($0).xml"))\"/>" }.joined()
    let list = try home.write("<opml version=\"2.0\"><body>\(outlines)</body></opml>", to: "list.opml")
    let imported = try Measured.run("castero", ["--import", list], home: home.folder)
    guard imported.status == 0 else { return print("  castero cannot import: status \(imported.status)") }
    try await tell("castero", home) { try ScreenStage.start("castero", home: home.folder) }
  }

  private static func tell(_ name: String, _ home: Workspace, _ start: () throws -> RunningProgram) async throws {
    var waits: [Double] = []
    var values: [Measure: Double] = [:]
    for round in 0..<Effort.rounds(5) {
      let screen = try start()
      waits.append(try await ScreenStage.settle(screen, quiet: 0.3, atMost: 10))
      if round == 0 {
        try await ScreenStage.settle(screen, quiet: 1.5, atMost: 10)
        values = try await ScreenStage.idle(screen, seconds: Effort.size(5, brief: 1))
        values[.memory] = Measured.peakMegabytes(of: screen.pid)
      }
      kill(screen.pid, SIGTERM)
      try await screen.end()
    }
    values[.time] = Amount.median(waits)
    Report.tell(Figure("\(name): a settled screen, then 5 s idle", values, runs: waits.count))
  }
}
