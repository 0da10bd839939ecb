#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "app/io/audio.h"
#include "app/set/set.h"
#include "base/os/file.h"
#include "base/os/form.h"
#include "base/os/yaml.h"
#include "engine/tempo/tempo.h"
#include "base/os/print.h"

enum {
    PATH = 4096 + 32,
    EVENTS_MOST = 512 << 20, /* bytes of the files */
    FRAMES_MOST = 512 << 20,
    PICTURES_MOST = 1 << 20,
};

static const size_t ARENA = (size_t)1 << 30;
static const uint64_t FRAME_MOST = 1000000000;

/* ---- frames.txt ---- */

struct table {
    struct app_set *set;
    const char *file;
    const struct base_diag_sink *sink;
    uint32_t line;
    size_t frame_room;
    size_t said_room;
};

static bool refuse(const struct table *table, const char *what)
{
    base_report(table->sink, BASE_ERROR, (struct base_place){table->file, table->line, 1}, NULL,
                "%s", what);
    return false;
}

static bool read_count(struct base_span *line, uint64_t most, uint64_t *value)
{
    struct base_span word = base_span_next_word(line);
    uint64_t number = 0;
    for (size_t i = 0; i < word.size; i++) {
        const char digit = word.data[i];
        if (digit < '0' || digit > '9' || number > most) {
            return false;
        }
        number = 10 * number + (uint64_t)(digit - '0');
    }
    *value = number;
    return word.size > 0 && number <= most;
}

static bool read_real(struct base_span *line, double *value)
{
    char text[40];
    char *end = NULL;
    struct base_span word = base_span_next_word(line);
    if (word.size == 0 || word.size >= sizeof text) {
        return false;
    }
    memcpy(text, word.data, word.size);
    text[word.size] = '\0';
    *value = strtod(text, &end);
    return *end == '\0' && isfinite(*value);
}

static bool read_said(struct table *table, struct base_span line)
{
    static const double beats_most = 1e12;
    struct app_set *set = table->set;
    struct app_set_said said = {.bpm = 0};
    uint64_t runs = 0;
    const struct base_span source = base_span_next_word(&line);
    if (!engine_tempo_by_name(source, &said.source) || said.source >= ENGINE_TEMPO_SOURCES ||
        !read_real(&line, &said.bpm) || !read_real(&line, &said.beats) ||
        !read_count(&line, 1, &runs) || said.bpm < 0 || said.bpm > ENGINE_TEMPO_MAX ||
        fabs(said.beats) > beats_most) {
        return refuse(table, "this is not what a clock says: t SOURCE BPM BEATS RUNS");
    }
    said.runs = runs != 0;
    set->said = base_arena_grow_room(&set->arena, set->said, &table->said_room, set->said_count + 1,
                                     sizeof said);
    if (set->said == NULL) {
        return refuse(table, "not enough memory");
    }
    set->said[set->said_count++] = said;
    return true;
}

static bool read_frame(struct table *table, struct base_span line)
{
    struct app_set *set = table->set;
    uint64_t number = 0;
    uint64_t heard = 0;
    const struct app_set_frame *last =
        set->frame_count > 0 ? &set->frames[set->frame_count - 1] : NULL;
    const uint64_t least = last != NULL ? last->number : set->events.head.first;
    if (!read_count(&line, FRAME_MOST, &number) || !read_count(&line, ENGINE_SOUND_KEPT, &heard) ||
        number < least || line.size > 0) {
        return refuse(table, "this is no frame: its number, not below the last, and its samples");
    }
    const struct app_set_frame frame = {number, heard + (last != NULL ? last->heard : 0),
                                        set->said_count};
    set->frames = base_arena_grow_room(&set->arena, set->frames, &table->frame_room,
                                       set->frame_count + 1, sizeof frame);
    if (set->frames == NULL) {
        set->frame_count = 0;
        return refuse(table, "not enough memory");
    }
    set->frames[set->frame_count++] = frame;
    return true;
}

int app_set_frames_read(struct app_set *set, const char *file, struct base_span text,
                        const struct base_diag_sink *sink)
{
    if (set->frame_count == 0 && set->said_count == 0) {
        base_arena_init(&set->arena, ARENA);
    }
    struct table table = {.set = set, .file = file, .sink = sink};
    const char *end = text.size > 0 ? memchr(text.data, '\n', text.size) : NULL;
    while (end != NULL) {
        struct base_span line = {text.data, (size_t)(end - text.data)};
        const size_t used = line.size + 1;
        table.line++;
        const bool said = line.size > 2 && line.data[0] == 't' && line.data[1] == ' ';
        if (said) {
            (void)base_span_next_word(&line);
        }
        if (!(said ? read_said(&table, line) : read_frame(&table, line))) {
            return -1;
        }
        text.data += used;
        text.size -= used;
        end = text.size > 0 ? memchr(text.data, '\n', text.size) : NULL;
    }
    return 0;
}

/* ---- pictures.yaml ---- */

static bool read_pictures(struct app_set *set, const char *file, struct base_span text,
                          const struct base_diag_sink *sink)
{
    static const char *const keys[] = {"preset", "path", "name", "file", "picture", NULL};
    struct base_form form = {file, sink, 0};
    const struct base_yaml *list = base_yaml_read(&set->arena, file, text, sink);
    if (list == NULL) {
        return false;
    }
    const size_t count = list->kind == BASE_YAML_LIST ? base_form_count(list) : 0;
    set->pictures = base_arena_array(&set->arena, count + 1, sizeof *set->pictures);
    const struct base_yaml *node = count > 0 && set->pictures != NULL ? list->first : NULL;
    for (; node != NULL; node = node->next) {
        struct app_set_picture *picture = &set->pictures[set->picture_count];
        char name[APP_SET_NAME];
        char below[APP_SET_NAME];
        char path[4096] = "";
        char preset[APP_SET_NAME] = "";
        if (!base_form_map(&form, node, "a picture", keys)) {
            continue;
        }
        picture->is_file = base_form_child(node, "file") != NULL;
        (void)base_form_text(&form, node, "path", path, sizeof path);
        (void)base_form_text(&form, node, "preset", preset, sizeof preset);
        if (base_form_text(&form, node, picture->is_file ? "file" : "name", name, sizeof name) &&
            base_form_text(&form, node, "picture", below, sizeof below) && below[0] != '/' &&
            strstr(below, "..") == NULL) {
            picture->name = base_arena_text(&set->arena, name, strlen(name));
            picture->picture = base_arena_text(&set->arena, below, strlen(below));
            picture->path =
                (struct base_span){base_arena_text(&set->arena, path, strlen(path)), strlen(path)};
            picture->preset = (struct base_span){
                base_arena_text(&set->arena, preset, strlen(preset)), strlen(preset)};
            set->picture_count += picture->name != NULL && picture->picture != NULL &&
                                  picture->path.data != NULL && picture->preset.data != NULL;
        }
    }
    return form.errors == 0;
}

/* ---- where they are ---- */

bool app_set_home(char *path, size_t size)
{
    return base_folder_path(BASE_FOLDER_DATA, "/recordings", path, size);
}

bool app_set_is(const char *folder)
{
    char path[PATH];
    struct stat facts;
    const int size = snprintf(path, sizeof path, "%s/events.yaml", folder);
    return size > 0 && (size_t)size < sizeof path && stat(path, &facts) == 0 &&
           S_ISREG(facts.st_mode);
}

/* ---- all of it ---- */

/* Frames whose sound was lost with the power are not there. */
static void cut_frames(struct app_set *set, const struct base_diag_sink *sink)
{
    char path[PATH];
    (void)snprintf(path, sizeof path, "%s/sound", set->folder);
    const size_t count = set->frame_count;
    const bool silent = count == 0 || set->frames[count - 1].heard == 0;
    struct app_audio *audio = silent ? NULL : app_audio_open(path, sink);
    const uint64_t there =
        audio != NULL ? (uint64_t)(app_audio_seconds(audio) * APP_AUDIO_RATE + 0.5) : 0;
    app_audio_close(audio);
    while (!silent && set->frame_count > 0 && set->frames[set->frame_count - 1].heard > there) {
        set->frame_count--;
    }
    if (set->frame_count < count) {
        base_report(sink, BASE_WARNING, (struct base_place){.file = path}, NULL,
                    "there is sound for %zu of %zu frame%s; the rest is left out", set->frame_count,
                    count, base_plural(count));
    }
}

int app_set_open(struct app_set *set, const char *folder, const struct base_diag_sink *sink)
{
    char path[PATH];
    struct base_file file;
    set->store = &app_set_folder;
    (void)snprintf(set->folder, sizeof set->folder, "%s", folder);
    (void)snprintf(path, sizeof path, "%s/events.yaml", set->folder);
    if (base_file_load(&file, path, EVENTS_MOST, sink) != 0) {
        return -1;
    }
    int result =
        app_set_events_read(&set->events, path, (struct base_span){file.data, file.size}, sink);
    base_file_free(&file);
    (void)snprintf(path, sizeof path, "%s/frames.txt", set->folder);
    if (result != 0 || base_file_load(&file, path, FRAMES_MOST, sink) != 0) {
        return -1;
    }
    result = app_set_frames_read(set, path, (struct base_span){file.data, file.size}, sink);
    base_file_free(&file);
    (void)snprintf(path, sizeof path, "%s/pictures.yaml", set->folder);
    if (result == 0 && base_file_load(&file, path, PICTURES_MOST, NULL) == 0) {
        struct base_span text = {file.data, file.size};
        while (text.size > 0 && text.data[text.size - 1] != '\n') {
            text.size--;
        }
        result = read_pictures(set, path, text, sink) ? 0 : -1;
        base_file_free(&file);
    }
    for (size_t i = 0; i < set->events.count; i++) {
        set->ended = set->ended || set->events.items[i].kind == APP_SET_END;
    }
    if (result == 0) {
        cut_frames(set, sink);
    }
    return result;
}

void app_set_close(struct app_set *set)
{
    app_set_events_free(&set->events);
    base_arena_free(&set->arena);
    *set = (struct app_set){.frame_count = 0};
}
