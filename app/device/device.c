#define _DEFAULT_SOURCE /* on_exit */
#include "app/device/device.h"

#include <stdlib.h>
#include <unistd.h>

#include "base/os/print.h"

enum { MEBI = 1 << 20 };

int app_device_open(const struct app_options *options, struct engine_device **device,
                    const struct base_diag_sink *sink)
{
    return engine_device_open(options->device, false, app_device_try, device, sink);
}

int app_device_open_to_show(const struct app_options *options, struct engine_device **device,
                            const struct base_diag_sink *sink)
{
    return engine_device_open(options->device, true, app_device_try, device, sink);
}

#if defined(__GLIBC__)
/* What the driver's libraries do at the end of a program would take away what its threads still
 * work with. */
static void leave_at_once(int status, void *user)
{
    (void)user;
    (void)fflush(NULL);
    _exit(status);
}
#endif

void app_device_close(struct engine_device *device, const struct base_diag_sink *sink)
{
#if defined(__GLIBC__)
    /* The last that is asked for comes first, so this is before all that the driver has asked for.
     */
    if (engine_device_account(device).hangs) {
        (void)on_exit(leave_at_once, NULL);
    }
#endif
    engine_device_close(device, sink);
}

static unsigned long long mebi(uint64_t bytes)
{
    return (unsigned long long)((bytes + MEBI - 1) / MEBI);
}

void app_device_print_account(FILE *out, const struct engine_device *device)
{
    if (device != NULL) {
        const struct gpu_account account = engine_device_account(device);
        (void)fprintf(out, "device: %llu stages of frames by ", (unsigned long long)account.ran);
        base_plain(out, engine_device_about(device)->name);
        (void)fprintf(out, ", %llu stages are left to the processor, %llu MiB of its memory\n",
                      (unsigned long long)account.refused, mebi(account.memory));
    }
}

void app_device_print_json(FILE *out, const struct engine_device *device)
{
    if (device != NULL) {
        const struct gpu_account account = engine_device_account(device);
        (void)fputs(",\"device\":", out);
        base_json_string(out, engine_device_about(device)->name);
        (void)fputs(",\"driver\":", out);
        base_json_string(out, engine_device_about(device)->driver);
        (void)fprintf(out, ",\"device_stages\":%llu,\"stages_left\":%llu,\"device_mib\":%llu",
                      (unsigned long long)account.ran, (unsigned long long)account.refused,
                      mebi(account.memory));
    }
}

/* ---- their list ---- */

static void print_one(FILE *out, const struct gpu_about *about, const struct engine_trial *trial,
                      bool json)
{
    if (json) {
        (void)fputs("{\"gpu\":", out);
        base_json_string(out, about->name);
        (void)fputs(",\"driver\":", out);
        base_json_string(out, about->driver);
        (void)fprintf(out, ",\"passed\":%s", trial->passed ? "true" : "false");
        if (trial->passed) {
            (void)fprintf(
                out,
                ",\"numbers\":%zu,\"equations\":%s,\"frame_ms\":%.3f,\"processor_ms\":%.3f"
                ",\"plain_frame_ms\":%.3f,\"plain_processor_ms\":%.3f",
                trial->numbers, trial->doubles ? "true" : "false", trial->shaded.device,
                trial->shaded.processor, trial->plain.device, trial->plain.processor);
            (void)fputs(trial->busy ? ",\"busy\":true" : "", out);
        } else {
            (void)fputs(",\"why\":", out);
            base_json_string(out, trial->why);
        }
        (void)fputs("}\n", out);
        return;
    }
    (void)fputs("graphics: ", out);
    base_plain(out, about->name);
    (void)fputs(", ", out);
    base_plain(out, about->driver);
    if (trial->passed) {
        (void)fprintf(out,
                      ": draws the same pictures%s; a frame of 1920x1080 takes %.1f ms with "
                      "shaders and %.1f without, of the processor alone %.1f and %.1f%s\n",
                      trial->doubles ? "" : ", but leaves equations to the processor",
                      trial->shaded.device, trial->plain.device, trial->shaded.processor,
                      trial->plain.processor,
                      trial->busy ? "; the machine was busy, so it is tried again" : "");
    } else {
        (void)fputs(": not used: ", out);
        base_plain(out, trial->why);
        (void)fputc('\n', out);
    }
}

void app_device_print(FILE *out, bool json)
{
    struct gpu_about about[GPU_DEVICES_MAX];
    const size_t count = gpu_list(about);
    for (size_t i = 0; i < count; i++) {
        const struct engine_trial trial = engine_device_verdict(&about[i], app_device_try, NULL);
        print_one(out, &about[i], &trial, json);
    }
    if (!json && count == 0) {
        const char *lacks = gpu_lacks();
        (void)fprintf(out, "no graphics processor found%s%s\n", lacks != NULL ? ": " : "",
                      lacks != NULL ? lacks : "");
    }
}
