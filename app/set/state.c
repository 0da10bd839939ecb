/* States of a show, packed and as files. The one file that knows libzstd. */
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

int app_set_state_pack(uint64_t frame, const void *bytes, size_t size, void **packed,
                       size_t *packed_size)
{
    const size_t room = HEAD + ZSTD_compressBound(size);
    uint8_t *to = malloc(room);
    if (to == NULL) {
        errno = ENOMEM;
        return -1;
    }
    struct engine_bytes head_bytes = {.to = to, .size = HEAD};
    struct head head = {MARK, VERSION, frame, size};
    walk(&head_bytes, &head);
    const size_t used = ZSTD_compress(to + HEAD, room - HEAD, bytes, size, LEVEL);
    if (ZSTD_isError(used)) {
        free(to);
        errno = ENOMEM;
        return -1;
    }
    uint8_t *fitting = realloc(to, HEAD + used);
    *packed = fitting != NULL ? fitting : to;
    *packed_size = HEAD + used;
    return 0;
}

int app_set_state_write(const char *path, uint64_t frame, const void *bytes, size_t size)
{
    void *packed = NULL;
    size_t packed_size = 0;
    if (app_set_state_pack(frame, bytes, size, &packed, &packed_size) != 0) {
        return -1;
    }
    const int result = base_file_write(path, packed, packed_size, BASE_FILE_CACHE);
    const int reason = errno;
    free(packed);
    errno = reason;
    return result;
}

int app_set_state_unpack(const char *file, struct base_span packed, uint64_t *frame,
                         uint8_t **bytes, size_t *size, const struct base_diag_sink *sink)
{
    struct engine_bytes from = {.from = (const uint8_t *)packed.data, .size = packed.size};
    struct head head = {0};
    walk(&from, &head);
    *bytes = NULL;
    const bool good = !from.bad && head.mark == MARK && head.version == VERSION && head.size > 0 &&
                      head.size <= STATE_MOST;
    if (good) {
        *bytes = malloc((size_t)head.size);
    }
    const size_t read = *bytes != NULL ? ZSTD_decompress(*bytes, (size_t)head.size,
                                                         packed.data + HEAD, packed.size - HEAD)
                                       : 0;
    if (!good || *bytes == NULL || ZSTD_isError(read) || read != head.size) {
        base_report(sink, BASE_ERROR, (struct base_place){.file = file}, NULL,
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

int app_set_state_read(const char *path, uint64_t *frame, uint8_t **bytes, size_t *size,
                       const struct base_diag_sink *sink)
{
    struct base_file file;
    if (base_file_load(&file, path, STATE_MOST, sink) != 0) {
        return -1;
    }
    const int result = app_set_state_unpack(path, (struct base_span){file.data, file.size}, frame,
                                            bytes, size, sink);
    base_file_free(&file);
    return result;
}

int app_set_state_take(froth *show, uint8_t **bytes, size_t *size)
{
    struct engine_kept *kept = malloc(sizeof *kept);
    const size_t room = 2 * sizeof *kept + froth_save_size(show);
    *bytes = malloc(room);
    int result = -1;
    errno = ENOMEM;
    if (kept != NULL && *bytes != NULL) {
        size_t rest = 0;
        engine_keep(instance_engine(show), kept);
        const size_t used = engine_kept_save(kept, *bytes, room);
        result =
            used > 0 && froth_save(show, *bytes + used, room - used, &rest) == FROTH_OK ? 0 : -1;
        *size = used + rest;
    }
    free(kept);
    if (result != 0) {
        free(*bytes);
        *bytes = NULL;
    }
    return result;
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
