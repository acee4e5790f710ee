#define _GNU_SOURCE
#include "powercut.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdlib.h>
#include <stdio.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char directory[PATH_MAX];
static struct powercut_event *events;
static size_t count, room;
static char *files[64];
static size_t file_count;

void powercut_start(const char *path) {
  if (realpath(path, directory) == NULL) abort();
}

void powercut_stop(void) { directory[0] = 0; }

size_t powercut_count(void) { return count; }
struct powercut_event powercut_at(size_t index) { return events[index]; }
size_t powercut_files(void) { return file_count; }
const char *powercut_file(size_t index) { return files[index]; }

// The index of the recorded file of a descriptor, or -1.
static int64_t recorded(int descriptor) {
  if (directory[0] == 0) return -1;
  char link[64], path[PATH_MAX];
  snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
  ssize_t length = readlink(link, path, sizeof path - 1);
  if (length < 0) return -1;
  path[length] = 0;
  size_t prefix = strlen(directory);
  if (strncmp(path, directory, prefix) != 0 || path[prefix] != '/') return -1;
  if (length > 4 && strcmp(path + length - 4, "-shm") == 0) return -1;
  const char *name = path + prefix + 1;
  for (size_t i = 0; i < file_count; i++)
    if (strcmp(files[i], name) == 0) return (int64_t)i;
  if (file_count == 64) abort();
  files[file_count] = strdup(name);
  return (int64_t)file_count++;
}

static void record(enum powercut_kind kind, int64_t file, int64_t offset, const void *bytes, size_t length) {
  if (count == room) {
    room = room ? room * 2 : 4096;
    events = realloc(events, room * sizeof *events);
    if (events == NULL) abort();
  }
  uint8_t *copy = NULL;
  if (length > 0) {
    copy = malloc(length);
    if (copy == NULL) abort();
    memcpy(copy, bytes, length);
  }
  events[count++] = (struct powercut_event){kind, file, offset, length, copy};
}

static void record_locked(enum powercut_kind kind, int descriptor, int64_t offset, const void *bytes, size_t length) {
  pthread_mutex_lock(&lock);
  int64_t file = recorded(descriptor);
  if (file >= 0) record(kind, file, offset, bytes, length);
  pthread_mutex_unlock(&lock);
}

void powercut_note(int64_t number, int64_t value) {
  pthread_mutex_lock(&lock);
  if (directory[0] != 0) record(POWERCUT_NOTE, number, value, NULL, 0);
  pthread_mutex_unlock(&lock);
}

// The C library's own function of that name.
#define REAL(name) \
  static __typeof__(&name) real; \
  if (real == NULL) real = (__typeof__(&name))dlsym(RTLD_NEXT, #name)

ssize_t pwrite64(int descriptor, const void *bytes, size_t length, off64_t offset) {
  REAL(pwrite64);
  ssize_t written = real(descriptor, bytes, length, offset);
  if (written > 0) record_locked(POWERCUT_WRITE, descriptor, offset, bytes, (size_t)written);
  return written;
}

int ftruncate64(int descriptor, off64_t length) {
  REAL(ftruncate64);
  int result = real(descriptor, length);
  if (result == 0) record_locked(POWERCUT_TRUNCATE, descriptor, length, NULL, 0);
  return result;
}

int fdatasync(int descriptor) {
  REAL(fdatasync);
  int result = real(descriptor);
  if (result == 0) record_locked(POWERCUT_SYNC, descriptor, 0, NULL, 0);
  return result;
}

int fsync(int descriptor) {
  REAL(fsync);
  int result = real(descriptor);
  if (result == 0) record_locked(POWERCUT_SYNC, descriptor, 0, NULL, 0);
  return result;
}
