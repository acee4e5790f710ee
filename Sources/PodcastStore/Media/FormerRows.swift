internal import PodcastModel

/// The rows of `former_renditions` and `former_marks`: marks whose rendition is gone, until they are found again in another.
struct FormerRows {
  let connection: Connection

  /// A new print each day would fill the library.
  private static let mostPrints = 4

  /// The newest first.
  func read(of id: EpisodeID) throws(StoreError) -> [FormerRendition] {
    var renditions = try connection.rows(
      """
      SELECT id, size, etag, last_modified, frames, sound FROM former_renditions
      WHERE episode_id = \(id) ORDER BY id DESC
      """
    ) { row in
      var rendition = FormerRendition(
        episode: id, frames: row.optionalBlob(4), sound: row.optionalBlob(5))
      rendition.id = row.integer(0)
      rendition.size = row.optionalInteger(1)
      rendition.etag = row.optionalText(2)
      rendition.lastModified = row.optionalText(3)
      return rendition
    }
    for index in renditions.indices { renditions[index].marks = try marks(of: renditions[index].id) }
    return renditions
  }

  private func marks(of rendition: Int64) throws(StoreError) -> [FormerMark] {
    try connection.rows(
      "SELECT kind, item, start, end FROM former_marks WHERE rendition_id = \(rendition) ORDER BY kind, item"
    ) { row in
      FormerMark.Kind(rawValue: row.text(0)).map {
        FormerMark(
          kind: $0, item: row.integer(1), start: .milliseconds(row.integer(2)),
          end: row.optionalInteger(3).map { .milliseconds($0) })
      }
    }.compactMap(\.self)
  }

  /// The marks of an episode that are of its present rendition.
  func presentMarks(of id: EpisodeID) throws(StoreError) -> [FormerMark] {
    let all: SQL = """
      SELECT 'position' AS kind, episode_id AS item, last_listen_time AS start, NULL AS end FROM statuses
        WHERE episode_id = \(id) AND last_listen_time > 0
      UNION ALL SELECT 'bookmark', id, position, NULL FROM bookmarks WHERE episode_id = \(id)
      UNION ALL SELECT 'skip', id, start, end FROM skips WHERE episode_id = \(id)
      UNION ALL SELECT 'anchor', said, heard, NULL FROM transcript_anchors WHERE episode_id = \(id)
      """
    return try connection.rows(
      """
      SELECT m.kind, m.item, m.start, m.end FROM (\(all)) m WHERE NOT EXISTS (
        SELECT 1 FROM former_marks f JOIN former_renditions r ON r.id = f.rendition_id
        WHERE r.episode_id = \(id) AND f.kind = m.kind AND f.item = m.item AND f.start = m.start)
      """
    ) { row in
      FormerMark(
        kind: FormerMark.Kind(rawValue: row.text(0)) ?? .bookmark, item: row.integer(1),
        start: .milliseconds(row.integer(2)), end: row.optionalInteger(3).map { .milliseconds($0) })
    }
  }

  /// Keeps a rendition with the marks that are of it. Nothing where there are none. An old one loses its print:
  /// its marks cannot be found any more, and are still not those of the present rendition.
  func add(_ rendition: FormerRendition) throws(StoreError) {
    let id = rendition.episode
    let marks = try presentMarks(of: id)
    guard !marks.isEmpty else { return }
    try connection.execute(
      """
      INSERT INTO former_renditions (episode_id, size, etag, last_modified, frames, sound)
      VALUES (\(id), \(rendition.size), \(rendition.etag), \(rendition.lastModified), \(rendition.frames),
        \(rendition.sound))
      """)
    let row = connection.lastInsertedID
    for mark in marks { try add(mark, to: row) }
    try connection.execute(
      """
      UPDATE former_renditions SET size = NULL, etag = NULL, last_modified = NULL, frames = NULL, sound = NULL
      WHERE episode_id = \(id) AND id NOT IN (
        SELECT id FROM former_renditions WHERE episode_id = \(id) ORDER BY id DESC LIMIT \(Self.mostPrints))
      """)
  }

  func add(_ mark: FormerMark, to rendition: Int64) throws(StoreError) {
    try connection.execute(
      """
      INSERT OR REPLACE INTO former_marks (rendition_id, kind, item, start, end)
      VALUES (\(rendition), \(mark.kind.rawValue), \(mark.item), \(mark.start), \(mark.end))
      """)
  }

  func remove(_ rendition: Int64) throws(StoreError) {
    try connection.execute("DELETE FROM former_renditions WHERE id = \(rendition)")
  }

  // MARK: Found again

  /// Moves marks, once, unless the user has changed them meanwhile. Can be undone. A position that is not found becomes a
  /// bookmark.
  func move(_ marks: [FollowedMark], of rendition: FormerRendition) throws(StoreError) -> MovedMarks {
    var (moved, steps) = (MovedMarks(), [UndoStep]())
    for followed in marks {
      let mark = followed.mark
      try connection.execute(
        """
        DELETE FROM former_marks WHERE rendition_id = \(rendition.id) AND kind = \(mark.kind.rawValue)
          AND item = \(mark.item)
        """)
      guard connection.changedRows > 0 else { continue }
      if let step = try move(followed, of: rendition.episode) { steps.append(step) } else { continue }
      if mark.kind == .position { (moved.from, moved.to) = (mark.start, followed.position) } else { moved.others += 1 }
    }
    try connection.execute(
      """
      DELETE FROM former_renditions WHERE id = \(rendition.id)
        AND NOT EXISTS (SELECT 1 FROM former_marks WHERE rendition_id = \(rendition.id))
      """)
    if !steps.isEmpty {
      let title = try connection.first("SELECT title FROM episodes WHERE id = \(rendition.episode)") { $0.text(0) }
      try UndoLog(connection: connection).record(.movedMarks, subject: title ?? "", count: 1, steps: steps)
    }
    return moved
  }

  /// Nil where nothing was to do.
  private func move(_ followed: FollowedMark, of id: EpisodeID) throws(StoreError) -> UndoStep? {
    let mark = followed.mark
    guard let position = followed.position else {
      return mark.kind == .position ? try keepAsBookmark(mark.start, in: id) : nil
    }
    guard position != mark.start || followed.end != mark.end else { return nil }
    switch mark.kind {
    case .position:
      try connection.execute(
        """
        UPDATE statuses SET last_listen_time = \(position), position_number = position_number + 1
        WHERE episode_id = \(id) AND last_listen_time = \(mark.start)
        """)
    case .bookmark:
      try connection.execute(
        "UPDATE bookmarks SET position = \(position) WHERE id = \(mark.item) AND position = \(mark.start)")
    case .anchor:
      try connection.execute(
        """
        UPDATE transcript_anchors SET heard = \(position)
        WHERE episode_id = \(id) AND said = \(mark.item) AND heard = \(mark.start)
        """)
    case .skip: try moveSkip(followed)
    }
    guard connection.changedRows > 0 else { return nil }
    return UndoStep(
      kind: .moved, subject: id.rawValue, name: mark.kind.rawValue,
      value: [mark.start, position, mark.end, followed.end].compactMap { $0.map { String($0.inMilliseconds) } }
        .joined(separator: " "),
      number: mark.item)
  }

  private func moveSkip(_ followed: FollowedMark) throws(StoreError) {
    let (mark, start, end) = (followed.mark, followed.position ?? .zero, followed.end ?? .zero)
    let row: SQL = "id = \(mark.item) AND start = \(mark.start) AND end = \(mark.end)"
    if start < end {
      try connection.execute("UPDATE skips SET start = \(start), end = \(end) WHERE \(row)")
    } else {
      try connection.execute("DELETE FROM skips WHERE \(row)")
    }
  }

  /// Unless the episode was listened to meanwhile, or a player has made the bookmark.
  private func keepAsBookmark(_ position: Duration, in id: EpisodeID) throws(StoreError) -> UndoStep? {
    let isKept = try connection.integer(
      "SELECT 1 FROM statuses WHERE episode_id = \(id) AND last_listen_time = \(position)")
    let isMarked = try connection.integer(
      "SELECT 1 FROM bookmarks WHERE episode_id = \(id) AND position = \(position) AND note = \(Self.note)")
    guard isKept != nil, isMarked == nil else { return nil }
    let bookmark = try BookmarkRows(connection: connection).add(
      at: position, note: Self.note, in: id, now: .now)
    return UndoStep(kind: .bookmark, subject: bookmark.id)
  }

  /// Of a position in a rendition that is gone.
  static let note = "before the publisher changed the file"

  /// Puts a mark back, unless it was changed since: then false. A skip is always put back.
  func revert(_ step: UndoStep) throws(StoreError) -> Bool {
    let times = (step.value ?? "").split(separator: " ").compactMap { Int64($0) }.map { Duration.milliseconds($0) }
    guard times.count >= 2, let kind = step.name.flatMap(FormerMark.Kind.init), let item = step.number else {
      return false
    }
    let id = step.subject
    switch kind {
    case .position:
      try connection.execute(
        """
        UPDATE statuses SET last_listen_time = \(times[0]), position_number = position_number + 1
        WHERE episode_id = \(id) AND last_listen_time = \(times[1])
        """)
    case .bookmark:
      try connection.execute(
        "UPDATE bookmarks SET position = \(times[0]) WHERE id = \(item) AND position = \(times[1])")
    case .anchor:
      try connection.execute(
        """
        UPDATE transcript_anchors SET heard = \(times[0])
        WHERE episode_id = \(id) AND said = \(item) AND heard = \(times[1])
        """)
    case .skip where times.count == 4:
      try connection.execute(
        """
        INSERT INTO skips (id, episode_id, start, end) SELECT \(item), id, \(times[0]), \(times[2]) FROM episodes
        WHERE id = \(id) ON CONFLICT (id) DO UPDATE SET start = excluded.start, end = excluded.end
        """)
    case .skip: return false
    }
    return connection.changedRows > 0
  }
}
