import Glibc
import PodcastModel
import PodcastStore
import Podcatcher
import ScreenKit
import Text

extension Context {
  /// The episode that the words mean. Where several match, a terminal is asked for the number of one.
  func episode(_ words: String, in store: PodcastStore) async throws -> Selection.Choice {
    do {
      return try await selection(store).episode(words)
    } catch let error as SelectionError {
      return try await picked(from: error, words, store)
    }
  }

  private func selection(_ store: PodcastStore) -> Selection { Selection(in: store) { try config() } }

  private func picked(
    from error: SelectionError, _ words: String, _ store: PodcastStore
  ) async throws -> Selection.Choice {
    switch error {
    case .severalEpisodes(let name, let entries):
      let titles = entries.map { entry in
        let date = entry.episode.publishedAt.map { ", \($0.dateText)" } ?? ""
        return ("\(entry.distinctTitle) · \(entry.podcast.title)", "\(entry.episode.id.rawValue)\(date)")
      }
      guard let index = pick(titles, "Several episodes are called '\(name)'") else { throw error }
      return Selection.Choice(entry: entries[index], start: Selection.splitTime(words).start)
    case .severalPodcasts(let name, let podcasts):
      guard let index = pick(Self.titles(podcasts), "Several podcasts are called '\(name)'") else { throw error }
      return try await episode(of: podcasts[index], as: words, called: name, store)
    default: throw error
    }
  }

  /// Reads the words again with the podcast known: in `late/3@41:07` the part behind the name still counts.
  private func episode(
    of podcast: PodcastEntry, as words: String, called name: String, _ store: PodcastStore
  ) async throws -> Selection.Choice {
    let (reference, start) = Selection.splitTime(words)
    if reference != name, reference.hasPrefix(name) {
      return try await selection(store).episode(podcast.reference.feedURL + words.dropFirst(name.count))
    }
    let entry = try await selection(store).unplayed(of: podcast)
    return Selection.Choice(entry: entry, start: start)
  }

  func podcast(_ words: String, in store: PodcastStore) async throws -> PodcastEntry {
    do {
      return try await Selection(in: store).podcast(words)
    } catch {
      guard case .severalPodcasts(let name, let podcasts) = error,
        let index = pick(Self.titles(podcasts), "Several podcasts are called '\(name)'")
      else { throw error }
      return podcasts[index]
    }
  }

  /// The named podcasts; `-` reads the list of another command, which may be empty.
  func podcasts(_ words: [String], in store: PodcastStore) async throws -> [PodcastEntry] {
    var found: [PodcastEntry] = []
    for reference in try Reference.read(words, as: .podcast) {
      found.append(try await reference.podcast(in: store, self))
    }
    return found
  }

  private static func titles(_ podcasts: [PodcastEntry]) -> [(title: String, detail: String)] {
    podcasts.map { podcast in
      let host = WebURL(podcast.reference.feedURL).host.map { ", \($0)" } ?? ""
      return (podcast.title, "podcast \(podcast.id.rawValue)\(host)")
    }
  }

  /// Nil without a terminal to ask, or when nothing was picked. Only titles that stand there twice have their detail.
  private func pick(_ titles: [(title: String, detail: String)], _ question: String) -> Int? {
    guard console.isErrorTerminal, !console.isJSON, isatty(0) == 1 else { return nil }
    console.complain(CleanText.line(question) + ":")
    for (index, (title, detail)) in titles.prefix(Failure.listed).enumerated() {
      let hasTwin = titles.count { $0.title == title } > 1
      let (number, end) = ("\(index + 1)  ", hasTwin ? " " + CleanText.line("(\(detail))") : "")
      let room = max(0, console.width - 2 - DisplayWidth.of(number + end))
      console.complain("  " + number + DisplayWidth.fitted(CleanText.line(title), to: room) + end)
    }
    let listed = min(titles.count, Failure.listed)
    if listed < titles.count { console.complain("  and \(titles.count - listed) more: say more of the title") }
    _ = Console.put("Which one (1-\(listed), nothing for none)? ", on: StandardError.descriptor)
    guard let answer = Self.answer(), let number = Int(answer), (1...listed).contains(number) else { return nil }
    return number - 1
  }

  private static func answer() -> String? { Signals.letThrough { readLine() } }
}
