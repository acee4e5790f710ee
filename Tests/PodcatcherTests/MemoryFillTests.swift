import Playback
import TestSupport
import Testing
import Transfer

@testable import Podcatcher

@Suite struct MemoryFillTests {
  private let server: LoopbackServer
  private let client: HTTPClient
  /// Longer than what a stream reads ahead.
  private static let bytes = (0..<5_000_000).map { UInt8(truncatingIfNeeded: $0 &* 2_654_435_761 >> 7) }
  private var bytes: [UInt8] { Self.bytes }

  init() throws {
    server = try LoopbackServer()
    client = try HTTPClient()
  }

  private func source() -> StreamedMedia {
    var request = HTTPRequest(url: server.url("/m.mp3"))
    request.acceptsCompression = false
    request.limits = .media
    return StreamedMedia(MediaFill(inMemory: request, .stream(patience: .seconds(120)), client: { [client] in client }))
  }

  private func resource(_ ranges: Response.Ranges = .honoured) -> Response {
    Response.resource(bytes, type: "audio/mpeg", etag: "\"one\"", ranges: ranges)
  }

  /// On a thread of its own, as the engine reads.
  private func read(_ stream: any ByteStream, _ count: Int) async -> [UInt8]? {
    await offPool {
      var result: [UInt8] = []
      var buffer = [UInt8](repeating: 0, count: 32_000)
      while result.count < count {
        let wanted = min(buffer.count, count - result.count)
        let got = buffer.withUnsafeMutableBytes { stream.read(into: .init(rebasing: $0[..<wanted])) }
        guard let got else { return nil }
        if got == 0 { break }
        result += buffer[..<got]
      }
      return result
    }
  }

  @Test func `reads a media file whole and knows that it did`() async throws {
    server.serve("/m.mp3") { [resource = resource()] in resource.answering($0) }
    let source = source()
    let stream = try #require(source.open())
    #expect(await offPool { stream.size } == Int64(bytes.count))
    #expect(await read(stream, .max) == bytes)
    #expect(source.wasReadToItsEnd)
    stream.close()
  }

  @Test func `the last byte is the end, whether or not more is asked for`() async throws {
    server.serve("/m.mp3") { [resource = resource()] in resource.answering($0) }
    let source = source()
    let stream = try #require(source.open())
    #expect(await read(stream, bytes.count) == bytes)
    #expect(source.wasReadToItsEnd)
  }

  @Test func `a look at the end is not having read to it`() async throws {
    server.serve("/m.mp3") { [resource = resource()] in resource.answering($0) }
    let source = source()
    let stream = try #require(source.open())
    #expect(stream.seek(to: 4_999_872))
    #expect(await read(stream, .max)?.count == 128)
    #expect(source.wasReadToItsEnd)
    #expect(stream.seek(to: 0))
    #expect(await read(stream, 1000)?.count == 1000)
    #expect(!source.wasReadToItsEnd)
  }

  @Test func `an answer in chunks says itself where it ends`() async throws {
    server.serve("/m.mp3", Response.ok(Array(bytes[..<100_000]), type: "audio/mpeg").chunked())
    let source = source()
    let stream = try #require(source.open())
    #expect(await read(stream, .max)?.count == 100_000)
    #expect(source.wasReadToItsEnd)
  }

  @Test func `a seek asks for another range of the same file`() async throws {
    server.serve("/m.mp3") { [resource = resource()] in resource.answering($0) }
    let stream = try #require(source().open())
    #expect(await read(stream, 1000) == Array(bytes[..<1000]))
    #expect(stream.seek(to: 4_650_000))
    #expect(await read(stream, .max) == Array(bytes[4_650_000...]))
    let asked = try await server.request(2)
    #expect(asked.header("Range") == "bytes=4650000-")
    #expect(asked.header("If-Range") == "\"one\"")
  }

  @Test func `a server without ranges is read from its start`() async throws {
    server.serve("/m.mp3") { [resource = resource(.ignored)] in resource.answering($0) }
    let stream = try #require(source().open())
    #expect(await read(stream, 10) == Array(bytes[..<10]))
    #expect(stream.seek(to: 4_500_000))
    #expect(await read(stream, .max) == Array(bytes[4_500_000...]))
  }

  @Test func `a broken connection is taken up where it broke`() async throws {
    let resource = resource()
    server.serve("/m.mp3") { request in
      let answer = resource.answering(request)
      return request.header("Range") == "bytes=0-" ? answer.truncated(at: 200_000) : answer
    }
    let stream = try #require(source().open())
    #expect(await read(stream, .max) == bytes)
    #expect(server.requests.map { $0.header("Range") } == ["bytes=0-", "bytes=200000-"])
  }

  @Test func `a server without ranges that always breaks off at the same byte is given up`() async throws {
    server.serve("/m.mp3") { [resource = resource(.ignored)] in resource.answering($0).truncated(at: 300_000) }
    let source = source()
    let stream = try #require(source.open())
    #expect(await read(stream, .max) == nil)
    #expect(source.fault != nil)
  }

  @Test func `a server without ranges, lengths and validators may be asked once more`() async throws {
    let answers = Observed(0)
    server.serve("/m.mp3") { [bytes] request in
      let isFirst =
        answers.update({
          $0 += 1; return $0
        }) == 1
      let answer = Response.ok(bytes, type: "audio/mpeg").chunked()
      return isFirst ? answer.truncated(at: 300_000) : answer
    }
    let source = source()
    let stream = try #require(source.open())
    #expect(await read(stream, .max) == bytes)
    #expect(source.fault == nil)
  }

  @Test func `a server that is away for a while is waited for`() async throws {
    let resource = resource()
    let away = Observed(2)
    server.serve("/m.mp3") { request in
      if request.header("Range") == "bytes=0-" { return resource.answering(request).truncated(at: 1_600_000) }
      let isAway = away.update { left in
        defer { left -= 1 }
        return left > 0
      }
      return isAway ? Response.status(503) : resource.answering(request)
    }
    let stream = try #require(source().open())
    #expect(await read(stream, .max) == bytes)
    #expect(server.requests.count == 4)
  }

  @Test func `the network is given two minutes to come back`() {
    var schedule = RetrySchedule(patience: Settings()[SettingKeys.networkPatience])
    var waited = Duration.zero
    while let pause = schedule.next() { waited += pause }
    #expect(waited >= .seconds(120) && waited < .seconds(130))
  }

  @Test func `a server that says nothing is waited for no longer than the network's patience`() {
    let fault = MediaFault.transfer(TransferError(.stalled, "it does not answer"))
    var retries = FillRetries(.stream(patience: .seconds(40)))
    #expect(retries.pause(after: fault, isAnswered: true, progress: 0, took: .seconds(20)) != nil)
    #expect(retries.pause(after: fault, isAnswered: true, progress: 0, took: .seconds(20)) == nil)
    // Connections that are closed without an answer count for that time alone; of answers that break off, a few do.
    let cut = MediaFault.transfer(TransferError(.cut, "it broke off"))
    for (isAnswered, tries) in [(true, 5), (false, 10)] {
      var retries = FillRetries(.stream(patience: .seconds(40)))
      var count = 0
      while retries.pause(after: cut, isAnswered: isAnswered, progress: 0) != nil { count += 1 }
      #expect(count == tries)
    }
    // An hour that brought bytes counts for nothing.
    #expect(retries.pause(after: fault, isAnswered: true, progress: 10, took: .seconds(3600)) != nil)
    #expect(retries.pause(after: fault, isAnswered: true, progress: 10, took: .seconds(20)) != nil)
    #expect(retries.pause(after: fault, isAnswered: true, progress: 10, took: .seconds(20)) == nil)
  }

  @Test func `a file that changed meanwhile is never spliced`() async throws {
    let first = resource()
    let second = Response.resource([UInt8](repeating: 7, count: 700_000), type: "audio/mpeg", etag: "\"two\"")
    server.serve("/m.mp3") { request in
      request.header("Range") == "bytes=0-"
        ? first.answering(request).truncated(at: 200_000) : second.answering(request)
    }
    let source = source()
    let stream = try #require(source.open())
    #expect(await read(stream, .max) == nil)
    #expect(source.fault == .changed)
    #expect(!source.wasReadToItsEnd)
  }

  @Test(arguments: [404, 403, 500])
  func `an answer that is no media file fails at once`(status: Int) async throws {
    server.serve("/m.mp3", Response.status(status))
    let source = source()
    let stream = try #require(source.open())
    #expect(await read(stream, 1) == nil)
    #expect(source.fault == .status(status))
  }

  @Test func `cancelling ends a read that waits`() async throws {
    server.serve("/m.mp3", Response.ok("x").neverAnswering())
    let stream = try #require(source().open())
    async let bytes = read(stream, 1)
    _ = try await server.request(1)
    stream.cancel()
    #expect(await bytes == nil)
    #expect(stream.seek(to: 0) == false)
  }
}
