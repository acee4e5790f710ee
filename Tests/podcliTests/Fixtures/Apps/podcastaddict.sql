CREATE TABLE podcasts (
  _id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT, custom_name TEXT, feed_url TEXT, subscribed_status INTEGER,
  login TEXT, password TEXT, private INTEGER);
CREATE TABLE episodes (
  _id INTEGER PRIMARY KEY AUTOINCREMENT, podcast_id INTEGER, guid TEXT, name TEXT, download_url TEXT,
  publication_date INTEGER, duration_ms INTEGER, position_to_resume INTEGER, seen_status INTEGER, playing_status INTEGER,
  playbackDate INTEGER, favorite INTEGER);
CREATE TABLE ordered_list (id INTEGER, type INTEGER, rank INTEGER);
CREATE TABLE tags (_id INTEGER PRIMARY KEY, name TEXT);
CREATE TABLE tag_relation (tag_id INTEGER, podcast_id INTEGER);
INSERT INTO podcasts SELECT id, title, NULL, url, 1, NULL, NULL, 0 FROM p;
INSERT INTO tags VALUES (1, 'News');
INSERT INTO tag_relation VALUES (1, 1);
INSERT INTO episodes
SELECT id, p, guid, title, media, published * 1000, length * 1000, position * 1000, done, 0,
  coalesce(at * 1000, -1), favourite FROM s;
INSERT INTO ordered_list SELECT id, 1, queue FROM s WHERE queue;
INSERT INTO ordered_list VALUES (5, 2, 1);
