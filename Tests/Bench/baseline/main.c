// The same work in C: curl, SAX and SQLite on one thread, without error handling. It writes into a library that podcli
// made, so schema and indexes are the same. It leaves out counters, persons, transcripts and the queue of the full-text
// index. All feeds are one transaction; 64 are fetched at a time, and parsed as they arrive.
//
//   podcli-baseline LIBRARY URL…

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
static sqlite3_stmt *insert_podcast, *insert_episode, *insert_details;

struct feed {
  xmlParserCtxtPtr parser;
  long podcast;
  int in_item, field;
  struct { char *text; size_t length, room; } fields[FIELDS];
  char url[2048], type[128], size[32];
};

static void check(int code) {
  if (code == SQLITE_OK || code == SQLITE_DONE || code == SQLITE_ROW) return;
  fprintf(stderr, "%s\n", sqlite3_errmsg(library));
  exit(1);
}

static void start(void *context, const xmlChar *name, const xmlChar *prefix, const xmlChar *uri, int namespaces,
                  const xmlChar **list, int count, int defaults, const xmlChar **attributes) {
  struct feed *feed = context;
  const char *local = (const char *)name;
  feed->field = -1;
  if (!strcmp(local, "item")) {
    feed->in_item = 1;
    for (int index = 0; index < FIELDS; index++) feed->fields[index].length = 0;
    feed->url[0] = feed->type[0] = feed->size[0] = 0;
  } else if (feed->in_item && !strcmp(local, "enclosure")) {
    for (int index = 0; index < count; index++, attributes += 5) {
      char *target = !strcmp((char *)attributes[0], "url") ? feed->url
        : !strcmp((char *)attributes[0], "type") ? feed->type : feed->size;
      size_t room = target == feed->url ? sizeof feed->url : target == feed->type ? sizeof feed->type : sizeof feed->size;
      snprintf(target, room, "%.*s", (int)(attributes[4] - attributes[3]), attributes[3]);
    }
  } else if (feed->in_item) {
    for (int index = 0; index < FIELDS; index++)
      if (!strcmp(local, names[index])) feed->field = index;
  }
}

static void characters(void *context, const xmlChar *bytes, int count) {
  struct feed *feed = context;
  if (feed->field < 0) return;
  typeof(&feed->fields[0]) field = &feed->fields[feed->field];
  size_t needed = field->length + count;
  if (needed > field->room) {
    field->room = needed * 2;
    field->text = realloc(field->text, field->room);
  }
  memcpy(field->text + field->length, bytes, count);
  field->length = needed;
}

static void text(struct feed *feed, sqlite3_stmt *statement, int index, int which) {
  sqlite3_bind_text(statement, index, feed->fields[which].text, (int)feed->fields[which].length, SQLITE_STATIC);
}

static void end(void *context, const xmlChar *name, const xmlChar *prefix, const xmlChar *uri) {
  struct feed *feed = context;
  feed->field = -1;
  if (!feed->in_item || strcmp((const char *)name, "item")) return;
  feed->in_item = 0;
  struct tm date = {0};
  char moment[64];
  snprintf(moment, sizeof moment, "%.*s", (int)feed->fields[DATE].length,
           feed->fields[DATE].text ? feed->fields[DATE].text : "");
  strptime(moment, "%a, %d %b %Y %H:%M:%S", &date);
  sqlite3_int64 seconds = timegm(&date);
  sqlite3_bind_int64(insert_episode, 1, feed->podcast);
  sqlite3_bind_int64(insert_episode, 2, seconds);
  sqlite3_bind_int64(insert_episode, 3, seconds);
  sqlite3_bind_int64(insert_episode, 4, feed->fields[LENGTH].length ? atol(feed->fields[LENGTH].text) * 1000 : 0);
  text(feed, insert_episode, 5, GUID);
  text(feed, insert_episode, 6, TITLE);
  text(feed, insert_episode, 7, LINK);
  sqlite3_bind_text(insert_episode, 8, feed->url, -1, SQLITE_STATIC);
  sqlite3_bind_text(insert_episode, 9, feed->type, -1, SQLITE_STATIC);
  sqlite3_bind_int64(insert_episode, 10, atol(feed->size));
  check(sqlite3_step(insert_episode));
  sqlite3_reset(insert_episode);
  sqlite3_bind_int64(insert_details, 1, sqlite3_last_insert_rowid(library));
  text(feed, insert_details, 2, NOTES);
  text(feed, insert_details, 3, SUMMARY);
  check(sqlite3_step(insert_details));
  sqlite3_reset(insert_details);
}

static size_t parse(char *bytes, size_t unit, size_t count, void *feed) {
  xmlParseChunk(((struct feed *)feed)->parser, bytes, (int)(unit * count), 0);
  return unit * count;
}

static sqlite3_stmt *prepared(const char *statement) {
  sqlite3_stmt *result;
  check(sqlite3_prepare_v2(library, statement, -1, &result, NULL));
  return result;
}

static CURLM *multi;

static void begin(const char *address) {
  static xmlSAXHandler handler = {.initialized = XML_SAX2_MAGIC,
    .startElementNs = start, .endElementNs = end, .characters = characters, .cdataBlock = characters};
  struct feed *feed = calloc(1, sizeof *feed);
  feed->field = -1;
  sqlite3_bind_text(insert_podcast, 1, address, -1, SQLITE_STATIC);
  check(sqlite3_step(insert_podcast));
  sqlite3_reset(insert_podcast);
  feed->podcast = sqlite3_last_insert_rowid(library);
  feed->parser = xmlCreatePushParserCtxt(&handler, feed, NULL, 0, NULL);
  xmlCtxtUseOptions(feed->parser, XML_PARSE_NONET);
  CURL *easy = curl_easy_init();
  curl_easy_setopt(easy, CURLOPT_URL, address);
  curl_easy_setopt(easy, CURLOPT_ACCEPT_ENCODING, "");
  curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, parse);
  curl_easy_setopt(easy, CURLOPT_WRITEDATA, feed);
  curl_easy_setopt(easy, CURLOPT_PRIVATE, feed);
  curl_multi_add_handle(multi, easy);
}

// Whether it was fetched.
static int finish(CURLMsg *message) {
  struct feed *feed;
  curl_easy_getinfo(message->easy_handle, CURLINFO_PRIVATE, &feed);
  CURLcode code = message->data.result;
  xmlParseChunk(feed->parser, NULL, 0, 1);
  xmlFreeParserCtxt(feed->parser);
  for (int index = 0; index < FIELDS; index++) free(feed->fields[index].text);
  free(feed);
  curl_multi_remove_handle(multi, message->easy_handle);
  curl_easy_cleanup(message->easy_handle);
  return code == CURLE_OK;
}

int main(int count, char **arguments) {
  if (count < 3) return 2;
  check(sqlite3_open(arguments[1], &library));
  check(sqlite3_exec(library, "PRAGMA synchronous=FULL; PRAGMA cache_size=-16000; BEGIN IMMEDIATE", NULL, NULL, NULL));
  insert_podcast = prepared("INSERT INTO podcasts (feed_url, title, subscribed_at) VALUES (?, 'B', 0)");
  insert_episode = prepared(
    "INSERT INTO episodes (podcast_id, listed_at, published_at, duration, guid, title, link, enclosure_url,"
    " enclosure_type, enclosure_length, content_hash, added_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0, 0)");
  insert_details = prepared("INSERT INTO episode_details (episode_id, notes, summary) VALUES (?, ?, ?)");
  multi = curl_multi_init();
  int next = 2, running = 0, left, failed = 0;
  do {
    for (; next < count && running < 64; next++, running++) begin(arguments[next]);
    int active;
    curl_multi_perform(multi, &active);
    CURLMsg *message;
    while ((message = curl_multi_info_read(multi, &left)))
      if (message->msg == CURLMSG_DONE) running--, failed |= !finish(message);
    if (running) curl_multi_poll(multi, NULL, 0, 1000, NULL);
  } while (running || next < count);
  check(sqlite3_exec(library, "COMMIT", NULL, NULL, NULL));
  sqlite3_finalize(insert_podcast);
  sqlite3_finalize(insert_episode);
  sqlite3_finalize(insert_details);
  sqlite3_close(library);
  return failed;
}
