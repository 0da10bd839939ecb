#include "app/whole_file.h"

#include <errno.h>
#include <string.h>

#include "app/folder.h"
#include "base/file.h"
#include "base/hash.h"

enum { PATH_SIZE = 4096 };

static int make_folder_of(const char *path)
{
    char folder[PATH_SIZE];
    const char *slash = strrchr(path, '/');
    const size_t size = slash != NULL ? (size_t)(slash - path) : 0;
    if (size == 0) {
        return 0;
    }
    if (size >= sizeof folder) {
        errno = ENAMETOOLONG;
        return -1;
    }
    memcpy(folder, path, size);
    folder[size] = '\0';
    return app_folder_make(folder);
}

int app_whole_file_write(const char *path, const char *text, size_t size)
{
    return make_folder_of(path) == 0 ? base_file_write(path, text, size, BASE_FILE_OVER) : -1;
}

uint64_t app_content_hash(const char *data, size_t size)
{
    return base_hash(BASE_HASH_START, data, size);
}

bool app_content_read(uint64_t *hash, struct base_span text)
{
    static const char digits[] = "0123456789abcdef";
    *hash = 0;
    for (size_t i = 0; i < text.size && text.size == APP_CONTENT_DIGITS; i++) {
        const char *digit = memchr(digits, text.data[i], sizeof digits - 1);
        if (digit == NULL) {
            return false;
        }
        *hash = *hash << 4 | (uint64_t)(digit - digits);
    }
    return text.size == APP_CONTENT_DIGITS;
}
