import Glibc

/// Refreshing and subscribing, side by side with curl, which only fetches, and with a C program that also stores.
/// `curl first` at no delay shows that the server is not what is waited for.
enum FollowBench {
  static func run() throws {
    let home = try Workplace()
    for delay in [0, 200] {
      for (feeds, episodes) in [(100, 300), (500, 100)] {
        print("\(feeds) feeds of \(episodes) episodes, \(delay) ms away")
        try manyFeeds(feeds, episodes, delay, home)
      }
    }
    print("one feed of 5000 episodes")
    try longFeed(home)
    home.remove()
  }

  private static func manyFeeds(_ feeds: Int, _ episodes: Int, _ delay: Int, _ place: Workplace) throws {
    let server = try FeedServer(episodes: episodes, delay: delay, place)
    defer { server.stop() }
    for kind in ["tagged", "plain"] {
      try place.clearLibrary()
      let addresses = (1...feeds).map { server.url("/\(kind)/\($0)") }
      let outlines = addresses.map { "<outline xmlUrl=\"\($0)\"/>" }.joined()
      let list = try place.write("<opml><body>\(outlines)</body></opml>", to: "list.opml")
      let urls = try place.write(
        addresses.map { "url=\($0)\noutput=/dev/null\n" }.joined(), to: "urls")
      let curl = [
        "-s", "--no-progress-meter", "--parallel", "--parallel-immediate", "--parallel-max", "64", "-K", urls,
      ]
      if kind == "tagged" {
        try show("curl, first", "curl", curl, place)
        try show("podcli import, first", place.podcli, ["import", list, "-q"], place)
        try show("curl, nothing new (304)", "curl", curl + ["-H", "If-None-Match: \"1\""], place)
        try show("podcli refresh, nothing new (304)", place.podcli, ["refresh", "-q"], place)
      } else {
        try show("podcli import, first", place.podcli, ["import", list, "-q"], place)
        try show("podcli refresh, nothing new (200)", place.podcli, ["refresh", "-q"], place)
        try show("podcli refresh --force, parsed and compared", place.podcli, ["refresh", "-q", "--force"], place)
      }
    }
  }

  private static func longFeed(_ place: Workplace) throws {
    let server = try FeedServer(episodes: 5000, delay: 0, place)
    defer { server.stop() }
    let empty = try place.write("<rss><channel><title>x</title></channel></rss>", to: "empty.xml")
    for _ in 1...3 {
      try place.clearLibrary()
      _ = try Measured.run(place.podcli, ["subscribe", empty], home: place.library)
      let baseline = [server.url("/a"), place.library + "/library.db"]
      try show("C: curl, SAX, SQLite", place.product("podcli-baseline"), baseline, place)
      try place.clearLibrary()
      try show("podcli subscribe", place.podcli, ["subscribe", server.url("/a")], place)
    }
  }

  private static func show(_ name: String, _ program: String, _ arguments: [String], _ place: Workplace) throws {
    let measured = try Measured.run(program, arguments, home: place.library)
    func number(_ value: Double) -> String {
      let hundredths = Int((value * 100).rounded())
      return "\(hundredths / 100)." + (hundredths % 100 < 10 ? "0" : "") + String(hundredths % 100)
    }
    let title = name + String(repeating: " ", count: max(0, 46 - name.count))
    let failure = measured.status == 0 ? "" : ", status \(measured.status)"
    print(
      "  \(title)\(number(measured.wall)) s, \(number(measured.processor)) s CPU, \(Int(measured.peakMegabytes)) MB\(failure)"
    )
  }
}

/// A folder for everything, and the programs beside this one.
struct Workplace {
  private let folder: String
  private let products: String
  var library: String { folder + "/home" }
  var podcli: String { product("podcli") }

  struct CannotWrite: Error { var path: String }

  init() throws {
    var template = Array("/tmp/podcli-bench-XXXXXX".utf8CString)
    guard let made = mkdtemp(&template) else { throw CannotWrite(path: "/tmp") }
    folder = String(cString: made)
    let own = CommandLine.arguments[0]
    products = own.lastIndex(of: "/").map { String(own[..<$0]) } ?? "."
    try clearLibrary()
  }

  func product(_ name: String) -> String { products + "/" + name }

  func clearLibrary() throws {
    _ = try Measured.run("rm", ["-rf", library], home: folder)
    guard mkdir(library, 0o700) == 0 else { throw CannotWrite(path: library) }
  }

  func write(_ text: String, to name: String) throws -> String { try write(Array(text.utf8), to: name) }

  func write(_ bytes: [UInt8], to name: String) throws -> String {
    let path = folder + "/" + name
    guard let file = fopen(path, "w") else { throw CannotWrite(path: path) }
    defer { fclose(file) }
    guard fwrite(bytes, 1, bytes.count, file) == bytes.count else { throw CannotWrite(path: path) }
    return path
  }

  func remove() { _ = try? Measured.run("rm", ["-rf", folder], home: "/") }
}

/// The server with one generated feed at every path.
struct FeedServer {
  private let pid: pid_t
  private let port: String

  init(episodes: Int, delay: Int, _ place: Workplace) throws {
    let document = try place.write(GeneratedFeed.bytes(episodes: episodes), to: "feed.xml")
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { throw Measured.CannotStart(program: "a pipe") }
    pid = try Measured.spawn(
      place.product("podcli-feedserver"), [document, String(delay)], home: place.library, output: ends[1])
    close(ends[1])
    var line = [UInt8](repeating: 0, count: 16)
    let count = read(ends[0], &line, line.count)
    close(ends[0])
    port = String(decoding: line.prefix(max(0, count)).filter { (48...57).contains($0) }, as: UTF8.self)
  }

  func url(_ path: String) -> String { "http://127.0.0.1:\(port)" + path }

  func stop() {
    kill(pid, SIGKILL)
    waitpid(pid, nil, 0)
  }
}
