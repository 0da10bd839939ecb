#include "app/light/recording.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "app/light/map.h"
#include "base/os/file.h"

enum {
    TEXT_MOST = 512 * 1024 * 1024,
    DIGITS = 9, /* of a number */
};

/* ---- the text ---- */

/* What is left of a line that is being read. */
struct words {
    struct app_light_reader *reader;
    const struct base_diag_sink *sink;
    const char *begin;
    struct base_span rest;
};

static int fail(const struct words *words, const char *what, const char *hint)
{
    base_report(words->sink, BASE_ERROR,
                (struct base_place){words->reader->file, words->reader->line,
                                    (uint32_t)(words->rest.data - words->begin) + 1},
                hint, "%s", what);
    return -1;
}

static bool is_blank(char letter)
{
    return letter == ' ' || letter == '\t' || letter == '\r';
}

static void skip_blanks(struct base_span *text)
{
    while (text->size > 0 && is_blank(text->data[0])) {
        text->data++;
        text->size--;
    }
}

/* The next line that is not empty, behind its blanks. False: there is none. */
static bool next_line(struct app_light_reader *reader, struct words *words)
{
    while (reader->rest.size > 0) {
        const char *end = memchr(reader->rest.data, '\n', reader->rest.size);
        const size_t size = end != NULL ? (size_t)(end - reader->rest.data) : reader->rest.size;
        words->begin = reader->rest.data;
        words->rest = (struct base_span){reader->rest.data, size};
        reader->rest.data += size + (end != NULL);
        reader->rest.size -= size + (end != NULL);
        reader->line++;
        while (words->rest.size > 0 && is_blank(words->rest.data[words->rest.size - 1])) {
            words->rest.size--;
        }
        skip_blanks(&words->rest);
        if (words->rest.size > 0) {
            return true;
        }
    }
    return false;
}

/* A whole number; false where there is none, or it is above `most`. */
static bool take_number(struct words *words, uint64_t most, uint64_t *number)
{
    struct base_span rest = words->rest;
    *number = 0;
    while (rest.size > 0 && rest.data[0] >= '0' && rest.data[0] <= '9' &&
           words->rest.size - rest.size < DIGITS) {
        *number = *number * 10 + (uint64_t)(rest.data[0] - '0');
        rest.data++;
        rest.size--;
    }
    const bool good = rest.size < words->rest.size && *number <= most &&
                      (rest.size == 0 || rest.data[0] < '0' || rest.data[0] > '9');
    words->rest = good ? rest : words->rest;
    return good;
}

static int read_levels(struct words *words, struct app_light_moment *moment)
{
    size_t count = 0;
    uint64_t level;
    memset(moment->levels, 0, sizeof moment->levels);
    while (words->rest.size > 0) {
        if (count == ENGINE_MERGE_CHANNELS) {
            return fail(words, "a universe has 512 channels", NULL);
        }
        if (!take_number(words, UINT8_MAX, &level)) {
            return fail(words, "a level is a whole number from 0 to 255", NULL);
        }
        moment->levels[count++] = (uint8_t)level;
        skip_blanks(&words->rest);
        if (words->rest.size > 0 && words->rest.data[0] != ',') {
            return fail(words, "there is a comma between two levels", NULL);
        }
        if (words->rest.size > 0) {
            words->rest.data++;
            words->rest.size--;
            skip_blanks(&words->rest);
        }
    }
    return 0;
}

int app_light_reader_open(struct app_light_reader *reader, const char *file, struct base_span text,
                          const struct base_diag_sink *sink)
{
    static const char head[] = "OLA Show";
    struct words words = {reader, sink, text.data, {text.data, 0}};
    *reader = (struct app_light_reader){.file = file, .rest = text};
    if (!next_line(reader, &words) || !base_span_equal(words.rest, base_span_of(head))) {
        reader->line += reader->line == 0;
        reader->rest.size = 0;
        return fail(&words, "that is no recording of light",
                    "its first line is OLA Show, as ola_recorder writes it");
    }
    return 0;
}

int app_light_reader_next(struct app_light_reader *reader, struct app_light_moment *moment,
                          const struct base_diag_sink *sink)
{
    struct words words = {.reader = reader, .sink = sink};
    uint64_t number;
    if (!next_line(reader, &words)) {
        return 0;
    }
    int result = 1;
    if (!take_number(&words, UINT32_MAX, &number) ||
        (words.rest.size > 0 && !is_blank(words.rest.data[0]))) {
        result = fail(&words, "a universe and its levels come here", "such as 1 255,0,128");
    } else {
        moment->milliseconds = reader->now;
        moment->universe = (uint32_t)number;
        skip_blanks(&words.rest);
        result = read_levels(&words, moment) == 0 ? 1 : -1;
    }
    /* At the end there may be no time. */
    if (result == 1 && next_line(reader, &words)) {
        if (!take_number(&words, UINT32_MAX, &number) || words.rest.size > 0) {
            result = fail(&words, "the milliseconds until the next levels come here", NULL);
        }
        reader->now += number;
    }
    reader->rest.size = result == 1 ? reader->rest.size : 0;
    return result;
}

/* ---- a film with light ---- */

struct app_light_film {
    struct base_diag_sink sink;
    struct base_file file;
    struct app_light_map map;
    struct app_light_reader reader;
    struct app_light_moment next;
    bool has_next;
    uint8_t told[ENGINE_DMX_CHANNELS]; /* to the audience */
    uint8_t levels[ENGINE_DMX_CHANNELS];
};

/* Tells the audience what has become of the levels since it was told last. */
static void tell(struct app_light_film *film, const struct app_light_audience *audience)
{
    if (audience != NULL) {
        app_light_map_follow(&film->map, film->told, film->levels, audience);
        memcpy(film->told, film->levels, sizeof film->told);
    }
}

static bool hears(const struct app_light_map *map, uint32_t universe)
{
    for (size_t i = 0; i < map->input_count; i++) {
        if (map->inputs[i].universe == universe) {
            return true;
        }
    }
    return false;
}

/* Reads it all once, so that what is wrong is told before the film begins. */
static int look_through(struct app_light_film *film, struct app_light_reader reader)
{
    struct app_light_map *map = &film->map;
    const bool open = map->input_count == 0;
    bool told = false;
    int result;
    while ((result = app_light_reader_next(&reader, &film->next, &film->sink)) == 1) {
        const uint32_t universe = film->next.universe;
        if (open && !told && universe <= UINT16_MAX && !hears(map, universe) &&
            !app_light_map_hear(map, (struct app_light_input){.universe = (uint16_t)universe})) {
            told = true;
            base_report(&film->sink, BASE_WARNING, (struct base_place){reader.file, 0, 0},
                        "a map of light says which ones are heard",
                        "the recording has more than %d universes; only the first are heard",
                        APP_LIGHT_INPUTS);
        }
    }
    return result;
}

int app_light_film_open(struct app_light_film **made, const struct app_options *options,
                        const struct base_diag_sink *sink)
{
    *made = NULL;
    if (options->light_recording == NULL) {
        return 0;
    }
    struct app_light_film *film = calloc(1, sizeof *film);
    if (film == NULL) {
        base_report(sink, BASE_ERROR, (struct base_place){0}, NULL, "not enough memory");
        return -1;
    }
    const char *name = options->light_recording;
    film->sink = *sink;
    app_light_map_init(&film->map);
    int result = base_file_load(&film->file, name, TEXT_MOST, sink);
    if (result == 0 && options->light != NULL) {
        result = app_light_map_load(&film->map, options->light, sink);
    }
    if (result == 0) {
        result = app_light_reader_open(&film->reader, name,
                                       (struct base_span){film->file.data, film->file.size}, sink);
    }
    if (result == 0) {
        result = look_through(film, film->reader);
    }
    if (result != 0) {
        app_light_film_close(film);
        return -1;
    }
    film->has_next = app_light_reader_next(&film->reader, &film->next, sink) == 1;
    *made = film;
    return 0;
}

void app_light_film_close(struct app_light_film *film)
{
    if (film != NULL) {
        base_file_free(&film->file);
        app_light_map_free(&film->map);
        free(film);
    }
}

const uint8_t *app_light_film_until(struct app_light_film *film, double seconds,
                                    const struct app_light_audience *audience)
{
    /* A moment that is due with a picture is in it, however its time was rounded. */
    static const double rounding = 1e-6;
    if (film == NULL) {
        return NULL;
    }
    tell(film, audience);
    while (film->has_next && (double)film->next.milliseconds <= 1e3 * (seconds + rounding)) {
        for (size_t i = 0; i < film->map.input_count; i++) {
            if (film->map.inputs[i].universe == film->next.universe) {
                memcpy(film->levels + i * ENGINE_MERGE_CHANNELS, film->next.levels,
                       ENGINE_MERGE_CHANNELS);
            }
        }
        tell(film, audience);
        film->has_next = app_light_reader_next(&film->reader, &film->next, &film->sink) == 1;
    }
    return film->levels;
}
