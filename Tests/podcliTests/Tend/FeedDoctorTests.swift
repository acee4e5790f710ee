import Glibc
import PodcastModel
import TestSupport
import Testing

@Suite struct FeedDoctorTests {
  @Test func `the steps to a feed are reported one by one`() async throws {
    let stage = try Stage(episodes: 2, seconds: 1)
    stage.server.serve("/old", Response.redirect(to: "/feed.xml"))
    _ = try await stage.run("subscribe", stage.server.url("/old"))
    let fine = try await stage.run("doctor", "sample")
    #expect(fine.status == .exited(0), "\(fine)")
    for text in ["302 to /feed.xml", "application/rss+xml", "rss, 2 episodes", "Episode 2: audio/wav"] {
      #expect(fine.output.contains(text), "\(text)")
    }
    stage.server.serve("/feed.xml", Response.status(404))
    let broken = try await stage.run("doctor", "sample", "--json")
    #expect(broken.status == .exited(5))
    #expect(broken.output.contains(#"{"name":"answer","state":"bad""#))
    stage.server.stop()
    let gone = try await stage.run("doctor", "sample")
    #expect(gone.output.contains("✘ connect"))
  }

  @Test func `hints have addresses and numbers, and no titles`() async throws {
    let stage = try Stage(episodes: 1, seconds: 1)
    try await stage.subscribe()
    stage.server.serve("/media/1.wav", Response.status(403))
    let medium = try await stage.run("doctor", "sample")
    #expect(medium.status == .exited(4), "\(medium)")
    #expect(medium.output.contains("Episode 1 wants credentials"))
    #expect(medium.output.contains("podcli refresh 1 --force"))
    #expect(!medium.output.contains("podcli subscribe"))
    stage.server.serve("/feed.xml", Response.status(401))
    let feed = try await stage.run("doctor", "sample")
    #expect(feed.output.contains("podcli subscribe \(stage.feedURL) --user NAME --password-stdin"), "\(feed)")
    _ = try await stage.run("mark", "played", "1")
    #expect(try await stage.run("play", "sample").error.contains("with: podcli play 1/latest\n"))
    _ = try await stage.run("config", "set", "itunes-url=\(stage.server.origin)")
    stage.server.serveOthers { _ in .status(403) }
    let find = try await stage.run("find", "x", "--via", "itunes")
    #expect(find.status == .exited(4))
    #expect(find.error.contains("the directory itunes wants credentials\n  try again later, or ask others"), "\(find)")
  }

  @Test func `the media file of a private feed is asked for with its credentials`() async throws {
    let stage = try Stage(episodes: 1, seconds: 1)
    stage.server.serve("/members.xml", Response.feed(SampleFeed(mediaBase: stage.server.url("/members")).bytes))
    stage.server.serve("/members/3.wav") { request in
      // me:hunter2
      request.header("Authorization") == "Basic bWU6aHVudGVyMg==" ? .ok([0], type: "audio/wav") : .status(401)
    }
    let arguments = ["subscribe", stage.server.url("/members.xml"), "--user", "me", "--password-stdin"]
    #expect(try await stage.home.podcli(arguments).input("hunter2\n").run().status == .exited(0))
    let fine = try await stage.run("doctor", "sample")
    #expect(fine.status == .exited(0), "\(fine)")
    #expect(fine.output.contains("Episode 3: audio/wav"), "\(fine)")
  }

  @Test func `an endless feed is read to the limit of a feed`() async throws {
    let stage = try Stage(episodes: 1, seconds: 1)
    try await stage.subscribe()
    let items = Array("<rss><channel><item><title>x</title></item>".utf8)
    stage.server.serve("/feed.xml", .endless(items, type: "text/xml"))
    let endless = try await stage.run("doctor", "sample")
    #expect(endless.output.contains("but it ends in the middle"), "\(endless)")
  }

  @Test func `a media file of this machine is looked at here`() async throws {
    let home = try TemporaryHome()
    let medium = try home.write(Tone(seconds: 1).wav, to: "1.wav")
    let base = "file://" + medium.dropLast("/1.wav".utf8.count)
    let path = try home.write(SampleFeed(episodes: 1, mediaBase: base).bytes, to: "feed.xml")
    _ = try await home.podcli("subscribe", path).run()
    let fine = try await home.podcli("doctor", "sample").run()
    #expect(fine.status == .exited(0), "\(fine)")
    #expect(fine.output.contains("Episode 1: \(medium), "), "\(fine)")
    unlink(medium)
    let gone = try await home.podcli("doctor", "sample").run()
    #expect(gone.status == .exited(1), "\(gone)")
    #expect(gone.output.contains("\(medium) is not there"), "\(gone)")
  }

  @Test func `a feed in a file has fewer steps`() async throws {
    let stage = try Stage(episodes: 1, seconds: 1)
    let path = try stage.home.write(SampleFeed(mediaBase: stage.server.url("/media")).bytes, to: "feed.xml")
    _ = try await stage.run("subscribe", path)
    let fine = try await stage.run("doctor", "sample")
    #expect(fine.output.contains("rss, 3 episodes"), "\(fine)")
    #expect(!fine.output.contains("connect"))
    unlink(path)
    let gone = try await stage.run("doctor", "sample")
    #expect(gone.status == .exited(1), "\(gone)")
    #expect(gone.output.contains("✘ feed"))
  }
}
