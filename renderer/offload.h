/* What a device computes of a frame in the place of the processor (renderer/shader/device.h): which
 * stages it takes, what it is handed, what comes back. The thread that steps, but for load and
 * free. */
#ifndef RENDERER_OFFLOAD_H
#define RENDERER_OFFLOAD_H

#include "renderer/shade.h"
#include "renderer/stages.h"
#include "renderer/state.h"

/* Columns and rows of a picture in whole tiles. */
static inline size_t rend_tile_columns(int width)
{
    return ((size_t)width + SHADER_TILE_COLUMNS - 1) / SHADER_TILE_COLUMNS * SHADER_TILE_COLUMNS;
}

static inline size_t rend_tile_rows(int height)
{
    return ((size_t)height + SHADER_TILE_ROWS - 1) / SHADER_TILE_ROWS * SHADER_TILE_ROWS;
}

/* Whether it reads blurred pictures. */
bool rend_shader_blurs(const struct rend_shader *shader);

/* Makes the canvas and the stages ready that the section's device takes. */
void rend_offload_load(struct rend_section_shaders *shaders, const struct rend *rend,
                       const struct rend_patch *patch);
void rend_offload_free(struct rend_section_shaders *shaders);

/* The part of both that is about the mesh; the canvas is open. */
void rend_offload_load_mesh(struct rend_section_shaders *shaders, const struct rend *rend,
                            const struct rend_patch *patch);
void rend_offload_free_mesh(struct rend_section_shaders *shaders);

/* Whether the device computes where vertices read. Begins with it: `work` is that of a part of the
 * equations' items, which has run; of `moving` it fills in the numbers. And whether it has done so:
 * then they are the mesh's. */
bool rend_offload_moves(const struct rend *rend);
bool rend_offload_move(struct rend *rend, struct rend_device_moving *moving, const double *work);
bool rend_offload_moved(struct rend *rend);

/* A stage as it is to be drawn. */
struct rend_offload_stage {
    enum shader_stage stage;
    const struct shader_frame *frame;
    const struct rend_device_places *places;
    const struct tmu_surface *main; /* the canvas that it reads */
    int width;
    int height;
    uint32_t *pixels;
    size_t stride;
};

/* Whether the device draws it. With `stays` the picture is not wanted: an overlay follows. */
bool rend_offload_start(struct rend *rend, const struct rend_offload_stage *stage, bool stays);

/* Whether it has drawn what was started last, which may have stayed there until now. */
bool rend_offload_finish(struct rend *rend, const struct rend_offload_stage *stage);

/* The same for the picture that is shown, whatever it is of. */
bool rend_offload_shown(struct rend *rend, uint32_t *pixels, size_t stride);

/* Where that picture is. */
struct rend_device_shown rend_offload_where(const struct rend *rend);

/* Makes a transition ready to what is drawn; `when` as of struct rend_way, NULL: by light. */
void rend_offload_load_cross(struct rend *rend, const uint16_t *when);

/* Whether the device mixes the pictures of both, which stay there, to the new one of `rend`. stays:
 * it is not wanted yet. */
struct rend_weights;
bool rend_offload_cross(struct rend *rend, const struct rend *leaving,
                        const struct rend_weights *weights, bool stays);

/* Where to note what is drawn on the last picture before it is warped, which the device holds;
 * NULL: it does not. And whether it draws that. */
struct rend_list *rend_offload_change_list(struct rend *rend);
bool rend_offload_change(struct rend *rend);

/* Whether the device warps the last picture along the mesh; what it makes stays. */
bool rend_offload_warp(struct rend *rend, const struct tmu_surface *last, enum tmu_address address,
                       unsigned decay);

/* Whether the device begins with the composite without a shader, of the canvas that it holds; with
 * `stays` its picture is not wanted yet. */
bool rend_offload_composite(struct rend *rend, const struct rend_composite *composite, bool stays);

/* Where to note what is drawn on a warped picture that stays on the device; NULL: it does not draw
 * that. */
struct rend_list *rend_offload_list(struct rend *rend);

/* Whether the device draws what is noted, on the warped picture, as the new canvas. cost: what the
 * processor would need for it, in about the nanoseconds that one thread takes. */
bool rend_offload_overlay(struct rend *rend, int64_t cost);

/* Whether that canvas is here now, too: it is copied, or where it came to is the surface's memory
 * from now on. */
bool rend_offload_fetch(struct rend *rend, struct tmu_surface *canvas);

/* The canvas's surfaces lie where the device puts what comes back, if it makes the canvas and lends
 * rooms; so nothing has to be copied. Once it is loaded. And lie no longer there, before it is
 * freed: 0, or -1 without memory, and nothing has changed. */
void rend_offload_lend(struct rend *rend);
int rend_offload_return(struct rend *rend);

/* Whether the device blurs the last picture. */
bool rend_offload_blur(struct rend *rend, const struct rend_blur_settings *settings,
                       const struct tmu_surface *last);

#endif
