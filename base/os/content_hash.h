/* Content hashes that others can check: XXH64 with seed 0, the number that the command xxhsum
 * prints. For comparing files and pictures; not for security. Any thread. */
#ifndef BASE_OS_CONTENT_HASH_H
#define BASE_OS_CONTENT_HASH_H

#include <stddef.h>
#include <stdint.h>

/* Bytes that come in pieces; how they are cut does not matter. Plain data: a copy goes on by
 * itself. */
struct base_content_stream {
    uint64_t state[12];
};
void base_content_stream_begin(struct base_content_stream *stream);
void base_content_stream_add(struct base_content_stream *stream, const void *data, size_t size);

/* Of all bytes so far; more may follow. */
uint64_t base_content_stream_hash(const struct base_content_stream *stream);

#endif
