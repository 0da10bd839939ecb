/* A library that was loaded, used and unloaded leaves nothing: library_unload LIBFROTH PRESET */
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "froth.h"

enum { WIDTH = 64, HEIGHT = 48 };

/* A line of a file of /proc/self that has the text; NULL: none. */
static const char *line_of(const char *path, const char *text)
{
    static char line[4096];
    FILE *file = fopen(path, "r");
    const char *found = NULL;
    while (file != NULL && found == NULL && fgets(line, sizeof line, file) != NULL) {
        found = strstr(line, text);
    }
    if (file != NULL) {
        (void)fclose(file);
    }
    return found;
}

static int threads(void)
{
    const char *line = line_of("/proc/self/status", "Threads:");
    return line != NULL ? atoi(line + sizeof "Threads:" - 1) : -1;
}

static int use(void *library, const char *preset)
{
    int (*begin)(struct froth_config *, size_t);
    froth *(*create)(const struct froth_config *, int *);
    int (*load)(froth *, const char *, int);
    int (*render)(froth *, const struct froth_picture *);
    void (*end)(froth *);
    *(void **)&begin = dlsym(library, "froth_config_begin");
    *(void **)&create = dlsym(library, "froth_create");
    *(void **)&load = dlsym(library, "froth_load_file");
    *(void **)&render = dlsym(library, "froth_render");
    *(void **)&end = dlsym(library, "froth_free");
    static uint32_t pixels[WIDTH * HEIGHT];
    const struct froth_picture picture = {pixels, 4 * WIDTH, WIDTH, HEIGHT, FROTH_BGRX};
    struct froth_config config;
    if (begin(&config, sizeof config) != FROTH_OK) {
        return -1;
    }
    config.threads = 4;
    froth *show = create(&config, NULL);
    int result = show != NULL && load(show, preset, FROTH_HARD) == FROTH_OK ? 0 : -1;
    for (int i = 0; i < 20 && result == 0; i++) {
        result = render(show, &picture);
    }
    const int most = threads();
    end(show);
    return result == 0 ? most : -1;
}

int main(int argc, char **argv)
{
    int most = 0;
    for (int turn = 0; argc == 3 && turn < 3; turn++) {
        void *library = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
        most = library != NULL ? use(library, argv[2]) : -1;
        if (library == NULL || most < 0 || dlclose(library) != 0) {
            printf("FAILED: it cannot be used: %s\n", library == NULL ? dlerror() : argv[2]);
            return 1;
        }
        if (threads() != 1 || line_of("/proc/self/maps", "libfroth") != NULL) {
            printf("FAILED: it leaves %d threads, or itself\n", threads());
            return 1;
        }
    }
    printf("%d threads, then 1\n", most);
    return most == 5 ? 0 : 1;
}
