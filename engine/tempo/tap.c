#include "engine/tempo/tap.h"

#include <math.h>
#include <string.h>

#include "engine/tempo/fit.h"

static const double pause = 2;    /* seconds that end a series */
static const double bounce = 0.2; /* seconds between two taps at least */
static const double odd = 0.25;   /* of a beat: a tap that lies farther from it does not count */

enum {
    LEAST = 3, /* taps for a tempo */
    USUAL = 5, /* distances that the usual one is taken from */
};

/* The middle one of the last distances, the shorter of two. */
static double usual_distance(const struct engine_tap *tap)
{
    double sorted[USUAL];
    size_t count = 0;
    for (size_t i = tap->count - 1; i > 0 && count < USUAL; i--, count++) {
        const double distance = tap->time[i] - tap->time[i - 1];
        size_t place = count;
        for (; place > 0 && sorted[place - 1] > distance; place--) {
            sorted[place] = sorted[place - 1];
        }
        sorted[place] = distance;
    }
    return sorted[(count - 1) / 2];
}

/* Taps on the beats of this period, one of which is tap `anchor`: their beats, counted from there,
 * and times. Returns how many. */
static size_t taps_on_beat(const struct engine_tap *tap, size_t anchor, double period,
                           double beats[ENGINE_TAP_KEPT], double times[ENGINE_TAP_KEPT])
{
    size_t count = 0;
    for (size_t i = 0; i < tap->count; i++) {
        const double position = (tap->time[i] - tap->time[anchor]) / period;
        const double beat = nearbyint(position);
        if (fabs(position - beat) <= odd) {
            beats[count] = beat;
            times[count++] = tap->time[i];
        }
    }
    return count;
}

/* Lays the line through the taps on the beat of that tap with which most are. */
static void fit(struct engine_tap *tap)
{
    double beats[ENGINE_TAP_KEPT];
    double times[ENGINE_TAP_KEPT];
    const double usual = usual_distance(tap);
    size_t best = tap->count - 1;
    size_t most = 0;
    for (size_t i = tap->count; i-- > 0;) {
        const size_t count = taps_on_beat(tap, i, usual, beats, times);
        if (count > most) {
            most = count;
            best = i;
        }
    }
    if (most < LEAST) {
        return;
    }
    const size_t count = taps_on_beat(tap, best, usual, beats, times);
    const struct engine_fit line = engine_fit_line(beats, times, count);
    const double last = beats[count - 1];
    const double at = line.value + line.slope * last;
    /* The count goes on from the line before. */
    const double known =
        tap->period > 0 ? tap->beat + (at - tap->at) / tap->period : last - beats[0];
    tap->beat = nearbyint(known);
    tap->at = at;
    tap->period = line.slope;
}

bool engine_tap_take(struct engine_tap *tap, double now)
{
    const double since = tap->count > 0 ? now - tap->time[tap->count - 1] : pause;
    if (since >= 0 && since < bounce) {
        return tap->period > 0;
    }
    if (since < 0 || since >= pause) {
        *tap = (struct engine_tap){.count = 0};
    }
    if (tap->count == ENGINE_TAP_KEPT) {
        memmove(tap->time, tap->time + 1, (ENGINE_TAP_KEPT - 1) * sizeof *tap->time);
        tap->count--;
    }
    tap->time[tap->count++] = now;
    if (tap->count >= LEAST) {
        fit(tap);
    }
    return tap->period > 0;
}
