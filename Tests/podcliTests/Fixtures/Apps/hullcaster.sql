CREATE TABLE params (id INTEGER PRIMARY KEY NOT NULL, version TEXT NOT NULL);
CREATE TABLE podcasts (
  id INTEGER PRIMARY KEY NOT NULL, title TEXT NOT NULL, url TEXT NOT NULL UNIQUE, description TEXT, author TEXT,
  explicit INTEGER, last_checked INTEGER);
CREATE TABLE episodes (
  id INTEGER PRIMARY KEY NOT NULL, podcast_id INTEGER NOT NULL, title TEXT NOT NULL, url TEXT NOT NULL, guid TEXT,
  description TEXT, pubdate INTEGER, duration INTEGER, position INTEGER, played INTEGER, hidden INTEGER);
CREATE TABLE queue (position INTEGER PRIMARY KEY NOT NULL, episode_id INTEGER NOT NULL);
INSERT INTO podcasts (id, title, url) SELECT id, title, url FROM p;
INSERT INTO episodes SELECT id, p, title, media, guid, '', published, length, position, done, 0 FROM s;
INSERT INTO queue SELECT queue, id FROM s WHERE queue;
