#include "build.h"

// Package.swift defines it from the environment of `make release`. In C, so that a new commit compiles one line anew.
const char *podcli_commit(void) { return PODCLI_COMMIT; }
