private import Playback
private import PodcastModel
internal import PodcastStore
internal import Text

/// A PortCast 0.2 document (portcast.org). What it has no member for is in the extension of podcli.
struct PortCastDocument {
  private let library: PortableLibrary
  private let now = Timestamp.now

  init(_ library: PortableLibrary) { self.library = library }

  var json: JSON {
    let queue = library.episodes.filter { $0.queueNumber != nil }.sorted { $0.queueNumber ?? 0 < $1.queueNumber ?? 0 }
    let marks = library.episodes.flatMap { record in record.bookmarks.map { (record, $0) } }
    return [
      "portcast": "0.2.0", "generatedAt": JSON(now), "generator": ["name": "podcli"],
      "subscriptions": .array(library.subscriptions.enumerated().map(subscription)),
      "episodes": .array(library.episodes.enumerated().map(episode)),
      "queue": .array(
        queue.enumerated().map { index, record in ["position": JSON(index + 1), "episodeRef": reference(record)] }),
      "bookmarks": .array(marks.enumerated().map { index, mark in bookmark(index, of: mark.0, mark.1) }),
      "preferences": ["perFeed": JSON(members: library.subscriptions.map { ($0.feedURL, preferences($0)) })],
    ]
  }

  private func subscription(_ index: Int, _ record: SubscriptionRecord) -> JSON {
    let title = record.title ?? ""
    let settings = SettingKeys.portable.map { ($0.name, JSON(record.settings[$0.name])) }
    return [
      "subscriptionId": JSON("s\(index + 1)"), "feedUrl": JSON(record.feedURL),
      "podcastGuid": JSON(record.guid.flatMap { Self.isUUID($0) ? $0 : nil }),
      "title": JSON(title.isEmpty ? record.feedURL : title), "subscribedAt": JSON(record.subscribedAt),
      "unsubscribedAt": JSON(record.isSubscribed ? nil : record.unsubscribedAt ?? now), "tags": JSON(record.tags),
      "updatedAt": JSON(record.unsubscribedAt ?? record.subscribedAt ?? now),
      "extensions": [
        PortCastExtension.name: [
          "title": JSON(record.ownTitle), "private": record.isPrivate ? true : nil, "settings": JSON(members: settings),
        ]
      ],
    ]
  }

  private static func isUUID(_ text: String) -> Bool {
    text.split(separator: "-", omittingEmptySubsequences: false).map(\.count) == [8, 4, 4, 4, 12]
      && text.allSatisfy { $0 == "-" || $0.isHexDigit && $0.isASCII }
  }

  private func preferences(_ record: SubscriptionRecord) -> JSON? {
    let settings = Settings(podcast: record.settings)
    func set<Value>(_ key: SettingKey<Value>) -> Value? { record.settings[key.name] == nil ? nil : settings[key] }
    let preferences: JSON = [
      "playbackRate": JSON(set(SettingKeys.speed)), "skipIntroSeconds": JSON(set(SettingKeys.skipIntro)?.inSeconds),
      "skipOutroSeconds": JSON(set(SettingKeys.skipOutro)?.inSeconds),
      "trimSilence": JSON(set(SettingKeys.trim).map { $0 != .off }), "boostVoice": JSON(set(SettingKeys.boost)),
    ]
    return preferences == [:] ? nil : preferences
  }

  // MARK: Episodes

  private func episode(_ index: Int, _ record: ListeningRecord) -> JSON {
    let status = record.isPlayed ? "completed" : record.position == nil ? "unplayed" : "in_progress"
    return [
      "episodeStateId": JSON("e\(index + 1)"), "subscriptionRef": ["feedUrl": JSON(record.feedURL)],
      "guid": JSON(record.guid), "enclosureUrl": JSON(record.enclosure), "title": JSON(record.title),
      "publishedAt": JSON(record.publishedAt), "durationSeconds": JSON(record.duration?.inSeconds),
      "status": JSON(status), "positionSeconds": JSON(record.position?.inSeconds),
      "lastPlayedAt": JSON(record.listenedAt), "starred": JSON(record.isFavourite),
      "updatedAt": JSON(record.listenedAt ?? record.publishedAt ?? now),
    ]
  }

  /// Guids are those of one feed: two podcasts may have the same ones.
  private func reference(_ record: ListeningRecord) -> JSON {
    [
      "subscriptionRef": ["feedUrl": JSON(record.feedURL)], "guid": JSON(record.guid),
      "enclosureUrl": JSON(record.enclosure),
    ]
  }

  private func bookmark(_ index: Int, of record: ListeningRecord, _ mark: Bookmark) -> JSON {
    [
      "bookmarkId": JSON("b\(index + 1)"), "episodeRef": reference(record), "atSeconds": JSON(mark.position.inSeconds),
      "label": JSON(mark.note), "createdAt": JSON(mark.createdAt),
    ]
  }
}
