#include "renderer/sound/bands.h"

#include <assert.h>
#include <math.h>

#include "base/fmath.h"

enum {
    HALF_SCALE = 32768,
    ENERGY_SHIFT = 15,
    DELAY = REND_BANDS_TAPS / 2, /* of an output behind the middle of its taps, in samples */
    ALIGNED = 48,                /* mean offset of the alignment */
};

/* The bands of the transform are so wide that every 8th value would tell too little of them. */
static const struct rend_bands_design designs[] = {
    [REND_LEVELS_FIR] = {.cutoff = {3660, 7320, 11025},
                         .scale = {0.0002145, 0.0002055, 0.000186},
                         .step = 4,
                         .sum_shift = 7,
                         .left = true,
                         .rising = true},
    [REND_LEVELS_BOARD] = {.cutoff = {150, 600, 2900},
                           .scale = {0.1145, 0.1918, 0.1492},
                           .step = 8,
                           .tap_shift = 15},
};

const struct rend_bands_design *rend_bands_design(enum rend_levels levels)
{
    return levels == REND_LEVELS_FFT ? NULL : &designs[levels];
}

/* The ideal low pass, `tap` counted from the newest sample. */
static double low_pass(int tap, double cutoff, double rate)
{
    const double t = tap - (REND_BANDS_TAPS - 1) / 2.0;
    return base_sin(2 * BASE_PI * cutoff * t / rate) / (BASE_PI * t);
}

void rend_bands_init(struct rend_bands *bands, enum rend_levels levels, double rate)
{
    const struct rend_bands_design *design = rend_bands_design(levels);
    assert(design != NULL && rate >= 4 * design->cutoff[REND_BANDS - 1]);
    *bands = (struct rend_bands){0};
    for (int tap = 0; tap < REND_BANDS_TAPS; tap++) {
        double below = 0;
        for (int band = 0; band < REND_BANDS; band++) {
            const double here = low_pass(tap, design->cutoff[band], rate);
            bands->coefficient[band][tap] = (int32_t)(HALF_SCALE * (here - below));
            below = here;
        }
    }
    double sum = 0;
    for (int age = 0; age < REND_BANDS_WINDOW; age++) {
        const int sample = REND_WAVEFORM - 1 - DELAY - ALIGNED - age * (int)design->step;
        const double angle = 2 * BASE_PI * sample / REND_WAVEFORM - BASE_PI / 2;
        const double window = sample < 0 ? 0 : 0.5 + 0.5 * base_sin(angle);
        bands->weight[age] = window * window;
        sum += bands->weight[age];
    }
    for (int age = 0; age < REND_BANDS_WINDOW; age++) {
        bands->weight[age] /= sum;
    }
}

static int32_t whole(float sample)
{
    return isfinite(sample) ? (int32_t)(fminf(fmaxf(sample, -1.0f), 1.0f) * (float)(HALF_SCALE - 1))
                            : 0;
}

static void push_sample(struct rend_bands *bands, const struct rend_bands_design *design,
                        int32_t sample)
{
    bands->history_at = (bands->history_at + REND_BANDS_TAPS - 1) % REND_BANDS_TAPS;
    bands->history[bands->history_at] = sample;
    bands->history[bands->history_at + REND_BANDS_TAPS] = sample;
    if (++bands->samples == design->step) {
        bands->samples = 0;
        const int32_t *newest = &bands->history[bands->history_at];
        bands->output_at = (bands->output_at + REND_BANDS_WINDOW - 1) % REND_BANDS_WINDOW;
        for (int band = 0; band < REND_BANDS; band++) {
            int64_t r = 0;
            for (int tap = 0; tap < REND_BANDS_TAPS; tap++) {
                r += ((int64_t)bands->coefficient[band][tap] * newest[tap]) >> design->tap_shift;
            }
            r >>= design->sum_shift;
            bands->output[band][bands->output_at] = r * r;
            bands->output[band][bands->output_at + REND_BANDS_WINDOW] = r * r;
            bands->energy[band] += (r * r) >> ENERGY_SHIFT;
        }
    }
}

/* What does not change fades: the sample before counts a little less. */
static int32_t rise(struct rend_bands *bands, int32_t sample)
{
    const int32_t rose = sample - bands->past[0] + (bands->past[0] >> 7);
    const int32_t result = 2 * rose - bands->past[1];
    bands->past[0] = sample;
    bands->past[1] = rose;
    return result;
}

void rend_bands_step(struct rend_bands *bands, enum rend_levels levels, const float *samples,
                     size_t count)
{
    const struct rend_bands_design *design = rend_bands_design(levels);
    for (int band = 0; band < REND_BANDS; band++) {
        bands->energy[band] = 0;
    }
    for (size_t i = 0; i < count; i++) {
        const int32_t left = whole(samples[2 * i]);
        const int32_t right = whole(samples[2 * i + 1]);
        const int32_t sample = design->left ? left : (left + right) >> 1;
        push_sample(bands, design, design->rising ? rise(bands, sample) : sample);
    }
}

void rend_bands_levels(const struct rend_bands *bands, enum rend_levels levels,
                       double loudness[static REND_BANDS])
{
    const struct rend_bands_design *design = rend_bands_design(levels);
    for (int band = 0; band < REND_BANDS; band++) {
        const int64_t *newest = &bands->output[band][bands->output_at];
        double sum = 0;
        for (int age = 0; age < REND_BANDS_WINDOW; age++) {
            sum += bands->weight[age] * (double)newest[age];
        }
        loudness[band] = design->scale[band] * sqrt(sum);
    }
}
