/* A picture averaged to the channels of fixtures: zones of the picture in cells, each the mean of
 * its pixels in linear light, in whole numbers, so that the same picture gives the same levels
 * everywhere. Pure. */
#ifndef ENGINE_LIGHT_ZONES_H
#define ENGINE_LIGHT_ZONES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    ENGINE_ZONES_WHOLE = 65536, /* of width and height, in which a zone's edges are given */
    ENGINE_ZONES_ORDER = 16,    /* letters of an order */
};

/* A part of the picture, divided into columns x rows cells. Edges in parts of the picture's width
 * and height, 0..ENGINE_ZONES_WHOLE; left < right, top < bottom; columns and rows from 1. */
struct engine_zone {
    uint32_t left, top, right, bottom;
    uint32_t columns, rows;
};

/* Linear light of a picture's byte, 0..65535 (the curve of sRGB). */
struct engine_zones_curve {
    uint16_t linear[256];
};
void engine_zones_curve(struct engine_zones_curve *curve);

/* Red, green and blue of linear light, 0..65535. */
struct engine_light {
    uint16_t rgb[3];
};

/* The mean of each cell of the zone, row by row; a cell has at least one pixel. pixels 0x00RRGGBB,
 * row 0 at the top, stride in pixels, at most 16384 x 16384. */
void engine_zones_average(const struct engine_zone *zone, const struct engine_zones_curve *curve,
                          const uint32_t *pixels, size_t stride, int width, int height,
                          struct engine_light *cells);

/* The order of a fixture's channels, a letter each:
 *   r g b  light of this colour, less what w takes    R G B  the same in two channels, high byte
 *   w      what is common to the three                W      first
 *   d      a dimmer: how bright all is together       D
 *   f      full always                                0      off always
 * Returns how many channels it has; 0: not an order. */
size_t engine_zones_order(const char *letters);

/* Writes the channels of a fixture of this order; `dim`: 0..65536, of all levels but f. */
void engine_zones_fixture(uint8_t *channels, const char *letters, const struct engine_light *light,
                          uint32_t dim);

#endif
