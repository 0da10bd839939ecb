#include "app/folder.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { PATH_SIZE = 4096 };

bool app_is_folder(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

static bool join(char *path, size_t size, const char *base, const char *below, const char *more)
{
    const int length = snprintf(path, size, "%s%s%s", base, below, more);
    return length >= 0 && (size_t)length < size;
}

bool app_folder_path(enum app_folder folder, const char *more, char *path, size_t size)
{
    static const struct {
        const char *variable;
        const char *usual; /* below the home folder */
    } places[] = {
        [APP_FOLDER_CONFIG] = {"XDG_CONFIG_HOME", "/.config/froth"},
        [APP_FOLDER_DATA] = {"XDG_DATA_HOME", "/.local/share/froth"},
        [APP_FOLDER_CACHE] = {"XDG_CACHE_HOME", "/.cache/froth"},
    };
    const char *named = getenv(places[folder].variable);
    if (named != NULL && named[0] == '/') {
        return join(path, size, named, "/froth", more);
    }
    const char *home = getenv("HOME");
    return home != NULL && home[0] == '/' && join(path, size, home, places[folder].usual, more);
}

static int make_one(const char *path)
{
    return mkdir(path, 0777) == 0 || (errno == EEXIST && app_is_folder(path)) ? 0 : -1;
}

int app_folder_make(const char *path)
{
    char part[PATH_SIZE];
    const size_t size = strlen(path);
    if (size == 0 || size >= sizeof part) {
        errno = ENAMETOOLONG;
        return -1;
    }
    memcpy(part, path, size + 1);
    for (char *at = strchr(part + 1, '/'); at != NULL; at = strchr(at + 1, '/')) {
        *at = '\0';
        if (make_one(part) != 0) {
            return -1;
        }
        *at = '/';
    }
    return make_one(part);
}
