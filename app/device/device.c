#define _DEFAULT_SOURCE /* on_exit */
#include "app/device/device.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "app/device/trial.h"
#include "base/os/file.h"
#include "base/os/print.h"
#include "gpu/gpu.h"

static const struct base_place NOWHERE = {0};

struct app_device {
    struct gpu *gpu;
    struct gpu_about about;
    size_t kept; /* bytes of what the driver had made before */
    atomic_bool told;
};

/* ---- verdicts that were reached before ---- */

enum { PATH = 4096, VERDICT = 512, MARK = 64, MEBI = 1 << 20 };

/* What a verdict begins with: it holds for this build of froth alone. */
static void make_mark(char mark[static MARK])
{
    struct base_content_stream stream;
    base_content_stream_begin(&stream);
    (void)base_content_stream_file(&stream, "/proc/self/exe");
    (void)snprintf(mark, MARK, "froth " FROTH_VERSION " %016llx: ",
                   (unsigned long long)base_content_stream_hash(&stream));
}

static bool device_path(const struct gpu_about *about, const char *folder, char path[PATH])
{
    char name[GPU_KEY + 32];
    (void)snprintf(name, sizeof name, "/%s/%s", folder, about->key);
    return base_folder_path(BASE_FOLDER_CACHE, name, path, PATH);
}

static bool verdict_path(const struct gpu_about *about, char path[PATH])
{
    return device_path(about, "devices", path);
}

/* A verdict is a line: the mark and the trial. */
static bool recall(const struct gpu_about *about, const char *mark, struct app_trial *trial)
{
    char path[PATH];
    size_t size = 0;
    char *text = verdict_path(about, path) ? base_file_read(path, VERDICT, &size, NULL) : NULL;
    bool known = false;
    if (text != NULL && strncmp(text, mark, strlen(mark)) == 0) {
        known = app_trial_read(trial, text + strlen(mark)) && !trial->unsure;
    }
    free(text);
    return known;
}

static void remember(const struct gpu_about *about, const char *mark, const struct app_trial *trial)
{
    char path[PATH];
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    if (out == NULL) {
        return;
    }
    (void)fputs(mark, out);
    app_trial_print(out, trial);
    /* Where it cannot be kept the next start tries again. */
    if (fclose(out) == 0 && verdict_path(about, path)) {
        (void)base_file_cache(path, text, size);
    }
    free(text);
}

static struct app_trial trial_of(const struct gpu_about *about, const struct base_diag_sink *sink)
{
    struct app_trial trial;
    char mark[MARK];
    make_mark(mark);
    if (!recall(about, mark, &trial)) {
        base_report(sink, BASE_NOTE, NOWHERE, NULL, "%s is on trial, once, for some seconds",
                    about->name);
        trial = app_trial_run_apart(about->key);
        if (!trial.unsure) {
            remember(about, mark, &trial);
        }
    }
    return trial;
}

/* ---- what a driver has made ---- */

/* A file is the hash of what follows: drivers believe what they get, and a file may be torn. */
enum { HASH = sizeof(uint64_t), PIPELINES = 64 << 20 };

static void recall_pipelines(struct app_device *device)
{
    char path[PATH];
    size_t size = 0;
    uint64_t hash = 0;
    char *bytes = device_path(&device->about, "pipelines", path)
                      ? base_file_read(path, PIPELINES, &size, NULL)
                      : NULL;
    if (bytes != NULL && size > HASH) {
        memcpy(&hash, bytes, HASH);
    }
    const bool whole = size > HASH && hash == base_content_hash(bytes + HASH, size - HASH);
    device->kept = whole ? size - HASH : 0;
    gpu_set_pipelines(device->gpu, whole ? (const uint8_t *)bytes + HASH : NULL, device->kept);
    free(bytes);
}

static void remember_pipelines(const struct app_device *device)
{
    char path[PATH];
    size_t size = 0;
    uint8_t *made = gpu_pipelines(device->gpu, &size);
    char *bytes = made != NULL && size != device->kept && size <= PIPELINES - HASH
                      ? malloc(size + HASH)
                      : NULL;
    if (bytes != NULL && device_path(&device->about, "pipelines", path)) {
        const uint64_t hash = base_content_hash(made, size);
        memcpy(bytes, &hash, HASH);
        memcpy(bytes + HASH, made, size);
        (void)base_file_cache(path, bytes, size + HASH); /* or they are made again */
    }
    free(bytes);
    free(made);
}

/* ---- the one that is asked for ---- */

/* Whether the name has the word in it, without case. */
static bool names(const char *name, const char *word)
{
    const size_t length = strlen(word);
    for (; length > 0 && *name != '\0'; name++) {
        if (strncasecmp(name, word, length) == 0) {
            return true;
        }
    }
    return false;
}

static int refuse(const char *wanted, const struct base_diag_sink *sink)
{
    base_report(sink, BASE_ERROR, NOWHERE, "'froth devices' lists those that there are",
                strcmp(wanted, "gpu") == 0 ? "there is no graphics processor that froth can use%.0s"
                                           : "there is no device '%s'",
                wanted);
    return -1;
}

int app_device_open(const struct app_options *options, struct app_device **device,
                    const struct base_diag_sink *sink)
{
    const char *wanted = options->device;
    *device = NULL;
    if (wanted == NULL || strcmp(wanted, "cpu") == 0) {
        return 0;
    }
    const bool automatic = strcmp(wanted, "auto") == 0;
    const bool any = automatic || strcmp(wanted, "gpu") == 0;
    struct gpu_about about[GPU_DEVICES_MAX];
    const size_t count = gpu_list(about);
    size_t at = 0;
    while (at < count && !any && !names(about[at].name, wanted)) {
        at++;
    }
    if (at == count) {
        return automatic ? 0 : refuse(wanted, sink);
    }
    const struct app_trial trial = trial_of(&about[at], sink);
    if (!trial.passed) {
        base_report(
            sink, automatic ? BASE_NOTE : BASE_WARNING, NOWHERE, "the processor draws instead",
            trial.unsure ? "%s could not be tried: %s" : "%s does not draw the same pictures: %s",
            about[at].name, trial.why);
        return 0;
    }
    if (automatic && trial.device_ms >= trial.processor_ms) {
        return 0;
    }
    struct app_device *opened = calloc(1, sizeof *opened);
    if (opened != NULL) {
        opened->about = about[at];
        opened->gpu = gpu_create(about[at].key);
    }
    if (opened == NULL || opened->gpu == NULL) {
        free(opened);
        base_report(sink, BASE_WARNING, NOWHERE, "the processor draws instead",
                    "%s cannot be opened", about[at].name);
        return 0;
    }
    if (about[at].software && strcmp(wanted, "gpu") == 0) {
        base_report(sink, BASE_NOTE, NOWHERE, "--device cpu is faster",
                    "there is no graphics processor but %s, which the processor plays",
                    about[at].name);
    }
    recall_pipelines(opened);
    *device = opened;
    return 0;
}

void app_device_watch(struct app_device *device, const struct base_diag_sink *sink)
{
    if (device != NULL && gpu_account(device->gpu).lost && !atomic_exchange(&device->told, true)) {
        base_report(sink, BASE_WARNING, NOWHERE, "the pictures are the same",
                    "%s was lost; the processor goes on", device->about.name);
    }
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

void app_device_close(struct app_device *device, const struct base_diag_sink *sink)
{
    if (device == NULL) {
        return;
    }
    app_device_watch(device, sink);
    remember_pipelines(device);
#if defined(__GLIBC__)
    /* The last that is asked for comes first, so this is before all that the driver has asked for.
     */
    if (gpu_account(device->gpu).hangs) {
        (void)on_exit(leave_at_once, NULL);
    }
#endif
    gpu_free(device->gpu);
    free(device);
}

const struct rend_device *app_device_stages(const struct app_device *device)
{
    return device != NULL ? gpu_stages(device->gpu) : NULL;
}

uint64_t app_device_drawn(const struct app_device *device)
{
    return device != NULL ? gpu_account(device->gpu).ran : 0;
}

static unsigned long long mebi(uint64_t bytes)
{
    return (unsigned long long)((bytes + MEBI - 1) / MEBI);
}

void app_device_print_account(FILE *out, const struct app_device *device)
{
    if (device != NULL) {
        const struct gpu_account account = gpu_account(device->gpu);
        (void)fprintf(out, "device: %llu stages of frames by ", (unsigned long long)account.ran);
        base_plain(out, device->about.name);
        (void)fprintf(out, ", %llu stages are left to the processor, %llu MiB of its memory\n",
                      (unsigned long long)account.refused, mebi(account.memory));
    }
}

void app_device_print_json(FILE *out, const struct app_device *device)
{
    if (device != NULL) {
        const struct gpu_account account = gpu_account(device->gpu);
        (void)fputs(",\"device\":", out);
        base_json_string(out, device->about.name);
        (void)fputs(",\"driver\":", out);
        base_json_string(out, device->about.driver);
        (void)fprintf(out, ",\"device_stages\":%llu,\"stages_left\":%llu,\"device_mib\":%llu",
                      (unsigned long long)account.ran, (unsigned long long)account.refused,
                      mebi(account.memory));
    }
}

/* ---- their list ---- */

static void print_one(FILE *out, const struct gpu_about *about, const struct app_trial *trial,
                      bool json)
{
    if (json) {
        (void)fputs("{\"gpu\":", out);
        base_json_string(out, about->name);
        (void)fputs(",\"driver\":", out);
        base_json_string(out, about->driver);
        (void)fprintf(out, ",\"passed\":%s", trial->passed ? "true" : "false");
        if (trial->passed) {
            (void)fprintf(out, ",\"numbers\":%zu,\"frame_ms\":%.3f,\"processor_ms\":%.3f",
                          trial->numbers, trial->device_ms, trial->processor_ms);
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
                      ": draws the same pictures; a frame of 1920x1080 with shaders takes %.1f ms, "
                      "of the processor alone %.1f ms\n",
                      trial->device_ms, trial->processor_ms);
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
        const struct app_trial trial = trial_of(&about[i], NULL);
        print_one(out, &about[i], &trial, json);
    }
    if (!json && count == 0) {
        (void)fputs("no graphics processor found\n", out);
    }
}
