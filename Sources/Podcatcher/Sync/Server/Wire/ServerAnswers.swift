internal import PodcastModel
internal import PodcastStore
internal import Text

/// Changes of subscriptions, as a server tells them. Unknown members are ignored, and entries of the wrong kind passed over.
struct SubscriptionChanges: Hashable {
  var added: [String] = []
  var removed: [String] = []
  var timestamp: Int64?

  /// Nil for what is no such answer.
  init?(_ json: JSON) {
    guard json["add"]?.elements != nil || json["remove"]?.elements != nil else { return nil }
    added = Self.addresses(json["add"])
    let again = Set(added)
    removed = Self.addresses(json["remove"]).filter { !again.contains($0) }
    timestamp = Self.number(json["timestamp"])
  }

  private static let most = 20_000

  /// Each once, in order.
  private static func addresses(_ value: JSON?) -> [String] {
    var seen: Set<String> = []
    return (value?.elements ?? []).prefix(most).compactMap { entry in
      guard let text = entry.text ?? entry["url"]?.text, let url = FeedAddress.web(inList: text),
        seen.insert(url).inserted
      else { return nil }
      return url
    }
  }

  static func number(_ value: JSON?) -> Int64? { value?.int ?? value?.text.flatMap { Int64($0) } }
}

/// A page of episode actions.
struct ActionPage {
  var plays: [RemotePlay]
  /// Of all kinds.
  var count: Int
  var timestamp: Int64?

  /// Nil for what is no such answer.
  init?(_ json: JSON, present: Timestamp) {
    guard let actions = json["actions"]?.elements else { return nil }
    count = actions.count
    plays = actions.compactMap { EpisodeActionJSON.play(from: $0, present: present) }
    timestamp = SubscriptionChanges.number(json["timestamp"])
  }
}

/// The addresses that a server has spelled differently: an empty spelling means that it refuses the address.
struct RespelledAddresses {
  var aliases: [String: String] = [:]

  init(_ json: JSON?) {
    for pair in json?["update_urls"]?.elements ?? [] {
      guard let spellings = pair.elements, spellings.count == 2, let old = spellings[0].text else { continue }
      aliases[old] = spellings[1].text ?? ""
    }
  }
}
