#include "engine/rate.h"

#include <assert.h>
#include <math.h>

enum { DENOMINATOR_MAX = 1001, QUARTERS = 4 };

/* The convergents of the continued fraction of x, as far as the denominator allows. */
static struct engine_rate closest(double x)
{
    struct engine_rate before = {1, 0};
    struct engine_rate best = {(uint32_t)x, 1};
    double rest = x - floor(x);
    while (rest > 1e-9) {
        const double inverse = 1 / rest;
        const double term = floor(inverse);
        if (term * best.denominator + before.denominator > DENOMINATOR_MAX) {
            break;
        }
        const struct engine_rate next = {(uint32_t)term * best.numerator + before.numerator,
                                         (uint32_t)term * best.denominator + before.denominator};
        before = best;
        best = next;
        rest = inverse - term;
    }
    return best;
}

struct engine_rate engine_rate_of(double fps)
{
    assert(fps >= 1 && fps <= 1000);
    for (uint32_t part = 1; part <= QUARTERS; part *= 2) {
        const double whole = round(fps * part);
        if (fabs(fps * part - whole) < 1e-9) {
            return (struct engine_rate){(uint32_t)whole, part};
        }
    }
    const double broadcast = round(fps * 1.001);
    if (fabs(broadcast * 1000 / 1001 - fps) <= 1e-3) {
        return (struct engine_rate){(uint32_t)broadcast * 1000, 1001};
    }
    return closest(fps);
}

struct engine_rate engine_rate_exact(uint64_t numerator, uint64_t denominator)
{
    uint64_t divisor = numerator;
    for (uint64_t rest = denominator; rest != 0;) {
        const uint64_t next = divisor % rest;
        divisor = rest;
        rest = next;
    }
    if (denominator / divisor > DENOMINATOR_MAX) {
        return engine_rate_of((double)numerator / (double)denominator);
    }
    return (struct engine_rate){(uint32_t)(numerator / divisor), (uint32_t)(denominator / divisor)};
}

double engine_rate_value(struct engine_rate rate)
{
    return (double)rate.numerator / rate.denominator;
}

/* With frame <= 10^9 and denominator <= 1001 every product stays below 10^17. */
uint64_t engine_rate_samples(struct engine_rate rate, uint64_t frame)
{
    const uint64_t numerator = rate.numerator;
    return (2 * frame * ENGINE_SOUND_RATE * rate.denominator + numerator) / (2 * numerator);
}

double engine_rate_seconds(struct engine_rate rate, uint64_t frame)
{
    return (double)(frame * rate.denominator) / rate.numerator;
}

uint64_t engine_rate_frames(struct engine_rate rate, double seconds)
{
    const double frames = round(seconds * rate.numerator / rate.denominator);
    return frames < 1 ? 1 : (uint64_t)frames;
}
