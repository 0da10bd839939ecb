/* States of a show as files. The one file that knows libzstd. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#include "app/set/set.h"
#include "base/os/file.h"
#include "engine/bytes.h"

enum { HEAD = 4 * sizeof(uint64_t), VERSION = 1, LEVEL = 1 };

static const uint64_t MARK = UINT64_C(0x657461747366); /* "fstate" */
static const size_t STATE_MOST = (size_t)1 << 30;

struct head {
    uint64_t mark;
    uint64_t version;
    uint64_t frame;
    uint64_t size;
};

static void walk(struct engine_bytes *bytes, struct head *head)
{
    engine_bytes_number(bytes, &head->mark, UINT64_MAX);
    engine_bytes_number(bytes, &head->version, UINT64_MAX);
    engine_bytes_number(bytes, &head->frame, UINT64_MAX);
    engine_bytes_number(bytes, &head->size, UINT64_MAX);
}

int app_set_state_write(const char *path, uint64_t frame, const void *bytes, size_t size)
{
    const size_t room = HEAD + ZSTD_compressBound(size);
    char *packed = malloc(room);
    if (packed == NULL) {
        errno = ENOMEM;
        return -1;
    }
    struct engine_bytes to = {.to = (uint8_t *)packed, .size = HEAD};
    struct head head = {MARK, VERSION, frame, size};
    walk(&to, &head);
    const size_t used = ZSTD_compress(packed + HEAD, room - HEAD, bytes, size, LEVEL);
    int result = -1;
    if (ZSTD_isError(used)) {
        errno = ENOMEM;
    } else {
        result = base_file_write(path, packed, HEAD + used, BASE_FILE_CACHE);
    }
    const int reason = errno;
    free(packed);
    errno = reason;
    return result;
}

int app_set_state_read(const char *path, uint64_t *frame, uint8_t **bytes, size_t *size,
                       const struct base_diag_sink *sink)
{
    const struct base_place place = {.file = path};
    struct base_file file;
    if (base_file_load(&file, path, STATE_MOST, sink) != 0) {
        return -1;
    }
    struct engine_bytes from = {.from = (const uint8_t *)file.data, .size = file.size};
    struct head head = {0};
    walk(&from, &head);
    *bytes = NULL;
    const bool good = !from.bad && head.mark == MARK && head.version == VERSION && head.size > 0 &&
                      head.size <= STATE_MOST;
    if (good) {
        *bytes = malloc((size_t)head.size);
    }
    const size_t read = *bytes != NULL ? ZSTD_decompress(*bytes, (size_t)head.size,
                                                         file.data + HEAD, file.size - HEAD)
                                       : 0;
    base_file_free(&file);
    if (!good || *bytes == NULL || ZSTD_isError(read) || read != head.size) {
        base_report(sink, BASE_ERROR, place, NULL,
                    good && *bytes == NULL ? "not enough memory"
                                           : "this is no state of a show, or is cut off");
        free(*bytes);
        *bytes = NULL;
        return -1;
    }
    *frame = head.frame;
    *size = (size_t)head.size;
    return 0;
}

int app_set_state_give(froth *show, const uint8_t *bytes, size_t size,
                       const struct base_diag_sink *sink)
{
    size_t used = 0;
    struct engine_kept *kept = malloc(sizeof *kept);
    int result = -1;
    if (kept == NULL || engine_kept_read(kept, bytes, size, &used) != 0) {
        base_report(sink, BASE_ERROR, (struct base_place){0}, NULL,
                    "this is no state of a show, or is cut off");
    } else if (froth_restore(show, bytes + used, size - used) == FROTH_OK) {
        engine_put_back(instance_engine(show), kept);
        result = 0;
    }
    free(kept);
    return result;
}
