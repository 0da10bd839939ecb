#include "engine/picture.h"

uint64_t engine_picture_hash(const uint32_t *pixels, int width, int height, unsigned char *row,
                          struct base_content_stream *all)
{
    struct base_content_stream stream;
    base_content_stream_begin(&stream);
    for (int y = 0; y < height; y++) {
        unsigned char *out = row;
        for (int x = 0; x < width; x++) {
            const uint32_t pixel = *pixels++;
            *out++ = (unsigned char)(pixel >> 16 & 255);
            *out++ = (unsigned char)(pixel >> 8 & 255);
            *out++ = (unsigned char)(pixel & 255);
        }
        base_content_stream_add(&stream, row, (size_t)(out - row));
        if (all != NULL) {
            base_content_stream_add(all, row, (size_t)(out - row));
        }
    }
    return base_content_stream_hash(&stream);
}
