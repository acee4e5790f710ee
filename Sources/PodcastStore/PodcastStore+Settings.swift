package import PodcastModel

enum SettingRows {
  /// Nil unsets.
  static func set(
    _ key: String, to value: String?, of podcast: PodcastID, _ connection: Connection
  ) throws(StoreError) {
    if let value {
      try connection.execute(
        "INSERT OR REPLACE INTO settings (podcast_id, key, value) VALUES (\(podcast), \(key), \(value))")
    } else {
      try connection.execute("DELETE FROM settings WHERE podcast_id = \(podcast) AND key = \(key)")
    }
  }
}

extension PodcastStore {
  /// What is set for this podcast alone.
  package func settings(of podcast: PodcastID) throws(StoreError) -> [String: String] {
    let pairs = try connection.rows("SELECT key, value FROM settings WHERE podcast_id = \(podcast)") {
      ($0.text(0), $0.text(1))
    }
    return Dictionary(pairs) { first, _ in first }
  }

  /// Nil goes back to what is set for all. Settings go together: all of them or none.
  package func set(_ values: [String: String?], of podcast: PodcastID) throws(StoreError) {
    try write { connection throws(StoreError) in
      var steps: [UndoStep] = []
      for (key, value) in values {
        let before = try connection.first(
          "SELECT value FROM settings WHERE podcast_id = \(podcast) AND key = \(key)"
        ) { $0.text(0) }
        steps.append(UndoStep(kind: .setting, subject: podcast.rawValue, name: key, value: before))
        try SettingRows.set(key, to: value, of: podcast, connection)
      }
      try UndoLog(connection: connection).record(
        .changedSetting, subject: values.keys.sorted().joined(separator: ", "), count: values.count, steps: steps)
    }
  }

  package func tags(of podcast: PodcastID) throws(StoreError) -> [String] {
    try connection.rows("SELECT tag FROM tags WHERE podcast_id = \(podcast) ORDER BY tag") { $0.text(0) }
  }
}
