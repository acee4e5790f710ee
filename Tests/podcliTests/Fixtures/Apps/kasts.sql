PRAGMA user_version = 15;
PRAGMA journal_mode = WAL;
CREATE TABLE Feeds (
  feeduid INTEGER PRIMARY KEY, name TEXT, url TEXT, image TEXT, link TEXT, description TEXT, subscribed INTEGER,
  lastUpdated INTEGER, new BOOL, notify BOOL, dirname TEXT);
CREATE TABLE Entries (
  entryuid INTEGER PRIMARY KEY, feeduid INTEGER, id TEXT, title TEXT, content TEXT, created INTEGER, updated INTEGER,
  link TEXT, read BOOL, new BOOL, hasEnclosure BOOL, image TEXT, favorite BOOL DEFAULT 0);
CREATE TABLE Enclosures (
  enclosureuid INTEGER PRIMARY KEY, entryuid INTEGER, feeduid INTEGER, duration INTEGER, size INTEGER, title TEXT,
  type TEXT, url TEXT, playposition INTEGER, downloaded BOOL);
CREATE TABLE Queue (queueid INTEGER PRIMARY KEY, listnr INTEGER, feeduid INTEGER, entryuid INTEGER, playing BOOL);
INSERT INTO Feeds (feeduid, name, url, subscribed) SELECT id, title, url, 1700000000 FROM p;
INSERT INTO Entries (entryuid, feeduid, id, title, created, read, favorite)
SELECT id, p, guid, title, published, done, favourite FROM s;
INSERT INTO Enclosures (entryuid, feeduid, duration, url, playposition)
SELECT id, p, length, media, position * 1000 FROM s;
INSERT INTO Queue (listnr, feeduid, entryuid, playing) SELECT queue, p, id, 0 FROM s WHERE queue;
