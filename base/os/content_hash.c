#include "base/os/content_hash.h"

#include <assert.h>

/* The size of its state. */
#define XXH_STATIC_LINKING_ONLY
#include <xxhash.h>

static_assert(sizeof(XXH64_state_t) <= sizeof(struct base_content_stream),
              "the library's state has room");

void base_content_stream_begin(struct base_content_stream *stream)
{
    (void)XXH64_reset((XXH64_state_t *)stream, 0);
}

void base_content_stream_add(struct base_content_stream *stream, const void *data, size_t size)
{
    (void)XXH64_update((XXH64_state_t *)stream, data, size);
}

uint64_t base_content_stream_hash(const struct base_content_stream *stream)
{
    return XXH64_digest((const XXH64_state_t *)stream);
}
