/* froth set: looks at a recorded show, tries it, cuts a part out of it. */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/io/audio.h"
#include "app/set/set.h"
#include "app/set/record/trim.h"
#include "base/os/file.h"
#include "base/os/print.h"
#include "engine/loading.h"
#include "presets/file.h"

enum { PATH = 4096 + 512 };

static const struct base_place NOWHERE = {0};

/* ---- show ---- */

static void print_time(double seconds)
{
    enum { MINUTE = 60, HOUR = 3600 };
    const unsigned long long whole = (unsigned long long)seconds;
    printf("%llu:%02llu:%06.3f", whole / HOUR, whole / MINUTE % MINUTE,
           seconds - (double)(whole / MINUTE * MINUTE));
}

/* Frames that were not drawn, between those that were. */
static uint64_t count_late(const struct app_set *set)
{
    uint64_t late = 0;
    uint64_t before = set->events.head.first;
    for (size_t i = 0; i < set->frame_count; i++) {
        late += set->frames[i].number > before + 1 ? set->frames[i].number - before - 1 : 0;
        before = set->frames[i].number;
    }
    return late;
}

static uint64_t last_frame(const struct app_set *set)
{
    return set->frame_count > 0 ? set->frames[set->frame_count - 1].number : set->events.head.first;
}

static int show(const struct app_set *set)
{
    const struct app_set_head *head = &set->events.head;
    size_t counts[APP_SET_KINDS] = {0};
    for (size_t i = 0; i < set->events.count; i++) {
        counts[set->events.items[i].kind]++;
    }
    printf("begun %s, froth %s, %dx%d, %.6g frames a second\n", head->begun, head->froth,
           head->config.width, head->config.height, app_set_rate(&head->config));
    print_time(app_set_seconds(head, last_frame(set) + 1));
    printf(" long, %zu frame%s, %" PRIu64 " left out, %zu preset%s, %zu command%s%s\n\n",
           set->frame_count, base_plural(set->frame_count), count_late(set), counts[APP_SET_PRESET],
           base_plural(counts[APP_SET_PRESET]), counts[APP_SET_COMMAND],
           base_plural(counts[APP_SET_COMMAND]), set->ended ? "" : ", cut off");
    for (size_t i = 0; i < set->events.count; i++) {
        const struct app_set_event *event = &set->events.items[i];
        if (event->kind != APP_SET_PRESET && event->kind != APP_SET_COMMAND) {
            continue;
        }
        char text[APP_SET_LINE];
        const struct base_span what = event->kind == APP_SET_PRESET ? event->name : event->text;
        (void)snprintf(text, sizeof text, "%.*s", (int)what.size, what.data);
        print_time(app_set_seconds(head, event->frame));
        printf(event->kind == APP_SET_PRESET ? "  " : "    ");
        base_plain(stdout, text);
        if (event->kind == APP_SET_PRESET && event->change.seconds > 0) {
            printf(" (%s, %.3g s)", rend_transition_name(event->change.transition),
                   event->change.seconds);
        }
        printf("\n");
    }
    return 0;
}

/* ---- check ---- */

/* The presets that the set names, each once. */
static int check_presets(const struct app_set *set, const struct base_diag_sink *sink)
{
    char events[PATH];
    int result = 0;
    struct rend_resources *resources = rend_resources_create(NULL);
    (void)snprintf(events, sizeof events, "%s/events.yaml", set->folder);
    for (size_t i = 0; i < set->events.count; i++) {
        const struct app_set_event *event = &set->events.items[i];
        bool before = event->kind != APP_SET_PRESET;
        for (size_t k = 0; k < i && !before; k++) {
            before = set->events.items[k].kind == APP_SET_PRESET &&
                     base_span_equal(set->events.items[k].text, event->text);
        }
        if (before) {
            continue;
        }
        char path[PATH];
        const struct base_span none = {NULL, 0};
        (void)snprintf(path, sizeof path, "%s/%.*s", set->folder, (int)event->text.size,
                       event->text.data);
        struct rend_patch *patch = engine_patch_load(path, none, resources, NULL, sink);
        if (patch == NULL) {
            base_report(sink, BASE_ERROR, (struct base_place){events, event->line, event->column},
                        NULL, "this preset cannot be shown");
            result = -1;
        }
        rend_patch_free(patch);
    }
    rend_resources_free(resources);
    return result;
}

static int check_order(const struct app_set *set, const struct base_diag_sink *sink)
{
    char events[PATH];
    const uint64_t last = last_frame(set);
    size_t behind = 0;
    (void)snprintf(events, sizeof events, "%s/events.yaml", set->folder);
    for (size_t i = 0; i < set->events.count; i++) {
        const struct app_set_event *event = &set->events.items[i];
        if (event->kind != APP_SET_END && event->frame > last && behind++ == 0) {
            base_report(sink, BASE_WARNING, (struct base_place){events, event->line, event->column},
                        NULL, "this comes behind the last frame");
        }
    }
    if (set->frame_count == 0) {
        base_report(sink, BASE_ERROR, (struct base_place){.file = set->folder}, NULL,
                    "there are no frames in it");
        return -1;
    }
    return 0;
}

static int check(const struct app_set *set, const struct base_diag_sink *sink)
{
    const int ordered = check_order(set, sink);
    if (check_presets(set, sink) != 0 || ordered != 0) {
        return -1;
    }
    printf("%s: good", set->folder);
    printf(set->ended ? "\n" : ", cut off after %.3f s\n",
           app_set_seconds(&set->events.head, last_frame(set) + 1));
    return 0;
}

/* ---- the command ---- */

static const char *const words[] = {"show", "check", "trim"};
enum { SHOW, CHECK, TRIM, WORDS };

static int refuse(const char *hint, const char *what)
{
    base_report(&base_diag_stderr, BASE_ERROR, NOWHERE, hint, "%s", what);
    return APP_EXIT_USAGE;
}

int app_set_command(const struct app_options *options)
{
    const double from = fmax(options->from, 0);
    unsigned word = 0;
    while (word < WORDS && options->input_count > 0 &&
           strcmp(options->inputs[0], words[word]) != 0) {
        word++;
    }
    if (options->input_count != 2 || word == WORDS) {
        char hint[96];
        struct base_closest closest = {0};
        for (unsigned i = 0; i < WORDS && word == WORDS && options->input_count > 0; i++) {
            base_closest_try(&closest, options->inputs[0], words[i]);
        }
        base_closest_hint(&closest, "see 'froth help set'", hint, sizeof hint);
        return refuse(hint, "set needs show, check or trim, and a recorded set");
    }
    if (word == TRIM && (options->output == NULL || (options->to >= 0 && options->to <= from))) {
        return refuse("--from 1:10:00 --to 1:14:00 -o NAME",
                      "trim needs a new folder, and times of the set, the first before the other");
    }
    struct app_set set = {.frame_count = 0};
    int result = app_set_open(&set, options->inputs[1], &base_diag_stderr);
    if (result == 0) {
        result = word == SHOW ? show(&set)
                 : word == CHECK
                     ? check(&set, &base_diag_stderr)
                     : app_set_trim(&set, from, options->to >= 0 ? options->to : INFINITY,
                                    options->output, options, &base_diag_stderr);
    }
    app_set_close(&set);
    return result == 0 ? APP_EXIT_DONE : APP_EXIT_FAILED;
}
