/* Bytes of a file become lines, keys and values (spec/milk-format.md section 2). */
#ifndef PRESETS_MILK_LINES_H
#define PRESETS_MILK_LINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"

/* The reason why data is no preset text; NULL texts if it may be one. */
struct preset_refusal {
    const char *what;
    const char *hint;
};
struct preset_refusal preset_scan_refusal(struct base_span data);

/* The data without a UTF-8 byte-order mark. */
struct base_span preset_scan_skip_mark(struct base_span data);

/* Walks over the lines that are not empty. Start with {data, 0, 1, 0}. */
struct preset_scan {
    struct base_span data;
    size_t at;
    uint32_t next_line;
    uint32_t line; /* number of the line handed out last */
};
bool preset_scan_line(struct preset_scan *scan, struct base_span *line);

/* One key with its value. column is that of the value's first byte. */
struct preset_line_entry {
    struct base_span key;
    struct base_span value;
    uint32_t line;
    uint32_t column;
    bool blank_before_sign; /* "zoom = 1": the value starts with the sign */
    bool exact;             /* key is spelled as in the tables; set where the key is looked up */
};

/* Splits a line; false if it holds no value or no key. */
bool preset_scan_entry(struct base_span line, uint32_t number, struct preset_line_entry *entry);

/* Where a file of several presets begins a new one. Only the first of them is read: what follows
 * the line of the second, if there was one of the first, counts no more. */
enum preset_section { PRESET_SECTION_NONE, PRESET_SECTION_FIRST, PRESET_SECTION_SECOND };
enum preset_section preset_scan_section(struct base_span line);

/* Numbers of .milk files as text, the same in every locale. */

enum preset_number {
    PRESET_NUMBER_OK,
    PRESET_NUMBER_NONE,  /* no number at the start of the text, or a hexadecimal one */
    PRESET_NUMBER_LARGE, /* more than the type holds */
};

/* Blanks, sign, digits, point, exponent; what follows is ignored (spec/milk-format.md section 2).
 * Exact to the last bit but for texts of more than 15 digits or far exponents that lie within a few
 * parts in 1e16 of the middle between two floats. *value is set only for OK. */
enum preset_number preset_parse_float(struct base_span text, float *value);

/* Blanks, sign, digits; what follows is ignored. For LARGE *value is the nearest int32_t. */
enum preset_number preset_parse_int(struct base_span text, int32_t *value);

/* Bytes of the number with which the text begins, blanks before it not allowed: what
 * preset_parse_float reads of it. 0 if there is none. */
size_t preset_number_size(struct base_span text);

enum { PRESET_NUMBER_TEXT = 32 };

/* A short text that preset_parse_float reads back as the same float; value is finite. */
void preset_format_float(float value, char text[PRESET_NUMBER_TEXT]);

#endif
