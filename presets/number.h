/* Inside presets/: numbers of .milk files as text, whatever the locale. */
#ifndef PRESETS_NUMBER_H
#define PRESETS_NUMBER_H

#include <stddef.h>
#include <stdint.h>

#include "base/span.h"

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

enum { PRESET_NUMBER_TEXT = 32 };

/* A short text that preset_parse_float reads back as the same float; value is finite. */
void preset_format_float(float value, char text[PRESET_NUMBER_TEXT]);

#endif
