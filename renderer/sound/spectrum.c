#include "renderer/sound/spectrum.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "base/fmath.h"

enum {
    LENGTH = 1024,     /* real samples, transformed as */
    HALF = LENGTH / 2, /* complex ones: even samples are their real parts, odd ones the imaginary */
    HALF_BITS = 9,
};

struct number {
    double re;
    double im;
};

struct rend_spectrum {
    float window[REND_WAVEFORM];
    float equaliser[REND_SPECTRUM];
    struct number turn[HALF]; /* exp(-2 pi i k / LENGTH) */
    uint16_t place[HALF];     /* of a complex sample: its number with the bits in reverse */
    struct number z[HALF];
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
        spectrum->turn[k] = (struct number){base_cos(angle), -base_sin(angle)};
        for (int bit = 0; bit < HALF_BITS; bit++) {
            spectrum->place[k] |= (uint16_t)((k >> bit & 1) << (HALF_BITS - 1 - bit));
        }
    }
    return spectrum;
}

void rend_spectrum_free(struct rend_spectrum *spectrum)
{
    free(spectrum);
}

/* Transforms z, which lies in bit-reversed order: decimation in time, radix 2 (Cooley and Tukey).
 */
static void transform(struct rend_spectrum *spectrum)
{
    struct number *z = spectrum->z;
    for (int size = 2; size <= HALF; size *= 2) {
        const int stride = LENGTH / size;
        for (int from = 0; from < HALF; from += size) {
            struct number *low = z + from;
            struct number *high = low + size / 2;
            for (int j = 0; j < size / 2; j++) {
                const struct number turn = spectrum->turn[j * stride];
                const struct number turned = {high[j].re * turn.re - high[j].im * turn.im,
                                              high[j].re * turn.im + high[j].im * turn.re};
                high[j] = (struct number){low[j].re - turned.re, low[j].im - turned.im};
                low[j] = (struct number){low[j].re + turned.re, low[j].im + turned.im};
            }
        }
    }
}

void rend_spectrum_step(struct rend_spectrum *spectrum, const float waveform[static REND_WAVEFORM],
                        float magnitudes[static REND_SPECTRUM])
{
    struct number *z = spectrum->z;
    for (int i = 0; i < HALF; i++) {
        struct number sample = {0, 0};
        if (2 * i < REND_WAVEFORM) {
            sample.re = (double)(waveform[2 * i] * spectrum->window[2 * i]);
            sample.im = (double)(waveform[2 * i + 1] * spectrum->window[2 * i + 1]);
        }
        z[spectrum->place[i]] = sample;
    }
    transform(spectrum);
    for (int k = 0; k < REND_SPECTRUM; k++) {
        /* z = even + i odd, where both are the transforms of real samples. */
        const struct number here = z[k];
        const struct number there = z[(HALF - k) % HALF];
        const struct number even = {(here.re + there.re) / 2, (here.im - there.im) / 2};
        const struct number odd = {(here.im + there.im) / 2, (there.re - here.re) / 2};
        const struct number turn = spectrum->turn[k];
        const double re = even.re + (odd.re * turn.re - odd.im * turn.im);
        const double im = even.im + (odd.re * turn.im + odd.im * turn.re);
        magnitudes[k] = (float)sqrt(re * re + im * im) * spectrum->equaliser[k];
    }
}
