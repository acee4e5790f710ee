PRAGMA user_version = 4;
CREATE TABLE feed (key TEXT PRIMARY KEY, title TEXT, description TEXT, link TEXT, last_build_date TEXT, copyright TEXT);
CREATE TABLE episode (
  id INTEGER PRIMARY KEY AUTOINCREMENT, title TEXT, feed_key TEXT, description TEXT, link TEXT, pubdate TEXT,
  copyright TEXT, enclosure TEXT, played BIT, FOREIGN KEY (feed_key) REFERENCES feed (key));
CREATE TABLE queue (id INTEGER PRIMARY KEY, ep_id INTEGER, FOREIGN KEY (ep_id) REFERENCES episode (id));
CREATE TABLE progress (ep_id INTEGER PRIMARY KEY, time INTEGER, FOREIGN KEY (ep_id) REFERENCES episode (id));
INSERT INTO feed (key, title) SELECT url, title FROM p;
INSERT INTO feed (key, title) VALUES ('/home/me/local.xml', 'Local');
INSERT INTO episode (id, title, feed_key, pubdate, enclosure, played)
SELECT id, title, feed, strftime('%d Jan %Y %H:%M:%S GMT', published, 'unixepoch'), media, done FROM s;
INSERT INTO queue SELECT queue, id FROM s WHERE queue;
INSERT INTO progress SELECT id, position * 1000 FROM s WHERE position;
