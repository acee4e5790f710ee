import PodcastModel
import PodcastStore
import Testing

struct SubscriptionTests {
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

  @Test func `podcasts and episodes are found by what people call them`() async throws {
    let store = try library.open()
    let podcast = try await store.subscribe(to: .sample("Café crème"), at: url).podcast
    #expect(try await store.podcasts(titled: "CAFE cre").map(\.id) == [podcast])
    #expect(try await store.podcast(at: url)?.id == podcast)
    #expect(try await store.episodes(titled: "episode 2").map(\.episode.guid) == ["guid-2"])
    #expect(try await store.episodes(withGUID: "guid-1").map(\.episode.title) == ["Episode 1"])
    #expect(try await store.episodes(withEnclosure: "https://example.org/0.mp3").map(\.episode.guid) == ["guid-0"])
    #expect(try await store.episode(1, of: podcast)?.episode.guid == "guid-2")
    #expect(try await store.unplayed(.oldest, of: podcast)?.episode.guid == "guid-0")
  }
}
