private import FeedKit
internal import PodcastModel
internal import PodcastStore

/// When a feed is fetched, and with which validators. Pure.
package enum RefreshPolicy {
  /// The cause of a refresh.
  package enum Occasion: Hashable, Sendable {
    /// A user at the terminal, for all feeds or for those named.
    case all, named
    /// A timer.
    case scheduled
    /// A user with `--force`.
    case forced
  }

  /// Whether a feed is fetched now.
  enum Verdict: Hashable, Sendable {
    case ask
    case wait(until: Timestamp)
    /// The feed answered 410 before.
    case gone
  }

  /// The error code of a feed whose server asked to retry later.
  static let throttled = "throttled"

  /// Decides from the state of the feed alone.
  static func verdict(_ feed: FeedState, on occasion: Occasion, now: Timestamp) -> Verdict {
    guard occasion != .forced else { return .ask }
    if feed.isGone { return occasion == .named ? .ask : .gone }
    if let until = bar(feed, occasion), until > now, until < now + longestBar + minute { return .wait(until: until) }
    if occasion == .scheduled, let due = dueDate(feed, now: now), due > now { return .wait(until: due) }
    return .ask
  }

  /// The earliest next fetch. `Retry-After` binds every occasion but a forced one; back-off after failures, all but a named feed; and
  /// a user waits for the end of a fresh answer's lifetime ten minutes at most.
  private static func bar(_ feed: FeedState, _ occasion: Occasion) -> Timestamp? {
    guard let next = feed.nextCheckAt else { return nil }
    if feed.errorCode == throttled { return next }
    switch occasion {
    case .named, .forced: return nil
    case .scheduled: return next
    case .all: return feed.failures > 0 ? next : feed.checkedAt.map { min(next, $0 + 10 * minute) }
    }
  }

  private static let minute: Int64 = 60
  private static let hour: Int64 = 3600
  private static let day: Int64 = 86_400
  private static let longestBar = 7 * day
}

// MARK: - Validators

extension RefreshPolicy {
  /// None after eight days: some servers answer "not modified" for ever.
  static func validators(_ feed: FeedState, on occasion: Occasion, now: Timestamp) -> FeedValidators {
    guard occasion != .forced, let fetched = feed.fetchedAt, fetched <= now, now < fetched + 8 * day else {
      return FeedValidators()
    }
    return feed.validators
  }
}

// MARK: - The next fetch

extension RefreshPolicy {
  /// After an answer with a lifetime.
  static func nextCheck(freshFor freshness: Duration?, now: Timestamp) -> Timestamp? {
    freshness.map { now + min($0.components.seconds, day) }
  }

  /// `number` counts the failures in a row, this one included. The first one causes no back-off.
  static func nextCheck(afterFailure number: Int, isServers: Bool, now: Timestamp) -> Timestamp? {
    guard number > 1 else { return nil }
    let pause = 5 * minute << Int64(min(number - 2, 20))
    return now + min(pause, isServers ? day : hour)
  }

  /// After an answer with `Retry-After`: seconds, or a date.
  static func nextCheck(retryAfter: String?, now: Timestamp) -> Timestamp {
    let asked = retryAfter.flatMap { text in
      Int64(text).map { now + min(max($0, 0), longestBar) } ?? DateText.timestamp(text)
    }
    guard let asked else { return now + 15 * minute }
    return min(max(asked, now + minute), now + longestBar)
  }
}

// MARK: - Scheduled runs

extension RefreshPolicy {
  /// When the publisher's own rules make a fetch worth while; nil for at any time.
  static func dueDate(_ feed: FeedState, now: Timestamp) -> Timestamp? {
    guard let checked = feed.checkedAt, checked <= now else { return nil }
    let interval = interval(feed.rules)
    return afterSkippedHours(max(checked + interval, now), feed.rules)
  }

  private static func interval(_ rules: PublishingRules) -> Int64 {
    if rules.isComplete { return longestBar }
    let timeToLive = min(max(0, Int64(clamping: rules.timeToLive ?? 0)), day / minute) * minute
    return max(timeToLive, rules.recurrence.map(interval(ofRecurrence:)) ?? 0)
  }

  /// Several fetches in each period, as publishers are late and early.
  private static func interval(ofRecurrence rule: String) -> Int64 {
    var parts: [String: String] = [:]
    for part in rule.uppercased().split(separator: ";") {
      let pair = part.split(separator: "=", maxSplits: 1)
      if pair.count == 2 { parts[String(pair[0])] = String(pair[1]) }
    }
    let every = min(max(1, parts["INTERVAL"].flatMap { Int64($0) } ?? 1), 52)
    let intervals = [
      "HOURLY": hour / 2, "DAILY": 4 * hour, "WEEKLY": 12 * hour, "MONTHLY": day, "YEARLY": longestBar,
    ]
    return min((intervals[parts["FREQ"] ?? ""] ?? 0) * every, longestBar)
  }

  /// Rules that skip every hour of every day are ignored.
  private static func afterSkippedHours(_ start: Timestamp, _ rules: PublishingRules) -> Timestamp {
    guard !rules.skipHours.isEmpty || !rules.skipDays.isEmpty else { return start }
    var moment = start
    for _ in 0..<(7 * 24) {
      if !isSkipped(moment, rules) { return moment }
      moment = Timestamp(seconds: moment.seconds - moment.seconds % hour) + hour
    }
    return start
  }

  private static let days = ["thursday", "friday", "saturday", "sunday", "monday", "tuesday", "wednesday"]

  private static func isSkipped(_ moment: Timestamp, _ rules: PublishingRules) -> Bool {
    let weekday = days[Int((moment.seconds / day % 7 + 7) % 7)]
    // Some feeds count the hours from 1 to 24.
    return rules.skipHours.contains { $0 % 24 == moment.civil.hour }
      || rules.skipDays.contains { $0.lowercased() == weekday }
  }
}

extension Timestamp {
  static func + (moment: Timestamp, seconds: Int64) -> Timestamp {
    let (sum, overflow) = moment.seconds.addingReportingOverflow(seconds)
    return Timestamp(seconds: overflow ? (seconds > 0 ? .max : .min) : sum)
  }
}
