/* Feeds every file named on the command line, or found in a folder named there, to the fuzz target
 * by whose name the program is called, so that a corpus runs as an ordinary test. Exit code 0 if at
 * least one file was fed. */
#include <dirent.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef int (*target)(const uint8_t *data, size_t size);

#define FUZZER(name) int name(const uint8_t *data, size_t size);
#include "fuzzers.def"
#undef FUZZER

static const struct {
    const char *name;
    target feed;
} targets[] = {
#define FUZZER(name) {#name, name},
#include "fuzzers.def"
#undef FUZZER
};

static int feed_file(target feed, const char *path)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        return 0;
    }
    static uint8_t data[4 * 1024 * 1024];
    const size_t size = fread(data, 1, sizeof data, file);
    const int readable = !ferror(file);
    (void)fclose(file);
    if (!readable) {
        return 0;
    }
    (void)feed(data, size);
    return 1;
}

static int feed_folder(target feed, const char *path, DIR *folder)
{
    int fed = 0;
    for (const struct dirent *entry = readdir(folder); entry != NULL; entry = readdir(folder)) {
        char name[4096];
        const int length = snprintf(name, sizeof name, "%s/%s", path, entry->d_name);
        if (entry->d_name[0] != '.' && length > 0 && (size_t)length < sizeof name) {
            fed += feed_file(feed, name);
        }
    }
    return fed;
}

int main(int argc, char **argv)
{
    const char *slash = strrchr(argv[0], '/');
    const char *name = slash != NULL ? slash + 1 : argv[0];
    target feed = NULL;
    for (size_t i = 0; i < sizeof targets / sizeof *targets; i++) {
        feed = strcmp(targets[i].name, name) == 0 ? targets[i].feed : feed;
    }
    if (feed == NULL) {
        (void)fprintf(stderr, "%s: there is no such fuzz target\n", name);
        return EXIT_FAILURE;
    }
    int fed = 0;
    for (int i = 1; i < argc; i++) {
        DIR *folder = opendir(argv[i]);
        if (folder == NULL) {
            fed += feed_file(feed, argv[i]);
            continue;
        }
        fed += feed_folder(feed, argv[i], folder);
        (void)closedir(folder);
    }
    printf("%d inputs replayed\n", fed);
    return fed > 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
