#include "app/render/parts.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/render/join.h"
#include "app/set/set.h"
#include "base/os/file.h"
#include "base/os/thread.h"

enum { PATH = 4096 + 32, DIGITS = 12 };

struct parts {
    const struct app_parts_work *work;
    struct app_film *film;
    struct app_piece of; /* what each part says, without what is in it */
    char folder[4096];
    char (*paths)[PATH];
    size_t count;
    size_t room;
    uint64_t kept;   /* frames that are in whole parts */
    uint64_t hashed; /* frames that this rendering has drawn */
    int lock;
};

static int fail(const struct parts *parts, const char *file, const char *hint, const char *what)
{
    base_report(&parts->film->sink, BASE_ERROR, (struct base_place){.file = file}, hint, "%s",
                what);
    return -1;
}

/* ---- the folder ---- */

static void path_of(const struct parts *parts, char path[static PATH], uint64_t frame,
                    const char *ending)
{
    (void)snprintf(path, PATH, "%s/%0*" PRIu64 "%s", parts->folder, (int)DIGITS, frame, ending);
}

/* Removes what checkpoints are made of, and the folder, if nothing else is in it. */
static void remove_folder(const struct parts *parts)
{
    DIR *entries = opendir(parts->folder);
    const struct dirent *entry;
    while (entries != NULL && (entry = readdir(entries)) != NULL) {
        static const char *const endings[] = {".ts", ".ts.piece", ".state"};
        static const char begun[] = ".part"; /* of a video that was cut off */
        const char *name = entry->d_name;
        size_t digits = 0;
        bool ours = strcmp(name, ".froth.lock") == 0;
        while (isdigit((unsigned char)name[digits])) {
            digits++;
        }
        for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
            ours = ours || (digits == DIGITS && strcmp(name + digits, endings[i]) == 0);
        }
        const size_t size = strlen(name);
        ours = ours || (digits == DIGITS && size > sizeof begun &&
                        strcmp(name + size - (sizeof begun - 1), begun) == 0);
        if (ours) {
            (void)unlinkat(dirfd(entries), name, 0);
        }
    }
    if (entries != NULL) {
        (void)closedir(entries);
    }
    (void)rmdir(parts->folder);
}

static int open_folder(struct parts *parts)
{
    char path[PATH];
    const int size = snprintf(parts->folder, sizeof parts->folder, "%s.checkpoints",
                              parts->film->options->output);
    if (size < 0 || (size_t)size >= sizeof parts->folder || base_folder_make(parts->folder) != 0) {
        return fail(parts, parts->folder, NULL, strerror(errno));
    }
    path_of(parts, path, 0, ".ts");
    parts->lock = base_file_lock(path, 0);
    return parts->lock >= 0 || errno != EWOULDBLOCK
               ? 0
               : fail(parts, parts->folder, NULL, "another froth renders this film");
}

/* Takes a part in. Returns 0, or -1 with a message. */
static int add(struct parts *parts, uint64_t first, uint64_t count)
{
    if (parts->count == parts->room) {
        const size_t room = parts->room + parts->room / 2 + 64;
        void *grown = realloc(parts->paths, room * sizeof *parts->paths);
        if (grown == NULL) {
            return fail(parts, NULL, NULL, "not enough memory");
        }
        parts->paths = grown;
        parts->room = room;
    }
    path_of(parts, parts->paths[parts->count++], first, ".ts");
    parts->kept = first + count;
    return 0;
}

/* ---- what is kept ---- */

/* How a video is encoded, by which parts fit. */
static uint64_t encoding_of(const struct app_options *options)
{
    char text[256];
    const int size =
        snprintf(text, sizeof text, "%s %s %.17g", options->codec != NULL ? options->codec : "",
                 options->quality != NULL ? options->quality : "", options->bitrate);
    return base_content_hash(text, size > 0 ? strnlen(text, sizeof text) : 0);
}

static bool fits(const struct parts *parts, const struct app_piece *piece)
{
    const struct app_piece *of = &parts->of;
    return strcmp(piece->version, of->version) == 0 && piece->inputs == of->inputs &&
           piece->total == of->total && piece->width == of->width && piece->height == of->height &&
           piece->rate.numerator == of->rate.numerator &&
           piece->rate.denominator == of->rate.denominator &&
           strcmp(piece->codec, of->codec) == 0 && piece->stand.there &&
           piece->stand.encoding == of->stand.encoding;
}

/* The show behind a part. False: its state is not whole. */
static bool take_up(struct parts *parts, const struct app_piece *piece)
{
    const uint64_t end = piece->first + piece->count;
    char path[PATH];
    uint8_t *bytes = NULL;
    size_t size = 0;
    uint64_t frame = 0;
    path_of(parts, path, end, ".state");
    const bool good = app_set_state_read(path, &frame, &bytes, &size, NULL) == 0 && frame == end &&
                      parts->work->restore(parts->work->user, end, &piece->stand, bytes, size) == 0;
    free(bytes);
    return good;
}

static void print_hashes(const struct app_piece *piece)
{
    for (uint64_t k = 0; k < piece->count; k++) {
        printf("frame %" PRIu64 " %016" PRIx64 "\n", piece->first + k + 1, piece->hashes[k]);
    }
}

/* Lists the whole parts from the beginning on; the last ones are left out until one has its state.
 * Returns 0, or -1 with a message. */
static int find_kept(struct parts *parts)
{
    struct app_piece *pieces = NULL;
    size_t count = 0;
    size_t room = 0;
    int result = 0;
    for (uint64_t at = 0; result == 0 && at < parts->of.total;) {
        char path[PATH];
        struct app_piece piece = {.count = 0};
        path_of(parts, path, at, ".ts");
        if (app_piece_read(&piece, path, NULL) != 0 || piece.first != at) {
            app_piece_free(&piece);
            break;
        }
        if (!fits(parts, &piece)) {
            app_piece_free(&piece);
            result = fail(parts, parts->folder, "remove that folder to begin anew",
                          "these checkpoints are of a film of other presets, sound or options, or "
                          "of another version of froth");
            break;
        }
        if (count == room) {
            room += room / 2 + 64;
            void *grown = realloc(pieces, room * sizeof *pieces);
            if (grown == NULL) {
                app_piece_free(&piece);
                result = fail(parts, NULL, NULL, "not enough memory");
                break;
            }
            pieces = grown;
        }
        at += piece.count;
        pieces[count++] = piece;
    }
    size_t whole = result == 0 ? count : 0;
    while (whole > 0 && !take_up(parts, &pieces[whole - 1])) {
        whole--;
    }
    for (size_t i = 0; i < whole && result == 0; i++) {
        result = add(parts, pieces[i].first, pieces[i].count);
        if (result == 0 && parts->film->options->hash) {
            print_hashes(&pieces[i]);
        }
    }
    for (size_t i = 0; i < count; i++) {
        app_piece_free(&pieces[i]);
    }
    free(pieces);
    return result;
}

/* ---- one part after the other ---- */

/* The state behind it is on the disk before the part counts as there. */
static int keep(struct parts *parts, const char *path)
{
    const struct app_parts_work *work = parts->work;
    struct app_piece *piece = parts->film->piece;
    const uint64_t end = piece->first + piece->count;
    char state[PATH];
    uint8_t *bytes = NULL;
    void *packed = NULL;
    size_t size = 0;
    path_of(parts, state, end, ".state");
    piece->stand.there = true;
    if (work->save(work->user, &piece->stand, &bytes, &size) != 0) {
        return -1;
    }
    int result = app_set_state_pack(end, bytes, size, &packed, &size);
    free(bytes);
    result = result == 0 ? base_file_write(state, packed, size, BASE_FILE_OVER) : result;
    free(packed);
    if (result != 0) {
        return fail(parts, state, NULL, strerror(errno));
    }
    return app_piece_write(piece, path, &parts->film->sink);
}

/* States before the last two are of no use. */
static void thin(const struct parts *parts, uint64_t end)
{
    char path[PATH];
    path_of(parts, path, end, ".state");
    (void)unlink(path);
}

/* The part that begins where the last one ends. Returns 0, or -1 with a message. */
static int make_part(struct parts *parts, uint64_t every)
{
    struct app_film *film = parts->film;
    struct app_piece *piece = film->piece;
    const uint64_t first = parts->kept;
    char path[PATH];
    uint64_t made = 0;
    path_of(parts, path, first, ".ts");
    app_piece_free(piece);
    *piece = parts->of;
    piece->first = first;
    film->first = first;
    film->drawn_from = first;
    film->end = every < film->frames - first ? first + every : film->frames;
    if (parts->work->begin(parts->work->user) != 0 ||
        app_film_make_part(film, path, parts->work->draw, parts->work->user, &made) != 0) {
        return -1;
    }
    parts->hashed += made - first;
    return made == first ? 0 : keep(parts, path) != 0 ? -1 : add(parts, first, made - first);
}

static int make_all(struct parts *parts, uint64_t every)
{
    struct app_film *film = parts->film;
    uint64_t before = parts->count > 1 ? parts->kept : 0; /* a state that is not needed any more */
    int result = 0;
    while (result == 0 && parts->kept < film->frames && !base_stop_wanted()) {
        const uint64_t old = parts->kept;
        result = make_part(parts, every);
        if (result == 0 && before > 0) {
            thin(parts, before);
        }
        before = old;
    }
    return result;
}

static int join(const struct parts *parts)
{
    const char **paths = calloc(parts->count, sizeof *paths);
    if (paths == NULL) {
        return fail(parts, NULL, NULL, "not enough memory");
    }
    for (size_t i = 0; i < parts->count; i++) {
        paths[i] = parts->paths[i];
    }
    const int result =
        app_join_pieces(paths, parts->count, parts->film->options->output, &parts->film->sink);
    free(paths);
    return result;
}

static int finish(struct parts *parts)
{
    const struct app_film *film = parts->film;
    const struct base_place place = {.file = film->options->output};
    if (parts->kept < film->frames) {
        base_report(&film->sink, BASE_WARNING, place,
                    "the same command goes on from there; its checkpoints lie beside the film",
                    "stopped after %.2f of %.2f seconds (%" PRIu64 " of %" PRIu64 " frames)",
                    engine_rate_seconds(film->rate, parts->kept),
                    engine_rate_seconds(film->rate, film->frames), parts->kept, film->frames);
        return -1;
    }
    if (film->options->hash && parts->hashed == film->frames) {
        printf("all %016" PRIx64 "\n", base_content_stream_hash(&film->all));
    }
    if (join(parts) != 0) {
        return -1;
    }
    remove_folder(parts);
    return 0;
}

int app_parts_make(const struct app_parts_work *work, uint64_t every)
{
    struct app_film *film = work->film;
    struct parts parts = {.work = work, .film = film, .lock = -1};
    parts.of = *film->piece;
    parts.of.stand.encoding = encoding_of(film->options);
    parts.of.hashes = NULL;
    parts.of.hash_room = 0;
    parts.of.scenes = NULL;
    parts.of.scene_count = 0;
    parts.of.scene_room = 0;
    int result = open_folder(&parts) == 0 ? find_kept(&parts) : -1;
    if (result == 0 && parts.kept > 0) {
        base_report(&film->sink, BASE_NOTE, (struct base_place){.file = film->options->output},
                    NULL, "it goes on after %.2f of %.2f seconds",
                    engine_rate_seconds(film->rate, parts.kept),
                    engine_rate_seconds(film->rate, film->frames));
    }
    if (result == 0) {
        const uint64_t frames = film->frames - parts.kept;
        film->begun = parts.kept;
        app_progress_begin(&film->progress, stderr, "frames", frames > 0 ? frames : 1);
        film->sink = app_progress_sink(&film->progress);
        result = make_all(&parts, every);
        app_progress_end(&film->progress, frames, result == 0 && parts.kept == film->frames);
        result = result == 0 ? finish(&parts) : result;
    }
    base_file_unlock(parts.lock);
    free(parts.paths);
    return result;
}
