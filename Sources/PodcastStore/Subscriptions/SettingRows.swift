internal import PodcastModel

/// The settings and tags of podcasts.
struct SettingRows {
  let connection: Connection

  func settings(of podcast: PodcastID) throws(StoreError) -> [String: String] {
    let pairs = try connection.rows("SELECT key, value FROM settings WHERE podcast_id = \(podcast)") {
      ($0.text(0), $0.text(1))
    }
    return Dictionary(pairs) { first, _ in first }
  }

  /// Changes settings and records how to undo it. Nil unsets.
  func change(_ values: [String: String?], of podcast: PodcastID) throws(StoreError) {
    var steps: [UndoStep] = []
    for (key, value) in values {
      let before = try connection.first(
        "SELECT value FROM settings WHERE podcast_id = \(podcast) AND key = \(key)"
      ) { $0.text(0) }
      guard before != value else { continue }
      steps.append(UndoStep(kind: .setting, subject: podcast.rawValue, name: key, value: before))
      try set(key, to: value, of: podcast)
    }
    guard !steps.isEmpty else { return }
    try UndoLog(connection: connection).record(
      .changedSetting, subject: steps.compactMap(\.name).sorted().joined(separator: ", "), count: steps.count,
      steps: steps)
  }

  func set(_ key: String, to value: String?, of podcast: PodcastID) throws(StoreError) {
    if let value {
      try connection.execute(
        "INSERT OR REPLACE INTO settings (podcast_id, key, value) VALUES (\(podcast), \(key), \(value))")
    } else {
      try connection.execute("DELETE FROM settings WHERE podcast_id = \(podcast) AND key = \(key)")
    }
  }

  /// Sets what is unset.
  func fill(_ key: String, with value: String, of podcast: PodcastID) throws(StoreError) {
    try connection.execute(
      "INSERT OR IGNORE INTO settings (podcast_id, key, value) VALUES (\(podcast), \(key), \(value))")
  }

  /// Restores a former value.
  func revert(_ step: UndoStep) throws(StoreError) {
    try set(step.name ?? "", to: step.value, of: PodcastID(rawValue: step.subject))
  }

  // MARK: Tags

  func tags(of podcast: PodcastID) throws(StoreError) -> [String] {
    try connection.rows("SELECT tag FROM tags WHERE podcast_id = \(podcast) ORDER BY tag") { $0.text(0) }
  }

  func tags() throws(StoreError) -> [PodcastID: [String]] {
    var tags: [PodcastID: [String]] = [:]
    try connection.forEachRow("SELECT podcast_id, tag FROM tags ORDER BY podcast_id, tag") {
      tags[PodcastID(rawValue: $0.integer(0)), default: []].append($0.text(1))
    }
    return tags
  }

  func add(tags: [String], to podcast: PodcastID) throws(StoreError) {
    for tag in tags {
      try connection.execute(
        "INSERT OR IGNORE INTO tags (podcast_id, tag) VALUES (\(podcast), \(Self.onOneLine(tag)))")
    }
  }

  /// Adds these tags or removes them, and records how to undo it.
  func change(tags: [String], of podcast: PodcastID, adding: Bool) throws(StoreError) {
    var steps: [UndoStep] = []
    for tag in tags.map(Self.onOneLine) {
      let known = try spellings(of: tag, podcast)
      for spelling in adding ? (known.isEmpty ? [tag] : []) : known {
        steps.append(UndoStep(kind: .tag, subject: podcast.rawValue, name: spelling, number: adding ? 1 : 0))
        if adding { try add(tags: [spelling], to: podcast) } else { try remove(tagSpelled: spelling, from: podcast) }
      }
    }
    guard !steps.isEmpty else { return }
    try UndoLog(connection: connection).record(
      adding ? .addedTag : .removedTag, subject: steps.compactMap(\.name).joined(separator: ", "), count: steps.count,
      steps: steps)
  }

  /// Removes a tag that was added, or adds one that was removed.
  func revertTag(_ step: UndoStep) throws(StoreError) {
    let (tag, podcast) = (step.name ?? "", PodcastID(rawValue: step.subject))
    if step.number == 1 { try remove(tagSpelled: tag, from: podcast) } else { try add(tags: [tag], to: podcast) }
  }

  /// Adds a tag, or gives one that differs in case alone this spelling.
  func respell(tag: String, of podcast: PodcastID) throws(StoreError) {
    try connection.execute("INSERT OR REPLACE INTO tags (podcast_id, tag) VALUES (\(podcast), \(tag))")
  }

  /// Removes the tag in this spelling; one that differs in case alone stays.
  func remove(tagSpelled tag: String, from podcast: PodcastID) throws(StoreError) {
    try connection.execute(
      "DELETE FROM tags WHERE podcast_id = \(podcast) AND tag = \(tag) COLLATE BINARY")
  }

  /// In whatever case.
  func hasTag(_ tag: String, _ podcast: PodcastID) throws(StoreError) -> Bool {
    try connection.integer("SELECT 1 FROM tags WHERE podcast_id = \(podcast) AND tag = \(tag)") != nil
  }

  func podcasts(tagged tag: String) throws(StoreError) -> [PodcastID] {
    var podcasts: Set<PodcastID> = []
    for tag in try spellings(of: tag) {
      podcasts.formUnion(
        try connection.rows("SELECT podcast_id FROM tags WHERE tag = \(tag)") { PodcastID(rawValue: $0.integer(0)) })
    }
    return podcasts.sorted { $0.rawValue < $1.rawValue }
  }

  /// Those in the library that differ from it in case or blanks alone. SQLite folds the case of ASCII letters only.
  func spellings(of tag: String, _ podcast: PodcastID? = nil) throws(StoreError) -> [String] {
    let condition: SQL = podcast.map { " WHERE podcast_id = \($0)" } ?? ""
    let wanted = Self.onOneLine(tag).lowercased()
    return try connection.rows("SELECT DISTINCT tag FROM tags\(condition)") { $0.text(0) }
      .filter { Self.onOneLine($0).lowercased() == wanted }
  }

  private static func onOneLine(_ tag: String) -> String {
    tag.split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }
}
