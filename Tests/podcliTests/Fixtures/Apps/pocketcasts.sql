PRAGMA user_version = 136;
PRAGMA journal_mode = WAL;
CREATE TABLE folders (uuid TEXT PRIMARY KEY NOT NULL, name TEXT NOT NULL);
CREATE TABLE podcasts (
  uuid TEXT PRIMARY KEY NOT NULL, added_date INTEGER, podcast_url TEXT, title TEXT NOT NULL, is_private INTEGER NOT NULL,
  subscribed INTEGER NOT NULL, override_global_effects INTEGER NOT NULL, playback_speed REAL NOT NULL, folder_uuid TEXT);
CREATE TABLE podcast_episodes (
  uuid TEXT PRIMARY KEY NOT NULL, published_date INTEGER NOT NULL, title TEXT NOT NULL, duration REAL NOT NULL,
  playing_status INTEGER NOT NULL, podcast_id TEXT NOT NULL, played_up_to REAL NOT NULL, starred INTEGER NOT NULL,
  archived INTEGER NOT NULL, download_url TEXT, last_playback_interaction_date INTEGER);
CREATE TABLE up_next_episodes (_id INTEGER PRIMARY KEY, episodeUuid TEXT NOT NULL, position INTEGER NOT NULL);
CREATE TABLE bookmarks (
  uuid TEXT PRIMARY KEY NOT NULL, podcast_uuid TEXT NOT NULL, episode_uuid TEXT NOT NULL, time INTEGER NOT NULL,
  created_at INTEGER NOT NULL, title TEXT NOT NULL, deleted INTEGER NOT NULL);
INSERT INTO folders VALUES ('f', 'News');
INSERT INTO podcasts SELECT 'p' || id, 1700000000000, 'https://example.org/site', title, 0, 1, 1, 1.5, 'f' FROM p;
INSERT INTO podcasts VALUES ('p9', 1700000000000, 'https://example.org', 'Without Feed', 0, 1, 0, 1, NULL);
INSERT INTO podcast_episodes
SELECT 'e' || id, published * 1000, title, length, CASE WHEN done THEN 2 WHEN position THEN 1 ELSE 0 END, 'p' || p,
  position, favourite, 1, media, at * 1000 FROM s;
INSERT INTO up_next_episodes (episodeUuid, position) SELECT 'e' || id, queue FROM s WHERE queue;
INSERT INTO bookmarks VALUES ('b1', 'p1', 'e2', 61, 1710000020000, 'listen again', 0),
  ('b2', 'p1', 'e2', 62, 1710000020000, 'deleted', 1);
