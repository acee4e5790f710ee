package import PodcastModel

/// Records from other apps, and for them.
extension PodcastStore {
  /// Applies the records of another library, where nothing newer is here: one transaction, and one undo takes all of it
  /// back, with the podcasts that were followed for it: these, and those of `entry`. Records without an episode wait for it.
  package func apply(
    _ records: PortableLibrary, following: [MergeResult] = [], from app: String, in entry: ImportEntry? = nil,
    now: Timestamp = .now
  ) throws(StoreError) -> AppliedRecords {
    let result = try RecordImport(library: records, now: now).apply(from: app, following, in: entry, library)
    try makeDurable()
    return result
  }

  /// Counts the changes that `apply` would make now.
  package func compare(_ records: PortableLibrary, now: Timestamp = .now) throws(StoreError) -> AppliedRecords {
    try RecordImport(library: records, now: now).compare(connection)
  }

  /// Notes that an import has followed these podcasts, so that `undo` takes back also one that is broken off. `apply` adds
  /// the rest.
  package func noteFollowed(
    _ podcasts: [MergeResult], byImportFrom app: String, in entry: ImportEntry?
  ) throws(StoreError) -> ImportEntry {
    try library.write(.normal, toleratedWAL: Checkpoint.toleratedByMerges) { connection throws(StoreError) in
      try UndoLog(connection: connection).recordImport(from: app, in: entry, count: 0, UndoStep.following(podcasts))
    }
  }

  /// Everything that the user did: podcasts, followed or left, and the episodes with a status, in the queue or with
  /// bookmarks.
  package func portableLibrary() throws(StoreError) -> PortableLibrary {
    try RecordExport(connection: connection).library()
  }
}
