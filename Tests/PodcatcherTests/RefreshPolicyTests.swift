import PodcastModel
import PodcastStore
import Testing

@testable import Podcatcher

@Suite struct RefreshPolicyTests {
  /// A Monday at 10:00.
  private static let now = Timestamp(CivilTime(year: 2024, month: 1, day: 1, hour: 10))
  private static let hour: Int64 = 3600

  struct Case: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var change: @Sendable (inout FeedState) -> Void
    var expected: [RefreshPolicy.Occasion: RefreshPolicy.Verdict]

    init(
      _ name: String, all: RefreshPolicy.Verdict = .ask, named: RefreshPolicy.Verdict = .ask,
      scheduled: RefreshPolicy.Verdict = .ask, _ change: @escaping @Sendable (inout FeedState) -> Void
    ) {
      testDescription = name
      self.change = change
      expected = [.all: all, .named: named, .scheduled: scheduled, .forced: .ask]
    }
  }

  private static func after(hours: Int64) -> RefreshPolicy.Verdict { .wait(until: now + hours * hour) }

  static let cases = [
    Case("never fetched") { $0.checkedAt = nil },
    Case("fetched before, without a lifetime") { _ in },
    Case("fresh for an hour, fetched a minute ago", all: .wait(until: now + 540), scheduled: after(hours: 1)) {
      $0.checkedAt = now + -60
      $0.nextCheckAt = now + hour
    },
    Case("fresh, fetched eleven minutes ago", scheduled: after(hours: 1)) {
      $0.checkedAt = now + -660
      $0.nextCheckAt = now + hour
    },
    Case("failing", all: after(hours: 1), scheduled: after(hours: 1)) {
      $0.failures = 3
      $0.nextCheckAt = now + hour
    },
    Case("throttled", all: after(hours: 1), named: after(hours: 1), scheduled: after(hours: 1)) {
      $0.failures = 1
      $0.errorCode = RefreshPolicy.throttled
      $0.nextCheckAt = now + hour
    },
    Case("S9: throttled for ever, or the clock went back") {
      $0.failures = 1
      $0.errorCode = RefreshPolicy.throttled
      $0.nextCheckAt = now + 30 * 86_400
    },
    Case("S9: fetched thirty years ahead, before the clock was corrected") {
      $0.checkedAt = now + 30 * 365 * 86_400
      $0.nextCheckAt = now + 30 * 365 * 86_400 + hour
    },
    Case("gone", all: .gone, scheduled: .gone) { $0.isGone = true },
    Case("a time to live of three hours", scheduled: after(hours: 1)) { $0.rules.timeToLive = 180 },
    Case("once a week", scheduled: after(hours: 10)) { $0.rules.recurrence = "FREQ=WEEKLY;BYDAY=MO" },
    Case("every second day", scheduled: after(hours: 6)) { $0.rules.recurrence = "FREQ=DAILY;INTERVAL=2" },
    Case("complete", scheduled: after(hours: 166)) { $0.rules.isComplete = true },
    Case("not in the morning", scheduled: after(hours: 2)) { $0.rules.skipHours = [8, 9, 10, 11] },
    Case("not on Mondays", scheduled: after(hours: 14)) { $0.rules.skipDays = ["Monday"] },
    Case("rules that skip every hour are ignored") { $0.rules.skipHours = Array(0...23) },
  ]

  @Test(arguments: cases)
  func `decides for each occasion`(example: Case) {
    var feed = FeedState(podcast: PodcastReference(id: PodcastID(rawValue: 1), title: "", feedURL: "http://h.example/"))
    feed.checkedAt = Self.now + -2 * Self.hour
    example.change(&feed)
    for (occasion, verdict) in example.expected {
      #expect(RefreshPolicy.verdict(feed, on: occasion, now: Self.now) == verdict, "\(occasion)")
    }
  }

  @Test(arguments: [(0, true), (7, true), (8, false), (-1, false)])
  func `validators are trusted for eight days`(days: Int64, areSent: Bool) {
    var feed = FeedState(podcast: PodcastReference(id: PodcastID(rawValue: 1), title: "", feedURL: ""))
    feed.validators = FeedValidators(etag: "\"1\"")
    feed.fetchedAt = Self.now + -days * 86_400
    #expect((RefreshPolicy.validators(feed, on: .all, now: Self.now).etag != nil) == areSent)
    #expect(RefreshPolicy.validators(feed, on: .forced, now: Self.now).etag == nil)
  }

  @Test func `the back-off of a failing feed doubles up to a day`() {
    let pauses = (1...30).map {
      RefreshPolicy.nextCheck(afterFailure: $0, isServers: true, now: Self.now).map { $0.seconds - Self.now.seconds }
    }
    #expect(pauses.prefix(5) == [nil, 300, 600, 1200, 2400])
    #expect(pauses.last == 86_400)
    #expect(RefreshPolicy.nextCheck(afterFailure: .max, isServers: false, now: Self.now) == Self.now + Self.hour)
  }

  @Test(
    arguments: [
      ("120", 120), ("0", 60), ("-5", 60), ("99999999999999999999", 900), ("9223372036854775807", 7 * 86_400),
      ("Mon, 01 Jan 2024 10:05:00 GMT", 300), ("soon", 900), (nil, 900),
    ] as [(String?, Int64)])
  func `Retry-After is honoured within limits`(text: String?, seconds: Int64) {
    #expect(RefreshPolicy.nextCheck(retryAfter: text, now: Self.now) == Self.now + seconds)
  }
}
