#include "app/set/record/home.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "app/set/set.h"
#include "base/os/file.h"

enum { PATH = 4096, DEEP = 2 };

/* Bytes of what lies in a folder; removes it all the same. */
static uint64_t walk(const char *folder, unsigned depth, bool removes)
{
    uint64_t bytes = 0;
    DIR *entries = depth <= DEEP ? opendir(folder) : NULL;
    const struct dirent *entry;
    while (entries != NULL && (entry = readdir(entries)) != NULL) {
        char path[PATH];
        struct stat facts;
        const int size = snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0 || size < 0 ||
            (size_t)size >= sizeof path || lstat(path, &facts) != 0) {
            continue;
        }
        if (S_ISDIR(facts.st_mode)) {
            bytes += walk(path, depth + 1, removes);
        } else {
            bytes += (uint64_t)facts.st_blocks * 512;
            if (removes) {
                (void)unlink(path);
            }
        }
    }
    if (entries != NULL) {
        (void)closedir(entries);
    }
    if (removes) {
        (void)rmdir(folder);
    }
    return bytes;
}

void app_set_keep(int folder)
{
    (void)flock(folder, LOCK_EX | LOCK_NB); /* where there are no locks nothing is kept */
}

static bool is_kept(const char *path)
{
    const int folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    const bool kept = folder >= 0 && flock(folder, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
    if (folder >= 0) {
        (void)close(folder);
    }
    return kept;
}

/* The oldest recording of the folder `home` but `mine`, by its name, which is its time, and but
 * those that are kept; and what all take. */
static bool oldest(const char *home, const char *mine, char *found, uint64_t *bytes)
{
    DIR *entries = opendir(home);
    const struct dirent *entry;
    found[0] = '\0';
    *bytes = 0;
    while (entries != NULL && (entry = readdir(entries)) != NULL) {
        char path[PATH];
        const int size = snprintf(path, sizeof path, "%s/%s", home, entry->d_name);
        if (entry->d_name[0] == '.' || size < 0 || (size_t)size >= sizeof path ||
            !app_set_is(path)) {
            continue;
        }
        *bytes += walk(path, 0, false);
        if (strcmp(path, mine) != 0 && (found[0] == '\0' || strcmp(path, found) < 0) &&
            !is_kept(path)) {
            memcpy(found, path, (size_t)size + 1);
        }
    }
    if (entries != NULL) {
        (void)closedir(entries);
    }
    return found[0] != '\0';
}

bool app_set_make_room(const char *folder, uint64_t space)
{
    char home[PATH];
    char found[PATH];
    uint64_t bytes = 0;
    const char *slash = strrchr(folder, '/');
    if (space == 0 || !app_set_home(home, sizeof home) || slash == NULL ||
        (size_t)(slash - folder) != strlen(home) || memcmp(folder, home, strlen(home)) != 0) {
        return true; /* not among those */
    }
    while (oldest(home, folder, found, &bytes) && bytes > space) {
        (void)walk(found, 0, true);
        if (app_set_is(found)) {
            break; /* it cannot be removed */
        }
    }
    return bytes <= space;
}

bool app_set_name_by_time(const char *home, char *folder, size_t size)
{
    char stamp[32];
    struct tm parts;
    const time_t now = time(NULL);
    if (localtime_r(&now, &parts) == NULL ||
        strftime(stamp, sizeof stamp, "%Y-%m-%d-%H%M%S", &parts) == 0 ||
        base_folder_make(home) != 0) {
        return false;
    }
    for (unsigned i = 1; i < 1000; i++) {
        struct stat facts;
        const int length = i == 1 ? snprintf(folder, size, "%s/%s", home, stamp)
                                  : snprintf(folder, size, "%s/%s-%u", home, stamp, i);
        if (length < 0 || (size_t)length >= size) {
            return false;
        }
        if (stat(folder, &facts) != 0) {
            return true;
        }
    }
    return false;
}

int app_set_folders_make(const char *folder)
{
    static const char *const below[] = {"", "/sound", "/presets", "/pictures", "/states"};
    if (base_folder_make_above(folder) != 0) {
        return -1;
    }
    for (size_t i = 0; i < sizeof below / sizeof *below; i++) {
        char path[PATH + 32];
        (void)snprintf(path, sizeof path, "%s%s", folder, below[i]);
        if (mkdir(path, 0777) != 0) {
            return -1;
        }
    }
    return 0;
}

const char *app_set_folders_text(int error)
{
    return error == EEXIST ? "there is something of this name; name a new folder" : strerror(error);
}
