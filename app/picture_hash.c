#include "app/picture_hash.h"

#include "base/hash.h"

uint64_t app_picture_hash(const uint32_t *pixels, int width, int height, unsigned char *row)
{
    uint64_t hash = BASE_HASH_START;
    for (int y = 0; y < height; y++) {
        unsigned char *out = row;
        for (int x = 0; x < width; x++) {
            const uint32_t pixel = *pixels++;
            *out++ = (unsigned char)(pixel & 255);
            *out++ = (unsigned char)(pixel >> 8 & 255);
            *out++ = (unsigned char)(pixel >> 16 & 255);
            *out++ = 0;
        }
        hash = base_hash(hash, row, (size_t)(out - row));
    }
    return hash;
}

uint64_t app_picture_hash_chain(uint64_t chain, uint64_t hash)
{
    unsigned char bytes[8];
    for (size_t i = 0; i < sizeof bytes; i++) {
        bytes[i] = (unsigned char)(hash >> (8 * i) & 255);
    }
    return base_hash(chain, bytes, sizeof bytes);
}
