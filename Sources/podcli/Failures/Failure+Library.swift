import CommandKit
import PodcastModel
import PodcastStore
import Podcatcher
import Text

// MARK: - The library

extension Failure {
  init(_ error: StoreError) {
    let subject = error.subject
    switch error.code {
    case .busy(let holder):
      let name = holder.map { "\($0.name) (pid \($0.pid))" } ?? "another program"
      self.init(.library, "the library is locked by \(name)", hint: "try again when it is done")
    case .full:
      self.init(.diskFull, "disk full: \(subject)", hint: "free some space; nothing in the library was lost")
    case .readOnly:
      self.init(.library, "the library cannot be written: \(subject)", hint: "lists still work: podcli playlist")
    case .damaged:
      self.init(
        .damagedLibrary, "the library is damaged: \(error.message): \(subject)", hint: Self.replacements(for: subject))
    case .newerVersion:
      self.init(
        .newerLibrary, "the library was made by a newer version of podcli: \(subject)",
        hint: "it was not touched; update podcli, or use another library with --library DIR")
    case .notALibrary:
      self.init(.library, "this is not a podcli library: \(subject)", hint: "use another one with --library DIR")
    case .movedAway:
      self.init(.library, "the library was moved or replaced meanwhile", hint: "do it once more, or see \(subject)")
    case .indexIncomplete:
      self.init(
        .library, "\(error.message), and it cannot be made where the library cannot be written: \(subject)",
        hint: "other filters still work: podcli playlist unplayed")
    case .notFound:
      self.init(.notFound, error.message, hint: "podcli playlist shows the ids")
    case .noFolder:
      self.init(
        .library, "the library cannot be made: \(error.message): \(subject)",
        hint: "see that the folder above can be written, or use another one with --library DIR")
    case .cannotOpen, .deviceFailed, .refused:
      self.init(
        .library, "the library cannot be used: \(error.message): \(subject)", hint: "podcli doctor may know more")
    }
  }
}

extension Failure {
  /// About a copy of `library`: an error that names another file is not the library's.
  init(copying library: String, _ error: StoreError) {
    guard error.subject != library, [.cannotOpen, .readOnly].contains(error.code) else {
      self.init(error)
      return
    }
    self.init(
      .failed, "the backup cannot be written: \(error.message): \(error.subject)",
      hint: "nothing is wrong with the library; write it elsewhere with: podcli backup FILE")
  }

  /// The ways back from a damaged library: its newest copy, and what was set aside.
  private static func replacements(for library: String) -> String {
    let copy = PodcastStore.backups(of: library).first
    let setAside = PodcastStore.setAside(from: library)
    let kept = setAside.isEmpty ? "" : "; set aside before: " + setAside.joined(separator: ", ")
    return
      (copy.map { "bring back the newest copy with: podcli restore \($0.shellQuoted)" } ?? "there is no copy of it")
      + "; or begin an empty library, and keep this one, with: podcli restore --start-anew" + kept
  }
}

// MARK: - Episodes and podcasts that are not found or not unique

extension Failure {
  init(_ error: SelectionError, near: (String, [String]) -> [String]) {
    switch error {
    case .store(let error): self.init(error)
    case .nothingPlayed:
      self.init(.notFound, "nothing has been played yet", hint: "podcli playlist shows what there is")
    case .nothingBegun:
      self.init(.notFound, "no episode is begun", hint: "@last is the one that was played last")
    case .allPlayed(let podcast) where podcast.episodeCount == 0:
      self.init(
        .notFound, "\(podcast.title) has no episodes yet", hint: "podcli refresh \(podcast.id.rawValue) asks for some")
    case .allPlayed(let podcast):
      self.init(
        .notFound, "every episode of \(podcast.title) has been played",
        hint: "play the newest again with: podcli play \(podcast.id.rawValue)/latest")
    case .nothing(let words, let titles):
      self.init(nothingCalled: words, near: near(words, titles), listedBy: "podcli playlist")
    case .noPodcast(let words, let titles):
      self.init(nothingCalled: words, near: near(words, titles), listedBy: "podcli podcasts")
    case .halfPosition(let words):
      self.init(
        .usage, "'\(words)' is not an episode with a position", hint: "say both, such as 142@41:07, or only the episode"
      )
    case .severalEpisodes(let words, let entries):
      self.init(.ambiguous, "several episodes are called '\(words)'", hint: "say which one by its number")
      candidates = entries.map { Candidate($0) }
    case .severalPodcasts(let words, let entries):
      let number = entries[0].id.rawValue
      let hasTwins = Set(entries.map { $0.title.lowercased() }).count < entries.count
      self.init(
        .ambiguous, "several podcasts are called '\(words)'",
        hint: hasTwins
          ? "say which one by its number: \(number) for the podcast, \(number)/latest for its newest episode"
          : "say more of the title")
      candidates = entries.map { Candidate($0) }
    }
  }

  private init(nothingCalled words: String, near nearest: [String], listedBy command: String) {
    let nearest = nearest.filter { $0 != words }
    self.init(
      .notFound, "nothing is called '\(words)'",
      hint: nearest.isEmpty
        ? "\(command) shows what there is"
        : "did you mean " + nearest.map { "'\($0)'" }.joined(separator: " or ") + "?")
  }
}
