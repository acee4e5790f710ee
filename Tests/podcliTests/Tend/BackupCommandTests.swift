import Glibc
import PodcastModel
import Podcatcher
import System
import TestSupport
import Testing
import Text

@testable import PodcastStore
@testable import podcli

@Suite struct BackupCommandTests {
  @Test func `a backup never replaces the library it is made of`() async throws {
    let stage = try Stage(episodes: 1)
    try await stage.subscribe()
    let folder = stage.home.path + "/podcli"
    symlink(folder, stage.home.path + "/link")
    for target in [folder + "/library.db", stage.home.path + "/link/library.db", folder + "/library.db-wal"] {
      let outcome = try await stage.run("backup", "--force", target)
      #expect(outcome.status == .exited(2) && outcome.error.contains("is the library itself"), "\(outcome)")
    }
    #expect(try await stage.run("backup", " ").status == .exited(2))
    #expect(try await stage.run("playlist").output.contains("Episode 1"))
    #expect(try await stage.run("backup", folder + "/copy.db").status == .exited(0))
  }

  @Test func `a backup replaces no database of another program, unless forced to`() async throws {
    let stage = try await Stage.library()
    let file = stage.home.path + "/other.db"
    try Connection(path: file, mode: .create).execute("CREATE TABLE things (name TEXT)")
    let before = try contents(of: file)
    let refused = try await stage.run("backup", file)
    #expect(refused.status != .exited(0) && refused.error.contains("something else than a library"), "\(refused)")
    #expect(try contents(of: file) == before)
    #expect(try await stage.run("backup", file, "--force").status == .exited(0))
    #expect(try await stage.run("backup", file).status == .exited(0))
  }

  @Test func `restoring a backup brings the episodes back and keeps the old library`() async throws {
    let stage = try await Stage.library()
    let file = stage.home.path + "/copy.db"
    #expect(try await stage.run("backup", file).output == file + "\n")
    _ = try await stage.run("unsubscribe", "sample", "--delete", "--yes")
    #expect(try await stage.run("playlist").output.isEmpty)
    let restored = try await stage.run("restore", file)
    #expect(restored.status == .exited(0), "\(restored)")
    #expect(restored.error.contains("library.db.before-"))
    #expect(lines(try await stage.run("playlist").output).count == 3)
  }

  /// The library of the stage in a folder of its own, with a symbolic link in its place; and a backup of it.
  private func linkedLibrary() async throws -> (stage: Stage, elsewhere: String, backup: String) {
    let stage = try await Stage.library()
    let (folder, elsewhere) = (stage.home.path + "/podcli", stage.home.path + "/elsewhere")
    let backup = String(try await stage.run("backup").output.dropLast())
    mkdir(elsewhere, 0o700)
    for name in names(in: folder) where name.hasPrefix("library.db") {
      rename("\(folder)/\(name)", "\(elsewhere)/\(name)")
    }
    symlink("../elsewhere/library.db", folder + "/library.db")
    return (stage, elsewhere, backup)
  }

  @Test func `a library that is a symbolic link is restored where the link leads to`() async throws {
    let (stage, _, backup) = try await linkedLibrary()
    _ = try await stage.run("unsubscribe", "sample", "--delete", "--yes")
    let restored = try await stage.run("restore", backup)
    #expect(restored.error.contains("elsewhere/library.db.before-"), "\(restored)")
    let link = stage.home.path + "/podcli/library.db"
    #expect(Files.target(of: link) == stage.home.path + "/podcli/../elsewhere/library.db")
    #expect(lines(try await stage.run("playlist").output).count == 3)
  }

  @Test func `S11: no library is made or restored where a symbolic link leads nowhere`() async throws {
    let (stage, elsewhere, backup) = try await linkedLibrary()
    rename(elsewhere, elsewhere + ".gone")
    #expect(try await stage.run("restore", backup).error.contains("the link leads nowhere"))
    #expect(access(elsewhere, F_OK) != 0)
    mkdir(elsewhere, 0o700)
    let list = try stage.home.write(
      "<opml version='2.0'><body><outline type='rss' xmlUrl='\(stage.feedURL)'/></body></opml>", to: "list.opml")
    for words in [["playlist"], ["refresh"], ["import", list], ["restore", backup], ["restore", "--start-anew"]] {
      let refused = try await stage.home.podcli(words).run()
      #expect(refused.status == .exited(9) && refused.error.contains("the link leads nowhere"), "\(words): \(refused)")
    }
    #expect(names(in: elsewhere) == [])
    rename(elsewhere, elsewhere + ".other")
    rename(elsewhere + ".gone", elsewhere)
    #expect(lines(try await stage.run("playlist").output).count == 3)
  }

  @Test func `a player that names the library otherwise than by its symbolic link is a player of it`() async throws {
    let (stage, elsewhere, backup) = try await linkedLibrary()
    let lock = try #require(try PlayerLock(directory: elsewhere))
    lock.announce(EpisodeID(rawValue: 1))
    for words in [["restore", backup], ["play", "1"]] {
      let refused = try await stage.home.podcli(words).run()
      #expect(refused.error.contains("another podcli (pid \(getpid()))"), "\(words): \(refused)")
    }
    withExtendedLifetime(lock) {}
    let home = Environment { $0 == "PODCLI_HOME" ? stage.home.path + "/podcli" : nil }
    #expect(Paths(environment: home)?.socket == Paths(environment: home, library: elsewhere)?.socket)
  }

  @Test func `S11: a library behind a symbolic link that was set aside is replaced`() async throws {
    let (stage, elsewhere, backup) = try await linkedLibrary()
    rename(elsewhere + "/library.db", elsewhere + "/library.db.corrupt-2026-01-01T000000Z")
    #expect(try await stage.run("playlist").error.contains("it was set aside"))
    #expect(try await stage.run("restore", backup).status == .exited(0))
    #expect(lines(try await stage.run("playlist").output).count == 3)
  }

  @Test func `downloads lie beside the symbolic link to a library`() async throws {
    let (stage, _, _) = try await linkedLibrary()
    _ = try await stage.run("download", "1")
    let listed = try await stage.run("downloads").output
    #expect(listed.contains(stage.home.path + "/podcli/media/"), "\(listed)")
  }

  @Test func `a position that waits for the library is merged into one behind a symbolic link`() async throws {
    let (stage, _, _) = try await linkedLibrary()
    let home = stage.home.path
    let paths = try #require(Paths(environment: Environment { $0 == "PODCLI_HOME" ? home + "/podcli" : nil }))
    #expect(paths.library == home + "/podcli/library.db")
    let store = try PodcastStore(path: paths.library)
    let episode = try #require(try await store.episode(EpisodeID(rawValue: 1))).episode
    await store.close()
    let pending = PendingProgress(episode, position: .seconds(7), number: .max)
    #expect(PendingProgress.write([pending], in: paths.libraryFolder))
    let resumable = try await stage.run("resume", "--list")
    #expect(resumable.output.contains("\t600\t7"), "\(resumable)")
  }

  @Test func `a backup that lacks a table, a folder and another file are not restored`() async throws {
    let stage = try await Stage.library()
    let file = String(try await stage.run("backup").output.dropLast())
    let connection = try Connection(path: file, mode: .readWrite)
    try connection.executeScript("DROP TABLE statuses")
    let (lacking, folder) = (try await stage.run("restore", file), try await stage.run("restore", stage.home.path))
    #expect(
      lacking.status == .exited(9) && lacking.error.contains("is damaged: its table statuses is missing"), "\(lacking)")
    #expect(
      folder.status == .exited(1) && folder.error.contains("\(stage.home.path) is no podcli library"), "\(folder)")
    #expect(lines(try await stage.run("playlist").output).count == 3)
    let imported = try await stage.run("import", file)
    #expect(imported.error.contains("podcli restore \(file)"), "\(imported)")
  }

  @Test func `a backup without a name is made beside the library and listed`() async throws {
    let stage = try await Stage.library()
    let path = try await stage.run("backup").output
    #expect(try await stage.run("backup", "--list").output.hasPrefix(path.dropLast()))
    #expect(try await stage.json("backup", "--list").hasPrefix(#"[{"path":"#))
  }

  @Test func `where the library was deleted or overwritten, its backup is named`() async throws {
    let stage = try await Stage.library()
    let backup = String(try await stage.run("backup").output.dropLast())
    let folder = stage.home.path + "/podcli"
    for name in names(in: folder) where name.hasPrefix("library.db") { unlink("\(folder)/\(name)") }
    let empty = try await stage.run("playlist")
    #expect(empty.status == .exited(0) && empty.error.contains("podcli restore \(backup)"), "\(empty)")
    _ = try stage.home.write("no database", to: "podcli/library.db")
    let damaged = try await stage.run("playlist")
    #expect(damaged.status == .exited(9) && damaged.error.contains("podcli restore \(backup)"), "\(damaged)")
    #expect(try await stage.run("restore", backup).status == .exited(0))
    #expect(lines(try await stage.run("playlist").output).count == 3)
  }

  @Test func `the first day has its backup, and a refresh makes one a week, even if all feeds fail`() async throws {
    let stage = try await Stage.library()
    let first = try await stage.run("backup", "--list").output
    #expect(lines(first).count == 1)
    _ = try await stage.run("refresh")
    #expect(try await stage.run("backup", "--list").output == first)
    for name in names(in: stage.home.path + "/podcli/backups") { unlink(stage.home.path + "/podcli/backups/" + name) }
    let store = try PodcastStoreForTests.writing(stage.home)
    try await store.makeOld()
    await store.close()
    stage.server.stop()
    let outcome = try await stage.run("refresh", "--json")
    #expect(outcome.status == .exited(5), "\(outcome)")
    #expect(lines(try await stage.run("backup", "--list").output).count == 1)
    _ = try await stage.run("refresh", "--scheduled")
    #expect(lines(try await stage.run("backup", "--list").output).count == 1)
  }

  @Test func `a backup that cannot be written is no fault of the library`() async throws {
    let stage = try await Stage.library()
    let file = stage.home.path + "/none/copy.db"
    let outcome = try await stage.run("backup", file)
    #expect(outcome.status == .exited(1), "\(outcome)")
    #expect(outcome.error.contains("the backup cannot be written: No such file or directory: \(file)\n"))
    #expect(!outcome.error.contains("doctor"))
  }

  @Test func `a backup is not written to standard output`() async throws {
    let stage = try await Stage.library()
    let outcome = try await stage.run("backup", "-")
    #expect(outcome.status == .exited(2) && outcome.output.isEmpty && outcome.error.contains("standard output"))
  }

  @Test func `a file that is not a library is not replaced`() async throws {
    let stage = try await Stage.library()
    let letter = try stage.home.write("Dear all", to: "letter")
    let refused = try await stage.run("backup", letter)
    #expect(refused.status == .exited(1))
    #expect(refused.error.contains("--force"))
    #expect(try contents(of: letter) == Array("Dear all".utf8))
    let restore = try await stage.run("restore", letter)
    #expect(restore.status != .exited(0))
    #expect(restore.error.contains("not touched"))
    #expect(try await stage.run("restore", "/no/such/file").status == .exited(3))
    #expect(lines(try await stage.run("playlist").output).count == 3)
    #expect(try await TemporaryHome().podcli("backup").run().status == .exited(3))
  }

  @Test func `restore refuses while a player uses the library`() async throws {
    let stage = try Stage()
    try await stage.subscribe()
    let file = stage.home.path + "/copy.db"
    _ = try await stage.run("backup", file)
    let playing = try stage.home.podcli("play", "1").start()
    try await playing.wait(forError: "Playing")
    #expect(try await stage.run("restore", file).status == .exited(7))
    playing.send(SIGTERM)
    _ = try await playing.end()
  }
}

extension PodcastStore {
  /// Moves the dates of subscription a year back.
  fileprivate func makeOld() throws(StoreError) {
    try connection.executeScript("UPDATE podcasts SET subscribed_at = subscribed_at - 31536000")
  }
}
