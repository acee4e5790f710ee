#ifndef PODCLI_CZLIB_H
#define PODCLI_CZLIB_H

#include <zlib.h>

// Macros, which Swift cannot call. 15 bits are the largest window there is.
static inline int podcli_inflate_wrapped(z_stream *stream) { return inflateInit2(stream, 15 + 32); }
static inline int podcli_inflate_bare(z_stream *stream) { return inflateInit2(stream, -15); }

#endif
