/* Spectrum of a waveform (spec/milk-rendering.md section 12). The only file that knows FFTW is
 * analysis.c. */
#ifndef RENDERER_SOUND_ANALYSIS_H
#define RENDERER_SOUND_ANALYSIS_H

#include "renderer/frame/config.h"
#include "renderer/frame/frame.h"
#include "renderer/sound/bands.h"
#include "renderer/sound/beat.h"

struct rend_spectrum;

/* NULL without memory. Creating and freeing may wait for another thread that does so. */
struct rend_spectrum *rend_spectrum_create(void);
void rend_spectrum_free(struct rend_spectrum *spectrum); /* NULL is fine */

/* From samples to what presets hear: the aligned waveform, band levels, spectra
 * (spec/milk-rendering.md section 12), the beat. */

/* Mutable state of the analysis; rend_analysis_init, or all zero for REND_LEVELS_FFT. */
struct rend_analysis {
    enum rend_levels levels;          /* what fills `absolute` */
    float history[2][REND_WAVEFORM];  /* the newest samples as they came, +-128 */
    float waveform[2][REND_WAVEFORM]; /* aligned to the last frame's */
    float spectrum[2][REND_SPECTRUM]; /* for custom waves; filled on demand */
    double average[REND_BANDS];
    double long_average[REND_BANDS];
    double absolute[REND_BANDS];
    struct rend_bands bands; /* unless `levels` is REND_LEVELS_FFT */
    struct rend_beat beat;
    bool beat_now; /* in the newest frame */
};

void rend_analysis_init(struct rend_analysis *analysis, enum rend_levels levels);

/* Takes the samples since the last frame (interleaved, -1..1) and renews waveforms and levels.
 * `frame` counts from 1; fps > 0. */
void rend_analysis_step(struct rend_analysis *analysis, struct rend_spectrum *spectrum,
                        const float *samples, size_t count, uint64_t frame, double fps);

/* Fills the spectra of the current samples. */
void rend_analysis_spectra(struct rend_analysis *analysis, struct rend_spectrum *spectrum);

/* What the drawing stages and equations read; points into analysis. */
struct rend_sound rend_analysis_sound(const struct rend_analysis *analysis);

#endif
