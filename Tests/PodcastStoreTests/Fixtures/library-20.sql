PRAGMA application_id = 1886348387;
PRAGMA user_version = 20;
PRAGMA foreign_keys=OFF;
BEGIN TRANSACTION;
CREATE TABLE migrations (
  number INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  applied_at INTEGER NOT NULL
) STRICT;
INSERT INTO migrations VALUES(1,'a library',1795243474);
INSERT INTO migrations VALUES(2,'downloads that nobody asked for by hand',1795243474);
INSERT INTO migrations VALUES(3,'places that are only guessed',1795243474);
INSERT INTO migrations VALUES(4,'transcripts tied to what is heard',1795243474);
INSERT INTO migrations VALUES(5,'lengths of media files',1795243474);
INSERT INTO migrations VALUES(6,'records that wait for their episodes',1795243475);
INSERT INTO migrations VALUES(7,'registers that machines share',1795243475);
INSERT INTO migrations VALUES(8,'what media files sound like',1795243475);
INSERT INTO migrations VALUES(9,'bytes of exact positions',1795243476);
INSERT INTO migrations VALUES(10,'sync with a server',1795243476);
INSERT INTO migrations VALUES(11,'transcripts that are made here',1795243476);
INSERT INTO migrations VALUES(12,'times of words',1795402598);
INSERT INTO migrations VALUES(13,'one copy of each text',1795402598);
INSERT INTO migrations VALUES(14,'marks in renditions that are gone',1795399200);
INSERT INTO migrations VALUES(15,'what episodes share',1795417200);
INSERT INTO migrations VALUES(16,'chapters of media files',1795640400);
INSERT INTO migrations VALUES(17,'equal channels',1795714500);
INSERT INTO migrations VALUES(18,'words of scripts without blanks',1795997778);
INSERT INTO migrations VALUES(19,'Latin letters that are typed as others',1796012345);
INSERT INTO migrations VALUES(20,'where chapters and transcripts came from',1796083200);
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
INSERT INTO podcasts VALUES(1,'https://example.org/feed','Café crème',NULL,NULL,NULL,NULL,NULL,NULL,NULL,0,1,1795243474,NULL,1586088612569453110);
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
INSERT INTO podcast_details VALUES(1,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
CREATE TABLE fundings (
  podcast_id INTEGER NOT NULL REFERENCES podcasts (id) ON DELETE CASCADE,
  place INTEGER NOT NULL,
  url TEXT NOT NULL,
  text TEXT,
  PRIMARY KEY (podcast_id, place)
) STRICT, WITHOUT ROWID;
CREATE TABLE counters (
  podcast_id INTEGER PRIMARY KEY REFERENCES podcasts (id) ON DELETE CASCADE,
  episodes INTEGER NOT NULL DEFAULT 0,
  unplayed INTEGER NOT NULL DEFAULT 0,
  downloaded INTEGER NOT NULL DEFAULT 0,
  newest_at INTEGER
) STRICT;
INSERT INTO counters VALUES(1,3,2,0,1700172800);
CREATE TABLE addresses (
  url TEXT PRIMARY KEY,
  podcast_id INTEGER NOT NULL REFERENCES podcasts (id) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
INSERT INTO addresses VALUES('https://example.org/feed',1);
CREATE TABLE feeds (
  podcast_id INTEGER PRIMARY KEY REFERENCES podcasts (id) ON DELETE CASCADE,
  etag TEXT,
  last_modified TEXT,
  document_hash INTEGER,
  checked_at INTEGER,
  succeeded_at INTEGER,
  changed_at INTEGER,
  next_check_at INTEGER,
  failures INTEGER NOT NULL DEFAULT 0,
  error_code TEXT,
  error TEXT,
  is_gone INTEGER NOT NULL DEFAULT 0 CHECK (is_gone IN (0, 1)),
  minutes_between INTEGER
) STRICT;
INSERT INTO feeds VALUES(1,NULL,NULL,NULL,1795243474,1795243474,1795243474,NULL,0,NULL,NULL,0,NULL);
CREATE TABLE left_work (
  podcast_id INTEGER PRIMARY KEY REFERENCES podcasts (id) ON DELETE CASCADE,
  kind TEXT NOT NULL CHECK (kind IN ('listing', 'forgetting'))
) STRICT;
CREATE TABLE tags (
  podcast_id INTEGER NOT NULL REFERENCES podcasts (id) ON DELETE CASCADE,
  tag TEXT NOT NULL COLLATE NOCASE,
  PRIMARY KEY (podcast_id, tag)
) STRICT, WITHOUT ROWID;
INSERT INTO tags VALUES(1,'news');
CREATE TABLE settings (
  podcast_id INTEGER NOT NULL REFERENCES podcasts (id) ON DELETE CASCADE,
  key TEXT NOT NULL,
  value TEXT NOT NULL,
  PRIMARY KEY (podcast_id, key)
) STRICT, WITHOUT ROWID;
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
INSERT INTO episodes VALUES(1,1,1700000000,1,0,0,0,NULL,1700000000,1800000,NULL,NULL,NULL,NULL,'guid-0',0,'Episode 0',NULL,NULL,'https://example.org/0.mp3','audio/mpeg',10000000,-7494679498968795636,-8582511529328565718,1795243474);
INSERT INTO episodes VALUES(2,1,1700086400,1,1,0,0,NULL,1700086400,1801000,NULL,NULL,NULL,NULL,'guid-1',0,'Episode 1',NULL,NULL,'https://example.org/1.mp3','audio/mpeg',10000001,-5204634916162044258,-5660196936490414049,1795243474);
INSERT INTO episodes VALUES(3,1,1700172800,1,0,0,1,NULL,1700172800,1802000,NULL,NULL,NULL,NULL,'guid-2',0,'Episode 2',NULL,NULL,'https://example.org/2.mp3','audio/mpeg',10000002,-251786511463819656,-9078972685191330755,1795243474);
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
INSERT INTO episode_details VALUES(1,'<p>All about topic0 &amp; more</p>',NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO episode_details VALUES(2,'<p>All about topic1 &amp; more</p>',NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO episode_details VALUES(3,'<p>All about topic2 &amp; more</p>',NULL,NULL,NULL,NULL,NULL,NULL);
CREATE TABLE transcript_links (
  episode_id INTEGER NOT NULL REFERENCES episodes (id) ON DELETE CASCADE,
  place INTEGER NOT NULL,
  url TEXT NOT NULL,
  type TEXT,
  language TEXT,
  relation TEXT,
  PRIMARY KEY (episode_id, place)
) STRICT, WITHOUT ROWID;
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
CREATE TABLE statuses (
  episode_id INTEGER PRIMARY KEY REFERENCES episodes (id) ON DELETE CASCADE,
  last_listen_time INTEGER CHECK (last_listen_time >= 0),
  position_number INTEGER NOT NULL DEFAULT 0,
  last_played_at INTEGER,
  has_completed INTEGER NOT NULL DEFAULT 0 CHECK (has_completed IN (0, 1)),
  is_currently_playing INTEGER NOT NULL DEFAULT 0 CHECK (is_currently_playing IN (0, 1)),
  is_favourite INTEGER NOT NULL DEFAULT 0 CHECK (is_favourite IN (0, 1)), media_duration INTEGER CHECK (media_duration >= 0)
) STRICT;
INSERT INTO statuses VALUES(1,NULL,0,NULL,0,0,1,NULL);
INSERT INTO statuses VALUES(2,NULL,0,1795243474,1,0,0,1801000);
INSERT INTO statuses VALUES(3,61000,1,1795243474,0,1,0,NULL);
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
  last_used_at INTEGER, is_automatic INTEGER NOT NULL DEFAULT 0 CHECK (is_automatic IN (0, 1))) STRICT;
CREATE TABLE guessed_places (
  episode_id INTEGER PRIMARY KEY REFERENCES episodes (id) ON DELETE CASCADE,
  position INTEGER NOT NULL,
  byte INTEGER NOT NULL
, file_size INTEGER NOT NULL DEFAULT 0, is_exact INTEGER NOT NULL DEFAULT 0 CHECK (is_exact IN (0, 1))) STRICT;
CREATE TABLE parked_records (
  id INTEGER PRIMARY KEY,
  import_number INTEGER NOT NULL,
  feed TEXT NOT NULL,
  record TEXT NOT NULL,
  UNIQUE (feed, record)
) STRICT;
INSERT INTO parked_records VALUES(1,1,'example.org/later','{"guid":"later-1","played":true}');
CREATE TABLE soundings (
  episode_id INTEGER PRIMARY KEY REFERENCES episodes (id) ON DELETE CASCADE,
  file TEXT NOT NULL,
  format INTEGER NOT NULL,
  is_complete INTEGER NOT NULL CHECK (is_complete IN (0, 1)),
  measured_at INTEGER NOT NULL,
  loudness REAL,
  peak REAL,
  data BLOB
, has_equal_channels INTEGER CHECK (has_equal_channels IN (0, 1))) STRICT;
INSERT INTO soundings VALUES(1,'5-abc',1,1,1795243475,-18.5,-1.0,X'00',1);
CREATE TABLE queue (
  place INTEGER PRIMARY KEY,
  episode_id INTEGER NOT NULL UNIQUE REFERENCES episodes (id) ON DELETE CASCADE
) STRICT;
INSERT INTO queue VALUES(1,1);
CREATE TABLE bookmarks (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  episode_id INTEGER NOT NULL REFERENCES episodes (id) ON DELETE CASCADE,
  position INTEGER NOT NULL CHECK (position >= 0),
  note TEXT,
  created_at INTEGER NOT NULL
) STRICT;
INSERT INTO bookmarks VALUES(1,3,5000,'here',1795243474);
CREATE TABLE skips (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  episode_id INTEGER NOT NULL REFERENCES episodes (id) ON DELETE CASCADE,
  start INTEGER NOT NULL CHECK (start >= 0),
  end INTEGER NOT NULL CHECK (end > start)
) STRICT;
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
CREATE TABLE chapters (
  episode_id INTEGER NOT NULL REFERENCES episodes (id) ON DELETE CASCADE,
  place INTEGER NOT NULL,
  start INTEGER NOT NULL,
  end INTEGER,
  title TEXT NOT NULL,
  link TEXT,
  image TEXT,
  is_listed INTEGER NOT NULL DEFAULT 1 CHECK (is_listed IN (0, 1)), is_embedded INTEGER NOT NULL DEFAULT 0 CHECK (is_embedded IN (0, 1)),
  PRIMARY KEY (episode_id, place)
) STRICT, WITHOUT ROWID;
CREATE TABLE transcripts (
  episode_id INTEGER NOT NULL REFERENCES episodes (id) ON DELETE CASCADE,
  place INTEGER NOT NULL,
  start INTEGER,
  end INTEGER,
  speaker TEXT,
  text TEXT NOT NULL, words TEXT,
  PRIMARY KEY (episode_id, place)
) STRICT, WITHOUT ROWID;
INSERT INTO transcripts VALUES(3,0,1000,NULL,NULL,'said','0');
CREATE TABLE undo_log (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  done_at INTEGER NOT NULL,
  action TEXT NOT NULL,
  subject TEXT NOT NULL,
  count INTEGER NOT NULL
) STRICT;
INSERT INTO undo_log VALUES(1,1795243474,'markedFavourite','Episode 0',1);
INSERT INTO undo_log VALUES(2,1795243474,'queueAdded','',1);
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
INSERT INTO undo_steps VALUES(1,0,'status',1,'is_favourite','0',NULL);
INSERT INTO undo_steps VALUES(2,0,'queue',0,NULL,NULL,NULL);
CREATE TABLE IF NOT EXISTS "search_copies" (
  id INTEGER PRIMARY KEY REFERENCES episodes (id) ON DELETE CASCADE,
  title TEXT NOT NULL,
  notes TEXT NOT NULL DEFAULT '',
  chapters TEXT NOT NULL DEFAULT '',
  transcript TEXT NOT NULL DEFAULT ''
) STRICT;
CREATE TABLE search_queue (
  episode_id INTEGER PRIMARY KEY REFERENCES episodes (id) ON DELETE CASCADE
) STRICT;
CREATE TABLE server_feeds (
  url TEXT PRIMARY KEY,
  alias TEXT,
  podcast_id INTEGER REFERENCES podcasts (id) ON DELETE SET NULL,
  state TEXT NOT NULL CHECK (state IN ('listed', 'removed', 'refused', 'waiting')),
  tried_at INTEGER
) STRICT, WITHOUT ROWID;
INSERT INTO server_feeds VALUES('https://example.org/feed',NULL,1,'listed',NULL);
CREATE TABLE server_told (
  episode_id INTEGER PRIMARY KEY REFERENCES episodes (id) ON DELETE CASCADE,
  stamp INTEGER NOT NULL,
  state INTEGER NOT NULL,
  tries INTEGER NOT NULL
) STRICT;
INSERT INTO server_told VALUES(3,1795243000,61,0);
CREATE TABLE transcriptions (
  episode_id INTEGER PRIMARY KEY REFERENCES episodes (id) ON DELETE CASCADE,
  state TEXT NOT NULL CHECK (state IN ('waiting', 'failed', 'done')),
  changed_at INTEGER NOT NULL
) STRICT;
INSERT INTO transcriptions VALUES(2,'waiting',1795243476);
CREATE TABLE former_renditions (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  episode_id INTEGER NOT NULL REFERENCES episodes (id) ON DELETE CASCADE,
  size INTEGER,
  etag TEXT,
  last_modified TEXT,
  frames BLOB,
  sound BLOB
) STRICT;
INSERT INTO former_renditions VALUES(1,3,4096,'"one"',NULL,X'0100',NULL);
CREATE TABLE former_marks (
  rendition_id INTEGER NOT NULL REFERENCES former_renditions (id) ON DELETE CASCADE,
  kind TEXT NOT NULL CHECK (kind IN ('position', 'bookmark', 'skip', 'anchor')),
  item INTEGER NOT NULL,
  start INTEGER NOT NULL,
  end INTEGER,
  PRIMARY KEY (rendition_id, kind, item)
) STRICT, WITHOUT ROWID;
INSERT INTO former_marks VALUES(1,'position',3,61000,NULL);
CREATE TABLE sound_prints (
  episode_id INTEGER PRIMARY KEY REFERENCES episodes (id) ON DELETE CASCADE,
  file TEXT NOT NULL,
  data BLOB NOT NULL, compared INTEGER
) STRICT;
INSERT INTO sound_prints VALUES(3,'4096-0',X'0190',2);
CREATE TABLE repeats (
  episode_id INTEGER NOT NULL REFERENCES sound_prints (episode_id) ON DELETE CASCADE,
  start INTEGER NOT NULL,
  end INTEGER NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('intro', 'outro', 'inserted')),
  found INTEGER NOT NULL,
  total INTEGER NOT NULL,
  PRIMARY KEY (episode_id, start)
) STRICT, WITHOUT ROWID;
INSERT INTO repeats VALUES(3,30000,65000,'intro',2,2);
PRAGMA writable_schema=ON;
INSERT INTO sqlite_schema(type,name,tbl_name,rootpage,sql)VALUES('table','search','search',0,'CREATE VIRTUAL TABLE search USING fts5 (
  title, notes, chapters, transcript, content=''search_texts'', content_rowid=''id'',
  tokenize=''unicode61 remove_diacritics 2'', prefix=''2''
)');
CREATE TABLE IF NOT EXISTS 'search_data'(id INTEGER PRIMARY KEY, block BLOB);
INSERT INTO search_data VALUES(1,X'03060c0001');
INSERT INTO search_data VALUES(10,X'000000030103030003010101020101030101');
INSERT INTO search_data VALUES(137438953473,X'0000006e023030010203010561626f7574010601010302026c6c01060101020107657069736f646501020201046d6f726501060101050106746f7069633001060101040003316162010601010302016c01060101020102657001020201026d6f01060101050102746f010601010404060c090c0b0d0a080709');
INSERT INTO search_data VALUES(274877906945,X'0000006e023031020203010561626f7574020601010302026c6c02060101020107657069736f646502020201046d6f726502060101050106746f7069633102060101040003316162020601010302016c02060101020102657002020201026d6f02060101050102746f020601010404060c090c0b0d0a080709');
INSERT INTO search_data VALUES(412316860417,X'00000082023032030203010561626f7574030601010302026c6c03060101020107657069736f646503020201046d6f7265030601010501047361696403060103020106746f7069633203060101040003316162030601010302016c03060101020102657003020201026d6f03060101050102736103060103020102746f030601010404060c090c0b0b0d0a08070909');
CREATE TABLE IF NOT EXISTS 'search_idx'(segid, term, pgno, PRIMARY KEY(segid, term)) WITHOUT ROWID;
INSERT INTO search_idx VALUES(1,X'',2);
INSERT INTO search_idx VALUES(2,X'',2);
INSERT INTO search_idx VALUES(3,X'',2);
CREATE TABLE IF NOT EXISTS 'search_docsize'(id INTEGER PRIMARY KEY, sz BLOB);
INSERT INTO search_docsize VALUES(1,X'02040000');
INSERT INTO search_docsize VALUES(2,X'02040000');
INSERT INTO search_docsize VALUES(3,X'02040001');
CREATE TABLE IF NOT EXISTS 'search_config'(k PRIMARY KEY, v) WITHOUT ROWID;
INSERT INTO search_config VALUES('automerge',0);
INSERT INTO search_config VALUES('crisismerge',1000);
INSERT INTO search_config VALUES('usermerge',8);
INSERT INTO search_config VALUES('version',4);
CREATE TABLE transcript_anchors (
  episode_id INTEGER NOT NULL REFERENCES episodes (id) ON DELETE CASCADE,
  said INTEGER NOT NULL,
  heard INTEGER NOT NULL,
  PRIMARY KEY (episode_id, said)
) STRICT, WITHOUT ROWID;
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
INSERT INTO sync_state VALUES('changed','1');
INSERT INTO sqlite_schema(type,name,tbl_name,rootpage,sql)VALUES('table','podcast_search_words','podcast_search_words',0,'CREATE VIRTUAL TABLE podcast_search_words USING fts5 (
  title, author, tokenize=''unicode61 remove_diacritics 2''
)');
CREATE TABLE IF NOT EXISTS 'podcast_search_words_data'(id INTEGER PRIMARY KEY, block BLOB);
INSERT INTO podcast_search_words_data VALUES(1,X'010200');
INSERT INTO podcast_search_words_data VALUES(10,X'000000000101010001010101');
INSERT INTO podcast_search_words_data VALUES(137438953473,X'00000016053063616665010202020472656d650102030409');
CREATE TABLE IF NOT EXISTS 'podcast_search_words_idx'(segid, term, pgno, PRIMARY KEY(segid, term)) WITHOUT ROWID;
INSERT INTO podcast_search_words_idx VALUES(1,X'',2);
CREATE TABLE IF NOT EXISTS 'podcast_search_words_content'(id INTEGER PRIMARY KEY, c0, c1);
INSERT INTO podcast_search_words_content VALUES(1,'Café crème',NULL);
CREATE TABLE IF NOT EXISTS 'podcast_search_words_docsize'(id INTEGER PRIMARY KEY, sz BLOB);
INSERT INTO podcast_search_words_docsize VALUES(1,X'0200');
CREATE TABLE IF NOT EXISTS 'podcast_search_words_config'(k PRIMARY KEY, v) WITHOUT ROWID;
INSERT INTO podcast_search_words_config VALUES('version',4);
DELETE FROM sqlite_sequence;
INSERT INTO sqlite_sequence VALUES('podcasts',1);
INSERT INTO sqlite_sequence VALUES('episodes',3);
INSERT INTO sqlite_sequence VALUES('undo_log',2);
INSERT INTO sqlite_sequence VALUES('bookmarks',1);
INSERT INTO sqlite_sequence VALUES('former_renditions',1);
CREATE INDEX sync_unwritten ON sync_registers (kind, entity) WHERE holder IS NULL;
CREATE INDEX sync_unapplied ON sync_registers (kind, entity) WHERE is_applied = 0;
CREATE INDEX sync_by_name ON sync_registers (name, entity);
CREATE INDEX parked_by_import ON parked_records (import_number);
CREATE INDEX addresses_of_podcast ON addresses (podcast_id);
CREATE INDEX feeds_due ON feeds (next_check_at);
CREATE INDEX tags_by_name ON tags (tag, podcast_id);
CREATE UNIQUE INDEX episodes_identity ON episodes (podcast_id, guid, twin);
CREATE INDEX episodes_of_podcast ON episodes (podcast_id, listed_at, id);
CREATE INDEX episodes_by_enclosure ON episodes (podcast_id, enclosure_hash);
CREATE INDEX playlist ON episodes (listed_at, id, podcast_id, is_played, duration, season) WHERE is_listed = 1;
CREATE INDEX playlist_played ON episodes (listed_at, id) WHERE is_listed = 1 AND is_played = 1;
CREATE INDEX playlist_new ON episodes (listed_at, id) WHERE is_listed = 1 AND is_new = 1;
CREATE INDEX playlist_transcribed ON episodes (listed_at, id) WHERE is_listed = 1 AND has_transcript = 1;
CREATE INDEX playlist_chaptered ON episodes (listed_at, id) WHERE is_listed = 1 AND chapter_count > 0;
CREATE UNIQUE INDEX statuses_current ON statuses (is_currently_playing) WHERE is_currently_playing = 1;
CREATE INDEX statuses_unfinished ON statuses (last_played_at) WHERE last_listen_time IS NOT NULL;
CREATE INDEX statuses_by_time ON statuses (last_played_at) WHERE last_played_at IS NOT NULL;
CREATE INDEX statuses_favourite ON statuses (is_favourite) WHERE is_favourite = 1;
CREATE INDEX media_by_state ON media (state, requested_at, episode_id);
CREATE INDEX media_least_used ON media (last_used_at) WHERE is_kept = 0;
CREATE INDEX media_here ON media (requested_at, episode_id) WHERE path IS NOT NULL;
CREATE INDEX bookmarks_of_episode ON bookmarks (episode_id, position);
CREATE INDEX skips_of_episode ON skips (episode_id, start);
CREATE INDEX sessions_by_time ON sessions (started_at);
CREATE INDEX sessions_of_episode ON sessions (episode_id, started_at);
CREATE INDEX server_feeds_of_podcast ON server_feeds (podcast_id);
CREATE INDEX former_renditions_of_episode ON former_renditions (episode_id);
CREATE INDEX transcriptions_open ON transcriptions (changed_at, episode_id) WHERE state <> 'done';
CREATE TABLE document_sources (
  episode_id INTEGER NOT NULL REFERENCES episodes (id) ON DELETE CASCADE,
  kind TEXT NOT NULL CHECK (kind IN ('chapters', 'transcript')),
  url TEXT NOT NULL,
  PRIMARY KEY (episode_id, kind)
) STRICT, WITHOUT ROWID;
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
PRAGMA writable_schema=OFF;
COMMIT;
