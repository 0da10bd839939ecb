/* Changing the text of a preset, so that all of it that is not meant to change stays as its author
 * wrote it: comments, order, unknown keys, line ends. Pure functions over text. */
#ifndef PRESETS_EDIT_H
#define PRESETS_EDIT_H

#include <stddef.h>

#include "base/diag.h"
#include "base/span.h"
#include "presets/preset.h"

/* The text with a key of group PRESET set to a number: the last line with the key gets the value
 * (as the reader uses the last one), or a line is put in below [preset00]. Digits are those that
 * read back as the same float. malloc'ed, NUL-terminated, for the caller to free; NULL without
 * memory or if the text is no preset. */
char *preset_edit_set(struct base_span text, const struct preset_key *key, double value,
                      size_t *size);

/* The row of a key of group PRESET by its name in the file, without case; NULL if there is none. */
const struct preset_key *preset_key_find(struct base_span name);

/* Writes a text to a file that must not exist yet, by way of a file beside it; never over another
 * file. Returns 0, or -1 with a message. */
int preset_edit_save_new(const char *path, struct base_span text,
                         const struct base_diag_sink *sink);

/* The same over a file that exists or not, with a rename. */
int preset_edit_save(const char *path, struct base_span text, const struct base_diag_sink *sink);

#endif
