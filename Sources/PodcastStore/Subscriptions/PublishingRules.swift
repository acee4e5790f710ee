package import PodcastModel

/// A publisher's rules for how often to fetch the feed.
package struct PublishingRules: Hashable, Sendable {
  /// In minutes.
  package var timeToLive: Int?
  /// Of the day in UTC: 0 to 23.
  package var skipHours: [Int] = []
  /// In English.
  package var skipDays: [String] = []
  /// RFC 5545, as in `FREQ=WEEKLY`.
  package var recurrence: String?
  /// The podcast has ended.
  package var isComplete = false

  /// No rules.
  package init() {}

  /// The rules of a feed.
  package init(_ feed: Feed) {
    timeToLive = feed.timeToLive
    skipHours = feed.skipHours
    skipDays = feed.skipDays
    recurrence = feed.updateRule
    isComplete = feed.isComplete ?? false
  }
}

extension PublishingRules {
  /// One rule a line; nil for none.
  var text: String? {
    var lines: [String] = []
    if let timeToLive { lines.append("ttl \(timeToLive)") }
    if !skipHours.isEmpty { lines.append("hours " + skipHours.map(String.init).joined(separator: " ")) }
    if !skipDays.isEmpty { lines.append("days " + skipDays.joined(separator: " ")) }
    if let recurrence { lines.append("recurrence " + recurrence.filter { !$0.isNewline }) }
    if isComplete { lines.append("complete") }
    return lines.isEmpty ? nil : lines.joined(separator: "\n")
  }

  init(text: String) {
    for line in text.split(separator: "\n") {
      let words = line.split(separator: " ")
      switch words.first {
      case "ttl": timeToLive = words.last.flatMap { Int($0) }
      case "hours": skipHours = words.dropFirst().compactMap { Int($0) }
      case "days": skipDays = words.dropFirst().map(String.init)
      case "recurrence": recurrence = words.dropFirst().joined(separator: " ")
      case "complete": isComplete = true
      default: break
      }
    }
  }
}
