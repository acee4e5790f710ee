internal import FeedKit
internal import PodcastModel
internal import PodcastStore
internal import Text

extension ForeignApp {
  /// Its file `library.json`, in which comments are allowed.
  static let podliner = ForeignApp(
    name: "podliner", title: "podliner",
    paths: { [$0.config + "/podliner/library.json"] },
    form: .json {
      $0["SchemaVersion"] != nil && $0["Feeds"]?.elements != nil && $0["Episodes"]?.elements != nil
    } read: {
      PodlinerLibrary($0).library
    })
}

private struct PodlinerLibrary {
  private let document: JSON
  /// By the feed's id.
  private var addresses: [String: String] = [:]

  init(_ document: JSON) {
    self.document = document
    for feed in document["Feeds"]?.elements ?? [] {
      if let id = feed["Id"]?.identifier, let url = feed["Url"]?.text { addresses[id] = url }
    }
  }

  var library: PortableLibrary {
    let queue = (document["Queue"]?.elements ?? []).compactMap(\.identifier)
    let numbers = Dictionary(zip(queue, 0...)) { first, _ in first }
    return PortableLibrary(
      subscriptions: (document["Feeds"]?.elements ?? []).compactMap(subscription),
      episodes: (document["Episodes"]?.elements ?? []).compactMap { episode($0, numbers) })
  }

  private func subscription(_ feed: JSON) -> SubscriptionRecord? {
    guard let address = feed["Url"]?.text else { return nil }
    var record = SubscriptionRecord(feedURL: address)
    record.title = feed["Title"]?.text
    if let speed = feed["SpeedOverride"]?.double { record.settings["speed"] = String(speed) }
    return record
  }

  private func episode(_ episode: JSON, _ numbers: [String: Int]) -> ListeningRecord? {
    guard let feed = episode["FeedId"]?.identifier, let address = addresses[feed] else { return nil }
    var record = ListeningRecord(feedURL: address)
    record.guid = episode["RssGuid"]?.text
    record.enclosure = episode["AudioUrl"]?.text
    record.title = episode["Title"]?.text
    record.publishedAt = episode["PubDate"]?.text.flatMap(DateText.timestamp)
    record.duration = episode["DurationMs"]?.int.flatMap(Duration.init(sensibleMilliseconds:))
    record.isPlayed = episode["ManuallyMarkedPlayed"]?.flag ?? false
    let position = episode["Progress"]?["LastPosMs"]?.int.flatMap(Duration.init(sensibleMilliseconds:))
    if !record.isPlayed, let position, position > .zero { record.position = position }
    if record.isAboutListening {
      record.listenedAt = episode["Progress"]?["LastPlayedAt"]?.text.flatMap(DateText.timestamp)
    }
    record.isFavourite = episode["Saved"]?.flag ?? false
    record.queueNumber = episode["Id"]?.identifier.flatMap { numbers[$0] }.map(Int64.init)
    return record.isEmpty ? nil : record
  }
}

extension JSON {
  /// A string or a whole number, as one.
  fileprivate var identifier: String? { text ?? int.map(String.init) }
}
