/* The pictures that presets name, in a set: copies by their content, and their list. */
#ifndef APP_SET_PICTURES_H
#define APP_SET_PICTURES_H

#include <stdbool.h>

#include "app/set/record/files.h"
#include "app/set/set.h"

enum { APP_SET_PICTURE = 64 };

/* Copies a file into the set, unless it is there; name: where it is, below the folder. False: it
 * cannot be read, or written (errno). */
bool app_set_picture_copy(const char *from, const char *folder, char name[static APP_SET_PICTURE]);

/* A line of pictures.yaml. */
void app_set_picture_add(struct app_set_log *log, const struct app_set_picture *picture);

#endif
