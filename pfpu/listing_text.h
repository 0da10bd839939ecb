/* Text of lines and columns that grows in an arena. */
#ifndef PFPU_LISTING_TEXT_H
#define PFPU_LISTING_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "pfpu/microcode.h"

struct pfpu_listing_text {
    struct base_arena *arena;
    char *text;
    size_t size;
    size_t capacity;
    size_t line;    /* where the last line begins */
    bool no_memory; /* what was written since is missing */
};

void pfpu_listing_append(struct pfpu_listing_text *text, const char *data, size_t size);

/* Appends as printf does, 255 characters at most. */
void pfpu_listing_write(struct pfpu_listing_text *text, const char *format, ...);

/* Appends blanks up to a column, counted from 0; at least one if there is text before it. */
void pfpu_listing_column(struct pfpu_listing_text *text, size_t column);

/* Cuts the line to so many columns (0: leaves it) and off its last blanks, and ends it. */
void pfpu_listing_end_line(struct pfpu_listing_text *text, size_t columns);

/* The issue half of a word; the operands begin in a column, counted from 0. */
void pfpu_listing_operation(struct pfpu_listing_text *text, uint32_t word, size_t column);

/* "; 13 words, 5 operations, 19 cycles per vertex": words up to the VECTOUT, it included. */
void pfpu_listing_costs(struct pfpu_listing_text *text, const struct pfpu_microcode *microcode);

/* The text, NUL-terminated, in the arena; NULL without memory. */
char *pfpu_listing_finish(struct pfpu_listing_text *text);

#endif
