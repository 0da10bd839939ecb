/* Where recordings are that nobody named, and what they may take. */
#ifndef APP_SET_HOME_H
#define APP_SET_HOME_H

#include <stdbool.h>
#include <stdint.h>

/* Removes the oldest recordings beside this one, in froth's own folder of recordings, until all
 * take no more than so many bytes; 0: as many as there are. False where this one alone takes more.
 * Nothing that is no recording is touched. */
bool app_set_make_room(const char *folder, uint64_t space);

#endif
