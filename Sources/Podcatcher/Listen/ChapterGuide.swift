internal import Playback
internal import PodcastModel
internal import PodcastStore

/// The chapters of an episode, from the most trusted source that has any: the media file itself, whose marks move with
/// its adverts, then the feed's chapters document or its own chapters in the library, then times in the show notes.
struct ChapterGuide: Sendable {
  let store: PodcastStore
  let documents: SideDocuments

  func chapters(of entry: EpisodeEntry, embedded: [MediaChapter]) async -> [Chapter] {
    let marks = MediaFileChapters.chapters(embedded)
    if !marks.isEmpty { return marks }
    let id = entry.episode.id
    guard var details = try? await store.details(of: id) else { return [] }
    if let link = details.chaptersLink,
      let fetched = try? await documents.fetchChapters(from: link, of: id, within: Self.patience)
    {
      if !fetched.isEmpty { return fetched.filter(\.isListed) }
      // Those of a document that had some before are gone.
      details = (try? await store.details(of: id)) ?? details
    }
    // Embedded ones are those of another media file.
    let published = details.chapters.filter { !$0.isEmbedded }
    if !published.isEmpty { return published.filter(\.isListed) }
    return SideDocuments.chapters(inNotesOf: details)
  }

  /// A slow server must not keep the other sources from being shown.
  private static let patience = Duration.seconds(20)
}

extension [Chapter] {
  /// The chapter that plays at `position`.
  func index(at position: Duration) -> Int? {
    let seconds = position.inSeconds
    return lastIndex { $0.start <= seconds }
  }
}
