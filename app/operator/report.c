#include "app/operator/report.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

struct app_messages {
    struct base_diag_sink on;
    pthread_mutex_t lock;
    uint64_t said;  /* all that ever came */
    uint64_t count; /* without those that only said the last one again */
    struct app_message kept[APP_MESSAGES_KEPT];
};

struct app_messages *app_messages_create(const struct base_diag_sink *on)
{
    struct app_messages *messages = calloc(1, sizeof *messages);
    if (messages != NULL) {
        messages->on = *on;
        (void)pthread_mutex_init(&messages->lock, NULL);
    }
    return messages;
}

void app_messages_free(struct app_messages *messages)
{
    if (messages != NULL) {
        (void)pthread_mutex_destroy(&messages->lock);
        free(messages);
    }
}

/* Tells whether two texts are the same but for their numbers. */
static bool alike(const char *a, const char *b)
{
    static const char digits[] = "0123456789.";
    while (*a != '\0' && *b != '\0') {
        const size_t number_a = strspn(a, digits);
        const size_t number_b = strspn(b, digits);
        if ((number_a > 0) != (number_b > 0) || (number_a == 0 && *a != *b)) {
            return false;
        }
        a += number_a > 0 ? number_a : 1;
        b += number_b > 0 ? number_b : 1;
    }
    return *a == *b;
}

static void receive(void *user, const struct base_diag *diag)
{
    struct app_messages *messages = user;
    (void)pthread_mutex_lock(&messages->lock);
    if (diag->severity >= BASE_NOTE) {
        /* What is said again at once is kept once; a note with other numbers takes the former's
         * place. */
        struct app_message *last =
            &messages->kept[(messages->count + APP_MESSAGES_KEPT - 1) % APP_MESSAGES_KEPT];
        struct app_message *next = &messages->kept[messages->count % APP_MESSAGES_KEPT];
        /* Short enough for a line: no folder, and of a note just what it says. */
        struct base_diag shorter = *diag;
        const char *file = diag->place.file;
        const char *slash = file == NULL ? NULL : strrchr(file, '/');
        shorter.place.file = slash == NULL ? file : slash + 1;
        next->severity = diag->severity;
        if (file == NULL || diag->severity == BASE_NOTE) {
            (void)snprintf(next->text, sizeof next->text, "%s%s%s", diag->what,
                           diag->hint[0] != '\0' ? "; " : "", diag->hint);
        } else {
            (void)base_diag_format(&shorter, next->text, sizeof next->text);
        }
        messages->said++;
        if (messages->count == 0 || last->severity != next->severity) {
            messages->count++;
        } else if (next->severity == BASE_NOTE && alike(last->text, next->text)) {
            *last = *next;
        } else if (strcmp(last->text, next->text) != 0) {
            messages->count++;
        }
    }
    (void)pthread_mutex_unlock(&messages->lock);
    messages->on.receive(messages->on.user, diag);
}

struct base_diag_sink app_messages_sink(struct app_messages *messages)
{
    return (struct base_diag_sink){receive, messages};
}

size_t app_messages_newest(struct app_messages *messages, struct app_message *to, size_t most,
                           uint64_t *revision)
{
    (void)pthread_mutex_lock(&messages->lock);
    const size_t kept =
        messages->count < APP_MESSAGES_KEPT ? (size_t)messages->count : APP_MESSAGES_KEPT;
    const size_t count = kept < most ? kept : most;
    for (size_t i = 0; i < count; i++) {
        to[i] = messages->kept[(messages->count - 1 - i) % APP_MESSAGES_KEPT];
    }
    *revision = messages->said;
    (void)pthread_mutex_unlock(&messages->lock);
    return count;
}

double app_memory_used(void)
{
    unsigned long pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (file == NULL || fscanf(file, "%*u %lu", &pages) != 1) {
        pages = 0;
    }
    if (file != NULL) {
        (void)fclose(file);
    }
    return (double)pages * (double)sysconf(_SC_PAGESIZE);
}

double app_memory_most(void)
{
    enum { KIBI = 1024 };
    struct rusage usage;
    return getrusage(RUSAGE_SELF, &usage) == 0 ? (double)usage.ru_maxrss * KIBI : 0;
}

void app_counters_print(FILE *out, const struct app_counters *counters)
{
    const double mib = 1024.0 * 1024.0;
    (void)fprintf(out, "counter presets shown: %u\n", counters->shown);
    (void)fprintf(out, "counter presets that could not be loaded: %u\n", counters->failed);
    (void)fprintf(out, "counter presets left for being slow: %u\n", counters->slow);
    (void)fprintf(out, "counter frames: %" PRIu64 "\n", counters->frames);
    (void)fprintf(out, "counter frames late: %" PRIu64 "\n", counters->late);
    (void)fprintf(out, "counter steps: %" PRIu64 "\n", counters->steps);
    (void)fprintf(out, "counter steps over budget: %" PRIu64 "\n", counters->events);
    (void)fprintf(out, "counter memory after a minute: %.1f MiB\n",
                  counters->memory_after_minute / mib);
    (void)fprintf(out, "counter memory at the end: %.1f MiB\n", counters->memory / mib);
    (void)fprintf(out, "counter most memory until the first minute: %.1f MiB\n",
                  counters->most_after_minute / mib);
    (void)fprintf(out, "counter most memory until the end: %.1f MiB\n", counters->most / mib);
}

void app_snapshot_of_show(struct app_snapshot *snapshot, const struct rend_show *show, bool whole)
{
    const struct rend *front = rend_show_front(show);
    snapshot->changes = rend_show_changes(show);
    snapshot->variable_count = 0;
    snapshot->mesh_columns = 0;
    if (front == NULL) {
        return;
    }
    snapshot->heard = rend_heard(front);
    for (size_t i = 0; i < PRESET_KEY_ROWS; i++) {
        snapshot->values[i] = rend_value(front, i);
    }
    if (whole) {
        const size_t all = rend_variables(front, snapshot->variables, APP_SNAPSHOT_VARIABLES);
        snapshot->variable_count = all < APP_SNAPSHOT_VARIABLES ? all : APP_SNAPSHOT_VARIABLES;
        const struct tmu_mesh mesh = rend_mapping(front).mesh;
        const size_t count = (size_t)(mesh.columns + 1) * (size_t)(mesh.rows + 1);
        snapshot->mesh_rows = 0;
        if (count <= APP_SNAPSHOT_VERTICES) {
            snapshot->mesh_columns = mesh.columns;
            snapshot->mesh_rows = mesh.rows;
            memcpy(snapshot->vertices, mesh.vertices, count * sizeof *mesh.vertices);
        }
    }
}

void app_snapshot_picture(struct app_snapshot *snapshot, const struct ui_surface *picture)
{
    const int by_width = (picture->width + APP_SNAPSHOT_WIDTH - 1) / APP_SNAPSHOT_WIDTH;
    const int by_height = (picture->height + APP_SNAPSHOT_HEIGHT - 1) / APP_SNAPSHOT_HEIGHT;
    const int step = by_width > by_height ? by_width : by_height;
    snapshot->picture_width = picture->width / step;
    snapshot->picture_height = picture->height / step;
    uint32_t *to = snapshot->picture;
    for (int y = 0; y < snapshot->picture_height; y++) {
        const uint32_t *from = picture->pixels + (size_t)(y * step + step / 2) * picture->stride;
        for (int x = 0; x < snapshot->picture_width; x++) {
            *to++ = from[x * step + step / 2];
        }
    }
}

void app_snapshot_wave(float *wave, const float *interleaved, size_t frames)
{
    const size_t count = frames < APP_SNAPSHOT_WAVE ? frames : APP_SNAPSHOT_WAVE;
    const float *from = interleaved + 2 * (frames - count);
    memmove(wave, wave + count, (APP_SNAPSHOT_WAVE - count) * sizeof *wave);
    for (size_t i = 0; i < count; i++) {
        wave[APP_SNAPSHOT_WAVE - count + i] = 0.5f * (from[2 * i] + from[2 * i + 1]);
    }
}
