/* The presets that an instrument works on. */
#ifndef APP_LAB_PRESETS_H
#define APP_LAB_PRESETS_H

#include "app/options.h"
#include "presets/library.h"

/* Lists the presets that the command line names after the instrument. Returns an enum app_exit:
 * failed, with messages, if something cannot be read (the list has the rest); wrong usage, with a
 * message, if nothing is named. The list is to be freed in all cases. */
int app_lab_presets(const struct app_options *options, struct preset_list *list);

#endif
