/// Functions of glibc that Swift's Glibc module lacks, since that is built without _GNU_SOURCE. They are declared here, and
/// no header is included, so that no type of glibc is defined in two modules.
#pragma once
#include <stddef.h>

int eventfd(unsigned int initial, int flags);
int pipe2(int *ends, int flags);
int accept4(int socket, void *address, unsigned int *length, int flags);
void *memmem(const void *haystack, size_t haystack_length, const void *needle, size_t needle_length);

int posix_openpt(int flags);
int grantpt(int primary);
int unlockpt(int primary);
int ptsname_r(int primary, char *path, size_t size);

/// `actions` is a posix_spawn_file_actions_t.
int posix_spawn_file_actions_addchdir_np(void *actions, const char *path);
int posix_spawn_file_actions_addclosefrom_np(void *actions, int from);

int pidfd_open(int pid, unsigned int flags);
/// `information` is a siginfo_t, or null.
int pidfd_send_signal(int process, int signal, void *information, unsigned int flags);

enum { podcli_spawn_setsid = 0x80, podcli_pollrdhup = 0x2000, podcli_eventfd_cloexec = 02000000 };
