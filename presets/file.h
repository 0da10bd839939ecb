/* Inside presets/: texts that become files. */
#ifndef PRESETS_FILE_H
#define PRESETS_FILE_H

#include "presets/preset.h"

enum preset_file_way {
    PRESET_FILE_OVER, /* in place of a file that may stand there */
    PRESET_FILE_NEW,  /* only where nothing has the name */
};

/* Writes to a file beside path, which then gets its name. 0, or -1 with a message; what stood at
 * path is then unchanged. */
int preset_file_put(const char *path, struct base_span text, enum preset_file_way way,
                    const struct base_diag_sink *sink);

#endif
