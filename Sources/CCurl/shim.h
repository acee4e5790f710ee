#ifndef PODCLI_CCURL_H
#define PODCLI_CCURL_H

#define CURL_DISABLE_TYPECHECK
#include <curl/curl.h>
#include <dlfcn.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>

// libcurl brings a TLS library and a dozen others, so it is opened on first use instead of being linked.
// This is the one list of the functions podcli calls; each has the type its header gives it.
#define PODCLI_CURL_FUNCTIONS(X) \
  X(curl_easy_cleanup)           \
  X(curl_easy_getinfo)           \
  X(curl_easy_init)              \
  X(curl_easy_pause)             \
  X(curl_easy_setopt)            \
  X(curl_global_init)            \
  X(curl_multi_add_handle)       \
  X(curl_multi_cleanup)          \
  X(curl_multi_info_read)        \
  X(curl_multi_init)             \
  X(curl_multi_remove_handle)    \
  X(curl_multi_setopt)           \
  X(curl_multi_socket_action)    \
  X(curl_slist_append)           \
  X(curl_slist_free_all)

struct podcli_curl {
#define X(name) __typeof__(name) *_Null_unspecified name;
  PODCLI_CURL_FUNCTIONS(X)
#undef X
};

// Fills the table. NULL when all went well, else what is missing, in the dynamic linker's words.
static inline const char *_Nullable podcli_curl_load(struct podcli_curl *_Nonnull curl) {
  void *library = dlopen("libcurl.so.4", RTLD_NOW | RTLD_LOCAL);
  if (!library) return dlerror();
#define X(name) \
  if (!(curl->name = (__typeof__(name) *)dlsym(library, #name))) return dlerror();
  PODCLI_CURL_FUNCTIONS(X)
#undef X
  return NULL;
}

// Variadic functions, which Swift cannot call, once for each type of value.
static inline CURLcode podcli_curl_set_long(
    const struct podcli_curl *_Nonnull curl, CURL *_Nonnull easy, CURLoption option, long value) {
  return curl->curl_easy_setopt(easy, option, value);
}
static inline CURLcode podcli_curl_set_offset(
    const struct podcli_curl *_Nonnull curl, CURL *_Nonnull easy, CURLoption option, curl_off_t value) {
  return curl->curl_easy_setopt(easy, option, value);
}
static inline CURLcode podcli_curl_set_string(
    const struct podcli_curl *_Nonnull curl, CURL *_Nonnull easy, CURLoption option, const char *_Nullable value) {
  return curl->curl_easy_setopt(easy, option, value);
}
static inline CURLcode podcli_curl_set_pointer(
    const struct podcli_curl *_Nonnull curl, CURL *_Nonnull easy, CURLoption option, void *_Nullable value) {
  return curl->curl_easy_setopt(easy, option, value);
}
typedef size_t (*podcli_curl_bytes)(char *_Nullable bytes, size_t size, size_t count, void *_Nullable context);
static inline CURLcode podcli_curl_set_bytes_callback(
    const struct podcli_curl *_Nonnull curl, CURL *_Nonnull easy, CURLoption option, podcli_curl_bytes _Nullable callback) {
  return curl->curl_easy_setopt(easy, option, callback);
}
static inline CURLcode podcli_curl_set_socket_callback(
    const struct podcli_curl *_Nonnull curl, CURL *_Nonnull easy, CURLoption option,
    int (*_Nonnull callback)(void *_Nullable context, curl_socket_t socket, curlsocktype purpose)) {
  return curl->curl_easy_setopt(easy, option, callback);
}
static inline CURLcode podcli_curl_get_string(
    const struct podcli_curl *_Nonnull curl, CURL *_Nonnull easy, CURLINFO info,
    const char *_Nullable *_Nonnull value) {
  return curl->curl_easy_getinfo(easy, info, value);
}
static inline CURLMcode podcli_curl_multi_set_long(
    const struct podcli_curl *_Nonnull curl, CURLM *_Nonnull multi, CURLMoption option, long value) {
  return curl->curl_multi_setopt(multi, option, value);
}
// Which of a socket's events the multi handle wants to hear of, and when it wants to be called though nothing happens.
typedef int (*podcli_curl_watch)(CURL *_Nullable easy, curl_socket_t socket, int what, void *_Nullable context, void *_Nullable own);
typedef int (*podcli_curl_alarm)(CURLM *_Nullable multi, long milliseconds, void *_Nullable context);
static inline void podcli_curl_multi_set_callbacks(
    const struct podcli_curl *_Nonnull curl, CURLM *_Nonnull multi, podcli_curl_watch _Nonnull watch,
    podcli_curl_alarm _Nonnull alarm, void *_Nonnull context) {
  curl->curl_multi_setopt(multi, CURLMOPT_SOCKETFUNCTION, watch);
  curl->curl_multi_setopt(multi, CURLMOPT_SOCKETDATA, context);
  curl->curl_multi_setopt(multi, CURLMOPT_TIMERFUNCTION, alarm);
  curl->curl_multi_setopt(multi, CURLMOPT_TIMERDATA, context);
}

#endif
