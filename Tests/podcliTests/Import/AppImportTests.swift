import Glibc
import PodcastModel
import TestSupport
import Testing
import Text

@testable import PodcastStore

/// Libraries of other apps, made from their own schemas, come here with all that the app keeps, and nothing more.
@Suite struct AppImportTests {
  @Test(arguments: AppLibrary.all)
  func `an app's library comes with all that it keeps, once, and one undo takes it back`(app: AppLibrary) async throws {
    let stage = try AppLibrary.stage()
    let path = try app.write(to: stage.home.path, stage)
    let first = try await stage.run("import", path)
    let feeds = ["/alpha.xml", "/beta.xml"].map(stage.server.url)
    #expect(first.status == .exited(0), "\(first)")
    #expect(try await AppLibrary.state(of: stage.library()) == app.expected())
    #expect(try await stage.library().podcasts().map(\.reference.feedURL).sorted() == feeds)
    let asked = Set(stage.server.requests.map(\.path))
    #expect(asked == ["/alpha.xml", "/beta.xml"], "nothing is downloaded")

    let again = try #require(JSON(parsing: try await stage.json("import", path)))
    #expect(again["added"]?.int == 0 && again["episodes"]?["changed"]?.int == 0, "\(again)")
    #expect(try await AppLibrary.state(of: stage.library()) == app.expected())

    let undone = try await stage.run("undo")
    #expect(undone.error.contains("Undone: importing from"))
    #expect(try await stage.run("undo").status == .exited(3), "the second import made no step")
    #expect(try await stage.library().podcasts().isEmpty)
    _ = try await stage.run("subscribe", stage.server.url("/alpha.xml"), stage.server.url("/beta.xml"))
    #expect(try await AppLibrary.state(of: stage.library()) == [])
    // Nor are titles, tags and settings left that it brought.
    let library = try stage.library()
    #expect(try await library.podcasts().map(\.title).sorted() == ["Alpha", "Beta"])
    for podcast in try await library.podcasts().map(\.id) {
      let (tags, settings) = (try await library.tags(of: podcast), try await library.settings(of: podcast))
      #expect(tags.isEmpty && settings.isEmpty)
    }
  }

  @Test(arguments: AppLibrary.databases)
  func `a library is read while its app holds a lock, and nothing is written beside it`(app: AppLibrary) async throws {
    let stage = try AppLibrary.stage()
    let folder = stage.home.path + "/app"
    mkdir(folder, 0o700)
    let path = try app.write(to: folder, stage)
    let lock = try AppLibrary.lock(path)
    let before = names(in: folder).sorted()
    let outcome = try await stage.run("import", folder)
    #expect(outcome.status == .exited(0), "\(outcome)")
    #expect(try await AppLibrary.state(of: stage.library()) == app.expected())
    #expect(names(in: folder).sorted() == before)
    withExtendedLifetime(lock) {}
  }

  @Test(arguments: AppLibrary.all)
  func `a record waits for its episode, and a refresh brings it`(app: AppLibrary) async throws {
    let stage = try AppLibrary.stage()
    let path = try app.write(to: stage.home.path, stage)
    let report = try #require(JSON(parsing: try await stage.json("import", path)))
    #expect(report["episodes"]?["waiting"]?.int == 1)
    AppLibrary.serve("Beta", 9, stage)
    _ = try await stage.run("refresh", "--force")
    #expect(try await AppLibrary.state(of: stage.library()) == app.expected(withLateEpisode: true))
  }

  @Test(arguments: AppLibrary.all)
  func `a dry run counts and changes nothing`(app: AppLibrary) async throws {
    let stage = try AppLibrary.stage()
    let path = try app.write(to: stage.home.path, stage)
    let report = try #require(JSON(parsing: try await stage.json("import", path, "--dry-run")))
    #expect(report["feeds"]?.elements?.count == 2)
    #expect(report["episodes"]?["played"]?.int == 3)
    #expect(report["episodes"]?["positions"]?.int == (app.keeps.contains(.positions) ? 2 : 0))
    #expect(report["episodes"]?["queued"]?.int == (app.keeps.contains(.queue) ? 2 : 0))
    #expect(stage.server.requests.isEmpty)
    #expect(try await stage.library().podcasts().isEmpty)
  }

  // MARK: What is here already

  @Test func `newer listening stays, and older gives way`() async throws {
    let stage = try AppLibrary.stage()
    let path = try AppLibrary.named("gpodder").write(to: stage.home.path, stage)
    _ = try await stage.run("subscribe", stage.server.url("/alpha.xml"), stage.server.url("/beta.xml"))
    try await stage.seed { store in
      let entries = Dictionary(
        uniqueKeysWithValues: try await store.playlist().map { ($0.episode.guid, $0.episode.id) })
      for (guid, seconds, at) in [
        ("alpha-2", 500, 1_720_000_000), ("alpha-4", 500, 1_700_000_000), ("beta-2", 7, 1_700_000_000),
      ] {
        let id = try #require(entries[guid])
        try await store.savePosition(.seconds(seconds), of: id, urgency: .flush, at: Timestamp(seconds: Int64(at)))
      }
    }
    let report = try #require(JSON(parsing: try await stage.json("import", path)))
    #expect(report["episodes"]?["kept"]?.int == 2)
    let state = try await AppLibrary.state(of: stage.library())
    #expect(state.contains("alpha-2 500.0 at 1720000000"))
    #expect(state.contains("alpha-4 61.0 at 1710000004"))
    #expect(state.contains("beta-2 7.0 at 1700000000"), "a mark without a date is not known to be newer")
    _ = try await stage.run("undo")
    #expect(try await AppLibrary.state(of: stage.library()).contains("alpha-4 500.0 at 1700000000"))
  }

  // MARK: gPodder

  @Test func `an app is found in its usual place, and its passwords become secrets`() async throws {
    let stage = try AppLibrary.stage()
    mkdir(stage.home.path + "/gPodder", 0o700)
    let path = try AppLibrary.named("gpodder").write(to: stage.home.path, stage)
    rename(path, stage.home.path + "/gPodder/Database")
    let outcome = try await stage.run("import", "--from", "gpodder")
    #expect(outcome.status == .exited(0), "\(outcome)")
    #expect(outcome.error.contains("gPodder: 2 played, 2 begun, 1 favourite"))
    #expect(outcome.error.contains("gPodder does not keep: queue"))
    #expect(!outcome.transcript.error.contains("hunter2"))
    #expect(stage.server.requests.first { $0.path == "/beta.xml" }?.header("authorization") != nil)
    let secrets = String(decoding: try contents(of: stage.home.path + "/podcli/secrets"), as: UTF8.self)
    #expect(secrets.contains("hunter2"))
    #expect(try await stage.library().podcasts().map(\.isPrivate) == [false, true])
    #expect(try await stage.run("import", "gpodder").status == .exited(0), "the name alone does it, too")
  }

  @Test func `an app that is not here, and one that nobody knows, are status 3`() async throws {
    let stage = try AppLibrary.stage()
    let missing = try await stage.run("import", "--from", "gpodder")
    #expect(missing.status == .exited(3))
    #expect(missing.error.contains(stage.home.path + "/gPodder/Database"))
    #expect(try await stage.run("import", "--from", "itunes").status == .exited(2))
    #expect(try await stage.run("import").status == .exited(2))
  }
}
