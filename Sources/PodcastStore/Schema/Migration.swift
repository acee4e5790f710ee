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
    Migration(name: "registers that machines share", script: syncRegisters),
    Migration(name: "what media files sound like", script: soundings),
    Migration(name: "bytes of exact positions", script: exactBytes),
    Migration(name: "sync with a server", script: server),
    Migration(name: "transcripts that are made here", script: transcriptions),
    Migration(name: "times of words", script: timesOfWords),
    Migration(name: "one copy of each text", script: oneCopy),
    Migration(name: "marks in renditions that are gone", script: formerRenditions),
    Migration(name: "what episodes share", script: repeats),
    Migration(name: "chapters of media files", script: embeddedChapters),
    Migration(name: "equal channels", script: equalChannels),
    Migration(name: "words of scripts without blanks", script: wordsWithoutBlanks),
    Migration(name: "Latin letters that are typed as others", script: typedLatinLetters),
    Migration(name: "where chapters and transcripts came from", script: documentSources),
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

  /// `local`: what the library had when a register was last compared with it or applied; NULL for what it has without a
  /// row. `holder`: the device in whose file the register stands; NULL while it has yet to be written.
  /// `sync_aliases`: the keys under which machines know a podcast.
  private static let syncRegisters = """
    CREATE TABLE sync_registers (
      kind TEXT NOT NULL CHECK (kind IN ('podcast', 'episode')),
      entity INTEGER NOT NULL,
      name TEXT NOT NULL,
      stamp INTEGER NOT NULL,
      device TEXT NOT NULL,
      value TEXT NOT NULL,
      local TEXT,
      holder TEXT,
      is_applied INTEGER NOT NULL DEFAULT 0 CHECK (is_applied IN (0, 1)),
      PRIMARY KEY (kind, entity, name)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX sync_unwritten ON sync_registers (kind, entity) WHERE holder IS NULL;
    CREATE INDEX sync_unapplied ON sync_registers (kind, entity) WHERE is_applied = 0;
    CREATE INDEX sync_by_name ON sync_registers (name, entity);
    CREATE TABLE sync_parked (
      entity TEXT NOT NULL,
      name TEXT NOT NULL,
      stamp INTEGER NOT NULL,
      device TEXT NOT NULL,
      value TEXT NOT NULL,
      holder TEXT,
      PRIMARY KEY (entity, name)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE sync_aliases (
      key TEXT PRIMARY KEY,
      podcast_id INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE sync_files (
      name TEXT PRIMARY KEY,
      device TEXT NOT NULL,
      signature TEXT NOT NULL,
      label TEXT,
      seen TEXT,
      passed_over INTEGER NOT NULL DEFAULT 0,
      problem TEXT
    ) STRICT, WITHOUT ROWID;
    -- An episode that was heard further on another machine than the listening that counts.
    CREATE TABLE sync_further (
      episode_id INTEGER PRIMARY KEY REFERENCES episodes (id) ON DELETE CASCADE,
      device TEXT NOT NULL,
      position INTEGER NOT NULL
    ) STRICT;
    CREATE TABLE sync_log (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      at INTEGER NOT NULL,
      backend TEXT NOT NULL,
      event TEXT NOT NULL
    ) STRICT;
    CREATE TABLE sync_state (
      key TEXT PRIMARY KEY,
      value TEXT NOT NULL
    ) STRICT, WITHOUT ROWID;
    INSERT INTO sync_state (key, value) VALUES ('changed', '1');
    """

  /// A measurement for each episode, of the bytes that `file` stands for. `data` goes when the media file goes; loudness
  /// stays, as a forecast for other episodes of the podcast. While a pass is under way `data` is its draft.
  private static let soundings = """
    CREATE TABLE soundings (
      episode_id INTEGER PRIMARY KEY REFERENCES episodes (id) ON DELETE CASCADE,
      file TEXT NOT NULL,
      format INTEGER NOT NULL,
      is_complete INTEGER NOT NULL CHECK (is_complete IN (0, 1)),
      measured_at INTEGER NOT NULL,
      loudness REAL,
      peak REAL,
      data BLOB
    ) STRICT;
    """

  /// `file_size`: 0 where it was not noted.
  private static let exactBytes = """
    ALTER TABLE guessed_places ADD COLUMN file_size INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE guessed_places ADD COLUMN is_exact INTEGER NOT NULL DEFAULT 0 CHECK (is_exact IN (0, 1));
    """

  /// Sync with a server. `stamp` is a time by the server's clock; `state` a position in whole seconds, -1 for unplayed,
  /// and the greatest number for finished.
  private static let server = """
    CREATE TABLE server_feeds (
      url TEXT PRIMARY KEY,
      alias TEXT,
      podcast_id INTEGER REFERENCES podcasts (id) ON DELETE SET NULL,
      state TEXT NOT NULL CHECK (state IN ('listed', 'removed', 'refused', 'waiting')),
      tried_at INTEGER
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX server_feeds_of_podcast ON server_feeds (podcast_id);
    CREATE TABLE server_told (
      episode_id INTEGER PRIMARY KEY REFERENCES episodes (id) ON DELETE CASCADE,
      stamp INTEGER NOT NULL,
      state INTEGER NOT NULL,
      tries INTEGER NOT NULL
    ) STRICT;
    """

  /// The transcripts that a program of the user makes: those that wait for it, those that it failed with, and those that
  /// it made.
  private static let transcriptions = """
    CREATE TABLE transcriptions (
      episode_id INTEGER PRIMARY KEY REFERENCES episodes (id) ON DELETE CASCADE,
      state TEXT NOT NULL CHECK (state IN ('waiting', 'failed', 'done')),
      changed_at INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX transcriptions_open ON transcriptions (changed_at, episode_id) WHERE state <> 'done';
    """

  /// When each word of a passage is said: hundredths of a second after its start, with blanks between them.
  private static let timesOfWords = """
    ALTER TABLE transcripts ADD COLUMN words TEXT;
    """

  /// The index stays as it is; its texts come from a view. `FullText` has `plain_text_1`. `search_docsize` is the
  /// index's own list of the episodes in it. The copies are removed in slices: `SearchIndex.removeCopy`.
  private static let oneCopy = """
    ALTER TABLE search_texts RENAME TO search_copies;
    CREATE VIEW search_sources (id, title, notes, chapters, transcript) AS
      SELECT e.id, e.title, ifnull(plain_text_1(CASE WHEN d.notes <> '' THEN d.notes ELSE d.subtitle END), ''),
        ifnull((SELECT group_concat(title, char(10)) FROM
          (SELECT title FROM chapters WHERE episode_id = e.id ORDER BY place)), ''),
        ifnull((SELECT group_concat(text, char(10)) FROM
          (SELECT text FROM transcripts WHERE episode_id = e.id ORDER BY place)), '')
      FROM episodes e LEFT JOIN episode_details d ON d.episode_id = e.id;
    CREATE VIEW search_texts AS SELECT * FROM search_sources WHERE id IN (SELECT id FROM search_docsize);
    """

  /// `frames`, `sound`: prints by which the marks are found in the rendition that followed. Times in milliseconds.
  private static let formerRenditions = """
    CREATE TABLE former_renditions (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      episode_id INTEGER NOT NULL REFERENCES episodes (id) ON DELETE CASCADE,
      size INTEGER,
      etag TEXT,
      last_modified TEXT,
      frames BLOB,
      sound BLOB
    ) STRICT;
    CREATE INDEX former_renditions_of_episode ON former_renditions (episode_id);
    CREATE TABLE former_marks (
      rendition_id INTEGER NOT NULL REFERENCES former_renditions (id) ON DELETE CASCADE,
      kind TEXT NOT NULL CHECK (kind IN ('position', 'bookmark', 'skip', 'anchor')),
      item INTEGER NOT NULL,
      start INTEGER NOT NULL,
      end INTEGER,
      PRIMARY KEY (rendition_id, kind, item)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE sound_prints (
      episode_id INTEGER PRIMARY KEY REFERENCES episodes (id) ON DELETE CASCADE,
      file TEXT NOT NULL,
      data BLOB NOT NULL
    ) STRICT;
    """

  /// The stretches that episodes of a podcast share; they go with the print that they were found in. `compared`: with how
  /// many other prints, nil before that. Times in milliseconds; `found` in so many of `total` other episodes.
  private static let repeats = """
    ALTER TABLE sound_prints ADD COLUMN compared INTEGER;
    CREATE TABLE repeats (
      episode_id INTEGER NOT NULL REFERENCES sound_prints (episode_id) ON DELETE CASCADE,
      start INTEGER NOT NULL,
      end INTEGER NOT NULL,
      kind TEXT NOT NULL CHECK (kind IN ('intro', 'outro', 'inserted')),
      found INTEGER NOT NULL,
      total INTEGER NOT NULL,
      PRIMARY KEY (episode_id, start)
    ) STRICT, WITHOUT ROWID;
    """

  /// Those of the media file are replaced with it; those of the feed are not.
  private static let embeddedChapters = """
    ALTER TABLE chapters ADD COLUMN is_embedded INTEGER NOT NULL DEFAULT 0 CHECK (is_embedded IN (0, 1));
    """

  /// NULL in a draft of which a part was not compared. Soundings of before have NULL, too, or 0.
  private static let equalChannels = """
    ALTER TABLE soundings ADD COLUMN has_equal_channels INTEGER CHECK (has_equal_channels IN (0, 1));
    """

  /// `FullText` has `indexed_text_1`. A podcli of before that still runs finds neither `search_sources`, from which it would
  /// add other texts to the index than `search_texts` makes, nor `podcast_search`.
  private static let wordsWithoutBlanks = """
    DROP VIEW search_texts;
    DROP VIEW search_sources;
    CREATE VIEW episode_texts (id, title, notes, chapters, transcript) AS
      SELECT e.id, e.title, ifnull(plain_text_1(CASE WHEN d.notes <> '' THEN d.notes ELSE d.subtitle END), ''),
        ifnull((SELECT group_concat(title, char(10)) FROM
          (SELECT title FROM chapters WHERE episode_id = e.id ORDER BY place)), ''),
        ifnull((SELECT group_concat(text, char(10)) FROM
          (SELECT text FROM transcripts WHERE episode_id = e.id ORDER BY place)), '')
      FROM episodes e LEFT JOIN episode_details d ON d.episode_id = e.id;
    CREATE VIEW search_texts (id, title, notes, chapters, transcript) AS
      SELECT id, indexed_text_1(title), indexed_text_1(notes), indexed_text_1(chapters), indexed_text_1(transcript)
      FROM episode_texts WHERE id IN (SELECT id FROM search_docsize);
    INSERT INTO search (search) VALUES ('delete-all');
    INSERT OR IGNORE INTO search_queue (episode_id) SELECT id FROM episodes;
    DROP TABLE podcast_search;
    CREATE VIRTUAL TABLE podcast_search_index USING fts5 (
      title, author, tokenize='unicode61 remove_diacritics 2'
    );
    INSERT INTO podcast_search_index (rowid, title, author)
      SELECT id, indexed_text_1(title), indexed_text_1(author) FROM podcasts;
    """

  /// `FullText` has `indexed_text_2`. A podcli of before that still runs finds neither `episode_texts`, from which it would
  /// add texts by the rules of before, nor `podcast_search_index`.
  private static let typedLatinLetters = """
    DROP VIEW search_texts;
    DROP VIEW episode_texts;
    CREATE VIEW plain_texts (id, title, notes, chapters, transcript) AS
      SELECT e.id, e.title, ifnull(plain_text_1(CASE WHEN d.notes <> '' THEN d.notes ELSE d.subtitle END), ''),
        ifnull((SELECT group_concat(title, char(10)) FROM
          (SELECT title FROM chapters WHERE episode_id = e.id ORDER BY place)), ''),
        ifnull((SELECT group_concat(text, char(10)) FROM
          (SELECT text FROM transcripts WHERE episode_id = e.id ORDER BY place)), '')
      FROM episodes e LEFT JOIN episode_details d ON d.episode_id = e.id;
    CREATE VIEW search_texts (id, title, notes, chapters, transcript) AS
      SELECT id, indexed_text_2(title), indexed_text_2(notes), indexed_text_2(chapters), indexed_text_2(transcript)
      FROM plain_texts WHERE id IN (SELECT id FROM search_docsize);
    INSERT INTO search (search) VALUES ('delete-all');
    INSERT OR IGNORE INTO search_queue (episode_id) SELECT id FROM episodes;
    DROP TABLE podcast_search_index;
    CREATE VIRTUAL TABLE podcast_search_words USING fts5 (
      title, author, tokenize='unicode61 remove_diacritics 2'
    );
    INSERT INTO podcast_search_words (rowid, title, author)
      SELECT id, indexed_text_2(title), indexed_text_2(author) FROM podcasts;
    """

  /// The address of the document that is kept. None for chapters and transcripts of an older podcli, nor for those that
  /// come from elsewhere.
  private static let documentSources = """
    CREATE TABLE document_sources (
      episode_id INTEGER NOT NULL REFERENCES episodes (id) ON DELETE CASCADE,
      kind TEXT NOT NULL CHECK (kind IN ('chapters', 'transcript')),
      url TEXT NOT NULL,
      PRIMARY KEY (episode_id, kind)
    ) STRICT, WITHOUT ROWID;
    """

  /// `podc`, which tells a podcli library from any other database, and from an emptied file.
  static let applicationID: Int64 = 0x706f_6463

  static var currentVersion: Int { all.count }
}
