/* How long a recorded show takes to any of its pictures, and whether they are those of the whole:
 *     set_seek SET [COUNT]
 * Plays the set once, then goes to COUNT pictures by chance (50), as the commands rewind and loop
 * do. Prints the wall time and processor time of each way, median and longest. Exit code 1: a
 * picture differs. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "app/apart/apart.h"
#include "app/set/set.h"
#include "base/os/file.h"
#include "base/os/print.h"
#include "base/os/thread.h"
#include "base/random.h"

enum { FRAMES_MOST = 1 << 20, SEEKS_MOST = 10000 };

static double processor_seconds(void)
{
    struct rusage usage;
    (void)getrusage(RUSAGE_SELF, &usage);
    return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
           1e-6 * (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
}

static uint64_t hash_next(struct app_set_play *play)
{
    const struct app_size size = app_set_play_size(play);
    return base_content_hash(app_set_play_next(play),
                             (size_t)size.width * (size_t)size.height * sizeof(uint32_t));
}

static int by_size(const void *a, const void *b)
{
    const double left = *(const double *)a;
    const double right = *(const double *)b;
    return (left > right) - (left < right);
}

static void print(const char *what, double *seconds, size_t count)
{
    qsort(seconds, count, sizeof *seconds, by_size);
    printf("%s: median %.3f s, 95 %% %.3f s, longest %.3f s\n", what, seconds[count / 2],
           seconds[count * 95 / 100], seconds[count - 1]);
}

int main(int argc, char **argv)
{
    static uint64_t hashes[FRAMES_MOST];
    static double walls[SEEKS_MOST];
    static double used[SEEKS_MOST];
    struct app_set set = {.frame_count = 0};
    const size_t count = argc > 2 ? (size_t)strtoul(argv[2], NULL, 10) : 50;
    (void)app_apart_begin();
    if (argc < 2 || count < 1 || count > SEEKS_MOST ||
        app_set_open(&set, argv[1], &base_diag_stderr) != 0) {
        return 2;
    }
    const struct app_set_wishes wishes = {
        .as_shown = true, .threads = base_processor_count(), .cpu = base_cpu_best()};
    struct app_set_play *play = app_set_play_open(&set, &wishes, &base_diag_stderr);
    if (play == NULL) {
        return 2;
    }
    const uint64_t frames = app_set_play_frames(play);
    const double rate = engine_rate_value(app_set_play_rate(play));
    for (uint64_t i = 0; i < frames && i < FRAMES_MOST; i++) {
        hashes[i] = hash_next(play);
    }
    struct base_rng rng;
    size_t different = 0;
    base_rng_seed(&rng, 26, 1);
    for (size_t i = 0; i < count; i++) {
        const uint64_t frame = 1 + base_rng_next(&rng) % (frames - 1);
        const double begun = base_clock_seconds();
        const double before = processor_seconds();
        if (app_set_play_seek(play, (double)frame / rate) != 0) {
            return 1;
        }
        different += hash_next(play) != hashes[frame];
        walls[i] = base_clock_seconds() - begun;
        used[i] = processor_seconds() - before;
    }
    printf("%zu of %zu pictures differ, of %" PRIu64 "\n", different, count, frames);
    print("wall", walls, count);
    print("processor", used, count);
    app_set_play_close(play);
    app_set_close(&set);
    return different > 0;
}
