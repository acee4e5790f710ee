package import PodcastModel

/// Renditions of media files: marks that follow an episode from one to the next, and what episodes share.
extension PodcastStore {
  /// Whether the episode has marks in the rendition that is here.
  package func hasMarks(_ id: EpisodeID) throws(StoreError) -> Bool {
    try !FormerRows(connection: connection).presentMarks(of: id).isEmpty
  }

  /// Keeps a rendition whose bytes are about to go, with the marks that were made in it. Nothing where there are none.
  package func keep(_ rendition: FormerRendition) throws(StoreError) {
    try write { connection throws(StoreError) in try FormerRows(connection: connection).add(rendition) }
  }

  /// The renditions with marks that are yet to be found in the present one, the newest first.
  package func formerRenditions(of id: EpisodeID) throws(StoreError) -> [FormerRendition] {
    try FormerRows(connection: connection).read(of: id)
  }

  /// The print of an episode's media file, where that was measured.
  package func soundPrint(of id: EpisodeID) throws(StoreError) -> SoundPrintRecord? {
    try SoundPrintRows(connection: connection).read(of: id)
  }

  /// Replaces the print from before.
  package func save(_ record: SoundPrintRecord) throws(StoreError) {
    try write(.normal) { connection throws(StoreError) in try SoundPrintRows(connection: connection).save(record) }
  }

  // MARK: What repeats

  /// The episodes of a podcast whose media files are here and measured, the newest first.
  package func measuredEpisodes(of podcast: PodcastID, limit: Int) throws(StoreError) -> [EpisodeID] {
    try SoundPrintRows(connection: connection).episodes(of: podcast, limit: limit)
  }

  /// The prints of those that were published nearest to this episode, which is not among them.
  package func soundPrints(near id: EpisodeID, limit: Int) throws(StoreError) -> [SoundPrintRecord] {
    try SoundPrintRows(connection: connection).nearest(to: id, limit: limit)
  }

  /// The stretches that an episode shares with others; nil where it was not measured.
  package func repeats(of id: EpisodeID) throws(StoreError) -> RepeatRecord? {
    try RepeatRows(connection: connection).read(of: id)
  }

  /// Replaces what the print shares with `count` others.
  package func save(
    _ repeats: [Repeat], comparedWith count: Int, in print: SoundPrintRecord
  ) throws(StoreError) {
    try write(.normal) { connection throws(StoreError) in
      try RepeatRows(connection: connection).replace(with: repeats, comparedWith: count, in: print)
    }
  }

  // MARK: Marks

  /// Moves marks that were found. A position that was not becomes a bookmark. Can be undone.
  package func move(_ marks: [FollowedMark], of rendition: FormerRendition) throws(StoreError) -> MovedMarks {
    try write(patience: BusyHandler.usualPatience) { connection throws(StoreError) in
      try FormerRows(connection: connection).move(marks, of: rendition)
    }
  }

  /// Keeps a position of a former rendition as a bookmark, which is to be found later like its other marks.
  package func addBookmark(at position: Duration, in rendition: FormerRendition) throws(StoreError) {
    guard
      try connection.integer(
        "SELECT 1 FROM former_marks WHERE rendition_id = \(rendition.id) AND kind = 'bookmark' AND start = \(position)")
        == nil
    else { return }
    try write { connection throws(StoreError) in
      let bookmark = try BookmarkRows(connection: connection).add(
        at: position, note: FormerRows.note, in: rendition.episode, now: .now)
      try FormerRows(connection: connection).add(
        FormerMark(kind: .bookmark, item: bookmark.id, start: bookmark.position), to: rendition.id)
    }
  }

  /// The same bytes are here again.
  package func forget(_ rendition: FormerRendition) throws(StoreError) {
    try write { connection throws(StoreError) in try FormerRows(connection: connection).remove(rendition.id) }
  }
}
