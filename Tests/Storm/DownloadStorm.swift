private import Glibc
internal import TestSupport

/// Kills podcli while it downloads ten files in parallel from a slow server. In the end all files must be complete, byte
/// for byte, and hardly any byte may have been fetched twice.
struct DownloadStorm {
  let amount: Amount
  private static let files = 10
  private static let size = 10_000_000
  /// The limit of the bytes fetched, as a multiple of the files' size.
  private static let allowance = 1.05

  func run() async throws {
    let home = try TemporaryHome()
    let server = try LoopbackServer()
    let media = (1...Self.files).map { Media.bytes(Self.size, seed: $0) }
    server.serve("/feed.xml", .feed(SampleFeed(episodes: Self.files, mediaBase: server.url("/media")).bytes))
    for (index, bytes) in media.enumerated() {
      let resource = Response.resource(bytes, etag: "\"\(index)\"")
      server.serve("/media/\(index + 1).wav") { request in
        resource.answering(request).paced(32 << 10, every: .milliseconds(10))
      }
    }
    try await expect(home.podcli("subscribe", server.url("/feed.xml")), "subscribe")
    let ids = (1...Self.files).map(String.init)
    var random = SeededGenerator(seed: 3)
    var kills = 0
    for round in amount.begin() {
      let running = try home.podcli(["download"] + ids).start()
      // A random moment: there is no condition to wait for.
      _ = poll(nil, 0, Int32.random(in: 100...450, using: &random))
      running.send(SIGKILL)
      let outcome = try await running.end()
      if outcome.status == .exited(0) {
        if amount.isTime { break }
        stop("all was done after \(kills) kills")
      }
      kills = round
    }
    try await expect(home.podcli(["download"] + ids), "the last download")
    try check(home, server, media, kills)
    home.remove()
  }

  private func expect(_ program: Program, _ what: String) async throws {
    let outcome = try await program.run(by: Deadline(after: .seconds(300)))
    if outcome.status != .exited(0) { stop("\(what): \(outcome)") }
  }

  private func check(_ home: TemporaryHome, _ server: LoopbackServer, _ media: [[UInt8]], _ kills: Int) throws {
    for (index, bytes) in media.enumerated() {
      let path = home.path + "/podcli/media/1-Sample Show/\(index + 1)-Episode \(index + 1).wav"
      if try contents(of: path) != bytes { stop("file \(index + 1) is not what the server has") }
    }
    let fetched = server.exchanges.filter { $0.request.path.hasPrefix("/media") }.reduce(0) { $0 + $1.bytesSent }
    let ratio = Double(fetched) / Double(Self.files * Self.size)
    let shown = Double(Int(ratio * 10_000)) / 10_000
    print("\(kills) kills amid \(Self.files) downloads: every file whole, \(shown) x their size fetched")
    if ratio > Self.allowance { stop("that is more than \(Self.allowance)") }
  }
}

enum Media {
  /// Random bytes, so that bytes at a wrong offset are detected, after the signature of a WAV file.
  static func bytes(_ count: Int, seed: Int) -> [UInt8] {
    var generator = SeededGenerator(seed: UInt64(seed))
    var bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, done in
      var index = 0
      while index < count {
        var word = generator.next()
        for _ in 0..<min(8, count - index) {
          buffer[index] = UInt8(truncatingIfNeeded: word)
          word >>= 8
          index += 1
        }
      }
      done = count
    }
    bytes.replaceSubrange(0..<4, with: Array("RIFF".utf8))
    return bytes
  }
}
