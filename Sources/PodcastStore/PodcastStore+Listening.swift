package import PodcastModel

/// Positions, marks, the queue, bookmarks, history and media records.
extension PodcastStore {
  // MARK: Positions

  /// Makes this the current episode, and no other one.
  package func startPlaying(_ id: EpisodeID, at now: Timestamp = .now) throws(StoreError) {
    try positions.start(id, at: now, in: library)
  }

  /// Saves a position. Positions are numbered, so a later one wins whatever the clock says. `byte` is the one of the
  /// media file that sounds there, where a position cannot be computed from bytes.
  package func savePosition(
    _ position: Duration, of id: EpisodeID, byte: HeardByte? = nil, urgency: PositionUrgency,
    at now: Timestamp = .now
  ) throws(StoreError) {
    try positions.save(position, of: id, byte: byte, urgency, at: now, in: library)
  }

  /// The stored position and its byte. Nil where none was saved with it.
  package func heardPosition(of id: EpisodeID) throws(StoreError) -> HeardPosition? {
    try HeardPosition.read(of: id, connection)
  }

  /// The episode was heard to the end, or nearly: it has no position any more and leaves the queue.
  package func markCompleted(_ id: EpisodeID, at now: Timestamp = .now) throws(StoreError) {
    try library.write(despiteFullDisk: true) { connection throws(StoreError) in
      try StatusRows(connection: connection).markCompleted(id, at: now)
    }
    positions.forget(id)
  }

  /// Keeps the length of the media file of an episode that was started. Feeds are often wrong about it.
  package func setMediaDuration(_ duration: Duration, of id: EpisodeID) throws(StoreError) {
    try library.write(.normal) { connection throws(StoreError) in
      try StatusRows(connection: connection).setMediaDuration(duration, of: id)
    }
  }

  /// The episode that plays, or would be resumed.
  package func current() throws(StoreError) -> EpisodeEntry? { try StatusRows(connection: connection).current() }

  /// Episodes with a position, the last played first.
  package func resumable(limit: Int = 20) throws(StoreError) -> [EpisodeEntry] {
    try StatusRows(connection: connection).resumable(limit: limit)
  }

  /// The episode that was played last, finished or not.
  package func lastPlayed() throws(StoreError) -> EpisodeEntry? { try StatusRows(connection: connection).lastPlayed() }

  // MARK: Marks

  /// Sets a mark on all of them or none; one undo takes all of it back. `isToggled`: unplayed is as before the mark as
  /// played, where that was the last thing that was done, with the position that was kept then. Returns how many were changed
  /// by it.
  @discardableResult
  package func mark(_ mark: EpisodeMark, _ ids: [EpisodeID], isToggled: Bool = false) throws(StoreError) -> Int {
    let held = PlayerLock.holder(in: LibraryFile(path: path).directory)?.episode
    return try write { connection throws(StoreError) in
      try StatusRows(connection: connection).mark(mark, ids, isToggled, held: held)
    }
  }

  // MARK: Queue

  /// The queued episodes in their order.
  package func queue() throws(StoreError) -> [EpisodeEntry] { try QueueRows(connection: connection).entries() }

  /// Queues episodes in the order given. Those in the queue already move.
  package func enqueue(_ ids: [EpisodeID], at slot: QueueSlot = .end) throws(StoreError) {
    try write { connection throws(StoreError) in try QueueRows(connection: connection).insert(ids, at: slot) }
  }

  /// Moves an episode of the queue to this place. False where it has left the queue.
  package func moveInQueue(_ id: EpisodeID, to number: Int) throws(StoreError) -> Bool {
    try write { connection throws(StoreError) in
      let rows = QueueRows(connection: connection)
      guard try rows.read().contains(id) else { return false }
      try rows.insert([id], at: .number(number))
      return true
    }
  }

  /// Removes episodes from the queue.
  package func removeFromQueue(_ ids: [EpisodeID]) throws(StoreError) {
    let removed = Set(ids)
    try editQueue(.queueRemoved) { queue in queue.removeAll { removed.contains($0) } }
  }

  /// Empties the queue.
  package func clearQueue() throws(StoreError) { try editQueue(.queueCleared) { queue in queue = [] } }

  /// Shuffles the queue.
  package func shuffleQueue(using generator: inout some RandomNumberGenerator) throws(StoreError) {
    try editQueue(.queueShuffled) { queue in queue.shuffle(using: &generator) }
  }

  private func editQueue(_ action: UndoAction, _ change: (inout [EpisodeID]) -> Void) throws(StoreError) {
    try write { connection throws(StoreError) in try QueueRows(connection: connection).edit(action, change) }
  }

  // MARK: Bookmarks and skips

  /// The bookmarks of an episode, by position.
  package func bookmarks(of id: EpisodeID) throws(StoreError) -> [Bookmark] {
    try BookmarkRows(connection: connection).read(of: id)
  }

  /// All bookmarks with their episodes, the latest first.
  package func bookmarks(limit: Int = 1000) throws(StoreError) -> [(entry: EpisodeEntry, bookmark: Bookmark)] {
    try BookmarkRows(connection: connection).readAll(limit: limit)
  }

  /// Adds a bookmark. A request of the user waits longer for the write lock than a player's writes.
  @discardableResult
  package func addBookmark(
    at position: Duration, note: String? = nil, in id: EpisodeID, now: Timestamp = .now
  ) throws(StoreError) -> Bookmark {
    try write(patience: BusyHandler.usualPatience) { connection throws(StoreError) in
      try BookmarkRows(connection: connection).add(at: position, note: note, in: id, now: now)
    }
  }

  /// Removes a bookmark.
  package func removeBookmark(_ id: Int64) throws(StoreError) {
    try write { connection throws(StoreError) in try BookmarkRows(connection: connection).remove(id) }
  }

  /// The ranges of an episode that playing jumps over.
  package func skips(of id: EpisodeID) throws(StoreError) -> [Range<Duration>] {
    try SkipRows(connection: connection).read(of: id)
  }

  /// The episodes of a podcast that have such ranges, the newest first.
  package func episodesWithSkips(of podcast: PodcastID) throws(StoreError) -> [EpisodeID] {
    try SkipRows(connection: connection).episodes(of: podcast)
  }

  /// Adds such a range. An empty one is ignored.
  package func addSkip(_ range: Range<Duration>, in id: EpisodeID) throws(StoreError) {
    guard range.lowerBound >= .zero, range.lowerBound.inMilliseconds < range.upperBound.inMilliseconds else { return }
    try write(patience: BusyHandler.usualPatience) { connection throws(StoreError) in
      try SkipRows(connection: connection).add(range, in: id)
    }
  }

  // MARK: History

  /// Begins a session of the listening history.
  package func beginSession(_ session: ListeningSession, of id: EpisodeID) throws(StoreError) -> SessionID {
    try write(.normal) { connection throws(StoreError) in
      try SessionRows(connection: connection).begin(session, of: id)
    }
  }

  /// Updates a session, now and then while playing and at the end.
  package func update(_ id: SessionID, to session: ListeningSession) throws(StoreError) {
    try write(.normal) { connection throws(StoreError) in
      try SessionRows(connection: connection).update(id, to: session)
    }
  }

  /// Sessions, the latest first.
  package func history(limit: Int = 100) throws(StoreError) -> [HistoryEntry] {
    try SessionRows(connection: connection).history(limit: limit)
  }

  /// Sums over all sessions that began since a day's beginning. Days are local, each given as midnight UTC of its date.
  package func statistics(sinceDay day: Timestamp? = nil) throws(StoreError) -> ListeningStatistics {
    try SessionRows(connection: connection).statistics(sinceDay: day)
  }

  // MARK: Media records

  /// The record of an episode's media file.
  package func mediaRecord(of id: EpisodeID) throws(StoreError) -> MediaRecord? {
    try MediaRows(connection: connection).record(of: id)
  }

  /// The records in this state. Pending ones come in the order of their requests.
  package func mediaRecords(_ state: Download.State) throws(StoreError) -> [MediaRecord] {
    try MediaRows(connection: connection).records(state)
  }

  /// The records of all media files of a podcast.
  package func mediaRecords(of podcast: PodcastID) throws(StoreError) -> [MediaRecord] {
    try MediaRows(connection: connection).records(of: podcast)
  }

  /// The paths of all media files.
  package func mediaPaths() throws(StoreError) -> Set<String> { try MediaRows(connection: connection).paths() }

  /// All downloads and complete files, with the last request on top. Partly cached streams are left out.
  package func downloads() throws(StoreError) -> [EpisodeEntry] { try MediaRows(connection: connection).downloads() }

  /// Cached streams that can be evicted: not downloaded by request, queued, favourite or begun. The least recently played
  /// comes first.
  package func spareStreams() throws(StoreError) -> [MediaRecord] {
    try MediaRows(connection: connection).spareStreams()
  }

  /// Automatic downloads of a podcast, the newest episode first, and whether each can be evicted.
  package func automaticDownloads(of podcast: PodcastID) throws(StoreError) -> [(record: MediaRecord, isSpare: Bool)] {
    try MediaRows(connection: connection).automaticDownloads(of: podcast)
  }

  /// Bytes of all media files.
  package func mediaSize() throws(StoreError) -> Int64 { try MediaRows(connection: connection).size() }

  /// Bytes of cached streams.
  package func cacheSize() throws(StoreError) -> Int64 { try MediaRows(connection: connection).cacheSize() }

  /// Turns a cached stream into a download. False when the episode has no record.
  package func keepMedia(of id: EpisodeID, at now: Timestamp = .now) throws(StoreError) -> Bool {
    try write { connection throws(StoreError) in try MediaRows(connection: connection).keep(id, at: now) }
    return try mediaRecord(of: id) != nil
  }

  /// Saves a record. That of a complete file survives a power cut; progress need not. A file once kept stays kept.
  package func save(
    _ record: MediaRecord, durably: Bool = false, patience: Duration? = nil
  ) throws(StoreError) {
    _ = try save(record, durably: durably, patience: patience, unlessRemoved: false)
  }

  /// `unlessRemoved`: nothing is saved, and the result is false, where the record that was saved before is gone.
  package func save(
    _ record: MediaRecord, durably: Bool = false, patience: Duration? = nil, unlessRemoved: Bool
  ) throws(StoreError) -> Bool {
    try write(durably || record.state == .complete ? .full : .normal, patience: patience) {
      connection throws(StoreError) in
      try MediaRows(connection: connection).save(record, unlessRemoved: unlessRemoved)
    }
  }

  /// Whether the episode is there, and no file of it is recorded.
  package func isMediaRemoved(_ id: EpisodeID) throws(StoreError) -> Bool {
    try MediaRows(connection: connection).isRemoved(id)
  }

  /// Removes a record; `memory` stays in its place, so that an automatic download is not made again.
  package func removeMedia(of id: EpisodeID, remembering memory: MediaRecord? = nil) throws(StoreError) {
    try write { connection throws(StoreError) in
      try MediaRows(connection: connection).remove(id)
      if let memory { try MediaRows(connection: connection).save(memory) }
      try SoundingRows(connection: connection).evict(id)
      try SoundPrintRows(connection: connection).remove(id)
    }
  }

  // MARK: Soundings

  /// The measurement of an episode's media file, or the draft of it.
  package func sounding(of id: EpisodeID) throws(StoreError) -> SoundingRecord? {
    try SoundingRows(connection: connection).record(of: id)
  }

  /// The loudness of the newest measured episodes of a podcast, in LUFS.
  package func loudness(of podcast: PodcastID, limit: Int = 5) throws(StoreError) -> [Double] {
    try SoundingRows(connection: connection).loudness(of: podcast, limit: limit)
  }

  /// Replaces the draft from before; a measurement that is complete stays.
  package func saveDraft(_ record: SoundingRecord) throws(StoreError) {
    try write(.normal) { connection throws(StoreError) in
      let rows = SoundingRows(connection: connection)
      if try rows.record(of: record.episode)?.isComplete != true { try rows.save(record) }
    }
  }

  /// Replaces the measurement from before.
  package func save(_ record: SoundingRecord) throws(StoreError) {
    try write(.normal) { connection throws(StoreError) in try SoundingRows(connection: connection).save(record) }
  }
}
