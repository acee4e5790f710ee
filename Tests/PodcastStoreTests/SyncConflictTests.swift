import PodcastModel
import Testing

@testable import PodcastStore

/// Two machines that did different things before they met.
struct SyncConflictTests {
  private let old = "https://example.org/feed"
  private let new = "https://new.example/feed"

  /// The first machine follows a show under both its addresses, the second one where it has moved to.
  @Test(arguments: [false, true])
  func `to leave the former address of a show that is followed at its new one leaves it nowhere else`(
    isDeleted: Bool
  ) async throws {
    let (first, second) = (try SyncMachine(), try SyncMachine())
    let former = try await first.follow(old).podcast
    _ = try await first.follow(new)
    let moved = try await second.follow(old).podcast
    #expect(try await second.store.moveFeed(of: moved, to: new))
    try await first.meet(second)
    first.now += 60_000
    second.now += 60_000
    try await first.store.unsubscribe(former, deleting: isDeleted, now: Timestamp(seconds: first.now / 1000))
    for _ in 0..<3 { try await first.meet(second) }
    #expect(try await first.store.podcasts().map(\.reference.feedURL) == [new])
    #expect(try await second.store.podcasts().count == 1)
    // The show itself is left on both.
    first.now += 60_000
    let present = try #require(try await first.store.podcasts().first)
    try await first.store.unsubscribe(present.id, now: Timestamp(seconds: first.now / 1000))
    try await first.meet(second)
    #expect(try await second.store.podcasts().isEmpty)
  }

  @Test func `a show whose feed has moved is left everywhere, also where its former address is still in the file`()
    async throws
  {
    let (first, second) = (try SyncMachine(), try SyncMachine())
    let podcast = try await first.follow(old).podcast
    let before = try await first.lines()
    try await second.read(before)
    first.now += 60_000
    #expect(try await first.store.moveFeed(of: podcast, to: new))
    let moved = try await first.lines()
    try await second.read((before.device, before.texts + moved.texts))
    first.now += 60_000
    try await first.store.unsubscribe(podcast, now: Timestamp(seconds: first.now / 1000))
    let left = try await first.lines()
    try await second.read((before.device, before.texts + moved.texts + left.texts))
    #expect(try await second.store.podcasts().isEmpty)
  }

  @Test func `an episode that was queued to be heard again stays queued when a machine joins`() async throws {
    let (first, second) = (try SyncMachine(), try SyncMachine())
    for machine in [first, second] { _ = try await machine.follow() }
    let titles = ["Episode 1", "Episode 0"]
    for title in titles {
      let time = Timestamp(seconds: second.now / 1000 - 9000)
      try await second.store.markCompleted(try await second.episode(title).episode.id, at: time)
    }
    for title in titles { try await second.store.enqueue([try await second.episode(title).episode.id]) }
    try await first.store.mark(.favourite, [try await first.episode("Episode 2").episode.id])
    try await second.read(try await first.lines())
    try await first.read(try await second.lines())
    for machine in [first, second] {
      #expect(try await machine.store.queue().map(\.episode.title) == titles)
    }
  }

  @Test func `a tag that two machines spell in different cases stays on both, and leaves both`() async throws {
    let (first, second, third) = (try SyncMachine(), try SyncMachine(), try SyncMachine())
    for machine in [first, second, third] { _ = try await machine.follow() }
    func tags(_ machine: SyncMachine) async throws -> [String] {
      let podcast = try #require(try await machine.store.podcasts().first)
      return try await machine.store.tags(of: podcast.id).map { $0.lowercased() }
    }
    func meet() async throws {
      for _ in 0..<3 {
        try await first.meet(second)
        try await second.meet(third)
        try await third.meet(first)
      }
    }
    for (machine, tag) in [(first, "News"), (second, "news")] {
      try await machine.store.add(tags: [tag], to: try #require(try await machine.store.podcasts().first).id)
    }
    try await meet()
    for machine in [first, second, third] { #expect(try await tags(machine) == ["news"]) }
    // In the spelling that was written last, on each of them.
    #expect(try await first.picture() == second.picture())
    #expect(try await first.picture() == third.picture())
    for machine in [first, second, third] { machine.now += 60_000 }
    try Connection(path: third.library.path, mode: .readWrite).executeScript("DELETE FROM tags")
    try await meet()
    for machine in [first, second, third] { #expect(try await tags(machine).isEmpty) }
    for machine in [first, second, third] { machine.now += 60_000 }
    try await first.store.add(tags: ["news"], to: try #require(try await first.store.podcasts().first).id)
    try await meet()
    for machine in [first, second, third] { #expect(try await tags(machine) == ["news"]) }
  }

  @Test(arguments: [EpisodeMark.played, .unplayed])
  func `undo leaves an episode that another machine has marked since, and a podcast that it has left`(
    last: EpisodeMark
  ) async throws {
    let (first, second) = (try SyncMachine(), try SyncMachine())
    for machine in [first, second] { _ = try await machine.follow() }
    try await first.listen(to: "Episode 0", until: .seconds(300))
    try await first.meet(second)
    func mark(_ marks: [EpisodeMark], on machine: SyncMachine) async throws {
      let ids = [try await machine.episode("Episode 0").episode.id, try await machine.episode("Episode 1").episode.id]
      machine.now += 60_000
      for mark in marks { try await machine.store.mark(mark, machine === first ? ids : [ids[0]]) }
      try await first.meet(second)
    }
    let other: EpisodeMark = last == .played ? .unplayed : .played
    try await mark([last, other], on: first)
    second.now = first.now
    try await mark([last], on: second)
    for machine in [first, second] {
      #expect(try await machine.episode("Episode 0").status.hasCompleted == (last == .played))
    }
    // Of two, the other one is left.
    let undone = try #require(try await first.store.undo())
    #expect(undone.count == 1 && !undone.isOver)
    try await first.meet(second)
    for machine in [first, second] {
      #expect(try await machine.episode("Episode 0").status.hasCompleted == (last == .played))
      #expect(try await machine.episode("Episode 0").status.lastListenTime == nil)
    }
    // The podcast is left here, followed again and left there.
    for (machine, follows) in [(first, false), (second, true), (second, false)] {
      for machine in [first, second] { machine.now += 60_000 }
      let now = Timestamp(seconds: machine.now / 1000)
      if follows {
        _ = try await machine.follow()
      } else {
        try await machine.store.unsubscribe([try #require(try await machine.store.podcasts().first).id], now: now)
      }
      try await first.meet(second)
    }
    #expect(try await first.store.undo()?.isOver == true)
    #expect(try await first.store.podcasts().isEmpty)
  }

  @Test func `the feed's title is back on all machines at once`() async throws {
    let (first, second) = (try SyncMachine(), try SyncMachine())
    for machine in [first, second] { _ = try await machine.follow() }
    try await first.meet(second)
    let title = try #require(try await second.store.podcasts().first).title
    try await first.rename("Mine")
    try await first.meet(second)
    #expect(try await second.store.podcasts().map(\.title) == ["Mine"])
    for machine in [first, second] { machine.now += 60_000 }
    #expect(try await first.store.undo()?.action == .renamed)
    try await first.meet(second)
    for machine in [first, second] { #expect(try await machine.store.podcasts().map(\.title) == [title]) }
  }

  @Test func `undo leaves a setting, tag, title and favourite that another machine has changed since`() async throws {
    let (first, second) = (try SyncMachine(), try SyncMachine())
    for machine in [first, second] { _ = try await machine.follow() }
    let (here, there) = (
      try #require(try await first.store.podcasts().first).id, try #require(try await second.store.podcasts().first).id
    )
    try await second.store.add(tags: ["News"], to: there)
    try await first.meet(second)
    // Four changes here, the last one being undone first, and the same four again elsewhere.
    try await first.store.set(["speed": "1.5"], of: here)
    try await first.store.change(tags: ["news"], of: here, adding: false)
    try await first.rename("Mine")
    try await first.store.mark(.favourite, [try await first.episode("Episode 2").episode.id])
    try await first.meet(second)
    for machine in [first, second] { machine.now += 60_000 }
    try await second.store.set(["speed": "2"], of: there)
    try await second.store.change(tags: ["news"], of: there, adding: true)
    try await second.rename("Theirs")
    try await second.store.mark(.unfavourite, [try await second.episode("Episode 2").episode.id])
    try await first.meet(second)
    // The entries stay after a podcast is deleted that they do not name.
    let other = try await first.follow("https://example.org/other", .sample("Other", episodes: 1)).podcast
    try await first.store.unsubscribe(other, deleting: true)
    #expect(try await first.store.undo()?.action == .deleted)
    let before = try await first.picture()
    for action: UndoAction in [.markedFavourite, .renamed, .removedTag, .changedSetting] {
      let undone = try #require(try await first.store.undo())
      #expect(undone.action == action)
      #expect(undone.isOver)
      #expect(try await first.picture() == before)
    }
  }
}
