#include "engine/tempo/midi_clock.h"

#include <math.h>
#include <string.h>

#include "engine/tempo/fit.h"

enum {
    LEAST = ENGINE_TEMPO_PULSES / 2, /* pulses for a tempo */
    RECENT = 8,                      /* pulses that show a change of the tempo */
    SIXTEENTH = ENGINE_TEMPO_PULSES / 4,
};

static const double lost = 1;  /* seconds without a pulse */
static const double gap = 2.5; /* pulses' time without one, behind which the line begins anew */
static const double apart = 0.0025; /* seconds by which the recent pulses may lie beside the line */

/* How far pulses i with from <= i < to lie behind the line, on average. */
static double mean_beside(const struct engine_midi_clock *clock, struct engine_fit line,
                          uint32_t from, uint32_t to)
{
    double sum = 0;
    for (uint32_t i = from; i < to; i++) {
        sum += clock->time[i] - (line.value - line.slope * i);
    }
    return sum / (to - from);
}

static struct engine_fit fit(const struct engine_midi_clock *clock)
{
    double number[ENGINE_MIDI_CLOCK_WINDOW];
    for (uint32_t i = 0; i < clock->count; i++) {
        number[i] = -(double)i;
    }
    return engine_fit_line(number, clock->time, clock->count);
}

static void take_pulse(struct engine_midi_clock *clock, double time)
{
    const double since = clock->count > 0 ? time - clock->time[0] : 0;
    if (since < 0 || since > lost) {
        clock->count = 0;
        clock->period = 0;
    } else if (clock->count >= LEAST && since > gap * clock->period) {
        clock->count = 0;
    }
    memmove(clock->time + 1, clock->time, (ENGINE_MIDI_CLOCK_WINDOW - 1) * sizeof *clock->time);
    clock->time[0] = time;
    clock->count += clock->count < ENGINE_MIDI_CLOCK_WINDOW;
    clock->next += !clock->stopped;
    clock->newest = time;
    if (clock->count < LEAST) {
        return;
    }
    struct engine_fit line = fit(clock);
    if (clock->count > LEAST + RECENT &&
        fabs(mean_beside(clock, line, 0, RECENT)) >
            apart + fabs(mean_beside(clock, line, RECENT, clock->count))) {
        clock->count = LEAST;
        line = fit(clock);
    }
    clock->newest = line.value;
    clock->period = line.slope;
}

void engine_midi_clock_take(struct engine_midi_clock *clock, uint8_t status, unsigned value,
                            double time)
{
    switch (status) {
    case ENGINE_MIDI_CLOCK:
        take_pulse(clock, time);
        break;
    case ENGINE_MIDI_START:
        clock->next = 0;
        clock->stopped = false;
        break;
    case ENGINE_MIDI_CONTINUE:
        clock->stopped = false;
        break;
    case ENGINE_MIDI_STOP:
        clock->stopped = true;
        break;
    case ENGINE_MIDI_SONG_POSITION:
        clock->next = (int64_t)(value & 0x3fff) * SIXTEENTH;
        break;
    default:
        break;
    }
}

bool engine_midi_clock_tempo(const struct engine_midi_clock *clock, double now,
                             struct engine_tempo *tempo)
{
    if (!(clock->period > 0) || now - clock->time[0] > lost) {
        return false;
    }
    *tempo = (struct engine_tempo){
        .bpm = 60 / (clock->period * ENGINE_TEMPO_PULSES),
        .beats = (double)(clock->next - 1) / ENGINE_TEMPO_PULSES,
        .at = clock->newest,
        .runs = !clock->stopped,
    };
    return true;
}
