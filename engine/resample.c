#include "engine/resample.h"

#include <limits.h>
#include <math.h>
#include <samplerate.h>
#include <stdlib.h>

void engine_samples_clean(float *samples, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const float sample = isfinite(samples[i]) ? samples[i] : 0.0f;
        samples[i] = sample > 1.0f ? 1.0f : sample < -1.0f ? -1.0f : sample;
    }
}

struct engine_resample {
    SRC_STATE *state;
    double ratio; /* frames out for each frame in */
};

struct engine_resample *engine_resample_create(int from, int to,
                                               enum engine_resample_quality quality)
{
    if (from <= 0 || to <= 0 || !src_is_valid_ratio((double)to / from)) {
        return NULL;
    }
    struct engine_resample *resample = calloc(1, sizeof *resample);
    if (resample == NULL) {
        return NULL;
    }
    int error = 0;
    const int type = quality == ENGINE_RESAMPLE_LIVE ? SRC_SINC_FASTEST : SRC_SINC_MEDIUM_QUALITY;
    resample->ratio = (double)to / from;
    resample->state = src_new(type, 2, &error);
    if (resample->state == NULL) {
        free(resample);
        return NULL;
    }
    return resample;
}

void engine_resample_destroy(struct engine_resample *resample)
{
    if (resample != NULL) {
        (void)src_delete(resample->state);
        free(resample);
    }
}

void engine_resample_reset(struct engine_resample *resample)
{
    (void)src_reset(resample->state);
}

static long clamped(size_t frames)
{
    return frames > INT_MAX / 4 ? INT_MAX / 4 : (long)frames;
}

size_t engine_resample_run(struct engine_resample *resample, const float *in, size_t *frames_in,
                           float *out, size_t frames_out, bool last)
{
    SRC_DATA data = {
        .data_in = in,
        .data_out = out,
        .input_frames = clamped(*frames_in),
        .output_frames = clamped(frames_out),
        .end_of_input = last,
        .src_ratio = resample->ratio,
    };
    *frames_in = 0;
    if (src_process(resample->state, &data) != 0) {
        return 0;
    }
    *frames_in = (size_t)data.input_frames_used;
    return (size_t)data.output_frames_gen;
}
