// Runs a program and prints on descriptor 3: seconds, processor seconds, peak kilobytes, exit status.
//
// The kernel counts the parent's memory at the fork to the child's peak. So this program is small.
#define _GNU_SOURCE
#include <spawn.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

static double seconds(struct timeval time) { return time.tv_sec + time.tv_usec / 1e6; }

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec + time.tv_nsec / 1e9;
}

int main(int count, char **words) {
  if (count < 2) return 2;
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addclose(&actions, 3);
  pid_t pid;
  int status;
  struct rusage usage;
  double start = now();
  if (posix_spawnp(&pid, words[1], &actions, NULL, words + 1, environ) != 0) return 127;
  if (wait4(pid, &status, 0, &usage) != pid) return 1;
  double end = now();
  int code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  dprintf(3, "%.6f %.6f %ld %d\n", end - start, seconds(usage.ru_utime) + seconds(usage.ru_stime), usage.ru_maxrss, code);
  return 0;
}
