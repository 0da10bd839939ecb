/* From the lines of a block to one program text (spec/milk-expressions.md section 2). */
#ifndef PFPU_TEXT_H
#define PFPU_TEXT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/span.h"

/* Text that came from one line of the file. */
struct pfpu_text_piece {
    size_t start; /* offset in the joined text */
    uint32_t line;
    uint32_t column;
};

struct pfpu_text {
    const char *data; /* NUL-terminated; a NUL within is an ordinary (wrong) character */
    size_t size;
    size_t end; /* offset after the last character that is not blank */
    const struct pfpu_text_piece *pieces;
    size_t piece_count;
    const char *file;
    bool own; /* froth's, not a patch's: names may begin with @, which no patch can write */
};

/* Cuts line comments, joins the lines with the separator between them ('\0': none) and blanks other
 * comments out. A line that would make the text longer than PFPU_TEXT_MAX is dropped together with
 * all after it. Everything lives in the arena. False without memory. */
bool pfpu_text_join(struct pfpu_text *text, const struct base_source *source, char separator,
                    struct base_arena *arena);

/* Nothing but white space. */
bool pfpu_text_is_blank(const struct pfpu_text *text);

/* Where the character at the offset (at most size) stands in the file; for offsets after the last
 * character that is not blank, the place right after that character. */
struct base_place pfpu_text_place(const struct pfpu_text *text, size_t offset);

/* Blank, tab, CR, LF, VT, FF; independent of the locale. */
bool pfpu_text_is_space(char character);

#endif
