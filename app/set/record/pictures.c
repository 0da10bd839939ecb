#include "app/set/record/pictures.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/os/file.h"

bool app_set_picture_copy(const char *from, const char *folder, char name[static APP_SET_PICTURE])
{
    enum { PATH = 4096 + APP_SET_PICTURE, PICTURE_MOST = 256 << 20 };
    size_t read = 0;
    char path[PATH];
    const char *ending = strrchr(from, '.');
    char *data = base_file_read(from, PICTURE_MOST, &read, NULL);
    if (data == NULL) {
        return false;
    }
    (void)snprintf(name, APP_SET_PICTURE, "pictures/%016" PRIx64 "%.8s",
                   base_content_hash(data, read), ending != NULL ? ending : "");
    (void)snprintf(path, sizeof path, "%s/%s", folder, name);
    const bool good =
        access(path, F_OK) == 0 || base_file_write(path, data, read, BASE_FILE_CACHE) == 0;
    free(data);
    return good;
}

/* A text in quotes, each character of which that is not plain ASCII is escaped byte by byte. */
static void add_quoted(struct app_set_log *log, struct base_span text)
{
    app_set_log_add(log, "\"", 1);
    for (size_t i = 0; i < text.size; i++) {
        const unsigned char byte = (unsigned char)text.data[i];
        const bool plain = byte >= ' ' && byte < 0x7f && byte != '"' && byte != '\\';
        char escape[8];
        (void)snprintf(escape, sizeof escape, "\\x%02x", byte);
        app_set_log_add(log, plain ? &text.data[i] : escape, plain ? 1 : strlen(escape));
    }
    app_set_log_add(log, "\"", 1);
}

void app_set_picture_add(struct app_set_log *log, const struct app_set_picture *picture)
{
    const struct {
        const char *before;
        struct base_span text;
    } parts[] = {{"- {preset: ", picture->preset},
                 {", path: ", picture->path},
                 {picture->is_file ? ", file: " : ", name: ", base_span_of(picture->name)},
                 {", picture: ", base_span_of(picture->picture)}};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        app_set_log_add(log, parts[i].before, strlen(parts[i].before));
        add_quoted(log, parts[i].text);
    }
    app_set_log_add(log, "}\n", 2);
}
