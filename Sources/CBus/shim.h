#ifndef PODCLI_CBUS_H
#define PODCLI_CBUS_H

#include <dlfcn.h>
#include <sys/eventfd.h>
#include <systemd/sd-bus.h>

// Most commands say nothing on a bus, and some systems have none, so the library is opened on first use instead of being linked.
// This is the one list of the functions podcli calls; each has the type its header gives it.
#define PODCLI_BUS_FUNCTIONS(X)     \
  X(sd_bus_add_object)              \
  X(sd_bus_call_async)              \
  X(sd_bus_close_unref)             \
  X(sd_bus_get_events)              \
  X(sd_bus_get_fd)                  \
  X(sd_bus_get_timeout)             \
  X(sd_bus_match_signal_async)      \
  X(sd_bus_message_append_basic)    \
  X(sd_bus_message_close_container) \
  X(sd_bus_message_enter_container) \
  X(sd_bus_message_get_interface)   \
  X(sd_bus_message_get_member)      \
  X(sd_bus_message_is_method_error) \
  X(sd_bus_message_new_method_call) \
  X(sd_bus_message_new_method_return) \
  X(sd_bus_message_new_signal)      \
  X(sd_bus_message_open_container)  \
  X(sd_bus_message_read_basic)      \
  X(sd_bus_message_set_auto_start)  \
  X(sd_bus_message_unref)           \
  X(sd_bus_open_system)             \
  X(sd_bus_open_user)               \
  X(sd_bus_process)                 \
  X(sd_bus_reply_method_error)      \
  X(sd_bus_request_name_async)      \
  X(sd_bus_send)

struct podcli_bus {
#define X(name) __typeof__(name) *_Null_unspecified name;
  PODCLI_BUS_FUNCTIONS(X)
#undef X
};

// Fills the table from systemd's library, or from one of those with the same functions on systems without systemd. NULL when
// all went well, else what is missing, in the dynamic linker's words.
static inline const char *_Nullable podcli_bus_load(struct podcli_bus *_Nonnull bus) {
  void *library = dlopen("libsystemd.so.0", RTLD_LAZY | RTLD_LOCAL);
  if (!library) library = dlopen("libelogind.so.0", RTLD_LAZY | RTLD_LOCAL);
  if (!library) library = dlopen("libbasu.so.0", RTLD_LAZY | RTLD_LOCAL);
  if (!library) return dlerror();
#define X(name) \
  if (!(bus->name = (__typeof__(name) *)dlsym(library, #name))) return dlerror();
  PODCLI_BUS_FUNCTIONS(X)
#undef X
  return NULL;
}

#endif
