/* Content hashes that others can check: XXH64 with seed 0, the number that the command xxhsum
 * prints. For comparing files and pictures; not for security. Any thread. */
#ifndef BASE_OS_CONTENT_HASH_H
#define BASE_OS_CONTENT_HASH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"

/* The hash by which the content of a preset's file is known, wherever the file lies, is that of its
 * first BASE_CONTENT_MAX bytes, as base_file_read gives them. */
enum { BASE_CONTENT_MAX = 1024 * 1024 + 1 };
uint64_t base_content_hash(const void *data, size_t size);

/* Reads a hash in digits as they are kept in files: BASE_CONTENT_DIGITS of 0-9 and a-f. */
enum { BASE_CONTENT_DIGITS = 16 };
bool base_content_read(uint64_t *hash, struct base_span text);

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
