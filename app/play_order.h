/* In which order presets come: as listed, or shuffled by a seed; round and round. */
#ifndef APP_PLAY_ORDER_H
#define APP_PLAY_ORDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/rng.h"

struct app_order {
    size_t *entries; /* a permutation of 0..count-1 */
    size_t count;
    size_t at; /* index into entries */
    bool shuffled;
    struct base_rng rng;
};

/* count > 0. Starts at 0, as listed. Returns 0, or -1 without memory. */
int app_order_init(struct app_order *order, size_t count, uint64_t seed);
void app_order_free(struct app_order *order);

size_t app_order_current(const struct app_order *order);

/* Goes `steps` on (back if negative), around the end. */
void app_order_step(struct app_order *order, int steps);

/* Shuffles anew, or goes back to the listed order; the current one stays. Nothing happens if the
 * order is already so. */
void app_order_shuffle(struct app_order *order, bool shuffled);

#endif
