#pragma once

/// The commit that a release build was made from; empty in other builds.
const char *podcli_commit(void);

/// The arguments of `main`, in the memory that other users see in the list of processes.
int podcli_argument_count(void);
char **podcli_arguments(void);
