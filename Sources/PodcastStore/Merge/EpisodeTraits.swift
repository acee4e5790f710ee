internal import PodcastModel

/// The fields by which two descriptions are recognised as the same episode.
struct EpisodeTraits: Hashable {
  var guid: String?
  var enclosure: String?
  var title: String?
  var publishedAt: Timestamp?
  var duration: Int64?
  var enclosureLength: Int64?

  /// Some sites put a new token into every address at each request.
  var enclosureWithoutQuery: String? {
    enclosure.map { String($0.prefix { $0 != "?" }) }
  }

  /// Many sites have gone from http to https.
  var enclosureWithoutScheme: String? {
    enclosureWithoutQuery.map { $0.hasPrefix("http://") ? "https://" + $0.dropFirst(7) : $0 }
  }

  var moment: String? { publishedAt.map { String($0.seconds) } }
  var day: String? { publishedAt.map { String($0.day) } }
  var titleAndDay: String? { title.map { "\(day ?? "") \($0)" } }

  var titleAndMoment: String? {
    guard let title, let moment else { return nil }
    return "\(moment) \(title)"
  }

  /// It has the title or the date of the first, and not of the second.
  func isRather(_ first: EpisodeTraits, than second: EpisodeTraits) -> Bool {
    title == first.title && title != second.title || isSameMoment(as: first) && !isSameMoment(as: second)
  }

  func isSameMoment(as other: EpisodeTraits) -> Bool { publishedAt != nil && publishedAt == other.publishedAt }

  func isSameDay(as other: EpisodeTraits) -> Bool {
    guard let day = publishedAt?.day, let otherDay = other.publishedAt?.day else {
      return publishedAt == other.publishedAt
    }
    return day == otherDay
  }

  func isWithinADay(of other: EpisodeTraits) -> Bool {
    guard let time = publishedAt, let otherTime = other.publishedAt else { return publishedAt == other.publishedAt }
    let (difference, isTooFar) = time.seconds.subtractingReportingOverflow(otherTime.seconds)
    return !isTooFar && difference.magnitude < 86_400
  }

  /// Published within half a day of it and about as long, as far as that is known of both.
  func isNearly(_ other: EpisodeTraits) -> Bool {
    guard let time = publishedAt, let otherTime = other.publishedAt else { return false }
    let (difference, isTooFar) = time.seconds.subtractingReportingOverflow(otherTime.seconds)
    if isTooFar || difference.magnitude > 43_200 { return false }
    guard let duration, let otherDuration = other.duration else { return true }
    return abs(Double(duration) - Double(otherDuration)) <= 0.2 * Double(max(duration, otherDuration))
  }

  /// Same title, and the same moment or the same day and length.
  func isRepublished(as other: EpisodeTraits) -> Bool {
    guard title == other.title, !differ(duration, other.duration) else { return false }
    if isSameMoment(as: other) { return true }
    return isSameDay(as: other) && duration != nil && duration == other.duration
      && !differ(enclosureLength, other.enclosureLength)
  }

  private func differ(_ left: Int64?, _ right: Int64?) -> Bool {
    guard let left, let right else { return false }
    return left != right
  }
}

extension Timestamp {
  /// Days since 1970.
  var day: Int64 { seconds >= 0 ? seconds / 86_400 : (seconds + 1) / 86_400 - 1 }
}

extension EpisodeTraits {
  init(_ episode: borrowing FeedEpisode) {
    let names = EpisodeNames(episode)
    self.init(
      guid: names.guid, enclosure: episode.enclosure?.url, title: names.title, publishedAt: episode.publishedAt,
      duration: names.duration?.inMilliseconds, enclosureLength: episode.enclosure?.length)
  }
}
