import Glibc
import PodcastModel
import PodcastStore
import TestSupport
import Testing
import Text

/// Playing from the network, which fills the media file.
@Suite struct StreamTests {
  /// Bytes that never repeat, so that a wrong offset shows.
  private static let sound =
    Tone(seconds: 60, sampleRate: 48_000).wav.prefix(44)
    + (0..<5_760_000).map { UInt8(truncatingIfNeeded: ($0 &* 2_654_435_761) >> 9) }
  private var sound: [UInt8] { Array(Self.sound) }

  private func stage(_ response: Response? = nil) async throws -> Stage {
    let stage = try Stage(episodes: 1, seconds: 60)
    let response = response ?? Response.resource(sound, type: "audio/wav", etag: "\"one\"")
    stage.server.serve("/media/1.wav") { response.answering($0) }
    try await stage.subscribe()
    return stage
  }

  private func play(_ stage: Stage, _ arguments: String...) -> Program {
    stage.home.podcli(["play", "1"] + arguments).setting("PODCLI_AO", "null:ao-null-untimed=yes")
  }

  private static func firstByte(_ request: Request) -> Int {
    request.header("Range").flatMap { Int($0.split(separator: "-")[0].dropFirst(6)) } ?? 0
  }

  private func sent(_ stage: Stage) -> Int {
    stage.server.exchanges.filter { $0.request.path.hasPrefix("/media") }.reduce(0) { $0 + $1.bytesSent }
  }

  @Test func `a finished stream is a whole file, and plays offline`() async throws {
    let stage = try await stage()
    #expect(try await play(stage).run().status == .exited(0))
    let path = try #require(try await stage.library().episode(EpisodeID(rawValue: 1))?.download?.path)
    #expect(try contents(of: path) == sound)
    #expect(sent(stage) == sound.count)
    stage.server.stop()
    #expect(try await play(stage, "--restart", "--offline").run().status == .exited(0))
  }

  @Test func `libmpv is loaded while an answer is awaited, and not before its server is connected to`() async throws {
    let stage = try Stage(episodes: 1)
    // An MP3 is not opened before its first bytes are here.
    let feed = SampleFeed(
      episodes: 1, mediaBase: stage.server.url("/media"), mediaEnding: "mp3", mediaType: "audio/mpeg")
    stage.server.serve("/feed.xml", .feed(feed.bytes))
    stage.server.serve("/media/1.mp3", Response.status(200).neverAnswering())
    try await stage.subscribe()
    let trace = stage.home.path + "/trace"
    let words = ["-f", "-qq", "-o", trace, "-e", "trace=openat,socket", builtProduct("podcli"), "play", "1"]
    let playing = try stage.home.program("/usr/bin/strace", words).setting("PODCLI_AO", "null").start()
    @Sendable func calls() -> String { String(decoding: (try? contents(of: trace)) ?? [], as: UTF8.self) }
    try await eventually("libmpv", watching: stage.home.path) { calls().contains("libmpv.so.2") }
    #expect(calls().split(separator: "libmpv.so.2")[0].contains("socket(AF_INET, SOCK_STREAM"))
    #expect(try await stage.run("stop").status == .exited(0))
    _ = try await playing.end()
  }

  @Test func `the status of a stream says when all of it has come`() async throws {
    let stage = try Stage(episodes: 1, seconds: 20)
    try await stage.subscribe()
    let playing = try stage.home.podcli("play", "1").setting("PODCLI_AO", "null").start()
    try await stage.wait(for: "the whole file") { try await !$0.mediaRecords(.complete).isEmpty }
    #expect(try await stage.json("status").contains(#""download":{"state":"complete","progress":1,"#))
    playing.send(SIGTERM)
    _ = try await playing.end()
  }

  @Test func `a seek back to what is here does not wait for bytes that do not come`() async throws {
    let stage = try Stage(episodes: 1, seconds: 60)
    let medium = Response.resource(sound, type: "audio/wav", etag: "\"one\"")
    stage.server.serve("/media/1.wav") { request in
      Self.firstByte(request) < 1_000_000 ? medium.answering(request) : medium.answering(request).neverAnswering()
    }
    try await stage.subscribe()
    let playing = try stage.home.podcli("play", "1").setting("PODCLI_AO", "null").start()
    try await stage.wait(for: "sound") { try await $0.current()?.status.lastListenTime ?? .zero > .zero }
    #expect(try await stage.run("seek", "50").status == .exited(0))
    try await stage.server.wait(for: "the request of the far end") { exchanges in
      exchanges.contains { Self.firstByte($0.request) > 4_000_000 }
    }
    // Steps add up while no bytes come, and nothing is written of them.
    for position in [40, 30] {
      let status = JSON(parsing: try await stage.run("seek", "-10", "--json").output)
      #expect(status?["position"]?.int == Int64(position), "\(status?.compact ?? "")")
    }
    #expect(try await stage.library().current()?.status.lastListenTime ?? .zero < .seconds(20))
    #expect(try await stage.run("seek", "2").status == .exited(0))
    try await stage.wait(for: "sound from there") { library in
      let position = try await library.current()?.status.lastListenTime ?? .zero
      return position > .seconds(3) && position < .seconds(10)
    }
    playing.send(SIGTERM)
    _ = try await playing.end()
  }

  @Test func `an MP4 that begins with its index plays while it comes, also where the server tells no length`()
    async throws
  {
    let sound = try await Tone(seconds: 200, sampleRate: 24_000).encoded(
      as: "m4a", options: ["-b:a", "64k", "-movflags", "+faststart"])
    let stage = try Stage(episodes: 1, seconds: 200)
    var feed = SampleFeed(episodes: 1, mediaBase: stage.server.url("/media"), seconds: 200)
    (feed.mediaType, feed.mediaEnding) = ("audio/mp4", "m4a")
    stage.server.serve("/feed.xml", Response.feed(feed.bytes))
    let gate = Gate()
    defer { gate.open() }
    let answer = Response.ok(sound, type: "audio/mp4").chunked().pausing(at: 400_000, until: gate)
    stage.server.serve("/media/1.m4a", answer)
    try await stage.subscribe()
    let playing = try stage.home.podcli("play", "1").setting("PODCLI_AO", "null").start()
    try await stage.wait(forPosition: 2, of: 1)
    // A reader that waits for what comes behind the sound gives up in time, and the file is asked for once more.
    #expect(stage.server.requests(to: "/media/1.m4a").count == 1)
    playing.send(SIGTERM)
    _ = try await playing.end()
  }

  @Test(arguments: [true, false])
  func `a server that has another file at each request is heard in one, also without a media folder`(hasFolder: Bool)
    async throws
  {
    let stage = try Stage(episodes: 1, seconds: 60)
    let count = Observed(0)
    stage.server.serve("/media/1.wav") { [sound] request in
      let number = count.update { count in
        count += 1
        return count
      }
      return Response.resource(sound, type: "audio/wav", etag: "\"\(number)\"").answering(request)
    }
    try await stage.subscribe()
    if !hasFolder { try stage.home.write("", to: "podcli/media") }
    let outcome = try await play(stage, "--start", "50").run()
    #expect(outcome.status == .exited(0), "\(outcome)")
    #expect(try await stage.status(of: 1).hasCompleted)
    // The last request brought all of it.
    let last = try #require(stage.server.exchanges.last { $0.request.path == "/media/1.wav" })
    #expect(
      last.request.header("Range") == nil && last.bytesSent == sound.count,
      "\(stage.server.exchanges.map { ($0.request.path, $0.request.header("Range"), $0.bytesSent) })")
  }

  @Test func `an address that is refused meanwhile is replaced by the one that a refresh has brought`() async throws {
    let stage = try Stage(episodes: 1, seconds: 60)
    func serve(_ token: String) {
      let feed = SampleFeed(episodes: 1, mediaBase: stage.server.url("/media"), seconds: 60)
      let xml = feed.xml.replacing("/1.wav", with: "/1.wav?token=\(token)")
      stage.server.serve("/feed.xml", Response.feed(Array(xml.utf8)))
    }
    let medium = Response.resource(sound, type: "audio/wav", etag: "\"one\"")
    stage.server.serve("/media/1.wav") { request in
      if request.query == "token=new" { return medium.answering(request) }
      return Self.firstByte(request) < 1_000_000 ? medium.answering(request).truncated(at: 1_000_000) : .status(403)
    }
    serve("old")
    try await stage.subscribe()
    let playing = try stage.home.podcli("play", "1").setting("PODCLI_AO", "null").start()
    try await stage.wait(forPosition: 2, of: 1)
    serve("new")
    try #require(try await stage.run("refresh", "--force").status == .exited(0))
    #expect(try await stage.run("seek", "50").status == .exited(0))
    try await stage.wait(forPosition: 51, of: 1)
    playing.send(SIGTERM)
    _ = try await playing.end()
  }

  @Test(arguments: [false, true])
  func `a seek to bytes that will not come leads back to where it was heard`(isOffline: Bool) async throws {
    let stage = try Stage(episodes: 1, seconds: 60)
    let medium = Response.resource(sound, type: "audio/wav", etag: "\"one\"")
    stage.server.serve("/media/1.wav") { request in
      Self.firstByte(request) < 4_000_000 ? medium.answering(request).truncated(at: 4_000_000) : .status(403)
    }
    try await stage.subscribe()
    let program = stage.home.podcli(["play", "1"] + (isOffline ? ["--offline"] : [])).setting("PODCLI_AO", "null")
    if isOffline {
      let filling = try stage.home.podcli("play", "1").setting("PODCLI_AO", "null").start()
      try await stage.wait(forPosition: 1, of: 1)
      filling.send(SIGTERM)
      _ = try await filling.end()
    }
    let playing = try program.start()
    try await stage.wait(forPosition: 2, of: 1)
    #expect(try await stage.run("seek", "50").status == .exited(0))
    try await stage.wait(for: "sound from there") { library in
      let position = try await library.current()?.status.lastListenTime ?? .zero
      return position > .seconds(3) && position < .seconds(45)
    }
    #expect(try await stage.json("status").contains("it goes on where it was"))
    playing.send(SIGTERM)
    let outcome = try await playing.end()
    #expect(outcome.error.contains("Going on at 0:") || outcome.output.contains("Going on at 0:"), "\(outcome)")
  }

  @Test func `kill -9 loses no received byte, and the rest completes the file`() async throws {
    let stage = try await stage()
    let sink = try PCMSink(in: stage.home)
    for round in 1...3 {
      let playing = try stage.home.podcli(round == 1 ? ["play", "1"] : ["resume"]).heard(by: sink).start()
      try await sink.wait(forSeconds: Double(round) * 1.2)
      playing.send(SIGKILL)
      _ = try await playing.end()
    }
    #expect(try await stage.run("download", "1").status == .exited(0))
    let path = try #require(try await stage.library().episode(EpisodeID(rawValue: 1))?.download?.path)
    #expect(try contents(of: path) == sound)
    // Bytes in flight at each kill.
    #expect(sent(stage) < sound.count + 3 * 600_000)
  }

  @Test func `the length of what came so far is not kept as that of the episode`() async throws {
    let sound = try await Tone(seconds: 60, sampleRate: 24_000).encoded(
      as: "mp3", options: ["-b:a", "64k", "-write_xing", "0"])
    let gate = Gate()
    defer { gate.open() }
    let stage = try Stage(episodes: 1, seconds: 60)
    var feed = SampleFeed(episodes: 1, mediaBase: stage.server.url("/media"), seconds: 60)
    (feed.mediaType, feed.mediaEnding) = ("audio/mpeg", "mp3")
    stage.server.serve("/feed.xml", Response.feed(feed.bytes))
    let answer = Response.ok(sound, type: "audio/mpeg").chunked().pausing(at: 200_000, until: gate)
    stage.server.serve("/media/1.mp3", answer)
    try await stage.subscribe()
    let playing = try stage.home.podcli("play", "1").start()
    try await stage.wait(forPosition: 2, of: 1)
    let status = JSON(parsing: try await stage.json("status"))
    #expect(status?["duration"] == 60, "\(status?.compact ?? "")")
    // Nor is it the end.
    #expect(try await stage.run("seek", "50").status == .exited(0))
    playing.send(SIGTERM)
    _ = try await playing.end()
    let length = try #require(try await stage.library().episode(.init(rawValue: 1))?.duration)
    #expect(length >= .seconds(59), "\(length)")
  }

  /// So many more bytes, and so many seconds, does the feed announce.
  @Test(arguments: [(60_000, 0, true), (1_000, 0, false), (1_000, 30, true), (0, 30, false)], [false, true])
  func `a file whose server tells no length is played to its end unless the feed announces far more`(
    announced: (more: Int, seconds: Int, isCut: Bool), isDownloaded: Bool
  ) async throws {
    let (more, seconds, isCut) = announced
    let sound = try await Tone(seconds: 9, sampleRate: 24_000).encoded(
      as: "mp3", options: ["-b:a", "64k", "-write_xing", "0"])
    let stage = try await stage(Response.ok(sound, type: "audio/mpeg").withoutLength().truncated(at: sound.count / 3))
    let item = """
      <item><title>x</title><itunes:duration>\(seconds)</itunes:duration>
      <enclosure url="\(stage.server.url("/media/1.wav"))" length="\(sound.count / 3 + more)"/></item>
      """
    let feed = "<rss xmlns:itunes='http://www.itunes.com/dtds/podcast-1.0.dtd'><channel><title>Other</title>"
    stage.server.serve("/other.xml", Response.feed(Array("\(feed)\(item)</channel></rss>".utf8)))
    #expect(try await stage.run("subscribe", stage.server.url("/other.xml")).status == .exited(0))
    if isDownloaded {
      try #require(try await stage.run("download", "2").status == .exited(0))
      let again = try await stage.run("download", "2").error
      #expect(again.contains("podcli downloads --remove 2") == (more != 0), "\(again)")
    }
    let outcome = try await stage.run("play", "2")
    #expect(outcome.status == .exited(isCut ? 5 : 0), "\(outcome)")
    #expect(outcome.error.contains("broke off before its end") == isCut, "\(outcome)")
    #expect(try await stage.status(of: 2).hasCompleted == !isCut)
  }

  @Test func `offline a missing file is reported, and no connection is opened`() async throws {
    let stage = try await stage()
    let before = stage.server.requests.count
    let outcome = try await play(stage, "--offline").run()
    #expect(outcome.status == .exited(5), "\(outcome)")
    #expect(outcome.error.contains("not on this machine"))
    #expect(stage.server.requests.count == before)
  }

  @Test(arguments: [
    ("#EXTM3U\n#EXT-X-VERSION:3\n1.ts\n", "a playlist"), ("[playlist]\nFile1=http://a/", "a playlist"),
    ("", "gives nothing at all"),
  ])
  func `a playlist or nothing in the place of audio is told`(body: String, words: String) async throws {
    let stage = try await stage(.ok(body, type: "application/vnd.apple.mpegurl"))
    let outcome = try await play(stage).run()
    #expect(outcome.status == .exited(8), "\(outcome)")
    #expect(outcome.error.contains(words))
  }

  private static let noSound: [[UInt8]] = [
    Array("Service temporarily unavailable\n".utf8), [UInt8](repeating: 0, count: 500_000),
    (0..<300_000).map { UInt8(truncatingIfNeeded: ($0 &* 2_654_435_761) >> 9) | 0x80 },
  ]

  @Test(arguments: 0..<3)
  func `D5: what cannot be played does not stay the episode: a server that is well is asked again`(
    kind: Int
  ) async throws {
    let stage = try await stage()
    let body = Self.noSound[kind]
    stage.server.serve("/media/1.wav") { Response.resource(body, type: "audio/wav", etag: "\"one\"").answering($0) }
    let first = try await play(stage).run()
    #expect(first.status == .exited(8), "\(first)")
    if kind < 2 { #expect(try await stage.library().mediaRecords(.complete).isEmpty) }
    let before = stage.server.requests(to: "/media/1.wav").count
    let second = try await play(stage).run()
    #expect(second.status == .exited(8), "\(second)")
    #expect(stage.server.requests(to: "/media/1.wav").count > before)
    if kind == 2 { #expect(second.error.contains("podcli downloads --remove 1"), "\(second)") }
    let sound = sound
    stage.server.serve("/media/1.wav") { Response.resource(sound, type: "audio/wav", etag: "\"two\"").answering($0) }
    let third = try await play(stage).run()
    #expect(third.status == .exited(0), "\(third)")
    let path = try #require(try await stage.library().episode(EpisodeID(rawValue: 1))?.download?.path)
    #expect(try contents(of: path) == sound)
  }

  @Test func `D5: a page that an older podcli took for the episode is fetched anew by download`() async throws {
    let stage = try await stage()
    #expect(try await stage.run("download", "1").status == .exited(0))
    let path = try #require(try await stage.library().episode(EpisodeID(rawValue: 1))?.download?.path)
    let zeros = [UInt8](repeating: 0, count: sound.count)
    try stage.home.write(zeros, to: String(path.dropFirst(stage.home.path.count + 1)))
    let again = try await stage.run("download", "1")
    #expect(again.status == .exited(0) && !again.error.contains("already here"), "\(again)")
    #expect(try contents(of: path) == sound)
  }

  @Test func `what cannot be had names the next command`() async throws {
    let stage = try await stage()
    stage.server.serve("/media/1.wav", Response.status(401))
    let silent = SampleFeed(title: "Silent", episodes: 1).xml.replacing("<enclosure ", with: "<nothing ")
    stage.server.serve("/silent.xml", .feed(Array(silent.utf8)))
    _ = try await stage.run("subscribe", stage.server.url("/silent.xml"))
    for (words, status, hint) in [
      (["play", "1"], 4, "podcli subscribe FEED-URL --user NAME"), (["play", "2"], 8, "podcli info 2"),
      (["download", "1"], 4, "podcli subscribe FEED-URL --user NAME"), (["download", "2"], 1, "podcli info 2"),
    ] as [([String], Int32, String)] {
      let outcome = try await stage.home.podcli(words).run()
      #expect(outcome.status == .exited(status) && outcome.error.contains(hint), "\(words): \(outcome)")
    }
  }

  @Test func `S1: without space for a file the stream plays from memory`() async throws {
    let stage = try await stage()
    let program = builtProduct("podcli")
    // In blocks of 512 bytes: a tenth of the episode, and more than the 1,024 that the thread sanitizer maps.
    let outcome = try await stage.home.program("/bin/sh", "-c", "ulimit -f 1100; exec \"\(program)\" play 1")
      .setting("PODCLI_AO", "null:ao-null-untimed=yes").run()
    #expect(outcome.status == .exited(0), "\(outcome)")
    #expect(try await stage.status(of: 1).hasCompleted)
  }

  @Test func `a file changed while it plays goes on in the new one, and is whole`() async throws {
    let stage = try await stage()
    let first = Response.resource(sound, type: "audio/wav", etag: "\"one\"")
    let changed = sound.prefix(44) + sound.dropFirst(44).reversed()
    let second = Response.resource(Array(changed), type: "audio/wav", etag: "\"two\"")
    let count = Observed(0)
    stage.server.serve("/media/1.wav") { request in
      let number = count.update { count in
        count += 1
        return count
      }
      return number < 3 ? first.answering(request) : second.answering(request)
    }
    let outcome = try await play(stage).run()
    #expect(outcome.status == .exited(0), "\(outcome)")
    #expect(outcome.error.contains("The publisher changed the file"))
    let path = try #require(try await stage.library().episode(EpisodeID(rawValue: 1))?.download?.path)
    #expect(try contents(of: path) == Array(changed))
  }

  @Test func `the cache is bounded after each episode`() async throws {
    let stage = try await stage()
    #expect(try await stage.run("config", "set", "cache-size=1M").status == .exited(0))
    #expect(try await play(stage).run().status == .exited(0))
    #expect(try await stage.library().mediaSize() == 0)
  }
}
