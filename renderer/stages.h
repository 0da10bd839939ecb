/* What the stages of a frame are made of, in the order of work (frame/stages.def,
 * spec/milk-rendering.md section 2). Each reads the frame and the patch, and changes only what its
 * comment says. */
#ifndef RENDERER_STAGES_H
#define RENDERER_STAGES_H

#include "renderer/draw/draw.h"
#include "renderer/frame/frame.h"
#include "renderer/picture/rows.h"
#include "renderer/shader/device.h"
#include "renderer/state.h"

/* float to int, toward zero, clamped to +-2^30; NaN: 0. */
int rend_int(float value);

/* double to float, clamped to the largest finite floats; NaN: 0. */
float rend_float(double value);

/* min(1, W/H) and min(1, H/W) */
static inline double rend_aspect_x(const struct rend_config *config)
{
    return config->width < config->height ? (double)config->width / config->height : 1;
}

static inline double rend_aspect_y(const struct rend_config *config)
{
    return config->height < config->width ? (double)config->height / config->width : 1;
}

float rend_sin(float x);
float rend_cos(float x);

/* The programs of the patch. Load allocates; 0, or -1 without memory (nothing to
 * free). */
int rend_equations_load(struct rend_section_equations *equations, const struct rend_patch *patch,
                        const struct rend_config *config, const struct rend_frame *frame);
void rend_equations_free(struct rend_section_equations *equations);

/* Refills the budgets of operations; once per frame. */
void rend_equations_refill(struct rend_section_equations *equations,
                           const struct rend_config *config);

/* Takes off what a block's program costs for so many items. False, and the frame's equations are
 * exhausted, where that is more than is left; the program is not to be run then. */
bool rend_may_run(struct rend_section_equations *equations, const struct rend_block *block,
                  size_t items);

/* Runs the per-frame program and fills frame->values and frame->q. */
void rend_equations_frame(struct rend_section_equations *equations, const struct rend_patch *patch,
                          const struct rend_config *config, struct rend_frame *frame);

/* Sets the inputs and q1..q32 of any namespace. */
void rend_set_inputs(double *values, const struct rend_frame *frame, const double *q);

/* Sets the variables of a namespace that are held. */
void rend_set_held(double *values, const struct pfpu_scope *scope, const struct rend_frame *frame);

/* Sets what a wave's or shape's namespace starts from in each run: its stored values. */
void rend_set_wave(double *values, const struct preset_wave *stored);
void rend_set_shape(double *values, const struct rend_patch *patch, size_t index);

/* Also the geometry inputs of the per-frame and per-vertex namespaces. */
void rend_set_geometry(double *values, const struct rend_config *config);

/* Runs the per-vertex program and computes where every vertex reads the last picture. beside: what
 * is done meanwhile, or NULL. */
int rend_mesh_create(struct rend_section_mesh *mesh, const struct rend_config *config);
void rend_mesh_free(struct rend_section_mesh *mesh);
void rend_mesh_step(struct rend *rend, const struct rend_frame *frame,
                    const struct base_beside *beside);

/* Motion vectors onto the last picture, from the mesh of the last frame; whether there are any.
 * list: notes them as well, or NULL. */
bool rend_draw_motion_vectors(const struct rend_canvas *canvas, const struct rend_frame *frame,
                              const struct rend_section_mesh *mesh,
                              const struct rend_config *config, struct rend_list *list);

/* What drawing a patch's shapes needs besides, in memory of the arena. NULL without
 * memory.
 */
struct rend_shape_queue;
struct rend_shape_queue *rend_shape_queue_create(struct base_arena *arena,
                                                 const struct rend_patch *patch,
                                                 const struct rend_config *config);

/* What is drawn on the warped picture is found before it is drawn, also while others warp: of the
 * canvas only size and level count for that. */

/* Custom shapes with all their instances, with their equations; texture is the last picture,
 * guarded for wrapping. */
void rend_find_shapes(const struct rend_canvas *canvas, const struct rend_frame *frame,
                      const struct rend_patch *patch, struct rend_section_equations *equations);
void rend_draw_shapes(const struct rend_canvas *canvas, const struct rend_frame *frame,
                      struct rend_section_equations *equations, const struct tmu_surface *texture);

/* Custom waves, with their equations, and the built-in one over them. rend_waves_create: memory of
 * the arena; NULL without memory. */
struct rend_waves;
struct rend_waves *rend_waves_create(struct base_arena *arena);
void rend_find_waves(struct rend_waves *waves, const struct rend_canvas *canvas,
                     const struct rend_frame *frame, const struct rend_patch *patch,
                     struct rend_section_equations *equations);
struct rend_strips rend_pay_waves(const struct rend_canvas *canvas, const struct rend_waves *waves);

/* The dark centre and the two borders, as far as they lie in the canvas's row band. */
void rend_draw_darken_center(const struct rend_canvas *canvas, const struct rend_frame *frame);
void rend_draw_borders(const struct rend_canvas *canvas, const struct rend_frame *frame);
int64_t rend_borders_cost(const struct rend_canvas *canvas, const struct rend_frame *frame);

/* Adds the pictures of a patch of the board that its equations ask for; values: of the per-frame
 * namespace. */
void rend_draw_images(const struct rend_canvas *canvas, const struct rend_images *images,
                      const double *values);

/* Copies so many texels, on all threads of the pool. */
void rend_copy_texels(struct base_pool *pool, uint32_t *to, const uint32_t *from, size_t texels);

/* Paints a picture of the config's size black. */
void rend_blacken(const struct rend_config *config, uint32_t *pixels, size_t stride);

enum { REND_CORNERS = 4, REND_CHANNELS = 3 };

/* The shades of the picture's corners: bottom left, bottom right, top left, top right; then blue,
 * green, red. strength is 0 or more: above 3 the formula gives values below 0, which are 0 as
 * colours are; phases as in struct rend_section_chance. */
void rend_shade_corners(double corner[REND_CORNERS][REND_CHANNELS], double strength, double time,
                        const double phase[REND_CHANNELS]);

/* The picture as it is shown: echo, gamma, shades, filters. Does not feed back. */
void rend_composite(struct rend *rend, const struct rend_frame *frame, uint32_t *pixels,
                    size_t stride);

/* What that makes of a frame. It stays where it was found, since parts of it point to others. */
struct rend_composite {
    struct tmu_surface *picture;                /* the rend's */
    struct rend_mix mix;                        /* but for shades of a row */
    double corner[REND_CORNERS][REND_CHANNELS]; /* shades, if it is shaded */
    bool identity;                              /* the picture is shown as it is */
    bool echo;
    struct tmu_vertex echo_vertices[4]; /* the enlarged layer, as a mesh of one cell, */
    struct tmu_mesh echo_mesh;
    struct tmu_upright echo_run; /* if there is an echo; its texture need not be guarded before
                                    pixels are drawn */
};
void rend_find_composite(struct rend_composite *composite, const struct rend *rend,
                         struct tmu_surface *picture, const struct rend_frame *frame);

/* Draws what was found, of the picture that is there by then. */
void rend_draw_composite(const struct rend *rend, const struct rend_composite *composite,
                         uint32_t *pixels, size_t stride);

/* The same for a device. rows: the caller's memory, one for each row of the picture, all of them
 * filled in; what comes back points to them and to the composite. `renewed` and `stays` are false
 * in it. */
struct rend_device_composite rend_hand_composite(const struct rend_composite *composite,
                                                 struct rend_device_composite_row *rows);

/* Inserts a point between every two (spec/milk-rendering.md section 7). out has room for
 * one point less than twice `count`; returns how many were written. Inserted points take the colour
 * of their left neighbour. */
size_t rend_smooth_strip(const struct rend_point *points, const struct rend_colour *colours,
                         size_t count, struct rend_point *out, struct rend_colour *out_colours);

#endif
