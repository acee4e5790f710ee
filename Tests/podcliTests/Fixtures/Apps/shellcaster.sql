CREATE TABLE version (id INTEGER PRIMARY KEY NOT NULL, version TEXT NOT NULL);
CREATE TABLE podcasts (
  id INTEGER PRIMARY KEY NOT NULL, title TEXT NOT NULL, url TEXT NOT NULL UNIQUE, description TEXT, author TEXT,
  explicit INTEGER, last_checked INTEGER);
CREATE TABLE episodes (
  id INTEGER PRIMARY KEY NOT NULL, podcast_id INTEGER NOT NULL, title TEXT NOT NULL, url TEXT NOT NULL, guid TEXT,
  description TEXT, pubdate INTEGER, duration INTEGER, played INTEGER, hidden INTEGER);
INSERT INTO podcasts (id, title, url) SELECT id, title, url FROM p;
INSERT INTO episodes SELECT id, p, title, media, guid, '', published, length, done, done FROM s;
