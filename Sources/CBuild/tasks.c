#include "build.h"
#include <stdint.h>
#include <time.h>

// The Swift runtime's hooks: each is called instead of putting a job into Dispatch's pool. Its clocks are numbered.
#define SWIFT __attribute__((swiftcall))
typedef struct { void *identity; uintptr_t implementation; } executor;
extern void (SWIFT *swift_task_enqueueGlobal_hook)(void *job, void *original);
extern void (SWIFT *swift_task_enqueueGlobalWithDelay_hook)(unsigned long long delay, void *job, void *original);
extern void (SWIFT *swift_task_enqueueGlobalWithDeadline_hook)(
    long long seconds, long long nanoseconds, long long leeway, long long leeway_nanoseconds, int clock, void *job,
    void *original);
SWIFT void swift_job_run(void *job, executor executor);
enum { continuous_clock = 1 };

static void (*take_job)(void *job, uint64_t nanoseconds);

SWIFT static void at_once(void *job, void *original) { take_job(job, 0); }

SWIFT static void later(unsigned long long delay, void *job, void *original) { take_job(job, delay); }

SWIFT static void at(
    long long seconds, long long nanoseconds, long long leeway, long long leeway_nanoseconds, int clock, void *job,
    void *original) {
  struct timespec now;
  clock_gettime(clock == continuous_clock ? CLOCK_BOOTTIME : CLOCK_MONOTONIC, &now);
  long long wait = (seconds - now.tv_sec) * 1000000000LL + nanoseconds - now.tv_nsec;
  take_job(job, wait > 0 ? wait : 0);
}

void podcli_take_jobs(void (*take)(void *job, uint64_t nanoseconds)) {
  take_job = take;
  swift_task_enqueueGlobal_hook = at_once;
  swift_task_enqueueGlobalWithDelay_hook = later;
  swift_task_enqueueGlobalWithDeadline_hook = at;
}

void podcli_run_job(void *job) { swift_job_run(job, (executor){0, 0}); }
