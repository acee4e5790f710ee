-- Two podcasts, and what was done with their episodes. ALPHA and BETA are the feeds' addresses, MEDIA the folder of the
-- media files. beta-9 is no longer in its feed.
CREATE TEMP TABLE p (id, url, title);
INSERT INTO p VALUES (1, 'ALPHA', 'Alpha'), (2, 'BETA', 'Beta');
CREATE TEMP TABLE e (id, p, n, position, done, at, favourite, queue);
INSERT INTO e VALUES
  (1, 1, 1, 0, 1, 1710000001, 0, NULL),
  (2, 1, 2, 301, 0, 1710000002, 0, NULL),
  (3, 1, 3, 0, 0, NULL, 1, NULL),
  (4, 1, 4, 61, 0, 1710000004, 0, 2),
  (5, 1, 5, 0, 0, NULL, 0, NULL),
  (6, 1, 6, 0, 0, NULL, 0, NULL),
  (11, 2, 1, 0, 0, NULL, 0, 1),
  (12, 2, 2, 0, 1, NULL, 0, NULL),
  (13, 2, 3, 0, 0, NULL, 0, NULL),
  (19, 2, 9, 0, 1, 1710000009, 0, NULL);
CREATE TEMP VIEW s AS SELECT e.*, p.url AS feed, p.title AS podcast, 'Episode ' || n AS title,
  lower(p.title) || '-' || n AS guid, 'MEDIA/' || lower(p.title) || '/' || n || '.wav' AS media,
  1704110400 + (n - 1) * 86400 AS published, 600 AS length
FROM e JOIN p ON p.id = e.p;
