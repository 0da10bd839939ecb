/* What presets hear (spec/milk-rendering.md section 12): the waveform, its spectrum, the levels of
 * bands. */
#ifndef RENDERER_SOUND_ANALYSIS_H
#define RENDERER_SOUND_ANALYSIS_H

#include "base/os/thread.h"
#include "renderer/frame/config.h"
#include "renderer/frame/frame.h"
#include "renderer/sound/beat.h"
#include "renderer/sound/spectrum.h"

/* Loudness of three bands by filters in the time domain, as the Milkymist One has them
 * (spec/milkymist-one.md section 7, "Audio analysis"), beside those of the Fourier transform.
 *
 * Samples are whole numbers of 16 bits. At each 8th or 4th sample three filters of 128 taps give a
 * value r each, a sum of coefficient * sample. A band is the difference of two ideal low passes cut
 * to the 128 taps. The filters work on whole numbers, so their bits are the same everywhere. The
 * board forgets the past with each of its buffers; here the samples run on. */

enum {
    REND_BANDS_TAPS = 128,
    REND_BANDS_STEP_MIN = 4,
    REND_BANDS_WINDOW = REND_WAVEFORM / REND_BANDS_STEP_MIN /* outputs kept for a level */
};

/* How the filters of a row of enum rend_levels are made. */
struct rend_bands_design {
    double cutoff[REND_BANDS]; /* Hz: upper end of bass, mid, treb; bass begins at 0 */
    double scale[REND_BANDS];  /* makes white noise as loud as in the Fourier transform's bands */
    unsigned step;             /* samples from output to output: a divisor of 576, from 4 */
    int tap_shift;             /* bits that each product loses, as on the board */
    int sum_shift;             /* bits that the sum loses */
    bool left;                 /* hears the left side, as the transform does; else the mean */
    bool rising; /* hears rises and falls, which grow with the frequency as in the transform's
                  * equaliser; a little steeper, since the transform adds up magnitudes, not
                  * energies, and so counts noise for more than tones */
};

/* NULL for REND_LEVELS_FFT. */
const struct rend_bands_design *rend_bands_design(enum rend_levels levels);

struct rend_bands {
    int32_t coefficient[REND_BANDS][REND_BANDS_TAPS];
    double weight[REND_BANDS_WINDOW];                  /* of an output, by age; their sum is 1 */
    int32_t history[2 * REND_BANDS_TAPS];              /* the same samples twice, newest first */
    int64_t output[REND_BANDS][2 * REND_BANDS_WINDOW]; /* r * r, twice, newest first */
    int64_t energy[REND_BANDS]; /* of the last call: the sum of (r * r) >> 15 as on the board */
    int32_t past[2];            /* of the newest sample: itself, and how it rose */
    unsigned samples;           /* since the last output */
    int history_at;
    int output_at;
};

/* levels: one that has a design; rate: samples per second, at least 4 times the highest cutoff. */
void rend_bands_init(struct rend_bands *bands, enum rend_levels levels, double rate);

/* Takes the samples since the last frame (interleaved, -1..1; what is not finite counts as 0). */
void rend_bands_step(struct rend_bands *bands, enum rend_levels levels, const float *samples,
                     size_t count);

/* Loudness now: the root of the mean of r squared, scaled. The mean is weighted by the window of
 * the Fourier transform, at its mean place: the alignment of waveforms moves the transform's
 * samples, on average by half of the search range. levels: as in rend_bands_init. */
void rend_bands_levels(const struct rend_bands *bands, enum rend_levels levels,
                       double loudness[static REND_BANDS]);

/* From samples to what presets hear: the aligned waveform, band levels, spectra
 * (spec/milk-rendering.md section 12), the beat.
 *
 * Time passes by samples, not by frames, so that what is heard does not depend on the picture's
 * rate: averages move by the time that their samples last, a frame without samples changes nothing,
 * and one that lasts longer than a thirtieth of a second counts as several of a sixtieth. At the 30
 * and 60 frames a second for which presets are made this is what the specification says. */

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
    unsigned beats;          /* in the newest frame */
    struct rend_tempo tempo; /* of the newest frame, as it was given */
};

void rend_analysis_init(struct rend_analysis *analysis, enum rend_levels levels);

/* Takes the samples since the last frame, any number (interleaved, -1..1), and renews waveforms and
 * levels. `frame` counts from 1; fps > 0, frames per second by that count: in the first 50 frames
 * the long average moves faster; where there are fewer than 30 or more than 60 a second, in the
 * first 50 sixtieths. pool: whose threads share the work, or NULL. */
void rend_analysis_step(struct rend_analysis *analysis, struct rend_spectrum *spectrum,
                        struct base_pool *pool, const float *samples, size_t count, uint64_t frame,
                        double fps);

/* Fills the spectra of the current samples. */
void rend_analysis_spectra(struct rend_analysis *analysis, struct rend_spectrum *spectrum);

/* What the drawing stages and equations read; points into analysis. */
struct rend_sound rend_analysis_sound(const struct rend_analysis *analysis);

#endif
