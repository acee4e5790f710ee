import PodcastModel
import PodcastStore
import Podcatcher

/// What became of the downloads, gathered one by one.
struct DownloadReport {
  private(set) var finished: [(entry: EpisodeEntry, file: Downloader.Finished)] = []
  private(set) var failures: [Failure] = []
  private var size: Int64 = 0

  /// The line to say of one.
  mutating func add(_ entry: EpisodeEntry, _ result: Result<Downloader.Finished, DownloadError>) -> String {
    let title = "\(CleanText.line(entry.podcast.title)): \(CleanText.line(entry.episode.title))"
    switch result {
    case .failure(let error):
      let failure = Failure(error, about: entry)
      failures.append(failure)
      return CleanText.line(failure.message)
    case .success(let file):
      finished.append((entry, file))
      if file.wasHere { return "\(title): already here" }
      size += file.size
      return "\(title): \(SizeText.short(file.size))"
        + (file.isUnproven ? "; the server told no length, so whether it is complete is not known" : "")
    }
  }

  mutating func add(_ failure: Failure) { failures.append(failure) }

  /// `2 episodes downloaded, 57 MB; 1 failed`
  var summary: String {
    let new = finished.count { !$0.file.wasHere }
    var parts = [
      new == 0 ? "nothing new was downloaded" : "\(counted(new, "episode")) downloaded, \(SizeText.short(size))"
    ]
    if !failures.isEmpty { parts.append("\(failures.count) failed") }
    return parts.joined(separator: "; ")
  }

  /// Nil when all went well. A full disk is everybody's trouble, so it is named first.
  var failure: Failure? {
    guard let first = failures.first(where: { $0.code == .diskFull }) ?? failures.first else { return nil }
    let count = finished.count + failures.count
    if count == 1 || first.code == .diskFull { return first }
    let isTotal = failures.count == count
    return Failure(
      isTotal ? first.code : .partial, "\(failures.count) of \(count) episodes could not be downloaded",
      hint: "the same command goes on where it stopped; podcli downloads shows what is here")
  }
}

// MARK: - Words

extension Failure {
  init(_ error: DownloadError, about entry: EpisodeEntry) {
    let title = "\(entry.podcast.title): \(entry.episode.title)"
    let again = "go on with: podcli download \(entry.episode.id.rawValue)"
    switch error {
    case .noMedium: self.init(.failed, "the feed gives nothing to download for \(title)")
    case .refused(let reason):
      self.init(.refused, "\(title) was refused: \(reason)", hint: "podcli opens http and https only")
    case .notAMedium(let what):
      self.init(
        .refused, "\(title) was refused: the server sent \(what) instead of audio",
        hint: "a refresh of the feed may bring another address")
    case .empty: self.init(.failed, "the server sent nothing at all for \(title)", hint: "try again later")
    case .status(401), .status(403): self.init(.credentials, "\(title) wants credentials")
    case .status(let status):
      self.init(.network, "\(title) cannot be fetched: status \(status)", hint: "try again later, or refresh the feed")
    case .rangeRefused:
      self.init(
        .network, "\(title): the server refused to go on where it broke off (416)",
        hint: "what there was is thrown away; the next try begins at the start")
    case .transfer(let error):
      self.init(error, about: title)
      hint = again
    case .tooLarge(let limit):
      self.init(.refused, "\(title) is larger than \(SizeText.short(limit))")
    case .diskFull(let path):
      self.init(.diskFull, "disk full: \(path)", hint: "free some space, then \(again)")
    case .fileSystem(let path, let reason): self.init(.library, "\(path): \(reason)")
    case .underway:
      self.init(.failed, "another podcli is downloading \(title)", hint: "podcli downloads shows how far it is")
    case .store(let error): self.init(error)
    }
  }
}
