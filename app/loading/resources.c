#include "app/loading/resources.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "app/io/picture.h"
#include "base/hash.h"
#include "base/os/file.h"

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

/* Rank of a file name's ending among those of pictures; SIZE_MAX: no picture. */
static size_t ending_rank(const char *file, size_t *stem)
{
    const char *point = strrchr(file, '.');
    if (point == NULL) {
        return SIZE_MAX;
    }
    *stem = (size_t)(point - file);
    for (size_t i = 0; app_picture_endings[i] != NULL; i++) {
        if (strcasecmp(point + 1, app_picture_endings[i]) == 0) {
            return i;
        }
    }
    return SIZE_MAX;
}

/* Any picture: the one that draws the smallest number, whatever order the folder has. */
static bool is_chosen(struct search *search, const char *file)
{
    const uint64_t drawn = base_hash(search->chance, file, strlen(file));
    const bool chosen = search->best[0] == '\0' || drawn < search->least;
    search->least = chosen ? drawn : search->least;
    return chosen;
}

static bool is_better(struct search *search, const char *file)
{
    size_t stem = 0;
    const size_t rank = ending_rank(file, &stem);
    if (rank == SIZE_MAX || file[0] == '.') {
        return false;
    }
    if (search->name == NULL) {
        return strncasecmp(file, search->prefix, strlen(search->prefix)) == 0 &&
               is_chosen(search, file);
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

/* Tells whether a name is "rand00" to "rand15", alone or followed by "_prefix". */
static bool is_random(const char *name)
{
    if (strncmp(name, "rand", 4) != 0) {
        return false;
    }
    const char *digits = name + 4;
    const bool number = (digits[0] == '0' && digits[1] >= '0' && digits[1] <= '9') ||
                        (digits[0] == '1' && digits[1] >= '0' && digits[1] <= '5');
    return number && (digits[2] == '\0' || digits[2] == '_');
}

static void set_search(struct search *search, const struct rend_picture_request *request)
{
    const char *name = request->name;
    *search = (struct search){.name = name, .prefix = "", .rank = SIZE_MAX};
    if (is_random(name)) {
        const char *preset = request->preset_path != NULL ? request->preset_path : "";
        const char *slash = strrchr(preset, '/');
        preset = slash != NULL ? slash + 1 : preset;
        search->name = NULL;
        search->prefix = name[6] == '_' ? name + 7 : "";
        search->chance = base_hash(BASE_HASH_START, name, strlen(name));
        search->chance = base_hash(search->chance, preset, strlen(preset));
    }
}

static bool look_beside(const struct rend_picture_request *request, char *path, size_t size)
{
    static const char *const places[] = {"", "/textures", "/../textures"};
    if (request->preset_path == NULL) {
        return false;
    }
    const char *slash = strrchr(request->preset_path, '/');
    const char *start = slash != NULL ? request->preset_path : ".";
    const size_t length = slash != NULL ? (size_t)(slash - request->preset_path) : 1;
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        char folder[PATH_SIZE];
        struct search search;
        set_search(&search, request);
        const int written =
            snprintf(folder, sizeof folder, "%.*s%s", (int)length, start, places[i]);
        if (written >= 0 && (size_t)written < sizeof folder &&
            look_into(folder, &search, path, size)) {
            return true;
        }
    }
    return false;
}

bool app_resources_find(void *folder, const struct rend_picture_request *request, char *path,
                        size_t size)
{
    char own[PATH_SIZE];
    const char *first = folder;
    if (first == NULL && base_folder_path(BASE_FOLDER_DATA, "/textures", own, sizeof own)) {
        first = own;
    }
    struct search search;
    set_search(&search, request);
    return (first != NULL && look_into(first, &search, path, size)) ||
           look_beside(request, path, size);
}

static int load(void *user, const char *path, struct rend_picture *picture,
                const struct base_diag_sink *sink)
{
    (void)user;
    return app_picture_read(path, picture, sink);
}

struct rend_resources *app_resources_create(const char *folder)
{
    /* The folder's text is only read. */
    union {
        const char *text;
        void *user;
    } keep = {folder};
    const struct rend_pictures pictures = {keep.user, app_resources_find, load};
    return rend_resources_create(&pictures);
}
