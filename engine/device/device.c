#include "engine/device/device.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/os/file.h"
#include "base/os/program.h"

static const struct base_place NOWHERE = {0};

struct engine_device {
    struct gpu *gpu;
    struct gpu_about about;
    size_t kept; /* bytes of what the driver had made before */
    atomic_bool told;
};

/* ---- verdicts that were reached before ---- */

enum { PATH = 4096, MARK = 64, VERDICT = MARK + ENGINE_TRIAL_LINE };

/* What a verdict begins with: it holds for this build of froth alone. */
static void make_mark(char mark[static MARK])
{
    char path[PATH];
    struct base_content_stream stream;
    base_content_stream_begin(&stream);
    (void)base_content_stream_file(&stream, base_code_path(path, sizeof path) ? path : "");
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
static bool recall(const struct gpu_about *about, const char *mark, struct engine_trial *trial)
{
    char path[PATH];
    size_t size = 0;
    char *text = verdict_path(about, path) ? base_file_read(path, VERDICT, &size, NULL) : NULL;
    bool known = false;
    if (text != NULL && strncmp(text, mark, strlen(mark)) == 0) {
        known = engine_trial_read(trial, text + strlen(mark)) && !trial->unsure && !trial->busy;
    }
    free(text);
    return known;
}

static void remember(const struct gpu_about *about, const char *mark,
                     const struct engine_trial *trial)
{
    char path[PATH];
    char line[ENGINE_TRIAL_LINE];
    char text[MARK + ENGINE_TRIAL_LINE];
    engine_trial_print(line, trial);
    (void)snprintf(text, sizeof text, "%s%s", mark, line);
    /* Where it cannot be kept the next start tries again. */
    if (verdict_path(about, path)) {
        (void)base_file_cache(path, text, strlen(text));
    }
}

struct engine_trial engine_device_verdict(const struct gpu_about *about, engine_trier *tries,
                                          const struct base_diag_sink *sink)
{
    struct engine_trial trial;
    char mark[MARK];
    make_mark(mark);
    if (!recall(about, mark, &trial)) {
        base_report(sink, BASE_NOTE, NOWHERE, NULL, "%s is on trial, once, for some seconds",
                    about->name);
        trial = tries(about->key);
        /* What a busy machine says of times is tried again. */
        if (!trial.unsure && !trial.busy) {
            remember(about, mark, &trial);
        }
    }
    return trial;
}

/* ---- what a driver has made ---- */

/* A file is the hash of what follows: drivers believe what they get, and a file may be torn. */
enum { HASH = sizeof(uint64_t), PIPELINES = 64 << 20 };

static void recall_pipelines(struct engine_device *device)
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

static void remember_pipelines(const struct engine_device *device)
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
    const char *lacks = gpu_lacks();
    base_report(sink, BASE_ERROR, NOWHERE,
                lacks != NULL ? lacks : "'froth devices' lists those that there are",
                strcmp(wanted, "gpu") == 0 ? "there is no graphics processor that froth can use%.0s"
                                           : "there is no device '%s'",
                wanted);
    return -1;
}

int engine_device_open(const char *wanted, bool shows, engine_trier *tries,
                       struct engine_device **device, const struct base_diag_sink *sink)
{
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
    const struct engine_trial trial = engine_device_verdict(&about[at], tries, sink);
    if (!trial.passed) {
        base_report(
            sink, automatic ? BASE_NOTE : BASE_WARNING, NOWHERE, "the processor draws instead",
            trial.unsure ? "%s could not be tried: %s" : "%s does not draw the same pictures: %s",
            about[at].name, trial.why);
        return 0;
    }
    if (automatic && trial.shaded.device >= trial.shaded.processor) {
        return 0;
    }
    struct engine_device *opened = calloc(1, sizeof *opened);
    if (opened != NULL) {
        opened->about = about[at];
        opened->gpu =
            gpu_create_on(shows ? gpu_open_to_show(about[at].key) : gpu_open(about[at].key));
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
    if (!trial.doubles) {
        gpu_leave_doubles(opened->gpu);
    }
    gpu_draw_plain(opened->gpu, trial.plain.device < trial.plain.processor ||
                                    (!automatic && gpu_shares_memory(gpu_device_of(opened->gpu))));
    recall_pipelines(opened);
    *device = opened;
    return 0;
}

void engine_device_watch(struct engine_device *device, const struct base_diag_sink *sink)
{
    if (device != NULL && gpu_account(device->gpu).lost && !atomic_exchange(&device->told, true)) {
        base_report(sink, BASE_WARNING, NOWHERE, "the pictures are the same",
                    "%s was lost; the processor goes on", device->about.name);
    }
}

void engine_device_close(struct engine_device *device, const struct base_diag_sink *sink)
{
    if (device == NULL) {
        return;
    }
    engine_device_watch(device, sink);
    remember_pipelines(device);
    gpu_free(device->gpu);
    free(device);
}

const struct rend_device *engine_device_stages(const struct engine_device *device)
{
    return device != NULL ? gpu_stages(device->gpu) : NULL;
}

struct gpu_device *engine_device_of(const struct engine_device *device)
{
    return device != NULL ? gpu_device_of(device->gpu) : NULL;
}

const struct gpu_about *engine_device_about(const struct engine_device *device)
{
    return &device->about;
}

struct gpu_account engine_device_account(const struct engine_device *device)
{
    return device != NULL ? gpu_account(device->gpu) : (struct gpu_account){0};
}
