/* Spectrum of a waveform (spec/milk-rendering.md section 12). The only file that knows FFTW is
 * spectrum.c. */
#ifndef RENDERER_SPECTRUM_H
#define RENDERER_SPECTRUM_H

#include "renderer/frame.h"

struct rend_spectrum;

/* NULL without memory. Planning is FFTW's, so not for two threads at once. */
struct rend_spectrum *rend_spectrum_create(void);
void rend_spectrum_free(struct rend_spectrum *spectrum); /* NULL is fine */

/* |FFT| of REND_WAVEFORM windowed samples padded to 1024, equalised; REND_SPECTRUM values. */
void rend_spectrum_run(struct rend_spectrum *spectrum, const float *waveform, float *magnitudes);

#endif
