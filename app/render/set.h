/* froth render of a recorded set. */
#ifndef APP_RENDER_SET_H
#define APP_RENDER_SET_H

#include <stdbool.h>

#include "app/options/options.h"

/* Whether the options name a recorded set. */
bool app_render_is_set(const struct app_options *options);

/* Makes its pictures again. Returns 0, or -1 after messages; 1 after messages where the options ask
 * for what a set has not. */
int app_render_set(const struct app_options *options);

#endif
