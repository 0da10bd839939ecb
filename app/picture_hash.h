/* Hashes of pictures, the same on every machine. */
#ifndef APP_PICTURE_HASH_H
#define APP_PICTURE_HASH_H

#include <stddef.h>
#include <stdint.h>

/* base_hash continued over the rows from the top, one call each: every pixel as four bytes blue,
 * green, red, 0. row: room for 4 * width bytes. */
uint64_t app_picture_hash(const uint32_t *pixels, int width, int height, unsigned char *row);

/* Continues a chain (BASE_HASH_START at first) by the hash of a picture. */
uint64_t app_picture_hash_chain(uint64_t chain, uint64_t hash);

#endif
