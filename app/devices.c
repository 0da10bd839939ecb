/* froth devices: what this machine and its network have. */
#include <stdio.h>
#include <string.h>

#include "app/device/device.h"
#include "app/feed/sound.h"
#include "app/light/light.h"
#include "app/midi/midi.h"
#include "app/options/options.h"
#include "base/os/print.h"
#include "ui/window.h"

static void print_monitor(const struct ui_output *output, int number, bool json)
{
    const struct ui_rect place = output->place;
    if (json) {
        (void)printf("{\"number\":%d,\"name\":", number);
        base_json_string(stdout, output->name);
        (void)fputs(",\"system\":\"display\",\"description\":", stdout);
        base_json_string(stdout, output->description);
        (void)printf(",\"width\":%d,\"height\":%d,\"x\":%d,\"y\":%d}\n", place.width, place.height,
                     place.x, place.y);
        return;
    }
    (void)printf("%3d  ", number);
    base_plain(stdout, output->name);
    (void)fputs("  (monitor, ", stdout);
    if (output->description[0] != '\0' && strcmp(output->description, output->name) != 0) {
        base_plain(stdout, output->description);
        (void)fputs(", ", stdout);
    }
    (void)printf("%dx%d at %d,%d)\n", place.width, place.height, place.x, place.y);
}

/* Numbers and names as --monitor takes them. */
static void print_monitors(bool json)
{
    struct ui_outputs outputs;
    const bool known = ui_window_list_monitors(&outputs);
    for (int i = 0; i < outputs.count; i++) {
        print_monitor(&outputs.items[i], i + 1, json);
    }
    if (!json && outputs.count == 0) {
        (void)fputs(known ? "no monitors found\n" : "no monitors found: no display\n", stdout);
    }
}

static int list(const struct app_options *options)
{
    const int result = options->light_search
                           ? app_light_search(options->json, stdout, &base_diag_stderr)
                           : app_sound_list(options->json, stdout, &base_diag_stderr);
    if (!options->light_search) {
        app_midi_print(stdout, options->json);
        print_monitors(options->json);
        app_device_print(stdout, options->json);
    }
    return result;
}

/* What app_device_try reads. */
static int try_device(const struct app_options *options)
{
    const struct engine_trial trial = engine_trial_run(options->inputs[1]);
    char line[ENGINE_TRIAL_LINE];
    engine_trial_print(line, &trial);
    (void)fputs(line, stdout);
    return 0;
}

int app_devices(const struct app_options *options)
{
    const bool tries = options->input_count == 2 && strcmp(options->inputs[0], "trial") == 0;
    if (options->input_count > 0 && !tries) {
        base_report(&base_diag_stderr, BASE_ERROR, (struct base_place){0},
                    "'froth devices' alone lists what there is",
                    "devices needs trial KEY, or nothing");
        return APP_EXIT_USAGE;
    }
    const int result = tries ? try_device(options) : list(options);
    if (fflush(stdout) != 0) {
        base_report(&base_diag_stderr, BASE_ERROR, (struct base_place){0}, NULL,
                    "standard output cannot be written");
        return APP_EXIT_FAILED;
    }
    return result == 0 ? APP_EXIT_DONE : APP_EXIT_FAILED;
}
