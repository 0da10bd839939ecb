#include <stdio.h>

#include "app/feed/sound_input.h"
#include "app/options/options.h"
#include "base/os/logger.h"

int app_devices(const struct app_options *options)
{
    struct app_sound_list list;
    const int result = app_sound_list_fill(&list, &base_diag_stderr);
    app_sound_list_print(&list, options->json, stdout);
    if (fflush(stdout) != 0) {
        base_report(&base_diag_stderr, BASE_ERROR, (struct base_place){0}, NULL,
                    "standard output cannot be written");
        return APP_EXIT_FAILED;
    }
    return result == 0 ? APP_EXIT_DONE : APP_EXIT_FAILED;
}
