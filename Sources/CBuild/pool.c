#include "build.h"

#include <stddef.h>
#include <stdint.h>
#include <unistd.h>

// Dispatch counts the threads of its pool in /proc and ends a process that has none; it does not count those of serial
// queues. Swift's runtime lets a process take the tasks away from the pool: `EnqueueGlobal.cpp` has the hook.
typedef struct SwiftJob SwiftJob;
typedef __attribute__((swiftcall)) void (*Enqueue)(SwiftJob *);

extern __attribute__((swiftcall)) void (*swift_task_enqueueGlobal_hook)(SwiftJob *, Enqueue);
extern __attribute__((swiftcall)) void swift_job_run(SwiftJob *, void *executor, uintptr_t implementation);
extern void *dispatch_queue_create(const char *label, void *attributes);
extern void dispatch_async_f(void *queue, void *context, void (*work)(void *));

static void *queue;

static void run(void *job) { swift_job_run(job, NULL, 0); }

static __attribute__((swiftcall)) void enqueue(SwiftJob *job, Enqueue original) {
  (void)original;
  dispatch_async_f(queue, job, run);
}

void podcli_do_without_proc(void) {
  if (access("/proc/self/stat", F_OK) == 0) return;
  queue = dispatch_queue_create("tasks", NULL);
  swift_task_enqueueGlobal_hook = enqueue;
}
