import PodcastModel
import PodcastStore
import Podcatcher

/// The result of downloads, added up one by one.
struct DownloadReport {
  /// They were not asked for one by one: one that another podcli is downloading is on its way.
  private let isAutomatic: Bool
  private(set) var finished: [(entry: EpisodeEntry, file: Downloader.Finished)] = []
  private(set) var failures: [(episode: EpisodeID, failure: Failure)] = []
  /// Failed copies of finished downloads.
  private var uncopied: [Failure] = []
  private var size: Int64 = 0

  init(isAutomatic: Bool) { self.isAutomatic = isAutomatic }

  /// Adds a download, and returns its line.
  mutating func add(_ entry: EpisodeEntry, _ result: Result<Downloader.Finished, DownloadError>) -> String {
    let title = "\(CleanText.line(entry.podcast.title)): \(CleanText.line(entry.episode.title))"
    switch result {
    case .failure(let error):
      let failure = Failure(error, about: entry)
      if isAutomatic, error == .underway { return CleanText.line(failure.message) }
      failures.append((entry.episode.id, failure))
      return CleanText.line(failure.message)
    case .success(let file):
      finished.append((entry, file))
      let unproven = "; the server told no length, so whether it is complete is not known"
      if file.wasHere {
        let id = entry.episode.id.rawValue
        let again = "podcli downloads --remove \(id), then podcli download \(id), fetches it again"
        return "\(title): already here" + (file.isUnproven ? "\(unproven): \(again)" : "")
      }
      size += file.size
      return "\(title): \(SizeText.short(file.size))" + (file.isUnproven ? unproven : "")
        + (file.moved.map { "; " + MovedText.clause($0) } ?? "")
    }
  }

  /// Adds a failed copy of a finished download.
  mutating func add(uncopied failure: Failure) { uncopied.append(failure) }

  /// `2 episodes downloaded, 57 MB; 1 failed`
  var summary: String {
    let new = finished.count { !$0.file.wasHere }
    var parts = [
      new == 0 ? "nothing new was downloaded" : "\(counted(new, "episode")) downloaded, \(SizeText.short(size))"
    ]
    if !failures.isEmpty { parts.append("\(failures.count) failed") }
    if !uncopied.isEmpty { parts.append("\(uncopied.count) not copied") }
    return parts.joined(separator: "; ")
  }

  /// Nil when all went well. A full disk comes first, as it stops every download.
  func failure(isJSON: Bool) -> Failure? {
    let all = failures.map(\.failure) + uncopied
    guard let first = all.first(where: { $0.code == .diskFull }) ?? all.first else { return nil }
    let count = finished.count + failures.count
    if count == 1 || first.code == .diskFull { return first }
    let what = uncopied.isEmpty ? "downloaded" : failures.isEmpty ? "copied" : "downloaded or copied"
    // There is no document that would have them.
    let reasons = isJSON && finished.isEmpty ? ": " + all.map(\.message).joined(separator: "; ") : ""
    return Failure(
      all.count == count ? first.code : .partial, "\(all.count) of \(count) episodes could not be \(what)" + reasons,
      hint: failures.isEmpty
        ? first.hint : "podcli downloads shows what is here, and why others failed; the same command tries those again")
  }
}
