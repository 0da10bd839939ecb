#include "presets/library/find.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

enum { DEPTH_MAX = 32 };

struct walk {
    const char *root; /* as given, for messages */
    const struct base_diag_sink *sink;
    const struct preset_visitor *visitor;
    size_t found;
    bool stop;   /* the visitor wants no more, or it failed */
    bool failed; /* out of memory, or the root cannot be read; reported */
};

static void report(const struct walk *walk, enum base_severity severity, const char *path,
                   const char *why)
{
    const bool root = strcmp(path, walk->root) == 0;
    base_report(walk->sink, severity, (struct base_place){walk->root, 0, 0}, NULL, "%s%s%s",
                root ? "" : path, root ? "" : ": ", why);
}

/* Takes over text, also on failure. */
static bool append(struct preset_list *list, char *text)
{
    if (text == NULL) {
        return false;
    }
    if (list->count == list->capacity) {
        const size_t capacity = list->capacity * 2 + 64;
        char **paths = realloc(list->paths, capacity * sizeof *paths);
        if (paths == NULL) {
            free(text);
            return false;
        }
        list->paths = paths;
        list->capacity = capacity;
    }
    list->paths[list->count++] = text;
    return true;
}

static void shorten(struct preset_list *list, size_t count)
{
    while (list->count > count) {
        free(list->paths[--list->count]);
    }
}

static int compare_names(const void *a, const void *b)
{
    const char *const *left = a;
    const char *const *right = b;
    return strcmp(*left, *right);
}

/* The names in a folder, sorted; hidden ones left out. Returns 0, or -1 with errno. */
static int read_names(const char *path, struct preset_list *names)
{
    DIR *folder = opendir(path);
    if (folder == NULL) {
        return -1;
    }
    int result = 0;
    for (const struct dirent *entry = readdir(folder); entry != NULL; entry = readdir(folder)) {
        if (entry->d_name[0] != '.' && !append(names, strdup(entry->d_name))) {
            result = -1;
            break;
        }
    }
    (void)closedir(folder);
    if (result != 0) {
        errno = ENOMEM;
    } else if (names->count > 1) {
        qsort(names->paths, names->count, sizeof *names->paths, compare_names);
    }
    return result;
}

static char *join(const char *folder, const char *name)
{
    const size_t size = strlen(folder);
    const bool slash = size > 0 && folder[size - 1] == '/';
    const size_t room = size + strlen(name) + 2;
    char *path = malloc(room);
    if (path != NULL) {
        (void)snprintf(path, room, "%s%s%s", folder, slash ? "" : "/", name);
    }
    return path;
}

bool preset_is_file_name(const char *name)
{
    static const char *const endings[] = {".milk", ".fnp"};
    const size_t size = strlen(name);
    bool is = false;
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        const struct base_span ending = base_span_of(endings[i]);
        is = is || (size > ending.size &&
                    base_span_equal_nocase(
                        (struct base_span){name + size - ending.size, ending.size}, ending));
    }
    return is;
}

static void visit(struct walk *walk, const char *path, const struct stat *facts)
{
    walk->found++;
    walk->stop = !walk->visitor->file(walk->visitor->user, path, facts);
}

static void walk_folder(struct walk *walk, const char *path, int depth);

/* Links to files count as files, links to folders as nothing. Takes over path. */
static void walk_entry(struct walk *walk, char *path, int depth)
{
    struct stat facts;
    if (path == NULL) {
        walk->stop = true;
        walk->failed = true;
        report(walk, BASE_ERROR, walk->root, "not enough memory");
        return;
    }
    if (lstat(path, &facts) == 0) {
        if (S_ISDIR(facts.st_mode)) {
            walk_folder(walk, path, depth + 1);
        } else if (preset_is_file_name(path) &&
                   (S_ISREG(facts.st_mode) || stat(path, &facts) == 0) && S_ISREG(facts.st_mode)) {
            visit(walk, path, &facts);
        }
    }
    free(path);
}

static void walk_folder(struct walk *walk, const char *path, int depth)
{
    const struct preset_visitor *visitor = walk->visitor;
    struct preset_list names = {0};
    if (depth > DEPTH_MAX) {
        report(walk, BASE_WARNING, path, "too many folders deep; left out");
        return;
    }
    if (visitor->folder != NULL && !visitor->folder(visitor->user, path)) {
        walk->stop = true;
        return;
    }
    if (read_names(path, &names) != 0) {
        walk->failed = depth == 0 || errno == ENOMEM;
        walk->stop = walk->failed;
        report(walk, walk->failed ? BASE_ERROR : BASE_WARNING, path, strerror(errno));
    }
    for (size_t i = 0; i < names.count && !walk->stop; i++) {
        walk_entry(walk, join(path, names.paths[i]), depth);
    }
    preset_list_free(&names);
}

int preset_walk(const char *path, const struct preset_visitor *visitor,
                const struct base_diag_sink *sink)
{
    struct walk walk = {.root = path, .sink = sink, .visitor = visitor};
    struct stat facts;
    if (stat(path, &facts) != 0) {
        report(&walk, BASE_ERROR, path, strerror(errno));
        return -1;
    }
    if (S_ISDIR(facts.st_mode)) {
        walk_folder(&walk, path, 0);
    } else if (S_ISREG(facts.st_mode)) {
        visit(&walk, path, &facts);
    } else {
        report(&walk, BASE_ERROR, path, "neither a file nor a folder");
        return -1;
    }
    if (!walk.stop && walk.found == 0) {
        report(&walk, BASE_ERROR, path, "no preset (.milk, .fnp) in this folder");
        return -1;
    }
    return walk.failed ? -1 : 0;
}

struct adding {
    struct preset_list *list;
    bool failed; /* without memory */
};

static bool add_file(void *user, const char *path, const struct stat *facts)
{
    struct adding *adding = user;
    (void)facts;
    adding->failed = !append(adding->list, strdup(path));
    return !adding->failed;
}

int preset_list_add(struct preset_list *list, const char *path, const struct base_diag_sink *sink)
{
    const size_t before = list->count;
    struct adding adding = {list, false};
    const struct preset_visitor visitor = {&adding, NULL, add_file};
    const int result = preset_walk(path, &visitor, sink);
    if (adding.failed) {
        base_report(sink, BASE_ERROR, (struct base_place){path, 0, 0}, NULL, "not enough memory");
    }
    if (result != 0 || adding.failed) {
        shorten(list, before);
        return -1;
    }
    return 0;
}

void preset_list_free(struct preset_list *list)
{
    shorten(list, 0);
    free(list->paths);
    *list = (struct preset_list){0};
}
