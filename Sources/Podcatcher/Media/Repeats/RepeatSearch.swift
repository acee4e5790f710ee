package import PodcastModel
package import PodcastStore

/// Finds what repeats in the measured episodes of a podcast, and keeps it with the print of each.
///
/// - `RepeatFinder`: from prints to stretches
/// - `RepeatMarks`: stretches as chapters
package struct RepeatSearch: Sendable {
  private let store: PodcastStore

  /// With so many others each episode is compared: those that were published nearest to it.
  private static let mostOthers = 5
  /// Of the newest measured episodes so many are looked at.
  package static let mostEpisodes = 20
  /// Of twelve hours.
  private static let mostLevels = 1_440_000

  init(store: PodcastStore) { self.store = store }

  /// In music, songs repeat: nothing is looked for there.
  package func isMusic(_ podcast: PodcastID) async throws(StoreError) -> Bool {
    try await store.details(of: podcast)?.medium?.lowercased() == "music"
  }

  /// Compares those measured episodes that were compared with fewer others than there are now. `begin` is told which one
  /// of how many comes next.
  package func update(
    _ podcast: PodcastID, and episode: EpisodeID? = nil, begin: (Int, Int) -> Void = { _, _ in }
  ) async throws(StoreError) {
    if try await isMusic(podcast) { return }
    var episodes = try await store.measuredEpisodes(of: podcast, limit: Self.mostEpisodes)
    let others = min(Self.mostOthers, episodes.count - 1)
    if let episode, !episodes.contains(episode) { episodes.append(episode) }
    var due: [EpisodeID] = []
    for id in episodes {
      if let record = try await store.repeats(of: id), record.compared ?? 0 < others { due.append(id) }
    }
    for (index, id) in due.enumerated() {
      begin(index + 1, due.count)
      try await compare(id)
    }
  }

  private func compare(_ id: EpisodeID) async throws(StoreError) {
    guard let record = try await store.soundPrint(of: id), let print = Self.print(record) else { return }
    let others = try await store.soundPrints(near: id, limit: Self.mostOthers)
    let repeats = await BlockingWork.run {
      RepeatFinder(in: print, others: others.compactMap(Self.print)).repeats
    }
    try await store.save(repeats, comparedWith: others.count, in: record)
  }

  private static func print(_ record: SoundPrintRecord) -> SoundPrint? {
    guard var print = SoundPrint(data: record.data) else { return nil }
    if print.levels.count > mostLevels { print.levels.removeLast(print.levels.count - mostLevels) }
    return print
  }

  /// The stretches that repeat, of the bytes that are here.
  package func repeats(of entry: EpisodeEntry) async -> [Repeat] {
    guard let record = try? await store.repeats(of: entry.episode.id), !record.repeats.isEmpty,
      let path = try? await LocalFile.whole(of: entry, in: store),
      await FileFingerprint.ofFile(at: path) == record.file
    else { return [] }
    return record.repeats
  }
}
