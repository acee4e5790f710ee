package import PodcastModel

/// Records from other apps, and for them.
extension PodcastStore {
  /// Applies the records of another library, where nothing newer is here: one transaction, and one undo takes all of it
  /// back, with the podcasts that were followed for it. Records without an episode wait for it.
  package func apply(
    _ records: PortableLibrary, following: Set<PodcastID> = [], from app: String, now: Timestamp = .now
  ) throws(StoreError) -> AppliedRecords {
    let result = try RecordImport(library: records, following: following, now: now).apply(from: app, in: library)
    try makeDurable()
    return result
  }

  /// Counts the changes that `apply` would make now.
  package func compare(_ records: PortableLibrary, now: Timestamp = .now) throws(StoreError) -> AppliedRecords {
    try RecordImport(library: records, following: [], now: now).compare(connection)
  }

  /// Everything that the user did: podcasts, followed or left, and the episodes with a status, in the queue or with
  /// bookmarks.
  package func portableLibrary() throws(StoreError) -> PortableLibrary {
    try RecordExport(connection: connection).library()
  }
}
