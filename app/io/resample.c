#include "app/io/resample.h"

#include <limits.h>
#include <samplerate.h>
#include <stdlib.h>

struct app_resample {
    SRC_STATE *state;
    double ratio; /* frames out for each frame in */
};

struct app_resample *app_resample_create(int from, int to, enum app_resample_quality quality)
{
    if (from <= 0 || to <= 0 || !src_is_valid_ratio((double)to / from)) {
        return NULL;
    }
    struct app_resample *resample = calloc(1, sizeof *resample);
    if (resample == NULL) {
        return NULL;
    }
    int error = 0;
    const int type = quality == APP_RESAMPLE_LIVE ? SRC_SINC_FASTEST : SRC_SINC_MEDIUM_QUALITY;
    resample->ratio = (double)to / from;
    resample->state = src_new(type, 2, &error);
    if (resample->state == NULL) {
        free(resample);
        return NULL;
    }
    return resample;
}

void app_resample_destroy(struct app_resample *resample)
{
    if (resample != NULL) {
        (void)src_delete(resample->state);
        free(resample);
    }
}

void app_resample_reset(struct app_resample *resample)
{
    (void)src_reset(resample->state);
}

static long clamped(size_t frames)
{
    return frames > INT_MAX / 4 ? INT_MAX / 4 : (long)frames;
}

size_t app_resample_run(struct app_resample *resample, const float *in, size_t *frames_in,
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
