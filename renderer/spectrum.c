#include "renderer/spectrum.h"

#include <fftw3.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>

#include "base/fmath.h"

enum { LENGTH = 1024 };

struct rend_spectrum {
    float window[REND_WAVEFORM];
    float equaliser[REND_SPECTRUM];
    float *input;
    fftwf_complex *output;
    fftwf_plan plan;
};

/* The library keeps what it knows of plans in one place for all threads; running them needs no
 * care. */
static pthread_mutex_t planning = PTHREAD_MUTEX_INITIALIZER;

static void fill_tables(struct rend_spectrum *spectrum)
{
    for (int i = 0; i < REND_WAVEFORM; i++) {
        const double angle = 2 * BASE_PI * i / REND_WAVEFORM - BASE_PI / 2;
        spectrum->window[i] = (float)(0.5 + 0.5 * base_sin(angle));
    }
    for (int k = 0; k < REND_SPECTRUM; k++) {
        const double left = (double)(REND_SPECTRUM - k) / REND_SPECTRUM;
        spectrum->equaliser[k] = (float)(-0.02 * base_log(left));
    }
}

struct rend_spectrum *rend_spectrum_create(void)
{
    struct rend_spectrum *spectrum = calloc(1, sizeof *spectrum);
    if (spectrum == NULL) {
        return NULL;
    }
    fill_tables(spectrum);
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

void rend_spectrum_run(struct rend_spectrum *spectrum, const float *waveform, float *magnitudes)
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
