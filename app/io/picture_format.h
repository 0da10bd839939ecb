/* Between picture.c and the formats, one file for each library: pictures are reduced row by row
 * while they are decoded, so that a large one never is in memory as a whole. */
#ifndef APP_IO_PICTURE_FORMAT_H
#define APP_IO_PICTURE_FORMAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "renderer/picture/resources.h"

/* A side after so many halvings, rounded up. */
int app_picture_reduced(int side, int halvings);

/* Rows 0xAARRGGBB from the top, each `width` pixels; in the picture a pixel is the mean of the
 * square of (1 << halvings)^2 pixels that it covers, halves up; squares at the edges may be cut. */
struct app_picture_rows {
    struct rend_picture picture;
    int width;
    int height;
    int halvings;
    int next;       /* row */
    uint32_t *sums; /* four for each pixel of the picture's row */
};

/* False without memory. */
bool app_picture_rows_begin(struct app_picture_rows *rows, int width, int height, int halvings);
void app_picture_rows_add(struct app_picture_rows *rows, const uint32_t *row);
/* The picture's pixels become the caller's; where not all rows came, the rest is 0. */
struct rend_picture app_picture_rows_end(struct app_picture_rows *rows);
void app_picture_rows_discard(struct app_picture_rows *rows);

struct app_picture_job {
    const uint8_t *data; /* the file */
    size_t size;
    int halvings;      /* 0..REND_HALVINGS_MAX */
    size_t room;       /* bytes that decoding may take */
    bool lacks_memory; /* why it failed; else the file is damaged */
};

/* Load the libraries that read, before a process gives up its rights. NULL, or what is missing
 * (base_late_load). */
const char *app_picture_load_png(void);
const char *app_picture_load_jpeg(void);

/* In the process that decodes, once the library is loaded. False: it cannot be read; the picture
 * then has no pixels. */
bool app_picture_read_png(struct app_picture_job *job, struct rend_picture *picture);
bool app_picture_read_jpeg(struct app_picture_job *job, struct rend_picture *picture);

/* Writes 0x00RRGGBB as a PNG. row: room for 3 * width bytes. False: `why` says what is wrong. */
bool app_picture_write_png(FILE *file, const uint32_t *pixels, int width, int height,
                           unsigned char *row, char why[static 160]);

#endif
