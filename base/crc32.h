/* CRC-32 as in zlib and PNG: polynomial EDB88320, reflected. */
#ifndef BASE_CRC32_H
#define BASE_CRC32_H

#include <stddef.h>
#include <stdint.h>

enum { BASE_CRC32_START = 0 };

/* Continues `crc` (BASE_CRC32_START at first) over size bytes; cutting the data differently changes
 * nothing. */
uint32_t base_crc32(uint32_t crc, const void *data, size_t size);

#endif
