#include "whole.h"

#include <math.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

enum { LEVELS = 6, COMPARED = 480, RANGE = 96, TRANSFORM = 1024 };

struct pyramid {
    double level[LEVELS][WHOLE_WAVEFORM];
};

static void fill_pyramid(struct pyramid *pyramid, const double *waveform)
{
    memcpy(pyramid->level[0], waveform, sizeof pyramid->level[0]);
    for (int v = 1; v < LEVELS; v++) {
        for (int i = 0; i < WHOLE_WAVEFORM >> v; i++) {
            pyramid->level[v][i] =
                0.5 * (pyramid->level[v - 1][2 * i] + pyramid->level[v - 1][2 * i + 1]);
        }
    }
}

static double weight_at(int i, int count)
{
    const double p = i < count / 2 ? 2.0 * i / count : 2.0 * (count - 1 - i) / count;
    return fmin(fmax((p - 0.8) * 5 + 0.8, 0), 1);
}

static int best_offset(const struct pyramid *now, const struct pyramid *last)
{
    int low = 0;
    int high = (RANGE >> (LEVELS - 1)) - 1;
    int best = 0;
    for (int v = LEVELS - 1; v >= 0; v--) {
        const int count = COMPARED >> v;
        double least = INFINITY;
        for (int offset = low; offset <= high; offset++) {
            double error = 0;
            for (int i = 0; i < count; i++) {
                error += fabs(now->level[v][i + offset] - last->level[v][i]) * weight_at(i, count);
            }
            if (error < least) {
                least = error;
                best = offset;
            }
        }
        if (v > 0) {
            const int limit = (RANGE >> (v - 1)) - 1;
            low = 2 * best - 1 > 0 ? 2 * best - 1 : 0;
            high = 2 * best + 2 < limit ? 2 * best + 2 : limit;
        }
    }
    return best;
}

static void align(double *waveform, const double *fresh)
{
    struct pyramid now;
    struct pyramid last;
    fill_pyramid(&now, fresh);
    fill_pyramid(&last, waveform);
    const int offset = best_offset(&now, &last);
    for (int i = 0; i < WHOLE_WAVEFORM; i++) {
        waveform[i] = i + offset < WHOLE_WAVEFORM ? fresh[i + offset] : 0;
        if (offset > 0 && i >= COMPARED) {
            waveform[i] = 0;
        }
    }
}

/* Of nudges: how many last bits a magnitude and a sum of them may be off. */
enum { MAGNITUDE_BITS = 2 };

static void transform(const double *waveform, bool averaged, unsigned nudge, double *spectrum)
{
    double x[WHOLE_WAVEFORM];
    double cosine[TRANSFORM];
    double sine[TRANSFORM];
    for (int i = 0; i < TRANSFORM; i++) {
        cosine[i] = cos(2 * pi * i / TRANSFORM);
        sine[i] = sin(2 * pi * i / TRANSFORM);
    }
    for (int i = 0; i < WHOLE_WAVEFORM; i++) {
        x[i] = averaged && i > 0 ? 0.5 * (waveform[i] + waveform[i - 1]) : waveform[i];
        x[i] *= 0.5 + 0.5 * sin(2 * pi * i / WHOLE_WAVEFORM - pi / 2);
    }
    for (int k = 0; k < WHOLE_SPECTRUM; k++) {
        double real = 0;
        double imaginary = 0;
        for (int i = 0; i < WHOLE_WAVEFORM; i++) {
            real += x[i] * cosine[i * k % TRANSFORM];
            imaginary -= x[i] * sine[i * k % TRANSFORM];
        }
        const double magnitude = sqrt(real * real + imaginary * imaginary) * -0.02 *
                                 log((double)(WHOLE_SPECTRUM - k) / WHOLE_SPECTRUM);
        spectrum[k] = whole_nudged(magnitude, MAGNITUDE_BITS, nudge);
    }
}

static void set_levels(struct whole_sound *sound, double frame, double fps)
{
    static const int end[WHOLE_BANDS + 1] = {0, 85, 170, 256};
    double spectrum[WHOLE_SPECTRUM];
    transform(sound->waveform[0], false, sound->nudge, spectrum);
    for (int band = 0; band < WHOLE_BANDS; band++) {
        double now = 0;
        for (int k = end[band]; k < end[band + 1]; k++) {
            now += spectrum[k];
        }
        now = whole_nudged(now, MAGNITUDE_BITS, sound->nudge);
        double keep = pow(now > sound->average[band] ? 0.2 : 0.5, 30 / fps);
        sound->average[band] = sound->average[band] * keep + now * (1 - keep);
        keep = pow(frame < 50 ? 0.9 : 0.992, 30 / fps);
        sound->long_average[band] = sound->long_average[band] * keep + now * (1 - keep);
        const double usual = sound->long_average[band];
        sound->absolute[band] = now;
        sound->level[band] = fabs(usual) < 0.001 ? 1 : now / usual;
        sound->level_att[band] = fabs(usual) < 0.001 ? 1 : sound->average[band] / usual;
    }
}

void whole_sound_step(struct whole_sound *sound, const float *samples, size_t count, double frame,
                      double fps)
{
    for (int side = 0; side < 2; side++) {
        double *history = sound->history[side];
        for (size_t i = 0; i < count; i++) {
            memmove(history, history + 1, (WHOLE_WAVEFORM - 1) * sizeof *history);
            history[WHOLE_WAVEFORM - 1] = 128 * (double)samples[2 * i + (size_t)side];
        }
        align(sound->waveform[side], history);
        transform(history, true, sound->nudge, sound->spectrum[side]);
    }
    set_levels(sound, frame, fps);
}
