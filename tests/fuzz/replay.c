/* Feeds every file named on the command line, or found in a folder named there, to a fuzz target,
 * so that a corpus runs as an ordinary test. Exit code 0 if at least one file was fed. */
#include <dirent.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int feed_file(const char *path)
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
    (void)LLVMFuzzerTestOneInput(data, size);
    return 1;
}

static int feed_folder(const char *path, DIR *folder)
{
    int fed = 0;
    for (const struct dirent *entry = readdir(folder); entry != NULL; entry = readdir(folder)) {
        char name[4096];
        const int length = snprintf(name, sizeof name, "%s/%s", path, entry->d_name);
        if (entry->d_name[0] != '.' && length > 0 && (size_t)length < sizeof name) {
            fed += feed_file(name);
        }
    }
    return fed;
}

int main(int argc, char **argv)
{
    int fed = 0;
    for (int i = 1; i < argc; i++) {
        DIR *folder = opendir(argv[i]);
        if (folder == NULL) {
            fed += feed_file(argv[i]);
            continue;
        }
        fed += feed_folder(argv[i], folder);
        (void)closedir(folder);
    }
    printf("%d inputs replayed\n", fed);
    return fed > 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
