/* Folders of recordings: where those are that nobody named, what they may take, and new ones. */
#ifndef APP_SET_HOME_H
#define APP_SET_HOME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Keeps a recording, by the descriptor of its folder, from being removed for room, until that is
 * closed, however the program ends. */
void app_set_keep(int folder);

/* Removes the oldest recordings beside this one, in froth's own folder of recordings, until all
 * take no more than so many bytes; 0: as many as there are. False where this one, and those that
 * other shows are at, take more. Nothing that is no recording is touched. */
bool app_set_make_room(const char *folder, uint64_t space);

/* A folder that is not there yet, named by the time, in the folder `home`, which is made where it
 * is missing. False: there is none. */
bool app_set_name_by_time(const char *home, char *folder, size_t size);

/* Makes the folder of a set, with what is below it. Returns 0, or -1 with errno, for which there is
 * a text. */
int app_set_folders_make(const char *folder);
const char *app_set_folders_text(int error);

#endif
