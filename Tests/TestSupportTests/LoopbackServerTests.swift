import TestSupport
import Testing

@Suite struct LoopbackServerTests {
  let server = try! LoopbackServer()
  let digits = Array("0123456789".utf8)

  @Test func `serves its responses, and 404 for other paths`() async throws {
    server.serve("/a", .ok("hello"))
    let found = try await fetch("/a?x=1", from: server)
    #expect(found.hasPrefix("HTTP/1.1 200 OK\r\n"))
    #expect(found.contains("Content-Length: 5\r\n"))
    #expect(body(found) == "hello")
    #expect(try await fetch("/b", from: server).hasPrefix("HTTP/1.1 404"))
    #expect(server.requests.map(\.target) == ["/a?x=1", "/b"])
    #expect(server.requests[0].query == "x=1")
  }

  @Test func `keeps a connection for several requests, pipelined ones too`() async throws {
    server.serve("/a", inTurn: [.ok("one"), .ok("two").chunked(2)])
    let server = self.server
    let answer = try await offPool {
      Result {
        let client = try RawClient(server)
        client.send("GET /a HTTP/1.1", "", "GET /a HTTP/1.1", "Connection: close")
        return client.receiveAll()
      }
    }.get()
    #expect(answer.contains("\r\n\r\noneHTTP/1.1 200 OK"))
    #expect(answer.hasSuffix("\r\n\r\n2\r\ntw\r\n1\r\no\r\n0\r\n\r\n"))
    #expect(server.requests.map(\.connection) == [1, 1])
  }

  @Test func `hands the request's headers and body to the handler`() async throws {
    server.serve("/post") {
      .ok("\($0.method) \($0.header("x-NAME") ?? "") \(String(decoding: $0.body, as: UTF8.self))")
    }
    let answer = try await fetch(
      "/post", from: server, method: "POST", "X-Name: v w", "Content-Length: 3", "", "abc")
    #expect(body(answer) == "POST v w abc")
  }

  @Test func `answers HEAD without a body`() async throws {
    server.serve("/a", .ok("hello"))
    let answer = try await fetch("/a", from: server, method: "HEAD")
    #expect(answer.contains("Content-Length: 5\r\n"))
    #expect(answer.hasSuffix("\r\n\r\n"))
  }

  @Test func `refuses requests that are not HTTP`() async throws {
    let server = self.server
    let answer = try await offPool {
      Result {
        let client = try RawClient(server)
        client.send("hello")
        return client.receiveAll()
      }
    }.get()
    #expect(answer.hasPrefix("HTTP/1.1 400"))
    #expect(server.requests.isEmpty)
  }

  @Test func `sends redirects unchanged`() async throws {
    server.serve("/a", .redirect(to: "file:///etc/passwd", status: 308))
    let answer = try await fetch("/a", from: server)
    #expect(answer.hasPrefix("HTTP/1.1 308 Permanent Redirect\r\n"))
    #expect(answer.contains("\r\nLocation: file:///etc/passwd\r\n"))
  }

  @Test func `truncates with and without a Content-Length`() async throws {
    server.serve("/short", .ok(digits).truncated(at: 4))
    server.serve("/hidden", .ok(digits).truncated(at: 4).withoutLength())
    let short = try await fetch("/short", from: server)
    #expect(body(short) == "0123")
    #expect(short.contains("Content-Length: 10\r\n"))
    let hidden = try await fetch("/hidden", from: server)
    #expect(body(hidden) == "0123")
    #expect(!hidden.contains("Content-Length"))
  }

  @Test func `sends a wrong Content-Length`() async throws {
    server.serve("/a", .ok(digits).claimingLength(99))
    let answer = try await fetch("/a", from: server)
    #expect(answer.contains("Content-Length: 99\r\n"))
    #expect(body(answer) == "0123456789")
  }

  @Test func `a pause lasts until the test ends it`() async throws {
    let gate = Gate()
    server.serve("/a", .ok(digits).pausing(at: 4, until: gate))
    async let answer = fetch("/a", from: server)
    try await server.request(1, to: "/a")
    #expect(server.exchanges[0].end == .underway)
    gate.open()
    #expect(body(try await answer) == "0123456789")
    try await server.wait(for: "the end") { $0[0].end == .complete && $0[0].bytesSent == 10 }
  }

  @Test func `records a client that left during a stall`() async throws {
    server.serve("/a", .ok(digits).stalling(at: 4))
    let server = self.server
    try await offPool {
      Result {
        let client = try RawClient(server)
        client.send("GET /a HTTP/1.1")
        while let some = client.receive(), !some.suffix(4).elementsEqual("0123".utf8) {}
      }
    }.get()
    try await server.wait(for: "the client's leaving") { $0.first?.end == .abandoned }
    #expect(server.exchanges[0].bytesSent == 4)
  }

  @Test func `stopping ends stalled, unanswered and idle connections`() async throws {
    server.serve("/stall", .ok(digits).stalling(at: 4))
    server.serve("/silent", .ok(digits).neverAnswering())
    async let stalled = fetch("/stall", from: server)
    async let silent = fetch("/silent", from: server)
    try await server.request(2)
    server.stop()
    _ = try await stalled
    #expect(try await silent == "")
    #expect(throws: SystemError.self) { _ = try RawClient(server) }
  }

  @Test func `resets a connection`() async throws {
    server.serve("/a", .ok(digits).reset())
    let server = self.server
    let received = try await offPool {
      Result {
        let client = try RawClient(server)
        client.send("GET /a HTTP/1.1")
        return client.receive()
      }
    }.get()
    #expect(received == nil)
  }

  @Test func `sends garbage, an endless body and a slow one`() async throws {
    server.serve("/garbage", .garbage(Array("no HTTP".utf8)))
    server.serve("/endless", .endless(Array("ab".utf8), type: "audio/mpeg").truncated(at: 7))
    server.serve("/slow", .ok(digits).paced(3, every: .milliseconds(1)))
    server.serve("/throttled", .ok(digits).throttled(bytesPerSecond: 1_000_000))
    #expect(try await fetch("/garbage", from: server) == "no HTTP")
    #expect(body(try await fetch("/endless", from: server)) == "abababa")
    #expect(body(try await fetch("/slow", from: server)) == "0123456789")
    #expect(body(try await fetch("/throttled", from: server)) == "0123456789")
  }

  @Test func `serves hundreds of connections at once`() async throws {
    server.serve("/a", .resource(Array(repeating: 7, count: 50_000)))
    let server = self.server
    try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<200 { group.addTask { body(try await fetch("/a", from: server)).utf8.count } }
      for try await count in group { #expect(count == 50_000) }
    }
    #expect(server.requests(to: "/a").count == 200)
  }
}
