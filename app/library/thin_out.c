#include "app/library/thin_out.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { DIGITS = 16, NAME_SIZE = DIGITS + sizeof ".png", DAY = 24 * 60 * 60 };

struct file {
    char name[NAME_SIZE];
    int64_t used; /* its time of change, which app_thin_out_use sets too */
    uint64_t bytes;
};

struct files {
    struct file *items;
    size_t count;
    size_t capacity;
};

/* False without memory. */
static bool add(struct files *files, const char *name, const struct stat *status)
{
    if (files->count == files->capacity) {
        const size_t capacity = 2 * files->capacity + 1024;
        struct file *items = realloc(files->items, capacity * sizeof *items);
        if (items == NULL) {
            return false;
        }
        files->items = items;
        files->capacity = capacity;
    }
    struct file *file = &files->items[files->count++];
    memcpy(file->name, name, NAME_SIZE);
    file->used = status->st_mtime;
    file->bytes = (uint64_t)status->st_size;
    return true;
}

/* Lists the pictures of the folder; false if it was told not to go on. */
static bool list(const struct app_thin_out *setup, DIR *folder, struct files *files)
{
    const struct dirent *entry;
    while ((entry = readdir(folder)) != NULL) {
        struct stat status;
        if (!setup->may_go_on(setup->user)) {
            return false;
        }
        if ((strspn(entry->d_name, "0123456789abcdef") == DIGITS &&
             strcmp(entry->d_name + DIGITS, ".png") == 0) &&
            fstatat(dirfd(folder), entry->d_name, &status, AT_SYMLINK_NOFOLLOW) == 0 &&
            S_ISREG(status.st_mode) && !add(files, entry->d_name, &status)) {
            break;
        }
    }
    return true;
}

static int compare(const void *a, const void *b)
{
    const struct file *left = a;
    const struct file *right = b;
    const int by_use = (left->used > right->used) - (left->used < right->used);
    return by_use != 0 ? by_use : memcmp(left->name, right->name, NAME_SIZE);
}

static struct app_thinned delete_oldest(const struct app_thin_out *setup, DIR *folder,
                                        struct files *files)
{
    struct app_thinned left = {0};
    for (size_t i = 0; i < files->count; i++) {
        left.bytes += files->items[i].bytes;
    }
    qsort(files->items, files->count, sizeof *files->items, compare);
    const uint64_t wanted = left.bytes > setup->bytes_max ? setup->bytes : left.bytes;
    size_t next = 0;
    while (next < files->count && left.bytes > wanted && setup->may_go_on(setup->user)) {
        const struct file *file = &files->items[next++];
        if (unlinkat(dirfd(folder), file->name, 0) == 0 || errno == ENOENT) {
            left.bytes -= file->bytes;
        }
    }
    left.oldest = next < files->count ? files->items[next].used : 0;
    return left;
}

struct app_thinned app_thin_out(const struct app_thin_out *setup)
{
    struct files files = {0};
    struct app_thinned left = {0};
    DIR *folder = opendir(setup->folder);
    if (folder == NULL) {
        return left;
    }
    if (list(setup, folder, &files) && files.count > 0) {
        left = delete_oldest(setup, folder, &files);
    }
    free(files.items);
    (void)closedir(folder);
    return left;
}

void app_thin_out_use(const char *path)
{
    struct stat status;
    if (stat(path, &status) == 0 && time(NULL) - status.st_mtime > DAY) {
        (void)utimensat(AT_FDCWD, path, NULL, 0);
    }
}
