/* Sound and picture (spec/milkymist-one-devices.md sections 2, 7). The sound controller and its
 * codec: registers of the codec, and two streams of 48000 stereo frames per second between memory
 * and the codec, through the second-level cache. A stream that is on with nothing left stops more
 * than itself: recording, the codec's answers; playback, the whole link. */
#ifndef BOARD_TWIN_MEDIA_H
#define BOARD_TWIN_MEDIA_H

#include <stdbool.h>
#include <stdint.h>

#include "board/twin/memory.h"

enum {
    BOARD_TWIN_AC97_RATE = 48000,
    BOARD_TWIN_AC97_CODEC = 64, /* registers */
    BOARD_TWIN_AC97_SLOTS = 5,  /* of a frame that are looked at: tag, address, data, left, right */
};

struct board_twin_ac97_stream {
    bool runs;
    uint32_t address;
    uint32_t bytes; /* left */
};

/* Where sound comes from and goes to; NULL: silence, nowhere. What comes in begins with the first
 * recording, so that it does not depend on how long a program takes to start. */
struct board_twin_jacks {
    void (*record)(void *user, int16_t frame[2]);
    void (*play)(void *user, const int16_t frame[2]);
    /* Each frame that goes to the codec: 16 bits of tag, and slots of 20 bits. */
    void (*link)(void *user, const uint32_t slots[BOARD_TWIN_AC97_SLOTS]);
    void *user;
};

/* Off: its clock stands still, no frame comes or goes and no request is answered. Silent: it
 * records zeros, and takes none of the sound that comes in. */
enum board_twin_ac97_state { BOARD_TWIN_AC97_ON, BOARD_TWIN_AC97_OFF, BOARD_TWIN_AC97_SILENT };

struct board_twin_ac97 {
    enum board_twin_ac97_state state; /* of the codec; anyone may set it */
    uint16_t codec[BOARD_TWIN_AC97_CODEC];
    int32_t gain[2]; /* of what is recorded, left and right, 15 bits of fraction: 1 is the greatest
                        record gain, and what there is until that register is written */
    uint32_t access; /* the pending request */
    uint32_t address;
    uint32_t out;
    uint32_t in;
    struct board_twin_ac97_stream play;
    struct board_twin_ac97_stream record;
    bool hears;         /* there has been a recording */
    bool waits;         /* a frame that came while the recording stood with nothing left */
    int16_t waiting[2]; /* that frame */
    uint64_t armed_at;  /* when it goes to memory; UINT64_MAX: it waits on */
    uint64_t released;  /* when the recording went on last */
    unsigned answers;   /* frames until the codec's answer has come; 0: it owes none */
    uint32_t raised;    /* interrupts that a write has made */
    uint64_t raised_at;
    bool stands;     /* the link, since the playback has nothing left */
    bool slips;      /* its next frame is a bit late */
    bool inside;     /* a frame is on the link */
    uint64_t origin; /* cycle from which frames are counted */
    uint64_t frame;  /* number of the next one from there */
    uint64_t frames; /* on the link since the start */
    uint64_t blocks; /* that were recorded to their end */
    uint64_t due;    /* of what happens next */
};

void board_twin_ac97_reset(struct board_twin_ac97 *ac97, uint64_t now);
uint32_t board_twin_ac97_read(const struct board_twin_ac97 *ac97, uint32_t offset);
void board_twin_ac97_write(struct board_twin_ac97 *ac97, uint64_t now, uint32_t offset,
                           uint32_t value);

/* What is due, one thing at a time: a frame begins, or has come. Returns the interrupts that come.
 */
uint32_t board_twin_ac97_event(struct board_twin_ac97 *ac97, struct board_twin_memory *memory,
                               const struct board_twin_jacks *sound);

/* The picture output: scans a buffer of RGB565 in memory, line by line and a little ahead of the
 * beam, and takes another one when it has read the last line. */

enum {
    BOARD_TWIN_VGA_SIDE = 2047, /* pixels at most, in each direction */
    BOARD_TWIN_VGA_LINES = 16,  /* that are scanned at once */
    BOARD_TWIN_VGA_REGISTERS = 14,
};

struct board_twin_vga {
    uint32_t registers[BOARD_TWIN_VGA_REGISTERS];
    uint32_t shown;    /* address that was taken */
    bool asked;        /* the base was written since an address was taken */
    bool fresh;        /* the one that was taken is a new one */
    bool counts;       /* the picture being scanned is a new one */
    uint32_t line;     /* the next one to scan */
    uint64_t began;    /* when the scan of this picture began */
    uint64_t due;      /* when something happens; UINT64_MAX: never */
    uint64_t number;   /* of new pictures that were shown completely */
    uint64_t scans;    /* of all pictures that were shown completely */
    uint64_t replaced; /* bases that another one was written over before they were shown */
    uint32_t width;    /* of the picture in pixels */
    uint32_t height;
    uint16_t *pixels; /* width * height, what the screen showed; owned */
};

/* The size and timing of 640x480, blank. False without memory. */
bool board_twin_vga_create(struct board_twin_vga *vga);
void board_twin_vga_free(struct board_twin_vga *vga);

uint32_t board_twin_vga_read(const struct board_twin_vga *vga, uint32_t offset);
void board_twin_vga_write(struct board_twin_vga *vga, struct board_twin_memory *memory,
                          uint64_t now, uint32_t offset, uint32_t value);

/* Scans the next lines, or goes on to the next picture. True when a new picture, one whose base was
 * written since the one before it was taken, has been read to its last line. */
bool board_twin_vga_event(struct board_twin_vga *vga, const struct board_twin_memory *memory);

/* Cycles from one picture to the next; 0 where the registers make none. */
uint64_t board_twin_vga_cycles(const struct board_twin_vga *vga);

/* The pixels as 0x00RRGGBB, width * height of them. */
void board_twin_vga_picture(const struct board_twin_vga *vga, uint32_t *pixels);

#endif
