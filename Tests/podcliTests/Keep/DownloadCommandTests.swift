import Glibc
import PodcastModel
import Podcatcher
import System
import TestSupport
import Testing
import Text

@testable import PodcastStore
@testable import podcli

/// The faults D, E and S of `Tests/FAULTS.md`, in downloads.
@Suite struct DownloadTests {
  /// Bytes that never repeat, so that a wrong offset shows.
  private static let audio = (0..<3_000_000).map { UInt8(truncatingIfNeeded: ($0 &* 2_654_435_761) >> 9) }
  private static let another = (0..<2_900_000).map { UInt8(truncatingIfNeeded: ($0 &* 40_503) >> 5) }
  private var audio: [UInt8] { Self.audio }

  private func stage(_ responses: Response..., title: String = "Sample Show") async throws -> Stage {
    let stage = try Stage(episodes: 1, seconds: 1)
    let feed = SampleFeed(title: title, episodes: max(1, responses.count), mediaBase: stage.server.url("/media"))
    stage.server.serve("/feed.xml", .feed(feed.bytes))
    for (index, response) in responses.enumerated() { stage.serve(response, as: index + 1) }
    try await stage.subscribe()
    return stage
  }

  private func resource(_ bytes: [UInt8] = audio, etag: String? = "\"one\"") -> Response {
    .resource(bytes, etag: etag)
  }

  @Test func `with --json each episode that failed has its reason, and so has the message where all failed`()
    async throws
  {
    let stage = try await stage(resource(), .status(404))
    let some = try await stage.run("download", "1", "2", "--json")
    #expect(some.status == .exited(6), "\(some)")
    let errors = JSON(parsing: some.output)?.elements?.map { $0["error"]?["message"]?.text }
    #expect(errors?[0] == nil && errors?[1]?.contains("404") == true, "\(some)")
    stage.serve(.status(403), as: 1)
    _ = try await stage.run("downloads", "--remove", "1")
    let none = try await stage.run("download", "1", "2", "--json")
    #expect(none.output.isEmpty && none.error.contains("403") && none.error.contains("404"), "\(none)")
  }

  @Test func `--to without a folder is a mistake`() async throws {
    let outcome = try await TemporaryHome().podcli("download", "1", "--to", "").run()
    #expect(outcome.status == .exited(2) && outcome.error.contains("names no folder"))
  }

  @Test func `of episodes with a word the newest is downloaded, also where none is indexed yet`() async throws {
    let stage = try Stage(episodes: 600, seconds: 1)
    #expect(mkdir(stage.home.path + "/podcli", 0o700) == 0)
    // No process in the background indexes.
    let held = try #require(FileLock(path: stage.home.path + "/podcli/library.db.indexing"))
    try await stage.subscribe()
    let newest = try #require(try await stage.run("playlist", "-n", "1").output.split(separator: "\t").first)
    let outcome = try await stage.run("download", "text:episode", "limit:1")
    #expect(outcome.status == .exited(0), "\(outcome)")
    let downloads = lines(try await stage.run("downloads").output)
    #expect(downloads.count == 1 && downloads[0].hasPrefix(newest + "\t"), "\(downloads)")
    withExtendedLifetime(held) {}
  }

  @Test func `a download whose file was deleted by hand has failed, and is fetched again`() async throws {
    let stage = try await stage(resource())
    #expect(try await stage.run("download", "1").status == .exited(0))
    let line = try #require(lines(try await stage.run("downloads").output).first)
    let path = try #require(line.split(separator: "\t").last.map { String($0) })
    #expect(unlink(path) == 0)
    #expect(try await stage.run("downloads").output.contains("\tfailed\t\t\tits file is gone\n"))
    let page = try await stage.json("info", "1")
    #expect(page.contains(#""download":{"state":"failed","error":"its file is gone"}"#), "\(page)")
    let listed = try await stage.json("downloads")
    #expect(listed.contains(#""state":"failed""#) && !listed.contains(#""progress""#), "\(listed)")
    #expect(try await stage.run("download", "1").status == .exited(0))
    #expect(try contents(of: path) == audio)
  }

  @Test func `filter words choose the files that are shown, and none that are thrown away`() async throws {
    let stage = try await stage(resource(), resource())
    #expect(try await stage.run("download", "1", "2").status == .exited(0))
    #expect(lines(try await stage.run("downloads", "podcast:sample").output).count == 2)
    #expect(lines(try await stage.run("downloads", "text:2").output).map { $0.prefix(2) } == ["2\t"])
    #expect(lines(try await stage.run("downloads", "limit:1").output).count == 1)
    #expect(try await stage.run("downloads", "podcast:nowhere").status == .exited(3))
    #expect(try await stage.run("downloads", "--watch", "podcast:nowhere").status == .exited(3))
    let refused = try await stage.run("downloads", "played", "--clean")
    #expect(refused.status == .exited(2) && refused.error.contains("what is shown"), "\(refused)")
    #expect(lines(try await stage.run("downloads").output).count == 2)
  }

  @Test func `a downloaded episode plays without the network`() async throws {
    let stage = try Stage(episodes: 1, seconds: 2)
    try await stage.subscribe()
    let outcome = try await stage.run("download", "1")
    #expect(outcome.status == .exited(0), "\(outcome)")
    #expect(outcome.error.contains("Sample Show: Episode 1: 192 kB"))
    stage.server.stop()
    let play = try await stage.home.podcli("play", "1", "--offline").setting("PODCLI_AO", "null:ao-null-untimed=yes")
      .run()
    #expect(play.status == .exited(0), "\(play)")
    #expect(try await stage.status(of: 1).hasCompleted)
    #expect(try await stage.run("download", "1", "--offline").error.contains("already here"))
  }

  @Test(arguments: [Response.Ranges.honoured, .ignored])
  func `D1: a cut download ends in the right bytes`(ranges: Response.Ranges) async throws {
    let stage = try await stage(resource())
    let whole = Response.resource(audio, etag: "\"one\"", ranges: ranges)
    stage.serve(inTurn: [whole.truncated(at: 1_000_000), whole])
    let outcome = try await stage.run("download", "1")
    #expect(outcome.status == .exited(0), "\(outcome)")
    #expect(try await stage.file() == audio)
    let second = try #require(stage.server.requests(to: "/media/1.wav").last)
    #expect(second.header("If-Range") == "\"one\"")
    #expect(second.header("Accept-Encoding") == "identity")
  }

  @Test func `D2: an empty ETag does not hide that the file was replaced`() async throws {
    let stage = try await stage(resource())
    let first = Response.resource(audio, etag: "", lastModified: "Mon, 01 Jan 2024 10:00:00 GMT")
    let other = Array(Self.audio.map { $0 ^ 0x55 })
    let second = Response.resource(other, etag: "", lastModified: "Tue, 02 Jan 2024 10:00:00 GMT")
    stage.serve(inTurn: [first.truncated(at: 1_000_000), second])
    let outcome = try await stage.run("download", "1")
    #expect(outcome.status == .exited(0), "\(outcome)")
    #expect(try await stage.file() == other)
  }

  @Test func `D1: a range with the wrong offset is refused`() async throws {
    let stage = try await stage(resource())
    let shifted = Response.resource(audio, etag: "\"one\"", ranges: .shifted(7))
    stage.serve(inTurn: [resource().truncated(at: 1_000_000), shifted, resource()])
    #expect(try await stage.run("download", "1").status == .exited(0))
    #expect(try await stage.file() == audio)
  }

  @Test(arguments: ["\"one\"", nil] as [String?])
  func `D2: a changed file is fetched anew and whole`(etag: String?) async throws {
    let stage = try await stage(resource())
    let changed = resource(Self.another, etag: etag.map { _ in "\"two\"" })
    stage.serve(inTurn: [resource(etag: etag).truncated(at: 1_000_000), changed])
    #expect(try await stage.run("download", "1").status == .exited(0))
    #expect(try await stage.file() == Self.another)
  }

  @Test func `D3: a file without a length is kept, and said to be of unknown completeness`() async throws {
    let stage = try await stage(Response.ok(audio).withoutLength().truncated(at: 1_000_000))
    let outcome = try await stage.run("download", "1")
    #expect(outcome.status == .exited(0), "\(outcome)")
    #expect(outcome.error.contains("whether it is complete is not known"))
    #expect(try await stage.file() == Array(audio[..<1_000_000]))
  }

  @Test func `a file whose server tells no length is the same one when it is fetched again`() async throws {
    let tone = Tone(seconds: 20, sampleRate: Stage.sampleRate).wav
    let stage = try await stage(Response.ok(tone, type: "audio/wav").withoutLength())
    #expect(try await stage.run("download", "1").status == .exited(0))
    try await stage.seed { try await $0.savePosition(.seconds(12), of: .init(rawValue: 1), urgency: .flush) }
    for words in [["downloads", "--remove", "1"], ["download", "1"]] {
      #expect(try await stage.home.podcli(words).run().status == .exited(0))
    }
    #expect(try await stage.position(of: 1) == 12)
    #expect(try await stage.library().bookmarks(of: .init(rawValue: 1)).isEmpty)
  }

  @Test func `D4: a file is fetched anew from a server that refuses every range`() async throws {
    let stage = try await stage(resource())
    let refusing = Response.resource(audio, etag: "\"one\"", ranges: .refused)
    stage.serve(inTurn: [refusing.truncated(at: 1_000_000), refusing])
    #expect(try await stage.run("download", "1").status == .exited(0))
    #expect(try await stage.file() == audio)
  }

  @Test func `D4: a download from a server that refuses every range and breaks off fails and leaves no file`()
    async throws
  {
    let stage = try await stage(resource())
    let refusing = Response.resource(audio, etag: "\"one\"", ranges: .refused)
    stage.serve(inTurn: [refusing.truncated(at: 1_000_000), refusing, refusing.truncated(at: 2_000_000), refusing])
    let outcome = try await stage.run("download", "1")
    #expect(outcome.status == .exited(5))
    #expect(outcome.error.contains("416"))
    #expect(stage.mediaFiles == [])
    #expect(try await stage.run("download", "1").status == .exited(0))
    #expect(try await stage.file() == audio)
  }

  @Test(arguments: [
    (Response.ok("\n<!DOCTYPE html><p>Sorry", type: "audio/mpeg"), 1, "web page"),
    (.ok("#EXTM3U\nhttp://127.0.0.1/1.ts", type: "audio/mpeg"), 1, "playlist"),
    (.ok("{\"error\": 1}", type: "audio/mpeg"), 1, "JSON"),
    (.ok("Service temporarily unavailable\n", type: "audio/mpeg"), 1, "plain text"),
    (.ok([UInt8](repeating: 0, count: 500_000), type: "audio/mpeg"), 1, "nothing but zeros"),
    (.ok([], type: "audio/mpeg"), 1, "nothing at all"),
    (.status(404), 5, "404"), (.status(500), 5, "500"), (.status(403), 4, "credentials"),
  ])
  func `D5, E2: a body that is no audio is refused and never saved`(
    response: Response, status: Int32, words: String
  ) async throws {
    let stage = try await stage(response)
    let outcome = try await stage.run("download", "1")
    #expect(outcome.status == .exited(status), "\(outcome)")
    #expect(outcome.error.contains(words))
    #expect(stage.mediaFiles == [])
    #expect(try await stage.library().episode(.init(rawValue: 1))?.download?.state == .failed)
    // A player that gets no byte either does not change that.
    guard words == "404" || words == "500" else { return }
    try #require(try await stage.run("play", "1").status == .exited(status))
    #expect(try await stage.library().episode(.init(rawValue: 1))?.download?.state == .failed)
  }

  @Test(arguments: ["file:///etc/passwd", "/etc/passwd", "--exec=id", "lavfi:sine", "ftp://127.0.0.1/a.mp3"])
  func `E1: an enclosure that is no web address is refused`(address: String) async throws {
    let stage = try await stage(resource())
    try await stage.follow(address)
    let outcome = try await stage.run("download", "Odd")
    #expect(outcome.status == .exited(1) || outcome.status == .exited(5), "\(outcome)")
    #expect(stage.mediaFiles == [])
    #expect(!outcome.error.contains("root:"))
  }

  @Test func `E3: a line break in an address reaches no header, and a password no screen`() async throws {
    let stage = try await stage(resource())
    let server = stage.server
    server.serveOthers { _ in .status(404) }
    try await stage.follow("http://me:sesame@127.0.0.1:\(server.port)/a%0d%0aX-Evil: 1\r\n.mp3")
    let outcome = try await stage.run("download", "Odd")
    #expect(outcome.status != .exited(0))
    #expect(!"\(outcome)".contains("sesame"))
    #expect(server.requests.allSatisfy { $0.header("X-Evil") == nil })
  }

  @Test func `E4: file names from a feed stay in the media folder, and short`() async throws {
    let title = "../../../" + String(repeating: "Große Ohren/", count: 60)
    let stage = try await stage(
      resource().header("Content-Disposition", "attachment; filename=\"../../evil\""), title: title)
    #expect(try await stage.run("download", "1").status == .exited(0))
    let path = try await stage.path()
    #expect(path.hasPrefix(stage.home.path + "/podcli/media/1-"))
    #expect(path.split(separator: "/").allSatisfy { $0.utf8.count <= 200 && $0 != ".." })
    #expect(stage.mediaFiles.count == 1)
    var information = stat()
    #expect(stat(path, &information) == 0 && information.st_mode & 0o777 == 0o600)
  }

  @Test func `S1, S2: a full disk is reported, old files are intact, and free space lets the download go on`()
    async throws
  {
    let stage = try await stage(resource(), resource())
    #expect(try await stage.run("download", "1").status == .exited(0))
    let program = builtProduct("podcli")
    let outcome = try await stage.home.program("/bin/sh", "-c", "ulimit -f 4000; exec \"\(program)\" download 2").run()
    #expect(outcome.status == .exited(9), "\(outcome)")
    #expect(outcome.error.contains("disk full: \(stage.home.path)/podcli/media/"))
    #expect(try await stage.file() == audio)
    #expect(try await stage.run("download", "2").status == .exited(0))
    #expect(try await stage.file(of: 2) == audio)
    #expect(stage.server.requests(to: "/media/2.wav").last?.header("Range")?.hasPrefix("bytes=") == true)
  }
}

@Suite struct DownloadCommandTests {
  private static let audio = (0..<2_000_000).map { UInt8(truncatingIfNeeded: ($0 &* 2_654_435_761) >> 9) }

  private func stage(_ count: Int, _ response: (Int) -> Response) async throws -> Stage {
    let stage = try Stage(episodes: count, seconds: 1)
    for number in 1...count { stage.serve(response(number), as: number) }
    try await stage.subscribe()
    return stage
  }

  private func resource(_ number: Int) -> Response { .resource(Self.audio, etag: "\"\(number)\"") }

  @Test func `repeated kill -9 loses no received byte, and the file is right in the end`() async throws {
    let stage = try await stage(1, resource)
    let step = 300_000
    stage.serve(inTurn: Array(repeating: resource(1).stalling(at: step), count: 4) + [resource(1)])
    let folder = stage.home.path + "/podcli/media/1-Sample Show"
    for round in 1...4 {
      let running = try stage.home.podcli("download", "1").start()
      try await stage.server.request(round, to: "/media/1.wav")
      try await eventually("some bytes", watching: folder) {
        let note = (try? contents(of: folder + "/1-Episode 1.wav.part.map")) ?? []
        return String(decoding: note, as: UTF8.self).contains(" 0-\(round * step - 1) ")
      }
      #expect(try await stage.run("downloads").output.contains("\tdownloading\t"))
      running.send(SIGKILL)
      _ = try await running.end()
      #expect(try await stage.run("downloads").output.contains("\tpaused\t"))
      for list in ["downloads", "playlist"] {
        #expect(try await stage.json(list).contains(#""state":"paused""#))
      }
    }
    #expect(try await stage.run("download", "1").status == .exited(0))
    #expect(try await stage.file() == Self.audio)
    let asked = stage.server.requests(to: "/media/1.wav").map { $0.header("Range") }
    #expect(asked == [nil] + (1...4).map { "bytes=\($0 * step)-" })
  }

  @Test func `a library that another program locks for long ends no download`() async throws {
    let gate = Gate()
    let stage = try await stage(1) { resource($0).pausing(at: 1_000_000, until: gate) }
    let downloading = try stage.home.podcli("download", "1").start()
    try await stage.wait(for: "the record of the download") { store in
      try await store.mediaRecord(of: EpisodeID(rawValue: 1))?.state == .downloading
    }
    let locking = try Connection(path: stage.home.path + "/podcli/library.db", mode: .readWrite)
    try locking.executeScript("BEGIN EXCLUSIVE")
    gate.open()
    // Each of these gives up after as long as a download once did.
    for _ in 1...2 { #expect(try await stage.run("mark", "favourite", "1").status == .exited(9)) }
    try locking.executeScript("ROLLBACK")
    #expect(try await downloading.end().status == .exited(0))
    #expect(try await stage.run("downloads").output.contains("\tcomplete\t"))
  }

  @Test func `several downloads at once: one failure is partial success`() async throws {
    let stage = try await stage(5) { $0 == 3 ? .status(404) : resource($0) }
    let outcome = try await stage.run("download", "podcast:sample", "--json")
    #expect(outcome.status == .exited(6), "\(outcome)")
    let states = JSON(parsing: outcome.output)?.elements?.map { $0["download"]?["state"]?.text }
    #expect(states == ["complete", "complete", "failed", "complete", "complete"])
    let list = try await stage.run("downloads").output.split(separator: "\n").map { $0.split(separator: "\t") }
    #expect(list.count == 5)
    #expect(list.allSatisfy { $0[3] == "failed" || ($0[3] == "complete" && $0[5].hasPrefix(stage.home.path)) })
  }

  @Test func `progress is a bar on a terminal and a line for each download elsewhere`() async throws {
    let stage = try await stage(2, resource)
    #expect(lines(try await stage.run("download", "1").error).count == 1)
    let screen = try await stage.home.podcli("download", "2").on(.init(columns: 100)).run()
    #expect(screen.screen.contains("0/1 ━") || screen.screen.contains("0/1 ─"))
    #expect(screen.screen.contains("of 2.0 MB"))
  }

  @Test func `--to copies a download once, under a readable name`() async throws {
    let stage = try await stage(1, resource)
    let folder = stage.home.path + "/out"
    // A file of another program's.
    #expect(Files.makeFolder(folder + "/Sample Show"))
    try stage.home.write("half", to: "out/Sample Show/2024-01-01 Episode 1.wav.part")
    for _ in 1...2 {
      #expect(try await stage.run("download", "1", "--to", folder).status == .exited(0))
    }
    #expect(try contents(of: folder + "/Sample Show/2024-01-01 Episode 1.wav") == Self.audio)
    #expect(files(below: folder).count == 2)
  }

  @Test func `a folder that takes no copies is no fault of the library, and downloads are kept`() async throws {
    let stage = try await stage(2, resource)
    let letter = try stage.home.write("a letter", to: "letter")
    let one = try await stage.run("download", "1", "--to", letter)
    #expect(one.status == .exited(1), "\(one)")
    #expect(one.error.contains("choose another folder with --to DIR"))
    let both = try await stage.run("download", "1", "2", "--to", letter)
    #expect(both.status == .exited(1), "\(both)")
    #expect(both.error.contains("2 of 2 episodes could not be copied"))
    #expect(stage.mediaFiles.count == 2)
    let folder = stage.home.path + "/out"
    #expect(try await stage.run("download", "1", "--to", folder).status == .exited(0))
    // The path of one copy is taken by a file.
    unlink(folder + "/Sample Show/2024-01-01 Episode 1.wav")
    for name in ["", " [1]"] {
      try stage.home.write("a letter", to: "out/Sample Show/2024-01-01 Episode 1\(name).wav")
    }
    #expect(try await stage.run("download", "1", "2", "--to", folder).status == .exited(6))
    #expect(files(below: folder).count == 3)
  }

  @Test func `--remove and --clean delete files, but no favourite or queued one`() async throws {
    let stage = try await stage(3, resource)
    #expect(try await stage.run("download", "1", "2", "3").status == .exited(0))
    _ = try await stage.run("mark", "played", "2", "3")
    _ = try await stage.run("mark", "favourite", "3")
    #expect(try await stage.run("downloads", "--clean").error.contains("Threw away 1 file: 2.0 MB free"))
    #expect(stage.mediaFiles.count == 2)
    #expect(try await stage.run("downloads", "--remove", "1").status == .exited(0))
    #expect(stage.mediaFiles.count == 1)
    #expect(try await stage.run("downloads", "--remove", "1").status == .exited(3))
  }

  @Test func `a server that refuses with 403 may want another address, and with 401 it wants credentials`() async throws
  {
    let stage = try await stage(2) { .status($0 == 1 ? 401 : 403) }
    let (wanting, refusing) = (try await stage.run("download", "1"), try await stage.run("download", "2"))
    #expect(wanting.status == .exited(4) && wanting.error.contains("Episode 1 wants credentials (401)"), "\(wanting)")
    #expect(refusing.status == .exited(4), "\(refusing)")
    #expect(refusing.error.contains("the server refuses the file of Sample Show: Episode 2 (403)"), "\(refusing)")
  }

  @Test func `a failed download tells its reason in the list, on the episode's page and as JSON`() async throws {
    let stage = try await stage(1, resource)
    stage.serve(inTurn: [.status(404), resource(1)])
    _ = try await stage.run("download", "1")
    let reason = "this episode cannot be fetched: status 404"
    #expect(try await stage.run("downloads").output.hasSuffix("\tfailed\t\t\t\(reason)\n"))
    #expect(try await stage.run("info", "1").output.contains("download failed: \(reason)"))
    let listed = JSON(parsing: try await stage.run("downloads", "--json").output)?.elements?.first?["download"]
    #expect(listed?["error"]?.text == reason, "\(listed?.compact ?? "")")
    // The next attempt begins without it.
    #expect(try await stage.run("download", "1").status == .exited(0))
    #expect(!(try await stage.run("downloads", "--json").output.contains("error")))
  }

  @Test func `--remove counts files, and apart from them downloads that left none`() async throws {
    let stage = try await stage(2) { $0 == 1 ? resource(1) : .status(404) }
    _ = try await stage.run("download", "1", "2")
    let removal = try await stage.run("downloads", "--remove", "1", "--remove", "2")
    #expect(removal.error.hasPrefix("Threw away 1 file: "), "\(removal)")
    #expect(removal.error.hasSuffix(" free; removed 1 download from the list\n"), "\(removal)")
  }

  @Test func `--remove takes a failed download, which has no file, from the list`() async throws {
    let stage = try await stage(1) { _ in .status(404) }
    _ = try await stage.run("download", "1")
    #expect(try await stage.run("downloads").output.contains("failed"))
    #expect(try await stage.run("downloads", "--remove", "1").error == "Removed 1 download from the list.\n")
    #expect(try await stage.run("downloads").output.isEmpty)
  }

  @Test func `the file of a download that a player goes on with is not thrown away`() async throws {
    let stage = try Stage(episodes: 1, seconds: 60)
    let tone = Tone(seconds: 60, sampleRate: Stage.sampleRate).wav
    let gate = Gate()
    stage.server.serve("/media/1.wav", .ok(tone, type: "audio/wav").pausing(at: tone.count / 2, until: gate))
    try await stage.subscribe()
    let download = try stage.home.podcli("download", "1").start()
    try await stage.wait(for: "its first bytes") { library in
      try await library.episode(.init(rawValue: 1))?.download?.progress ?? 0 > 0
    }
    download.send(SIGINT)
    _ = try await download.end()
    let playing = try stage.home.podcli("play", "1").start()
    _ = try await stage.server.request(2, to: "/media/1.wav")
    try await stage.wait(for: "the player's file") { library in
      try await library.episode(.init(rawValue: 1))?.download?.state == .paused
    }
    let removal = try await stage.run("downloads", "--remove", "1")
    #expect(removal.status == .exited(1) && removal.error.contains("another podcli uses the file"), "\(removal)")
    #expect(try await stage.run("downloads").output.hasPrefix("1\tSample Show\tEpisode 1\tdownloading\t"))
    #expect(stage.mediaFiles.contains { $0.hasSuffix(".part") })
    gate.open()
    playing.send(SIGTERM)
    _ = try await playing.end()
    #expect(try await stage.run("downloads", "--remove", "1").status == .exited(0))
  }

  @Test func `downloads --watch follows from another terminal`() async throws {
    let stage = try await stage(1, resource)
    let watching = try stage.home.podcli("downloads", "--watch", "--json").start()
    try await watching.wait(forOutput: "[]\n")
    #expect(try await stage.run("download", "1").status == .exited(0))
    try await watching.wait(forOutput: "\"state\":\"complete\"")
    watching.send(SIGTERM)
    _ = try await watching.end()
  }

  @Test func `a refresh makes automatic downloads, and keeps as many as the setting allows`() async throws {
    let stage = try await stage(5, resource)
    #expect(try await stage.run("set", "Sample", "auto-download=3", "keep=2").status == .exited(0))
    let outcome = try await stage.run("refresh")
    #expect(outcome.status == .exited(0), "\(outcome)")
    #expect(outcome.error.contains("2 episodes downloaded"))
    #expect(stage.mediaFiles.count == 2)
    let before = stage.server.requests.count { $0.path.hasPrefix("/media") }
    #expect(try await stage.run("refresh").status == .exited(0))
    #expect(stage.server.requests.count { $0.path.hasPrefix("/media") } == before)
    #expect(try await stage.run("downloads").output.split(separator: "\n").count == 2)
    // One that another setting kept leaves.
    _ = try await stage.run("set", "Sample", "keep=1")
    #expect(try await stage.run("refresh").status == .exited(0))
    #expect(stage.mediaFiles.count == 1)
  }

  @Test func `a file that was thrown away by hand does not come back by itself`() async throws {
    let stage = try await stage(1, resource)
    #expect(try await stage.run("download", "1").status == .exited(0))
    #expect(try await stage.run("downloads", "--remove", "1").status == .exited(0))
    _ = try await stage.run("set", "Sample", "auto-download=1")
    #expect(try await stage.run("refresh").status == .exited(0))
    #expect(stage.mediaFiles.isEmpty)
    #expect(try await stage.run("downloads").output.isEmpty)
    #expect(try await stage.run("download", "1").status == .exited(0))
    #expect(stage.mediaFiles.count == 1)
  }

  @Test func `an automatic download that another podcli has begun is no failure`() {
    let entry = ScreenSamples.episodes[0]
    for isAutomatic in [true, false] {
      var report = DownloadReport(isAutomatic: isAutomatic)
      #expect(report.add(entry, .failure(.underway)).contains("another podcli is downloading"))
      #expect((report.failure(isJSON: false) == nil) == isAutomatic && report.failures.isEmpty == isAutomatic)
      _ = report.add(entry, .failure(.removed))
      #expect(report.summary.contains(isAutomatic ? "1 failed" : "2 failed"))
    }
  }

  @Test func `a refresh whose automatic download fails worked in part`() async throws {
    let stage = try await stage(2, resource)
    stage.server.serve("/media/2.wav") { _ in .status(404) }
    stage.server.serve("/media/1.wav") { _ in .status(404) }
    _ = try await stage.run("set", "Sample", "auto-download=2")
    let outcome = try await stage.run("refresh")
    #expect(outcome.status == .exited(6), "\(outcome)")
    #expect(outcome.error.contains("2 failed"))
    #expect(outcome.error.contains("podcli download EPISODE tries it again"), "\(outcome)")
    // The next refresh leaves them alone, but for one of the podcast by name; a mended server is found by that.
    let isMedia = { (request: Request) in request.path.hasPrefix("/media") }
    #expect(try await stage.run("refresh").status == .exited(0))
    #expect(stage.server.requests.count(where: isMedia) == 2)
    stage.server.serve("/media/2.wav", resource(2))
    let named = try await stage.run("refresh", "Sample", "--json")
    #expect(named.status == .exited(6))
    #expect(named.output.contains(#""downloaded":1,"notDownloaded":1"#), "\(named)")
    #expect(stage.server.requests.count(where: isMedia) == 4)
    #expect(stage.mediaFiles.count == 1)
  }

  @Test func `a download of the playing episode waits for the player, and no byte is fetched twice`() async throws {
    let stage = try Stage(episodes: 1, seconds: 120)
    try await stage.subscribe()
    let playing = try stage.home.podcli("play", "1").start()
    try await stage.server.wait(for: "some bytes") { $0.contains { $0.request.path.hasPrefix("/media") } }
    let outcome = try await stage.run("download", "1")
    #expect(outcome.status == .exited(0), "\(outcome)")
    playing.send(SIGTERM)
    _ = try await playing.end()
    let sent = stage.server.exchanges.filter { $0.request.path.hasPrefix("/media") }.reduce(0) { $0 + $1.bytesSent }
    let file = try await stage.file()
    #expect(sent == file.count)
    #expect(file == Tone(seconds: 120, sampleRate: Stage.sampleRate).wav)
  }

  @Test(arguments: [[], ["-q:a", "4", "-write_xing", "0"]])
  func `an MP3 that another podcli downloads is played from far ahead without the bytes before`(
    options: [String]
  ) async throws {
    let gate = Gate()
    let stage = try Stage(episodes: 1, seconds: 1)
    var feed = SampleFeed(episodes: 1, mediaBase: stage.server.url("/media"), seconds: 180)
    (feed.mediaType, feed.mediaEnding) = ("audio/mpeg", "mp3")
    stage.server.serve("/feed.xml", Response.feed(feed.bytes))
    let bytes = try await Tone(seconds: 180, sampleRate: 22_050).encoded(as: "mp3", options: options)
    let medium = Response.resource(bytes, type: "audio/mpeg", etag: "\"1\"")
    stage.server.serve("/media/1.mp3") { request in
      let answer = medium.answering(request)
      // The download's; of the player's those from the start, where frames that are all alike tell its position. Unlike
      // ones it has to read.
      let isAtStart = request.header("Range").map { $0.hasPrefix("bytes=0-") || $0.hasPrefix("bytes=20-") }
      return isAtStart ?? true && (options.isEmpty || isAtStart == nil)
        ? answer.pausing(at: 100_000, until: gate) : answer
    }
    try await stage.subscribe()
    let download = try stage.home.podcli("download", "1").start()
    try await stage.server.wait(for: "some bytes") { $0.last.map { $0.bytesSent >= 100_000 } ?? false }
    let playing = try stage.home.podcli("play", "1", "--start", "2:30").start()
    try await stage.wait(forPosition: 151, of: 1)
    #expect(try await stage.run("seek", "2:00").output.hasPrefix("playing\t1\tSample Show\tEpisode 1\t120"))
    playing.send(SIGTERM)
    _ = try await playing.end()
    gate.open()
    #expect(try await download.end().status == .exited(0))
    #expect(try await contents(of: stage.path(of: 1)) == bytes)
  }

  @Test func `two processes do not write to one file`() async throws {
    let gate = Gate()
    let stage = try await stage(1) { resource($0).pausing(at: 500_000, until: gate) }
    let first = try stage.home.podcli("download", "1").start()
    try await stage.server.wait(for: "some bytes") { $0.last.map { $0.bytesSent >= 500_000 } ?? false }
    let second = try await stage.run("download", "1")
    #expect(second.status == .exited(1))
    #expect(second.error.contains("another podcli is downloading"))
    gate.open()
    #expect(try await first.end().status == .exited(0))
    #expect(try await stage.file() == Self.audio)
  }

  /// In the middle of its bytes, and where the server sends none any more.
  @Test(arguments: [true, false])
  func `--remove ends a download of another podcli`(flows: Bool) async throws {
    // Its record is saved several times before the look that each download takes at it every second.
    let long = Response.resource((1...8).flatMap { _ in Self.audio }, etag: "\"long\"")
    let stage = try await stage(1) {
      flows ? long.throttled(bytesPerSecond: 3_000_000) : resource($0).stalling(at: 400_000)
    }
    let first = try stage.home.podcli("download", "1").start()
    try await stage.server.wait(for: "some bytes") { $0.last.map { $0.bytesSent >= 300_000 } ?? false }
    try await stage.wait(for: "its record") { library in
      try await library.episode(.init(rawValue: 1))?.download?.progress ?? 0 > 0
    }
    let removal = try await stage.run("downloads", "--remove", "1")
    #expect(removal.status == .exited(0) && removal.error.contains("Threw away 1 file"), "\(removal)")
    let ended = try await first.end()
    #expect(ended.status == .exited(1), "\(ended)")
    #expect(ended.error.contains("another podcli stopped the download of Sample Show: Episode 1"), "\(ended)")
    #expect(stage.mediaFiles.isEmpty)
    #expect(try await stage.run("downloads").output.isEmpty)
  }
}

// MARK: - The stage's media

extension Stage {
  fileprivate func serve(_ response: Response, as number: Int) {
    server.serve("/media/\(number).wav") { response.answering($0) }
  }

  /// Answers the requests with the responses in order, then with the last one.
  fileprivate func serve(inTurn responses: [Response]) {
    let turn = Observed(0)
    server.serve("/media/1.wav") { request in
      let index = turn.update { count in
        defer { count += 1 }
        return count
      }
      return responses[min(index, responses.count - 1)].answering(request)
    }
  }

  /// A podcast of one episode with this enclosure.
  fileprivate func follow(_ address: String) async throws {
    let xml = """
      <rss version="2.0"><channel><title>Odd</title><item><title>One</title><guid>odd</guid>
      <enclosure url="\(address)" type="audio/mpeg" length="1"/></item></channel></rss>
      """
    server.serve("/odd.xml", .feed(Array(xml.utf8)))
    let outcome = try await run("subscribe", server.url("/odd.xml"))
    try #require(outcome.status == .exited(0), "\(outcome)")
  }

  fileprivate func path(of episode: Int64 = 1) async throws -> String {
    let entry = try await library().episode(EpisodeID(rawValue: episode))
    return try #require(entry?.download?.path)
  }

  fileprivate func file(of episode: Int64 = 1) async throws -> [UInt8] { try contents(of: await path(of: episode)) }

  var mediaFiles: [String] { files(below: home.path + "/podcli/media") }
}

private func files(below folder: String) -> [String] {
  var found: [String] = []
  for path in names(in: folder).map({ folder + "/" + $0 }) {
    var information = stat()
    guard stat(path, &information) == 0 else { continue }
    found += information.st_mode & S_IFMT == S_IFDIR ? files(below: path) : [path]
  }
  return found
}
