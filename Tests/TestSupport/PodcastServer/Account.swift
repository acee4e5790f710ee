import Text

/// Everything that a server keeps of its one user.
package struct Account: Sendable {
  struct Subscription: Sendable {
    var url: String
    /// Nil for all devices.
    var device: String?
    var isAdded: Bool
    var time: Int64
  }

  package struct Action: Sendable, Hashable {
    var podcast: String
    var episode: String
    var guid: String?
    var device: String?
    var kind: String
    var time: Int64
    var started: Int64?
    var position: Int64?
    var total: Int64?
  }

  var devices: Set<String> = ["phone"]
  /// Those whose lists gpodder.net keeps equal.
  var joined: Set<String> = []
  var subscriptions: [Subscription] = []
  var actions: [Action] = []

  // MARK: Subscriptions

  private func owner(_ device: String, _ personality: Personality) -> String? {
    guard personality.isPerDevice else { return nil }
    return joined.contains(device) ? joined.min() : device
  }

  func changes(for device: String, _ personality: Personality, since: Int64) -> [Subscription] {
    let owner = owner(device, personality)
    // gpodder.net's whole list is what is followed now.
    return subscriptions.filter {
      $0.device == owner && $0.time >= since && ($0.isAdded || since > 0 || personality != .mygpo)
    }
  }

  func listed(for device: String, _ personality: Personality) -> Set<String> {
    Set(changes(for: device, personality, since: .min).filter(\.isAdded).map(\.url))
  }

  mutating func change(_ url: String, by device: String, isAdded: Bool, at time: Int64, _ personality: Personality) {
    let owner = owner(device, personality)
    subscriptions.removeAll { $0.url == url && $0.device == owner }
    subscriptions.append(Subscription(url: url, device: owner, isAdded: isAdded, time: time))
  }

  mutating func join(_ names: [String], _ personality: Personality) {
    let lists = names.reduce(into: Set<String>()) { $0.formUnion(listed(for: $1, personality)) }
    joined.formUnion(names)
    for url in lists { change(url, by: names[0], isAdded: true, at: 1, personality) }
  }

  // MARK: Actions

  /// False where the server refuses all of them, and keeps none.
  mutating func take(_ values: [JSON], _ personality: Personality, at present: Int64) -> Bool {
    var new: [Action] = []
    for value in values {
      guard let action = Action(value, personality, present) else { return false }
      new.append(action)
    }
    for action in new { keep(action, personality, present) }
    return true
  }

  private mutating func keep(_ action: Action, _ personality: Personality, _ present: Int64) {
    switch personality {
    case .mygpo:
      guard !actions.contains(where: { $0.isRepeated(by: action) }) else { return }
      actions.append(action)
    case .opodsync:
      actions.append(action)
      if !listed(for: "", personality).contains(action.podcast) {
        change(action.podcast, by: "", isAdded: true, at: present, personality)
      }
    case .nextcloud, .podfetch:
      guard action.kind == "play" || personality.keepsUnplayed else { return }
      actions.removeAll { $0.episode == action.episode || ($0.guid != nil && $0.guid == action.guid) }
      actions.append(action)
    }
  }
}

extension Account.Action {
  init?(_ value: JSON, _ personality: Personality, _ present: Int64) {
    guard let podcast = value["podcast"]?.text, let episode = value["episode"]?.text, let kind = value["action"]?.text,
      let time = value["timestamp"]?.text.flatMap(personality.seconds)
    else { return nil }
    guard personality != .mygpo || kind == kind.lowercased() else { return nil }
    guard personality != .podfetch || episode.hasPrefix("http") else { return nil }
    self.podcast = podcast
    self.episode = episode
    guid = value["guid"]?.text
    device = value["device"]?.text
    self.kind = kind.lowercased()
    self.time = time
    (started, position, total) = (value["started"]?.int, value["position"]?.int, value["total"]?.int)
  }

  /// gpodder.net takes a play from the same device with the same numbers for the same, whatever its time.
  fileprivate func isRepeated(by other: Account.Action) -> Bool {
    var other = other
    (other.time, other.total, other.guid) = (time, total, guid)
    return self == other
  }
}
