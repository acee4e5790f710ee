extension Migration {
  /// The first schema.
  ///
  /// Lists read `podcasts`, `counters`, `episodes`, `statuses` and `media`, so those rows are short;
  /// large texts live in tables of their own. Times are seconds since 1970, lengths are milliseconds.
  static let library = """
    CREATE TABLE migrations (
      number INTEGER PRIMARY KEY,
      name TEXT NOT NULL,
      applied_at INTEGER NOT NULL
    ) STRICT;

    CREATE TABLE podcasts (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      feed_url TEXT NOT NULL UNIQUE,
      title TEXT NOT NULL,
      own_title TEXT,
      author TEXT,
      link TEXT,
      image TEXT,
      language TEXT,
      type TEXT,
      is_explicit INTEGER,
      is_private INTEGER NOT NULL DEFAULT 0 CHECK (is_private IN (0, 1)),
      is_subscribed INTEGER NOT NULL DEFAULT 1 CHECK (is_subscribed IN (0, 1)),
      subscribed_at INTEGER NOT NULL,
      unsubscribed_at INTEGER,
      content_hash INTEGER NOT NULL DEFAULT 0
    ) STRICT;

    CREATE TABLE podcast_details (
      podcast_id INTEGER PRIMARY KEY REFERENCES podcasts (id) ON DELETE CASCADE,
      description TEXT,
      subtitle TEXT,
      copyright TEXT,
      owner_name TEXT,
      owner_email TEXT,
      categories TEXT,
      feed_guid TEXT,
      medium TEXT,
      is_complete INTEGER
    ) STRICT;

    CREATE TABLE fundings (
      podcast_id INTEGER NOT NULL REFERENCES podcasts (id) ON DELETE CASCADE,
      place INTEGER NOT NULL,
      url TEXT NOT NULL,
      text TEXT,
      PRIMARY KEY (podcast_id, place)
    ) STRICT, WITHOUT ROWID;

    -- Kept by `Triggers`, and by the merge that adds episodes, so that a list of podcasts counts nothing.
    CREATE TABLE counters (
      podcast_id INTEGER PRIMARY KEY REFERENCES podcasts (id) ON DELETE CASCADE,
      episodes INTEGER NOT NULL DEFAULT 0,
      unplayed INTEGER NOT NULL DEFAULT 0,
      downloaded INTEGER NOT NULL DEFAULT 0,
      newest_at INTEGER
    ) STRICT;

    -- Addresses under which a podcast can be, or once was, fetched.
    CREATE TABLE addresses (
      url TEXT PRIMARY KEY,
      podcast_id INTEGER NOT NULL REFERENCES podcasts (id) ON DELETE CASCADE
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX addresses_of_podcast ON addresses (podcast_id);

    CREATE TABLE feeds (
      podcast_id INTEGER PRIMARY KEY REFERENCES podcasts (id) ON DELETE CASCADE,
      etag TEXT,
      last_modified TEXT,
      document_hash INTEGER,
      checked_at INTEGER,
      succeeded_at INTEGER,
      fetched_at INTEGER,
      changed_at INTEGER,
      next_check_at INTEGER,
      failures INTEGER NOT NULL DEFAULT 0,
      error_code TEXT,
      error TEXT,
      is_gone INTEGER NOT NULL DEFAULT 0 CHECK (is_gone IN (0, 1)),
      publishing_rules TEXT
    ) STRICT;
    CREATE INDEX feeds_due ON feeds (next_check_at);

    -- Podcasts whose episodes have yet to be listed, unlisted or deleted, in slices. The next merge completes it.
    -- See `UnfinishedWork`.
    CREATE TABLE left_work (
      podcast_id INTEGER PRIMARY KEY REFERENCES podcasts (id) ON DELETE CASCADE,
      kind TEXT NOT NULL CHECK (kind IN ('listing', 'forgetting'))
    ) STRICT;

    CREATE TABLE tags (
      podcast_id INTEGER NOT NULL REFERENCES podcasts (id) ON DELETE CASCADE,
      tag TEXT NOT NULL COLLATE NOCASE,
      PRIMARY KEY (podcast_id, tag)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX tags_by_name ON tags (tag, podcast_id);

    CREATE TABLE settings (
      podcast_id INTEGER NOT NULL REFERENCES podcasts (id) ON DELETE CASCADE,
      key TEXT NOT NULL,
      value TEXT NOT NULL,
      PRIMARY KEY (podcast_id, key)
    ) STRICT, WITHOUT ROWID;

    -- The publisher's data. `twin` tells episodes with the same guid apart. `listed_at` is the date lists
    -- go by, also for an episode without one. `is_listed` mirrors the subscription, kept by `UnfinishedWork`, and `is_played`
    -- the status, kept by `Triggers`, so that no list has to look further for them. `is_new` are those that came
    -- after the podcast was subscribed, until they get a status.
    CREATE TABLE episodes (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      podcast_id INTEGER NOT NULL REFERENCES podcasts (id) ON DELETE CASCADE,
      listed_at INTEGER NOT NULL,
      is_listed INTEGER NOT NULL DEFAULT 1 CHECK (is_listed IN (0, 1)),
      is_played INTEGER NOT NULL DEFAULT 0 CHECK (is_played IN (0, 1)),
      is_new INTEGER NOT NULL DEFAULT 0 CHECK (is_new IN (0, 1)),
      has_transcript INTEGER NOT NULL DEFAULT 0 CHECK (has_transcript IN (0, 1)),
      chapter_count INTEGER,
      published_at INTEGER,
      duration INTEGER CHECK (duration >= 0),
      season REAL,
      episode REAL,
      episode_type TEXT,
      is_explicit INTEGER,
      guid TEXT NOT NULL,
      twin INTEGER NOT NULL DEFAULT 0,
      title TEXT NOT NULL,
      link TEXT,
      image TEXT,
      enclosure_url TEXT,
      enclosure_type TEXT,
      enclosure_length INTEGER,
      enclosure_hash INTEGER,
      content_hash INTEGER NOT NULL,
      added_at INTEGER NOT NULL
    ) STRICT;
    CREATE UNIQUE INDEX episodes_identity ON episodes (podcast_id, guid, twin);
    CREATE INDEX episodes_of_podcast ON episodes (podcast_id, listed_at, id);
    CREATE INDEX episodes_by_enclosure ON episodes (podcast_id, enclosure_hash);
    -- With what filters ask for most, so that they need not look at the rows they leave out.
    CREATE INDEX playlist ON episodes (listed_at, id, podcast_id, is_played, duration, season) WHERE is_listed = 1;
    CREATE INDEX playlist_played ON episodes (listed_at, id) WHERE is_listed = 1 AND is_played = 1;
    CREATE INDEX playlist_new ON episodes (listed_at, id) WHERE is_listed = 1 AND is_new = 1;
    CREATE INDEX playlist_transcribed ON episodes (listed_at, id) WHERE is_listed = 1 AND has_transcript = 1;
    CREATE INDEX playlist_chaptered ON episodes (listed_at, id) WHERE is_listed = 1 AND chapter_count > 0;

    CREATE TABLE episode_details (
      episode_id INTEGER PRIMARY KEY REFERENCES episodes (id) ON DELETE CASCADE,
      notes TEXT,
      summary TEXT,
      subtitle TEXT,
      author TEXT,
      updated_at INTEGER,
      chapters_url TEXT,
      chapters_type TEXT
    ) STRICT;

    CREATE TABLE transcript_links (
      episode_id INTEGER NOT NULL REFERENCES episodes (id) ON DELETE CASCADE,
      place INTEGER NOT NULL,
      url TEXT NOT NULL,
      type TEXT,
      language TEXT,
      relation TEXT,
      PRIMARY KEY (episode_id, place)
    ) STRICT, WITHOUT ROWID;

    -- Alternatives to the preferred enclosure.
    CREATE TABLE renditions (
      episode_id INTEGER NOT NULL REFERENCES episodes (id) ON DELETE CASCADE,
      place INTEGER NOT NULL,
      url TEXT NOT NULL,
      type TEXT,
      length INTEGER,
      bitrate REAL,
      height INTEGER,
      language TEXT,
      title TEXT,
      PRIMARY KEY (episode_id, place)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE persons (
      episode_id INTEGER NOT NULL REFERENCES episodes (id) ON DELETE CASCADE,
      place INTEGER NOT NULL,
      name TEXT NOT NULL,
      role TEXT NOT NULL,
      image TEXT,
      link TEXT,
      PRIMARY KEY (episode_id, place)
    ) STRICT, WITHOUT ROWID;

    -- The user's data. `position_number` grows with every position written: the highest is the last one,
    -- whatever the clock says.
    CREATE TABLE statuses (
      episode_id INTEGER PRIMARY KEY REFERENCES episodes (id) ON DELETE CASCADE,
      last_listen_time INTEGER CHECK (last_listen_time >= 0),
      position_number INTEGER NOT NULL DEFAULT 0,
      last_played_at INTEGER,
      has_completed INTEGER NOT NULL DEFAULT 0 CHECK (has_completed IN (0, 1)),
      is_currently_playing INTEGER NOT NULL DEFAULT 0 CHECK (is_currently_playing IN (0, 1)),
      is_favourite INTEGER NOT NULL DEFAULT 0 CHECK (is_favourite IN (0, 1))
    ) STRICT;
    CREATE UNIQUE INDEX statuses_current ON statuses (is_currently_playing) WHERE is_currently_playing = 1;
    CREATE INDEX statuses_unfinished ON statuses (last_played_at) WHERE last_listen_time IS NOT NULL;
    CREATE INDEX statuses_by_time ON statuses (last_played_at) WHERE last_played_at IS NOT NULL;
    CREATE INDEX statuses_favourite ON statuses (is_favourite) WHERE is_favourite = 1;

    -- The media file on this machine. `ranges` lists the bytes it has, as `0-4095,8192-9000`.
    CREATE TABLE media (
      episode_id INTEGER PRIMARY KEY REFERENCES episodes (id) ON DELETE CASCADE,
      state TEXT NOT NULL CHECK (state IN ('pending', 'downloading', 'paused', 'failed', 'complete')),
      is_kept INTEGER NOT NULL DEFAULT 0 CHECK (is_kept IN (0, 1)),
      path TEXT,
      received INTEGER NOT NULL DEFAULT 0,
      total INTEGER,
      source_url TEXT,
      rendition TEXT,
      etag TEXT,
      last_modified TEXT,
      ranges TEXT,
      attempts INTEGER NOT NULL DEFAULT 0,
      error TEXT,
      loudness REAL,
      requested_at INTEGER,
      completed_at INTEGER,
      last_used_at INTEGER
    ) STRICT;
    CREATE INDEX media_by_state ON media (state, requested_at, episode_id);
    CREATE INDEX media_least_used ON media (last_used_at) WHERE is_kept = 0;

    CREATE TABLE queue (
      place INTEGER PRIMARY KEY,
      episode_id INTEGER NOT NULL UNIQUE REFERENCES episodes (id) ON DELETE CASCADE
    ) STRICT;

    CREATE TABLE bookmarks (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      episode_id INTEGER NOT NULL REFERENCES episodes (id) ON DELETE CASCADE,
      position INTEGER NOT NULL CHECK (position >= 0),
      note TEXT,
      created_at INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX bookmarks_of_episode ON bookmarks (episode_id, position);

    -- Ranges to skip the next time.
    CREATE TABLE skips (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      episode_id INTEGER NOT NULL REFERENCES episodes (id) ON DELETE CASCADE,
      start INTEGER NOT NULL CHECK (start >= 0),
      end INTEGER NOT NULL CHECK (end > start)
    ) STRICT;
    CREATE INDEX skips_of_episode ON skips (episode_id, start);

    CREATE TABLE sessions (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      episode_id INTEGER NOT NULL REFERENCES episodes (id) ON DELETE CASCADE,
      started_at INTEGER NOT NULL,
      ended_at INTEGER,
      start_position INTEGER NOT NULL,
      end_position INTEGER NOT NULL,
      listened INTEGER NOT NULL DEFAULT 0,
      saved_by_speed INTEGER NOT NULL DEFAULT 0,
      saved_by_trim INTEGER NOT NULL DEFAULT 0
    ) STRICT;
    CREATE INDEX sessions_by_time ON sessions (started_at);
    CREATE INDEX sessions_of_episode ON sessions (episode_id, started_at);

    CREATE TABLE chapters (
      episode_id INTEGER NOT NULL REFERENCES episodes (id) ON DELETE CASCADE,
      place INTEGER NOT NULL,
      start INTEGER NOT NULL,
      end INTEGER,
      title TEXT NOT NULL,
      link TEXT,
      image TEXT,
      is_listed INTEGER NOT NULL DEFAULT 1 CHECK (is_listed IN (0, 1)),
      PRIMARY KEY (episode_id, place)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE transcripts (
      episode_id INTEGER NOT NULL REFERENCES episodes (id) ON DELETE CASCADE,
      place INTEGER NOT NULL,
      start INTEGER,
      end INTEGER,
      speaker TEXT,
      text TEXT NOT NULL,
      PRIMARY KEY (episode_id, place)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE undo_log (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      done_at INTEGER NOT NULL,
      action TEXT NOT NULL,
      subject TEXT NOT NULL,
      count INTEGER NOT NULL
    ) STRICT;
    CREATE TABLE undo_steps (
      entry_id INTEGER NOT NULL REFERENCES undo_log (id) ON DELETE CASCADE,
      place INTEGER NOT NULL,
      kind TEXT NOT NULL,
      subject INTEGER NOT NULL,
      name TEXT,
      value TEXT,
      number INTEGER,
      PRIMARY KEY (entry_id, place)
    ) STRICT, WITHOUT ROWID;

    -- The plain texts in the full-text index. Episodes in `search_queue` have yet to be indexed.
    -- A schema that is not trusted may not write virtual tables from triggers, so `SearchIndex` does.
    CREATE TABLE search_texts (
      id INTEGER PRIMARY KEY REFERENCES episodes (id) ON DELETE CASCADE,
      title TEXT NOT NULL,
      notes TEXT NOT NULL DEFAULT '',
      chapters TEXT NOT NULL DEFAULT '',
      transcript TEXT NOT NULL DEFAULT ''
    ) STRICT;
    CREATE TABLE search_queue (
      episode_id INTEGER PRIMARY KEY REFERENCES episodes (id) ON DELETE CASCADE
    ) STRICT;
    CREATE VIRTUAL TABLE search USING fts5 (
      title, notes, chapters, transcript, content='search_texts', content_rowid='id',
      tokenize='unicode61 remove_diacritics 2', prefix='2'
    );
    -- Pages of the index as large as those of the library, and parts of it joined later, make indexing twice as fast.
    INSERT INTO search (search, rank) VALUES ('pgsz', 4050), ('automerge', 8);
    CREATE VIRTUAL TABLE podcast_search USING fts5 (
      title, author, tokenize='unicode61 remove_diacritics 2'
    );
    """
}
