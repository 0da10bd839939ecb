/* Whatever else can compute shader stages, with the processor's bits: a graphics processor. The
 * renderer computes itself what it does not take. */
#ifndef RENDERER_SHADER_DEVICE_H
#define RENDERER_SHADER_DEVICE_H

#include <stdbool.h>
#include <stdint.h>

#include "renderer/shader/shader.h"

/* Where texels of a stage come from: pictures that change from frame to frame, the canvas and what
 * is blurred of it, or others. */
enum rend_source {
    REND_SOURCE_MAIN,
    REND_SOURCE_BLUR1,
    REND_SOURCE_BLUR2,
    REND_SOURCE_BLUR3,
    REND_SOURCES,
    REND_SOURCE_FIXED = REND_SOURCES /* none of these */
};

/* A stage as it is made ready, with the texels of its textures that are fixed. */
struct rend_device_stage {
    const struct shader_program *program;
    enum shader_stage stage;
    const struct shader_texture *textures[SHADER_TEXTURES_MAX];
    enum rend_source picture[SHADER_TEXTURES_MAX];
};

/* A canvas as a device makes memory for it. */
struct rend_device_canvas {
    const struct shader_texture *pictures[REND_SOURCES]; /* NULL: not read */
    size_t columns; /* of what stages draw at most, in whole tiles */
    size_t rows;
    int width; /* of the picture */
    int height;
    size_t listed;   /* words of a display list, at most */
    size_t vertices; /* of the mesh */
    size_t stages;   /* that are to be loaded */
};

/* Blurring: passes one after the other, each of what the one before made, the first of the canvas;
 * every second one makes a picture, from REND_SOURCE_BLUR1 on. renderer/picture/blur.h says what a
 * pass is. */
enum { REND_DEVICE_PASSES = 2 * (REND_SOURCES - REND_SOURCE_BLUR1) };

struct rend_device_axis {
    int count;              /* columns or rows of the target */
    int source;             /* those of the source */
    int taps;               /* weights of each: 2, 4, 8 or 16 */
    const int32_t *first;   /* the first one of the source for each; may lie outside */
    const int16_t *weights; /* taps of each, 0..2^14 */
    const float *light;     /* at the edge, of each; NULL: none is darkened */
};

struct rend_device_blur {
    struct rend_device_axis columns[REND_DEVICE_PASSES];
    struct rend_device_axis rows[REND_DEVICE_PASSES];
    size_t passes;
};

/* Numbers of a frame. */
struct rend_device_blurring {
    float scale[REND_DEVICE_PASSES];
    float bias[REND_DEVICE_PASSES];
    float darken; /* of the edge, where there is light */
    bool renewed; /* other texels are in the canvas */
};

enum { REND_DEVICE_CORNERS = 4 };

/* Where pixels lie: numbers of each column and each row of the picture that is drawn, in whole
 * tiles, and of the mesh's vertices. */
struct rend_device_places {
    const int32_t *cell;   /* of the mesh, in which the column lies, */
    const float *within;   /* how far into that, 0..1, */
    const float *column;   /* and its place in the picture, 0..1 */
    const int32_t *cells;  /* the row of cells in which the row lies, from below, */
    const float *up;       /* how far into those, 0..1, */
    const float *row;      /* and its place in the picture, 0..1 */
    const float *vertices; /* u and v of each, rows from below */
    size_t across;         /* vertices of a row */
    float right;           /* the aspect, with the signs that directions have */
    float down;
    float radius;                      /* what makes radii 1 in a corner */
    float hue[3][REND_DEVICE_CORNERS]; /* red, green, blue: top right and left, bottom the same */
};

/* The fixed composite stage, as renderer/picture/rows.h has it. Channels are blue, green, red. An
 * echo is a sample of the canvas where a column's and a row's position say, as tmu/kernels.h has
 * it; the guard of the canvas is not read. Pointers are good during the call. */
enum { REND_DEVICE_CHANNELS = 3 };

struct rend_device_composite_row {
    uint32_t echo;                       /* its position, 0..2^16 * height - 1 */
    int32_t shade[REND_DEVICE_CHANNELS]; /* as in struct rend_mix, at the first pixel */
    int32_t step[REND_DEVICE_CHANNELS];
};

struct rend_device_composite {
    int32_t weight[2]; /* of the picture and of its echo, as in struct rend_mix */
    unsigned filters;  /* enum rend_filter */
    bool shaded;
    bool stays;              /* as of struct rend_device_run */
    bool renewed;            /* other texels are in the canvas */
    const uint32_t *columns; /* of each its position, 0..2^16 * width - 1; NULL: no echo, and its
                                weight is 0 */
    const struct rend_device_composite_row *rows; /* of each, if it is shaded or has an echo */
};

struct rend_device_run {
    const struct shader_frame *frame; /* prepared but for its constants */
    const struct rend_device_places *places;
    size_t columns; /* of the picture, in whole tiles */
    size_t rows;
    bool renewed[REND_SOURCES]; /* other texels are in these pictures */
    bool stays; /* what is drawn is not wanted back: an overlay makes the canvas of it, or it is
                   shown from there, or `finish` brings it */
};

/* What is drawn on the warped picture: a display list (renderer/draw/list.h). */
struct rend_device_overlay {
    const uint32_t *words;
    size_t count;
    bool textured; /* an item reads the canvas as it was */
    int room;      /* where the canvas comes to */
};

/* Rooms for canvases that come back: for this one, and for the last two, of which it is made. */
enum { REND_DEVICE_ROOMS = 3 };

struct tmu_mesh;

/* The warp of presets without a shader for it (tmu/tmu.h). */
struct rend_device_warp {
    const struct tmu_mesh *mesh;
    bool wraps; /* what lies outside the canvas; else it is clamped */
    unsigned decay;
    bool renewed; /* other texels are in the canvas */
};

/* How far a picture has given way to another, as struct rend_weights (renderer/picture/rows.h). */
struct rend_device_crossing {
    int32_t offset;
    int32_t limit;
    int32_t scale;
    bool stays; /* as of struct rend_device_run */
};

/* The per-vertex equations, and where the vertices then read: spec/milk-rendering.md section 3. */
enum { REND_DEVICE_PLACE = 4, REND_DEVICE_MOTIONS = 10, REND_DEVICE_TERMS = 4 };

/* How far a vertex may read outside the picture, in pictures. */
#define REND_DEVICE_REACH 1e4f

struct pfpu_lines;

/* What stays as it is. Pointers are good during the call. */
struct rend_device_mesh {
    /* The equations (pfpu/host/lines.h). In come x y rad ang; out come the motion values that are
     * written. */
    const struct pfpu_lines *lines;
    unsigned written; /* bits of motion values: zoom zoomexp rot warp cx cy dx dy sx sy */
    size_t vertices;
    const float *rest_x; /* of each, -1..1 */
    const float *rest_y;
    const double *place[REND_DEVICE_PLACE]; /* of each x y rad ang, which floats can hold */
};

/* Numbers of a frame. */
struct rend_device_moving {
    const double *numbers;             /* of the lines */
    float motion[REND_DEVICE_MOTIONS]; /* what is not written has this value */
    float term[REND_DEVICE_TERMS];     /* of the warp's waves, */
    float phase[REND_DEVICE_TERMS];    /* with these phases */
    float inverse_scale;
    float aspect_x;
    float aspect_y;
};

/* A picture that stays on the device, for whoever shows it from there: `memory` is the device's own
 * name of it. Good until the next step. */
struct rend_device_shown {
    void *memory;
    size_t pitch; /* words of a row, 0x00RRGGBB each */
    int width;
    int height;
};

enum rend_device_answer {
    REND_DEVICE_BEGUN,
    REND_DEVICE_REFUSED, /* what is asked for is left to the processor, this time */
    REND_DEVICE_LOST
};

struct rend_device {
    void *user;
    bool draws_plain; /* presets without shaders, too, and composites without one: it is faster */
    bool lends_rooms; /* rooms are as good to the processor as memory of its own */
    /* Gives what the others know the canvas by; NULL: the device has no room. Any thread. */
    void *(*open)(void *user, const struct rend_device_canvas *canvas);
    void (*close)(void *opened); /* after its stages; any thread */
    /* Where a picture is to be filled in before a run that says so: so many texels, from the first
     * of its only level on. Waits until what was begun no longer needs it. */
    uint32_t *(*picture)(void *opened, enum rend_source picture, size_t *texels);
    /* Gives what the others know the stage by; NULL: the device does not take it. Program and
     * fixed textures outlive it. Any thread. */
    void *(*load)(void *opened, const struct rend_device_stage *stage);
    void (*unload)(void *loaded); /* any thread */
    /* Begins to draw. false: it could not, the device may be lost. The thread that steps, as all
     * that follow but for those that load and unload. */
    bool (*start)(void *loaded, const struct rend_device_run *run);
    /* Waits for what was drawn last in a canvas, also where it stays: rows of `columns` pixels,
     * until the next start. NULL: the device is lost. */
    const uint32_t *(*finish)(void *opened);
    /* Where that is. Whoever reads it there hands that over before the next start. */
    struct rend_device_shown (*shown)(void *opened);
    /* The same for blurring, which fills in pictures on the device and does not wait until they are
     * there. false: it could not, the device may be lost. */
    void *(*load_blur)(void *opened, const struct rend_device_blur *blur);
    void (*unload_blur)(void *loaded);
    bool (*blur)(void *loaded, const struct rend_device_blurring *blurring);
    /* And for what is drawn on a warped picture that stays: the canvas, REND_SOURCE_MAIN, is that
     * picture with it afterwards, and comes to a room: memory of the device for a surface of the
     * canvas's size (tmu/tmu.h), until the canvas is closed, black at first. The processor may do
     * with it as it likes but for the one that a canvas comes to, from the overlay on that names it
     * until `canvas`, which waits for it. false: the device is lost, and what comes to the room is
     * worth nothing, then and later; the other rooms stay as they are. */
    void *(*load_overlay)(void *opened);
    void (*unload_overlay)(void *loaded);
    uint32_t *(*room)(void *loaded, int index);
    bool (*overlay)(void *loaded, const struct rend_device_overlay *overlay);
    bool (*canvas)(void *loaded);
    /* Before a warp: draws on the canvas as it is, nothing textured. false: it could not. */
    bool (*change)(void *loaded, const struct rend_device_overlay *overlay);
    /* The warp along a mesh of so many cells, whose picture stays. */
    void *(*load_warp)(void *opened, int mesh_x, int mesh_y);
    void (*unload_warp)(void *loaded);
    enum rend_device_answer (*warp)(void *loaded, const struct rend_device_warp *warp);
    /* The composite without a shader, likewise begun. */
    void *(*load_composite)(void *opened);
    void (*unload_composite)(void *loaded);
    bool (*composite)(void *loaded, const struct rend_device_composite *composite);
    /* A transition to what is drawn in a canvas. when: of each of its pixels, as struct rend_way
     * has it; NULL: by the light of what leaves. Begins to mix what was drawn last in both
     * canvases, which are of the same size, in that of what comes. false: it could not, the device
     * may be lost. */
    void *(*load_cross)(void *opened, const uint16_t *when);
    void (*unload_cross)(void *loaded);
    bool (*cross)(void *loaded, void *leaving, const struct rend_device_crossing *crossing);
    /* Where vertices read, likewise begun and ended: u and v of each, until the next begin. NULL:
     * the device is lost. */
    void *(*load_vertices)(void *opened, const struct rend_device_mesh *mesh);
    void (*unload_vertices)(void *loaded);
    bool (*move)(void *loaded, const struct rend_device_moving *moving);
    const float *(*moved)(void *loaded);
};

#endif
