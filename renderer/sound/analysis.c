/* What presets hear: the waveform, its spectrum, and the loudness of bands by the spectrum or by
 * filters. */
#include "renderer/sound/analysis.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/fmath.h"

/* ---- bands by filters ---- */

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

void rend_bands_init(struct rend_bands *bands, enum rend_levels levels, double rate)
{
    const struct rend_bands_design *design = rend_bands_design(levels);
    assert(design != NULL && rate >= 4 * design->cutoff[REND_BANDS - 1]);
    *bands = (struct rend_bands){0};
    for (int tap = 0; tap < REND_BANDS_TAPS; tap++) {
        double below = 0;
        for (int band = 0; band < REND_BANDS; band++) {
            /* The ideal low pass, `tap` counted from the newest sample. */
            const double t = tap - (REND_BANDS_TAPS - 1) / 2.0;
            const double here =
                base_sin(2 * BASE_PI * design->cutoff[band] * t / rate) / (BASE_PI * t);
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
    return (int32_t)(rend_clean_sample(sample) * (float)(HALF_SCALE - 1));
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
        int32_t sample = design->left ? left : (left + right) >> 1;
        if (design->rising) {
            /* What does not change fades: the sample before counts a little less. */
            const int32_t rose = sample - bands->past[0] + (bands->past[0] >> 7);
            const int32_t before = bands->past[1];
            bands->past[0] = sample;
            bands->past[1] = rose;
            sample = 2 * rose - before;
        }
        push_sample(bands, design, sample);
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

/* ---- waveforms ---- */

static void append(float *history, const float *samples, size_t side, size_t count)
{
    if (count > REND_WAVEFORM) {
        samples += 2 * (count - REND_WAVEFORM);
        count = REND_WAVEFORM;
    }
    const size_t kept = REND_WAVEFORM - count;
    memmove(history, history + count, kept * sizeof *history);
    for (size_t i = 0; i < count; i++) {
        history[kept + i] = rend_clean_sample(samples[2 * i + side]) * 128.0f;
    }
}

/* Alignment: six levels of halved resolution, searched from coarse to fine. */
enum { LEVELS = 6, COMPARED = 480, OFFSETS = REND_WAVEFORM - COMPARED };

/* Offsets that are compared at once: each one's sum is a long row of additions that wait for each
 * other. */
enum { TOGETHER = 4 };

struct pyramid {
    float level[LEVELS][REND_WAVEFORM + TOGETHER]; /* behind its samples zeros */
};

static void build_pyramid(struct pyramid *pyramid, const float *waveform)
{
    memcpy(pyramid->level[0], waveform, REND_WAVEFORM * sizeof *waveform);
    memset(pyramid->level[0] + REND_WAVEFORM, 0, TOGETHER * sizeof *waveform);
    for (int v = 1; v < LEVELS; v++) {
        const int count = REND_WAVEFORM >> v;
        for (int i = 0; i < count; i++) {
            pyramid->level[v][i] =
                0.5f * (pyramid->level[v - 1][2 * i] + pyramid->level[v - 1][2 * i + 1]);
        }
        memset(pyramid->level[v] + count, 0, TOGETHER * sizeof *waveform);
    }
}

static int best_offset(const float *fresh, const float *old, int level, int first, int last)
{
    const int n = COMPARED >> level;
    float weights[COMPARED];
    for (int i = 0; i < n; i++) {
        const int from_end = i < n / 2 ? i : n - 1 - i;
        const float p = 2.0f * (float)from_end / (float)n;
        const float weight = (p - 0.8f) * 5.0f + 0.8f;
        weights[i] = weight < 0.0f ? 0.0f : weight > 1.0f ? 1.0f : weight;
    }
    int best = first;
    float best_error = INFINITY;
    for (int from = first; from <= last; from += TOGETHER) {
        float error[TOGETHER] = {0};
        for (int i = 0; i < n; i++) {
            for (int k = 0; k < TOGETHER; k++) {
                error[k] += fabsf(fresh[i + from + k] - old[i]) * weights[i];
            }
        }
        for (int k = 0; k < TOGETHER && from + k <= last; k++) {
            if (error[k] < best_error) {
                best_error = error[k];
                best = from + k;
            }
        }
    }
    return best;
}

static void align(float *aligned, const float *fresh)
{
    struct pyramid now;
    struct pyramid before;
    build_pyramid(&now, fresh);
    build_pyramid(&before, aligned);
    int first = 0;
    int last = (OFFSETS >> (LEVELS - 1)) - 1;
    int offset = 0;
    for (int v = LEVELS - 1; v >= 0; v--) {
        offset = best_offset(now.level[v], before.level[v], v, first, last);
        const int limit = v > 0 ? (OFFSETS >> (v - 1)) - 1 : 0;
        first = 2 * offset - 1 < 0 ? 0 : 2 * offset - 1;
        last = 2 * offset + 2 > limit ? limit : 2 * offset + 2;
    }
    const size_t kept = (size_t)(REND_WAVEFORM - offset);
    memcpy(aligned, fresh + offset, kept * sizeof *aligned);
    if (offset > 0) {
        memset(aligned + COMPARED, 0, (REND_WAVEFORM - COMPARED) * sizeof *aligned);
    }
}

/* Exponential moving average; `rate` is kept in a thirtieth of a second. */
static double decay_towards(double average, double now, double rate, double thirtieths)
{
    const double keep = base_pow(rate, thirtieths);
    return average * keep + now * (1 - keep);
}

void rend_analysis_init(struct rend_analysis *analysis, enum rend_levels levels)
{
    *analysis = (struct rend_analysis){.levels = levels};
    if (levels != REND_LEVELS_FFT) {
        rend_bands_init(&analysis->bands, levels, REND_AUDIO_RATE);
    }
}

enum {
    MEASURED = REND_AUDIO_RATE / 60,                   /* samples: a frame of 60 a second */
    MEASURED_MAX = REND_AUDIO_RATE * 1001 / 30000 + 1, /* a frame of 29.97 a second */
    SETTLING_FRAMES = 50,
};

/* Renews the levels by some samples. */
static void measure(struct rend_analysis *analysis, struct rend_spectrum *spectrum,
                    const float *samples, size_t count, bool settling)
{
    if (analysis->levels == REND_LEVELS_FFT) {
        enum { HEARD = 256 };
        static const int edges[REND_BANDS + 1] = {0, 85, 170, HEARD};
        float magnitudes[HEARD];
        rend_spectrum_step(spectrum, analysis->waveform[0], magnitudes, HEARD);
        for (int band = 0; band < REND_BANDS; band++) {
            double sum = 0;
            for (int k = edges[band]; k < edges[band + 1]; k++) {
                sum += (double)magnitudes[k];
            }
            analysis->absolute[band] = sum;
        }
    } else {
        rend_bands_step(&analysis->bands, analysis->levels, samples, count);
        rend_bands_levels(&analysis->bands, analysis->levels, analysis->absolute);
    }
    const double thirtieths = 30.0 * (double)count / REND_AUDIO_RATE;
    for (int band = 0; band < REND_BANDS; band++) {
        const double now = analysis->absolute[band];
        const double average = analysis->average[band];
        analysis->average[band] =
            decay_towards(average, now, now > average ? 0.2 : 0.5, thirtieths);
        analysis->long_average[band] =
            decay_towards(analysis->long_average[band], now, settling ? 0.9 : 0.992, thirtieths);
    }
}

/* Jobs of a step: levels, which hear the left side only, the right side, and the beat. */
enum { LISTEN_LEFT, LISTEN_RIGHT, LISTEN_BEAT, LISTENERS };

struct listening {
    struct rend_analysis *analysis;
    struct rend_spectrum *spectrum;
    const float *samples;
    size_t count;
    size_t parts; /* of at most MEASURED_MAX samples */
    bool settling;
};

static void listen(void *user, size_t job)
{
    const struct listening *listening = user;
    struct rend_analysis *analysis = listening->analysis;
    if (job == LISTEN_BEAT) {
        analysis->beats = rend_beat_step(&analysis->beat, listening->samples, listening->count);
        return;
    }
    for (size_t part = 0, from = 0; part < listening->parts; part++) {
        const size_t to = listening->count * (part + 1) / listening->parts;
        const float *samples = listening->samples + 2 * from;
        append(analysis->history[job], samples, job, to - from);
        align(analysis->waveform[job], analysis->history[job]);
        if (job == LISTEN_LEFT) {
            measure(analysis, listening->spectrum, samples, to - from, listening->settling);
        }
        from = to;
    }
}

void rend_analysis_step(struct rend_analysis *analysis, struct rend_spectrum *spectrum,
                        struct base_pool *pool, const float *samples, size_t count, uint64_t frame,
                        double fps)
{
    const bool usual = fps <= 60 && REND_AUDIO_RATE / fps <= MEASURED_MAX;
    struct listening listening = {
        .analysis = analysis,
        .spectrum = spectrum,
        .samples = samples,
        .count = count,
        .parts = count > MEASURED_MAX ? (count + MEASURED / 2) / MEASURED : count > 0,
        .settling = (double)frame * (usual ? 1 : 60 / fps) < SETTLING_FRAMES,
    };
    base_pool_run(pool, listen, &listening, LISTENERS);
}

void rend_analysis_spectra(struct rend_analysis *analysis, struct rend_spectrum *spectrum)
{
    for (size_t side = 0; side < 2; side++) {
        const float *w = analysis->history[side];
        float averaged[REND_WAVEFORM];
        averaged[0] = w[0];
        for (int i = 1; i < REND_WAVEFORM; i++) {
            averaged[i] = 0.5f * (w[i] + w[i - 1]);
        }
        rend_spectrum_step(spectrum, averaged, analysis->spectrum[side], REND_SPECTRUM);
    }
}

static double relative(double value, double average)
{
    return fabs(average) < 0.001 ? 1.0 : value / average;
}

struct rend_sound rend_analysis_sound(const struct rend_analysis *analysis)
{
    struct rend_sound sound = {
        .waveform = {analysis->waveform[0], analysis->waveform[1]},
        .spectrum = {analysis->spectrum[0], analysis->spectrum[1]},
        .beats = analysis->beats,
        .beat_phase = rend_beat_phase(&analysis->beat),
        .bpm = rend_beat_bpm(&analysis->beat),
    };
    const struct rend_tempo *tempo = &analysis->tempo;
    if (tempo->given) {
        sound.beats = tempo->passed;
        sound.beat_phase = rend_beat_part(tempo->beats);
        sound.bpm = tempo->bpm;
    }
    if (sound.bpm > 0) {
        sound.bar_phase =
            rend_bar_part(tempo->given ? tempo->beats : rend_beat_count(&analysis->beat));
    }
    for (int band = 0; band < REND_BANDS; band++) {
        const double average = analysis->long_average[band];
        sound.level[band] = relative(analysis->absolute[band], average);
        sound.level_att[band] = relative(analysis->average[band], average);
        sound.absolute[band] = analysis->absolute[band];
    }
    return sound;
}
