/* The picture output: scans a buffer of RGB565 in memory, line by line, and takes another one at
 * the vertical blank. */
#ifndef APP_BOARD_VGA_H
#define APP_BOARD_VGA_H

#include <stdbool.h>
#include <stdint.h>

#include "app/board/memory.h"

enum {
    APP_BOARD_VGA_SIDE = 2047, /* pixels at most, in each direction */
    APP_BOARD_VGA_LINES = 16,  /* that are scanned at once */
    APP_BOARD_VGA_REGISTERS = 14,
};

struct app_board_vga {
    uint32_t registers[APP_BOARD_VGA_REGISTERS];
    uint32_t shown;    /* address */
    bool asked;        /* the base was written since the last vertical blank */
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
bool app_board_vga_create(struct app_board_vga *vga);
void app_board_vga_free(struct app_board_vga *vga);

uint32_t app_board_vga_read(const struct app_board_vga *vga, uint32_t offset);
void app_board_vga_write(struct app_board_vga *vga, struct app_board_memory *memory, uint64_t now,
                         uint32_t offset, uint32_t value);

/* Scans the next lines, or goes on to the next picture. True when a new picture, one whose base was
 * written since the last vertical blank, has been shown to its last line. */
bool app_board_vga_event(struct app_board_vga *vga, const struct app_board_memory *memory);

/* Cycles from one picture to the next; 0 where the registers make none. */
uint64_t app_board_vga_cycles(const struct app_board_vga *vga);

/* The pixels as 0x00RRGGBB, width * height of them. */
void app_board_vga_picture(const struct app_board_vga *vga, uint32_t *pixels);

#endif
