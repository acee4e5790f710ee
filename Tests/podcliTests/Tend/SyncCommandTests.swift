import Glibc
import PodcastModel
import PodcastStore
import TestSupport
import Testing
import Text

/// The built program on two machines, which are two homes with one folder.
@Suite struct SyncCommandTests {
  private let stage: Stage
  private let other: TemporaryHome
  private var folder: String { stage.home.path + "/shared" }

  init() throws {
    stage = try Stage()
    other = try TemporaryHome()
    mkdir(stage.home.path + "/shared", 0o700)
  }

  private func here(_ arguments: String...) async throws -> Outcome { try await stage.home.podcli(arguments).run() }
  private func there(_ arguments: String...) async throws -> Outcome { try await other.podcli(arguments).run() }

  private func join() async throws {
    try await stage.subscribe()
    for outcome in [
      try await here("sync", "folder", folder, "--name", "desk"),
      try await there("sync", "folder", folder, "--name", "laptop"), try await there("refresh"),
    ] { try #require(outcome.status == .exited(0), "\(outcome)") }
  }

  /// Repeats the commands until they bring it: a sync that follows a command is broken off where it takes long, and the
  /// next one completes it.
  private func brings(_ what: String, _ commands: () async throws -> Bool) async throws {
    let deadline = Deadline()
    while try await !commands() {
      if deadline.hasPassed { throw Overdue(what) }
    }
  }

  private func isFavouriteThere() async throws -> Bool {
    try await there("playlist", "favourite", "--json").output.contains("\"favourite\":true")
  }

  @Test func `one command on each machine is enough; from then on commands share what they change`() async throws {
    try await join()
    _ = try await here("queue", "add", "2", "3")
    let queue = try await here("queue").output
    try await brings("the mark and the queue") {
      _ = try await here("mark", "favourite", "1")
      _ = try await there("sync")
      let (isFavourite, theirs) = (try await isFavouriteThere(), try await there("queue").output)
      return isFavourite && theirs == queue
    }
    let devices = try await here("sync", "devices", "--json")
    #expect(JSON(parsing: devices.output)?.elements?.compactMap { $0["name"]?.text } == ["desk", "laptop"])
  }

  @Test func `of a podcast that another machine follows all pages of the feed come`() async throws {
    let end = "</channel>\n</rss>"
    let parts = SampleFeed(episodes: 3, mediaBase: stage.server.url("/media")).xml.replacing(end, with: "")
      .split(separator: "<item>")
    func page(_ items: ArraySlice<Substring>, _ link: String) -> Response {
      .feed(Array((parts[0] + link + items.map { "<item>" + $0 }.joined() + end).utf8))
    }
    let next = "<link xmlns=\"http://www.w3.org/2005/Atom\" rel=\"next\" href=\"\(stage.server.url("/older"))\"/>"
    stage.server.serve("/feed.xml", page(parts[1...2], next))
    stage.server.serve("/older", page(parts[3...], ""))
    try await stage.subscribe()
    _ = try await here("sync", "folder", folder, "--name", "desk")
    _ = try await there("sync", "folder", folder, "--name", "laptop")
    // Where a page does not come, the next refresh asks for all of them.
    stage.server.serve("/older", .status(503))
    #expect(try await there("refresh").status == .exited(5))
    stage.server.serve("/older", page(parts[3...], ""))
    _ = try await there("refresh", "--force")
    #expect(lines(try await there("playlist").output).count == 3)
    #expect(try await there("playlist", "new").output.isEmpty)
  }

  @Test func `a list tells how the episodes of a podcast come that another machine follows`() async throws {
    try await join()
    stage.server.serve("/second", .feed(SampleFeed(title: "Second Show", mediaBase: stage.server.url("/media")).bytes))
    var told: [String] = []
    try await brings("the podcast") {
      _ = try await here("subscribe", stage.server.url("/second"))
      _ = try await here("sync")
      told.append(try await there("queue").error)
      return try await there("podcasts").output.contains("/second")
    }
    let line = "Followed elsewhere, and here now: 1 podcast; the episodes come with: podcli refresh"
    #expect(told.contains { $0.contains(line) }, "\(told)")
    #expect(try await !there("queue").error.contains("Followed elsewhere"))
  }

  @Test func `a command that did a part of its work shares that`() async throws {
    try await join()
    stage.server.serve("/second", .feed(SampleFeed(title: "Second Show", mediaBase: stage.server.url("/media")).bytes))
    try await brings("the podcast") {
      let partly = try await here("subscribe", stage.server.url("/second"), stage.server.url("/gone"))
      #expect(partly.status == .exited(6), "\(partly)")
      _ = try await there("sync")
      return try await there("podcasts").output.contains("/second")
    }
  }

  @Test(arguments: [SIGINT, SIGTERM])
  func `a player that a signal ends tells the other machine where`(_ signal: Int32) async throws {
    try await join()
    var start = 0
    try await brings("the position") {
      // A later one each time: the start of playing shares the position of the time before.
      start += 5
      let begin = Double(start)
      let playing = try stage.home.podcli("play", "1", "--start", "\(start)").start()
      try await stage.wait(for: "the position in the library") {
        try await $0.current()?.status.lastListenTime.map { $0 >= .seconds(begin) } == true
      }
      playing.send(signal)
      #expect(try await playing.end().status == .exited(128 + signal))
      #expect(names(in: stage.home.path + "/podcli/run").allSatisfy { !$0.hasPrefix("player-") })
      let list = JSON(parsing: try await there("playlist", "--json").output)?.elements ?? []
      return list.contains { $0["status"]?["lastListenTime"]?.double.map { $0 >= begin } == true }
    }
  }

  @Test func `a list shows what the other machine has just done`() async throws {
    try await join()
    try await brings("the mark") {
      _ = try await here("mark", "favourite", "1")
      return try await isFavouriteThere()
    }
    try await brings("the bookmark") {
      _ = try await here("bookmark", "1", "0:01")
      return try await there("bookmarks").output.hasPrefix("1@")
    }
    _ = try await there("config", "set", "sync=manual")
    _ = try await here("queue", "add", "2")
    #expect(try await there("queue", "--json").output == "[]\n")
  }

  @Test func `an episode goes on where the other machine was, and says so`() async throws {
    try await join()
    let store = try PodcastStoreForTests.writing(stage.home)
    try await store.savePosition(.seconds(31), of: EpisodeID(rawValue: 1), urgency: .flush)
    await store.close()
    _ = try await here("sync")
    _ = try await there("sync")
    let played = try await there("play", "1", "--resume", "--until", "32")
    #expect(played.error.contains("Going on at 0:31, heard on desk "), "\(played)")
  }

  @Test func `resume --detach goes on with what another machine played last`() async throws {
    try await join()
    _ = try await there("play", "2", "--start", "10", "--until", "11")
    try await brings("the episode of the other machine") {
      _ = try await here("play", "1", "--start", "30", "--until", "31")
      let resumed = try await there("resume", "--detach", "--json")
      _ = try await there("stop")
      return JSON(parsing: resumed.output)?["episode"]?["id"]?.int == 1
    }
  }

  @Test func `the screen shows what another machine played last`() async throws {
    try await join()
    _ = try await there("play", "2", "--start", "10", "--until", "11")
    _ = try await here("play", "1", "--start", "30", "--until", "31")
    _ = try await here("sync")
    let screen = try await TmuxScreen(in: other, columns: 80, rows: 24)
    try await screen.openPodcli()
    _ = try await screen.shows("the episode below") { screen in
      screen.split(separator: "\n").contains { $0.contains("■ 00:00:3") && $0.contains("Episode 1") }
    }
    try await screen.type("q")
    try await screen.end()
  }

  @Test func `a player tells the others where it stopped`() async throws {
    try await join()
    let store = try PodcastStore(path: other.path + "/podcli/library.db", access: .readOnly)
    try await brings("the position") {
      let played = try await here("play", "1", "--start", "30", "--until", "31")
      #expect(played.status == .exited(0), "\(played)")
      _ = try await there("sync")
      let position = try await store.episode(EpisodeID(rawValue: 1))?.status.lastListenTime
      return (position ?? .zero) > .seconds(30)
    }
  }

  @Test func `a folder that is gone fails no other command, and sync says so with status 5`() async throws {
    try await join()
    rename(folder, folder + ".unplugged")
    let marked = try await here("mark", "played", "1")
    #expect(marked.status == .exited(0) && !marked.error.contains("folder"))
    let failed = try await here("sync")
    #expect(failed.status == .exited(5) && failed.error.contains("nothing is lost"))
    #expect(try await here("sync", "status").output.contains("is not there"))
    #expect(try await here("doctor").output.contains("the folder for sync is not there"))
    rename(folder + ".unplugged", folder)
    #expect(try await here("sync").status == .exited(0))
    #expect(try await !here("sync", "status").output.contains("is not there"))
  }

  /// strace fails the calls on this machine's file, as a full or read-only folder does.
  @Test(arguments: [("write", "ENOSPC", "disk full"), ("openat", "EROFS", "Read-only file system")])
  func `a folder that is full or read-only fails no other command, and is caught up with`(
    call: String, error: String, words: String
  ) async throws {
    try await join()
    let own = try #require(
      JSON(parsing: try await here("sync", "devices", "--json").output)?.elements?.first?["id"]?.text)
    func failing(_ arguments: String...) async throws -> Outcome {
      let file = folder + "/podcli-sync-1/" + own + ".jsonl"
      let draft = folder + "/podcli-sync-1/." + own + ".jsonl.tmp"
      let words = ["-f", "-qq", "-o", "/dev/null", "-P", file, "-P", draft, "-e", "trace=" + call]
      let podcli = ["-e", "inject=\(call):error=\(error)", builtProduct("podcli")]
      return try await stage.home.program("/usr/bin/strace", words + podcli + arguments).run()
    }
    let marked = try await failing("mark", "favourite", "1")
    #expect(marked.status == .exited(0) && !marked.error.contains(words), "\(marked)")
    let failed = try await failing("sync")
    #expect(failed.status == .exited(5) && failed.error.contains(words), "\(failed)")
    #expect(try await here("sync", "status").output.contains(words))
    #expect(try await here("doctor").output.contains(words))
    #expect(try await here("sync").status == .exited(0))
    _ = try await there("sync")
    #expect(try await there("playlist", "favourite", "--json").output.contains("\"favourite\":true"))
    #expect(try await !here("doctor").output.contains(words))
  }

  @Test func `sync=manual leaves the folder to podcli sync`() async throws {
    try await join()
    _ = try await here("config", "set", "sync=manual")
    _ = try await here("mark", "favourite", "1")
    let status = try await here("sync", "status", "--json")
    #expect(JSON(parsing: status.output)?["hasChanges"]?.flag == true)
    _ = try await here("sync")
    let after = try await here("sync", "status", "--json")
    #expect(JSON(parsing: after.output)?["hasChanges"]?.flag == false)
  }

  @Test func `after sync reset --mine the others have what this machine has`() async throws {
    let unshared = try await here("sync", "reset", "--mine")
    #expect(unshared.status == .exited(3) && unshared.error.contains("podcli sync folder PATH"))
    try await join()
    _ = try await here("mark", "favourite", "1")
    _ = try await here("sync")
    _ = try await there("sync")
    let store = try PodcastStoreForTests.writing(stage.home)
    let copy = stage.home.path + "/backup.db"
    try await store.backUp(to: copy)
    await store.close()
    _ = try await here("mark", "unfavourite", "1")
    _ = try await here("sync")
    _ = try await there("sync")
    #expect(try await there("playlist", "favourite", "--json").output == "[]\n")
    #expect(try await here("sync", "reset").status == .exited(2))
    #expect(try await here("restore", copy).status == .exited(0))
    #expect(try await here("sync", "reset", "--mine").status == .exited(0))
    #expect(try await here("sync").status == .exited(0))
    _ = try await there("sync")
    #expect(try await there("playlist", "favourite", "--json").output.contains("\"favourite\":true"))
    #expect(try await here("playlist", "favourite", "--json").output.contains("\"favourite\":true"))
  }

  @Test func `a damaged line of another machine is named, with the command that forgets that machine`() async throws {
    try await join()
    _ = try await here("sync")
    let devices = try await here("sync", "devices", "--json")
    let gone = try #require(
      JSON(parsing: devices.output)?.elements?.first { $0["name"]?.text == "laptop" }?["id"]?.text)
    let name = try #require(names(in: folder + "/podcli-sync-1").first { $0.contains(gone) })
    let text = String(decoding: try contents(of: folder + "/podcli-sync-1/" + name), as: UTF8.self)
    _ = try stage.home.write(text + "damaged\n", to: "shared/podcli-sync-1/" + name)
    let damaged = try await here("sync")
    #expect(damaged.error.contains("Left alone: 1 line of \(name), "), "\(damaged)")
    #expect(damaged.error.contains("podcli sync forget \(gone)"), "\(damaged)")
    _ = try stage.home.write(text + "damaged\n", to: "shared/podcli-sync-1/\(gone).sync-conflict-1.jsonl")
    let twice = try await here("sync")
    #expect(twice.error.contains(".sync-conflict-1.jsonl, broken or not all there yet\n"), "\(twice)")
    #expect(unlink(folder + "/podcli-sync-1/\(gone).sync-conflict-1.jsonl") == 0)
    #expect(try await here("sync", "forget", gone).status == .exited(0))
    #expect(try await !here("sync").error.contains("Left alone"))
  }

  @Test func `without a folder, of an unknown machine and of this one there are words`() async throws {
    #expect(try await here("sync").status == .exited(3))
    try await join()
    #expect(try await here("sync", "forget", "nobody").status == .exited(3))
    #expect(try await here("sync", "forget", "desk").status == .exited(1))
    #expect(try await here("sync", "folder", stage.home.path + "/none").status == .exited(5))
    let file = try await here("sync", "folder", try stage.home.write("", to: "file"))
    #expect(file.status == .exited(2) && file.error.contains("is no folder"), "\(file)")
    let refused = try await here("sync", "folder", folder, "--off")
    #expect(refused.status == .exited(2) && refused.error.contains("whatever the folder"), "\(refused)")
    let off = try await here("sync", "folder", "--off")
    #expect(off.status == .exited(0))
    #expect(try await here("sync").status == .exited(3))
  }
}
