import PodcastModel
import PodcastStore
import Podcatcher
import Text

/// The results of an import, gathered feed by feed.
struct ImportReport {
  private var added = 0
  private var known = 0
  private var failures: [(address: String, failure: Failure)] = []
  var episodes: ImportedEpisodes?
  /// The file ended before the list did.
  var isCutOff = false
  /// Podcasts of which the app's data does not tell the address.
  var withoutAddress = 0

  private var total: Int { added + known + failures.count }

  /// Adds the result of one feed; returns its line, where it has one.
  mutating func add(_ record: SubscriptionRecord, _ result: Result<Subscriber.Subscription, FollowError>) -> String? {
    switch result {
    case .success(let subscription):
      guard subscription.result.isNew else {
        known += 1
        return nil
      }
      added += 1
      return "Subscribed to \(CleanText.line(subscription.result.title))"
    case .failure(let error):
      let failure = Failure(error, about: record.feedURL)
      failures.append((record.feedURL, failure))
      return CleanText.line("\(record.title ?? "Failed"): \(failure.message)")
    }
  }

  var json: JSON {
    let podcasts: JSON = [
      "added": JSON(added), "known": JSON(known), "failed": JSON(failures.count),
      "failures": .array(
        failures.map { address, failure in
          [
            "url": JSON(SafeAddress.shown(address)), "code": JSON(failure.code.rawValue),
            "message": JSON(failure.message),
          ]
        }),
    ]
    return podcasts.adding(isCutOff ? Self.incomplete : nil).adding(episodes?.json)
  }

  /// The member that says that the file is cut off.
  static let incomplete: JSON = ["incomplete": true]

  var summary: [String] {
    var parts = ["\(added) new"]
    if known > 0 { parts.append("\(known) followed already") }
    if !failures.isEmpty { parts.append("\(failures.count) failed") }
    return ["\(counted(total, "podcast")): " + parts.joined(separator: ", ")] + (episodes?.lines ?? [])
  }

  static let cutOff = "the file is cut off: feeds may be missing"

  /// Nil when every feed succeeded.
  var failure: Failure? {
    guard let first = failures.first?.failure else {
      if total == 0, withoutAddress > 0 {
        return Failure(
          .failed, "nothing was imported: there is no address of a feed for \(counted(withoutAddress, "podcast"))",
          hint: "import the app's list of subscriptions (OPML) first, and then this once more")
      }
      return isCutOff ? Failure(.partial, Self.cutOff, hint: Self.importWhole) : nil
    }
    let isNothing = episodes?.isEmpty ?? true
    if total == 1, isNothing, !isCutOff { return first }
    let failed = "\(failures.count) of \(total) feeds failed"
    return Failure(
      failures.count == total && isNothing ? first.code : .partial, isCutOff ? "\(failed), and \(Self.cutOff)" : failed,
      hint: isCutOff ? Self.importWhole : "run the command again for those")
  }

  private static let importWhole = "import the whole file: what is followed by now stays as it is"
}

/// The episodes that an import changes, in words and as JSON; nothing for a list of subscriptions.
struct ImportedEpisodes {
  private let found: FoundLibrary
  private let counts: AppliedRecords

  init(_ found: FoundLibrary, _ counts: AppliedRecords) {
    self.found = found
    self.counts = counts
  }

  var isEmpty: Bool { counts.changed == 0 }

  var lines: [String] {
    guard let app = found.app else { return [] }
    let changes = numbers.isEmpty ? "no episode changes" : numbers.joined(separator: ", ")
    var lines = [(["\(app): \(changes)"] + waiting).joined(separator: "; ")]
    if !found.lacks.isEmpty { lines.append("\(app) does not keep: \(found.lacks.joined(separator: ", "))") }
    let missing = found.withoutAddress
    if !missing.isEmpty {
      let names = missing.prefix(5).map { CleanText.line($0, limit: 100) }.joined(separator: ", ")
      lines.append("without a feed's address: \(names)" + (missing.count > 5 ? " and \(missing.count - 5) more" : ""))
    }
    return lines
  }

  private var numbers: [String] {
    [
      (counts.played, "played"), (counts.positions, "begun"), (counts.favourites, "favourite"),
      (counts.queued, "in the queue"), (counts.bookmarks, counts.bookmarks == 1 ? "bookmark" : "bookmarks"),
    ].compactMap { $0 > 0 ? "\($0) \($1)" : nil }
  }

  private var waiting: [String] {
    [
      (counts.kept, "stay as they are, newer here"),
      (counts.parked, "wait until their podcast's feed brings the episodes"),
    ].compactMap { $0 > 0 ? "\($0) \($1)" : nil }
  }

  var json: JSON? {
    guard let app = found.app else { return nil }
    return [
      "app": JSON(app), "lacks": JSON(found.lacks), "withoutAddress": JSON(found.withoutAddress),
      "episodes": [
        "changed": JSON(counts.changed), "played": JSON(counts.played), "positions": JSON(counts.positions),
        "favourites": JSON(counts.favourites), "queued": JSON(counts.queued), "bookmarks": JSON(counts.bookmarks),
        "kept": JSON(counts.kept), "waiting": JSON(counts.parked),
      ],
    ]
  }
}

extension JSON {
  /// An object with the members of both.
  func adding(_ other: JSON?) -> JSON {
    guard case .object(let members) = self, case .object(let more)? = other else { return self }
    return .object(members + more)
  }
}
