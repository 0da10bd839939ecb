#include "base/os/content_hash.h"

#include <assert.h>
#include <string.h>

/* The size of its state. */
#define XXH_STATIC_LINKING_ONLY
#include <xxhash.h>

static_assert(sizeof(XXH64_state_t) <= sizeof(struct base_content_stream),
              "the library's state has room");

uint64_t base_content_hash(const void *data, size_t size)
{
    return XXH64(data, size, 0);
}

bool base_content_read(uint64_t *hash, struct base_span text)
{
    static const char digits[] = "0123456789abcdef";
    *hash = 0;
    for (size_t i = 0; i < text.size && text.size == BASE_CONTENT_DIGITS; i++) {
        const char *digit = memchr(digits, text.data[i], sizeof digits - 1);
        if (digit == NULL) {
            return false;
        }
        *hash = *hash << 4 | (uint64_t)(digit - digits);
    }
    return text.size == BASE_CONTENT_DIGITS;
}

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
