#include "renderer/sound/beat.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/fmath.h"
#include "renderer/frame/config.h"

enum {
    WINDOW = 800,       /* hops that a tempo must explain */
    NEAR = 3,           /* hops on each side of a beat that belong to it */
    RANGES = 4,         /* of periods, each with a favourite of its own */
    EVALUATION = 25,    /* hops from one look at tempo and phase to the next */
    FIRST_LOOK = 300,   /* hops before a tempo can be named */
    PHASE_BEATS = 8,    /* that the phase is taken from */
    PATIENCE = 6,       /* looks at which another tempo must be better */
    LONG_PATIENCE = 40, /* looks without any tempo until it is given up */
    LATENCY = 2,        /* hops from an attack to the peak of its onset strength */
};

static const double hops_per_minute = 60.0 * REND_AUDIO_RATE / REND_BEAT_HOP;
static const double period_min = 60.0 * REND_AUDIO_RATE / REND_BEAT_HOP / REND_BEAT_BPM_MAX;
static const double period_max = 60.0 * REND_AUDIO_RATE / REND_BEAT_HOP / REND_BEAT_BPM_MIN;
static const double memory = 0.99834; /* of the autocorrelation per hop: 6 s */
static const double usual_memory = 0.998;
static const double band_weight[REND_BANDS] = {1, 1, 0.1};
static const double rise_max = 1.4; /* so that a drum that noise covers counts beside a clear one */
static const double reach = 1.008; /* within which the best period close to another is looked for */
static const double grid_step = 1.005; /* from one tempo that is tried to the next */
static const double between_weight = 0.8;
static const double confidence_min = 0.12;

static float onset_at(const struct rend_beat *beat, uint64_t age)
{
    return beat->onset[(beat->hops - age) % REND_BEAT_HISTORY];
}

/* Puts the hop's onset strength in, as age 0: how much louder it is than the two before it. */
static void push_onset(struct rend_beat *beat)
{
    double raw = 0;
    for (int band = 0; band < REND_BANDS; band++) {
        const double power = beat->power[band] / REND_BEAT_HOP;
        const double keep = beat->hops < 500 ? 0.99 : usual_memory;
        beat->usual[band] = beat->usual[band] * keep + power * (1 - keep);
        const double now = base_log(1 + power / (beat->usual[band] + 1e-9));
        double *past = beat->loudness[band];
        const double rise = now - fmax(past[0], past[1]);
        past[1] = past[0];
        past[0] = now;
        raw += rise > 0 ? band_weight[band] * fmin(rise, rise_max) : 0;
        beat->power[band] = 0;
    }
    beat->mean += 0.01 * (raw - beat->mean);
    const double strength = fmax(raw - beat->mean, 0);
    const double smoothed = 0.25 * strength + 0.5 * beat->smooth[0] + 0.25 * beat->smooth[1];
    beat->smooth[1] = beat->smooth[0];
    beat->smooth[0] = strength;
    beat->hops++;
    beat->onset[beat->hops % REND_BEAT_HISTORY] = (float)smoothed;
    for (uint64_t lag = 0; lag < REND_BEAT_LAGS; lag++) {
        beat->correlation[lag] =
            (float)memory * beat->correlation[lag] + (float)smoothed * onset_at(beat, lag);
    }
}

static double correlation_at(const struct rend_beat *beat, double lag)
{
    const int left = (int)lag;
    const double part = lag - left;
    return (1 - part) * (double)beat->correlation[left] +
           part * (double)beat->correlation[left + 1];
}

/* Medium tempos are the likelier ones. */
static double weight_of_tempo(double period)
{
    const double octaves = base_log(hops_per_minute / period / 115) / 0.693147180559945;
    return base_exp(-0.08 * octaves * octaves);
}

/* What speaks for a period: onsets at its multiples, and none half-way between. */
static double score_of(const struct rend_beat *beat, double period)
{
    double on = 0;
    double between = 0;
    int count = 0;
    for (double lag = period; lag < REND_BEAT_LAGS - 1; lag += period, count++) {
        on += correlation_at(beat, lag);
        between += correlation_at(beat, lag - 0.5 * period);
    }
    return (on - between_weight * between) / count * weight_of_tempo(period);
}

/* The period from low to high that the autocorrelation likes best. */
static double best_period(const struct rend_beat *beat, double low, double high, double step)
{
    double best = low;
    double best_score = -INFINITY;
    for (double period = low; period <= high; period *= step) {
        const double score = score_of(beat, period);
        if (score > best_score) {
            best_score = score;
            best = period;
        }
    }
    return best;
}

/* The best period close to this one, which lies in the range or not far from it. */
static double refined(const struct rend_beat *beat, double period)
{
    const double best = best_period(beat, period / reach, period * reach, 1.001);
    return fmin(fmax(best, period_min), period_max);
}

static void follow_phase(struct rend_beat *beat, double gain)
{
    double best_sum = -1;
    double best = 0; /* hops since the last beat, as the onsets have it */
    for (int age = 0; age < (int)ceil(beat->period); age++) {
        double sum = 0;
        double weight = 1;
        for (int k = 0; k < PHASE_BEATS; k++, weight *= 0.85) {
            const uint64_t at = (uint64_t)(age + k * beat->period + 0.5);
            sum += at < REND_BEAT_HISTORY ? weight * (double)onset_at(beat, at) : 0;
        }
        if (sum > best_sum) {
            best_sum = sum;
            best = age;
        }
    }
    const double phase = (best + LATENCY) / beat->period;
    double error = phase - beat->beats;
    error -= floor(error + 0.5);
    /* Never back over a beat that was reached: it would come twice. */
    beat->beats = fmax(beat->beats + gain * error, floor(beat->beats));
}

static void take_tempo(struct rend_beat *beat, double period)
{
    beat->period = period;
    beat->doubts = 0;
    follow_phase(beat, 1);
}

/* The onsets as the tempo has to explain them. */
struct onsets {
    float strength[WINDOW]; /* around each hop, by age */
    int count;
    double total;
};

/* How well beats of a period and phase explain the onsets: the part of all strength that falls on
 * beats, times how evenly it is shared among them. Too slow a tempo leaves onsets out; too fast a
 * one has beats without onsets. */
static double explained(const struct onsets *onsets, double period, int phase)
{
    double sum = 0;
    double squares = 0;
    int beats = 0;
    for (double age = phase; age < onsets->count; age += period, beats++) {
        const double value = (double)onsets->strength[(int)age];
        sum += value;
        squares += value * value;
    }
    const double evenness = squares > 0 ? sum * sum / (beats * squares) : 0;
    const double chance = (2 * NEAR + 1) / period;
    return (sum / onsets->total - chance) / (1 - chance) * evenness * sqrt(evenness);
}

struct tempo {
    double period;
    double score;
};

static struct tempo judge(const struct onsets *onsets, double period)
{
    double best = 0;
    for (int phase = 0; phase < period && onsets->total > 0; phase++) {
        best = fmax(best, explained(onsets, period, phase));
    }
    return (struct tempo){period, best * weight_of_tempo(period)};
}

/* The period that explains the onsets best, among those that the autocorrelation likes best in each
 * of some ranges, and simple multiples of them. */
static struct tempo find_tempo(const struct rend_beat *beat, const struct onsets *onsets)
{
    static const double ratios[] = {1, 1 / 2.0, 2, 2 / 3.0, 3 / 2.0};
    const double range = base_pow(period_max / period_min, 1.0 / RANGES);
    struct tempo best = {0, 0};
    double from = period_min;
    for (int i = 0; i < RANGES; i++, from *= range) {
        const double base = best_period(beat, from, from * range, grid_step);
        for (size_t k = 0; k < sizeof ratios / sizeof *ratios; k++) {
            const double period = base * ratios[k];
            if (period >= period_min / reach && period <= period_max * reach) {
                const struct tempo tempo = judge(onsets, refined(beat, period));
                best = tempo.score > best.score ? tempo : best;
            }
        }
    }
    return best;
}

static void look(struct rend_beat *beat)
{
    struct onsets onsets = {.count = beat->hops < WINDOW ? (int)beat->hops : WINDOW};
    for (uint64_t age = 0; age < (uint64_t)onsets.count; age++) {
        double sum = 0;
        for (uint64_t near = age < NEAR ? 0 : age - NEAR; near <= age + NEAR; near++) {
            sum += (double)onset_at(beat, near);
        }
        onsets.strength[age] = (float)sum;
        onsets.total += (double)onset_at(beat, age);
    }
    const struct tempo best = find_tempo(beat, &onsets);
    if (best.score < confidence_min) {
        beat->doubts++;
        beat->period = beat->doubts > LONG_PATIENCE ? 0 : beat->period;
        return;
    }
    if (beat->period == 0) {
        take_tempo(beat, best.period);
        return;
    }
    const struct tempo here = judge(&onsets, refined(beat, beat->period));
    beat->doubts = best.score > 1.05 * here.score ? beat->doubts + 1 : 0;
    if (beat->doubts > PATIENCE) {
        take_tempo(beat, best.period);
    } else {
        beat->period = here.period;
        follow_phase(beat, 0.3);
    }
}

static void end_hop(struct rend_beat *beat)
{
    push_onset(beat);
    beat->samples = 0;
    if (beat->period > 0) {
        beat->beats += 1 / beat->period;
    }
    if (beat->hops >= FIRST_LOOK && beat->hops % EVALUATION == 0) {
        look(beat);
    }
}

/* Samples of one hop: low passes, and the power of what they let through. Each sample waits for the
 * one before, so what they leave behind is kept in registers. */
static void filter(struct rend_beat *beat, const float *samples, size_t count)
{
    double smooth = beat->filter[0];
    double low = beat->filter[1];
    double body = beat->filter[2];
    double under = beat->filter[3];
    double dull = beat->filter[4];
    double power[REND_BANDS];
    memcpy(power, beat->power, sizeof power);
    for (size_t i = 0; i < count; i++) {
        /* Never quite silent: numbers that fade out below the smallest normal ones are slow. */
        const double x = 0.5 * ((double)rend_clean_sample(samples[2 * i]) +
                                (double)rend_clean_sample(samples[2 * i + 1])) +
                         1e-15;
        smooth += 0.0169 * (x - smooth);
        low += 0.0169 * (smooth - low);  /* 120 Hz */
        body += 0.25 * (x - body);       /* 2 kHz */
        under += 0.042 * (body - under); /* 300 Hz */
        dull += 0.51 * (x - dull);       /* 5 kHz */
        const double mid = body - under;
        const double high = x - dull;
        power[0] += low * low;
        power[1] += mid * mid;
        power[2] += high * high;
    }
    const double after[] = {smooth, low, body, under, dull};
    memcpy(beat->filter, after, sizeof after);
    memcpy(beat->power, power, sizeof power);
}

unsigned rend_beat_step(struct rend_beat *beat, const float *samples, size_t count)
{
    while (count > 0) {
        const size_t missing = (size_t)(REND_BEAT_HOP - beat->samples);
        const size_t now = count < missing ? count : missing;
        filter(beat, samples, now);
        samples += 2 * now;
        count -= now;
        beat->samples += (int)now;
        if (beat->samples == REND_BEAT_HOP) {
            end_hop(beat);
        }
    }
    const double before = beat->shown;
    const double part = (double)beat->samples / REND_BEAT_HOP;
    beat->shown = beat->beats + (beat->period > 0 ? part / beat->period : 0);
    const double passed = floor(beat->shown) - floor(before);
    return (unsigned)fmin(fmax(passed, 0), UINT16_MAX);
}

double rend_beat_bpm(const struct rend_beat *beat)
{
    return beat->period > 0 ? hops_per_minute / beat->period : 0;
}

double rend_beat_phase(const struct rend_beat *beat)
{
    return beat->period > 0 ? rend_beat_part(beat->shown) : 0;
}

double rend_beat_count(const struct rend_beat *beat)
{
    return beat->shown;
}

double rend_beat_part(double beats)
{
    return beats - floor(beats);
}

double rend_bar_part(double beats)
{
    return rend_beat_part(beats / REND_BEAT_BAR);
}

enum { SETTLING_FRAMES = 50 };

static const double usual_lowest = 2.5;
static const double falling = -1.3863; /* -2 log 2 */
static const double falling_seconds = 60;

void rend_loud_start(struct rend_loud *loud, double sensitivity)
{
    assert(sensitivity > 0);
    const double lowest = usual_lowest / sensitivity;
    *loud = (struct rend_loud){.lowest = lowest, .threshold = 2 * lowest};
}

bool rend_loud_step(struct rend_loud *loud, const double level[static 3], double fps)
{
    const double sum = level[0] + level[1] + level[2];
    loud->frames++;
    if (loud->frames > SETTLING_FRAMES && isfinite(sum) && sum > 3 * loud->threshold) {
        loud->threshold *= 2;
        return true;
    }
    const double keep = base_exp(falling / (falling_seconds * fps));
    loud->threshold = loud->lowest + (loud->threshold - loud->lowest) * keep;
    return false;
}
