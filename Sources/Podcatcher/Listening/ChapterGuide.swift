private import FeedKit
internal import Playback
internal import PodcastModel
internal import PodcastStore
internal import Transfer

/// The chapters of an episode, from the most trusted source that has any: the medium itself, whose marks move with
/// its adverts, then what the library keeps from the feed or its chapters document, then times in the show notes.
struct ChapterGuide: Sendable {
  let store: PodcastStore
  let client: @Sendable () throws(TransferError) -> HTTPClient

  func chapters(of entry: EpisodeEntry, embedded: [MediaChapter]) async -> [Chapter] {
    if embedded.count > 1 { return embedded.map { Chapter(start: $0.start, title: $0.title) } }
    let id = entry.episode.id
    guard let details = try? await store.details(of: id) else { return [] }
    if let link = details.chaptersLink, let fetched = await fetch(link) {
      try? await store.setChapters(fetched, of: id)
      return fetched.filter(\.isListed)
    }
    if !details.chapters.isEmpty { return details.chapters.filter(\.isListed) }
    return NotesChapters.chapters(in: details.notes ?? "", duration: entry.episode.duration?.inSeconds)
  }

  /// Small, and fetched only when the episode plays: its pictures and addresses could tell who is listening.
  private func fetch(_ link: ChaptersLink) async -> [Chapter]? {
    var request = HTTPRequest(url: link.url)
    request.limits.bytes = 4 << 20
    request.limits.total = .seconds(20)
    guard let answer = try? await client().fetch(request), answer.head.status == 200 else { return nil }
    return ChapterFile.chapters(in: answer.body, baseURL: answer.head.url)
  }
}

extension [Chapter] {
  /// The chapter that plays at `position`.
  package func index(at position: Duration) -> Int? {
    let seconds = position.inSeconds
    return lastIndex { $0.start <= seconds }
  }
}
