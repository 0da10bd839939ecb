/* Whatever bytes come in, as playlist and as index: they are refused with one message, or what was
 * read is within the limits, and an index survives writing. The first byte says what it is. */
#include <stdlib.h>
#include <string.h>

#include "presets/library/find.h"
#include "presets/library/order.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void try_playlist(const char *path, struct base_span text)
{
    static struct base_diag_list messages;
    messages = (struct base_diag_list){.count = 0};
    const struct base_diag_sink sink = base_diag_list_sink(&messages);
    struct preset_playlist list;
    const bool read = preset_playlist_read(&list, path, text, &sink) == 0;
    if (read == (messages.by_severity[BASE_ERROR] > 0) || (!read && list.items != NULL)) {
        abort();
    }
    for (size_t i = 0; i < list.count; i++) {
        const struct preset_playlist_item *item = &list.items[i];
        if (item->path[0] == '\0' || strlen(item->path) > PRESET_PATH_MAX || item->line == 0 ||
            !(item->seconds < 0 || item->seconds >= 0.1)) {
            abort();
        }
    }
    preset_playlist_free(&list);
    free(preset_playlist_extend(path, text, "/more.milk", NULL));
}

static char *print(const struct preset_index *index, size_t *size)
{
    char *text = NULL;
    FILE *out = open_memstream(&text, size);
    preset_index_begin(out);
    for (size_t i = 0; i < index->count; i++) {
        preset_index_print(out, &index->rows[i]);
    }
    (void)fclose(out);
    return text;
}

static void try_index(struct base_span text)
{
    struct preset_index index;
    struct preset_index again;
    size_t size = 0;
    if (!preset_index_read(&index, text)) {
        return;
    }
    char *printed = print(&index, &size);
    if (!preset_index_read(&again, (struct base_span){printed, size}) ||
        again.count != index.count) {
        abort();
    }
    for (size_t i = 0; i < index.count; i++) {
        const struct preset_found *row = preset_index_find(&index, index.rows[i].path);
        if (row == NULL || strcmp(again.rows[i].path, index.rows[i].path) != 0 ||
            row->stars > PRESET_STARS) {
            abort();
        }
    }
    free(printed);
    preset_index_free(&index);
    preset_index_free(&again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0) {
        return 0;
    }
    const struct base_span text = {(const char *)data + 1, size - 1};
    switch (data[0]) {
    case 'i':
        try_index(text);
        break;
    case 'y':
        try_playlist("fuzz/list.yaml", text);
        break;
    default:
        try_playlist("fuzz/list.txt", text);
        break;
    }
    return 0;
}
