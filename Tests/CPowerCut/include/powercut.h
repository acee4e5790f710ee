#ifndef PODCLI_POWERCUT_H
#define PODCLI_POWERCUT_H

#include <stddef.h>
#include <stdint.h>

// Records writes, changes of length and syncs of files, in order. In the program that links it, it replaces the C library's
// functions of these names, for SQLite's calls too.

enum powercut_kind { POWERCUT_WRITE, POWERCUT_TRUNCATE, POWERCUT_SYNC, POWERCUT_NOTE };

struct powercut_event {
  enum powercut_kind kind;
  // The index in the list of recorded files; for a note its number.
  int64_t file;
  int64_t offset;
  size_t length;
  const uint8_t *bytes;
};

// Records files in `directory` whose names do not end in `-shm`, which is memory that a crash loses anyway.
void powercut_start(const char *directory);
void powercut_note(int64_t number, int64_t value);
size_t powercut_count(void);
struct powercut_event powercut_at(size_t index);
size_t powercut_files(void);
const char *powercut_file(size_t index);
void powercut_stop(void);

#endif
