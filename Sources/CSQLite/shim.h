#ifndef PODCLI_CSQLITE_H
#define PODCLI_CSQLITE_H

#include <sqlite3.h>

// A C macro with a cast in it, which Swift cannot see: SQLite copies what is bound.
static inline sqlite3_destructor_type podcli_sqlite_transient(void) { return SQLITE_TRANSIENT; }

// A variadic function, which Swift cannot call.
static inline int podcli_sqlite_config_int(sqlite3 *db, int option, int value) {
  return sqlite3_db_config(db, option, value, (int *)0);
}

// Counting every allocation takes a lock for each, and nobody asks for the sums. Before the first connection only.
static inline void podcli_sqlite_prepare(void) { sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0); }

#endif
