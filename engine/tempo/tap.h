/* Tempo and phase from taps. */
#ifndef ENGINE_TEMPO_TAP_H
#define ENGINE_TEMPO_TAP_H

#include <stdbool.h>
#include <stdint.h>

enum { ENGINE_TAP_KEPT = 8 };

/* All state; zero at the start. */
struct engine_tap {
    double time[ENGINE_TAP_KEPT]; /* of the last taps of this series, the oldest first */
    uint32_t count;
    /* The line through those that count: */
    double period; /* seconds from beat to beat; 0: not known yet */
    double beat;   /* at the last of them, counted from the first tap of the series */
    double at;     /* its time */
};

/* Takes a tap at `now` (seconds). Two seconds without one, or a time before the last, begin a new
 * series; its first tap is the first beat of a bar. A tap within a fifth of a second behind another
 * is a bounce, and left out. The usual distance of the last taps is the beat, or several where one
 * was left out; a tap that lies beside the beat of the others by more than a quarter does not
 * count. True: there is a tempo, from the third tap on, which is a straight line through those that
 * count. */
bool engine_tap_take(struct engine_tap *tap, double now);

#endif
