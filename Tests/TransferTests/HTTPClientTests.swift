import TestSupport
import Testing

@testable import Transfer

@Suite struct HTTPClientTests {
  private let server: LoopbackServer
  private let client: HTTPClient

  init() throws {
    server = try LoopbackServer()
    client = try HTTPClient()
  }

  private func request(_ path: String, _ change: (inout HTTPRequest) -> Void = { _ in }) -> HTTPRequest {
    var request = HTTPRequest(url: server.url(path))
    change(&request)
    return request
  }

  private func failure(_ request: HTTPRequest) async -> TransferError.Code? {
    do {
      _ = try await client.fetch(request)
      return nil
    } catch {
      return error.code
    }
  }

  @Test func `fetches a small answer whole`() async throws {
    server.serve("/a", Response.ok("hello").header("ETag", "\"1\""))
    let answer = try await client.fetch(request("/a"))
    #expect(answer.head.status == 200)
    #expect(answer.head["etag"] == "\"1\"")
    #expect(answer.body == Array("hello".utf8))
  }

  @Test func `says truthfully who is asking`() async throws {
    server.serve("/a", Response.ok("hello"))
    _ = try await client.fetch(request("/a"))
    #expect(server.requests.first?.header("User-Agent")?.hasPrefix("podcli/") == true)
  }

  @Test(arguments: [
    ("http://example.org/a", "Mozilla"), ("https://me:x@Feeds.Example.org:8080/a", "Mozilla"),
    ("http://myexample.org/", "podcli/1.0"), ("http://org/", "podcli/1.0"), ("http://[::1]:80/", "six"),
  ])
  func `a host that was named, and all below it, hears another name`(url: String, agent: String) {
    #expect(UserAgents(["example.org": "Mozilla", "[::1]": "six"]).agent(for: url) == agent)
  }

  @Test func `an answer of any status is not an error`() async throws {
    server.serve("/gone", Response.status(410))
    #expect(try await client.fetch(request("/gone")).head.status == 410)
  }

  @Test func `a failure stays one whatever is wrong with its page`() async throws {
    server.serve("/packed", Response.status(404, "gone").header("Content-Encoding", "br"))
    server.serve("/cut", Response.status(404, String(repeating: "gone ", count: 1_000)).truncated(at: 2_500))
    server.serve("/endless", Response.endless(type: "text/html", status: 404))
    for path in ["/packed", "/cut", "/endless"] {
      let answer = try await client.fetch(request(path) { $0.limits.bytes = 1 << 20 })
      #expect(answer.head.status == 404 && answer.body.isEmpty)
    }
  }

  @Test func `a document packed as nobody asked for is an error`() async {
    server.serve("/br", Response.ok("hello").header("Content-Encoding", "br"))
    #expect(await failure(request("/br")) == .badEncoding)
  }

  @Test func `what follows the body is no part of the head, however long`() async throws {
    // Together more than any head may have.
    let trailers = (0..<70).map { "X-\($0): " + String(repeating: "x", count: 3_900) + "\r\n" }.joined()
    let head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: X-0\r\n\r\n"
    server.serve("/long", Response.garbage(Array((head + "5\r\nhello\r\n0\r\n" + trailers + "\r\n").utf8)))
    #expect(try await client.fetch(request("/long")).body == Array("hello".utf8))
  }

  @Test func `follows redirects and tells the way`() async throws {
    server.serve("/old", Response.redirect(to: "/new", status: 301))
    server.serve("/new", Response.ok("here"))
    let answer = try await client.fetch(request("/old"))
    #expect(answer.head.url == server.url("/new"))
    #expect(answer.head.redirects.map(\.status) == [301])
    #expect(answer.body == Array("here".utf8))
  }

  @Test func `the way tells which redirects are temporary`() async throws {
    server.serve("/old", Response.redirect(to: "/mid", status: 301))
    server.serve("/mid", Response.redirect(to: "/new", status: 302))
    server.serve("/new", Response.ok("here"))
    #expect(try await client.fetch(request("/old")).head.redirects.map(\.status) == [301, 302])
  }

  @Test func `gives up on a redirect loop`() async {
    server.serve("/loop", Response.redirect(to: "/loop"))
    #expect(await failure(request("/loop")) == .tooManyRedirects)
  }

  @Test(arguments: ["file:///etc/passwd", "ftp://127.0.0.1/x"])
  func `follows no redirect to another scheme`(address: String) async {
    server.serve("/away", Response.redirect(to: address))
    #expect(await failure(request("/away")) == .refusedRedirect)
  }

  @Test func `counts bytes after decompression`() async throws {
    let zeros = [UInt8](repeating: 0, count: 8 << 20)
    let bomb = try await Program("/usr/bin/gzip", ["-9c"]).input(.bytes(zeros)).run().transcript.outputBytes
    server.serve("/bomb", Response.gzipped(bomb, type: "text/xml"))
    #expect(await failure(request("/bomb") { $0.limits.bytes = 1 << 20 }) == .tooLarge)
    #expect(try await client.fetch(request("/bomb")).body.count == zeros.count)
  }

  @Test(.timeLimit(.minutes(1)))
  func `what turns out too large when it goes on after a rest ends at once`() async throws {
    let zeros = [UInt8](repeating: 0, count: 8 << 20)
    let bomb = try await Program("/usr/bin/gzip", ["-9c"]).input(.bytes(zeros)).run().transcript.outputBytes
    server.serve("/bomb", Response.gzipped(bomb, type: "text/xml"))
    server.serve("/slow", Response.status(200).delayed(by: .seconds(2)))
    let patient = request("/bomb") {
      $0.limits = TransferLimits(connect: .seconds(600), stall: .seconds(600), total: nil, bytes: 1 << 20)
    }
    let stream = client.stream(patient)
    _ = try await stream.head()
    // While another answer comes libcurl loses sight of a transfer that rests.
    _ = try await client.fetch(request("/slow"))
    await #expect {
      while try await stream.next() != nil {}
    } throws: {
      ($0 as? TransferError)?.code == .tooLarge
    }
  }

  @Test func `stops an endless body at the limit`() async {
    server.serve("/endless", Response.endless(type: "text/xml"))
    #expect(await failure(request("/endless") { $0.limits.bytes = 1 << 20 }) == .tooLarge)
  }

  @Test func `an answer that breaks off is an error`() async {
    server.serve("/cut", Response.ok([UInt8](repeating: 1, count: 10_000)).truncated(at: 5_000))
    #expect(await failure(request("/cut")) == .cut)
  }

  @Test func `leaves a silent server`() async {
    server.serve("/silent", Response.ok("x").neverAnswering())
    #expect(await failure(request("/silent") { $0.limits.stall = .seconds(1) }) == .stalled)
  }

  @Test func `garbage is not an answer`() async {
    server.serve("/garbage", Response.garbage(Array("\u{1}\u{2}nonsense\r\n\r\n".utf8)))
    #expect(await failure(request("/garbage")) != nil)
  }

  @Test func `a closed port is an error at once`() async {
    // A port that only root may listen on: one that a server has given up may be another test's by now.
    #expect(await failure(HTTPRequest(url: "http://127.0.0.1:1/a")) == .cannotConnect)
  }

  @Test func `credentials stay with their origin`() async throws {
    let other = try LoopbackServer(host: "127.0.0.2")
    other.serve("/theirs", Response.ok("x"))
    server.serve("/mine", Response.redirect(to: other.url("/theirs")))
    _ = try await client.fetch(request("/mine") { $0.credentials = .init(user: "me", password: "secret") })
    #expect(server.requests.first?.header("Authorization") != nil)
    #expect(other.requests.first?.header("Authorization") == nil)
  }

  @Test(arguments: [HTTPRequest.Method.post, .put, .delete])
  func `sends a body by any method, with its credentials`(method: HTTPRequest.Method) async throws {
    server.serve("/api", Response.ok("done"))
    let body = (0..<200_000).map { UInt8(truncatingIfNeeded: $0) }
    let answer = try await client.fetch(
      request("/api") {
        $0.method = method
        $0.body = body
        $0.headers = [.init("Content-Type", "application/json")]
        $0.credentials = .init(user: "me", password: "secret")
      })
    let received = try #require(server.requests.first)
    #expect(answer.body == Array("done".utf8))
    #expect(received.method == method.rawValue && received.body == body)
    #expect(received.header("Content-Type") == "application/json" && received.header("Authorization") != nil)
  }

  @Test func `an empty body is a body, too`() async throws {
    server.serve("/api", Response.ok("done"))
    _ = try await client.fetch(request("/api") { $0.method = .post })
    #expect(server.requests.first?.header("Content-Length") == "0")
  }

  @Test(arguments: [301, 302, 303, 307, 308])
  func `a body follows no redirect`(status: Int) async throws {
    let other = try LoopbackServer(host: "127.0.0.2")
    other.serve("/theirs", Response.ok("x"))
    server.serve("/mine", Response.redirect(to: other.url("/theirs"), status: status))
    let answer = try await client.fetch(
      request("/mine") {
        $0.method = .post
        $0.body = Array("private".utf8)
        $0.credentials = .init(user: "me", password: "secret")
      })
    #expect(answer.head.status == status)
    #expect(other.requests.isEmpty)
  }

  @Test func `an answer to a body has a limit`() async {
    server.serve("/endless", Response.endless(type: "application/json"))
    let failure = await failure(
      request("/endless") {
        $0.method = .post
        $0.limits = .api
      })
    #expect(failure == .tooLarge)
  }

  @Test func `asks for a range`() async throws {
    server.serve("/file") { Response.resource(Array("0123456789".utf8), type: "audio/mpeg").answering($0) }
    let answer = try await client.fetch(request("/file") { $0.range = ByteRange(from: 3, through: 5) })
    #expect(answer.head.status == 206)
    #expect(answer.body == Array("345".utf8))
  }

  @Test(arguments: [
    "file:///etc/passwd", "ftp://example.org/", "http://", "http:///x", "https://:80/", "gopher://x", "/etc/passwd",
    "--output", "http://exa mple.org/", "http://example.org/\r\nX: y", "",
  ])
  func `refuses what is no address of ours`(address: String) async {
    #expect(AddressGate.fault(in: address) != nil)
    #expect(await failure(HTTPRequest(url: address)) == .badAddress)
  }

  @Test(arguments: [
    ("file:/etc/passwd", "file: is not http or https"), ("FTP://example.org/", "ftp: is not http or https"),
    ("/etc/passwd", "it is no web address"), ("http:///x", "the address has no host"),
  ])
  func `says in plain words why an address is refused`(address: String, words: String) {
    #expect(AddressGate.fault(in: address) == words)
  }

  @Test func `what libcurl refuses without a word has plain words, too`() async {
    let error = await #expect(throws: TransferError.self) {
      try await client.fetch(HTTPRequest(url: "http://127.0.0.1:99999/"))
    }
    #expect(error?.code == .badAddress && error?.message == "this is no web address")
  }

  @Test func `refuses an endless address`() {
    #expect(AddressGate.fault(in: "http://example.org/" + String(repeating: "a", count: 100_000)) != nil)
  }
}

@Suite struct HTTPStreamTests {
  private let server: LoopbackServer
  private let client: HTTPClient

  init() throws {
    server = try LoopbackServer()
    client = try HTTPClient()
  }

  /// Patient: when the machine is busy, a consumer may come back late.
  private func request(_ path: String) -> HTTPRequest {
    var request = HTTPRequest(url: server.url(path))
    request.limits.stall = .seconds(120)
    return request
  }

  @Test func `hands on every byte in order however slow the consumer`() async throws {
    let bytes = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }
    server.serve("/big", Response.ok(bytes))
    let stream = client.stream(request("/big"))
    #expect(try await stream.head().status == 200)
    var received: [UInt8] = []
    while let chunk = try await stream.next() {
      received += chunk
      await Task.yield()
    }
    #expect(received == bytes)
  }

  @Test func `bytes arrive before the answer is complete`() async throws {
    let gate = Gate()
    server.serve("/slow", Response.ok(Array("firstlast".utf8)).pausing(at: 5, until: gate))
    let stream = client.stream(request("/slow"))
    #expect(try await stream.next() == Array("first".utf8))
    gate.open()
    #expect(try await stream.next() == Array("last".utf8))
    #expect(try await stream.next() == nil)
  }

  @Test func `a cancelled task ends its transfer`() async throws {
    server.serve("/silent", Response.ok("x").neverAnswering())
    let task = Task { [client, request = request("/silent")] in try await client.fetch(request) }
    _ = try await server.request(1)
    task.cancel()
    await #expect(throws: TransferError.cancelled) { try await task.value }
  }

  @Test func `letting go of the client ends its transfers`() async throws {
    server.serve("/silent", Response.ok("x").neverAnswering())
    var client: HTTPClient? = try HTTPClient()
    let stream = try #require(client).stream(request("/silent"))
    _ = try await server.request(1)
    client = nil
    await #expect(throws: TransferError.cancelled) { try await stream.next() }
  }

  @Test func `many transfers at once all end`() async throws {
    server.serveOthers { request in Response.ok(request.target) }
    let bodies = try await withThrowingTaskGroup(of: [UInt8].self) { group in
      for number in 0..<200 {
        group.addTask { try await client.fetch(request("/\(number)")).body }
      }
      return try await group.reduce(into: Set<[UInt8]>()) { $0.insert($1) }
    }
    #expect(bodies.count == 200)
  }
}
