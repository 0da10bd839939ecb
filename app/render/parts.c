#include "app/render/parts.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/set/set.h"
#include "base/os/file.h"
#include "base/os/thread.h"
#include "base/os/print.h"

enum { PATH = 4096 + 32, DIGITS = 12 };

struct parts {
    const struct app_parts_work *work;
    struct app_film *film;
    struct app_piece of; /* what each part says, without what is in it */
    char folder[4096];
    struct app_piece *pieces; /* the whole parts, from the film's beginning on */
    size_t count;
    size_t room;
    uint64_t drawn; /* frames that this rendering has drawn */
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
        bool ours = strcmp(name, ".froth.lock") == 0 || base_file_is_left(name);
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

/* Frames that are in whole parts. */
static uint64_t kept(const struct parts *parts)
{
    const struct app_piece *last = parts->count > 0 ? &parts->pieces[parts->count - 1] : NULL;
    return last != NULL ? last->first + last->count : 0;
}

/* Takes a part over, also where it fails. Returns 0, or -1 with a message. */
static int add(struct parts *parts, struct app_piece *piece)
{
    if (parts->count == parts->room) {
        const size_t room = parts->room + parts->room / 2 + 64;
        void *grown = realloc(parts->pieces, room * sizeof *parts->pieces);
        if (grown == NULL) {
            app_piece_free(piece);
            *piece = parts->of;
            return fail(parts, NULL, NULL, "not enough memory");
        }
        parts->pieces = grown;
        parts->room = room;
    }
    parts->pieces[parts->count++] = *piece;
    *piece = parts->of;
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
    return strcmp(piece->version, parts->of.version) == 0 &&
           app_piece_is_of_film(piece, &parts->of) && piece->stand.there &&
           piece->stand.encoding == parts->of.stand.encoding;
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

/* The part that begins where the last one ends. 1: it is there and whole. 0: it is not. -1, with a
 * message: it is of another film, or memory is short. */
static int find_next(struct parts *parts)
{
    char path[PATH];
    struct app_piece piece = {.count = 0};
    path_of(parts, path, kept(parts), ".ts");
    if (app_piece_read(&piece, path, NULL) != 0 || piece.first != kept(parts)) {
        app_piece_free(&piece);
        return 0;
    }
    if (!fits(parts, &piece)) {
        app_piece_free(&piece);
        return fail(parts, parts->folder, "remove that folder to begin anew",
                    "these checkpoints are of a film of other presets, sound or options, or of "
                    "another version of froth");
    }
    return add(parts, &piece) == 0 ? 1 : -1;
}

/* Lists the whole parts; the last ones are left out until one has its state. Returns 0, or -1 with
 * a message. */
static int find_kept(struct parts *parts)
{
    int found = 1;
    while (found > 0 && kept(parts) < parts->of.total) {
        found = find_next(parts);
    }
    if (found < 0) {
        return -1;
    }
    while (parts->count > 0 && !take_up(parts, &parts->pieces[parts->count - 1])) {
        app_piece_free(&parts->pieces[--parts->count]);
    }
    for (size_t i = 0; i < parts->count && parts->film->options->hash; i++) {
        app_piece_print_hashes(&parts->pieces[i]);
    }
    return 0;
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
    const uint64_t first = kept(parts);
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
        app_film_make_part(film, path, parts->work->painter, &made) != 0) {
        return -1;
    }
    parts->drawn += made - first;
    return made == first ? 0 : keep(parts, path) != 0 ? -1 : add(parts, piece);
}

static int make_all(struct parts *parts, uint64_t every)
{
    struct app_film *film = parts->film;
    uint64_t before = 0; /* the end of the last part but one */
    int result = 0;
    while (result == 0 && kept(parts) < film->frames && !base_stop_wanted()) {
        const uint64_t old = kept(parts);
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
    char(*names)[PATH] = calloc(parts->count, sizeof *names);
    const char **paths = calloc(parts->count, sizeof *paths);
    int result = names != NULL && paths != NULL ? 0 : fail(parts, NULL, NULL, "not enough memory");
    for (size_t i = 0; result == 0 && i < parts->count; i++) {
        path_of(parts, names[i], parts->pieces[i].first, ".ts");
        paths[i] = names[i];
    }
    if (result == 0) {
        result =
            app_piece_join(paths, parts->count, parts->film->options->output, &parts->film->sink);
    }
    free(names);
    free(paths);
    return result;
}

static int finish(struct parts *parts)
{
    const struct app_film *film = parts->film;
    const struct base_place place = {.file = film->options->output};
    if (kept(parts) < film->frames) {
        base_report(&film->sink, BASE_WARNING, place,
                    "the same command goes on from there; its checkpoints lie beside the film",
                    "stopped after %.2f of %.2f seconds (%" PRIu64 " of %" PRIu64 " frame%s)",
                    engine_rate_seconds(film->rate, kept(parts)),
                    engine_rate_seconds(film->rate, film->frames), kept(parts), film->frames,
                    base_plural(film->frames));
        return -1;
    }
    if (film->options->hash && parts->drawn == film->frames) {
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
    if (result == 0 && kept(&parts) > 0) {
        base_report(&film->sink, BASE_NOTE, (struct base_place){.file = film->options->output},
                    NULL, "it goes on after %.2f of %.2f seconds",
                    engine_rate_seconds(film->rate, kept(&parts)),
                    engine_rate_seconds(film->rate, film->frames));
    }
    if (result == 0) {
        const uint64_t frames = film->frames - kept(&parts);
        film->begun = kept(&parts);
        app_progress_begin(&film->progress, stderr, "frames", frames > 0 ? frames : 1);
        film->sink = app_progress_sink(&film->progress);
        result = make_all(&parts, every);
        app_progress_end(&film->progress, frames, result == 0 && kept(&parts) == film->frames);
        result = result == 0 ? finish(&parts) : result;
    }
    base_file_unlock(parts.lock);
    for (size_t i = 0; i < parts.count; i++) {
        app_piece_free(&parts.pieces[i]);
    }
    free(parts.pieces);
    return result;
}
