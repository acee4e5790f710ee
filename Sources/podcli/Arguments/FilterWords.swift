import CommandKit
import PodcastModel
import PodcastStore
import Podcatcher

/// The FILTER arguments of the commands that list episodes.
enum FilterWords {
  static let kind = ValueKind<String>.filter
  static let argument = Arguments("FILTER", kind: .filter, orNone: true, help: "which ones, see `podcli help filters`")

  static func read(_ words: [String]) throws(Failure) -> EpisodeFilter {
    do {
      return try EpisodeFilter(words: words)
    } catch {
      throw Failure(.usage, explanation(error))
    }
  }

  /// Refuses a podcast or a tag that the library does not have.
  static func check(_ filter: EpisodeFilter, in store: PodcastStore) async throws {
    for condition in filter.conditions {
      switch condition {
      case .podcast(let name):
        guard try await store.podcasts(called: name).isEmpty else { continue }
        throw SelectionError.noPodcast(name, titles: try await store.podcasts().map(\.title))
      case .tag(let tag):
        guard try await !store.hasTag(tag) else { continue }
        throw Failure(
          .notFound, "no podcast has the tag '\(tag)'",
          hint: "podcli subscribe FEED-URL --tag NAME gives one to a podcast")
      default: continue
      }
    }
  }

  /// Refuses `sort:`, for a list with an order of its own.
  static func readUnsorted(_ words: [String], in list: String) throws(Failure) -> EpisodeFilter {
    if let word = words.first(where: { $0.lowercased().hasPrefix("sort:") }) {
      throw Failure(.usage, "'\(word)' says nothing here: \(list) has an order of its own")
    }
    return try read(words)
  }

  static func explanation(_ mistake: EpisodeFilter.Mistake) -> String {
    let near = nearest(to: mistake.word, among: EpisodeFilter.vocabulary)
    return "'\(mistake.word)' is no filter; "
      + (near.isEmpty ? "expected \(mistake.expected)" : "did you mean \(near.joined(separator: " or "))?")
  }

  static let podcast = "podcast:"
  static let tag = "tag:"

  /// With the name of a podcast or a tag.
  static func goesOnWithName(_ prefix: String) -> Bool {
    let prefix = prefix.lowercased()
    return prefix.hasPrefix(podcast) || prefix.hasPrefix(tag)
  }

  /// The words for completion, with the orders behind `sort:`.
  static func candidates(_ prefix: String) -> [Choice] {
    let sort = "sort:"
    guard prefix.hasPrefix(sort) else { return candidates }
    return EpisodeFilter.SortKey.allCases.flatMap { [Choice(sort + $0.rawValue), Choice("\(sort)-\($0.rawValue)")] }
  }

  /// The words for completion: whole ones, and beginnings such as `podcast:`, which an example goes on from.
  static let candidates: [Choice] = EpisodeFilter.vocabulary.map { word in
    let stem = word.hasPrefix("has:") ? nil : word.firstIndex { ":<".contains($0) }.map { word[...$0] }
    return Choice(stem.map { String($0) } ?? word)
  }
}

extension Array {
  /// The elements whose episodes match a filter, in their order.
  func matching(
    _ filter: EpisodeFilter, in store: PodcastStore, _ episode: (Element) -> EpisodeID
  ) async throws(StoreError) -> [Element] {
    guard !filter.conditions.isEmpty else { return Array(prefix(filter.limit ?? .max)) }
    let ids = try await store.episodes(among: Set(map(episode)), matching: filter)
    return Array(self.filter { ids.contains(episode($0)) }.prefix(filter.limit ?? .max))
  }
}

extension ValueKind where Value == String {
  fileprivate static var filter: Self {
    ValueKind(completion: .dynamic("filter")) { word throws(BadValue) in
      do throws(EpisodeFilter.Mistake) {
        _ = try EpisodeFilter(words: [word])
        return word
      } catch {
        throw BadValue(FilterWords.explanation(error))
      }
    }
  }
}
