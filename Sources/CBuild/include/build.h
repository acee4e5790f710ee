#pragma once
#include <stdint.h>

/// The commit that a release build was made from; empty in other builds.
const char *podcli_commit(void);

/// The arguments of `main`, in the memory that other users see in the list of processes.
int podcli_argument_count(void);
char **podcli_arguments(void);

/// Hands `take` each job that Swift's runtime would put into Dispatch's pool, and after how long it is to be run.
void podcli_take_jobs(void (*take)(void *job, uint64_t nanoseconds));
void podcli_run_job(void *job);
