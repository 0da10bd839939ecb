/* The first thing found wrong with a block; later ones are dropped. */
#ifndef PFPU_COMPLAINT_H
#define PFPU_COMPLAINT_H

#include <stdbool.h>
#include <stddef.h>

struct pfpu_complaint {
    bool set;
    size_t offset; /* in the program text */
    char what[200];
    const char *hint; /* static text or NULL */
};

/* Keeps the message if it is the first. */
void pfpu_complain(struct pfpu_complaint *complaint, size_t offset, const char *hint,
                   const char *format, ...);

#endif
