/* Walks through a text that came from outside, line by line and token by token. */
#ifndef PFPU_ASSEMBLE_SCAN_H
#define PFPU_ASSEMBLE_SCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/span.h"

struct pfpu_scan {
    struct base_span text;
    const char *file;
    const struct base_diag_sink *sink;
    size_t at;
    size_t line_start;
    uint32_t line;
};

void pfpu_scan_init(struct pfpu_scan *scan, struct base_span text, const char *file,
                    const struct base_diag_sink *sink);

void pfpu_scan_skip_blanks(struct pfpu_scan *scan);

/* Skips blanks; true if the line, or its part before a comment, ends here. */
bool pfpu_scan_at_end_of_line(struct pfpu_scan *scan);

/* Goes to the next line; false if there is none. */
bool pfpu_scan_next_line(struct pfpu_scan *scan);

/* Skips blanks and looks whether the characters come next; takes them then. */
bool pfpu_scan_sees(struct pfpu_scan *scan, const char *characters);
bool pfpu_scan_take(struct pfpu_scan *scan, const char *characters);

/* Skips blanks and takes a name, a number, a directive or whatever else consists of letters, digits
 * and _ . $ % + - (but for the '-' of "->"). Empty if something else stands here. */
struct base_span pfpu_scan_token(struct pfpu_scan *scan);

/* Where a token begins. */
size_t pfpu_scan_offset(const struct pfpu_scan *scan, struct base_span token);

/* Reports at an offset of the text. Always false. */
bool pfpu_scan_error(struct pfpu_scan *scan, size_t offset, const char *hint, const char *format,
                     ...);

/* Reports "what 'token'"; of an empty token, the character that stands there. Always false. */
bool pfpu_scan_refuse(struct pfpu_scan *scan, struct base_span token, const char *hint,
                      const char *what);

#endif
