CREATE TABLE __diesel_schema_migrations (version VARCHAR(50) PRIMARY KEY NOT NULL, run_on TIMESTAMP NOT NULL);
CREATE TABLE source (
  id INTEGER PRIMARY KEY NOT NULL, uri TEXT NOT NULL UNIQUE, last_modified TEXT, http_etag TEXT);
CREATE TABLE shows (
  id INTEGER PRIMARY KEY NOT NULL, title TEXT NOT NULL, link TEXT NOT NULL, description TEXT NOT NULL, image_uri TEXT,
  source_id INTEGER NOT NULL UNIQUE);
CREATE TABLE episodes (
  id INTEGER PRIMARY KEY NOT NULL, title TEXT NOT NULL, uri TEXT, local_uri TEXT, description TEXT,
  epoch TIMESTAMP NOT NULL, length INTEGER, duration INTEGER, guid TEXT, played TIMESTAMP,
  play_position INTEGER NOT NULL DEFAULT 0, show_id INTEGER NOT NULL);
INSERT INTO source (id, uri) SELECT id, url FROM p;
INSERT INTO shows (id, title, link, description, source_id) SELECT id, title, '', '', id FROM p;
INSERT INTO episodes (id, title, uri, epoch, duration, guid, played, play_position, show_id)
SELECT id, title, media, datetime(published, 'unixepoch'), length, guid,
  CASE WHEN done THEN datetime(coalesce(at, 1710000012), 'unixepoch') END, position, p FROM s;
CREATE TABLE queue (id INTEGER PRIMARY KEY NOT NULL, episode_id INTEGER NOT NULL UNIQUE, position REAL NOT NULL);
INSERT INTO queue (episode_id, position) SELECT id, queue * 0.37 FROM s WHERE queue;
