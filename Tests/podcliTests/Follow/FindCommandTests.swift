import PodcastModel
import PodcastStore
import TestSupport
import Testing

@Suite struct FindCommandTests {
  private let stage: Stage

  init() async throws {
    stage = try Stage(episodes: 1, seconds: 1)
    let feed = stage.feedURL
    stage.server.serve(
      "/search",
      .ok(
        #"{"results":[{"collectionName":"Sample\u001b[31m","artistName":"Ann","feedUrl":"\#(feed)","trackCount":3},{"collectionName":"Gone"}]}"#
      ))
    stage.server.serve("/0.2/search/podcast", .ok(#"{"data":[{"title":"Other","xmlURL":"http://o.example/feed"}]}"#))
    stage.server.serve(
      "/search.json", .ok(#"[{"title":"Sample","url":"\#(feed)/"},{"title":"Bad","url":"file:///etc/passwd"}]"#))
    stage.server.serve("/api/1.0/search/byterm", .ok(#"{"feeds":[{"title":"Indexed","url":"http://i.example/feed"}]}"#))
    let names = ["itunes", "fyyd", "gpodder", "podcastindex"].map { "\($0)-url=\(stage.server.origin)" }
    _ = try await stage.home.podcli(["config", "set"] + names).run()
  }

  @Test func `all directories are asked at once, and a feed in several of them is shown once`() async throws {
    let outcome = try await stage.run("find", "späte", "show", "--json")
    #expect(outcome.status == .exited(0), "\(outcome)")
    #expect(
      outcome.output.hasPrefix(
        #"[{"title":"Sample\u001b[31m","author":"Ann","feedURL":"\#(stage.feedURL)","episodes":3"#))
    #expect(outcome.output.contains(#""via":["itunes","gpodder"]"#))
    #expect(outcome.output.contains("Other"))
    #expect(!outcome.output.contains("passwd"))
    #expect(stage.server.requests.count == 3)
    #expect(stage.server.requests(to: "/search").first?.query.hasSuffix("term=sp%c3%a4te%20show") == true)
  }

  @Test func `find subscribes to the N-th result`() async throws {
    let outcome = try await stage.run("find", "sample", "--subscribe", "1")
    #expect(outcome.output == "Subscribed to Sample Show: 1 episode\n")
    #expect(try await stage.run("find", "sample", "--subscribe", "9").status == .exited(3))
  }

  @Test func `C1: no password of a found address is shown`() async throws {
    stage.server.serve(
      "/search", .ok(#"{"results":[{"collectionName":"Sample","feedUrl":"http://me:hunter2@h.example/feed"}]}"#))
    for format in [[], ["--json"]] {
      let output = try await stage.home.podcli(["find", "x", "--via", "itunes"] + format).run().output
      #expect(output.contains("Sample") && !output.contains("hunter2"), "\(output)")
    }
  }

  @Test func `the Podcast Index is asked with a key, signed`() async throws {
    #expect(try await stage.run("find", "x", "--via", "podcastindex").status == .exited(4))
    _ = try await stage.run("config", "set", "podcastindex-key=K", "podcastindex-pass=S3CR3T")
    let outcome = try await stage.run("find", "x", "--via", "podcastindex")
    #expect(outcome.output.contains("Indexed"))
    let request = try #require(stage.server.requests.last)
    #expect(request.header("X-Auth-Key") == "K")
    #expect(request.header("Authorization")?.count == 40)
    #expect(request.headers.allSatisfy { !$0.value.contains("S3CR3T") })
  }

  @Test func `C1: the key for the Podcast Index is sent to no other host`() async throws {
    let other = try LoopbackServer(host: "127.0.0.2")
    other.serve("/api", .ok(#"{"feeds":[]}"#))
    stage.server.serve("/api/1.0/search/byterm", .redirect(to: other.url("/api")))
    _ = try await stage.run("config", "set", "podcastindex-key=KEY", "podcastindex-pass=PASS")
    _ = try await stage.run("find", "x", "--via", "podcastindex")
    #expect(stage.server.requests.contains { $0.header("X-Auth-Key") == "KEY" })
    #expect(other.requests.isEmpty)
  }

  @Test func `one directory that fails is named, all that fail are status 5`() async throws {
    stage.server.serve("/search", Response.status(503))
    let outcome = try await stage.run("find", "sample")
    #expect(outcome.status == .exited(0))
    #expect(outcome.error.contains("itunes: "))
    #expect(!outcome.output.contains("\u{1B}"))
    #expect(try await stage.run("find", "sample", "--via", "itunes").status == .exited(5))
  }
}
