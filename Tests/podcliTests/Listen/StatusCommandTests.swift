import Glibc
import PodcastModel
import PodcastStore
import ScreenKit
import TestSupport
import Testing
import Text

@testable import podcli

@Suite struct StatusCommandTests {
  @Test func `status is empty at first, then shows the episode to resume`() async throws {
    let stage = try await Stage.library()
    let nothing = try await stage.run("status")
    #expect(nothing.status == .exited(0))
    #expect(nothing.output == "stopped\n")
    try await stage.seed { try await $0.savePosition(.seconds(90), of: .init(rawValue: 2), urgency: .flush) }
    #expect(try await stage.run("status").output == "stopped\t2\tSample Show\tEpisode 2\t90\t600\n")
    let document = try await stage.json("status")
    #expect(document.hasPrefix(#"{"state":"stopped","episode":{"id":2,"#))
    #expect(document.contains(#""position":90,"duration":600}"#))
  }

  @Test func `status shows another podcli that plays`() async throws {
    let stage = try Stage()
    try await stage.subscribe()
    let playing = try stage.home.podcli("play", "1").start()
    try await playing.wait(forError: "Playing")
    let watching = try stage.home.podcli("status", "--watch").start()
    try await watching.wait(forOutput: "playing\t1\tSample Show\tEpisode 1\t")
    watching.send(SIGTERM)
    let document = try await stage.json("status")
    #expect(document.contains("\"pid\":\(playing.pid),\"socket\":\"\(stage.socket)\"}"))
    playing.send(SIGTERM)
    _ = try await playing.end()
    #expect(try await stage.run("status").output.hasPrefix("stopped"))
  }

  @Test func `a title that a refresh has changed shows while the episode plays`() async throws {
    let stage = try Stage(episodes: 1)
    try await stage.subscribe()
    let playing = try stage.home.podcli("play", "1").start()
    try await stage.wait(forPosition: 1, of: 1)
    let feed = SampleFeed(episodes: 1, mediaBase: stage.server.url("/media"), seconds: 60)
    stage.server.serve("/feed.xml", Response.feed(Array(feed.xml.replacing("Episode 1", with: "Chapter One").utf8)))
    try #require(try await stage.run("refresh", "--force").status == .exited(0))
    try await stage.wait(forStatus: #""title":"Chapter One""#)
    playing.send(SIGTERM)
    _ = try await playing.end()
  }

  @Test func `a mark by another command shows while the episode is paused`() async throws {
    let stage = try Stage(episodes: 1)
    try await stage.subscribe()
    let playing = try stage.home.podcli("play", "1").start()
    try await stage.wait(forPosition: 1, of: 1)
    _ = try await stage.run("pause")
    try await stage.wait(forStatus: #""state":"paused""#)
    _ = try await stage.run("mark", "favourite", "1")
    try await stage.wait(forStatus: #""favourite":true"#)
    playing.send(SIGTERM)
    _ = try await playing.end()
  }

  @Test func `the length told after playing is that of the media file, everywhere`() async throws {
    let stage = try Stage(episodes: 1, seconds: 60)
    let feed = SampleFeed(episodes: 1, mediaBase: stage.server.url("/media"), seconds: 600)
    stage.server.serve("/feed.xml", Response.feed(feed.bytes))
    try await stage.subscribe()
    #expect(try await stage.json("playlist").contains(#""duration":600"#))
    let outcome = try await stage.run("play", "1", "--start", "0:01", "--until", "0:02")
    #expect(outcome.status == .exited(0), "\(outcome)")
    _ = try await stage.run("refresh", "--force")
    for words in [["playlist"], ["episodes", "1"], ["info", "1"], ["status"], ["playlist", "minutes<2"]] {
      let output = try await stage.home.podcli(words + ["--json"]).run().output
      #expect(output.contains(#""duration":60"#) && !output.contains(#""duration":600"#), "\(words): \(output)")
    }
    #expect(try await stage.run("status").output.hasSuffix("\t60\n"))
  }

  @Test func `lists are sorted by the length told after playing, and the queue adds it up`() async throws {
    let stage = try await Stage.library(episodes: 2)
    try await stage.seed { store in
      try await store.savePosition(.seconds(10), of: .init(rawValue: 1), urgency: .flush)
      try await store.setMediaDuration(.seconds(60), of: .init(rawValue: 1))
    }
    let sorted = try await stage.run("playlist", "sort:-length").output
    #expect(lines(sorted).map { $0.prefix { $0 != "\t" } } == ["2", "1"])
    #expect(try await stage.run("queue", "add", "1").error.contains(", 50 s to hear"))
    let store = try PodcastStoreForTests.writing(stage.home)
    var feed = Feed()
    feed.title = "Of unknown length"
    var episode = FeedEpisode()
    (episode.guid, episode.title) = ("one", "One")
    feed.episodes = [episode]
    let unknown = try await store.subscribe(to: feed, at: "https://a.example/feed").added[0].rawValue
    await store.close()
    let more = try await stage.run("queue", "add", "\(unknown)")
    #expect(more.error.contains("2 episodes in the queue, at least 50 s to hear"), "\(more)")
  }

  @Test(arguments: [40, 80])
  func `fits the screen`(columns: Int) async throws {
    let stage = try await Stage.library()
    try await stage.seed { try await $0.savePosition(.seconds(90), of: .init(rawValue: 2), urgency: .flush) }
    let screen = try await stage.screen(["status"], columns: columns)
    #expect(screen.hasPrefix("■ 00:01:30"))
    #expect(DisplayWidth.of(String(lines(screen)[0])) <= columns)
  }
}
