package import PodcastModel
package import PodcastStore

/// Finds the episode or the podcast that words on the command line stand for.
package struct Selection: Sendable {
  private let store: PodcastStore
  private let config: @Sendable () throws -> [String: String]
  /// So many of the newest episodes are compared with a mistyped title.
  private static let comparedTitles = 200
  /// So many episodes with the same words are counted and told apart.
  private static let namesakes = 1000

  /// `config` reads the settings for all podcasts. It is called only where a podcast stands for one of its episodes.
  package init(in store: PodcastStore, config: @escaping @Sendable () throws -> [String: String] = { [:] }) {
    self.store = store
    self.config = config
  }

  /// An episode, and the position in it.
  package struct Choice: Sendable {
    package var entry: EpisodeEntry
    /// The position in `EPISODE@41:07`.
    package var start: TimeExpression?

    package init(entry: EpisodeEntry, start: TimeExpression?) {
      self.entry = entry
      self.start = start
    }
  }

  /// The episode that the words stand for.
  package func episode(_ words: String) async throws -> Choice {
    let (name, start) = Self.splitTime(words)
    do {
      // A guid, an address and a title may have an `@` and a number, too.
      if start != nil, let entry = try await exact(words) { return Choice(entry: entry, start: nil) }
      do {
        return Choice(entry: try await entry(named: name), start: start)
      } catch SelectionError.nothing where start != nil {
        guard let entry = try await titled(words) else {
          throw SelectionError.nothing(words, titles: try await titles())
        }
        return Choice(entry: entry, start: nil)
      }
    } catch let error as StoreError {
      throw SelectionError.store(error)
    }
  }

  /// The podcast that the words stand for.
  package func podcast(_ words: String) async throws(SelectionError) -> PodcastEntry {
    do {
      let found = try await podcasts(named: words)
      guard let podcast = found.first else { throw SelectionError.noPodcast(words, titles: try await titles()) }
      guard found.count == 1 else { throw SelectionError.severalPodcasts(words, found) }
      return podcast
    } catch let error as StoreError {
      throw .store(error)
    } catch let error as SelectionError {
      throw error
    } catch {
      throw .nothing(words, titles: [])
    }
  }

  /// Splits `EPISODE@41:07`; words that begin with the only `@` have no position.
  package static func splitTime(_ words: String) -> (name: String, start: TimeExpression?) {
    guard let at = words.lastIndex(of: "@"), at != words.startIndex,
      let start = TimeExpression(words[words.index(after: at)...])
    else { return (words, nil) }
    return (String(words[..<at]), start)
  }

  // MARK: Episodes

  private func entry(named name: String) async throws -> EpisodeEntry {
    switch name {
    case "@current":
      if let entry = try await current() { return entry }
      throw try await store.lastPlayed() == nil ? SelectionError.nothingPlayed : .nothingBegun
    case "@last": return try await requirePlayed(store.lastPlayed())
    default: break
    }
    if let number = Int64(name) { return try await numbered(number, name) }
    if let exact = try await exact(name) { return exact }
    if Self.isHalf(name), !(try await isTitle(name)) { throw SelectionError.halfPosition(name) }
    if let slash = name.lastIndex(of: "/"), let entry = try await slashed(name, slash) { return entry }
    let podcasts = try await podcasts(named: name)
    if podcasts.count == 1 { return try await unplayed(of: podcasts[0]) }
    let titled = try await self.titled(words: name)
    if titled.count == 1 { return titled[0] }
    if titled.isEmpty, !podcasts.isEmpty { throw SelectionError.severalPodcasts(name, podcasts) }
    guard titled.isEmpty else { throw SelectionError.severalEpisodes(name, titled) }
    let newest = try await store.playlist(limit: Self.comparedTitles).map(\.episode.title)
    throw SelectionError.nothing(name, titles: try await titles() + newest)
  }

  /// `30@`, `@41:07` and `30@x` come from an empty or a mistyped half: as words of a title, they would mean any episode
  /// with that number in its title.
  private static func isHalf(_ name: String) -> Bool {
    guard let at = name.lastIndex(of: "@") else { return false }
    let (before, after) = (name[..<at], name[name.index(after: at)...])
    if before.isEmpty { return TimeExpression(after) != nil }
    return after.isEmpty || Int64(before) != nil
  }

  private func isTitle(_ name: String) async throws -> Bool {
    let titles = try await titles() + store.episodes(titled: name).map(\.episode.title)
    return titles.contains { $0.lowercased() == name.lowercased() }
  }

  /// That of the player, which may have been marked as played since; else the one it stopped in.
  private func current() async throws(StoreError) -> EpisodeEntry? {
    let directory = store.path[..<(store.path.lastIndex(of: "/") ?? store.path.startIndex)]
    if let id = PlayerLock.holder(in: String(directory))?.episode, let entry = try await store.episode(id) {
      return entry
    }
    return try await store.current()
  }

  private func requirePlayed(_ entry: EpisodeEntry?) throws(SelectionError) -> EpisodeEntry {
    guard let entry else { throw .nothingPlayed }
    return entry
  }

  private func numbered(_ number: Int64, _ name: String) async throws -> EpisodeEntry {
    if let entry = try await store.episode(EpisodeID(rawValue: number)) { return entry }
    if let exact = try await exact(name) { return exact }
    // Words of a title would mean any episode with that number in its title.
    if let entry = try await self.titled(name) { return entry }
    // The title of a podcast may be a number. Its own number would be taken for that of an episode.
    let podcasts = try await wholly(titled: name)
    guard podcasts.count <= 1 else { throw SelectionError.severalPodcasts(name, podcasts) }
    guard let podcast = podcasts.first else { throw SelectionError.nothing(name, titles: []) }
    return try await unplayed(of: podcast)
  }

  private func titled(words: String) async throws -> [EpisodeEntry] {
    var failure: StoreError?
    do throws(StoreError) {
      let found = try await store.episodes(titled: words, limit: Self.namesakes)
      if !found.isEmpty { return found }
    } catch {
      failure = error
    }
    // The index of words may not be complete yet.
    if let entry = try await titled(words) { return [entry] }
    if let failure { throw failure }
    return []
  }

  /// The episode with exactly this title, found without the index of words.
  private func titled(_ title: String) async throws -> EpisodeEntry? {
    let found = try await store.episodes(withTitle: title, limit: Self.namesakes)
    guard found.count > 1 else { return found.first }
    throw SelectionError.severalEpisodes(title, found)
  }

  private func exact(_ name: String) async throws -> EpisodeEntry? {
    var found = try await store.episodes(withGUID: name)
    if found.isEmpty { found = try await store.episodes(withEnclosure: name) }
    guard found.count > 1 else { return found.first }
    throw SelectionError.severalEpisodes(name, found)
  }

  /// A title may have a number behind a slash, too: `Frankenstein 1/2`. Its words without the slash would mean an episode of
  /// any podcast, where the one that is named is followed no more.
  private func slashed(_ name: String, _ slash: String.Index) async throws -> EpisodeEntry? {
    do {
      return try await numberedEntry(name, slash)
    } catch let error as SelectionError {
      let word = name[..<slash].split(separator: " ").last.map { $0 + name[slash...] } ?? name[slash...]
      guard case .noPodcast = error,
        try await store.episodes(titled: name, limit: Self.namesakes).contains(where: { entry in
          entry.episode.title.lowercased().contains(word.lowercased())
        })
      else { throw error }
      return nil
    }
  }

  /// `PODCAST/3`, `PODCAST/latest` and `PODCAST/next`.
  package static func isNumbered(_ name: String) -> Bool {
    guard let slash = name.lastIndex(of: "/") else { return false }
    let which = name[name.index(after: slash)...].lowercased()
    return Int(which) != nil || which == "latest" || which == "next"
  }

  /// Nil for other words behind the slash.
  private func numberedEntry(_ name: String, _ slash: String.Index) async throws -> EpisodeEntry? {
    let which = name[name.index(after: slash)...].lowercased()
    let number = Int(which)
    guard Self.isNumbered(name) else { return nil }
    let podcast = try await podcast(String(name[..<slash]))
    if which == "next" {
      guard let entry = try await store.unplayed(.oldest, of: podcast.id) else {
        throw SelectionError.allPlayed(podcast)
      }
      return entry
    }
    guard let entry = try await store.episode(number ?? 1, of: podcast.id) else {
      throw SelectionError.nothing(name, titles: [])
    }
    return entry
  }

  /// The episode that a podcast's name stands for: its newest or its oldest unplayed one, by the setting `order`.
  package func unplayed(of podcast: PodcastEntry) async throws -> EpisodeEntry {
    let settings = Settings(podcast: try await store.settings(of: podcast.id), config: try config())
    let end: UnplayedEnd = settings[SettingKeys.order] == .oldest ? .oldest : .newest
    guard let entry = try await store.unplayed(end, of: podcast.id) else { throw SelectionError.allPlayed(podcast) }
    return entry
  }

  // MARK: Podcasts

  /// A match of the whole title excludes matches of its parts, a followed podcast excludes those that are not.
  private func podcasts(named name: String) async throws -> [PodcastEntry] {
    // A title may be a number, too.
    if let number = Int64(name), let podcast = try await store.podcast(PodcastID(rawValue: number)) { return [podcast] }
    if let podcast = try await store.podcast(at: name) { return [podcast] }
    let found = try await store.podcasts(titled: name)
    let whole = Self.whole(name, found)
    // A number that is none any more must not mean a title that begins with it.
    return Self.followed(whole.isEmpty && Int64(name) == nil ? found : whole)
  }

  private func wholly(titled name: String) async throws -> [PodcastEntry] {
    Self.followed(Self.whole(name, try await store.podcasts(titled: name)))
  }

  private static func whole(_ title: String, _ podcasts: [PodcastEntry]) -> [PodcastEntry] {
    podcasts.filter { $0.title.lowercased() == title.lowercased() }
  }

  private static func followed(_ podcasts: [PodcastEntry]) -> [PodcastEntry] {
    let followed = podcasts.filter(\.isSubscribed)
    return followed.isEmpty ? podcasts : followed
  }

  private func titles() async throws -> [String] { try await store.podcasts().map(\.title) }
}
