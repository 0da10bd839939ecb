#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "presets/file.h"

static int fail(const char *path, const struct base_diag_sink *sink, const char *what,
                const char *why)
{
    base_report(sink, BASE_ERROR, (struct base_place){path, 0, 0}, NULL, "%s: %s", what, why);
    return -1;
}

int preset_read_file(struct preset *preset, const char *path, const struct base_diag_sink *sink)
{
    size_t size;
    *preset = (struct preset){0};
    /* One byte more than allowed is enough to refuse a file that is too long. */
    char *data = base_file_read(path, PRESET_FILE_MAX + 1, &size, NULL);
    if (data == NULL) {
        return fail(path, sink, errno == EINVAL ? "cannot read" : "cannot open",
                    errno == EINVAL ? "not an ordinary file" : strerror(errno));
    }
    const int result = preset_read(preset, path, data, size, sink);
    free(data);
    return result;
}

int preset_file_put(const char *path, struct base_span text, enum base_file_way way,
                    const struct base_diag_sink *sink)
{
    if (text.size > PRESET_FILE_MAX) {
        return fail(path, sink, "cannot write", "the preset is longer than 1 MB");
    }
    if (base_file_write(path, text.data, text.size, way) != 0) {
        return fail(path, sink, "cannot write", strerror(errno));
    }
    return 0;
}

int preset_write_file(const struct preset *preset, const char *path,
                      const struct base_diag_sink *sink)
{
    size_t size;
    char *text = preset_write(preset, &size);
    if (text == NULL) {
        return fail(path, sink, "cannot write", "not enough memory");
    }
    const int result = preset_file_put(path, (struct base_span){text, size}, BASE_FILE_OVER, sink);
    free(text);
    return result;
}
