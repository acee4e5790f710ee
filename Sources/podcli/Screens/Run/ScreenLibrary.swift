import CommandKit
import PodcastModel
import PodcastStore
import Podcatcher
import Text

/// Answers the screen's questions to the library, and carries out what keys do in it.
struct ScreenLibrary: Sendable {
  let store: PodcastStore
  let live: Live
  let send: @Sendable (ScreenEvent) -> Void

  /// The rows of a window: several times those of the tallest screen, and read in about a millisecond.
  static let windowSize = 200
  private static let begunLimit = 6
  /// In bytes: what is said in five to ten seconds, so that the line that is spoken says where the voice is.
  private static let spokenLine = 120

  /// Brief, with as many rows as are shown, it is what the first frame needs.
  static func home(
    _ store: PodcastStore, at anchor: ListAnchor, count: Int = windowSize, brief: Bool = false
  ) async throws(StoreError) -> HomeRows {
    let begun = try await store.resumable(limit: begunLimit)
    let new = try await store.window(matching: EpisodeFilter([.unplayed]), at: anchor, count: count, brief: brief)
    return HomeRows(begun: begun, new: new)
  }

  func perform(_ effect: ScreenEffect) async {
    do throws(StoreError) {
      try await load(effect)
    } catch {
      fail(effect, Failure(error))
    }
  }

  private func fail(_ effect: ScreenEffect, _ failure: Failure) {
    switch effect {
    case .loadHome: send(.failed(.home, failure.text))
    case .loadQueue: send(.failed(.queue, failure.text))
    case .loadPodcasts: send(.failed(.podcasts, failure.text))
    case .loadEpisodes: send(.failed(.episodes, failure.text))
    // The next change of the library counts again.
    case .countPodcasts: break
    case .mark(_, let entry):
      send(.said(.init(failure: failure.text)))
      send(.entry(entry))
      // The screen shows the mark that was asked for already.
      send(.libraryChanged)
    case .enqueue(_, let slot):
      send(.said(.init(failure: failure.text)))
      if case .number = slot { send(.moved) }
      // The screen shows the order that was asked for already.
      send(.libraryChanged)
    default: send(.said(.init(failure: failure.text)))
    }
  }

  private func load(_ effect: ScreenEffect) async throws(StoreError) {
    switch effect {
    case .loadHome(let anchor): send(.home(try await Self.home(store, at: anchor)))
    case .loadQueue: send(.queue(try await store.queue()))
    case .loadPodcasts: send(.podcasts(try await store.podcasts()))
    case .countPodcasts:
      let count = try await store.podcastCount()
      send(.podcastCount(count.all, withImage: count.withImage))
    case .loadEpisodes(let id, let anchor):
      let window = try await store.window(
        matching: EpisodeFilter(), of: id, at: anchor, count: Self.windowSize)
      send(.settings(try await store.settings(of: id), of: id))
      send(.episodes(window, of: id))
    case .search(let line, let list, let podcast, let limit):
      send(.found(try await found(line, list, podcast, limit)))
    case .loadAbout(let id): if let about = try await about(id) { send(.about(about)) }
    case .loadTexts(let id, _): send(.texts(try await texts(of: id)))
    case .loadAnchors(let id): send(.anchors(try await store.anchors(of: id), of: id))
    case .complete(let kind, let prefix, let line):
      let candidates = await Candidates(live: live).candidates(kind: kind, prefix: prefix, in: store)
      send(.candidates(candidates, for: line))
    default: try await change(effect)
    }
  }

  // MARK: Changes

  private func change(_ effect: ScreenEffect) async throws(StoreError) {
    switch effect {
    case .mark(let mark, let entry):
      try await store.mark(mark, [entry.episode.id], isToggled: true)
      if let marked = try await store.episode(entry.episode.id) { send(.entry(marked)) }
      say("\(Self.word(mark)): \(CleanText.line(entry.distinctTitle)) (u undoes it)")
    case .enqueue(let entry, .number(let number)):
      let isMoved = try await store.moveInQueue(entry.episode.id, to: number)
      send(.moved)
      guard !isMoved else { break }
      say("Not in the queue any more: \(CleanText.line(entry.distinctTitle))")
      send(.libraryChanged)
    case .enqueue(let entry, let slot):
      try await store.enqueue([entry.episode.id], at: slot)
      say("\(slot == .next ? "Next" : "Queued"): \(CleanText.line(entry.distinctTitle))")
    case .tie(let anchor, let id):
      try await store.tieTranscript(of: id, at: anchor)
      send(.texts(try await texts(of: id)))
      return say(
        "\(ClockText.short(anchor.said)) of the transcript is heard at \(ClockText.short(anchor.heard)) (u undoes it)")
    case .undo:
      guard let undone = try await store.undo() else { return say("There is nothing to undo") }
      guard undone.action.canBeUndone, !undone.isOver else {
        let how = undone.isOver ? "Nothing is left of" : "Cannot be undone:"
        return say("\(how) \(UndoCommand.words(undone)); u again undoes what was done before")
      }
      say("Undone: \(UndoCommand.words(undone))")
    default: return
    }
    send(.libraryChanged)
  }

  private func say(_ text: String) { send(.said(.init(text: text))) }

  private static func word(_ mark: EpisodeMark) -> String {
    switch mark {
    case .played: "Played"
    case .unplayed: "Not played"
    case .favourite: "Favourite"
    case .unfavourite: "No favourite"
    }
  }

  // MARK: Texts

  private func about(_ id: EpisodeID) async throws(StoreError) -> ScreenState.About? {
    guard let details = try await store.details(of: id) else { return nil }
    return .init(
      episode: id, notes: Self.plain(details), link: details.entry.episode.link)
  }

  private func chapters(of details: EpisodeDetails) async -> [Chapter] {
    let known = SideDocuments.knownChapters(of: details).filter(\.isListed)
    return await live.repeatSearch(store: store).chapters(known, of: details.entry)
  }

  private static func plain(_ details: EpisodeDetails) -> String {
    CleanText.lines(details.plainNotes(limit: 20_000) ?? "", limit: 10_000)
  }

  func texts(of id: EpisodeID) async throws(StoreError) -> EpisodeTextsOnScreen {
    var texts = EpisodeTextsOnScreen(episode: id)
    texts.paragraphs = TranscriptPage.paragraphs(try await store.transcript(of: id), longest: Self.spokenLine)
    texts.anchors = try await store.anchors(of: id)
    guard let details = try await store.details(of: id) else { return texts }
    texts.isMadeHere = details.isTranscriptMadeHere
    texts.chapters = await chapters(of: details)
    texts.notes = Self.plain(details)
    return texts
  }

  // MARK: The filter line

  private func found(
    _ line: String, _ list: ScreenState.ListName, _ podcast: PodcastID?, _ limit: Int
  ) async throws(StoreError) -> FoundRows {
    let start = ContinuousClock.now
    var found = FoundRows(line: line, list: list, podcast: podcast, limit: limit)
    let query = FilterLine(line)
    if let mistake = query.mistake {
      found.mistake = mistake
    } else if list == .podcasts, !query.filter.conditions.isEmpty {
      found.mistake = "filters are for episodes"
    } else {
      (found.rows, found.hasMore) = try await rows(query, list, podcast, limit)
      if let first = found.rows.first?.entry { found.about = try await about(first.episode.id) }
    }
    found.took = ContinuousClock.now - start
    return found
  }

  private func rows(
    _ query: FilterLine, _ list: ScreenState.ListName, _ podcast: PodcastID?, _ limit: Int
  ) async throws(StoreError) -> (rows: [ScreenRow], hasMore: Bool) {
    switch list {
    case .queue:
      let kept = try await store.queue().filter { query.matches("\($0.podcast.title) \($0.episode.title)") }
      return (try await kept.matching(query.filter, in: store) { $0.episode.id }.map { .episode($0) }, false)
    case .podcasts:
      return (try await store.podcasts().filter { query.matches($0.title) }.map { .podcast($0) }, false)
    case .home, .episodes: return try await episodes(query, podcast, limit)
    }
  }

  private func episodes(
    _ query: FilterLine, _ podcast: PodcastID?, _ limit: Int
  ) async throws(StoreError) -> (rows: [ScreenRow], hasMore: Bool) {
    guard !query.words.isEmpty else {
      let window = try await store.window(matching: query.filter, of: podcast, at: .start, count: limit)
      return (window.entries.map { .episode($0) }, window.hasMoreAfter)
    }
    let found = try await store.search(query.searchText, of: podcast, matching: query.filter, limit: limit)
    let rows = found.hits.flatMap { hit -> [ScreenRow] in
      hit.field == .title ? [.episode(hit.entry)] : [.episode(hit.entry), .passage(hit)]
    }
    return (rows, found.hasMore)
  }
}

/// A filter line as it is typed: filters and words to search.
struct FilterLine {
  private(set) var filter = EpisodeFilter()
  private(set) var words: [String] = []
  private(set) var mistake: String?

  /// A word with the sign of a filter that is none is a mistake; any other one is searched.
  init(_ line: String) {
    var filters: [String] = []
    for word in Self.split(line) {
      do {
        _ = try EpisodeFilter(words: [word])
        filters.append(word)
      } catch {
        let isMeantAsFilter = word.contains(where: { ":<>=".contains($0) }) && !word.contains("://")
        if isMeantAsFilter { mistake = FilterWords.explanation(error) } else { words.append(word) }
      }
    }
    filter = (try? EpisodeFilter(words: filters)) ?? filter
  }

  /// Splits at blanks, but not inside double quotes, or single ones behind a colon. Those of a filter are left out; those
  /// of a phrase belong to the search.
  private static func split(_ line: String) -> [String] {
    var words: [String] = []
    var (word, quote, last) = ("", Character?.none, Character(" "))
    for character in line {
      if character == quote {
        if !word.contains(":") { word.append(character) }
        quote = nil
      } else if quote == nil, character == "\"" || character == "'" && last == ":" {
        if !word.contains(":") { word.append(character) }
        quote = character
      } else if quote == nil, character == " " {
        if !word.isEmpty { words.append(word) }
        word = ""
      } else {
        word.append(character)
      }
      last = character
    }
    return word.isEmpty ? words : words + [word]
  }

  /// The last word may not be complete yet.
  var searchText: String { words.joined(separator: " ") + "*" }

  func matches(_ text: String) -> Bool {
    let text = text.lowercased()
    return words.allSatisfy { text.contains($0.lowercased().filter { $0 != "\"" }) }
  }
}
