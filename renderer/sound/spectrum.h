/* The spectrum of what presets hear (spec/milk-rendering.md section 12): how loud each frequency of
 * a waveform is. The Fourier transform is froth's own, for its last bits reach pixels: a library's
 * differ between processors. */
#ifndef RENDERER_SOUND_SPECTRUM_H
#define RENDERER_SOUND_SPECTRUM_H

#include "renderer/frame/frame.h"

/* Tables, and room to compute in; for one thread at a time. */
struct rend_spectrum;

/* NULL without memory. */
struct rend_spectrum *rend_spectrum_create(void);
void rend_spectrum_free(struct rend_spectrum *spectrum); /* NULL is fine */

/* The lowest `count` magnitudes, at most REND_SPECTRUM, of the transform of the windowed waveform,
 * padded with zeros to 1024 samples, equalised. waveform: finite. */
void rend_spectrum_step(struct rend_spectrum *spectrum, const float waveform[static REND_WAVEFORM],
                        float *magnitudes, int count);

#endif
