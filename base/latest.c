#include "base/latest.h"

enum { FRESH = 4, SLOT = 3 };

void base_latest_init(struct base_latest *latest)
{
    atomic_init(&latest->middle, 1);
    latest->back = 0;
    latest->front = 2;
}

unsigned base_latest_back(const struct base_latest *latest)
{
    return latest->back;
}

void base_latest_publish(struct base_latest *latest)
{
    latest->back =
        atomic_exchange_explicit(&latest->middle, latest->back | FRESH, memory_order_acq_rel) &
        SLOT;
}

bool base_latest_take(struct base_latest *latest)
{
    if ((atomic_load_explicit(&latest->middle, memory_order_relaxed) & FRESH) == 0) {
        return false;
    }
    latest->front =
        atomic_exchange_explicit(&latest->middle, latest->front, memory_order_acq_rel) & SLOT;
    return true;
}

unsigned base_latest_front(const struct base_latest *latest)
{
    return latest->front;
}
