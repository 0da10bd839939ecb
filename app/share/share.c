#define _GNU_SOURCE /* pipe2 */
#include "app/share/share.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/io/audio.h"
#include "app/share/pictures.h"
#include "app/share/target.h"
#include "base/os/file.h"

#define NOWHERE ((struct base_place){0})

/* ---- targets by their names ---- */

enum source { SOURCE_share, SOURCE_stream };

static const struct kind {
    enum source source;
    const char *prefix;
    bool sound;
    void (*run)(struct app_share_target *target);
} kinds[] = {
#define APP_SHARE_KIND(option, prefix, sound, run) {SOURCE_##option, prefix, sound, run},
#include "app/share/kinds.def"
};

/* NULL: no target is called so. */
static const struct kind *find_kind(enum source source, const char *name)
{
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        const struct kind *kind = &kinds[i];
        const size_t size = strlen(kind->prefix);
        /* What a prefix that ends with no sign of its own begins is something else. */
        const bool whole =
            size > 0 && kind->prefix[size - 1] != ':' && kind->prefix[size - 1] != '/';
        if (kind->source == source && strncmp(name, kind->prefix, size) == 0 &&
            (!whole || name[size] == '\0')) {
            return kind;
        }
    }
    return NULL;
}

static int usage(const char *name, const char *hint, const char *what,
                 const struct base_diag_sink *sink)
{
    base_report(sink, BASE_ERROR, (struct base_place){.file = name}, hint, "%s", what);
    return APP_EXIT_USAGE;
}

/* An address that froth knows no way to looks like a file in a folder "x:". */
static bool is_address(const char *name)
{
    const char *colon = strstr(name, "://");
    const char *slash = strchr(name, '/');
    return colon != NULL && colon + 1 == slash;
}

static int check_share(const char *name, const struct base_diag_sink *sink)
{
    const struct kind *kind = find_kind(SOURCE_share, name);
    if (kind == NULL) {
        return usage(name, "pipewire, or v4l2:/dev/videoN", "nothing to share with is called so",
                     sink);
    }
    if (kind->run == app_share_run_loopback && name[strlen(kind->prefix)] == '\0') {
        return usage(name, "write v4l2:/dev/video0, or what the device is called",
                     "the device is missing", sink);
    }
    const char *lacks = app_pictures_load();
    if (lacks == NULL && kind->run == app_share_run_pipewire) {
        lacks = app_share_load_pipewire();
    }
    return lacks == NULL
               ? APP_EXIT_DONE
               : usage(name, lacks, "what shares pictures with other programs is missing", sink);
}

static int check_stream(const char *name, const struct app_options *options,
                        const struct base_diag_sink *sink)
{
    const struct kind *kind = find_kind(SOURCE_stream, name);
    if (kind->run == app_share_run_recording) {
        return is_address(name) ? usage(name, "srt://, rtmp:// and rtmps:// are known",
                                        "the way to this address is not known", sink)
                                : app_share_check_recording(name, options, sink);
    }
    const char *host = name + strlen(kind->prefix);
    return host[0] == '\0' ? usage(name, NULL, "the address is missing", sink) : APP_EXIT_DONE;
}

static bool is_twice(const struct app_list *list, size_t index)
{
    for (size_t i = 0; i < index; i++) {
        if (strcmp(list->items[i], list->items[index]) == 0) {
            return true;
        }
    }
    return false;
}

int app_share_check(const struct app_options *options, const struct base_diag_sink *sink)
{
    const struct app_list *share = &options->share;
    const struct app_list *stream = &options->stream;
    int result = APP_EXIT_DONE;
    if (share->count + stream->count > APP_SHARE_MOST) {
        base_report(sink, BASE_ERROR, NOWHERE, NULL,
                    "--share and --stream can be given %d times together", APP_SHARE_MOST);
        return APP_EXIT_USAGE;
    }
    for (size_t i = 0; result == APP_EXIT_DONE && i < share->count; i++) {
        result = is_twice(share, i) ? usage(share->items[i], NULL, "is named twice", sink)
                                    : check_share(share->items[i], sink);
    }
    for (size_t i = 0; result == APP_EXIT_DONE && i < stream->count; i++) {
        result = is_twice(stream, i) ? usage(stream->items[i], NULL, "is named twice", sink)
                                     : check_stream(stream->items[i], options, sink);
    }
    return result;
}

/* ---- opening and closing ---- */

struct app_share {
    struct app_share_target targets[APP_SHARE_MOST];
    size_t count;
};

/* The name of an address ends with its host: what follows, or stands before an @, may be a key or a
 * password. */
static void set_name(struct app_share_target *target, const char *prefix)
{
    const size_t size = strlen(prefix);
    if (target->run != app_share_run_stream) {
        (void)snprintf(target->name, sizeof target->name, "%s",
                       target->run == app_share_run_loopback ? target->place : target->option);
        return;
    }
    const char *host = target->option + size;
    const size_t whole = strcspn(host, "/?");
    const char *sign = memchr(host, '@', whole);
    const size_t hidden = sign != NULL ? (size_t)(sign + 1 - host) : 0;
    (void)snprintf(target->name, sizeof target->name, "%s%.*s", prefix, (int)(whole - hidden),
                   host + hidden);
}

static void *target_main(void *argument)
{
    struct app_share_target *target = argument;
    target->run(target);
    atomic_store(&target->wanted, false);
    app_share_set_taken(target, false);
    return NULL;
}

static bool open_target(struct app_share_target *target, enum source source)
{
    enum { SOUND_KEPT = 1 << 18 /* stereo frames: six seconds */ };
    const struct kind *kind = find_kind(source, target->option);
    const struct app_share_format *format = &target->format;
    const size_t size = (size_t)format->width * (size_t)format->height * sizeof(uint32_t);
    target->run = kind->run;
    target->place =
        target->option + (kind->run == app_share_run_loopback ? strlen(kind->prefix) : 0);
    set_name(target, kind->prefix);
    base_latest_init(&target->latest);
    bool made = pipe2(target->wake, O_CLOEXEC | O_NONBLOCK) == 0;
    for (int i = 0; i < BASE_LATEST_SLOTS; i++) {
        target->slots[i].pixels = calloc(1, size);
        made = made && target->slots[i].pixels != NULL;
    }
    made = made && (!kind->sound || base_ring_init(&target->sound, SOUND_KEPT) == 0);
    target->runs = made && pthread_create(&target->thread, NULL, target_main, target) == 0;
    return target->runs;
}

int app_share_open(struct app_share **share, const struct app_options *options,
                   const struct app_share_format *format, const struct base_diag_sink *sink)
{
    const struct app_list *const lists[] = {
        [SOURCE_share] = &options->share, [SOURCE_stream] = &options->stream};
    *share = NULL;
    if (options->share.count + options->stream.count == 0) {
        return 0;
    }
    struct app_share *made = calloc(1, sizeof *made);
    bool good = made != NULL;
    for (int source = 0; source < 2; source++) {
        for (size_t i = 0; good && i < lists[source]->count; i++) {
            struct app_share_target *target = &made->targets[made->count++];
            *target = (struct app_share_target){.option = lists[source]->items[i],
                                                .options = options,
                                                .sink = sink,
                                                .format = *format,
                                                .wake = {-1, -1}};
            good = open_target(target, (enum source)source);
        }
    }
    if (!good) {
        base_report(sink, BASE_ERROR, NOWHERE, NULL,
                    "not enough memory, or no threads, to share the picture");
        app_share_close(made);
        return -1;
    }
    *share = made;
    return 0;
}

static void wake(struct app_share_target *target)
{
    /* A full pipe wakes as well. */
    (void)!write(target->wake[1], "", 1);
}

void app_share_close(struct app_share *share)
{
    if (share == NULL) {
        return;
    }
    /* All of them end at the same time. */
    for (size_t i = 0; i < share->count; i++) {
        atomic_store(&share->targets[i].quit, true);
        wake(&share->targets[i]);
    }
    for (size_t i = 0; i < share->count; i++) {
        struct app_share_target *target = &share->targets[i];
        if (target->runs) {
            (void)pthread_join(target->thread, NULL);
        }
        for (int slot = 0; slot < BASE_LATEST_SLOTS; slot++) {
            free(target->slots[slot].pixels);
        }
        base_ring_free(&target->sound);
        base_file_close(&target->wake[0]);
        base_file_close(&target->wake[1]);
    }
    free(share);
}

/* ---- the painter's side ---- */

void app_share_picture(struct app_share *share, const uint32_t *pixels, size_t stride,
                       double seconds)
{
    for (size_t i = 0; share != NULL && i < share->count; i++) {
        struct app_share_target *target = &share->targets[i];
        if (!atomic_load(&target->wanted)) {
            continue;
        }
        struct app_share_picture *slot = &target->slots[base_latest_back(&target->latest)];
        const size_t width = (size_t)target->format.width;
        for (size_t y = 0; y < (size_t)target->format.height; y++) {
            memcpy(slot->pixels + y * width, pixels + y * stride, width * sizeof *pixels);
        }
        slot->seconds = seconds;
        slot->samples = target->samples;
        base_latest_publish(&target->latest);
        if (atomic_load(&target->taken)) {
            (void)atomic_fetch_add(&target->offered, 1);
        }
        wake(target);
    }
}

void app_share_sound(struct app_share *share, const float *interleaved, size_t frames)
{
    for (size_t i = 0; share != NULL && i < share->count; i++) {
        struct app_share_target *target = &share->targets[i];
        if (target->sound.samples != NULL && atomic_load(&target->wanted)) {
            target->samples += base_ring_write(&target->sound, interleaved, frames);
        }
    }
}

void app_share_status(const struct app_share *share, struct app_share_status *status)
{
    *status = (struct app_share_status){.targets = share != NULL ? (unsigned)share->count : 0};
    for (size_t i = 0; i < status->targets; i++) {
        const struct app_share_target *target = &share->targets[i];
        const uint64_t offered = atomic_load(&target->offered);
        const uint64_t given = atomic_load(&target->given);
        /* One is on its way. */
        status->left_out += offered > given + 1 ? offered - given - 1 : 0;
        status->given += given;
        status->taken += atomic_load(&target->taken);
    }
}

/* ---- the thread's side ---- */

void app_share_woken(struct app_share_target *target)
{
    char bytes[256];
    while (read(target->wake[0], bytes, sizeof bytes) == sizeof bytes) {
    }
}

bool app_share_wait(struct app_share_target *target, double seconds)
{
    struct pollfd end = {.fd = target->wake[0], .events = POLLIN};
    if (!atomic_load(&target->quit) && poll(&end, 1, (int)(seconds * 1000)) > 0) {
        app_share_woken(target);
    }
    return !atomic_load(&target->quit);
}

const struct app_share_picture *app_share_take(struct app_share_target *target)
{
    return base_latest_take(&target->latest) ? &target->slots[base_latest_front(&target->latest)]
                                             : NULL;
}

void app_share_arrived(struct app_share_target *target)
{
    if (atomic_load(&target->taken)) {
        (void)atomic_fetch_add(&target->given, 1);
    }
}

static void look_anew(struct app_share_target *target)
{
    target->looked = base_clock_seconds();
    target->offered_then = atomic_load(&target->offered);
    target->given_then = atomic_load(&target->given);
}

void app_share_set_taken(struct app_share_target *target, bool taken)
{
    if (atomic_exchange(&target->taken, taken) != taken) {
        target->slow = false;
        look_anew(target);
    }
}

void app_share_watch(struct app_share_target *target)
{
    static const double seconds = 3; /* that are looked at together */
    static const double slow = 0.75; /* of the pictures, or less */
    static const double well = 0.95; /* or more */
    static const double few = 4;     /* pictures that say nothing */
    const double since = base_clock_seconds() - target->looked;
    if (!atomic_load(&target->taken) || since < seconds) {
        return;
    }
    const double offered = (double)(atomic_load(&target->offered) - target->offered_then);
    const double given = (double)(atomic_load(&target->given) - target->given_then);
    look_anew(target);
    if (offered < few) {
        return;
    }
    if (!target->slow && given < slow * offered) {
        target->slow = true;
        app_share_say(target, BASE_WARNING, "the show goes on; what it misses is left out",
                      "takes only %.0f of %.0f pictures a second", given / since, offered / since);
    } else if (target->slow && given > well * offered) {
        target->slow = false;
        app_share_say(target, BASE_NOTE, NULL, "takes all pictures again");
    }
}

void app_share_say(const struct app_share_target *target, enum base_severity severity,
                   const char *hint, const char *format, ...)
{
    char text[200];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    base_report(target->sink, severity, (struct base_place){.file = target->name}, hint, "%s",
                text);
}

void app_share_well(struct app_share_target *target, const char *what)
{
    if (target->state != APP_SHARE_WELL) {
        app_share_say(target, BASE_NOTE, NULL, "%s", what);
    }
    target->state = APP_SHARE_WELL;
}

bool app_share_away(struct app_share_target *target, const char *hint, const char *why)
{
    const bool news = target->state != APP_SHARE_AWAY;
    if (news) {
        app_share_say(target, BASE_WARNING, hint, "%s", why);
    }
    target->state = APP_SHARE_AWAY;
    return news;
}

void app_share_wrong(struct app_share_target *target, const char *hint, const char *why)
{
    app_share_say(target, BASE_ERROR, hint, "%s", why);
    target->state = APP_SHARE_WRONG;
}
