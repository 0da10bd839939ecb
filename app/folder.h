/* What stands at a path. */
#ifndef APP_FOLDER_H
#define APP_FOLDER_H

#include <stdbool.h>

/* The path, or what it links to, is a folder. */
bool app_is_folder(const char *path);

#endif
