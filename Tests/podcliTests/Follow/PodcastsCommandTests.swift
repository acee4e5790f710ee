import PodcastModel
import PodcastStore
import TestSupport
import Testing

@Suite struct PodcastsCommandTests {
  @Test func `podcasts lists subscriptions, for people, pipes and programs`() async throws {
    let stage = try Stage(episodes: 2, seconds: 1)
    try await stage.subscribe()
    let piped = try await stage.run("podcasts").output.split(separator: "\t").map(String.init)
    #expect(piped.prefix(5) == ["1", "Sample Show", "2", "2", "0"])
    let screen = try await stage.home.podcli("podcasts").on(.init(columns: 60)).run().screen
    #expect(screen.contains("1 Sample Show"))
    #expect(screen.contains("2/2"))
    let json = try await stage.run("podcasts", "--json").output
    #expect(json.hasPrefix(#"[{"id":1,"title":"Sample Show","feedURL":"http://127.0.0.1"#))
    #expect(json.contains(#""unplayed":2"#) && json.contains(#""tags":[]"#))
    _ = try await stage.run("subscribe", stage.feedURL, "--tag", "news", "--tag", "daily")
    #expect(try await stage.run("podcasts", "--json").output.contains(#""tags":["daily","news"]"#))
  }

  @Test func `tag adds, shows and removes tags`() async throws {
    let stage = try Stage(episodes: 2, seconds: 1)
    try await stage.subscribe()
    #expect(try await stage.run("tag", "sample", "news", "daily").error == "Sample Show: daily, news\n")
    #expect(try await stage.run("playlist", "tag:NEWS").output.split(separator: "\n").count == 2)
    #expect(try await stage.run("tag", "1", "Daily", "--remove").error == "Sample Show: news\n")
    #expect(try await stage.run("tag", "1").output == "news\n")
    let missing = try await stage.run("tag", "1", "news", "old", "--remove")
    #expect(
      missing.status == .exited(3) && missing.error.contains("has no tag 'old'") && missing.error.contains("news"))
    #expect(try await stage.run("tag", "1", " ").status == .exited(2))
    #expect(try await stage.run("undo").error == "Undone: removing the tag daily\n")
    #expect(
      try await stage.run("tag", "1", "Ökologie", "two\n words").error
        == "Sample Show: daily, news, two words, Ökologie\n")
    #expect(try await stage.run("playlist", "tag:ökologie").output.split(separator: "\n").count == 2)
    #expect(try await stage.run("tag", "1", "ÖKOLOGIE", "Two  words", "--remove").error == "Sample Show: daily, news\n")
    #expect(try await stage.run("tag", "1", "--json").output.contains(#""tags":["daily","news"]"#))
  }

  @Test func `podcasts in an empty library is success with a hint`() async throws {
    let outcome = try await TemporaryHome().podcli("podcasts").run()
    #expect(outcome.status == .exited(0))
    #expect(outcome.error.contains("podcli subscribe"))
  }

  @Test func `unsubscribing keeps the history for a new subscription`() async throws {
    let stage = try Stage(episodes: 2, seconds: 60)
    try await stage.subscribe()
    let store = try PodcastStoreForTests.writing(stage.home)
    try await store.savePosition(.seconds(20), of: .init(rawValue: 1), urgency: .flush)
    await store.close()
    #expect(try await stage.run("unsubscribe", "sample").status == .exited(0))
    #expect(try await stage.run("unsubscribe", "1").output == "Not subscribed to Sample Show\n")
    #expect(try await stage.run("playlist").output.isEmpty)
    try await stage.subscribe()
    #expect(try await stage.position(of: 1) == 20)
  }

  @Test func `unsubscribe --delete asks for confirmation`() async throws {
    let stage = try Stage(episodes: 1, seconds: 1)
    try await stage.subscribe()
    #expect(try await stage.run("unsubscribe", "1", "--delete").status == .exited(2))
    #expect(try await stage.run("podcasts").output.contains("Sample Show"))
    #expect(try await stage.run("download", "1").status == .exited(0))
    #expect(stage.mediaFiles.count == 1)
    #expect(try await stage.run("unsubscribe", "1", "--delete", "--yes").status == .exited(0))
    #expect(stage.mediaFiles.isEmpty)
    #expect(try await stage.library().podcast(.init(rawValue: 1)) == nil)
  }

  @Test func `unsubscribing from an unknown podcast is status 3`() async throws {
    #expect(try await TemporaryHome().podcli("unsubscribe", "nothing").run().status == .exited(3))
  }
}
