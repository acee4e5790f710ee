// The same work in C: curl, SAX and SQLite on one thread, without error handling. It writes into a library that podcli
// made, so schema and indexes are the same. It leaves out counters, persons, transcripts and the queue of the full-text
// index.
//
//   podcli-baseline URL LIBRARY

#include <curl/curl.h>
#include <libxml/parser.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { TITLE, GUID, NOTES, SUMMARY, LINK, DATE, LENGTH, FIELDS };
static const char *names[FIELDS] = {"title", "guid", "encoded", "description", "link", "pubDate", "duration"};

static sqlite3 *library;
static sqlite3_stmt *insert_episode, *insert_details;
static long podcast;
static int in_item, field = -1;
static struct { char *text; size_t length, room; } fields[FIELDS];
static char url[2048], type[128], size[32];

static void check(int code) {
  if (code == SQLITE_OK || code == SQLITE_DONE || code == SQLITE_ROW) return;
  fprintf(stderr, "%s\n", sqlite3_errmsg(library));
  exit(1);
}

static void start(void *context, const xmlChar *name, const xmlChar *prefix, const xmlChar *uri, int namespaces,
                  const xmlChar **list, int count, int defaults, const xmlChar **attributes) {
  const char *local = (const char *)name;
  field = -1;
  if (!strcmp(local, "item")) {
    in_item = 1;
    for (int index = 0; index < FIELDS; index++) fields[index].length = 0;
    url[0] = type[0] = size[0] = 0;
  } else if (in_item && !strcmp(local, "enclosure")) {
    for (int index = 0; index < count; index++, attributes += 5) {
      char *target = !strcmp((char *)attributes[0], "url") ? url : !strcmp((char *)attributes[0], "type") ? type : size;
      size_t room = target == url ? sizeof url : target == type ? sizeof type : sizeof size;
      snprintf(target, room, "%.*s", (int)(attributes[4] - attributes[3]), attributes[3]);
    }
  } else if (in_item) {
    for (int index = 0; index < FIELDS; index++)
      if (!strcmp(local, names[index])) field = index;
  }
}

static void characters(void *context, const xmlChar *bytes, int count) {
  if (field < 0) return;
  size_t needed = fields[field].length + count;
  if (needed > fields[field].room) {
    fields[field].room = needed * 2;
    fields[field].text = realloc(fields[field].text, fields[field].room);
  }
  memcpy(fields[field].text + fields[field].length, bytes, count);
  fields[field].length = needed;
}

static void text(sqlite3_stmt *statement, int index, int which) {
  sqlite3_bind_text(statement, index, fields[which].text, (int)fields[which].length, SQLITE_STATIC);
}

static void end(void *context, const xmlChar *name, const xmlChar *prefix, const xmlChar *uri) {
  field = -1;
  if (!in_item || strcmp((const char *)name, "item")) return;
  in_item = 0;
  struct tm date = {0};
  characters(NULL, NULL, 0);
  char moment[64];
  snprintf(moment, sizeof moment, "%.*s", (int)fields[DATE].length, fields[DATE].text ? fields[DATE].text : "");
  strptime(moment, "%a, %d %b %Y %H:%M:%S", &date);
  sqlite3_int64 seconds = timegm(&date);
  sqlite3_bind_int64(insert_episode, 1, podcast);
  sqlite3_bind_int64(insert_episode, 2, seconds);
  sqlite3_bind_int64(insert_episode, 3, seconds);
  sqlite3_bind_int64(insert_episode, 4, fields[LENGTH].length ? atol(fields[LENGTH].text) * 1000 : 0);
  text(insert_episode, 5, GUID);
  text(insert_episode, 6, TITLE);
  text(insert_episode, 7, LINK);
  sqlite3_bind_text(insert_episode, 8, url, -1, SQLITE_STATIC);
  sqlite3_bind_text(insert_episode, 9, type, -1, SQLITE_STATIC);
  sqlite3_bind_int64(insert_episode, 10, atol(size));
  check(sqlite3_step(insert_episode));
  sqlite3_reset(insert_episode);
  sqlite3_bind_int64(insert_details, 1, sqlite3_last_insert_rowid(library));
  text(insert_details, 2, NOTES);
  text(insert_details, 3, SUMMARY);
  check(sqlite3_step(insert_details));
  sqlite3_reset(insert_details);
}

static size_t parse(char *bytes, size_t unit, size_t count, void *parser) {
  xmlParseChunk(parser, bytes, (int)(unit * count), 0);
  return unit * count;
}

static sqlite3_stmt *prepared(const char *statement) {
  sqlite3_stmt *result;
  check(sqlite3_prepare_v2(library, statement, -1, &result, NULL));
  return result;
}

int main(int count, char **arguments) {
  if (count != 3) return 2;
  check(sqlite3_open(arguments[2], &library));
  check(sqlite3_exec(library, "PRAGMA synchronous=FULL; PRAGMA cache_size=-16000; BEGIN IMMEDIATE", NULL, NULL, NULL));
  sqlite3_stmt *insert_podcast = prepared("INSERT INTO podcasts (feed_url, title, subscribed_at) VALUES (?, 'B', 0)");
  sqlite3_bind_text(insert_podcast, 1, arguments[1], -1, SQLITE_STATIC);
  check(sqlite3_step(insert_podcast));
  sqlite3_finalize(insert_podcast);
  podcast = sqlite3_last_insert_rowid(library);
  insert_episode = prepared(
    "INSERT INTO episodes (podcast_id, listed_at, published_at, duration, guid, title, link, enclosure_url,"
    " enclosure_type, enclosure_length, content_hash, added_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0, 0)");
  insert_details = prepared("INSERT INTO episode_details (episode_id, notes, summary) VALUES (?, ?, ?)");

  xmlSAXHandler handler = {.initialized = XML_SAX2_MAGIC};
  handler.startElementNs = start;
  handler.endElementNs = end;
  handler.characters = handler.cdataBlock = characters;
  xmlParserCtxtPtr parser = xmlCreatePushParserCtxt(&handler, NULL, NULL, 0, NULL);
  xmlCtxtUseOptions(parser, XML_PARSE_NONET);
  CURL *easy = curl_easy_init();
  curl_easy_setopt(easy, CURLOPT_URL, arguments[1]);
  curl_easy_setopt(easy, CURLOPT_ACCEPT_ENCODING, "");
  curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, parse);
  curl_easy_setopt(easy, CURLOPT_WRITEDATA, parser);
  CURLcode code = curl_easy_perform(easy);
  xmlParseChunk(parser, NULL, 0, 1);
  check(sqlite3_exec(library, "COMMIT", NULL, NULL, NULL));
  sqlite3_finalize(insert_episode);
  sqlite3_finalize(insert_details);
  sqlite3_close(library);
  return code == CURLE_OK ? 0 : 1;
}
