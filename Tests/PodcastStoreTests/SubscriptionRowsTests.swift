import PodcastModel
import TestSupport
import Testing

@testable import PodcastStore

struct SubscriptionRowsTests {
  private let library = TemporaryLibrary()
  private let url = "https://example.org/feed"

  @Test func `a subscribed feed is in the playlist, newest first`() async throws {
    let store = try library.open()
    let result = try await store.subscribe(to: .sample(episodes: 3), at: url)
    #expect(result.isNew)
    #expect(result.title == "Late Night Linux")
    #expect(result.added.count == 3)
    let playlist = try await store.playlist()
    #expect(playlist.map(\.episode.title) == ["Episode 2", "Episode 1", "Episode 0"])
    #expect(playlist.first?.episode.id == result.added.first)
    #expect(playlist.first?.podcast.feedURL == url)
  }

  @Test func `subscribing again changes nothing`() async throws {
    let store = try library.open()
    _ = try await store.subscribe(to: .sample(episodes: 3), at: url)
    let before = try await store.playlist()
    let again = try await store.subscribe(to: .sample(episodes: 3), at: url)
    #expect(!again.isNew && again.added.isEmpty && again.updated == 0 && again.unchanged == 3)
    #expect(try await store.playlist() == before)
    #expect(try await store.podcasts().count == 1)
  }

  @Test func `episodes that come after a first subscribing that was broken off are not new`() async throws {
    let store = try library.open()
    _ = try await store.subscribe(to: .sample(episodes: 2), at: url)
    // As it is left between two slices.
    let connection = try Connection(path: library.path, mode: .readWrite)
    try connection.write { () throws(StoreError) in try connection.execute("UPDATE feeds SET fetched_at = NULL") }
    let isNew = try EpisodeFilter(words: ["new"])
    #expect(try await store.subscribe(to: .sample(episodes: 5), at: url).added.count == 3)
    #expect(try await store.episodes(matching: isNew).isEmpty)
    #expect(try await store.subscribe(to: .sample(episodes: 6), at: url).added.count == 1)
    #expect(try await store.episodes(matching: isNew).count == 1)
  }

  @Test func `what a killed unsubscription has left is done when the library is opened the next time`() async throws {
    let store = try library.open()
    let podcast = try await store.subscribe(to: .sample(episodes: 300), at: url).podcast
    await store.close()
    // As a kill leaves it behind the first transaction.
    let connection = try Connection(path: library.path, mode: .readWrite)
    try connection.write { () throws(StoreError) in
      try connection.execute("UPDATE podcasts SET is_subscribed = 0 WHERE id = \(podcast)")
      try connection.execute("INSERT INTO left_work (podcast_id, kind) VALUES (\(podcast), 'listing')")
    }
    #expect(try await library.open(.readOnly).playlist().count == 300)
    #expect(try await library.open().playlist().isEmpty)
    #expect(try connection.integer("SELECT count(*) FROM left_work") == 0)
  }

  @Test func `chapters and a transcript that were fetched stay where the feed links to others, and are former then`()
    async throws
  {
    let store = try library.open()
    var feed = Feed.sample(episodes: 1)
    feed.episodes[0].chapters = ChaptersLink(url: "https://example.org/c.json")
    feed.episodes[0].transcripts = [TranscriptLink(url: "https://example.org/t.vtt")]
    let id = try #require(try await store.subscribe(to: feed, at: url).added.first)
    try await store.setChapters([Chapter(start: 0, title: "Zebra")], of: id, from: "https://example.org/c.json")
    try await store.setTranscript(
      [TranscriptSegment(start: 1, text: "giraffe")], of: id, from: "https://example.org/t.vtt")
    let before = try #require(try await store.details(of: id))
    #expect(!before.areChaptersFormer && !before.isTranscriptFormer)
    feed.episodes[0].chapters?.url = "https://example.org/c2.json"
    feed.episodes[0].transcripts[0].url = "https://example.org/t2.vtt"
    #expect(try await store.subscribe(to: feed, at: url).updated == 1)
    let after = try #require(try await store.details(of: id))
    #expect(after.areChaptersFormer && after.isTranscriptFormer)
    #expect(after.chapters.count == 1 && after.entry.chapterCount == 1)
    #expect(try await store.transcript(of: id).count == 1)
    for word in ["giraffe", "zebra"] { #expect(try await store.search(word).count == 1) }
    // The feed's own take their place.
    feed.episodes[0].inlineChapters = [Chapter(start: 0, title: "Lion"), Chapter(start: 9, title: "Tiger")]
    #expect(try await store.subscribe(to: feed, at: url).updated == 1)
    #expect(try await store.details(of: id)?.areChaptersFormer == false)
    #expect(try await store.episode(id)?.chapterCount == 2)
    try await store.setTranscript([TranscriptSegment(start: 1, text: "made")], of: id, isMadeHere: true)
    #expect(try await store.details(of: id)?.isTranscriptFormer == false)
    #expect(try await store.problems(.full) == [])
  }

  @Test func `a podcast that is called exactly so goes before others with the words`() async throws {
    let store = try library.open()
    for (number, title) in ["News", "News Daily", "World Newsroom"].enumerated() {
      var feed = Feed.sample(episodes: number + 1)
      feed.title = title
      _ = try await store.subscribe(to: feed, at: "\(url)/\(number)")
    }
    #expect(try await store.podcasts(called: "news").map(\.title) == ["News"])
    #expect(try await store.podcasts(called: "new").count == 3)
    var filter = EpisodeFilter()
    filter.conditions = [.podcast("NEWS")]
    #expect(try await store.episodes(matching: filter).count == 1)
  }

  @Test func `chapters of a feed that are not in order are read in order`() async throws {
    let store = try library.open()
    var feed = Feed.sample(episodes: 1)
    feed.episodes[0].inlineChapters = [
      Chapter(start: 0, title: "A"), Chapter(start: 60, title: "C"), Chapter(start: 30, title: "B"),
    ]
    let id = try #require(try await store.subscribe(to: feed, at: url).added.first)
    #expect(try await store.details(of: id)?.chapters.map(\.title) == ["A", "B", "C"])
  }

  @Test func `pages join without a gap`() async throws {
    let store = try library.open()
    _ = try await store.subscribe(to: .sample(episodes: 25), at: url)
    var pages: [EpisodeEntry] = []
    var cursor: EpisodeCursor?
    while case let page = try await store.playlist(limit: 7, after: cursor), let last = page.last {
      pages += page
      cursor = EpisodeCursor(after: last)
    }
    #expect(try await store.playlist() == pages)
  }

  @Test func `an unsubscribed podcast leaves the playlist and comes back with its statuses`() async throws {
    let store = try library.open()
    let podcast = try await store.subscribe(to: .sample(), at: url).podcast
    let episode = try #require(try await store.playlist().first)
    try await store.savePosition(.seconds(90), of: episode.episode.id, urgency: .flush)
    try await store.unsubscribe(podcast)
    #expect(try await store.playlist().isEmpty)
    #expect(try await store.podcasts().isEmpty)
    let result = try await store.subscribe(to: .sample(), at: url)
    #expect(result.isReturning && result.podcast == podcast && result.added.isEmpty)
    #expect(try await store.playlist().first?.status.lastListenTime == .seconds(90))
  }

  @Test func `a podcast that is forgotten leaves nothing behind`() async throws {
    let store = try library.open()
    let kept = try await store.subscribe(to: .sample("Kept", episodes: 3), at: url + "/kept")
    let gone = try await store.subscribe(to: .sample("Gone", episodes: 3), at: url)
    try await store.indexForSearch()
    try await store.enqueue([gone.added[0], kept.added[0]])
    try await store.startPlaying(gone.added[1])
    try await store.unsubscribe(gone.podcast, deleting: true)
    #expect(try await store.podcast(gone.podcast) == nil)
    #expect(try await store.queue().map(\.episode.id) == [kept.added[0]])
    #expect(try await store.current() == nil)
    #expect(try await store.search("topic1").map(\.entry.podcast.id) == [kept.podcast])
    #expect(try await store.problems(.full) == [])
  }

  @Test func `a podcast that comes back while it is being forgotten is whole, and counted right`() async throws {
    let store = try library.open()
    let podcast = try await store.subscribe(to: .sample(episodes: 2000), at: url).podcast
    let other = try library.open()
    async let forgotten: Void = store.unsubscribe(podcast, deleting: true)
    // Before that, it would be followed already, and forgotten afterwards.
    while try await !other.podcasts().isEmpty {}
    let back = try await other.subscribe(to: .sample(episodes: 2000), at: url).podcast
    try await forgotten
    #expect(try await other.episodes(of: back).count == 2000)
    #expect(try await other.playlist().count == 2000)
    #expect(try await other.problems(.full) == [])
  }

  @Test
  func
    `a podcast that is deleted while another process takes the library is deleted, and forgotten with the next merge`()
    async throws
  {
    let store = try library.open()
    let kept = try await store.subscribe(to: .sample("Kept", episodes: 1), at: url + "/kept").podcast
    let podcast = try await store.subscribe(to: .sample(episodes: 6000), at: url).podcast
    let other = try Connection(path: library.path, mode: .readWrite)
    let turn = WriteTurn(library: library.path)
    await store.hurry()
    async let forgotten: Void = store.unsubscribe(podcast, deleting: true)
    let deadline = Deadline()
    while try other.integer("SELECT count(*) FROM left_work") == 0, !deadline.hasPassed {}
    #expect(turn.take(patience: .seconds(60)))
    try #require(try other.integer("SELECT count(*) FROM left_work") == 1)
    try await forgotten
    turn.handOn()
    _ = try await store.merge(.sample("Kept", episodes: 2), into: kept)
    #expect(try await store.podcast(podcast) == nil)
    #expect(try await store.problems(.full) == [])
  }

  @Test func `one undo takes back leaving several podcasts, but for one that was deleted meanwhile`() async throws {
    let store = try library.open()
    var podcasts: [PodcastID] = []
    for name in ["One", "Two", "Three"] {
      podcasts.append(try await store.subscribe(to: .sample(name, episodes: 2), at: url + "/" + name).podcast)
    }
    try await store.unsubscribe(podcasts)
    #expect(try await store.podcasts().isEmpty)
    try await store.unsubscribe(podcasts[1], deleting: true)
    #expect(try await store.undo()?.action == .deleted)
    let undone = try #require(try await store.undo())
    #expect(undone.action == .unsubscribed && undone.count == 2)
    #expect(try await store.podcasts().map(\.title) == ["One", "Three"])
    #expect(try await store.playlist().count == 4)
    #expect(try await store.problems(.full) == [])
  }

  @Test func `queueing an episode that is being deleted leaves no gap in the queue`() async throws {
    let store = try library.open()
    let kept = try await store.subscribe(to: .sample("Kept", episodes: 1), at: url + "/kept").added
    let passing = try await store.subscribe(to: .sample(episodes: 2000), at: url)
    let newest = try await store.episodes(of: passing.podcast, limit: 1).map(\.episode.id)
    async let forgotten: Void = store.unsubscribe(passing.podcast, deleting: true)
    let other = try library.open()
    repeat {
      do {
        try await other.enqueue(newest + kept)
      } catch {
        #expect(error.code == .notFound)
      }
    } while try await other.podcast(passing.podcast) != nil
    try await forgotten
    #expect(try await other.problems(.full) == [])
  }

  @Test func `many feeds at once are all there, and one that fails harms no other`() async throws {
    let store = try library.open()
    let known = try await store.subscribe(to: .sample("Known", episodes: 2), at: url).podcast
    let results = await withTaskGroup(of: Result<MergeResult, StoreError>.self) { group in
      for number in 0..<30 {
        group.addTask { [url] in
          do throws(StoreError) {
            if number == 7 {
              return .success(try await store.merge(.sample(), into: .init(rawValue: 4711), isOneOfMany: true))
            }
            if number == 9 { return .success(try await store.merge(.sample("Known", episodes: 5), into: known)) }
            return .success(
              try await store.subscribe(
                to: .sample("\(number)", episodes: 40), at: url + "/\(number)", isOneOfMany: true))
          } catch {
            return .failure(error)
          }
        }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
    let merged = results.compactMap { try? $0.get() }
    #expect(merged.count == 29 && merged.reduce(0) { $0 + $1.added.count } == 28 * 40 + 3)
    #expect(try await store.playlist().count == 28 * 40 + 5)
    #expect(try await store.problems(.full) == [])
  }

  @Test func `counts follow what happens`() async throws {
    let store = try library.open()
    _ = try await store.subscribe(to: .sample(episodes: 5), at: url)
    let episode = try #require(try await store.playlist().first)
    try await store.markCompleted(episode.episode.id)
    let podcast = try #require(try await store.podcasts().first)
    #expect(podcast.episodeCount == 5)
    #expect(podcast.unplayedCount == 4)
    #expect(podcast.newestAt == episode.episode.publishedAt)
  }

  @Test func `a library without a file reads as an empty one and makes none`() async throws {
    let store = try library.open(.readOnly)
    #expect(try await store.playlist().isEmpty)
    #expect(library.files.isEmpty)
  }

  @Test func `podcasts and episodes are found by id, number, title, guid and address`() async throws {
    let store = try library.open()
    let podcast = try await store.subscribe(to: .sample("Café crème"), at: url).podcast
    #expect(try await store.podcasts(titled: "CAFE cre").map(\.id) == [podcast])
    #expect(try await store.podcast(at: url)?.id == podcast)
    #expect(try await store.episodes(titled: "episode 2").map(\.episode.guid) == ["guid-2"])
    #expect(try await store.episodes(titled: "epi 2").map(\.episode.guid) == ["guid-2"])
    #expect(try await store.episodes(withGUID: "guid-1").map(\.episode.title) == ["Episode 1"])
    #expect(try await store.episodes(withEnclosure: "https://example.org/0.mp3").map(\.episode.guid) == ["guid-0"])
    #expect(try await store.episode(1, of: podcast)?.episode.guid == "guid-2")
    #expect(try await store.unplayed(.oldest, of: podcast)?.episode.guid == "guid-0")
  }

  @Test func `an exact title excludes longer ones, and whole words exclude beginnings`() async throws {
    let store = try library.open()
    _ = try await store.subscribe(to: .sample("Numbers", episodes: 320), at: url)
    #expect(try await store.episodes(titled: "episode 31").map(\.episode.title) == ["Episode 31"])
    #expect(try await store.episodes(titled: "31").map(\.episode.title) == ["Episode 31"])
    #expect(try await store.episodes(titled: "epi 31", limit: 99).count == 11)
    #expect(try await store.episodes(titled: "episode 31*", limit: 99).count == 11)
    #expect(try await store.episodes(titled: "episode", limit: 400).count == 320)
    #expect(try await store.podcasts(called: "99").isEmpty)
    _ = try await store.subscribe(to: .sample("99% Invisible"), at: url + "/99")
    #expect(try await store.podcasts(called: "99").map(\.title) == ["99% Invisible"])
  }

  @Test func `undo counts only episodes that are still there`() async throws {
    let store = try library.open()
    let some = try await store.subscribe(to: .sample("Some", episodes: 2), at: url)
    let others = try await store.subscribe(to: .sample("Others", episodes: 3), at: url + "/others")
    try await store.mark(.played, some.added + others.added)
    try await store.unsubscribe(others.podcast, deleting: true)
    #expect(try await store.undo()?.action == .deleted)
    #expect(try await store.undo()?.count == 2)
    #expect(try await store.undo() == nil)
  }
}
