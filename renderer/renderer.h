/* The pure step: (state, input) -> pixels. The only door to the core for every host program.
 *
 * No clock, no file, no device, no hidden randomness: the same patch, configuration and inputs give
 * the same bytes, for any number of threads. One rend belongs to one thread at a time. After
 * rend_create and rend_load nothing here allocates, locks or formats text. */
#ifndef RENDERER_RENDERER_H
#define RENDERER_RENDERER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/cpu.h"
#include "base/os/thread.h"
#include "base/text.h"
#include "presets/milk/preset.h"
#include "renderer/frame/config.h"
#include "renderer/sound/beat.h"
#include "tmu/tmu.h"

/* A preset compiled for the host target; immutable, may be shared by several rends. */
struct rend_patch;

enum rend_patch_status {
    REND_PATCH_OK,
    REND_PATCH_DEGRADED, /* something of the preset is not drawn; messages say what */
};

/* Compiles all programs of a preset. A block with an error is dropped with a message, a shader with
 * one falls back to a plain copy, the rest works. The preset may be freed afterwards; resources
 * must outlive the patch, NULL: no pictures, nothing shared. NULL with a message when memory is
 * short. */
struct rend_resources;
struct rend_patch *rend_patch_create(const struct preset *preset, struct rend_resources *resources,
                                     const struct base_diag_sink *sink);
void rend_patch_free(struct rend_patch *patch);
enum rend_patch_status rend_patch_status(const struct rend_patch *patch);

/* Whether a stage of it is a shader. */
bool rend_patch_has_shaders(const struct rend_patch *patch);

/* What a pixel of the picture should take of one thread with AVX2, in seconds, with the finest
 * divisors: estimated from the code of its shaders, and what other stages take of most presets. */
double rend_patch_pixel_seconds(const struct rend_patch *patch);

struct rend;

/* NULL when memory is short. Creating and freeing plan a Fourier transform, and may wait for
 * another thread that does so: not for a thread that paints. */
struct rend *rend_create(const struct rend_config *config);
void rend_free(struct rend *rend);

/* Starts the patch at once: variables fresh, init programs run, the canvas keeps its picture;
 * random numbers differ with the frame at which it starts. The patch must outlive its use.
 * `planned_seconds` is for `progress` (0: progress stays 0). Returns 0, or -1 with a message when
 * memory is short; the former patch then goes on. */
int rend_load(struct rend *rend, const struct rend_patch *patch, double planned_seconds,
              const struct base_diag_sink *sink);

enum { REND_DMX_CHANNELS = 2048 };

/* A variable of equations that is held at a number in a step, in every namespace that has it: it is
 * set before programs run, and of the per-frame equations after that again, so that what they make
 * of it does not matter. Where no equation names it, nothing happens. */
struct rend_held {
    char name[24]; /* lower case, ends in NUL */
    double value;
};

/* The variables by which a MIDI control of a patch in the board's language is held: `said` at 1
 * once it has said anything, `turned` at what it says (presets/milk/controls.def). The variables
 * that are bound to it begin each frame with that. */
void rend_control_names(const struct preset_binding *binding, struct rend_held *said,
                        struct rend_held *turned);

/* The controls to which a patch has bound variables; 0 for any other preset. They live as long as
 * the patch; the names of their variables are not there. */
size_t rend_patch_controls(const struct rend_patch *patch, const struct preset_binding **controls);

struct rend_input {
    uint64_t frame;     /* of the player, counted from 1 */
    double time;        /* seconds since the player started */
    double fps;         /* > 0; what levels and the variable `fps` use */
    const float *audio; /* samples since the last frame, interleaved left and right, -1..1 */
    size_t audio_frames;
    const uint8_t *dmx; /* REND_DMX_CHANNELS levels, for dmx_in(); NULL: all 0 */
    const struct rend_held *held;
    size_t held_count;
    struct rend_tempo tempo; /* of who gives the beat; else it is what is heard */
    bool may_stay;           /* the picture, where it is drawn: rend_stays */
    bool wanted;             /* one that stays is fetched later: it comes as soon as it is drawn */
};

/* What a step noticed; zero in the normal case. Each is set in the frame in which it happens. */
enum rend_event {
    REND_EVENT_BUDGET = 1,     /* equations used up their operations: they ended early */
    REND_EVENT_MEMORY = 2,     /* megabuf pool used up: writes were dropped */
    REND_EVENT_FILL = 4,       /* shapes and lines covered too many pixels: the rest was left out */
    REND_EVENT_SHADER = 8,     /* a shader's loops used up their rounds: they ended early */
    REND_EVENT_WARP_COST = 16, /* the warp shader cost too much (rend_frame_cost): what was left of
                                  the picture is black */
    REND_EVENT_COMP_COST = 32, /* the same of the composite shader */

    /* It takes so long that a show leaves it. */
    REND_EVENTS_COSTLY =
        REND_EVENT_BUDGET | REND_EVENT_FILL | REND_EVENT_WARP_COST | REND_EVENT_COMP_COST,
};

/* The line of the preset's file that the event is about, counted from 1; 0: none in particular. */
unsigned rend_patch_line(const struct rend_patch *patch, enum rend_event event);

/* Draws one frame into pixels (0x00RRGGBB, width x height, stride in pixels). Returns rend_event
 * bits. Where the picture may stay and the device draws it, pixels are as they were. */
unsigned rend_step(struct rend *rend, const struct rend_input *input, uint32_t *pixels,
                   size_t stride);

/* Whether the picture of the last step stayed on the device; and draws it into pixels then, which
 * can be asked for until the next step. */
bool rend_stays(const struct rend *rend);
void rend_fetch(struct rend *rend, uint32_t *pixels, size_t stride);

/* Takes the sound of the input as a step does, and draws nothing: for a picture that stands still
 * while the music goes on. */
void rend_hear(struct rend *rend, const struct rend_input *input);

/* For machines that are too slow. From the next step on the shader stages are computed coarser, and
 * the result is enlarged: each of their pixels covers a square of `divisors` pixels' side (warp,
 * then comp; 1..REND_DIVISOR_MAX, 1 at first). */
enum { REND_DIVISOR_MAX = 4, REND_SHADER_STAGES = 2 };
void rend_set_divisors(struct rend *rend, const int divisors[REND_SHADER_STAGES]);

/* Live changes, by the thread that steps. A value of the preset's file, by its row in preset_keys
 * (group PRESET), that this rend has changed stays until rend_load; from the next step on equations
 * find it as they would find the file's, and their variables go on. It is kept as a file could hold
 * it: within a float, an INT rounded, a SWITCH rounded to 0 or else 1. No row is baked into a
 * patch. Nothing happens, and false comes back, for rows of other groups, for no number (NaN) and
 * without a patch. Changing bMotionVectorsOn leaves mv_a, which is what is drawn, as it is. */
bool rend_set_value(struct rend *rend, size_t key, double value);

/* What the row's value is now, before equations: the file's, or what rend_set_value made of it. 0
 * for rows of other groups, and without a patch. */
double rend_value(const struct rend *rend, size_t key);

/* Variables of the per-frame equations after the last step (before it: after the init equations),
 * for the operator to look at. Values are any doubles. */
struct rend_variable_view {
    char name[24]; /* lower case, cut, filled up with NULs */
    double value;
};
/* Writes at most `most`: the preset's own ones in the order in which it first names them, then
 * beat_*, bpm and bar_phase if they are its own, then monitor and what the preset stores, then q1
 * to q32. Returns how many there are; 0 without a patch. */
size_t rend_variables(const struct rend *rend, struct rend_variable_view *views, size_t most);

/* What a patch of the board puts out by DMX after the last step: dmx1 to dmx8 of its per-frame
 * equations, 0 to 1 as 0 to 255, rounded down as the board does. All 0 for what does not set them,
 * and without a patch. */
enum { REND_DMX_OUTPUTS = 8 };
void rend_dmx(const struct rend *rend, uint8_t levels[REND_DMX_OUTPUTS]);

/* What the last step heard. */
struct rend_heard {
    double level[3];     /* bass, mid, treb as presets see them */
    double level_att[3]; /* the same, smoothed */
    unsigned beats;      /* in the step */
    double beat_phase;   /* 0..1; 0 while there is no tempo */
    double bar_phase;    /* 0..1 over four beats; 0 while there is no tempo */
    double bpm;          /* beats per minute; 0 while there is no tempo */
};

struct rend_heard rend_heard(const struct rend *rend);

/* The beat of the music itself after the last step, whoever gives that which presets read. */
struct rend_tempo rend_own_beat(const struct rend *rend);

/* What the texture mapper did in the last step: it warped the canvas along the mesh, and enlarged a
 * second layer of it. */
struct rend_mapping {
    struct tmu_mesh mesh; /* of the rend, until its next step */
    bool wrap;
    float echo_alpha; /* up to 0: no layer */
    float echo_zoom;
    int echo_orient; /* bit 0: mirrored from left to right, bit 1: upside down */
};

/* Before the first step with a patch all vertices and values are 0. */
struct rend_mapping rend_mapping(const struct rend *rend);

#endif
