import Glibc
import PodcastModel
import TestSupport
import Testing

@testable import PodcastStore
@testable import Podcatcher
@testable import Transfer

@Suite struct DownloaderTests {
  private let show: OneEpisode

  init() async throws { show = try await OneEpisode() }

  @Test func `D6: an endless body stops at the limit, and nothing of it stays`() async throws {
    show.server.serve("/1.mp3", .endless([0xFF, 0xFB, 0x90, 0], type: "audio/mpeg"))
    var limits = FillLimits()
    limits.largest = 3_000_000
    #expect(try await show.download(limits) == .failure(.tooLarge(limit: 3_000_000)))
    #expect(access(show.path + ".part", F_OK) != 0)
  }

  @Test func `S1: the room that is left to others is not taken`() async throws {
    show.server.serve("/1.mp3", .ok([UInt8](repeating: 0xFF, count: 100_000), type: "audio/mpeg"))
    var limits = FillLimits()
    limits.reserve = .max
    #expect(try await show.download(limits) == .failure(.diskFull(path: show.path)))
  }
}

@Suite struct LostFileTests {
  @Test func `no byte is written before the library knows of which rendition it is`() async throws {
    let show = try await OneEpisode()
    show.serve([UInt8](repeating: 0xFF, count: 100_000))
    let connection = try Connection(path: show.home.path + "/library.db", mode: .readWrite)
    try connection.executeScript(
      """
      CREATE TRIGGER refusing BEFORE UPDATE ON media WHEN new.rendition IS NOT NULL BEGIN
        SELECT RAISE(ABORT, 'refused');
      END;
      """)
    guard case .failure(.store) = try await show.download() else { throw Unexpected() }
    #expect((try? contents(of: show.path + ".part")) ?? [] == [])
    #expect(access(show.path + ".part.map", F_OK) != 0)
  }

  private struct Unexpected: Error {}

  @Test func `a download over a record whose file is gone says at once that it is under way`() async throws {
    let show = try await OneEpisode()
    show.serve([UInt8](repeating: 0xFF, count: 100_000))
    _ = try await show.download()
    #expect(try await show.row()?.state == .complete)
    unlink(show.path)
    let gate = Gate()
    let resource = Response.resource([UInt8](repeating: 0xFF, count: 100_000), type: "audio/mpeg", etag: "\"one\"")
    show.server.serve("/1.mp3") { resource.answering($0).delayed(until: gate) }
    async let second = show.download()
    try await show.server.request(2)
    #expect(try await show.row()?.state == .downloading)
    gate.open()
    _ = try await second?.get()
    #expect(try await show.row()?.state == .complete)
  }

  @Test func `a download that met a server without ranges asks for a range again`() async throws {
    let show = try await OneEpisode()
    let bytes = (0..<900_000).map { UInt8(truncatingIfNeeded: $0 &* 2_654_435_761 >> 7) }
    let ranged = Response.resource(bytes, type: "audio/mpeg", etag: "\"one\"")
    let whole = Response.resource(bytes, type: "audio/mpeg", etag: "\"one\"", ranges: .ignored)
    let count = Observed(0)
    show.server.serve("/1.mp3") { request in
      switch count.update({
        $0 += 1; return $0
      }) {
      case 1: ranged.answering(request).truncated(at: 300_000)
      case 2: whole.answering(request).truncated(at: 600_000)
      default: ranged.answering(request)
      }
    }
    _ = try await show.download()?.get()
    #expect(try await show.row()?.state == .complete)
    let asked = show.server.requests.map { $0.header("Range") }
    #expect(asked == [nil, "bytes=300000-", "bytes=600000-"])
  }
}

@Suite struct DownloadNameTests {
  @Test(arguments: [
    ("a/b\\c:d", "a b c d"), ("..", ""), ("Übung – 7!", "Übung 7"), ("\u{202E}gpm.exe\u{0}", "gpm exe"),
    ("snake_case-kebab", "snake_case-kebab"), ("🎙️", ""),
  ])
  func `a slug has letters, digits, blanks, underscores and hyphens`(text: String, slug: String) {
    #expect(FileNameText.slug(text) == slug)
  }

  @Test func `a long slug is cut between characters`() {
    let slug = FileNameText.slug(String(repeating: "é", count: 500))
    #expect(slug.utf8.count <= 120 && slug.allSatisfy { $0 == "é" })
  }

  @Test(arguments: ["/media/../etc/passwd", "/media/a", "/media/a/b/c", "/media//b", "/elsewhere/a/b", "/media/a/.."])
  func `a path that is not in the folder is refused`(path: String) {
    #expect(MediaFilePath(path: path, in: "/media") == nil)
  }
}

@Suite struct AnswerVerdictTests {
  private func verdict(
    _ status: Int, _ headers: [String: String], asked: Int64?,
    known: Rendition? = Rendition(etag: "\"a\"", lastModified: "Monday", total: 100), isLenient: Bool = false
  ) -> AnswerVerdict {
    let head = HTTPHead(
      status: status, headers: headers.map { .init($0.key, $0.value) }, url: "http://127.0.0.1/", redirects: [])
    return AnswerVerdict(head, asked: asked, known: known, isLenient: isLenient)
  }

  @Test func `only bytes of the file that is here go into it`() {
    #expect(verdict(206, ["content-range": "bytes 10-99/100", "etag": "\"a\""], asked: 10) == .bytes(from: 10))
    #expect(verdict(206, ["content-range": "bytes 10-99/*"], asked: 10) == .bytes(from: 10))
    let others = [
      ["content-range": "bytes 10-98/99"], ["content-range": "bytes 10-99/100", "etag": "\"b\""],
      ["content-range": "bytes 10-99/100", "last-modified": "Tuesday"],
    ]
    for other in others { #expect(verdict(206, other, asked: 10) == .anotherFile(isWhole: false)) }
  }

  @Test func `bytes from another offset, or compressed ones, are of no use`() {
    #expect(verdict(206, ["content-range": "bytes 11-99/100"], asked: 10) == .wrongPosition)
    #expect(
      verdict(206, ["content-range": "bytes 10-99/100", "content-encoding": "gzip"], asked: 10) == .wrongPosition)
    #expect(verdict(206, [:], asked: 10) == .wrongPosition)
  }

  @Test func `a whole answer is the same file only when it says so`() {
    #expect(verdict(200, ["etag": "\"a\"", "content-length": "100"], asked: 10) == .bytes(from: 0))
    #expect(verdict(200, ["last-modified": "Monday"], asked: 10) == .bytes(from: 0))
    #expect(verdict(200, ["etag": "\"b\""], asked: 10) == .anotherFile(isWhole: true))
    #expect(verdict(200, ["etag": "\"a\"", "content-length": "99"], asked: 10) == .anotherFile(isWhole: true))
    #expect(verdict(200, [:], asked: 10) == .anotherFile(isWhole: true))
    #expect(verdict(200, ["content-length": "100"], asked: 10, known: Rendition(total: 100)) == .bytes(from: 0))
  }

  @Test func `in memory a whole answer is another file only when it says so`() {
    #expect(verdict(200, [:], asked: 10, isLenient: true) == .bytes(from: 0))
    #expect(verdict(200, ["etag": "\"b\""], asked: 10, isLenient: true) == .anotherFile(isWhole: true))
    #expect(verdict(200, ["content-length": "99"], asked: 10, isLenient: true) == .anotherFile(isWhole: true))
  }

  @Test func `chunks mark the end of a body, and HTTP/2 always does`() {
    func marksItsEnd(_ statusLine: String, _ header: String) -> Bool {
      var collector = HeadCollector(patience: .seconds(60))
      for line in ["HTTP/1.1 200 Connection established", statusLine, header] { collector.take(line[...]) }
      return HTTPHead(
        status: collector.status, headers: collector.headers, url: "", redirects: [], version: collector.version
      ).marksItsEnd
    }
    #expect(!marksItsEnd("HTTP/1.1 200 OK", "Connection: close"))
    #expect(marksItsEnd("HTTP/1.1 200 OK", "Transfer-Encoding: chunked"))
    #expect(marksItsEnd("HTTP/2 200", "X: y"))
  }

  @Test func `a length below zero is none`() {
    let head = HTTPHead(
      status: 206, headers: [.init("content-range", "bytes 0-99/-1")], url: "http://127.0.0.1/", redirects: [])
    #expect(head.totalSize == nil && head.firstByte == 0)
  }

  @Test func `a header without a value tells no renditions apart`() {
    let known = Rendition(etag: "", lastModified: "Monday", total: 100)
    #expect(known.validator == "Monday")
    let other = ["content-range": "bytes 10-99/100", "etag": "", "last-modified": "Tuesday"]
    #expect(verdict(206, other, asked: 10, known: known) == .anotherFile(isWhole: false))
    let head = HTTPHead(
      status: 200, headers: other.map { .init($0.key, $0.value) }, url: "http://127.0.0.1/", redirects: [])
    #expect(head.rendition.validator == "Tuesday")
    #expect(Rendition(etag: "", lastModified: "").validator == nil)
  }

  @Test func `a coding that packs nothing leaves length and validators as they are`() {
    let head = HTTPHead(
      status: 200, headers: [.init("content-encoding", "aws-chunked"), .init("content-length", "100")],
      url: "http://127.0.0.1/", redirects: [])
    #expect(head.length == 100)
  }

  @Test func `with nothing here any file will do`() {
    #expect(verdict(200, [:], asked: nil, known: nil) == .bytes(from: 0))
    #expect(verdict(206, ["content-range": "bytes 10-99/100"], asked: 10, known: nil) == .bytes(from: 10))
  }

  @Test func `everything else is a refusal or a failure`() {
    #expect(verdict(416, [:], asked: 10) == .rangeRefused)
    #expect(verdict(206, ["content-range": "bytes 0-99/100"], asked: nil) == .failed(status: 206))
    #expect(verdict(404, [:], asked: nil) == .failed(status: 404))
  }
}
