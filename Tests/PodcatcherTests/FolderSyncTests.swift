import Glibc
import PodcastModel
import TestSupport
import Testing
import Text

@testable import PodcastStore
@testable import Podcatcher

/// A folder with files of others, of which none can be trusted.
struct FolderSyncTests {
  private let clock = SyncMachine.Clock()

  private func machine() async throws -> SyncMachine {
    let machine = try SyncMachine(clock)
    try await machine.follow()
    return machine
  }

  private static let other = "0f3c9a1be2d47586"
  private static let header = #"{"podcli-sync":1,"device":"\#(other)","enc":"none"}"#
  private static let favourite =
    #"{"k":"episode","p":"example.org/0.xml","g":"guid-0","r":{"fav":[5,1]}}"#

  private func file(_ lines: String...) -> [UInt8] { Array((lines.joined(separator: "\n") + "\n").utf8) }

  private func isFavourite(_ machine: SyncMachine) async throws -> Bool {
    try await #require(machine.episode("Episode 0.0")).isFavourite
  }

  // MARK: Files of others

  @Test(
    arguments: [
      ("links", ".jsonl", false), ("drafts", ".tmp", false), ("conflict copies", " (Konflikt).jsonl", true),
      ("copies of Syncthing", ".sync-conflict-20261122-101010-ABCDEFG.jsonl", true),
    ])
  func `only regular files count, whatever they are called`(what: String, name: String, counts: Bool) async throws {
    let machine = try await machine()
    let bytes = file(Self.header, Self.favourite)
    if what == "links" {
      try machine.home.write(bytes, to: "elsewhere.jsonl")
      symlink(machine.home.path + "/elsewhere.jsonl", machine.files + "/" + Self.other + name)
    } else {
      try machine.write(bytes, as: Self.other + name)
    }
    try await machine.sync()
    #expect(try await isFavourite(machine) == counts, "\(what)")
    #expect(names(in: machine.files).contains(Self.other + name))
  }

  @Test func `a FIFO, a folder and a huge file keep no sync from its end`() async throws {
    let machine = try await machine()
    mkfifo(machine.files + "/fifo.jsonl", 0o600)
    mkdir(machine.files + "/folder.jsonl", 0o700)
    let huge = open(machine.files + "/huge.jsonl", O_CREAT | O_WRONLY, 0o600)
    ftruncate(huge, 1 << 30)
    close(huge)
    try machine.write(file(Self.header, Self.favourite), as: Self.other + ".jsonl")
    let report = try await machine.sync()
    #expect(report.problems.map(\.problem) == ["tooLarge"])
    #expect(try await isFavourite(machine))
  }

  @Test(
    arguments: [
      (#"{"podcli-sync":2,"device":"0f3c9a1be2d47586","enc":"none"}"#, "unknownVersion"),
      (#"{"podcli-sync":1,"device":"0f3c9a1be2d47586","enc":"box"}"#, "encrypted"),
      (#"{"podcli-sync":1,"device":"../../etc/passwd","enc":"none"}"#, "noHeader"), ("nonsense", "noHeader"),
      (#"[[[[[[[[[[1]]]]]]]]]]"#, "noHeader"),
    ])
  func `a file with a header that podcli does not know is left alone, beside those it knows`(
    header: String, problem: String
  ) async throws {
    let machine = try await machine()
    try machine.write(
      file(header, #"{"k":"episode","p":"example.org/0.xml","g":"guid-1","r":{"fav":[5,1]}}"#), as: "a.jsonl")
    try machine.write(file(Self.header, Self.favourite), as: Self.other + ".jsonl")
    let report = try await machine.sync()
    #expect(report.problems.map(\.problem) == [problem])
    #expect(try await isFavourite(machine))
    #expect(try await machine.episode("Episode 0.1")?.isFavourite == false)
    #expect(machine.names.contains("a.jsonl"))
  }

  @Test func `lines that are torn, too long, too deep or nonsense are passed over and counted`() async throws {
    let machine = try await machine()
    let long =
      #"{"k":"episode","p":"example.org/0.xml","g":"guid-1","x":""# + String(repeating: "x", count: 70_000)
      + #"","r":{"fav":[5,1]}}"#
    let deep = String(repeating: "[", count: 5000)
    let twice = #"{"k":"episode","p":"example.org/0.xml","g":"guid-2","r":{"fav":[5,1],"fav":[4,0]},"r":{"fav":[9,0]}}"#
    var bytes = file(Self.header, "{", long, deep, Self.favourite, twice, "\u{1B}[31m")
    bytes += Array(#"{"k":"episode","p":"example.org/0.xml","g":"guid-1","r":{"fav":[5,"#.utf8)
    try machine.write(bytes, as: Self.other + ".jsonl")
    let report = try await machine.sync()
    #expect(report.problems.map(\.passedOver) == [5])
    #expect(try await isFavourite(machine))
    #expect(try await machine.episode("Episode 0.2")?.isFavourite == true)
    #expect(try await machine.episode("Episode 0.1")?.isFavourite == false)
  }

  @Test func `nothing read can be a file, a command, a setting of the machine or a text that moves a cursor`()
    async throws
  {
    let machine = try await machine()
    let escape = #"\u001b[2J"#
    try machine.write(
      file(
        Self.header, #"{"k":"device","r":{"name":[9,"Lap\#(escape)top"],"seen":[9,"2026\#(escape)"]}}"#,
        #"{"k":"podcast","p":"etc/passwd","r":{"is":[9,{"url":"file:///etc/passwd","title":"x"}],"sub":[9,1]}}"#,
        #"{"k":"podcast","p":"evil.example/a","r":{"is":[9,{"url":"https://u:p@evil.example/a","title":"x"}],"sub":[9,1]}}"#,
        #"{"k":"podcast","p":"new.example/a","r":{"is":[9,{"url":"https://new.example/a","title":"N\#(escape)ew"}],"sub":[9,1]}}"#,
        #"{"k":"podcast","p":"example.org/0.xml","r":{"is":[9,{"url":"file:///etc/passwd"}],"set:hook":[9,"rm"],"set:speed":[9,"99"],"set:trim":[9,"mild"],"set:auto-download":[9,"5"],"title":[9,"T\#(escape)"]}}"#
      ), as: Self.other + ".jsonl")
    try await machine.sync()
    let file = try #require(try await machine.store.syncFiles().first { $0.device == Self.other })
    #expect(file.label == "Lap[2Jtop" && file.seen == "2026[2J")
    let podcasts = try await machine.store.podcasts()
    #expect(podcasts.map(\.reference.feedURL).sorted() == ["https://example.org/0.xml", "https://new.example/a"])
    #expect(podcasts.map(\.title).sorted() == ["N[2Jew", "T[2J"])
    let known = try #require(podcasts.first { $0.title == "T[2J" })
    #expect(try await machine.store.settings(of: known.id) == ["trim": "mild"])
  }

  // MARK: Our own file

  @Test func `a torn append of our own is mended, and a conflict copy of ours is read and removed`() async throws {
    let (first, second) = (try await machine(), try await machine())
    try await first.store.mark(.favourite, [try #require(try await first.episode("Episode 0.0")).episode.id])
    try await first.sync()
    let name = try #require(first.names.first)
    let whole = try #require(first.bytes(name))
    try first.write(Array(whole.dropLast(20)), as: name)
    try first.write(whole, as: name.dropLast(6) + ".sync-conflict-20261122-101010-ABCDEFG.jsonl")
    try await first.sync()
    #expect(first.names == [name])
    try second.write(try #require(first.bytes(name)), as: name)
    try await second.sync()
    #expect(try await isFavourite(second))
  }

  @Test func `nothing is appended to a file of another length than it was left with`() throws {
    let home = try TemporaryHome()
    let folder = SyncFolder(path: home.path)
    try folder.make()
    try folder.replace("a.jsonl", with: Array("one\n".utf8))
    #expect(try folder.append(Array("two\n".utf8), to: "a.jsonl", ofSize: 4))
    #expect(try !folder.append(Array("three\n".utf8), to: "a.jsonl", ofSize: 4))
    #expect(folder.read("a.jsonl") == Array("one\ntwo\n".utf8))
  }

  @Test func `a file of superseded lines is written anew`() async throws {
    let machine = try await machine()
    try await machine.sync()
    let id = try #require(try await machine.episode("Episode 0.0")).episode.id
    var sizes: [Int] = []
    var largest = 0
    for number in 0..<40 {
      clock.tick()
      // Notes make long lines quickly.
      let mark = try await machine.store.addBookmark(
        at: .seconds(number), note: String(repeating: "x", count: 3900), in: id,
        now: Timestamp(seconds: machine.now / 1000))
      for _ in 0..<2 {
        try await machine.sync()
        try await machine.store.removeBookmark(mark.id)
      }
      if number % 4 == 0 {
        for _ in 0..<5 {
          let more = try await machine.store.addBookmark(
            at: .seconds(1), note: String(repeating: "y", count: 3900), in: id)
          try await machine.sync()
          try await machine.store.removeBookmark(more.id)
          try await machine.sync()
        }
      }
      sizes.append(machine.bytes(machine.names[0])?.count ?? 0)
      largest = max(largest, sizes.last ?? 0)
    }
    #expect(zip(sizes, sizes.dropFirst()).contains { $1 < $0 })
    #expect(largest < 400 << 10)
  }

  // MARK: A folder that fails

  @Test func `a folder that is missing, an empty mount point or read-only is left alone, and caught up with later`()
    async throws
  {
    let (first, second) = (try await machine(), try await machine())
    try await first.sync()
    let name = try #require(first.names.first)
    rename(first.files, first.home.path + "/unplugged")
    try await first.store.mark(.favourite, [try #require(try await first.episode("Episode 0.0")).episode.id])
    await #expect(throws: SyncError.folderMissing(path: first.folder)) { try await first.sync() }
    #expect(names(in: first.folder).isEmpty)
    rename(first.folder, first.home.path + "/nothing")
    await #expect(throws: SyncError.folderMissing(path: first.folder)) { try await first.sync() }
    rename(first.home.path + "/nothing", first.folder)
    rename(first.home.path + "/unplugged", first.files)
    try await first.sync()
    try second.write(try #require(first.bytes(name)), as: name)
    try await second.sync()
    #expect(try await isFavourite(second))
  }

  @Test func `what was done while the folder was away is as old as it is when the folder comes back`() async throws {
    let (first, second) = (try await machine(), try await machine())
    for machine in [first, second] { try await machine.sync() }
    func mark(_ mark: EpisodeMark, on machine: SyncMachine) async throws {
      try await machine.store.mark(mark, [try #require(try await machine.episode("Episode 0.0")).episode.id])
    }
    rename(first.files, first.home.path + "/unplugged")
    try await mark(.favourite, on: first)
    await #expect(throws: SyncError.folderMissing(path: first.folder)) { try await first.sync() }
    for later in [EpisodeMark.favourite, .unfavourite] {
      clock.tick()
      try await mark(later, on: second)
      try await second.sync()
    }
    clock.tick()
    rename(first.home.path + "/unplugged", first.files)
    let name = try #require(second.names.first)
    try first.write(try #require(second.bytes(name)), as: name)
    try await first.sync()
    #expect(try await !isFavourite(first))
  }

  // MARK: Podcasts that were deleted

  /// Each gets the other's files, which are older than some seconds.
  private func exchange(_ machines: SyncMachine...) async throws {
    for machine in machines { try await machine.sync() }
    for (from, to) in [(machines[0], machines[1]), (machines[1], machines[0])] {
      let name = SyncPlan.name(of: try #require(try await from.store.syncState()["device"]))
      try to.write(try #require(from.bytes(name)), as: name)
    }
    for machine in machines { try await machine.sync() }
    clock.tick()
  }

  private func oldMachine(isFollowing: Bool) async throws -> SyncMachine {
    let machine = try SyncMachine(clock, hasOldFiles: true)
    if isFollowing { try await machine.follow() }
    return machine
  }

  /// With facts of both, and deleted on the first.
  private func deleted() async throws -> (SyncMachine, SyncMachine) {
    let (first, second) = (try await oldMachine(isFollowing: true), try await oldMachine(isFollowing: false))
    let podcast = try #require(try await first.store.podcasts().first)
    try await first.store.set(["speed": "1.5"], of: podcast.id)
    try await first.listen(to: try #require(try await first.episode("Episode 0.0")).episode.id, until: .seconds(600))
    try await exchange(first, second)
    try await second.follow()
    try await second.store.mark(.favourite, [try #require(try await second.episode("Episode 0.1")).episode.id])
    try await exchange(first, second)
    try await first.store.unsubscribe(podcast.id, deleting: true, now: first.time)
    try await exchange(first, second)
    for machine in [first, second] { #expect(try await machine.store.podcasts().isEmpty) }
    return (first, second)
  }

  @Test(arguments: [true, false])
  func `a podcast that was deleted and is followed anew on either machine is whole on both`(
    isFollowedThere: Bool
  ) async throws {
    let (first, second) = try await deleted()
    let (one, other) = isFollowedThere ? (second, first) : (first, second)
    try await one.follow()
    try await exchange(first, second)
    #expect(try await other.store.podcasts().count == 1)
    // A refresh brings the episodes.
    try await other.follow()
    for _ in 0..<2 { try await exchange(first, second) }
    let picture = try await first.picture()
    #expect(picture.contains { $0.contains("speed=1.5") })
    #expect(picture.contains { $0.hasPrefix("Episode 0.0 600000") })
    #expect(picture.contains { $0.hasPrefix("Episode 0.1") && $0.hasSuffix("true") })
    #expect(try await second.picture() == picture)
    #expect(first.names.count == 2)
  }

  @Test(arguments: [0, 600_000])
  func `a podcast that is followed right after it was left stays, also where the clock of the other is ahead`(
    ahead: Int64
  ) async throws {
    let (first, second) = (try await oldMachine(isFollowing: true), try await oldMachine(isFollowing: false))
    try await exchange(first, second)
    first.offset = ahead
    clock.tick(500)
    let podcast = try #require(try await first.store.podcasts().first)
    try await first.store.unsubscribe(podcast.id, deleting: true, now: first.time)
    try await first.sync()
    let last = ahead == 0 ? first : try await oldMachine(isFollowing: false)
    try await exchange(first, last)
    clock.tick(-60_000)
    try await last.follow()
    try await last.sync()
    #expect(try await last.store.podcasts().count == 1)
    clock.tick()
    try await exchange(first, last)
    #expect(try await first.store.podcasts().count == 1)
  }

  @Test func `nothing new is found without reading any file`() async throws {
    let machine = try await machine()
    try machine.write(file(Self.header, Self.favourite), as: Self.other + ".jsonl")
    try await machine.sync()
    // Files of the last seconds are read again, because a change might not show.
    for name in machine.names {
      var times = [timespec(tv_sec: time(nil) - 60, tv_nsec: 0), timespec(tv_sec: time(nil) - 60, tv_nsec: 0)]
      utimensat(AT_FDCWD, machine.files + "/" + name, &times, 0)
    }
    try await machine.sync()
    let entries = try SyncFolder(path: machine.folder).entries()
    #expect(entries.count == 2)
    #expect(SyncPlan.isUnchanged(entries, known: try await machine.store.syncFiles()))
    #expect(try await !machine.store.hasChangesToSync())
  }

  @Test func `a file of the last seconds is read again, as its next change might not show`() throws {
    let home = try TemporaryHome()
    let folder = SyncFolder(path: home.path)
    try folder.make()
    try folder.replace("a.jsonl", with: file(Self.header))
    let deadline = Deadline()
    var signature: String?
    while signature != "", !deadline.hasPassed {
      utimensat(AT_FDCWD, home.path + "/podcli-sync-1/a.jsonl", nil, 0)
      signature = try folder.entries().first?.signature
    }
    #expect(signature == "")
  }

  @Test func `a file beyond the bytes that one sync reads waits for the next one, and is named`() throws {
    let home = try TemporaryHome()
    let folder = SyncFolder(path: home.path)
    try folder.make()
    // As large as the folder tells, which is all that counts.
    let entries = try (0..<6).map { number in
      try folder.replace("\(number).jsonl", with: file(Self.header))
      return SyncFolder.Entry(name: "\(number).jsonl", size: 60 << 20, signature: "\(number)")
    }
    let first = SyncPlan(folder, entries, known: [], own: "mine", left: OwnFile())
    #expect(first.files.map(\.problem) == [nil, nil, nil, nil, "deferred", "deferred"])
    #expect(!SyncPlan.isUnchanged(entries, known: first.files))
    let second = SyncPlan(folder, entries, known: first.files, own: "mine", left: OwnFile())
    #expect(second.files.allSatisfy { $0.problem == nil })
    #expect(SyncPlan.isUnchanged(entries, known: second.files))
  }

  // MARK: Privacy

  @Test(
    arguments: [
      "https://user:word@example.org/feed", "https://www.patreon.com/rss/abc?auth=x",
      "https://example.org/feed?token=1",
      "https://example.org/feed?user_sig=1", "https://x.supportingcast.fm/content",
      "https://example.org/d41d8cd98f00b204e9800998ecf8427e/feed",
      "https://example.org/aGVsbG8gd29ybGQgMTIz45/rss", "https://example.org/rss?UID=7",
    ]) func `an address that looks like a secret is one`(address: String)
  {
    #expect(Sharing.isSecret(address))
  }

  @Test(
    arguments: [
      "https://example.org/feed.xml", "https://feeds.megaphone.fm/some-podcast-name-2021",
      "https://www.omnycontent.com/d/playlist/e73c998e-6e60-432f-8610-ae210140c5b1/podcast.rss",
      "https://example.org/feed?format=mp3&page=2",
    ]) func `an ordinary address is none`(address: String)
  {
    #expect(!Sharing.isSecret(address))
  }

  @Test func `no byte of a private podcast is in the folder, whenever it became private`() async throws {
    let machine = try await machine()
    var feed = Feed()
    feed.title = "Hush Hour"
    var episode = FeedEpisode()
    (episode.guid, episode.title) = ("quiet-guid", "Quiet")
    episode.enclosure = Enclosure(url: "https://quiet.example/quiet.mp3", type: "audio/mpeg", length: 1)
    feed.episodes = [episode]
    let open = try await machine.store.subscribe(to: feed, at: "https://quiet.example/feed")
    try await machine.listen(to: open.added[0], until: .seconds(300))
    try await machine.store.enqueue([open.added[0]])
    try await machine.sync()
    #expect(String(decoding: try #require(machine.bytes(machine.names[0])), as: UTF8.self).contains("quiet"))
    _ = try await machine.store.subscribe(to: feed, at: "https://quiet.example/feed", isPrivate: true)
    _ = try await machine.store.addBookmark(at: .seconds(9), note: "quiet words", in: open.added[0])
    try await machine.sync()
    for name in names(in: machine.files) {
      let text = String(decoding: try #require(machine.bytes(name)), as: UTF8.self).lowercased()
      #expect(!text.contains("quiet") && !text.contains("hush"))
    }
  }

  @Test func `a podcast that is private here is not followed a second time, when another machine shares it`()
    async throws
  {
    let machine = try await machine()
    let cover = PrivateAddress.cover(of: "https://quiet.example/feed")
    let known = try await machine.store.subscribe(to: Feed(), at: cover, isPrivate: true).podcast
    try machine.write(
      file(
        Self.header, #"{"k":"device","r":{"name":[1,"old laptop"],"seen":[1,"2026-01-01"]}}"#,
        #"{"k":"podcast","p":"quiet.example/feed","r":{"is":[9,{"url":"http://quiet.example/feed"}],"sub":[9,1]}}"#,
        #"{"k":"episode","p":"quiet.example/feed","g":"any","r":{"fav":[5,1]}}"#),
      as: Self.other + ".jsonl")
    let before = try await machine.store.podcasts().count
    try await machine.sync()
    #expect(try await machine.store.podcasts().count == before)
    #expect(try await machine.store.podcast(known)?.reference.feedURL == cover)
    // Nor are its episodes waited for, whose lines would go into this machine's file with those of a forgotten one.
    _ = try await Syncer(store: machine.store, data: machine.home.path + "/data", settings: Settings())
      .forget("old laptop")
    try await machine.sync()
    let own = try #require(machine.names.first)
    #expect(machine.names.count == 1)
    #expect(!String(decoding: try #require(machine.bytes(own)), as: UTF8.self).contains("quiet"))
  }

  /// The file of a device that is forgotten goes: this device's carries on all that it said.
  @Test(arguments: [true, false])
  func `what waits for an episode of a podcast that became private leaves the file`(isKnown: Bool) async throws {
    let machine = try await machine()
    let address = isKnown ? "example.org/0.xml" : "unknown.example/feed"
    try machine.write(
      file(
        Self.header, #"{"k":"device","r":{"name":[1,"old laptop"],"seen":[1,"2026-01-01"]}}"#,
        #"{"k":"episode","p":"\#(address)","g":"not-listed-here","r":{"fav":[5,1]}}"#), as: Self.other + ".jsonl")
    try await machine.sync()
    _ = try await Syncer(store: machine.store, data: machine.home.path + "/data", settings: Settings())
      .forget("old laptop")
    func text() throws -> String {
      let name = try #require(machine.names.first)
      return String(decoding: try #require(machine.bytes(name)), as: UTF8.self)
    }
    #expect(machine.names.count == 1)
    #expect(try text().contains("not-listed-here"))
    _ = try await machine.store.subscribe(to: Feed(), at: "https://" + address, isPrivate: true)
    try await machine.sync()
    let after = try text()
    #expect(!after.contains("not-listed-here") && !after.contains(address))
  }

  @Test func `an address with a secret from another machine is neither followed nor carried on`() async throws {
    let machine = try await machine()
    try machine.write(
      file(
        Self.header, #"{"k":"device","r":{"name":[1,"old laptop"],"seen":[1,"2026-01-01"]}}"#,
        #"{"k":"podcast","p":"a.example/rss?token=hush","r":{"is":[9,{"url":"https://a.example/rss"}],"sub":[9,1]}}"#,
        #"{"k":"podcast","p":"b.example/rss","r":{"is":[9,{"url":"https://b.example/rss?token=hush"}],"sub":[9,1]}}"#,
        #"{"k":"podcast","p":"c.example/rss","r":{"is":[9,{"url":"https://c.example/rss"}],"sub":[9,1]}}"#,
        #"{"k":"episode","p":"d.example/rss?token=hush","g":"x","r":{"fav":[5,1]}}"#), as: Self.other + ".jsonl")
    try await machine.sync()
    let addresses = try await machine.store.podcasts().map(\.reference.feedURL)
    #expect(addresses.contains("https://c.example/rss") && !addresses.contains { $0.contains("b.example") })
    #expect(!addresses.contains { $0.contains("a.example") })
    _ = try await Syncer(store: machine.store, data: machine.home.path + "/data", settings: Settings())
      .forget("old laptop")
    let text = String(decoding: try #require(machine.bytes(machine.names[0])), as: UTF8.self)
    #expect(text.contains("c.example") && !text.contains("hush"))
  }

  // MARK: Devices

  @Test func `the file of a machine that is forgotten goes, and all it said stays`() async throws {
    let (first, second) = (try await machine(), try await machine())
    try first.write(
      file(
        Self.header, #"{"k":"device","r":{"name":[1,"old laptop"],"seen":[1,"2026-01-01"]}}"#, Self.favourite,
        #"{"k":"episode","p":"unknown.example/feed","g":"x","r":{"fav":[5,1]}}"#), as: Self.other + ".jsonl")
    try await first.sync()
    let syncer = Syncer(store: first.store, data: first.home.path + "/data", settings: Settings())
    #expect(
      try await syncer.status().devices.map(\.label) == [try await syncer.status().devices[0].label, "old laptop"])
    _ = try await syncer.forget("old laptop")
    #expect(try await syncer.status().devices.count == 1)
    let name = try #require(first.names.first)
    #expect(first.names.count == 1)
    let text = String(decoding: try #require(first.bytes(name)), as: UTF8.self)
    #expect(text.contains("unknown.example") && text.contains(Self.other))
    try second.write(Array(text.utf8), as: name)
    try await second.sync()
    #expect(try await isFavourite(second))
    await #expect(throws: SyncError.noSuchDevice("nobody")) { try await syncer.forget("nobody") }
  }
}
