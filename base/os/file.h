/* Whole files: read into memory, written beside their name and renamed. */
#ifndef BASE_OS_FILE_H
#define BASE_OS_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

#include "base/diag.h"
#include "base/text.h"

struct base_file {
    char *data;
    size_t size;
};

/* Reads an ordinary file of at most `limit` bytes; never waits for a pipe or a device. Returns 0,
 * or -1 with a message and nothing to free. */
int base_file_load(struct base_file *file, const char *path, size_t limit,
                   const struct base_diag_sink *sink);
void base_file_free(struct base_file *file);

/* The first bytes of an ordinary file, `most` at most, malloc'ed with a NUL behind; *facts (NULL:
 * not wanted) are those of what was read. NULL with errno, EINVAL for what is no ordinary file. */
char *base_file_read(const char *path, size_t most, size_t *size, struct stat *facts);

enum base_file_way {
    BASE_FILE_OVER, /* in place of a file that may stand there, with its permissions */
    BASE_FILE_NEW,  /* only where nothing has the name */
};

/* Writes to a file beside path, which then gets its name. Returns 0, or -1 with errno; what stood
 * at path is then unchanged. Where a file system has no links, BASE_FILE_NEW takes the name with an
 * empty file first. */
int base_file_write(const char *path, const char *data, size_t size, enum base_file_way way);

/* Folders, among them the XDG folders in which froth keeps the user's files. */

/* Whether the path, or what it links to, is a folder. */
bool base_is_folder(const char *path);

enum base_folder {
    BASE_FOLDER_CONFIG, /* $XDG_CONFIG_HOME/froth, or ~/.config/froth */
    BASE_FOLDER_DATA,   /* $XDG_DATA_HOME/froth, or ~/.local/share/froth */
    BASE_FOLDER_CACHE,  /* $XDG_CACHE_HOME/froth, or ~/.cache/froth */
};

/* Stores the folder's path followed by `more` ("" or "/name"), whether it exists or not. False if
 * the system names no such folder, or the path is too long. */
bool base_folder_path(enum base_folder folder, const char *more, char *path, size_t size);

/* Makes a folder and what is above it, where missing. Returns 0, or -1 (errno says why). */
int base_folder_make(const char *path);

/* Small files, written in one piece. */

/* Writes a small file as base_file_write does with BASE_FILE_OVER; missing folders are made.
 * Returns 0, or -1 with errno: a file that stood at `path` is then unchanged. */
int base_file_save(const char *path, const char *text, size_t size);

#endif
