/* froth devices: what this machine and its network have. */
#include <stdio.h>

#include "app/device/device.h"
#include "app/feed/sound.h"
#include "app/light/light.h"
#include "app/midi/midi.h"
#include "app/options/options.h"
#include "base/os/print.h"

int app_devices(const struct app_options *options)
{
    const int result = options->light_search
                           ? app_light_search(options->json, stdout, &base_diag_stderr)
                           : app_sound_list(options->json, stdout, &base_diag_stderr);
    if (!options->light_search) {
        app_midi_print(stdout, options->json);
        app_device_print(stdout, options->json);
    }
    if (fflush(stdout) != 0) {
        base_report(&base_diag_stderr, BASE_ERROR, (struct base_place){0}, NULL,
                    "standard output cannot be written");
        return APP_EXIT_FAILED;
    }
    return result == 0 ? APP_EXIT_DONE : APP_EXIT_FAILED;
}
