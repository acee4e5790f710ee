package import PodcastModel
internal import Text

/// Where an episode was heard, if that was on another machine.
package struct HeardElsewhere: Hashable, Sendable {
  /// The machine that the position comes from, and when it was heard there.
  package var label: String?
  package var at: Timestamp?
  /// A machine that was further, and its position.
  package var furtherLabel: String?
  package var further: Duration?
}

struct SyncOrigin {
  let connection: Connection

  func read(of id: EpisodeID) throws(StoreError) -> HeardElsewhere? {
    guard let row = try SyncRegisterRows(connection: connection).read(.episode(id, "play")), row.isApplied else {
      return nil
    }
    let own = try SyncStateRows(connection: connection)["device"]
    var heard = HeardElsewhere()
    if row.register.device != own, row.local == (try local(of: id)) {
      heard.label = try label(of: row.register.device)
      heard.at = JSON(parsing: row.register.value)?["at"]?.int.map(Timestamp.init(seconds:))
    }
    let further = try connection.first(
      "SELECT device, position FROM sync_further WHERE episode_id = \(id)"
    ) { ($0.text(0), Duration.milliseconds($0.integer(1))) }
    if let (device, position) = further {
      heard.furtherLabel = device == own ? nil : try label(of: device)
      heard.further = position
    }
    return heard.at == nil && heard.further == nil ? nil : heard
  }

  /// The status as the registers keep it.
  private func local(of id: EpisodeID) throws(StoreError) -> String? {
    try connection.first(
      "SELECT ifnull(last_listen_time, 0), has_completed FROM statuses WHERE episode_id = \(id)"
    ) { LocalPlay(position: $0.integer(0), isFinished: $0.flag(1)).text } ?? nil
  }

  private func label(of device: String) throws(StoreError) -> String? {
    try connection.first(
      "SELECT label FROM sync_files WHERE device = \(device) AND label IS NOT NULL LIMIT 1"
    ) { $0.text(0) }
  }
}
