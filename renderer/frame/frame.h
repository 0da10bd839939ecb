/* What the stages of one frame hand to each other: the numbers of this frame after the per-frame
 * code. Every stage reads what it needs here and looks nothing up behind it. */
#ifndef RENDERER_FRAME_FRAME_H
#define RENDERER_FRAME_FRAME_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/cpu.h"

enum { REND_QS = 32, REND_TS = 8, REND_BANDS = 3, REND_WAVEFORM = 576, REND_SPECTRUM = 512 };

/* The preset's numbers that equations may change, as 32-bit floats; names as in
 * presets/milk/keys.def. Those without a variable keep their stored value. */
struct rend_values {
#define PRESET_KEY(field, ...) float field;
#include "presets/milk/keys.def"
};

/* A sample as it is taken: within -1..1; what is not finite counts as 0. */
static inline float rend_clean_sample(float sample)
{
    const float low = sample < -1.0f ? -1.0f : sample;
    const float kept = low > 1.0f ? 1.0f : low;
    return isfinite(sample) ? kept : 0.0f;
}

/* Sound of the frame, analysed (spec/milk-rendering.md section 12). */
struct rend_sound {
    const float *waveform[2]; /* aligned, REND_WAVEFORM values in +-128, oldest first */
    const float *spectrum[2]; /* REND_SPECTRUM values; only valid if the patch draws spectra */
    double level[REND_BANDS]; /* bass, mid, treb relative to the long-time average */
    double level_att[REND_BANDS];
    double absolute[REND_BANDS];
    unsigned beats;    /* in this frame */
    double beat_phase; /* 0..1; 0 while there is no tempo */
    double bar_phase;  /* 0..1 over four beats; 0 while there is no tempo */
    double bpm;        /* beats per minute; 0 while there is no tempo */
};

/* The inputs that all equations see. */
struct rend_clock {
    double time;
    double fps;
    double frame;
    double progress;
};

struct rend_list;

/* The canvas as the drawing stages see it. Seven pixels to the right of each row are there as well;
 * they keep what they hold, but may be written. */
struct rend_canvas {
    uint32_t *pixels; /* 0x00RRGGBB, row 0 at the top */
    size_t stride;    /* in pixels */
    int width;
    int height;
    int top; /* rows top..bottom - 1 are drawn: all of them, or a row band */
    int bottom;
    enum base_cpu_level cpu; /* of the kernels that draw */
    int64_t *fill_left;      /* cost that drawing may still have in this frame; NULL: no limit */
    struct base_pool *pool;  /* whose threads draw row bands; NULL: the calling one draws alone */
    struct rend_list *list;  /* notes what is to be drawn, in place of the pixels; NULL: none does.
                                All rows are drawn then, and there is no pool */
};

struct rend_held;

struct rend_frame {
    const struct rend_held *held; /* of the input (renderer/renderer.h) */
    size_t held_count;
    struct rend_values values;
    struct rend_sound sound;
    struct rend_clock clock;
    double q[REND_QS]; /* after the per-frame code */
    unsigned own;      /* bits of enum rend_family: inputs that are the preset's own variables */
    float aspect_x;    /* min(1, W/H) */
    float aspect_y;    /* min(1, H/W) */
};

#endif
