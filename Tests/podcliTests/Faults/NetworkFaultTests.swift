import Glibc
import PodcastModel
import PodcastStore
import TestSupport
import Testing

/// A misbehaving server: exit status, message, memory and time.
@Suite struct NetworkFaultTests {
  private let stage: Stage
  private static let sample = SampleFeed(title: "Sample", episodes: 3).bytes
  /// 64 MB for a release build; a test build also maps the shared Swift libraries. The memory of a sanitizer build is not
  /// measured.
  private static let memory = isSanitized ? Int.max : 84 << 20

  init() throws { stage = try Stage(episodes: 1, seconds: 1) }

  struct Fault: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var response: Response
    var status: Int32
    var says: String

    init(_ name: String, _ response: Response, exits status: Int32, says: String) {
      testDescription = name
      self.response = response
      self.status = status
      self.says = says
    }
  }

  private static func xml(_ text: String) -> Response { .feed(Array(text.utf8)) }

  /// Once as the first request, and once as the refresh of a feed that was good before.
  private func expect(_ fault: Fault) async throws {
    let stage = self.stage
    stage.server.serve("/fault", fault.response)
    stage.server.serve("/good", Response.feed(Self.sample))
    let (cold, peak, time) = try await measured("subscribe", stage.server.url("/fault"))
    #expect(cold.status == .exited(fault.status), "\(cold)")
    #expect(peak < Self.memory)
    note(fault, cold, peak, time)
    #expect(cold.error.contains(fault.says), "\(cold)")
    #expect(cold.error.utf8.allSatisfy { $0 == 10 || $0 >= 32 })
    #expect(try await stage.run("podcasts").output.isEmpty)

    stage.server.serve("/fault", Response.feed(Self.sample).header("ETag", "\"good\""))
    _ = try await stage.run("subscribe", stage.server.url("/fault"), stage.server.url("/good"))
    stage.server.serve("/fault", fault.response.header("ETag", "\"bad\""))
    stage.server.serve("/good", Response.feed(SampleFeed(title: "Sample", episodes: 4).bytes))
    let warm = try await stage.run("refresh", "--force")
    #expect(warm.status == .exited(6), "\(warm)")
    #expect(warm.error.contains("1 new episode"))
    #expect(try await stage.library().podcasts().map(\.episodeCount).sorted() == [3, 4])
    #expect(try await stage.library().feed(of: .init(rawValue: 1))?.validators.etag == "\"good\"")
  }

  static let stalls = [
    Fault("H1: silence", Response.ok("x").neverAnswering(), exits: 5, says: "cannot be reached"),
    Fault("H1: silence in the middle", Response.feed(sample).stalling(at: 200), exits: 5, says: "cannot be reached"),
    Fault("H1: a slow drip", Response.feed(sample).throttled(bytesPerSecond: 20), exits: 5, says: "cannot be reached"),
    Fault("H1: endless headers", .endlessHead(), exits: 5, says: "cannot be reached"),
    Fault(
      "H1: endless headers, unhurried", .endlessHead().paced(1, every: .milliseconds(20)), exits: 5,
      says: "cannot be reached"),
    Fault(
      "H1: a slow drip of headers", .endlessHead().paced(1, every: .seconds(1)), exits: 5, says: "cannot be reached"),
  ]

  /// All of them at once, as they only wait.
  @Test func `a stalling server is given up within 20 s`() async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      for fault in Self.stalls { group.addTask { try await Self().expectGivenUp(fault) } }
      try await group.waitForAll()
    }
  }

  private func expectGivenUp(_ fault: Fault) async throws {
    let stage = self.stage
    stage.server.serve("/fault", fault.response)
    let (outcome, peak, time) = try await measured("subscribe", stage.server.url("/fault"))
    #expect(outcome.status == .exited(fault.status), "\(fault.testDescription): \(outcome)")
    #expect(outcome.error.contains(fault.says), "\(fault.testDescription): \(outcome)")
    // The promised bound, far above the usual time.
    #expect(time < .seconds(20), "\(fault.testDescription)")
    #expect(peak < Self.memory)
    note(fault, outcome, peak, time)
    #expect(try await stage.run("podcasts").output.isEmpty)
  }

  static let answers = [
    Fault("H2: 500", .status(500), exits: 5, says: "500"),
    Fault("H2: 429 for an hour", Response.status(429).header("Retry-After", "3600"), exits: 5, says: "429"),
    Fault("H2: 503 for an hour", Response.status(503).header("Retry-After", "3600"), exits: 5, says: "503"),
    Fault("H3: 404", .status(404), exits: 5, says: "404"),
    Fault("H3: 410", .status(410), exits: 5, says: "gone for good"),
    Fault("H4: a redirect loop", .redirect(to: "/fault"), exits: 5, says: "redirects"),
    Fault("H4: a permanent loop", .redirect(to: "/fault", status: 301), exits: 5, says: "redirects"),
    Fault("H4: a redirect to a file", .redirect(to: "file:///etc/passwd"), exits: 1, says: "refused"),
    Fault("H4: a redirect to ftp", .redirect(to: "ftp://127.0.0.1/x"), exits: 1, says: "refused"),
    Fault("H6: cut before its length", Response.feed(sample).truncated(at: 900), exits: 5, says: "cannot be reached"),
    Fault("H6: a length too great", Response.feed(sample).claimingLength(sample.count + 100), exits: 5, says: "cannot"),
    Fault("H6: reset", Response.feed(sample).reset(at: 900), exits: 5, says: "cannot be reached"),
    Fault("H6: a broken chunk", Response.feed(sample).chunked(100).truncated(at: 900), exits: 5, says: "cannot"),
    Fault("H9: no HTTP", .garbage(Array("\u{1B}[31mSSH-2.0-x\r\n\r\n".utf8)), exits: 5, says: "of no use"),
    Fault("H9: an unknown version", .garbage(Array("HTTP/1.1 abc\r\n\r\n".utf8)), exits: 5, says: "of no use"),
    Fault("H9: nothing at all", .garbage([]), exits: 5, says: "cannot be reached"),
    Fault(
      "H10: a web page", .ok("<!doctype html><html><body>Hi</body></html>", type: "text/html"), exits: 1,
      says: "not a podcast feed"),
    Fault("H10: JSON", .ok("{\"a\":1}", type: "application/json"), exits: 1, says: "not a podcast feed"),
    Fault("H10: an empty body", .ok("", type: "text/xml"), exits: 1, says: "not a podcast feed"),
    Fault("H8: an endless page", .endless(Array("blah ".utf8), type: "text/html"), exits: 1, says: ""),
    Fault(
      "X1: an external entity alone", xml(#"<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]><x>&e;</x>"#),
      exits: 1, says: "not a podcast feed"),
    Fault(
      "X2: ten thousand levels", xml("<rss><channel>" + String(repeating: "<a>", count: 10_000)), exits: 1, says: ""),
  ]

  @Test(arguments: answers)
  func `a fault ends with the right status, stores nothing, and leaves the other feed alone`(fault: Fault) async throws
  {
    try await expect(fault)
  }

  @Test func `H8: of an endless feed the episodes before the limit are kept, and that is said`() async throws {
    let items = Array("<rss><channel><item><title>x</title></item>".utf8)
    stage.server.serve("/endless", .endless(items, type: "text/xml"))
    let (outcome, peak, _) = try await measured("subscribe", stage.server.url("/endless"))
    #expect(outcome.status == .exited(0), "\(outcome)")
    #expect(outcome.error.contains("incomplete"), "\(outcome)")
    #expect(peak < Self.memory)
    #expect(try await stage.library().podcasts()[0].episodeCount > 0)
  }

  @Test(arguments: [("gzip", "gzip -9"), ("gzip, gzip", "gzip -9 | gzip -9")])
  func `H8: a bomb is stopped at 64 MB, in less memory`(encoding: String, packing: String) async throws {
    let head = "<rss><channel><title>Bomb</title><description>"
    let bomb = try await stage.home.program(
      "/bin/sh", "-c", "(printf '\(head)'; head -c 200000000 /dev/zero | tr '\\0' a) | \(packing)"
    ).run().outputBytes
    stage.server.serve("/bomb", Response.ok(bomb, type: "text/xml").header("Content-Encoding", encoding))
    let (outcome, peak, time) = try await measured("subscribe", stage.server.url("/bomb"))
    #expect(outcome.status == .exited(1), "\(outcome)")
    #expect(outcome.error.contains("too large") || outcome.error.contains("cannot be read"))
    #expect(peak < Self.memory)
    #expect(try await stage.run("podcasts").output.isEmpty)
    note(Fault("H8: a bomb of 200 MB, \(encoding)", .status(200), exits: 1, says: ""), outcome, peak, time)
  }

  @Test func `H8: an encoding that was not requested is refused`() async throws {
    stage.server.serve("/packed", Response.ok("<rss/>", type: "text/xml").header("Content-Encoding", "br"))
    let (outcome, _, _) = try await measured("subscribe", stage.server.url("/packed"))
    #expect(outcome.status == .exited(5), "\(outcome)")
    #expect(outcome.error.contains("packed in a way that was not asked for: br"))
  }

  /// Appends a line to the table in the file named by `PODCLI_FAULT_TABLE`.
  private func note(_ fault: Fault, _ outcome: Outcome, _ peak: Int, _ time: Duration) {
    guard let path = getenv("PODCLI_FAULT_TABLE"), let file = fopen(path, "a") else { return }
    defer { fclose(file) }
    let seconds = Double(time / .milliseconds(1)) / 1000
    let message = outcome.error.split(separator: "\n").first.map(String.init) ?? ""
    fputs("| \(fault.testDescription) | \(outcome.status) | \(seconds) s | \(peak >> 20) MB | \(message) |\n", file)
  }

  @Test(arguments: [100, 10_000])
  func `X2: a tag with too many attributes is cut or refused`(count: Int) async throws {
    let attributes = (0..<count).map { "a\($0)='' " }.joined()
    let outcome = try await stage.home.podcli("preview", "-")
      .input("<rss><channel \(attributes)><title>x</title></channel></rss>").run()
    #expect([.exited(0), .exited(1)].contains(outcome.status))
  }

  /// Runs podcli below a small program, as the kernel's peak memory of a process includes the time before exec.
  private func measured(_ arguments: String...) async throws -> (Outcome, peak: Int, time: Duration) {
    let script = """
      my $status = system(@ARGV); my $usage = "\\0" x 256;
      syscall(`uname -m` =~ /aarch64/ ? 165 : 98, -1, $usage);
      open(my $file, ">", "peak"); print $file (unpack("q5", $usage))[4]; exit($status >> 8);
      """
    var program = stage.home.program("perl", ["-e", script, builtProduct("podcli")] + arguments)
    program = program.in(stage.home.path)
    let start = ContinuousClock.now
    let outcome = try await program.run()
    let time = ContinuousClock.now - start
    let peak = try String(decoding: contents(of: stage.home.path + "/peak"), as: UTF8.self)
    return (outcome, try #require(Int(peak)) << 10, time)
  }

  @Test func `H4: ten redirects are followed, eleven are not`() async throws {
    for hop in 0..<11 { stage.server.serve("/hop\(hop)", Response.redirect(to: "/hop\(hop + 1)")) }
    stage.server.serve("/hop11", Response.feed(Self.sample))
    #expect(try await stage.run("subscribe", stage.server.url("/hop0")).status == .exited(5))
    #expect(try await stage.run("subscribe", stage.server.url("/hop1")).status == .exited(0))
  }

  @Test func `H7: whole items of half a feed are kept, and the feed is requested again in full`() async throws {
    let whole = SampleFeed(title: "Half", episodes: 40).bytes
    let half = Response.feed(whole).withoutLength().truncated(at: whole.count / 2).header("ETag", "\"half\"")
    stage.server.serve("/half", half)
    let outcome = try await stage.run("subscribe", stage.server.url("/half"))
    #expect(outcome.status == .exited(0))
    #expect(outcome.error.contains("incomplete"))
    let kept = try #require(try await stage.library().podcasts().first?.episodeCount)
    #expect((15..<25).contains(kept))
    stage.server.serve("/half", Response.feed(whole))
    _ = try await stage.run("refresh")
    #expect(stage.server.requests.last?.header("If-None-Match") == nil)
    #expect(try await stage.library().podcasts().first?.episodeCount == 40)
    stage.server.serve("/half", half)
    #expect(try await stage.run("refresh").error.contains("incomplete"))
    #expect(try await stage.library().podcasts().first?.episodeCount == 40)
  }

  @Test func `H7: whole items of half a compressed feed are kept`() async throws {
    let whole = SampleFeed(title: "Half", episodes: 400).bytes
    let gzip = try await Program("/usr/bin/gzip", ["-1c"]).input(.bytes(whole)).run().outputBytes
    let response = Response.gzipped(Array(gzip.prefix(gzip.count / 2)), type: "text/xml").header("ETag", "\"half\"")
    stage.server.serve("/half", response)
    let outcome = try await stage.run("subscribe", stage.server.url("/half"))
    #expect(outcome.status == .exited(0) || outcome.status == .exited(5), "\(outcome)")
    let etags = try await stage.library().feeds().map(\.validators.etag)
    #expect(etags.allSatisfy { $0 == nil })
  }

  @Test(arguments: ["text/plain", "image/png", "application/octet-stream", ""])
  func `H10: a feed is recognized by its content`(type: String) async throws {
    stage.server.serve("/feed", Response.ok(Self.sample, type: type))
    #expect(try await stage.run("subscribe", stage.server.url("/feed")).status == .exited(0))
  }

  @Test func `X4: the encoding in the content type is used`() async throws {
    let bytes = Array("<rss><channel><title>caf".utf8) + [0xE9] + Array("</title></channel></rss>".utf8)
    stage.server.serve("/feed", Response.ok(bytes, type: "text/xml; charset=\"ISO-8859-1\""))
    #expect(try await stage.run("subscribe", stage.server.url("/feed")).output.contains("café"))
  }

  @Test func `H11: an untrusted certificate is status 5, and a private authority is named by a variable`()
    async throws
  {
    let proxy = try await SecureProxy(before: stage.server, in: stage.home)
    stage.server.serve("/feed", Response.feed(Self.sample))
    let refused = try await stage.run("subscribe", proxy.url("/feed"))
    #expect(refused.status == .exited(5))
    #expect(refused.error.contains("cannot be trusted"))
    #expect(refused.error.contains("SSL_CERT_FILE"))
    #expect(stage.server.requests.isEmpty)
    let trusted = try await stage.home.podcli("subscribe", proxy.url("/feed"))
      .setting("SSL_CERT_FILE", proxy.certificate).run()
    #expect(trusted.status == .exited(0), "\(trusted)")
    // The proxy speaks HTTP/1.1 to the server; its own HTTP/2 side had one connection for all requests.
    #expect(stage.server.requests.first?.header("Via")?.hasPrefix("2") == true)
  }

  @Test func `the proxy of the environment is used for other hosts`() async throws {
    stage.server.serve("http://feeds.example/feed", Response.feed(Self.sample))
    let outcome = try await stage.home.podcli("subscribe", "http://feeds.example/feed")
      .setting("http_proxy", stage.server.origin).run()
    #expect(outcome.status == .exited(0), "\(outcome)")
    let direct = try await stage.home.podcli("subscribe", stage.feedURL)
      .setting("http_proxy", "http://127.0.0.1:1").setting("no_proxy", "127.0.0.1").run()
    #expect(direct.status == .exited(0), "\(direct)")
  }

  @Test func `many feeds of one host share an HTTP/2 connection`() async throws {
    let proxy = try await SecureProxy(before: stage.server, in: stage.home)
    for number in 1...12 {
      stage.server.serve("/\(number)", Response.feed(SampleFeed(title: "Feed \(number)", episodes: 1).bytes))
    }
    let outlines = (1...12).map { #"<outline xmlUrl="\#(proxy.url("/\($0)"))"/>"# }.joined()
    let outcome = try await stage.home.podcli("import", "-").input("<opml><body>\(outlines)</body></opml>")
      .setting("SSL_CERT_FILE", proxy.certificate).run()
    #expect(outcome.status == .exited(0), "\(outcome)")
    #expect(outcome.error.contains("12 new"))
    #expect(stage.server.requests.allSatisfy { $0.header("Via")?.hasPrefix("2") == true })
  }

  @Test func `long feeds of one host share an HTTP/2 connection`() async throws {
    let proxy = try await SecureProxy(before: stage.server, in: stage.home)
    for number in 1...6 {
      stage.server.serve("/\(number)", Response.feed(SampleFeed(title: "Feed \(number)", episodes: 4_000).bytes))
    }
    let outlines = (1...6).map { #"<outline xmlUrl="\#(proxy.url("/\($0)"))"/>"# }.joined()
    let outcome = try await stage.home.podcli("import", "-").input("<opml><body>\(outlines)</body></opml>")
      .setting("SSL_CERT_FILE", proxy.certificate).run()
    #expect(outcome.status == .exited(0), "\(outcome)")
    #expect(outcome.error.contains("6 new"))
    #expect(stage.server.requests.allSatisfy { $0.header("Via")?.hasPrefix("2") == true })
  }

  @Test func `long feeds of slow servers delay no other long feed`() async throws {
    let gate = Gate()
    func feed(_ title: String) -> Response { .feed(SampleFeed(title: title, episodes: 2_000).bytes) }
    for number in 1...3 {
      stage.server.serve("/slow/\(number)", feed("Slow \(number)").pausing(at: 600_000, until: gate))
    }
    stage.server.serve("/quick", feed("Quick"))
    let addresses = (1...3).map { stage.server.url("/slow/\($0)") } + [stage.server.url("/quick")]
    let outlines = addresses.map { #"<outline xmlUrl="\#($0)"/>"# }.joined()
    let running = try stage.home.podcli("import", "-").input("<opml><body>\(outlines)</body></opml>").start()
    try await running.wait(forError: "Subscribed to Quick")
    gate.open()
    let outcome = try await running.end()
    #expect(outcome.status == .exited(0), "\(outcome)")
  }
}
