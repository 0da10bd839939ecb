/* Whatever else can compute shader stages, with the processor's bits: a graphics processor. The
 * renderer computes itself what it does not take. */
#ifndef RENDERER_SHADER_DEVICE_H
#define RENDERER_SHADER_DEVICE_H

#include <stdbool.h>
#include <stdint.h>

#include "renderer/shader/shader.h"

/* A stage as it is made ready: its textures have the sizes that they will have in each frame, and
 * those that are fixed their texels too. */
struct rend_device_stage {
    const struct shader_program *program;
    const struct shader_texture *textures[SHADER_TEXTURES_MAX];
    bool fixed[SHADER_TEXTURES_MAX];
    size_t columns; /* of the picture at most, in whole tiles */
    size_t rows;
};

struct rend_device {
    void *user;
    /* Gives what `run` and the others know the stage by; NULL: the device does not take it. Program
     * and fixed textures outlive it. Any thread. */
    void *(*load)(void *user, const struct rend_device_stage *stage);
    void (*unload)(void *loaded); /* any thread */
    /* Where an input is to be filled in before a run: rows of `columns` numbers each. NULL: it is
     * not read. */
    float *(*input)(void *loaded, enum shader_input input, size_t columns, size_t rows);
    /* Draws: rows of `columns` pixels, until the next run. NULL: it could not, the device may be
     * lost. The frame is prepared but for its constants; the thread that steps. */
    const uint32_t *(*run)(void *loaded, const struct shader_frame *frame, size_t columns,
                           size_t rows);
};

#endif
