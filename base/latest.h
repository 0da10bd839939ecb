/* Hands the latest of something from one writing to one reading thread by three slots that the
 * caller owns: neither ever waits, and what the reader misses is lost. */
#ifndef BASE_LATEST_H
#define BASE_LATEST_H

#include <stdatomic.h>
#include <stdbool.h>

enum { BASE_LATEST_SLOTS = 3 };

struct base_latest {
    atomic_uint middle; /* slot between the two, and whether it is fresh */
    unsigned back;
    unsigned front;
};

void base_latest_init(struct base_latest *latest);

/* Writer's thread: the slot to be filled, and handing it over. */
unsigned base_latest_back(const struct base_latest *latest);
void base_latest_publish(struct base_latest *latest);

/* Reader's thread: whether there is a newer one, which then is the front; and the front. Before the
 * first it is a slot that nobody has filled. */
bool base_latest_take(struct base_latest *latest);
unsigned base_latest_front(const struct base_latest *latest);

#endif
