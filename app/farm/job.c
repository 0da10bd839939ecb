#define _XOPEN_SOURCE 700 /* realpath */
#include "app/farm/job.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/os/print.h"
#include "base/os/yaml.h"

static int fail(const char *file, const char *hint, const char *what,
                const struct base_diag_sink *sink)
{
    base_report(sink, BASE_ERROR, (struct base_place){.file = file}, hint, "%s", what);
    return -1;
}

int app_farm_word_add(struct base_arena *arena, struct app_farm_words *words, const char *word)
{
    if (words->count >= APP_FARM_WORDS) {
        return -1;
    }
    const char **items =
        base_arena_grow(arena, words->items, &words->capacity, words->count + 1, sizeof *items);
    const char *copy = base_arena_text(arena, word, strlen(word));
    if (items == NULL || copy == NULL) {
        return -1;
    }
    words->items = items;
    words->items[words->count++] = copy;
    return 0;
}

bool app_farm_path(const struct app_farm_job *job, const char *part, uint64_t task,
                   const char *ending, char path[static APP_FARM_PATH])
{
    const int size =
        snprintf(path, APP_FARM_PATH, "%s/%s/%05" PRIu64 "%s", job->folder, part, task, ending);
    return size > 0 && size < APP_FARM_PATH;
}

int app_farm_write(const char *path, enum base_file_way way,
                   void (*put)(FILE *out, const void *user), const void *user,
                   const struct base_diag_sink *sink)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    if (out == NULL) {
        return fail(path, NULL, "not enough memory", sink);
    }
    put(out, user);
    const bool whole = fclose(out) == 0;
    const int result = whole ? base_file_write(path, text, size, way) : -1;
    free(text);
    return result == 0 ? 0 : fail(path, NULL, strerror(errno), sink);
}

/* ---- its file ---- */

static bool count_of(const struct base_yaml *map, const char *key, uint64_t most, uint64_t *count)
{
    int64_t value = 0;
    const struct base_yaml *node = base_yaml_get(map, key);
    if (node == NULL || !base_yaml_integer(node, &value) || value < 1 || (uint64_t)value > most) {
        return false;
    }
    *count = (uint64_t)value;
    return true;
}

static bool is_text(const struct base_yaml *node)
{
    return node != NULL && node->kind == BASE_YAML_SCALAR && node->text.size > 0 &&
           strlen(node->text.data) == node->text.size;
}

int app_farm_job_read(struct app_farm_job *job, const char *file, struct base_span text,
                      const struct base_diag_sink *sink)
{
    static const uint64_t most = UINT64_C(1) << 40;
    const struct base_yaml *map = base_yaml_read(&job->arena, file, text, sink);
    if (map == NULL) {
        return -1;
    }
    const bool is_map = map->kind == BASE_YAML_MAP;
    const struct base_yaml *version = is_map ? base_yaml_get(map, "froth") : NULL;
    const struct base_yaml *words = is_map ? base_yaml_get(map, "words") : NULL;
    if (!is_text(version) || version->text.size >= sizeof job->version || words == NULL ||
        words->kind != BASE_YAML_LIST || !count_of(map, "tasks", APP_FARM_TASKS, &job->tasks) ||
        !count_of(map, "frames", most, &job->frames) || job->tasks > job->frames ||
        !count_of(map, "threads", 64, &job->threads) ||
        !count_of(map, "seconds", most, &job->seconds) ||
        !count_of(map, "memory", most, &job->memory)) {
        return fail(file, "froth farm FILM.yaml makes one", "this is no job", sink);
    }
    (void)snprintf(job->version, sizeof job->version, "%s", version->text.data);
    for (const struct base_yaml *word = words->first; word != NULL; word = word->next) {
        if (!is_text(word)) {
            base_report(sink, BASE_ERROR, (struct base_place){file, word->line, word->column}, NULL,
                        "this is no word");
            return -1;
        }
        if (app_farm_word_add(&job->arena, &job->words, word->text.data) != 0) {
            return fail(file, NULL, "the job has too many words", sink);
        }
    }
    return 0;
}

int app_farm_job_open(struct app_farm_job *job, const char *folder,
                      const struct base_diag_sink *sink)
{
    char path[APP_FARM_PATH + 16];
    struct base_file file;
    if (realpath(folder, job->folder) == NULL) {
        return fail(folder, "name the folder of a job", strerror(errno), sink);
    }
    (void)snprintf(path, sizeof path, "%s/job.yaml", job->folder);
    if (base_file_load(&file, path, BASE_YAML_TEXT, sink) != 0) {
        return -1;
    }
    int result = app_farm_job_read(job, path, (struct base_span){file.data, file.size}, sink);
    base_file_free(&file);
    if (result == 0 && strcmp(job->version, FROTH_VERSION) != 0) {
        base_report(sink, BASE_ERROR, (struct base_place){.file = path},
                    "all pieces of a film are made by one version",
                    "this job is one of froth %s, this is froth %s", job->version, FROTH_VERSION);
        result = -1;
    }
    return result;
}

static void put_job(FILE *file, const void *user)
{
    const struct app_farm_job *job = user;
    (void)fputs("# A job of froth farm. Its tasks: froth farm task FOLDER NUMBER.\nfroth: ", file);
    base_json_string(file, job->version);
    (void)fprintf(file,
                  "\ntasks: %" PRIu64 "\nframes: %" PRIu64 "\nthreads: %" PRIu64
                  "\n# What the longest task may take, of time and of memory (MiB).\nseconds: "
                  "%" PRIu64 "\nmemory: %" PRIu64 "\n# For froth render.\nwords:\n",
                  job->tasks, job->frames, job->threads, job->seconds, job->memory);
    for (size_t i = 0; i < job->words.count; i++) {
        (void)fputs("  - ", file);
        base_json_string(file, job->words.items[i]);
        (void)fputc('\n', file);
    }
}

int app_farm_job_write(const struct app_farm_job *job, const struct base_diag_sink *sink)
{
    static const char *const parts[] = {"/pieces", "/tasks"};
    char path[APP_FARM_PATH + 16];
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        (void)snprintf(path, sizeof path, "%s%s", job->folder, parts[i]);
        if (base_folder_make(path) != 0) {
            return fail(path, NULL, strerror(errno), sink);
        }
    }
    (void)snprintf(path, sizeof path, "%s/job.yaml", job->folder);
    return app_farm_write(path, BASE_FILE_NEW, put_job, job, sink);
}

void app_farm_job_free(struct app_farm_job *job)
{
    base_arena_free(&job->arena);
}
