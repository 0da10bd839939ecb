/* Inside presets/: texts that become files. */
#ifndef PRESETS_FILE_H
#define PRESETS_FILE_H

#include "base/file.h"
#include "presets/preset.h"

/* Writes to a file beside path, which then gets its name. 0, or -1 with a message; what stood at
 * path is then unchanged. */
int preset_file_put(const char *path, struct base_span text, enum base_file_way way,
                    const struct base_diag_sink *sink);

#endif
