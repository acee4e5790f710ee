CREATE TABLE version (id INTEGER PRIMARY KEY NOT NULL, version INTEGER NOT NULL DEFAULT 1);
INSERT INTO version VALUES (1, 8);
CREATE TABLE podcast (
  id INTEGER PRIMARY KEY NOT NULL, title TEXT NOT NULL DEFAULT '', url TEXT NOT NULL DEFAULT '',
  link TEXT NOT NULL DEFAULT '', description TEXT NOT NULL DEFAULT '', cover_url TEXT NULL DEFAULT NULL,
  auth_username TEXT NULL DEFAULT NULL, auth_password TEXT NULL DEFAULT NULL, http_last_modified TEXT NULL DEFAULT NULL,
  http_etag TEXT NULL DEFAULT NULL, auto_archive_episodes INTEGER NOT NULL DEFAULT 0,
  download_folder TEXT NOT NULL DEFAULT '', pause_subscription INTEGER NOT NULL DEFAULT 0,
  section TEXT NOT NULL DEFAULT '', payment_url TEXT NULL DEFAULT NULL, download_strategy INTEGER NOT NULL DEFAULT 0,
  sync_to_mp3_player INTEGER NOT NULL DEFAULT 1, cover_thumb BLOB NULL DEFAULT NULL);
CREATE TABLE episode (
  id INTEGER PRIMARY KEY NOT NULL, podcast_id INTEGER NOT NULL, title TEXT NOT NULL DEFAULT '',
  description TEXT NOT NULL DEFAULT '', url TEXT NOT NULL, published INTEGER NOT NULL DEFAULT 0, guid TEXT NOT NULL,
  link TEXT NOT NULL DEFAULT '', file_size INTEGER NOT NULL DEFAULT 0, mime_type TEXT NOT NULL DEFAULT '',
  state INTEGER NOT NULL DEFAULT 0, is_new INTEGER NOT NULL DEFAULT 0, archive INTEGER NOT NULL DEFAULT 0,
  download_filename TEXT NULL DEFAULT NULL, total_time INTEGER NOT NULL DEFAULT 0,
  current_position INTEGER NOT NULL DEFAULT 0, current_position_updated INTEGER NOT NULL DEFAULT 0,
  last_playback INTEGER NOT NULL DEFAULT 0, payment_url TEXT NULL DEFAULT NULL,
  description_html TEXT NOT NULL DEFAULT '', episode_art_url TEXT NULL DEFAULT NULL, chapters TEXT NULL DEFAULT NULL);
INSERT INTO podcast (id, title, url, section) SELECT id, title, url, 'Audio' FROM p;
UPDATE podcast SET auth_username = 'me', auth_password = 'hunter2' WHERE id = 2;
-- Playing clears is_new, and an episode that was heard stays at its end.
INSERT INTO episode (id, podcast_id, title, url, published, guid, link, is_new, archive, total_time, current_position,
  current_position_updated, last_playback)
SELECT id, p, title, media, published, guid, '', NOT done AND position = 0, favourite, length,
  CASE WHEN done AND at IS NOT NULL THEN length ELSE position END, coalesce(at, 0), coalesce(at, 0) FROM s;
