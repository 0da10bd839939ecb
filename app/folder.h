/* What stands at a path, and where froth keeps what is yours: the XDG folders. */
#ifndef APP_FOLDER_H
#define APP_FOLDER_H

#include <stdbool.h>
#include <stddef.h>

/* The path, or what it links to, is a folder. */
bool app_is_folder(const char *path);

enum app_folder {
    APP_FOLDER_CONFIG, /* $XDG_CONFIG_HOME/froth, or ~/.config/froth */
    APP_FOLDER_DATA,   /* $XDG_DATA_HOME/froth, or ~/.local/share/froth */
    APP_FOLDER_CACHE,  /* $XDG_CACHE_HOME/froth, or ~/.cache/froth */
};

/* Stores the folder's path followed by `more` ("" or "/name"), whether it exists or not. False if
 * the system names no such folder, or the path is too long. */
bool app_folder_path(enum app_folder folder, const char *more, char *path, size_t size);

/* Makes a folder and what is above it, where missing. Returns 0, or -1 (errno says why). */
int app_folder_make(const char *path);

#endif
