import PodcastModel
import PodcastStore
import Podcatcher
import Text

/// The results of an import, gathered feed by feed.
struct ImportReport {
  private var added = 0
  private var known = 0
  private var failures: [(address: String, failure: Failure)] = []

  private var total: Int { added + known + failures.count }

  /// Adds the result of one feed; returns its line, where it has one.
  mutating func add(_ outline: FeedOutline, _ result: Result<Subscriber.Subscription, FollowError>) -> String? {
    switch result {
    case .success(let subscription):
      guard subscription.result.isNew else {
        known += 1
        return nil
      }
      added += 1
      return "Subscribed to \(CleanText.line(subscription.result.title))"
    case .failure(let error):
      let failure = Failure(error, about: outline.url)
      failures.append((outline.url, failure))
      return CleanText.line("\(outline.title ?? "Failed"): \(failure.message)")
    }
  }

  var json: JSON {
    [
      "added": JSON(added), "known": JSON(known), "failed": JSON(failures.count),
      "failures": .array(
        failures.map { address, failure in
          [
            "url": JSON(SafeAddress.shown(address)), "code": JSON(failure.code.rawValue),
            "message": JSON(failure.message),
          ]
        }),
    ]
  }

  var summary: String {
    var parts = ["\(added) new"]
    if known > 0 { parts.append("\(known) followed already") }
    if !failures.isEmpty { parts.append("\(failures.count) failed") }
    return "\(counted(total, "podcast")): " + parts.joined(separator: ", ")
  }

  /// Nil when every feed succeeded.
  var failure: Failure? {
    guard let first = failures.first?.failure else { return nil }
    if total == 1 { return first }
    return Failure(
      failures.count == total ? first.code : .partial, "\(failures.count) of \(total) feeds failed",
      hint: "run the command again for those")
  }
}
