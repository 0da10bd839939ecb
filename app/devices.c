#include <stdio.h>

#include "app/io/live.h"
#include "app/options.h"

int app_devices(const struct app_options *options)
{
    const int result = app_live_devices(stdout, options->json, &base_diag_stderr);
    if (fflush(stdout) != 0) {
        base_report(&base_diag_stderr, BASE_ERROR, (struct base_place){0}, NULL,
                    "standard output cannot be written");
        return APP_EXIT_FAILED;
    }
    return result == 0 ? APP_EXIT_DONE : APP_EXIT_FAILED;
}
