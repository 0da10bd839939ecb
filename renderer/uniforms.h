/* The numbers that shaders read and that are the same for all pixels of a frame
 * (spec/milk-rendering.md section 9.2). Chances are pure functions of a seed and, some of them, of
 * the frame's number. */
#ifndef RENDERER_UNIFORMS_H
#define RENDERER_UNIFORMS_H

#include <stdint.h>

#include "renderer/blur.h"
#include "renderer/frame.h"
#include "renderer/shader/shader.h"

enum { REND_ROTATIONS = 20, REND_RANDOM_ROTATIONS = 4 };

/* What a preset leaves to chance when it is loaded; the same for both stages. */
struct rend_preset_chances {
    float rand[4];                         /* rand_preset: 0..1 */
    double translation[REND_ROTATIONS][3]; /* -1..1; rotations in the order s d f vf uf */
    double angle[REND_ROTATIONS][3];       /* 0..6.28, about x y z */
    double speed[REND_ROTATIONS][3];       /* radians per second */
};
struct rend_preset_chances rend_preset_chances(uint64_t seed);

/* What each frame leaves to chance; the same for both stages. */
struct rend_frame_chances {
    float rand[4];                                /* rand_frame: 0..1 */
    double translation[REND_RANDOM_ROTATIONS][3]; /* 0..1 */
    double angle[REND_RANDOM_ROTATIONS][3];       /* 0..6.28 */
};
struct rend_frame_chances rend_frame_chances(uint64_t seed, uint64_t frame);

struct rend_uniform_source {
    double time;        /* seconds since the preset was loaded */
    double player_time; /* seconds since the player started */
    double fps;
    double frame;
    double progress;
    double level[REND_BANDS]; /* bass mid treb */
    double level_att[REND_BANDS];
    int width; /* of the canvas */
    int height;
    double q[REND_QS];                /* after the per-frame code */
    float blur_min[REND_BLUR_LEVELS]; /* of rend_blur_ranges */
    float blur_max[REND_BLUR_LEVELS];
    struct rend_frame_chances frame_chances;
    const struct rend_preset_chances *preset_chances;
};

/* Fills every slot. Numbers become 32-bit floats; one that is NaN or too large stays so. */
void rend_uniforms_fill(float out[SHADER_SLOTS], const struct rend_uniform_source *source);

#endif
