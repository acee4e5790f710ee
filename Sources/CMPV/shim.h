#ifndef PODCLI_CMPV_H
#define PODCLI_CMPV_H

#include <dlfcn.h>
#include <mpv/client.h>
#include <mpv/render.h>
#include <mpv/stream_cb.h>

// libmpv brings some 230 shared objects, so it is opened on first use instead of being linked.
// This is the one list of the functions podcli calls; each has the type its header gives it.
#define PODCLI_MPV_FUNCTIONS(X) \
  X(mpv_client_api_version)     \
  X(mpv_command_ret)            \
  X(mpv_create)                 \
  X(mpv_error_string)           \
  X(mpv_free_node_contents)     \
  X(mpv_get_property)           \
  X(mpv_hook_add)               \
  X(mpv_hook_continue)          \
  X(mpv_initialize)             \
  X(mpv_observe_property)       \
  X(mpv_render_context_create)  \
  X(mpv_render_context_free)    \
  X(mpv_render_context_render)  \
  X(mpv_render_context_update)  \
  X(mpv_request_log_messages)   \
  X(mpv_set_option_string)      \
  X(mpv_set_property_string)    \
  X(mpv_stream_cb_add_ro)       \
  X(mpv_terminate_destroy)      \
  X(mpv_wait_event)             \
  X(mpv_wakeup)

struct podcli_mpv {
#define X(name) __typeof__(name) *_Null_unspecified name;
  PODCLI_MPV_FUNCTIONS(X)
#undef X
};

// Symbols are bound when they are first called: nobody calls most of those that 230 libraries want of each other.
// Fills the table. NULL when all went well, else what is missing, in the dynamic linker's words.
static inline const char *_Nullable podcli_mpv_load(struct podcli_mpv *_Nonnull mpv) {
  void *library = dlopen("libmpv.so.2", RTLD_LAZY | RTLD_LOCAL);
  if (!library) return dlerror();
#define X(name) \
  if (!(mpv->name = (__typeof__(name) *)dlsym(library, #name))) return dlerror();
  PODCLI_MPV_FUNCTIONS(X)
#undef X
  // libavutil's. libmpv takes its messages only while one certain core exists: of several at once, the others' would go to
  // stderr once that one has ended.
  void (*set_level)(int) = (void (*)(int))dlsym(library, "av_log_set_level");
  if (set_level) set_level(-8);  // AV_LOG_QUIET
  return NULL;
}

#endif
