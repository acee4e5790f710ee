#include "build.h"

static int count;
static char **arguments;

// The system hands main's arguments to every constructor, too. Swift would read them from /proc, which may be missing.
__attribute__((constructor)) static void keep(int argc, char **argv) {
  count = argc;
  arguments = argv;
}

int podcli_argument_count(void) { return count; }
char **podcli_arguments(void) { return arguments; }
