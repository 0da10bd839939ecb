/* A part of a set as a set of its own. */
#ifndef APP_SET_TRIM_H
#define APP_SET_TRIM_H

#include "app/set/set.h"

/* Writes what is between two times into a new folder. It begins with the show as it stood there.
 * Returns 0, or -1 after messages; what was written until then stays. */
int app_set_trim(const struct app_set *set, double from, double to, const char *folder,
                 const struct app_options *options, const struct base_diag_sink *sink);

#endif
