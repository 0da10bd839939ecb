/* Outside libraries that are loaded when they are first wanted, and not with the program: most runs
 * need few of the many that windows, sound servers and networks bring.
 *
 * What a file calls of such a library stands in a list beside it (NAME.late), of which the build
 * makes a header with the same names (late/NAME.h, to be included behind the library's own) and
 * struct base_late late_NAME. A call that is not in the list does not link. */
#ifndef BASE_OS_LATE_H
#define BASE_OS_LATE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

struct base_late_call {
    const char *name;
    void *function; /* where the pointer to it is kept */
};

struct base_late {
    const char *library; /* as the system's loader knows it */
    const char *package; /* of Debian that brings it; empty: not known */
    const struct base_late_call *calls;
    size_t call_count;
    atomic_bool loaded; /* false at first */
};

/* Loads the library unless it is there; it then stays until the program ends. Returns NULL, or what
 * is missing, in words that the caller may keep until the next failure of this thread. Any thread;
 * it may allocate, lock and read files. A process that gives up its rights calls it before. */
const char *base_late_load(struct base_late *late);

/* What a call that comes before its library ends in: says so, and aborts. */
void base_late_unloaded(void);

#endif
