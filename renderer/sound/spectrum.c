#include "renderer/sound/spectrum.h"

#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#include "base/fmath.h"

enum {
    LENGTH = 1024,     /* real samples, transformed as */
    HALF = LENGTH / 2, /* complex ones: even samples are their real parts, odd ones the imaginary */
    HALF_BITS = 9,
};

struct rend_spectrum {
    float window[REND_WAVEFORM];
    float equaliser[REND_SPECTRUM];
    uint16_t place[HALF]; /* of a complex sample: its number with the bits in reverse */
    double turn_re[HALF]; /* exp(-2 pi i k / LENGTH) */
    double turn_im[HALF];
    double stage_re[HALF]; /* those of the transform's stages, one after the other: size / 2 each,
                            * from size / 2 on */
    double stage_im[HALF];
    double re[HALF];
    double im[HALF];
};

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
    for (int k = 0; k < HALF; k++) {
        const double angle = 2 * BASE_PI * k / LENGTH;
        spectrum->turn_re[k] = base_cos(angle);
        spectrum->turn_im[k] = -base_sin(angle);
        for (int bit = 0; bit < HALF_BITS; bit++) {
            spectrum->place[k] |= (uint16_t)((k >> bit & 1) << (HALF_BITS - 1 - bit));
        }
    }
    for (int half = 1; half < HALF; half *= 2) {
        for (int j = 0; j < half; j++) {
            spectrum->stage_re[half + j] = spectrum->turn_re[j * (HALF / half)];
            spectrum->stage_im[half + j] = spectrum->turn_im[j * (HALF / half)];
        }
    }
    return spectrum;
}

void rend_spectrum_free(struct rend_spectrum *spectrum)
{
    free(spectrum);
}

/* One stage of a transform for a row of pairs. */
static void turn_pairs(double *restrict re, double *restrict im, const double *restrict turn_re,
                       const double *restrict turn_im, int half)
{
    for (int j = 0; j < half; j++) {
        const double high_re = re[half + j] * turn_re[j] - im[half + j] * turn_im[j];
        const double high_im = re[half + j] * turn_im[j] + im[half + j] * turn_re[j];
        const double low_re = re[j];
        const double low_im = im[j];
        re[half + j] = low_re - high_re;
        im[half + j] = low_im - high_im;
        re[j] = low_re + high_re;
        im[j] = low_im + high_im;
    }
}

/* Transforms what lies in bit-reversed order: decimation in time, radix 2 (Cooley and Tukey). */
static void transform(struct rend_spectrum *spectrum)
{
    for (int half = 1; half < HALF; half *= 2) {
        for (int from = 0; from < HALF; from += 2 * half) {
            turn_pairs(spectrum->re + from, spectrum->im + from, spectrum->stage_re + half,
                       spectrum->stage_im + half, half);
        }
    }
}

void rend_spectrum_step(struct rend_spectrum *spectrum, const float waveform[static REND_WAVEFORM],
                        float *magnitudes, int count)
{
    double *re = spectrum->re;
    double *im = spectrum->im;
    for (int i = 0; i < HALF; i++) {
        const int place = spectrum->place[i];
        const bool filled = 2 * i < REND_WAVEFORM;
        re[place] = filled ? (double)(waveform[2 * i] * spectrum->window[2 * i]) : 0;
        im[place] = filled ? (double)(waveform[2 * i + 1] * spectrum->window[2 * i + 1]) : 0;
    }
    transform(spectrum);
    assert(count <= REND_SPECTRUM);
    for (int k = 0; k < count; k++) {
        /* even + i odd, where both are the transforms of real samples. */
        const int there = (HALF - k) % HALF;
        const double even_re = (re[k] + re[there]) / 2;
        const double even_im = (im[k] - im[there]) / 2;
        const double odd_re = (im[k] + im[there]) / 2;
        const double odd_im = (re[there] - re[k]) / 2;
        const double turn_re = spectrum->turn_re[k];
        const double turn_im = spectrum->turn_im[k];
        const double sum_re = even_re + (odd_re * turn_re - odd_im * turn_im);
        const double sum_im = even_im + (odd_re * turn_im + odd_im * turn_re);
        magnitudes[k] = (float)sqrt(sum_re * sum_re + sum_im * sum_im) * spectrum->equaliser[k];
    }
}
