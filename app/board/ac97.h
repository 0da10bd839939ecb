/* The sound controller and its codec: registers of the codec, and two streams of 48000 stereo
 * frames per second between memory and the codec, through the second-level cache. */
#ifndef APP_BOARD_AC97_H
#define APP_BOARD_AC97_H

#include <stdbool.h>
#include <stdint.h>

#include "app/board/memory.h"

enum {
    APP_BOARD_AC97_RATE = 48000,
    APP_BOARD_AC97_CODEC = 64, /* registers */
};

struct app_board_ac97_stream {
    bool runs;
    uint32_t address;
    uint32_t bytes; /* left */
};

/* Where sound comes from and goes to; NULL: silence, nowhere. What comes in begins with the first
 * recording, so that it does not depend on how long a program takes to start. */
struct app_board_jacks {
    void (*record)(void *user, int16_t frame[2]);
    void (*play)(void *user, const int16_t frame[2]);
    void *user;
};

/* Off: its clock stands still, no frame comes or goes and no request is answered. Silent: it
 * records zeros, and takes none of the sound that comes in. */
enum app_board_ac97_state { APP_BOARD_AC97_ON, APP_BOARD_AC97_OFF, APP_BOARD_AC97_SILENT };

struct app_board_ac97 {
    enum app_board_ac97_state state; /* of the codec; anyone may set it */
    uint16_t codec[APP_BOARD_AC97_CODEC];
    uint32_t access; /* the pending request */
    uint32_t address;
    uint32_t out;
    uint32_t in;
    struct app_board_ac97_stream play;
    struct app_board_ac97_stream record;
    bool hears;      /* there has been a recording */
    uint64_t frames; /* of sound since the start */
    uint64_t blocks; /* that were recorded to their end */
    uint64_t due;    /* of the next frame */
};

void app_board_ac97_reset(struct app_board_ac97 *ac97, uint64_t now);
uint32_t app_board_ac97_read(const struct app_board_ac97 *ac97, uint32_t offset);
void app_board_ac97_write(struct app_board_ac97 *ac97, uint32_t offset, uint32_t value);

/* One frame of sound. Returns the interrupts that come. */
uint32_t app_board_ac97_event(struct app_board_ac97 *ac97, struct app_board_memory *memory,
                              const struct app_board_jacks *sound);

#endif
