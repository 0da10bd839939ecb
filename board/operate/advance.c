#include "board/operate/advance.h"

#include <string.h>

enum { BITS = 32, SECOND = 1000 };

static bool has(const uint32_t *bits, int32_t number)
{
    return number < BOARD_ADVANCE_PATCHES && (bits[number / BITS] >> number % BITS & 1) != 0;
}

static void set(uint32_t *bits, int32_t number)
{
    if (number >= 0 && number < BOARD_ADVANCE_PATCHES) {
        bits[number / BITS] |= 1u << number % BITS;
    }
}

void board_advance_begin(struct board_advance *advance)
{
    memset(advance, 0, sizeof *advance);
    base_rng_seed(&advance->rng, 0, 0);
}

void board_advance_stir(struct board_advance *advance, uint64_t number)
{
    base_rng_seed(&advance->rng, base_rng_next(&advance->rng) ^ number, 0);
}

void board_advance_shown(struct board_advance *advance, int32_t number, uint32_t beats,
                         uint32_t now)
{
    advance->shown_at = now;
    advance->beats_then = beats;
    set(advance->seen, number);
}

void board_advance_refuse(struct board_advance *advance, int32_t number)
{
    set(advance->refused, number);
}

void board_advance_forget(struct board_advance *advance, int32_t shown)
{
    memset(advance->seen, 0, sizeof advance->seen);
    memset(advance->refused, 0, sizeof advance->refused);
    set(advance->seen, shown);
}

static int32_t next_in_list(const struct board_advance *advance, int32_t current, int32_t count)
{
    for (int32_t i = 1; i < count; i++) {
        const int32_t number = (current + i) % count;
        if (!has(advance->refused, number)) {
            return number;
        }
    }
    return -1;
}

/* The one of `skip` + 1 that is left; -1 with *left set if there are fewer. */
static int32_t find(const struct board_advance *advance, int32_t current, int32_t count,
                    uint32_t skip, uint32_t *left)
{
    *left = 0;
    for (int32_t i = 0; i < count; i++) {
        if (i != current && !has(advance->refused, i) && !has(advance->seen, i) &&
            (*left)++ == skip) {
            return i;
        }
    }
    return -1;
}

static int32_t any(struct board_advance *advance, int32_t current, int32_t count)
{
    uint32_t left = 0;
    (void)find(advance, current, count, UINT32_MAX, &left);
    if (left == 0) {
        memset(advance->seen, 0, sizeof advance->seen);
        (void)find(advance, current, count, UINT32_MAX, &left);
    }
    const uint32_t skip = (uint32_t)(((uint64_t)base_rng_next(&advance->rng) * left) >> BITS);
    return find(advance, current, count, skip, &left);
}

int32_t board_advance_choose(struct board_advance *advance, int32_t current, int32_t count,
                             bool at_random)
{
    return at_random ? any(advance, current, count) : next_in_list(advance, current, count);
}

bool board_advance_is_due(const struct board_advance *advance, int32_t seconds, int32_t beats,
                          uint32_t beats_now, uint32_t now)
{
    return (seconds > 0 && now - advance->shown_at >= (uint32_t)seconds * SECOND) ||
           (beats > 0 && beats_now - advance->beats_then >= (uint32_t)beats);
}
