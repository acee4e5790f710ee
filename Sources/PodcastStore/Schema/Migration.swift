/// One step from a schema to the next. Steps are never changed after a release, only added.
struct Migration: Sendable {
  var name: String
  var script: String

  /// In order: a library of version N has had the first N.
  static let all: [Migration] = [
    Migration(name: "a library", script: library),
    Migration(name: "downloads that nobody asked for by hand", script: automaticDownloads),
    Migration(name: "places that are only guessed", script: approximatePositions),
    Migration(name: "transcripts tied to what is heard", script: transcriptAnchors),
    Migration(name: "lengths of media files", script: mediaDurations),
    Migration(name: "records that wait for their episodes", script: parkedRecords),
  ]

  private static let automaticDownloads = """
    ALTER TABLE media ADD COLUMN is_automatic INTEGER NOT NULL DEFAULT 0 CHECK (is_automatic IN (0, 1));
    CREATE INDEX media_here ON media (requested_at, episode_id) WHERE path IS NOT NULL;
    """

  /// Approximate positions, each with the byte that it was estimated from. A row is valid as long as its position equals
  /// the status's.
  private static let approximatePositions = """
    CREATE TABLE guessed_places (
      episode_id INTEGER PRIMARY KEY REFERENCES episodes (id) ON DELETE CASCADE,
      position INTEGER NOT NULL,
      byte INTEGER NOT NULL
    ) STRICT;
    """

  /// Times in milliseconds.
  private static let transcriptAnchors = """
    CREATE TABLE transcript_anchors (
      episode_id INTEGER NOT NULL REFERENCES episodes (id) ON DELETE CASCADE,
      said INTEGER NOT NULL,
      heard INTEGER NOT NULL,
      PRIMARY KEY (episode_id, said)
    ) STRICT, WITHOUT ROWID;
    """

  private static let mediaDurations = """
    ALTER TABLE statuses ADD COLUMN media_duration INTEGER CHECK (media_duration >= 0);
    """

  /// Imported records whose episode is not in the library yet. `feed` is an address without its scheme.
  private static let parkedRecords = """
    CREATE TABLE parked_records (
      id INTEGER PRIMARY KEY,
      import_number INTEGER NOT NULL,
      feed TEXT NOT NULL,
      record TEXT NOT NULL,
      UNIQUE (feed, record)
    ) STRICT;
    CREATE INDEX parked_by_import ON parked_records (import_number);
    """

  /// `podc`, which tells a podcli library from any other database, and from an emptied file.
  static let applicationID: Int64 = 0x706f_6463

  static var currentVersion: Int { all.count }
}
