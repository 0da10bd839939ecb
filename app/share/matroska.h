/* Pictures and sound with their times, as they go to ffmpeg: Matroska without an end, each block in
 * a cluster of its own. Times are whole microseconds. */
#ifndef APP_SHARE_MATROSKA_H
#define APP_SHARE_MATROSKA_H

#include <stddef.h>
#include <stdint.h>

#include "engine/rate.h"

enum {
    APP_MATROSKA_HEAD = 512, /* enough for app_matroska_head */
    APP_MATROSKA_BLOCK = 64, /* enough for app_matroska_block */
};

enum app_matroska_track {
    APP_MATROSKA_PICTURE = 1, /* 0x00RRGGBB words without gaps */
    APP_MATROSKA_SOUND = 2,   /* stereo, 16 bits, little-endian, at ENGINE_SOUND_RATE */
};

/* What stands before all blocks. Returns its size. */
size_t app_matroska_head(unsigned char *to, int width, int height, struct engine_rate rate);

/* What stands before the bytes of a block, which are `size`. Returns its own size. */
size_t app_matroska_block(unsigned char *to, enum app_matroska_track track, uint64_t time,
                          size_t size);

#endif
