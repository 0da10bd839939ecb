#include "renderer/sound/analysis.h"

#include <fftw3.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/fmath.h"

enum { LENGTH = 1024 };

struct rend_spectrum {
    float window[REND_WAVEFORM];
    float equaliser[REND_SPECTRUM];
    float *input;
    fftwf_complex *output;
    fftwf_plan plan;
};

/* The library keeps what it knows of plans in one place for all threads; running a plan is
 * safe on any thread. */
static pthread_mutex_t planning = PTHREAD_MUTEX_INITIALIZER;

struct rend_spectrum *rend_spectrum_create(void)
{
    struct rend_spectrum *spectrum = calloc(1, sizeof *spectrum);
    if (spectrum == NULL) {
        return NULL;
    }
    for (int i = 0; i < REND_WAVEFORM; i++) {
        const double angle = 2 * BASE_PI * i / REND_WAVEFORM - BASE_PI / 2;
        spectrum->window[i] = (float)(0.5 + 0.5 * base_sin(angle));
    }
    for (int k = 0; k < REND_SPECTRUM; k++) {
        const double left = (double)(REND_SPECTRUM - k) / REND_SPECTRUM;
        spectrum->equaliser[k] = (float)(-0.02 * base_log(left));
    }
    spectrum->input = fftwf_alloc_real(LENGTH);
    spectrum->output = fftwf_alloc_complex(LENGTH / 2 + 1);
    if (spectrum->input != NULL && spectrum->output != NULL) {
        /* Nothing is measured and no SIMD code is chosen, so that one version of the library
         * computes the same bits on every processor. */
        (void)pthread_mutex_lock(&planning);
        spectrum->plan = fftwf_plan_dft_r2c_1d(LENGTH, spectrum->input, spectrum->output,
                                               FFTW_ESTIMATE | FFTW_NO_SIMD);
        (void)pthread_mutex_unlock(&planning);
    }
    if (spectrum->plan == NULL) {
        rend_spectrum_free(spectrum);
        return NULL;
    }
    return spectrum;
}

void rend_spectrum_free(struct rend_spectrum *spectrum)
{
    if (spectrum == NULL) {
        return;
    }
    if (spectrum->plan != NULL) {
        (void)pthread_mutex_lock(&planning);
        fftwf_destroy_plan(spectrum->plan);
        (void)pthread_mutex_unlock(&planning);
    }
    fftwf_free(spectrum->input);
    fftwf_free(spectrum->output);
    free(spectrum);
}

/* |FFT| of REND_WAVEFORM windowed samples padded to LENGTH, equalised; REND_SPECTRUM values. */
static void run_spectrum(struct rend_spectrum *spectrum, const float *waveform, float *magnitudes)
{
    for (int i = 0; i < REND_WAVEFORM; i++) {
        spectrum->input[i] = waveform[i] * spectrum->window[i];
    }
    for (int i = REND_WAVEFORM; i < LENGTH; i++) {
        spectrum->input[i] = 0;
    }
    fftwf_execute(spectrum->plan);
    for (int k = 0; k < REND_SPECTRUM; k++) {
        const float re = spectrum->output[k][0];
        const float im = spectrum->output[k][1];
        magnitudes[k] = sqrtf(re * re + im * im) * spectrum->equaliser[k];
    }
}

static void append(struct rend_analysis *analysis, const float *samples, size_t count)
{
    if (count > REND_WAVEFORM) {
        samples += 2 * (count - REND_WAVEFORM);
        count = REND_WAVEFORM;
    }
    const size_t kept = REND_WAVEFORM - count;
    for (size_t side = 0; side < 2; side++) {
        float *history = analysis->history[side];
        memmove(history, history + count, kept * sizeof *history);
        for (size_t i = 0; i < count; i++) {
            const float sample = samples[2 * i + side];
            history[kept + i] =
                isfinite(sample) ? fminf(fmaxf(sample, -1.0f), 1.0f) * 128.0f : 0.0f;
        }
    }
}

/* Alignment: six levels of halved resolution, searched from coarse to fine. */
enum { LEVELS = 6, COMPARED = 480, OFFSETS = REND_WAVEFORM - COMPARED };

struct pyramid {
    float level[LEVELS][REND_WAVEFORM];
};

static void build_pyramid(struct pyramid *pyramid, const float *waveform)
{
    memcpy(pyramid->level[0], waveform, sizeof pyramid->level[0]);
    for (int v = 1; v < LEVELS; v++) {
        for (int i = 0; i < REND_WAVEFORM >> v; i++) {
            pyramid->level[v][i] =
                0.5f * (pyramid->level[v - 1][2 * i] + pyramid->level[v - 1][2 * i + 1]);
        }
    }
}

static int best_offset(const float *fresh, const float *old, int level, int first, int last)
{
    const int n = COMPARED >> level;
    float weights[COMPARED];
    for (int i = 0; i < n; i++) {
        const int from_end = i < n / 2 ? i : n - 1 - i;
        const float p = 2.0f * (float)from_end / (float)n;
        weights[i] = fminf(fmaxf((p - 0.8f) * 5.0f + 0.8f, 0.0f), 1.0f);
    }
    int best = first;
    float best_error = INFINITY;
    for (int offset = first; offset <= last; offset++) {
        float error = 0;
        for (int i = 0; i < n; i++) {
            error += fabsf(fresh[i + offset] - old[i]) * weights[i];
        }
        if (error < best_error) {
            best_error = error;
            best = offset;
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
static double decay_towards(double average, double now, double rate, double fps)
{
    const double keep = base_pow(rate, 30.0 / fps);
    return average * keep + now * (1 - keep);
}

void rend_analysis_init(struct rend_analysis *analysis, enum rend_levels levels)
{
    *analysis = (struct rend_analysis){.levels = levels};
    if (levels != REND_LEVELS_FFT) {
        rend_bands_init(&analysis->bands, levels, REND_AUDIO_RATE);
    }
}

void rend_analysis_step(struct rend_analysis *analysis, struct rend_spectrum *spectrum,
                        const float *samples, size_t count, uint64_t frame, double fps)
{
    append(analysis, samples, count);
    for (size_t side = 0; side < 2; side++) {
        align(analysis->waveform[side], analysis->history[side]);
    }
    if (analysis->levels == REND_LEVELS_FFT) {
        float magnitudes[REND_SPECTRUM];
        run_spectrum(spectrum, analysis->waveform[0], magnitudes);
        static const int edges[REND_BANDS + 1] = {0, 85, 170, 256};
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
    analysis->beat_now = rend_beat_step(&analysis->beat, samples, count);
    for (int band = 0; band < REND_BANDS; band++) {
        const double now = analysis->absolute[band];
        const double average = analysis->average[band];
        analysis->average[band] = decay_towards(average, now, now > average ? 0.2 : 0.5, fps);
        analysis->long_average[band] =
            decay_towards(analysis->long_average[band], now, frame < 50 ? 0.9 : 0.992, fps);
    }
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
        run_spectrum(spectrum, averaged, analysis->spectrum[side]);
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
        .beat = analysis->beat_now,
        .beat_phase = rend_beat_phase(&analysis->beat),
        .bpm = rend_beat_bpm(&analysis->beat),
    };
    for (int band = 0; band < REND_BANDS; band++) {
        const double average = analysis->long_average[band];
        sound.level[band] = relative(analysis->absolute[band], average);
        sound.level_att[band] = relative(analysis->average[band], average);
        sound.absolute[band] = analysis->absolute[band];
    }
    return sound;
}
