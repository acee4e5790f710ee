import Glibc
import PodcastModel
import PodcastStore
import TestSupport
import Testing
import Text

@Suite struct ExportCommandTests {
  private let stage: Stage

  init() throws { stage = try AppLibrary.stage() }

  /// A library with everything in it that PortCast has a member for, and a record that waits for its episode.
  private func fill() async throws {
    let path = try AppLibrary.named("antennapod").write(to: stage.home.path, stage)
    let outcome = try await stage.run("import", path)
    try #require(outcome.status == .exited(0), "\(outcome)")
    _ = try await stage.run("bookmark", "1", "1:01.5", "a \"note\"")
    _ = try await stage.run("set", "beta", "boost=on", "trim=max", "skip-outro=12.5s", "auto-download=3")
    // A finished episode that is heard again has both.
    try await stage.seed { store in
      let played = try await store.playlist().first { $0.status.hasCompleted }
      try await store.savePosition(.milliseconds(12_345), of: try #require(played).episode.id, urgency: .flush)
    }
  }

  @Test func `PortCast brings everything to another machine, and back`() async throws {
    try await fill()
    let exported = try await stage.run("export", "--portcast")
    #expect(exported.status == .exited(0), "\(exported)")
    let elsewhere = try TemporaryHome()
    let imported = try await elsewhere.podcli("import", "-").input(exported.output).run()
    #expect(imported.status == .exited(0), "\(imported)")
    let here = try await library(stage.home)
    #expect(here.episodes.count == 7 && here.subscriptions.first?.settings.isEmpty == false)
    #expect(try await library(elsewhere) == here)
    #expect(
      try await elsewhere.podcli("import", "-", "--json").input(exported.output).run().output.contains(#""changed":0"#))
  }

  @Test func `a PortCast file may line up and bookmark an episode that it says nothing else of`() async throws {
    stage.server.serve("/twin", Response.feed(SampleFeed(title: "Twin", episodes: 3).bytes))
    let feed = #"{"feedUrl":"\#(stage.server.url("/twin"))"}"#
    let reference = #""episodeRef":{"subscriptionRef":\#(feed),"guid":"twin-2"}"#
    let file = """
      {"portcast":"0.2","subscriptions":[\(feed)],"queue":[{"position":1,\(reference)}],\
      "bookmarks":[{"atSeconds":12,\(reference)}]}
      """
    let imported = try await stage.home.podcli("import", "-").input(file).run()
    #expect(imported.status == .exited(0), "\(imported)")
    #expect(try await stage.library().queue().count == 1)
    #expect(try await stage.library().bookmarks().map(\.bookmark.position) == [.seconds(12)])
  }

  @Test(arguments: [("other", nil), ("podcli", Duration.seconds(600))])
  func `a finished episode of unknown length that is heard again keeps its position`(
    generator: String, position: Duration?
  ) async throws {
    stage.server.serve("/twin", Response.feed(SampleFeed(title: "Twin", episodes: 3).bytes))
    let feed = #"{"feedUrl":"\#(stage.server.url("/twin"))"}"#
    let file = """
      {"portcast":"0.2","generator":{"name":"\(generator)"},"subscriptions":[\(feed)],"episodes":[\
      {"subscriptionRef":\(feed),"guid":"twin-2","status":"completed","positionSeconds":600}]}
      """
    let imported = try await stage.home.podcli("import", "-").input(file).run()
    #expect(imported.status == .exited(0), "\(imported)")
    let entry = try #require(try await stage.library().playlist().first { $0.status.hasCompleted })
    #expect(entry.status.lastListenTime == position)
  }

  @Test func `two podcasts with the same guids keep their bookmarks and places in the queue`() async throws {
    let feed = SampleFeed(title: "Twin", episodes: 3, mediaBase: stage.server.url("/media"), seconds: 600)
    for path in ["/one", "/two"] {
      stage.server.serve(path, Response.feed(feed.bytes))
      _ = try await stage.run("subscribe", stage.server.url(path), "--title", "Podcast " + path.dropFirst())
    }
    for words in ["bookmark 1 0:10 one", "bookmark 5 0:20 two", "queue add 5 2 1"] {
      #expect(try await stage.home.podcli(words.split(separator: " ").map(String.init)).run().status == .exited(0))
    }
    let file = try await stage.run("export", "--portcast").output
    let elsewhere = try TemporaryHome()
    #expect(try await elsewhere.podcli("import", "-").input(file).run().status == .exited(0))
    for words in [["queue"], ["bookmarks"]] {
      func rows(_ output: String) -> [String] {
        output.split(separator: "\n").map { $0.split(separator: "\t").dropFirst().joined(separator: " ") }
      }
      let (here, there) = (try await stage.home.podcli(words).run(), try await elsewhere.podcli(words).run())
      #expect(Set(rows(here.output)) == Set(rows(there.output)))
      #expect(rows(here.output).count == (words == ["queue"] ? 3 : 2))
      if words == ["queue"] { #expect(rows(here.output) == rows(there.output)) }
    }
  }

  /// Everything that the user did, in an order that two libraries share. What downloads stays on its machine.
  private func library(_ home: TemporaryHome) async throws -> PortableLibrary {
    let store = try PodcastStore(path: home.path + "/podcli/library.db", access: .readOnly)
    var library = try await store.portableLibrary()
    for index in library.episodes.indices {
      let marks = library.episodes[index].bookmarks
      library.episodes[index].bookmarks = marks.map { mark in
        Bookmark(id: 0, position: mark.position, note: mark.note, createdAt: mark.createdAt)
      }
      // A record that waits has no length.
      library.episodes[index].duration = nil
    }
    for index in library.subscriptions.indices { library.subscriptions[index].settings["auto-download"] = nil }
    library.subscriptions.sort { $0.feedURL < $1.feedURL }
    library.episodes.sort { ($0.feedURL, $0.guid ?? "") < ($1.feedURL, $1.guid ?? "") }
    return library
  }

  @Test func `episode actions are in the form that every client reads, the finished ones first`() async throws {
    try await fill()
    let exported = try await stage.run("export", "--actions", "--json")
    let actions = try #require(JSON(parsing: exported.output)?.elements)
    let url = stage.server.url("/alpha.xml")
    #expect(
      actions[0] == [
        "podcast": JSON(url), "episode": JSON(stage.server.url("/alpha/1.wav")), "guid": "alpha-1", "action": "play",
        "timestamp": "2024-03-09T16:00:01", "started": 600, "position": 600, "total": 600,
      ])
    #expect(actions.map { $0["guid"]?.text } == ["alpha-1", "beta-2", "alpha-2", "alpha-4"])
    #expect(actions.map { $0["position"]?.int } == [600, 600, 301, 61])
    #expect(exported.error.contains("1 episode of unknown length or date left out"), "beta-9 waits for its feed")
    #expect(try await stage.run("export", "--actions", "--portcast").status == .exited(2))
  }

  @Test(arguments: ["--actions", "--portcast"])
  func `private podcasts leave only on request, with nothing of them`(form: String) async throws {
    try await fill()
    let secret = stage.server.url("/beta.xml").replacing("http://", with: "http://me:hunter2@")
    _ = try await stage.run("subscribe", secret)
    let plain = try await stage.run("export", form)
    #expect(!plain.output.contains("beta") && !plain.output.contains("hunter2") && plain.output.contains("alpha"))
    #expect(plain.error.contains("1 private feed left out"))
    #expect(try await stage.run("export", form, "--include-private").output.contains(secret))
  }

  /// The file of an older podcli says of such a podcast that its address is a secret.
  @Test(arguments: [false, true])
  func `a podcast with a password alone is the same one when its export comes back`(isOld: Bool) async throws {
    let secret = stage.server.url("/beta.xml").replacing("http://", with: "http://me:hunter2@")
    _ = try await stage.run("subscribe", secret)
    var file = try await stage.run("export", "--portcast", "--include-private").output
    #expect(!file.contains("\"private\":true"))
    if isOld { file = file.replacing("\"settings\":{", with: "\"private\":true,\"settings\":{") }
    let outcome = try await stage.home.podcli("import", "-").input(file).run()
    #expect(outcome.status == .exited(0), "\(outcome)")
    #expect(try await stage.library().podcasts().count == 1, "\(outcome)")
    let elsewhere = try TemporaryHome()
    #expect(try await elsewhere.podcli("import", "-").input(file).run().status == .exited(0))
    let address = try await PodcastStoreForTests.writing(elsewhere).podcasts().first?.reference.feedURL
    #expect(isOld || address == stage.server.url("/beta.xml"))
  }
}
