/* A thumbnail: some seconds of a preset with the built-in tune, and of those a picture that shows
 * something. The same bytes on each machine. For one thread. */
#ifndef APP_LIBRARY_PAINTER_H
#define APP_LIBRARY_PAINTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "app/library/library.h"
#include "app/loading/loading.h"
#include "renderer/picture/resources.h"

enum { APP_THUMBNAIL_PIXELS = APP_THUMBNAIL_WIDTH * APP_THUMBNAIL_HEIGHT };

/* Zero-initialise, fill in the first five. */
struct app_painter {
    struct app_textures textures;
    size_t memory;           /* bytes that a preset may take */
    enum base_cpu_level cpu; /* at most */
    void *user;
    bool (*may_go_on)(void *user); /* asked between steps; may wait; false ends the painting */
    struct rend_resources *resources;
    size_t painted; /* with these resources */
};

enum app_painted {
    APP_PAINTED,
    APP_PAINT_FAILED,  /* it cannot be loaded, or takes too long */
    APP_PAINT_CHANGED, /* the file has another content, or painting was ended */
};

/* pixels: APP_THUMBNAIL_PIXELS of 0x00RRGGBB; undefined unless it is APP_PAINTED. */
enum app_painted app_painter_paint(struct app_painter *painter, const char *path, uint64_t content,
                                   uint32_t *pixels);
void app_painter_free(struct app_painter *painter);

/* The picture of what cannot be painted. */
void app_painter_grey(uint32_t *pixels);

/* How a preset's picture is named: sixteen digits of its content and ".png". Stores the path in a
 * folder; false: it is too long. */
bool app_thumbnail_path(const char *folder, uint64_t content, char *path, size_t size);
bool app_thumbnail_is_name(const char *name);

/* Only looks whether the file is there: one that cannot be read is noticed when it is asked for. */
bool app_thumbnail_is_there(const char *path);

/* Writes a picture under its name, a PNG. bytes: of the file. Returns 0, or -1. */
int app_painter_write(const char *path, const uint32_t *pixels, uint64_t *bytes);

/* How much there is to see in a picture, 0x00RRGGBB: of light and dark and of colours; 0: it is
 * black, or of one grey. count > 0. */
double app_thumbnail_life(const uint32_t *pixels, size_t count);

#endif
