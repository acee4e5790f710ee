#ifndef PODCLI_CXML2_H
#define PODCLI_CXML2_H

#include <dlfcn.h>
#include <libxml/parser.h>
#include <libxml/parserInternals.h>

// libxml2 brings ICU with it, so it is opened on first use instead of being linked.
// This is the one list of the functions podcli calls; each has the type its header gives it.
#define PODCLI_XML_FUNCTIONS(X) \
  X(xmlCreatePushParserCtxt)    \
  X(xmlCtxtGetLastError)        \
  X(xmlCtxtUseOptions)          \
  X(xmlDictSize)                \
  X(xmlFreeParserCtxt)          \
  X(xmlInitParser)              \
  X(xmlParseChunk)              \
  X(xmlSetExternalEntityLoader) \
  X(xmlStopParser)

struct podcli_xml {
#define X(name) __typeof__(name) *_Null_unspecified name;
  PODCLI_XML_FUNCTIONS(X)
#undef X
};

// Fills the table. NULL when all went well, else what is missing, in the dynamic linker's words.
static inline const char *_Nullable podcli_xml_load(struct podcli_xml *_Nonnull xml) {
  void *library = dlopen("libxml2.so.2", RTLD_NOW | RTLD_LOCAL);
  if (!library) return dlerror();
#define X(name) \
  if (!(xml->name = (__typeof__(name) *)dlsym(library, #name))) return dlerror();
  PODCLI_XML_FUNCTIONS(X)
#undef X
  return NULL;
}

#endif
