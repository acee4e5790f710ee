import Glibc
import PodcastModel
import TestSupport
import Testing

@Suite struct FeedDoctorTests {
  @Test func `the way to a feed is told step by step`() async throws {
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

  @Test func `a feed that is a file has a shorter way`() async throws {
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
