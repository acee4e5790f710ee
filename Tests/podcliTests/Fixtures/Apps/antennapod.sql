PRAGMA user_version = 3110000;
CREATE TABLE Feeds (
  id INTEGER PRIMARY KEY AUTOINCREMENT, title TEXT, custom_title TEXT, file_url TEXT, download_url TEXT, link TEXT,
  type TEXT, username TEXT, password TEXT, feed_playback_speed REAL DEFAULT -1, tags TEXT,
  feed_skip_intro INTEGER DEFAULT 0, feed_skip_ending INTEGER DEFAULT 0, state INTEGER DEFAULT 0);
CREATE TABLE FeedItems (
  id INTEGER PRIMARY KEY AUTOINCREMENT, title TEXT, pubDate INTEGER, read INTEGER, link TEXT, media INTEGER,
  feed INTEGER, item_identifier TEXT);
CREATE TABLE FeedMedia (
  id INTEGER PRIMARY KEY AUTOINCREMENT, duration INTEGER, file_url TEXT, download_url TEXT, downloaded INTEGER,
  position INTEGER, filesize INTEGER, mime_type TEXT, playback_completion_date INTEGER, feeditem INTEGER,
  played_duration INTEGER, last_played_time INTEGER);
CREATE TABLE Queue (id INTEGER PRIMARY KEY, feeditem INTEGER, feed INTEGER);
CREATE TABLE Favorites (id INTEGER PRIMARY KEY AUTOINCREMENT, feeditem INTEGER, feed INTEGER);
INSERT INTO Feeds (id, title, download_url, tags) SELECT id, title, url, '#root' FROM p;
UPDATE Feeds SET custom_title = 'My Alpha', tags = '#root' || char(30) || 'News', feed_playback_speed = 1.5,
  feed_skip_intro = 30 WHERE id = 1;
INSERT INTO Feeds (id, title, download_url, state) VALUES
  (8, 'Archived', 'https://example.org/archived', 2), (9, 'Mine', 'antennapod_local:/sdcard/x', 0);
INSERT INTO FeedItems (id, title, pubDate, read, media, feed, item_identifier)
SELECT id, title, published * 1000, CASE WHEN done THEN 1 WHEN position > 0 THEN 0 ELSE -1 END, id, p, guid FROM s;
INSERT INTO FeedMedia (id, duration, download_url, position, feeditem, playback_completion_date, last_played_time)
SELECT id, length * 1000, media, position * 1000, id, 0, coalesce(at, 0) * 1000 FROM s;
INSERT INTO Queue SELECT queue, id, p FROM s WHERE queue;
INSERT INTO Favorites (feeditem, feed) SELECT id, p FROM s WHERE favourite;
