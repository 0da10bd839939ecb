/* A preset from its text or file, whatever its form: MilkDrop's .milk, or a patch of the board. */
#ifndef PRESETS_PRESETS_H
#define PRESETS_PRESETS_H

#include "presets/milk/preset.h"

/* Reads a file held in memory: a .milk file, or a patch of the board, which it is by the ending
 * .fnp of its path or by what it says; such a patch is refused for any error in it. path is for
 * messages and for the name; the bytes are copied. Messages go to the sink (may be NULL). Returns 0
 * and a preset to be freed with preset_free, or -1 when the data is refused (empty, binary, UTF-16,
 * too long, no known key, no memory): *preset is then zeroed and needs no free. Anything less is a
 * warning or a note, and the default applies. Lines without a character are a preset of defaults.
 */
int preset_read(struct preset *preset, const char *path, const void *data, size_t size,
                const struct base_diag_sink *sink);

/* Opens and reads a file; a file that cannot be read is an error like the above. */
int preset_read_file(struct preset *preset, const char *path, const struct base_diag_sink *sink);

void preset_free(struct preset *preset);

/* Writes to path by way of a file beside it and a rename, so that path is never half written.
 * Returns 0, or -1 with a message; a file that stood at path is then unchanged. */
int preset_write_file(const struct preset *preset, const char *path,
                      const struct base_diag_sink *sink);

#endif
