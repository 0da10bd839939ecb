/* keep_library FOLDER: opens the library of FOLDER/presets with data and cache in FOLDER, rates,
 * tags and lists some of its presets, saves one, and closes it. cli/full_disk.sh looks at what is
 * written meanwhile. Exit code 1 if there was a message. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "app/library/library.h"
#include "base/os/file.h"
#include "base/os/print.h"

static int messages;

static void tell(void *user, const struct base_diag *diag)
{
    (void)user;
    messages += diag->severity > BASE_NOTE;
    base_diag_stderr.receive(base_diag_stderr.user, diag);
}

int main(int argc, char **argv)
{
    if (argc != 2) {
        return 2;
    }
    char presets[512];
    char data[512];
    char cache[512];
    char saved[512];
    (void)snprintf(presets, sizeof presets, "%s/presets", argv[1]);
    (void)snprintf(data, sizeof data, "%s/data", argv[1]);
    (void)snprintf(cache, sizeof cache, "%s/cache", argv[1]);
    (void)snprintf(saved, sizeof saved, "%s/data/presets/mine.milk", argv[1]);
    const char *path = presets;
    const struct base_diag_sink sink = {tell, NULL};
    const struct app_library_setup setup = {
        .paths = &path, .path_count = 1, .data = data, .cache = cache, .seed = 1};
    struct app_library *library = app_library_open(&setup, &sink);
    if (library == NULL) {
        return 1;
    }
    (void)app_library_wait(library);
    while (app_library_state(library).scanning) {
        (void)nanosleep(&(struct timespec){0, 1000000}, NULL);
    }
    app_library_rate(library, 0, 5);
    (void)app_library_tag(library, 1, "calm", true);
    app_library_judge(library, 2, APP_VERDICT_DEGRADED);
    (void)app_library_playlist_add(library, "mine", 1, &sink);
    app_library_close(library);
    static const char text[] = "[preset00]\nfDecay=0.5\n";
    if (base_file_save(saved, text, sizeof text - 1) != 0) {
        perror(saved);
        messages++;
    }
    return messages > 0;
}
