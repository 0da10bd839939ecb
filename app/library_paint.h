/* Paints a preset's thumbnail: some seconds of it with the built-in tune, and of those a picture
 * that shows something. One thread at a time. */
#ifndef APP_LIBRARY_PAINT_H
#define APP_LIBRARY_PAINT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct rend_resources;

/* Zero-initialise, fill in the first three. */
struct app_painter {
    const char *textures; /* as --textures; outlives the painter */
    void *user;
    bool (*may_go_on)(void *user); /* asked between steps; may wait; false ends the painting */
    struct rend_resources *resources;
    size_t painted; /* with these resources */
};

void app_painter_free(struct app_painter *painter);

enum app_painted {
    APP_PAINTED,
    APP_PAINT_FAILED,  /* it cannot be loaded, or takes too long */
    APP_PAINT_CHANGED, /* the file has another content, or painting was ended */
};

/* pixels: APP_THUMBNAIL_WIDTH x HEIGHT; undefined unless it is APP_PAINTED. */
enum app_painted app_paint(struct app_painter *painter, const char *path, uint64_t content,
                           uint32_t *pixels);

#endif
