internal import FeedKit
internal import PodcastModel
internal import PodcastStore
internal import Text

/// Episode actions as gpodder servers and Nextcloud exchange them. Reading takes every server's dialect: words in capitals,
/// times with and without a zone, numbers that are null, -1 or text. Writing keeps to the one dialect that every client reads.
enum EpisodeActionJSON {
  // MARK: Reading

  /// Nil for what tells nothing of listening: downloads, deletions, plays without numbers, and plays at zero, which some
  /// clients write for "unknown". `present` is the server's.
  static func play(from action: JSON, present: Timestamp) -> RemotePlay? {
    guard let feed = action["podcast"]?.text.flatMap(FeedAddress.web(inList:)), feed.utf8.count <= longestName,
      let enclosure = name(action["episode"]), let state = state(of: action)
    else { return nil }
    return RemotePlay(
      feedURL: feed, enclosure: enclosure, guid: name(action["guid"]), at: time(action["timestamp"], present),
      state: state)
  }

  private static let longestName = 4096

  private static func name(_ value: JSON?) -> String? {
    guard let text = value?.text, !text.isEmpty, text != "null", text.utf8.count <= longestName else { return nil }
    return text
  }

  private static func state(of action: JSON) -> PlayState? {
    switch action["action"]?.text?.lowercased() {
    case "new": .unplayed
    case "play": played(number(action["position"]), of: number(action["total"]), from: number(action["started"]))
    default: nil
    }
  }

  /// A total of 1, or one that was passed by far, stands for "unknown".
  private static func played(_ position: Int64?, of total: Int64?, from started: Int64?) -> PlayState? {
    guard let position, position > 0, position <= longestEpisode else { return nil }
    if position == total, total ?? 0 > 1 || started == position { return .finished }
    guard let total, total > 1, position <= total + 60 else { return .position(.seconds(position)) }
    return position >= total - end(of: total) ? .finished : .position(.seconds(position))
  }

  private static let longestEpisode: Int64 = 100 * 86_400

  /// From here on other clients count an episode as heard; the last quarter of a very short one.
  static func end(of total: Int64) -> Int64 { min(30, total / 4) }

  private static func number(_ value: JSON?) -> Int64? {
    guard let value else { return nil }
    let number = value.double ?? value.text.flatMap(Double.init)
    return number.flatMap { $0.isFinite && abs($0) < 1e12 ? Int64($0) : nil }
  }

  /// Zero where it cannot be read, or lies in the future: such a time would win for ever.
  static func time(_ value: JSON?, _ present: Timestamp) -> Timestamp {
    let text = value?.text.map { String($0.prefix(40)) }
    let time = value?.int.map(Timestamp.init(seconds:)) ?? text.flatMap(DateText.timestamp)
    guard let time, time.seconds > 0, time <= present + 86_400 else { return Timestamp(seconds: 0) }
    return time
  }

  // MARK: Writing

  /// Nil for what would mislead other clients: an episode without an address, or a position without a length.
  static func action(for play: UnsentPlay, at feedURL: String, device: String) -> JSON? {
    guard let episode = play.enclosure, WebURL(episode).isHTTP else { return nil }
    let time = String(play.stamp.description.dropLast())
    let names: [(String, JSON?)] = [
      ("podcast", JSON(feedURL)), ("episode", JSON(episode)), ("guid", JSON(play.guid)), ("device", JSON(device)),
      ("timestamp", JSON(time)),
    ]
    guard play.state != .unplayed else { return JSON(members: names + [("action", "new")]) }
    guard let total = play.total?.rounded, total > 1 else { return nil }
    let position = position(of: play.state, total)
    let began = min(position, play.started?.rounded ?? (play.state == .finished ? position : 0))
    // gpodder.net drops a play that it had before with the same numbers.
    let losses = Int64(play.losses)
    let started = began >= losses ? began - losses : min(position, began + losses)
    return JSON(
      members: names + [
        ("action", "play"), ("started", JSON(started)), ("position", JSON(position)), ("total", JSON(total)),
      ])
  }

  /// A position of an unfinished episode stays clear of the end, where other clients take it for finished.
  private static func position(of state: PlayState, _ total: Int64) -> Int64 {
    guard case .position(let position) = state else { return total }
    return max(1, min(position.components.seconds, total - end(of: total) - 1))
  }
}

extension Duration {
  /// In whole seconds.
  var rounded: Int64 { Int64(inSeconds.rounded()) }
}
