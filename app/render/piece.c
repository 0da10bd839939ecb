#include "app/render/piece.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/io/audio.h"
#include "app/options/option_table.h"
#include "base/os/file.h"

enum { PATH = 4096 + 16, PIECES_MOST = 100000 };

static const char mark[] = "froth-piece 1";

/* ---- cuts ---- */

bool app_piece_share(const char *text, uint64_t *piece, uint64_t *pieces)
{
    int used = 0;
    return sscanf(text, "%9" SCNu64 "/%9" SCNu64 "%n", piece, pieces, &used) == 2 && used > 0 &&
           text[used] == '\0' && *piece >= 1 && *piece <= *pieces && *pieces <= PIECES_MOST;
}

void app_piece_cut(uint64_t frames, uint64_t piece, uint64_t pieces, uint64_t *first,
                   uint64_t *count)
{
    *first = frames * (piece - 1) / pieces;
    *count = frames * piece / pieces - *first;
}

/* ---- what is in it ---- */

/* Room for one more item. */
static bool make_room(void **items, size_t *room, size_t count, size_t size)
{
    if (count == *room) {
        const size_t more = *room + *room / 2 + 256;
        void *grown = realloc(*items, more * size);
        if (grown == NULL) {
            return false;
        }
        *items = grown;
        *room = more;
    }
    return true;
}

int app_piece_add(struct app_piece *piece, uint64_t hash)
{
    void *hashes = piece->hashes;
    if (!make_room(&hashes, &piece->hash_room, piece->count, sizeof *piece->hashes)) {
        return -1;
    }
    piece->hashes = hashes;
    piece->hashes[piece->count++] = hash;
    return 0;
}

int app_piece_begin(struct app_piece *piece, uint64_t frame, const char *name)
{
    void *scenes = piece->scenes;
    if (!make_room(&scenes, &piece->scene_room, piece->scene_count, sizeof *piece->scenes)) {
        return -1;
    }
    piece->scenes = scenes;
    struct app_piece_scene *scene = &piece->scenes[piece->scene_count++];
    scene->frame = frame;
    (void)snprintf(scene->name, sizeof scene->name, "%s", name);
    for (char *c = scene->name; *c != '\0'; c++) {
        *c = *c == '\n' ? ' ' : *c;
    }
    return 0;
}

void app_piece_free(struct app_piece *piece)
{
    free(piece->hashes);
    free(piece->scenes);
    piece->hashes = NULL;
    piece->scenes = NULL;
    piece->hash_room = piece->scene_room = piece->scene_count = 0;
}

bool app_piece_is_of_film(const struct app_piece *piece, const struct app_piece *other)
{
    return piece->inputs == other->inputs && piece->total == other->total &&
           piece->width == other->width && piece->height == other->height &&
           piece->rate.numerator == other->rate.numerator &&
           piece->rate.denominator == other->rate.denominator &&
           strcmp(piece->codec, other->codec) == 0;
}

void app_piece_print_hashes(const struct app_piece *piece)
{
    for (uint64_t k = 0; k < piece->count; k++) {
        printf("frame %" PRIu64 " %016" PRIx64 "\n", piece->first + k + 1, piece->hashes[k]);
    }
}

/* ---- what it was made of ---- */

static int hash_file(struct base_content_stream *stream, const char *path,
                     const struct base_diag_sink *sink)
{
    if (base_content_stream_file(stream, path) == 0) {
        return 0;
    }
    base_report(sink, BASE_ERROR, (struct base_place){.file = path}, NULL, "%s", strerror(errno));
    return -1;
}

/* Whether an option has to do with what is painted. */
static bool paints(const struct app_option_row *row)
{
    static const char *const others[] = {"-o",
                                         "--codec",
                                         "--quality",
                                         "--bitrate",
                                         "--threads",
                                         "--cpu",
                                         "--overwrite",
                                         "--hash",
                                         "--device",
                                         "--segment",
                                         "--checkpoint-every",
                                         "--audio",
                                         "--stage-times",
                                         "--textures"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        if (strcmp(row->name, others[i]) == 0) {
            return false;
        }
    }
    return (row->commands & APP_RENDER) != 0;
}

static void hash_option(struct base_content_stream *stream, const struct app_options *options,
                        const struct app_option_row *row)
{
    const char *field = (const char *)options + row->offset;
    base_content_stream_add(stream, row->name, strlen(row->name) + 1);
    if (row->kind == APP_OPTION_TEXT) {
        const char *text = *(const char *const *)field;
        base_content_stream_add(stream, text != NULL ? text : "",
                                text != NULL ? strlen(text) + 1 : 1);
    } else if (row->kind == APP_OPTION_LIST || row->kind == APP_OPTION_CALLS) {
        const struct app_list *list = (const struct app_list *)field;
        for (size_t i = 0; i < list->count; i++) {
            base_content_stream_add(stream, list->items[i], strlen(list->items[i]) + 1);
        }
    } else {
        base_content_stream_add(stream, field, app_option_size(row));
    }
}

struct hashing {
    struct base_content_stream *stream;
    const struct base_diag_sink *sink;
};

static int hash_sound(void *user, const char *path, uint32_t line)
{
    const struct hashing *hashing = user;
    (void)line;
    return hash_file(hashing->stream, path, hashing->sink);
}

int app_piece_inputs(const struct app_options *options, const struct engine_order *presets,
                     uint64_t *hash, const struct base_diag_sink *sink)
{
    struct base_content_stream stream;
    const char *audio = options->audio != NULL ? options->audio : "demo";
    const bool synthetic = strcmp(audio, "demo") == 0 || strcmp(audio, "test") == 0;
    base_content_stream_begin(&stream);
    for (size_t i = 0; i < app_option_row_count; i++) {
        if (paints(&app_option_rows[i])) {
            hash_option(&stream, options, &app_option_rows[i]);
        }
    }
    for (size_t i = 0; i < presets->count; i++) {
        const struct engine_item *item = &presets->items[i];
        base_content_stream_add(&stream, &item->seconds, sizeof item->seconds);
        if (hash_file(&stream, item->path, sink) != 0) {
            return -1;
        }
    }
    if (synthetic) {
        base_content_stream_add(&stream, audio, strlen(audio));
    } else if (app_audio_is_list(audio)) {
        struct hashing hashing = {&stream, sink};
        if (app_audio_list_each(audio, hash_sound, &hashing, sink) != 0) {
            return -1;
        }
    } else if (!base_is_folder(audio) && hash_file(&stream, audio, sink) != 0) {
        return -1;
    }
    *hash = base_content_stream_hash(&stream);
    return 0;
}

/* ---- its file ---- */

static int fail(const char *path, const char *what, const struct base_diag_sink *sink)
{
    base_report(sink, BASE_ERROR, (struct base_place){.file = path},
                "render it again, with --segment", "%s", what);
    return -1;
}

int app_piece_write(struct app_piece *piece, const char *video, const struct base_diag_sink *sink)
{
    char path[PATH];
    char *text = NULL;
    size_t size = 0;
    struct base_content_stream bytes;
    base_content_stream_begin(&bytes);
    if (hash_file(&bytes, video, sink) != 0) {
        return -1;
    }
    piece->bytes = base_content_stream_hash(&bytes);
    FILE *file = open_memstream(&text, &size);
    if (file == NULL) {
        return fail(video, "not enough memory", sink);
    }
    (void)fprintf(file, "%s\nversion %s\ncpu %s\ncodec %s\ninputs %016" PRIx64 "\n", mark,
                  piece->version, piece->cpu, piece->codec, piece->inputs);
    (void)fprintf(file, "frames %" PRIu64 " %" PRIu64 " %" PRIu64 "\n", piece->first, piece->count,
                  piece->total);
    (void)fprintf(file, "picture %d %d %" PRIu32 " %" PRIu32 "\n", piece->width, piece->height,
                  piece->rate.numerator, piece->rate.denominator);
    (void)fprintf(file, "start %.17g\nsound %s\nbytes %016" PRIx64 "\n", piece->start, piece->sound,
                  piece->bytes);
    if (piece->stand.there) {
        const struct app_piece_stand *stand = &piece->stand;
        (void)fprintf(file,
                      "stand %016" PRIx64 " %d %d %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64,
                      stand->encoding, (int)stand->incomplete, (int)stand->begins, stand->item,
                      stand->began, stand->end, stand->warned);
        (void)fprintf(file, " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 "\n", stand->lines[0],
                      stand->lines[1], stand->turns, stand->heard);
    }
    for (size_t i = 0; i < piece->scene_count; i++) {
        (void)fprintf(file, "preset %" PRIu64 " %s\n", piece->scenes[i].frame,
                      piece->scenes[i].name);
    }
    for (size_t i = 0; i < piece->count; i++) {
        (void)fprintf(file, "%016" PRIx64 "\n", piece->hashes[i]);
    }
    const bool written = fclose(file) == 0;
    (void)snprintf(path, sizeof path, "%s.piece", video);
    const int result = written ? base_file_write(path, text, size, BASE_FILE_OVER) : -1;
    free(text);
    return result == 0 ? 0 : fail(path, strerror(errno), sink);
}

static bool read_stand(struct app_piece_stand *stand, const char *line)
{
    enum { FIELDS = 11 };
    uint64_t flags[2];
    const int read =
        sscanf(line,
               "stand %16" SCNx64 " %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64
               " %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64,
               &stand->encoding, &flags[0], &flags[1], &stand->item, &stand->began, &stand->end,
               &stand->warned, &stand->lines[0], &stand->lines[1], &stand->turns, &stand->heard);
    stand->there = read == FIELDS && flags[0] <= 1 && flags[1] <= 1;
    stand->incomplete = stand->there && flags[0] == 1;
    stand->begins = stand->there && flags[1] == 1;
    return stand->there;
}

/* One line of the file. False: it cannot be. */
static bool read_line(struct app_piece *piece, const char *line, uint64_t *expected)
{
    uint64_t hash = 0;
    int used = 0;
    char name[256];
    uint64_t frame = 0;
    if (sscanf(line, "preset %" SCNu64 " %255[^\n]", &frame, name) == 2) {
        return app_piece_begin(piece, frame, name) == 0;
    }
    if (sscanf(line, "%16" SCNx64 "%n", &hash, &used) == 1 && used == BASE_CONTENT_DIGITS &&
        line[used] == '\0') {
        return piece->count < *expected && app_piece_add(piece, hash) == 0;
    }
    if (strncmp(line, "stand ", 6) == 0) {
        return read_stand(&piece->stand, line);
    }
    if (strncmp(line, "sound ", 6) == 0) {
        (void)snprintf(piece->sound, sizeof piece->sound, "%s", line + 6);
        return true;
    }
    return sscanf(line, "version %31s", piece->version) == 1 ||
           sscanf(line, "cpu %15s", piece->cpu) == 1 ||
           sscanf(line, "codec %15s", piece->codec) == 1 ||
           sscanf(line, "inputs %16" SCNx64, &piece->inputs) == 1 ||
           sscanf(line, "bytes %16" SCNx64, &piece->bytes) == 1 ||
           sscanf(line, "start %lf", &piece->start) == 1 ||
           sscanf(line, "frames %" SCNu64 " %" SCNu64 " %" SCNu64, &piece->first, expected,
                  &piece->total) == 3 ||
           sscanf(line, "picture %d %d %" SCNu32 " %" SCNu32, &piece->width, &piece->height,
                  &piece->rate.numerator, &piece->rate.denominator) == 4;
}

static bool is_sound(const struct app_piece *piece, uint64_t expected)
{
    return piece->count == expected && piece->count > 0 && piece->first <= piece->total &&
           piece->count <= piece->total - piece->first && piece->rate.numerator > 0 &&
           piece->rate.denominator > 0 && piece->width > 0 && piece->height > 0 &&
           piece->start >= 0 && piece->start < 1e9;
}

bool app_piece_parse(struct app_piece *piece, char *text, size_t size)
{
    uint64_t expected = 0;
    char *rest = NULL;
    bool good = strlen(text) == size;
    const char *line = strtok_r(text, "\n", &rest);
    good = good && line != NULL && strcmp(line, mark) == 0;
    while (good && (line = strtok_r(NULL, "\n", &rest)) != NULL) {
        good = read_line(piece, line, &expected);
    }
    return good && is_sound(piece, expected);
}

int app_piece_read(struct app_piece *piece, const char *video, const struct base_diag_sink *sink)
{
    enum { MOST = 1 << 28 };
    char path[PATH];
    size_t size = 0;
    struct base_content_stream bytes;
    (void)snprintf(path, sizeof path, "%s.piece", video);
    char *text = base_file_read(path, MOST, &size, NULL);
    if (text == NULL) {
        return fail(path, "this is no piece of a film, or it is not whole", sink);
    }
    const bool good = app_piece_parse(piece, text, size);
    free(text);
    if (!good) {
        return fail(path, "this is no piece of a film, or of another version", sink);
    }
    base_content_stream_begin(&bytes);
    if (hash_file(&bytes, video, sink) != 0) {
        return -1;
    }
    return base_content_stream_hash(&bytes) == piece->bytes
               ? 0
               : fail(video, "the file is not the one that was rendered", sink);
}
