#include <malloc.h>

// An arena of malloc for each thread grows by a page or two and a system call at a time, and is trimmed as often. Few threads
// run at once, so they do not wait for each other.
__attribute__((constructor)) static void use_one_arena(void) { mallopt(M_ARENA_MAX, 1); }
