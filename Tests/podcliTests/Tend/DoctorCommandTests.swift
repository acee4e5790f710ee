import Glibc
import PodcastModel
import ScreenKit
import TestSupport
import Testing
import Text

@testable import PodcastStore
@testable import podcli

@Suite struct DoctorCommandTests {
  @Test func `a library that is gone is doubtful where there are backups of it`() async throws {
    let stage = try Stage(episodes: 1, seconds: 1)
    #expect(try await stage.run("doctor").output.contains("✔ library    there is none yet"))
    try await stage.subscribe()
    #expect(try await stage.run("backup").status == .exited(0))
    for ending in ["", "-wal", "-shm"] { unlink(stage.home.path + "/podcli/library.db" + ending) }
    let told = try await stage.run("doctor").output
    #expect(told.contains("! library") && told.contains("library.db is gone"), "\(told)")
    #expect(told.contains("podcli restore \(stage.home.path)/podcli/backups/"), "\(told)")
  }

  @Test func `an intact library and working audio are fine`() async throws {
    let stage = try await Stage.library()
    let outcome = try await stage.run("doctor", "--full")
    #expect(outcome.status == .exited(0), "\(outcome)")
    #expect(outcome.output.contains("✔ library    \(stage.home.path)/podcli/library.db: 1 podcast, 3 episodes"))
    #expect(outcome.output.contains("✔ audio      libmpv plays to null"))
    #expect(try await stage.json("doctor").hasPrefix(#"{"findings":[{"name":"library","state":"fine","#))
    #expect(try await TemporaryHome().podcli("doctor").run().status == .exited(0))
  }

  @Test func `--full changes nothing, and --fix makes the search index and the names of podcasts anew`() async throws {
    let stage = try await Stage.library()
    let path = stage.home.path + "/podcli"
    #expect(try await stage.run("search", "episode").status == .exited(0))
    let writer = try Connection(path: path + "/library.db", mode: .readWrite)
    try writer.executeScript("UPDATE episodes SET title = 'Another' WHERE id = 1; DELETE FROM podcast_search_words;")
    try stage.home.write("1 7000 99\n", to: "podcli/progress.pending")
    #expect(try await stage.run("doctor", "--full").status == .exited(0))
    #expect(try contents(of: path + "/progress.pending") == Array("1 7000 99\n".utf8))
    #expect(try await stage.run("show", "sample").status == .exited(3))
    #expect(try await stage.run("doctor", "--fix").status == .exited(0))
    #expect(try await stage.run("show", "sample").status == .exited(0))
    #expect(try await stage.run("search", "another").output.hasPrefix("1\t"))
  }

  @Test func `--fix takes in downloads that a restored library, or a new one, does not know`() async throws {
    let stage = try Stage(seconds: 1)
    try await stage.subscribe()
    let (data, backup) = (stage.home.path + "/podcli", stage.home.path + "/before.db")
    #expect(try await stage.run("backup", backup).status == .exited(0))
    #expect(try await stage.run("download", "2").status == .exited(0))
    let restored = try await stage.run("restore", backup)
    #expect(restored.error.contains("podcli doctor --fix takes them in"), "\(restored)")
    // None of an episode here, and one that is no medium.
    try stage.home.write("ID3\u{1}", to: "podcli/media/1-Sample Show/9-Lost.wav")
    try stage.home.write("<html>", to: "podcli/media/1-Sample Show/3-Episode 3.wav")
    let told = try await stage.run("doctor").output
    #expect(told.contains("the library does not know 3 ("), "\(told)")
    let fixed = try await stage.run("doctor", "--fix")
    #expect(fixed.error.contains("Taken in as downloads: 1 file\n"), "\(fixed)")
    #expect(fixed.output.contains("the library does not know 2 ("), "\(fixed)")
    #expect(try await stage.run("downloads").output.hasPrefix("2\tSample Show\tEpisode 2\tcomplete\t"))

    for ending in ["", "-wal", "-shm"] { unlink(data + "/library.db" + ending) }
    // By its number it is another episode, so its length must be that of the feed.
    let length = Tone(seconds: 1, sampleRate: Stage.sampleRate).wav.count
    let known = SampleFeed(episodes: 3, mediaBase: stage.server.url("/media"), mediaLength: length)
    stage.server.serve("/feed.xml", Response.feed(known.bytes))
    stage.server.serve("/other", Response.feed(SampleFeed(title: "Other", episodes: 5).bytes))
    for path in ["/other", "/feed.xml"] { _ = try await stage.run("subscribe", stage.server.url(path)) }
    #expect(try await stage.run("doctor", "--fix").error.contains("Taken in as downloads: 1 file\n"))
    let taken = try await stage.run("downloads")
    #expect(taken.output.contains("\tSample Show\tEpisode 2\tcomplete\t"), "\(taken)")
    let requests = stage.server.requests(to: "/media/2.wav").count
    #expect(try await stage.run("download", String(taken.output.prefix { $0 != "\t" })).status == .exited(0))
    #expect(stage.server.requests(to: "/media/2.wav").count == requests)
  }

  @Test func `no audio output is bad, with a hint`() async throws {
    let outcome = try await TemporaryHome().podcli("doctor").setting("PODCLI_AO", "no-such-output").run()
    #expect(outcome.status == .exited(8))
    #expect(outcome.output.contains("✘ audio"))
    #expect(outcome.output.contains("PODCLI_AO=alsa"))
    #expect(outcome.error.contains("1 of 7 things are bad: audio"))
    let asJSON = try await TemporaryHome().podcli("doctor", "--json").setting("PODCLI_AO", "no-such-output").run()
    #expect(asJSON.status == .exited(8))
    #expect(asJSON.error.isEmpty)
    let states = JSON(parsing: asJSON.output)?["findings"]?.elements?.map { $0["state"]?.text }
    #expect(states?.count { $0 == "bad" } == 1)
  }

  @Test func `rights of others are named, and taken from them with --fix`() async throws {
    let stage = try await Stage.library()
    #expect(try await stage.run("doctor").output.contains("✔ rights"))
    try stage.home.write("[]", to: "podcli/secrets")
    try stage.home.write("", to: "podcli/config")
    let files = ["", "/library.db", "/library.db-wal", "/secrets", "/config"].map { stage.home.path + "/podcli" + $0 }
    for file in files { chmod(file, 0o755) }
    let outcome = try await stage.run("doctor")
    #expect(outcome.status == .exited(0) && outcome.output.contains("! rights"), "\(outcome)")
    #expect(files.allSatisfy { (outcome.output + ",").contains($0 + ",") || outcome.output.contains($0 + "\n") })
    #expect(outcome.output.contains("podcli doctor --fix"))
    #expect(try await stage.run("doctor", "--fix").output.contains("✔ rights"))
    for file in files {
      var information = stat()
      #expect(stat(file, &information) == 0 && information.st_mode & 0o777 == 0o700)
    }
  }

  @Test func `a hook that is not there is named before it is needed`() async throws {
    let stage = try await Stage.library()
    _ = try await stage.run("config", "set", "hook=\(stage.home.path)/nothing")
    #expect(try await stage.run("doctor").output.contains("it was not found"))
  }

  @Test func `a wrong line in the settings is bad`() async throws {
    let stage = try await Stage.library()
    try stage.home.write("speed = fast\n", to: "podcli/config")
    let outcome = try await stage.run("doctor")
    #expect(outcome.status == .exited(1))
    #expect(outcome.output.contains("line 1: speed must be a number from 0.5 to 5, not 'fast'"))
  }

  @Test(arguments: [40, 80])
  func `fits the screen`(columns: Int) async throws {
    let stage = try await Stage.library()
    let screen = plain(try await stage.screen(["doctor"], columns: columns))
    for line in lines(screen) where !line.contains("/") { #expect(DisplayWidth.of(String(line)) <= columns) }
  }
}
