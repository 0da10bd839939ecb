/* 64-bit content hash for comparing pictures and data; not for security. */
#ifndef BASE_HASH_H
#define BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

enum { BASE_HASH_START = 0 };

/* Continues `hash` (BASE_HASH_START at first) over size bytes. The same bytes give the same hash on
 * every machine; cutting the data differently gives another hash. */
uint64_t base_hash(uint64_t hash, const void *data, size_t size);

/* CRC-32 as in zlib and PNG: polynomial EDB88320, reflected. */

enum { BASE_CRC32_START = 0 };

/* Continues `crc` (BASE_CRC32_START at first) over size bytes; cutting the data differently changes
 * nothing. */
uint32_t base_crc32(uint32_t crc, const void *data, size_t size);

#endif
