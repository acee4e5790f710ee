import Glibc
import PodcastModel
import TestSupport
import Testing

@testable import PodcastStore

/// The faults S of `Tests/FAULTS.md` about the library's file, from the command line.
@Suite struct LibraryFaultTests {
  private func file(_ stage: Stage) -> String { stage.home.path + "/podcli/library.db" }

  private func files(_ stage: Stage) async throws -> [String] {
    try await stage.home.program("/bin/ls", stage.home.path + "/podcli").run().output.split(separator: "\n").map(
      String.init)
  }

  @Test func `S1, S2: a feed without free space changes nothing`() async throws {
    let stage = try await Stage.library()
    stage.server.serve("/long.xml", .feed(SampleFeed(title: "Long", episodes: 3000).bytes))
    // In blocks of 512 bytes: beyond what the library has, short of what the feed needs. No file grows past it; nor does
    // the one of 1,024 blocks that the thread sanitizer maps, which would break off in the middle below that.
    let limited = "ulimit -f 1100; exec \"\(builtProduct("podcli"))\" subscribe \(stage.server.url("/long.xml"))"
    let outcome = try await stage.home.program("/bin/sh", "-c", limited).run()
    #expect(outcome.status == .exited(9), "\(outcome)")
    #expect(outcome.error.contains("disk full: "))
    #expect(try await stage.run("doctor", "--full").status == .exited(0))
    #expect(lines(try await stage.run("episodes", "sample").output).count == 3)
  }

  @Test func `a folder that cannot be made is named, with the way to another library`() async throws {
    let stage = try Stage(episodes: 1, seconds: 1)
    let outcome = try await stage.run("subscribe", stage.feedURL, "--library", "/proc/none")
    #expect(outcome.status == .exited(9) && outcome.error.contains("its folder cannot be made: /proc/none"))
    #expect(outcome.error.contains("use another one with --library DIR"), "\(outcome)")
    let file = try await stage.home.podcli("playlist").setting("PODCLI_HOME", "/dev/null").run()
    #expect(file.status == .exited(9) && file.error.contains("Not a directory"), "\(file)")
  }

  /// A folder that even root cannot write can be read.
  @Test func `S3: in a read-only folder lists work, and changes are status 9`() async throws {
    let stage = try await Stage.library()
    let folder = stage.home.path + "/podcli"
    for name in try await files(stage) { chmod(folder + "/" + name, 0o400) }
    chmod(folder, 0o500)
    func run(_ arguments: String...) async throws -> Outcome { try await withoutRights(stage, arguments) }
    for looking in [["playlist"], ["info", "1"], ["podcasts"]] {
      let outcome = try await run(looking[0], looking.dropFirst().first ?? "--json")
      #expect(outcome.status == .exited(0) && !outcome.output.isEmpty, "\(looking): \(outcome)")
    }
    #expect(try await run("export").output.contains("xmlUrl"))
    let marking = try await run("mark", "played", "1")
    #expect(marking.status == .exited(9), "\(marking)")
    #expect(marking.error.contains("cannot be written"))
  }

  enum Damage: String, CaseIterable {
    case emptied, cutInHalf, withoutFirstPage, withoutHeader, onlyFirstPage
  }

  @Test(arguments: Damage.allCases)
  func `S4: a damaged library is refused by every command until it is replaced, and then kept`(damage: Damage)
    async throws
  {
    let stage = try await Stage.library()
    let copy = stage.home.path + "/copy.db"
    #expect(try await stage.run("backup", copy).status == .exited(0))
    let damaged = try spoil(stage, damage)
    let before = Set(try await files(stage))
    #expect(try await stage.run("doctor").status == .exited(9))
    // SQLite makes its side files for every reader.
    #expect(Set(try await files(stage)).subtracting(before).isSubset(of: ["library.db-wal", "library.db-shm"]))

    let newest = try #require(PodcastStore.backups(of: file(stage)).first)
    for words in Self.everyUse {
      let outcome = try await stage.home.podcli(words).run()
      #expect(outcome.status == .exited(9), "\(words): \(outcome)")
      #expect(outcome.error.contains("podcli restore \(newest)"), "\(words): \(outcome)")
      #expect(outcome.output.isEmpty)
    }
    #expect(try contents(of: file(stage)) == damaged)
    #expect(try await stage.run("restore", copy).status == .exited(0))
    #expect(lines(try await stage.run("playlist").output).count == 3)
    let aside = try #require(PodcastStore.setAside(from: file(stage)).first)
    #expect(try contents(of: aside) == damaged)
  }

  private static let everyUse = [
    ["playlist"], ["podcasts"], ["status"], ["export"], ["mark", "played", "1"], ["refresh"], ["play", "1"], ["resume"],
    ["search", "words"], ["history"], ["queue"], ["download", "1"], ["backup"], ["undo"],
  ]

  @Test func `S4: what was set aside is named, an empty library begins only on request`() async throws {
    let stage = try await Stage.library()
    #expect(try await stage.run("restore", "--start-anew").status == .exited(1))
    #expect(try await stage.run("restore").status == .exited(2))
    _ = try spoil(stage, .cutInHalf)
    let begun = try await stage.run("restore", "--start-anew")
    #expect(begun.status == .exited(0), "\(begun)")
    #expect(try await stage.run("playlist").output.isEmpty)
    let aside = try #require(PodcastStore.setAside(from: file(stage)).first)
    unlink(file(stage))
    for words in [["playlist"], ["doctor"], ["subscribe", stage.feedURL]] {
      let outcome = try await stage.home.podcli(words).run()
      #expect(outcome.status == .exited(9), "\(words): \(outcome)")
      #expect((outcome.error + outcome.output).contains(aside), "\(words): \(outcome)")
    }
  }

  @Test func `S4: damage that no list notices is found by doctor, and of an index mended with --fix`() async throws {
    let stage = try await Stage.library()
    var bytes = try checkpointed(stage)
    let connection = try Connection(path: file(stage), mode: .readWrite)
    let root = try #require(
      try connection.integer("SELECT rootpage FROM sqlite_schema WHERE name = 'episodes_by_enclosure'"))
    // The last bytes of the page are those of its first entry.
    bytes[Int(root) * 4096 - 1] ^= 0x55
    try stage.home.write(bytes, to: "podcli/library.db")
    #expect(try await stage.run("playlist").status == .exited(0))
    let found = try await stage.run("doctor")
    #expect(found.status == .exited(9) && found.output.contains("podcli doctor --fix"), "\(found)")
    #expect(try await stage.run("doctor", "--fix").status == .exited(0))
    #expect(lines(try await stage.run("playlist").output).count == 3)
  }

  /// Moves everything from the WAL into the library, and removes it.
  private func checkpointed(_ stage: Stage) throws -> [UInt8] {
    try Connection(path: file(stage), mode: .readWrite).checkpoint()
    for suffix in ["-wal", "-shm"] { unlink(file(stage) + suffix) }
    return try contents(of: file(stage))
  }

  private func spoil(_ stage: Stage, _ damage: Damage) throws -> [UInt8] {
    let damaged = Self.damaged(try checkpointed(stage), damage)
    try stage.home.write(damaged, to: "podcli/library.db")
    return damaged
  }

  /// Even root cannot read it: its rights over files are taken away.
  @Test func `S11: a library that cannot be read is no empty one`() async throws {
    let stage = try await Stage.library()
    let folder = stage.home.path + "/podcli"
    defer { chmod(folder, 0o700) }
    for (folderMode, fileMode) in [(UInt32(0), UInt32(0o600)), (0o700, 0)] {
      chmod(file(stage), fileMode)
      chmod(folder, folderMode)
      for words in Self.everyUse + [["doctor"]] {
        let outcome = try await withoutRights(stage, words)
        #expect(outcome.status == .exited(9), "\(words): \(outcome)")
        #expect((outcome.error + outcome.output).contains("Permission denied"), "\(words): \(outcome)")
      }
      let copies = try await withoutRights(stage, ["backup", "--list"])
      #expect(copies.status == .exited(folderMode == 0 ? 9 : 0), "\(copies)")
      chmod(folder, 0o700)
    }
  }

  /// Without side files SQLite cannot open it for writing at all, and with them only at the first write.
  private func makeReadOnly(_ stage: Stage, withSideFiles: Bool = true) async throws {
    let folder = stage.home.path + "/podcli"
    if !withSideFiles { _ = try checkpointed(stage) }
    for name in try await files(stage) where name != "backups" { chmod(folder + "/" + name, 0o400) }
    chmod(folder, 0o500)
  }

  @Test(arguments: [true, false])
  func `S3, S11: in a read-only home playing is status 9, and plays with --no-save`(
    withSideFiles: Bool
  ) async throws {
    let stage = try await playable()
    try await stage.seed { try await $0.savePosition(.seconds(0.5), of: .init(rawValue: 2), urgency: .flush) }
    try await makeReadOnly(stage, withSideFiles: withSideFiles)
    for words in [["play", "1"], ["resume"], ["download", "1"]] {
      let outcome = try await withoutRights(stage, words)
      #expect(outcome.status == .exited(9), "\(words): \(outcome)")
      #expect(!withSideFiles || outcome.error.contains("--no-save"), "\(words): \(outcome)")
    }
    let looked = try await withoutRights(stage, ["doctor"])
    #expect(looked.status == .exited(0) && looked.output.contains("it cannot be written"), "\(looked)")
    let unsaved = try await withoutRights(stage, ["play", "3", "--no-save"])
    #expect(unsaved.status == .exited(0), "\(unsaved)")
    let again = try await withoutRights(stage, ["play", "2", "--no-save", "--restart"])
    #expect(again.status == .exited(0), "\(again)")
    let apart = try await withoutRights(stage, ["play", "3", "--no-save", "--detach"])
    // It does not fail at the library, but at the folder of its socket.
    #expect(apart.status == .exited(1) && apart.error.contains("its socket cannot be made"), "\(apart)")
    let setting = try await withoutRights(stage, ["config", "set", "speed=2"])
    #expect(setting.status == .exited(9) && setting.error.contains("PODCLI_HOME=DIR podcli"), "\(setting)")
    #expect(try await withoutRights(stage, ["status"]).output.hasPrefix("stopped"))
  }

  @Test func `S11: settings that cannot be read are not those that are built in`() async throws {
    let stage = try await playable()
    chmod(stage.home.path + "/podcli/config", 0)
    for words in [
      ["config"], ["config", "get", "autoplay"], ["config", "set", "speed=2"], ["play", "1"], ["refresh"],
    ] {
      let outcome = try await withoutRights(stage, words)
      #expect(outcome.status == .exited(9), "\(words): \(outcome)")
      #expect(outcome.error.contains("the settings cannot be used: Permission denied"), "\(words): \(outcome)")
    }
  }

  @Test func `S4: damage that only the backup finds is told by the refresh that makes it`() async throws {
    let stage = try await Stage.library()
    var bytes = try checkpointed(stage)
    let connection = try Connection(path: file(stage), mode: .readWrite)
    let root = try #require(try connection.integer("SELECT rootpage FROM sqlite_schema WHERE name = 'bookmarks'"))
    bytes.replaceSubrange(Int(root - 1) * 4096..<Int(root) * 4096, with: [UInt8](repeating: 0xAA, count: 4096))
    try stage.home.write(bytes, to: "podcli/library.db")
    let copies = stage.home.path + "/podcli/backups"
    for name in names(in: copies) { unlink(copies + "/" + name) }
    #expect(try await stage.run("playlist").status == .exited(0))
    let outcome = try await stage.run("refresh")
    #expect(outcome.status == .exited(9) && outcome.error.contains("podcli restore --start-anew"), "\(outcome)")
  }

  @Test func `S11: a lock that cannot be opened is no other player`() async throws {
    let stage = try await playable()
    let lock = try stage.home.write("4211 1\n", to: "podcli/player.lock")
    #expect(try await stage.run("status").output.hasPrefix("stopped"))
    chmod(lock, 0o400)
    #expect(try await withoutRights(stage, ["status"]).output.hasPrefix("stopped"))
    chmod(lock, 0)
    let outcome = try await withoutRights(stage, ["play", "1"])
    #expect(outcome.status == .exited(9) && outcome.error.contains("Permission denied"), "\(outcome)")
    #expect(try await withoutRights(stage, ["play", "3", "--no-save"]).status == .exited(0))
  }

  @Test(arguments: [true, false])
  func `S3: without an index of the words a search does not say that nothing has them`(
    withSideFiles: Bool
  ) async throws {
    let stage = try await Stage.library()
    try await makeReadOnly(stage, withSideFiles: withSideFiles)
    for words in [["search", "episode"], ["playlist", "text:episode"]] {
      let outcome = try await withoutRights(stage, words)
      #expect(outcome.status == .exited(9) && outcome.error.contains("search index"), "\(words): \(outcome)")
    }
    chmod(stage.home.path + "/podcli", 0o700)
    for name in try await files(stage) { chmod(stage.home.path + "/podcli/" + name, 0o700) }
    _ = try await stage.run("search", "episode")
    try Connection(path: file(stage), mode: .readWrite).checkpoint()
    try await makeReadOnly(stage, withSideFiles: withSideFiles)
    #expect(lines(try await withoutRights(stage, ["search", "episode"]).output).count == 3)
    #expect(try await withoutRights(stage, ["search", "zebra"]).status == .exited(0))
  }

  /// A program with a sanitizer finds its own libraries by /proc, and ends without it.
  @Test(.enabled(if: geteuid() == 0 && !isSanitized)) func `S12: without /proc every command has its words`()
    async throws
  {
    let stage = try await playable()
    let script = "umount -l /proc && exec \"$@\""
    let feeds = (1...8).map { "/more\($0)" }
    for path in feeds { stage.server.serve(path, Response.feed(SampleFeed(title: path, episodes: 1).bytes)) }
    let outlines = feeds.map { "<outline xmlUrl=\"\(stage.server.url($0))\"/>" }.joined()
    let list = try stage.home.write("<opml><body>\(outlines)</body></opml>", to: "more.opml")
    let clip = ["clip", "2", "0:00", "0:01", stage.home.path + "/clip.mp3"]
    let commands = [
      ["version"], ["playlist"], ["mark", "played", "1"], ["import", list], ["refresh"], ["play", "3"],
      ["play", "2", "--detach"], ["download", "2"], clip,
    ]
    for words in commands {
      let outcome = try await stage.home.program(
        "/usr/bin/unshare", ["--mount", "sh", "-c", script, "sh", builtProduct("podcli")] + words
      ).run()
      #expect(outcome.status == .exited(0), "\(words): \(outcome)")
      #expect(!outcome.output.contains("USAGE") && !outcome.output.contains("Usage"), "\(outcome)")
    }
    #expect(try await stage.status(of: 1).hasCompleted)
    _ = try await stage.run("stop")
  }

  /// A library of three episodes of a second each.
  private func playable() async throws -> Stage {
    let stage = try Stage(seconds: 1)
    try await stage.subscribe()
    _ = try await stage.run("config", "set", "autoplay=off")
    return stage
  }

  private func withoutRights(_ stage: Stage, _ arguments: [String]) async throws -> Outcome {
    let podcli = [builtProduct("podcli")] + arguments
    let capabilities = ["/usr/bin/setpriv", "--bounding-set=-dac_override,-dac_read_search", "--"]
    let words = (geteuid() == 0 ? capabilities : []) + podcli
    return try await stage.home.program(words[0], Array(words.dropFirst())).run()
  }

  private static func damaged(_ bytes: [UInt8], _ damage: Damage) -> [UInt8] {
    let page = 4096
    func over(_ range: Range<Int>) -> [UInt8] {
      bytes.enumerated().map { range.contains($0.offset) ? 0xAA : $0.element }
    }
    switch damage {
    case .emptied: return []
    case .cutInHalf: return Array(bytes.prefix(bytes.count / 2 / page * page))
    case .withoutFirstPage: return over(0..<page)
    case .withoutHeader: return over(0..<100)
    case .onlyFirstPage: return over(page..<bytes.count)
    }
  }

  @Test func `S5: a writer waits for a locked library, then status 9 names the holder; lists do not wait`() async throws
  {
    let stage = try await Stage.library()
    let other = try Connection(path: file(stage), mode: .readWrite)
    try other.execute("BEGIN IMMEDIATE")
    #expect(lines(try await stage.run("playlist").output).count == 3)
    let outcome = try await stage.run("mark", "played", "1")
    #expect(outcome.status == .exited(9), "\(outcome)")
    #expect(outcome.error.contains("(pid \(getpid()))"))
    try other.execute("ROLLBACK")
    #expect(try await stage.run("mark", "played", "1").status == .exited(0))
  }

  @Test func `S6: eight processes at once make one library, and lose no podcast`() async throws {
    let stage = try Stage()
    let names = ["a", "b", "c", "d", "e", "f"]
    for name in names { stage.server.serve("/\(name).xml", .feed(SampleFeed(title: name, episodes: 40).bytes)) }
    // Three of the eight subscribe to the first feed.
    let running = try (names + ["a", "a"]).map { name in
      try stage.home.podcli("subscribe", stage.server.url("/\(name).xml")).start()
    }
    for each in running {
      let outcome = try await each.end()
      #expect(outcome.status == .exited(0), "\(outcome)")
    }
    #expect(lines(try await stage.run("podcasts").output).count == names.count)
    #expect(lines(try await stage.run("playlist").output).count == 40 * names.count)
    #expect(try await stage.run("doctor", "--full").status == .exited(0))
  }

  @Test func `S8: the library of a newer podcli is refused and untouched`() async throws {
    let stage = try await Stage.library()
    let connection = try Connection(path: file(stage), mode: .readWrite)
    try connection.executeScript("PRAGMA user_version = 99")
    try connection.checkpoint()
    let before = try contents(of: file(stage))
    for words in [["playlist"], ["mark", "played", "1"], ["refresh"]] {
      let outcome = try await stage.home.podcli(words).run()
      #expect(outcome.status == .exited(9), "\(words): \(outcome)")
      #expect(outcome.error.contains("made by a newer version"))
    }
    #expect(try contents(of: file(stage)) == before)
  }

  @Test func `S10: doctor says why one podcli waits for another`() async throws {
    let stage = try await Stage.library()
    #expect(!(try await stage.run("doctor").output.contains("share memory")))
    try Connection(path: file(stage), mode: .readWrite).checkpoint()
    for suffix in ["-wal", "-shm"] { unlink(file(stage) + suffix) }
    // Where the header names the journal.
    var bytes = try contents(of: file(stage))
    bytes.replaceSubrange(18...19, with: [1, 1])
    try stage.home.write(bytes, to: "podcli/library.db")
    let outcome = try await stage.run("doctor")
    #expect(outcome.status == .exited(0))
    #expect(outcome.output.contains("does not let programs share memory"), "\(outcome)")
  }
}
