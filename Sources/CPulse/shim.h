#ifndef PODCLI_CPULSE_H
#define PODCLI_CPULSE_H

#include <dlfcn.h>
#include <pulse/pulseaudio.h>

// Only a player watches the sound server, so the library is opened on first use instead of being linked.
// This is the one list of the functions podcli calls; each has the type its header gives it.
#define PODCLI_PULSE_FUNCTIONS(X)        \
  X(pa_context_connect)                  \
  X(pa_context_disconnect)               \
  X(pa_context_get_sink_info_by_index)   \
  X(pa_context_get_sink_input_info_list) \
  X(pa_context_get_state)                \
  X(pa_context_new)                      \
  X(pa_context_set_state_callback)       \
  X(pa_context_set_subscribe_callback)   \
  X(pa_context_subscribe)                \
  X(pa_context_unref)                    \
  X(pa_mainloop_free)                    \
  X(pa_mainloop_get_api)                 \
  X(pa_mainloop_iterate)                 \
  X(pa_mainloop_new)                     \
  X(pa_mainloop_wakeup)                  \
  X(pa_operation_unref)                  \
  X(pa_proplist_gets)

struct podcli_pulse {
#define X(name) __typeof__(name) *_Null_unspecified name;
  PODCLI_PULSE_FUNCTIONS(X)
#undef X
};

// Fills the table. NULL when all went well, else what is missing, in the dynamic linker's words.
static inline const char *_Nullable podcli_pulse_load(struct podcli_pulse *_Nonnull pulse) {
  void *library = dlopen("libpulse.so.0", RTLD_LAZY | RTLD_LOCAL);
  if (!library) return dlerror();
#define X(name) \
  if (!(pulse->name = (__typeof__(name) *)dlsym(library, #name))) return dlerror();
  PODCLI_PULSE_FUNCTIONS(X)
#undef X
  return NULL;
}

#endif
