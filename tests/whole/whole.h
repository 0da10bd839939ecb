/* A second renderer, written from the specification alone, for comparison: slow, in doubles, one
 * thread. It takes over what is data: presets as presets/ reads them, equations as pfpu/ compiles
 * and runs them one item at a time, the list of operations that a shader's text becomes, pictures
 * and noise that shaders read, and what chance gave. Sound, geometry, pixels and the arithmetic of
 * shaders are its own. Sections are those of spec/milk-rendering.md. */
#ifndef TESTS_WHOLE_WHOLE_H
#define TESTS_WHOLE_WHOLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "pfpu/pfpu.h"
#include "presets/milk/preset.h"
#include "renderer/shader/ir/ir.h"

enum { WHOLE_WAVEFORM = 576, WHOLE_SPECTRUM = 512, WHOLE_BANDS = 3, WHOLE_QS = 32, WHOLE_TS = 8 };
enum { WHOLE_RED, WHOLE_GREEN, WHOLE_BLUE, WHOLE_ALPHA, WHOLE_COLOURS };
enum { WHOLE_CHANNELS = 3, WHOLE_ROTATIONS = 24, WHOLE_BLURS = 3, WHOLE_BLUR_PASSES = 6 };

/* ---- whole_sound.c: section 12 ---- */

struct whole_sound {
    unsigned nudge; /* of the spectra */
    double history[2][WHOLE_WAVEFORM];
    double waveform[2][WHOLE_WAVEFORM]; /* aligned */
    double spectrum[2][WHOLE_SPECTRUM];
    double absolute[WHOLE_BANDS];
    double average[WHOLE_BANDS];
    double long_average[WHOLE_BANDS];
    double level[WHOLE_BANDS];
    double level_att[WHOLE_BANDS];
};

/* Interleaved samples, -1..1, of one frame; frames count from 1. */
void whole_sound_step(struct whole_sound *sound, const float *samples, size_t count, double frame,
                      double fps);

/* ---- small errors: what another renderer that follows the specification may round otherwise ----
 *
 * A series of errors is a number from 1; 0 is none. The same value is always off by the same in a
 * series, as if it came from another implementation of what gave it. Samples of textured shapes and
 * of echoes are rounded to whole levels in every series: samplers may. */

/* -1..1. */
double whole_error(double value, unsigned nudge);
/* `value`, by up to so many of the last bits of a 32-bit float larger or smaller. Values that such
 * a float holds exactly stay as they are. */
double whole_nudged(double value, double bits, unsigned nudge);
/* What is to be rounded to a whole level, off by up to one of so many parts of a level: of a blend
 * or a blurred picture, or of the last stage, which MilkDrop draws in several passes. */
enum { WHOLE_PARTS = 32, WHOLE_COMPOSITE_PARTS = 8 };
double whole_nudged_level(double level, int parts, unsigned nudge);

/* ---- whole_equations.c: what the preset's equations make of a frame ---- */

struct whole_frame {
    int width;
    int height;
    int mesh_x;
    int mesh_y;
    double aspect_x; /* at most 1 */
    double aspect_y;
    double time;
    double fps;
    double frame;
    double progress;
    double beat[3]; /* froth's own inputs: beat_now, beat_phase, beat_bpm */
    bool beats;     /* the preset has them as inputs */
    unsigned nudge; /* 0: none; else by which series of small errors it is off (whole_nudged) */
    const struct whole_sound *sound;
    double value[PRESET_KEYS]; /* as 32-bit floats */
    double q[WHOLE_QS];        /* after the per-frame equations */
};

/* An enabled wave's points, and an instance's numbers. */
enum { WHOLE_POINTS_MAX = 512 };
struct whole_wave_points {
    int count; /* 0: not drawn */
    double x[WHOLE_POINTS_MAX];
    double y[WHOLE_POINTS_MAX];
    double colour[WHOLE_POINTS_MAX][WHOLE_COLOURS];
};

enum { WHOLE_MOTIONS = 10 }; /* zoom zoomexp rot warp cx cy dx dy sx sy */

struct whole_equations;
struct whole_equations *whole_equations_create(const struct preset *preset,
                                               const struct whole_frame *frame, uint64_t seed);
void whole_equations_free(struct whole_equations *equations);

/* In this order, once a frame. Fills value and q. */
void whole_equations_frame(struct whole_equations *equations, struct whole_frame *frame);
/* Before the vertices of a frame. */
void whole_equations_vertices(struct whole_equations *equations, const struct whole_frame *frame);
/* Vertices from left to right, from the bottom up. x, y: ndc, y up. */
void whole_equations_vertex(struct whole_equations *equations, const struct whole_frame *frame,
                            double x, double y, double motion[WHOLE_MOTIONS]);
void whole_equations_shape(struct whole_equations *equations, const struct whole_frame *frame,
                           size_t index, int instance, double field[PRESET_SHAPE_KEYS]);
void whole_equations_wave(struct whole_equations *equations, const struct whole_frame *frame,
                          size_t index, struct whole_wave_points *points);

/* ---- whole_figures.c: what is drawn, and where vertices read ---- */

struct whole_corner {
    double x; /* in pixels, down */
    double y;
    double u; /* in the last picture */
    double v;
    double colour[WHOLE_COLOURS]; /* 0..255 */
};

enum whole_kind { WHOLE_FAN, WHOLE_STRIP, WHOLE_DOTS, WHOLE_FRAME };

/* A fan: the centre, then the rim, which is closed. */
struct whole_figure {
    enum whole_kind kind;
    size_t first; /* of the corners */
    size_t count;
    bool additive;
    bool textured;
    int dot_size;
    bool four;    /* drawn four times, moved by a pixel each */
    double outer; /* of a frame: parts of the half picture */
    double inner;
};

struct whole_figures {
    struct whole_figure *figures;
    size_t count;
    size_t capacity;
    struct whole_corner *corners;
    size_t corner_count;
    size_t corner_capacity;
};

struct whole_mesh {
    double *u; /* by vertex, row 0 at the bottom */
    double *v;
    bool drawn;
};

void whole_figures_free(struct whole_figures *figures);

/* Section 5: onto the last picture, from the last frame's mesh. */
void whole_add_vectors(struct whole_figures *figures, const struct whole_frame *frame,
                       const struct whole_mesh *mesh);
/* Section 3. */
void whole_mesh_move(struct whole_mesh *mesh, const struct whole_frame *frame,
                     struct whole_equations *equations);
/* Sections 7 and 8, in the order of section 2. */
void whole_add_overlay(struct whole_figures *figures, const struct whole_frame *frame,
                       const struct preset *preset, struct whole_equations *equations);

/* ---- whole_draw.c: pixels ---- */

/* 8 bits per channel; red, green, blue of each pixel, from the top. */
struct whole_picture {
    int width;
    int height;
    uint8_t *rgb;
};

struct whole_picture whole_picture_create(int width, int height); /* black; ends without memory */
void *whole_memory(size_t count, size_t size);                    /* zeroed; ends without memory */

/* A weight of a texel; nudged one of the two 256ths beside it. */
double whole_weight(double weight, unsigned nudge);
/* A bilinear read, 0..255, not rounded. */
void whole_sample(const struct whole_picture *picture, double u, double v, bool repeat,
                  unsigned nudge, double rgb[WHOLE_CHANNELS]);
/* Where the middle of a pixel reads: section 3, in triangles. */
void whole_mesh_at(const struct whole_mesh *mesh, const struct whole_frame *frame, int x, int y,
                   double *u, double *v);
void whole_warp(const struct whole_picture *to, const struct whole_picture *from,
                const struct whole_mesh *mesh, const struct whole_frame *frame);
void whole_draw(const struct whole_picture *to, const struct whole_picture *texture,
                const struct whole_figures *figures, unsigned nudge);
/* Section 6. phase: R3, R1, R2, which red, green and blue have. */
void whole_corner_shades(double corner[4][WHOLE_CHANNELS], double strength, double time,
                         const double phase[WHOLE_CHANNELS]);
void whole_composite(const struct whole_picture *to, const struct whole_picture *from,
                     const struct whole_frame *frame, const double phase[WHOLE_CHANNELS]);

/* 8 bits from 0..255, halves up, bounded. */
uint8_t whole_byte(double value);

/* ---- whole_shader.c: section 9 ---- */

/* What chance gave: the first twenty rotations lie fixed at load, the last four change. */
struct whole_chances {
    float rand_frame[4];
    float rand_preset[4];
    double translation[WHOLE_ROTATIONS][3];
    double angle[WHOLE_ROTATIONS][3];
    double speed[WHOLE_ROTATIONS][3];
    double phase[WHOLE_CHANNELS];
};

struct whole_blur {
    struct whole_picture pass[WHOLE_BLUR_PASSES];
};

void whole_blur_create(struct whole_blur *blur, int width, int height);
void whole_blur_free(struct whole_blur *blur);
void whole_blur_step(struct whole_blur *blur, const struct whole_picture *from, int levels,
                     const struct whole_frame *frame);

/* fixed: by binding, NULL where that is the canvas or blurred. */
struct whole_stage {
    enum shader_stage stage;
    const struct shader_ir *ir;
    const struct shader_texture *const *fixed;
};

/* The picture `to` from the canvas `from`. False where a loop did not end. */
bool whole_shade(const struct whole_stage *stage, const struct whole_picture *to,
                 const struct whole_picture *from, const struct whole_blur *blur,
                 const struct whole_mesh *mesh, const struct whole_frame *frame,
                 const struct whole_chances *chances);

#endif
