#include "app/play_order.h"

#include <assert.h>
#include <stdlib.h>

enum { RANDOM_STREAM = 0x5048 }; /* apart from the streams of pictures */

static void as_listed(struct app_order *order)
{
    for (size_t i = 0; i < order->count; i++) {
        order->entries[i] = i;
    }
}

int app_order_init(struct app_order *order, size_t count, uint64_t seed)
{
    assert(count > 0);
    *order = (struct app_order){.count = count};
    order->entries = calloc(count, sizeof *order->entries);
    if (order->entries == NULL) {
        return -1;
    }
    as_listed(order);
    base_rng_seed(&order->rng, seed, RANDOM_STREAM);
    return 0;
}

void app_order_free(struct app_order *order)
{
    free(order->entries);
    *order = (struct app_order){0};
}

size_t app_order_current(const struct app_order *order)
{
    return order->entries[order->at];
}

void app_order_step(struct app_order *order, int steps)
{
    const size_t size = steps < 0 ? (size_t) - (int64_t)steps : (size_t)steps;
    const size_t rest = size % order->count;
    order->at = (order->at + (steps < 0 ? order->count - rest : rest)) % order->count;
}

static void swap(size_t *a, size_t *b)
{
    const size_t kept = *a;
    *a = *b;
    *b = kept;
}

void app_order_shuffle(struct app_order *order, bool shuffled)
{
    if (order->shuffled == shuffled) {
        return;
    }
    const size_t current = app_order_current(order);
    order->shuffled = shuffled;
    as_listed(order);
    order->at = current;
    if (shuffled) {
        swap(&order->entries[0], &order->entries[current]);
        order->at = 0;
        for (size_t i = order->count - 1; i > 1; i--) {
            const uint64_t scaled = (uint64_t)base_rng_next(&order->rng) * i;
            swap(&order->entries[i], &order->entries[1 + (size_t)(scaled >> 32)]);
        }
    }
}
