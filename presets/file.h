/* Changing the text of a preset, so that all of it that is not meant to change stays as its author
 * wrote it: comments, order, unknown keys, line ends. Pure functions over text. */
#ifndef PRESETS_FILE_H
#define PRESETS_FILE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/text.h"
#include "presets/milk/preset.h"

/* The text with a key of group PRESET set to a number, as preset_key_limit makes it: the line that
 * the reader takes gets the value, what follows the old number stays; without such a line one is
 * put in below [preset00], or at the start. Digits are those that read back as the same float.
 * Reading the result gives the same preset with this value and no other change: for
 * bMotionVectorsOn, from which an absent mv_a follows, mv_a is put in with the value that it had.
 * malloc'ed, NUL-terminated, for the caller to free; NULL without memory, if the value is NaN, if
 * preset_read refuses the text or takes it for a patch of the board, or would refuse the result as
 * too long. */
char *preset_edit_set(struct base_span text, const struct preset_key *key, double value,
                      size_t *size);

/* The text with the values of all rows of preset_keys that are `changed`, as above. The text of a
 * patch of the board stays as it is, and *left says whether it has other values. NULL without
 * memory, or if preset_read refuses the text. */
struct preset_edit_shown {
    double values[PRESET_KEY_ROWS];
    bool changed[PRESET_KEY_ROWS];
};
char *preset_edit_set_shown(struct base_span text, const struct preset_edit_shown *shown,
                            size_t *size, enum preset_language *language, bool *left);

/* The text with its program lines (per_frame_3, wave_0_init1 and so on) numbered anew in the order
 * in which they stand, so that one can be put in, taken out or moved without a number or with any.
 * Only in programs whose lines `former`, the text before it was edited, has numbered 1, 2, 3 in
 * their order, or does not have: what is odd there means what it means. malloc'ed, NUL-terminated,
 * for the caller to free; NULL where there is nothing to do, or without memory. */
char *preset_edit_number(struct base_span text, struct base_span former, size_t *size);

/* The row of a key of group PRESET by its name in the file, without case; NULL if there is none. */
const struct preset_key *preset_key_find(struct base_span name);

/* Writes a text to a file that must not exist yet, by way of a file beside it; never over another
 * file or link. It appears whole; where the disk knows no links (FAT), an empty one of the name
 * stands there for a moment first. Returns 0, or -1 with a message and nothing left behind. A text
 * that is too long for preset_read is refused. */
int preset_edit_save_new(const char *path, struct base_span text,
                         const struct base_diag_sink *sink);

/* The same over a file that exists or not, with a rename; a file that stood there is unchanged if
 * that fails. */
int preset_edit_save(const char *path, struct base_span text, const struct base_diag_sink *sink);

#endif
