internal import FeedKit
internal import PodcastModel
internal import PodcastStore
internal import Text

extension ForeignApp {
  /// PortCast 0.1 and 0.2 (portcast.org), which podcli writes, too.
  static let portCast = ForeignApp(
    name: "portcast", title: "PortCast",
    form: .json {
      $0["portcast"]?.text != nil && $0["subscriptions"]?.elements != nil
    } read: {
      PortCastReader($0).library
    })
}

/// The names in `extensions` under which podcli keeps what PortCast has no member for.
enum PortCastExtension {
  static let name = "org.podcli"
}

private struct PortCastReader {
  private let document: JSON
  /// By the podcast's guid.
  private var addresses: [String: String] = [:]

  init(_ document: JSON) {
    self.document = document
    for subscription in document["subscriptions"]?.elements ?? [] {
      guard let url = subscription["feedUrl"]?.text, let guid = subscription["podcastGuid"]?.text else { continue }
      addresses[guid] = url
    }
  }

  private var isOurs: Bool { document["generator"]?["name"]?.text == "podcli" }

  var library: PortableLibrary {
    var library = PortableLibrary(
      subscriptions: (document["subscriptions"]?.elements ?? []).map(subscription),
      episodes: (document["episodes"]?.elements ?? []).compactMap(episode))
    addQueueAndBookmarks(to: &library.episodes)
    library.episodes.removeAll(where: \.isEmpty)
    return library
  }

  private func subscription(_ member: JSON) -> SubscriptionRecord {
    let guid = member["podcastGuid"]?.text
    var record = SubscriptionRecord(
      feedURL: member["feedUrl"]?.text ?? TitledFeed.prefix + (member["title"]?.text ?? ""))
    record.title = member["title"]?.text
    record.guid = guid
    record.subscribedAt = member["subscribedAt"]?.moment
    record.unsubscribedAt = member["unsubscribedAt"]?.moment
    record.isSubscribed = record.unsubscribedAt == nil
    record.tags = (member["tags"]?.elements ?? []).compactMap(\.text)
    let preferences = document["preferences"]?["perFeed"]
    if let own = preferences?[record.feedURL] ?? guid.flatMap({ preferences?[$0] }) { record.settings = settings(own) }
    if let more = member["extensions"]?[PortCastExtension.name] {
      record.ownTitle = more["title"]?.text
      record.isPrivate = more["private"]?.flag ?? false
      if case .object(let members)? = more["settings"] {
        for member in members { record.settings[member.name] = member.value.text }
      }
    }
    return record
  }

  private func settings(_ preferences: JSON) -> [String: String] {
    var settings: [String: String] = [:]
    settings["speed"] = preferences["playbackRate"]?.double.map { String($0) }
    settings["skip-intro"] = preferences["skipIntroSeconds"]?.double.map { "\($0)s" }
    settings["skip-outro"] = preferences["skipOutroSeconds"]?.double.map { "\($0)s" }
    if preferences["trimSilence"]?.flag == true { settings["trim"] = "medium" }
    settings["boost"] = preferences["boostVoice"]?.flag.map { $0 ? "on" : "off" }
    return settings
  }

  /// An episode by its podcast, its guid and its media file.
  private func named(_ reference: JSON) -> ListeningRecord? {
    let podcast = reference["subscriptionRef"]
    let address = podcast?["feedUrl"]?.text ?? podcast?["podcastGuid"]?.text.flatMap { addresses[$0] }
    guard let address else { return nil }
    var record = ListeningRecord(feedURL: address)
    record.guid = reference["guid"]?.text
    record.enclosure = reference["enclosureUrl"]?.text
    return record
  }

  private func episode(_ state: JSON) -> ListeningRecord? {
    guard var record = named(state) else { return nil }
    record.title = state["title"]?.text
    record.publishedAt = state["publishedAt"]?.moment
    record.duration = state["durationSeconds"]?.seconds
    record.isPlayed = state["status"]?.text == "completed"
    let position = state["positionSeconds"]?.seconds
    // A finished episode has a position where it is heard again; other apps may mean its end.
    let isAtEnd = !isOurs && record.isPlayed && position.map { $0 >= record.duration ?? .zero } ?? false
    if let position, position > .zero, !isAtEnd { record.position = position }
    record.listenedAt = state["lastPlayedAt"]?.moment ?? state["completedAt"]?.moment
    record.isFavourite = state["starred"]?.flag ?? false
    return record
  }

  // MARK: References to episodes

  private struct Reference: Hashable {
    var guid: String?
    var enclosure: String?
  }

  private func addQueueAndBookmarks(to records: inout [ListeningRecord]) {
    var indexes: [Reference: [Int]] = [:]
    for (index, record) in records.enumerated() {
      let whole = Reference(guid: record.guid, enclosure: record.enclosure)
      let parts = [Reference(guid: record.guid), Reference(enclosure: record.enclosure)]
      for key in Set([whole] + parts) where key != Reference() { indexes[key, default: []].append(index) }
    }
    func candidates(_ reference: JSON?) -> [Int] {
      let whole = Reference(guid: reference?["guid"]?.text, enclosure: reference?["enclosureUrl"]?.text)
      guard whole != Reference() else { return [] }
      let all =
        indexes[whole] ?? indexes[Reference(guid: whole.guid)] ?? indexes[Reference(enclosure: whole.enclosure)] ?? []
      // Other apps may name no podcast.
      let ofFeed = all.filter { records[$0].feedURL == reference?["subscriptionRef"]?["feedUrl"]?.text }
      return ofFeed.isEmpty ? all : ofFeed
    }
    // An episode that was neither played nor marked may have no state of its own.
    func add(_ reference: JSON?) -> Int? {
      guard let reference, let record = named(reference) else { return nil }
      let key = Reference(guid: record.guid, enclosure: record.enclosure)
      guard key != Reference() else { return nil }
      records.append(record)
      indexes[key, default: []].append(records.count - 1)
      return records.count - 1
    }
    for item in document["queue"]?.elements ?? [] {
      guard let number = item["position"]?.int else { continue }
      let known = candidates(item["episodeRef"])
      let free = known.first { records[$0].queueNumber == nil }
      if let index = free ?? (known.isEmpty ? add(item["episodeRef"]) : nil) { records[index].queueNumber = number }
    }
    for mark in document["bookmarks"]?.elements ?? [] {
      guard let position = mark["atSeconds"]?.seconds,
        let index = candidates(mark["episodeRef"]).first ?? add(mark["episodeRef"])
      else { continue }
      let words = [mark["label"]?.text, mark["note"]?.text].compactMap(\.self)
      records[index].bookmarks.append(
        Bookmark(
          id: 0, position: position, note: words.isEmpty ? nil : words.joined(separator: ": "),
          createdAt: mark["createdAt"]?.moment ?? .now))
    }
  }
}

extension JSON {
  fileprivate var moment: Timestamp? {
    text.flatMap(DateText.timestamp).flatMap { Timestamp.sensible.contains($0) ? $0 : nil }
  }

  fileprivate var seconds: Duration? {
    double.flatMap { Int64(exactly: ($0 * 1000).rounded()) }.flatMap(Duration.init(sensibleMilliseconds:))
  }
}
