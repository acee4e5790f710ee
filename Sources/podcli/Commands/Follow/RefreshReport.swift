import PodcastModel
import PodcastStore
import Podcatcher
import Text

/// The results of a refresh, gathered feed by feed.
struct RefreshReport {
  private(set) var checked = 0
  private(set) var notModified = 0
  private(set) var updated = 0
  private(set) var waiting = 0
  /// Not asked, as they answered 410 before.
  private(set) var gone = 0
  private(set) var newEpisodes = 0
  private(set) var failures: [Failure] = []
  /// Of the failures: not asked, as --offline was given.
  private var offline = 0
  private var podcasts: [JSON] = []
  private var downloads: DownloadReport?

  /// Adds the automatic downloads.
  mutating func add(_ downloads: DownloadReport) { self.downloads = downloads }

  /// Feeds with nothing new have a line, too.
  var isVerbose = false

  /// Adds the result of one feed; returns its line, where it has one.
  mutating func add(_ outcome: Refresher.Outcome) -> String? {
    let title = CleanText.line(outcome.podcast.title)
    switch outcome.result {
    case .waiting:
      waiting += 1
      return isVerbose ? "\(title): not due" : nil
    case .gone:
      gone += 1
      return isVerbose ? "\(title): gone for good" : nil
    case .unchanged:
      checked += 1
      notModified += 1
      let remarks = Self.remarks(outcome)
      if !remarks.isEmpty { podcasts.append(Self.document(outcome, added: 0, nil)) }
      return isVerbose || !remarks.isEmpty ? "\(title): " + (["not changed"] + remarks).joined(separator: "; ") : nil
    case .failed(let error):
      checked += 1
      if error.isOffline { offline += 1 }
      let failure = Self.failure(error, outcome.podcast)
      failures.append(failure)
      podcasts.append(Self.document(outcome, added: 0, failure))
      return "\(title): " + CleanText.line(failure.message)
    case .merged(let result):
      checked += 1
      return merged(result, outcome, title)
    }
  }

  private mutating func merged(_ result: MergeResult, _ outcome: Refresher.Outcome, _ title: String) -> String? {
    let added = result.added.count
    // Of a podcast that another machine brought, or whose first fetch was cut off, nothing is news.
    let news = result.isNew ? 0 : added
    let remarks = Self.remarks(outcome)
    if added + result.updated == 0 { notModified += 1 } else { updated += 1 }
    newEpisodes += news
    guard added + result.updated > 0 || !remarks.isEmpty else {
      return isVerbose ? "\(title): nothing new" : nil
    }
    podcasts.append(Self.document(outcome, added: news, nil))
    guard added > 0 || !remarks.isEmpty || isVerbose else { return nil }
    let count =
      result.isNew ? "fetched for the first time, \(counted(added, "episode"))" : counted(added, "new episode")
    return ([title + ": " + count] + remarks).joined(separator: "; ")
  }

  private static func remarks(_ outcome: Refresher.Outcome) -> [String] {
    var remarks: [String] = []
    if outcome.isIncomplete { remarks.append("the feed is incomplete, what was whole is kept") }
    if outcome.hasMoved { remarks.append("it has moved, and is followed there") }
    if let twin = outcome.twin {
      let relation =
        outcome.isTwinLeft
        ? "which you left: podcli subscribe \(SafeAddress.shown(twin.feedURL)) follows it there"
        : "which is followed, too: podcli unsubscribe \(outcome.podcast.id.rawValue) ends this one"
      remarks.append("it has moved to \(CleanText.line(twin.title)) (\(twin.id.rawValue)), \(relation)")
    }
    switch outcome.refusedMove {
    case .noFeed?: remarks.append("it names a new address that serves no feed")
    case .otherPodcast(let title)?:
      remarks.append(
        "it names the address of another podcast, '\(CleanText.line(title))', and is followed where it was")
    case nil: break
    }
    return remarks
  }

  static func failure(_ error: FollowError, _ podcast: PodcastReference) -> Failure {
    if error.isGone {
      return Failure(
        .network, "gone for good (410); its episodes stay",
        hint: "podcli refresh \(podcast.id.rawValue) asks it again")
    }
    return Failure(error, about: podcast.feedURL)
  }

  private static func document(_ outcome: Refresher.Outcome, added: Int, _ failure: Failure?) -> JSON {
    [
      "podcast": EpisodeJSON.podcast(outcome.podcast), "newEpisodes": JSON(added),
      "incomplete": outcome.isIncomplete ? true : nil, "moved": outcome.hasMoved ? true : nil,
      "movedTo": outcome.twin.map(EpisodeJSON.podcast), "refusedMove": outcome.refusedMove.map(Self.code),
      "error": failure.map { ["code": JSON($0.code.rawValue), "message": JSON($0.message)] },
    ]
  }

  private static func code(_ move: Refresher.Outcome.RefusedMove) -> JSON {
    switch move {
    case .noFeed: "noFeed"
    case .otherPodcast: "otherPodcast"
    }
  }

  var json: JSON {
    [
      "checked": JSON(checked), "notModified": JSON(notModified), "updated": JSON(updated),
      "failed": JSON(failures.count), "notDue": JSON(waiting), "gone": JSON(gone),
      "newEpisodes": JSON(newEpisodes),
      "podcasts": .array(podcasts), "downloaded": downloads.map { JSON($0.finished.count) },
      "notDownloaded": downloads.map { JSON($0.failures.count) },
    ]
  }

  /// `500 podcasts asked: 31 new episodes, 1 failed, 3 not due (--force asks anyway)`
  var summary: String {
    var parts: [String] = []
    if newEpisodes > 0 {
      parts.append(counted(newEpisodes, "new episode"))
    } else if failures.count < checked || checked == 0 {
      parts.append("nothing new")
    }
    if !failures.isEmpty { parts.append("\(failures.count) failed") }
    if waiting > 0 { parts.append("\(waiting) not due (--force asks anyway)") }
    if gone > 0 { parts.append("\(gone) gone for good (podcli refresh PODCAST asks it again)") }
    if let downloads { parts.append(downloads.summary) }
    return "\(counted(checked, "podcast")) asked: " + parts.joined(separator: ", ")
  }

  /// Nil when every feed and download succeeded.
  var failure: Failure? {
    // The feeds were refreshed all the same.
    guard let first = failures.first else {
      return downloads?.failure(isJSON: false).map {
        Failure(
          .partial, $0.message,
          hint: $0.code == .diskFull
            ? $0.hint : "podcli downloads shows why; podcli download EPISODE tries it again")
      }
    }
    if checked == 1 { return first }
    let isTotal = failures.count == checked
    guard !isTotal || offline < failures.count else {
      return Failure(first.code, "no podcast was refreshed: --offline was given")
    }
    return Failure(
      isTotal ? first.code : .partial, "\(failures.count) of \(checked) podcasts could not be refreshed",
      hint: "podcli podcasts shows why; podcli doctor PODCAST looks closer")
  }
}

extension Refresher.Outcome {
  var isFailure: Bool { if case .failed = result { true } else { false } }
}
