#include "app/loading/loading.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/io/picture.h"
#include "engine/course.h"
#include "base/os/file.h"
#include "base/random.h"
#include "presets/presets.h"

/* Which presets a window plays. */

static int need_shipped(char folder[static APP_PLAY_PATH_MAX], const struct base_diag_sink *sink)
{
    const char *named = getenv("FROTH_PRESETS");
    if (named != NULL && named[0] != '\0' && strlen(named) < APP_PLAY_PATH_MAX) {
        (void)snprintf(folder, APP_PLAY_PATH_MAX, "%s", named);
        return 0;
    }
    if (base_beside_program(folder, APP_PLAY_PATH_MAX, "/../share/froth/presets") &&
        base_is_folder(folder)) {
        return 0;
    }
    (void)snprintf(folder, APP_PLAY_PATH_MAX, "%s", FROTH_PRESETS);
    if (base_is_folder(folder)) {
        return 0;
    }
    base_report(sink, BASE_ERROR, (struct base_place){0},
                "name a preset or a folder, or set FROTH_PRESETS", "no presets were found");
    return -1;
}

int app_refuse_sounds(const struct app_options *options, const struct base_diag_sink *sink)
{
    static const char *const endings[] = {".wav", ".flac", ".mp3", ".ogg", ".oga", ".opus",
                                          ".aif", ".aiff", ".m4a", ".aac", ".wma"};
    for (size_t i = 0; i < options->input_count; i++) {
        const char *path = options->inputs[i];
        const char *ending = strrchr(path, '.');
        for (size_t k = 0; ending != NULL && k < sizeof endings / sizeof *endings; k++) {
            if (strcasecmp(ending, endings[k]) == 0 && !base_is_folder(path)) {
                base_report(sink, BASE_ERROR, (struct base_place){.file = path},
                            "give it with --audio", "this is a sound, not a preset");
                return -1;
            }
        }
    }
    return 0;
}

int app_play_inputs(struct preset_list *list, const struct app_options *options,
                    char folder[static APP_PLAY_PATH_MAX], const struct base_diag_sink *sink)
{
    folder[0] = '\0';
    if (options->input_count == 0) {
        return need_shipped(folder, sink) == 0 ? preset_list_add(list, folder, sink) : -1;
    }
    if (app_refuse_sounds(options, sink) != 0) {
        return -1;
    }
    for (size_t i = 0; i < options->input_count; i++) {
        (void)preset_list_add(list, options->inputs[i], sink);
    }
    return list->count > 0 ? 0 : -1;
}

int app_play_paths_of(struct app_play_paths *paths, const struct app_options *options,
                      const struct base_diag_sink *sink)
{
    *paths = (struct app_play_paths){.paths = options->inputs, .count = options->input_count};
    if (options->input_count > 0) {
        return app_refuse_sounds(options, sink);
    }
    if (need_shipped(paths->shipped, sink) != 0) {
        return -1;
    }
    const bool own =
        !options->no_library &&
        base_folder_path(BASE_FOLDER_DATA, "/presets", paths->own, sizeof paths->own) &&
        base_is_folder(paths->own);
    paths->usual[0] = paths->shipped;
    paths->usual[1] = paths->own;
    paths->paths = paths->usual;
    paths->count = own ? 2 : 1;
    return 0;
}

/* A show, as the options ask for it. */

struct froth_config app_show_config(const struct app_options *options, struct app_size size)
{
    const struct engine_rate rate = app_options_fps(options);
    const struct app_size mesh = app_options_mesh(options);
    const int pixels = app_options_shaders(options);
    struct froth_config config;
    (void)froth_config_begin(&config, sizeof config);
    config.fps_numerator = rate.numerator;
    config.fps_denominator = rate.denominator;
    config.step_rate = options->step_rate.numerator > 0 ? engine_rate_value(options->step_rate) : 0;
    config.between = options->between != NULL && strcmp(options->between, "blend") == 0;
    config.width = size.width;
    config.height = size.height;
    config.mesh_width = mesh.width;
    config.mesh_height = mesh.height;
    config.seed = options->seed;
    config.levels = (int)app_options_levels(options);
    config.threads = (int)app_options_threads(options);
    config.shader_pixels = pixels > 0 ? pixels : 1;
    config.memory = app_options_memory(options);
    config.advance = 0;
    config.blend = options->blend >= 0 ? options->blend : config.blend;
    config.transition = options->transition;
    return config;
}

/* The pictures of presets. */

enum { PATH_SIZE = 4096 };

/* What is looked for, and the best file seen so far. */
struct search {
    const char *name;   /* a file's name without ending; NULL: any */
    const char *prefix; /* of the name, in any case */
    uint64_t chance;    /* which of any */
    size_t rank;        /* of the best ending so far */
    uint64_t least;     /* the smallest number drawn so far */
    char best[256];     /* "": none */
};

static bool is_better(struct search *search, const char *file)
{
    const char *point = strrchr(file, '.');
    if (point == NULL || file[0] == '.') {
        return false;
    }
    const size_t stem = (size_t)(point - file);
    size_t rank = 0; /* of the ending among those of pictures */
    while (app_picture_endings[rank] != NULL &&
           strcasecmp(point + 1, app_picture_endings[rank]) != 0) {
        rank++;
    }
    if (app_picture_endings[rank] == NULL) {
        return false;
    }
    if (search->name == NULL) {
        /* Any picture: the one that draws the smallest number, whatever order the folder has. */
        const uint64_t drawn = base_hash(search->chance, file, strlen(file));
        const bool chosen = strncasecmp(file, search->prefix, strlen(search->prefix)) == 0 &&
                            (search->best[0] == '\0' || drawn < search->least);
        search->least = chosen ? drawn : search->least;
        return chosen;
    }
    if (strlen(search->name) != stem || strncasecmp(file, search->name, stem) != 0) {
        return false;
    }
    const bool better =
        rank < search->rank || (rank == search->rank && strcmp(file, search->best) < 0);
    search->rank = better ? rank : search->rank;
    return better;
}

static bool look_into(const char *folder, struct search *search, char *path, size_t size)
{
    DIR *entries = opendir(folder);
    if (entries == NULL) {
        return false;
    }
    const struct dirent *entry;
    while ((entry = readdir(entries)) != NULL) {
        const size_t length = strlen(entry->d_name);
        if (length < sizeof search->best && is_better(search, entry->d_name)) {
            memcpy(search->best, entry->d_name, length + 1);
        }
    }
    (void)closedir(entries);
    const int written = snprintf(path, size, "%s/%s", folder, search->best);
    return search->best[0] != '\0' && written >= 0 && (size_t)written < size;
}

static void set_search(struct search *search, const struct rend_picture_request *request)
{
    const char *name = request->name;
    *search = (struct search){.name = name, .prefix = "", .rank = SIZE_MAX};
    /* "rand00" to "rand15", alone or followed by "_prefix", are any picture. */
    const char *digits = strncmp(name, "rand", 4) == 0 ? name + 4 : "";
    const bool number = (digits[0] == '0' && digits[1] >= '0' && digits[1] <= '9') ||
                        (digits[0] == '1' && digits[1] >= '0' && digits[1] <= '5');
    if (number && (digits[2] == '\0' || digits[2] == '_')) {
        const char *preset = request->preset_path != NULL ? request->preset_path : "";
        const char *slash = strrchr(preset, '/');
        preset = slash != NULL ? slash + 1 : preset;
        search->name = NULL;
        search->prefix = name[6] == '_' ? name + 7 : "";
        search->chance = base_hash(BASE_HASH_START, name, strlen(name));
        search->chance = base_hash(search->chance, preset, strlen(preset)) + request->seed;
    }
}

/* The file of that name, in whatever letters; as it is written, if there are several. */
static bool look_for_file(const char *folder, const char *name, char *path, size_t size)
{
    char best[256] = "";
    DIR *entries = opendir(folder);
    if (entries == NULL) {
        return false;
    }
    const struct dirent *entry;
    while ((entry = readdir(entries)) != NULL) {
        const char *file = entry->d_name;
        const size_t length = strlen(file);
        const bool better = best[0] == '\0' || strcmp(file, name) == 0 ||
                            (strcmp(best, name) != 0 && strcmp(file, best) < 0);
        if (length < sizeof best && strcasecmp(file, name) == 0 && better) {
            memcpy(best, file, length + 1);
        }
    }
    (void)closedir(entries);
    const int written = snprintf(path, size, "%s/%s", folder, best);
    return best[0] != '\0' && written >= 0 && (size_t)written < size;
}

/* Stores the path of a folder below that of the preset; false: it is too long. */
static bool beside_preset(const char *preset_path, const char *below, char place[static PATH_SIZE])
{
    const char *slash = strrchr(preset_path, '/');
    const char *start = slash != NULL ? preset_path : ".";
    const size_t length = slash != NULL ? (size_t)(slash - preset_path) : 1;
    const int written = snprintf(place, PATH_SIZE, "%.*s%s", (int)length, start, below);
    return written >= 0 && written < PATH_SIZE;
}

static bool find_file(const struct rend_picture_request *request, const char *first, char *path,
                      size_t size)
{
    static const char *const beside[] = {"", "/textures"};
    char place[PATH_SIZE];
    for (size_t i = 0; request->preset_path != NULL && i < sizeof beside / sizeof *beside; i++) {
        if (beside_preset(request->preset_path, beside[i], place) &&
            look_for_file(place, request->file, path, size)) {
            return true;
        }
    }
    return first != NULL && look_for_file(first, request->file, path, size);
}

bool app_resources_find(void *textures, const struct rend_picture_request *request, char *path,
                        size_t size)
{
    char own[PATH_SIZE];
    const char *first = ((const struct app_textures *)textures)->folder;
    if (first == NULL && base_folder_path(BASE_FOLDER_DATA, "/textures", own, sizeof own)) {
        first = own;
    }
    if (request->file != NULL) {
        return find_file(request, first, path, size);
    }
    struct search search;
    set_search(&search, request);
    if (first != NULL && look_into(first, &search, path, size)) {
        return true;
    }
    if (request->preset_path == NULL) {
        return false;
    }
    static const char *const beside[] = {"", "/textures", "/../textures"};
    for (size_t i = 0; i < sizeof beside / sizeof *beside; i++) {
        char place[PATH_SIZE];
        set_search(&search, request);
        if (beside_preset(request->preset_path, beside[i], place) &&
            look_into(place, &search, path, size)) {
            return true;
        }
    }
    return false;
}

static int measure(void *user, const char *path, struct rend_extent *extent,
                   const struct base_diag_sink *sink)
{
    return app_picture_measure(path, extent, ((const struct app_textures *)user)->stop, sink);
}

static int load(void *user, const char *path, int halvings, size_t room,
                struct rend_picture *picture, const struct base_diag_sink *sink)
{
    return app_picture_read(path, halvings, room, picture,
                            ((const struct app_textures *)user)->stop, sink);
}

static struct rend_pictures pictures_of(const struct app_textures *textures, uint64_t seed,
                                        size_t memory)
{
    static const struct app_textures usual = {NULL, NULL};
    /* What they say is only read. */
    union {
        const struct app_textures *textures;
        void *user;
    } keep = {textures != NULL ? textures : &usual};
    return (struct rend_pictures){keep.user, app_resources_find, measure, load, memory, seed};
}

struct rend_pictures app_pictures_of(const struct app_textures *textures,
                                     const struct app_options *options)
{
    return pictures_of(textures, options->seed, app_options_memory(options));
}

struct rend_resources *app_resources_create(const struct app_textures *textures, uint64_t seed,
                                            size_t memory)
{
    const struct rend_pictures pictures = pictures_of(textures, seed, memory);
    return rend_resources_create(&pictures);
}

/* Errors, counted. */

static void receive(void *user, const struct base_diag *diag)
{
    struct app_errors *errors = user;
    errors->count += diag->severity == BASE_ERROR;
    if (errors->next != NULL) {
        errors->next->receive(errors->next->user, diag);
    }
}

struct base_diag_sink app_errors_sink(struct app_errors *errors)
{
    return (struct base_diag_sink){receive, errors};
}
