/* How long a click in the sound takes to the picture: click_probe FRAMEBUFFER X Y CLICKS
 *
 * Plays clicks with pacat into the sound server's usual output, listens to its monitor with parec,
 * as any recorder would, and looks at a pixel of Xvfb's frame buffer (a file in XWD format, see its
 * option -fbdir). Prints for each click the milliseconds to the recorder and to the picture, and
 * the medians; the difference is what froth adds to the sound's own way. */
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum {
    RATE = 44100,
    BLOCK = RATE / 100,
    CLICKS_MAX = 100,
    GAP_BLOCKS = 70, /* from one click to the next */
    BRIGHT = 128,
};

struct probe {
    const unsigned char *pixel;
    FILE *player;
    int recorder;
    double heard;
    double seen;
};

static double now(void)
{
    struct timespec time;
    (void)clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e3 + (double)time.tv_nsec * 1e-6;
}

static uint32_t big_endian(const unsigned char *bytes)
{
    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

static const unsigned char *find_pixel(const char *path, int x, int y)
{
    enum { HEADER_SIZE = 0, BYTES_PER_LINE = 12 * 4, COLOURS = 19 * 4, COLOUR_SIZE = 12 };
    struct stat status;
    const int file = open(path, O_RDONLY);
    if (file < 0 || fstat(file, &status) != 0) {
        return NULL;
    }
    const unsigned char *data = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_SHARED, file, 0);
    if (data == MAP_FAILED) {
        return NULL;
    }
    const size_t start =
        big_endian(data + HEADER_SIZE) + COLOUR_SIZE * (size_t)big_endian(data + COLOURS);
    return data + start + (size_t)y * big_endian(data + BYTES_PER_LINE) + 4 * (size_t)x;
}

/* A hundredth of a second of sound, paced by the player's buffer. */
static bool play(struct probe *probe, bool loud)
{
    static int16_t samples[2 * BLOCK];
    for (int i = 0; i < BLOCK; i++) {
        samples[2 * i] = samples[2 * i + 1] = loud ? (int16_t)(i % 80 < 40 ? 28000 : -28000) : 0;
    }
    return fwrite(samples, sizeof samples, 1, probe->player) == 1 && fflush(probe->player) == 0;
}

static void look(struct probe *probe)
{
    int16_t samples[512];
    const double time = now();
    if (probe->seen == 0 && *(const volatile unsigned char *)probe->pixel > BRIGHT) {
        probe->seen = time;
    }
    const ssize_t got = read(probe->recorder, samples, sizeof samples);
    for (ssize_t i = 0; i < got / 2; i++) {
        if (probe->heard == 0 && (samples[i] > 4000 || samples[i] < -4000)) {
            probe->heard = time;
        }
    }
}

static void look_for(struct probe *probe, double milliseconds)
{
    const struct timespec pause = {.tv_nsec = 200000};
    for (const double end = now() + milliseconds; now() < end;) {
        look(probe);
        (void)nanosleep(&pause, NULL);
    }
}

/* Whether the click was heard and seen; times from its writing. */
static bool measure(struct probe *probe, double *heard, double *seen)
{
    for (int i = 0; i < GAP_BLOCKS; i++) {
        if (!play(probe, false)) {
            return false;
        }
        look_for(probe, 9);
    }
    probe->heard = probe->seen = 0;
    const double begun = now();
    for (int i = 0; i < 8; i++) {
        (void)play(probe, true);
        look_for(probe, 9);
    }
    for (int i = 0; i < 30; i++) {
        (void)play(probe, false);
        look_for(probe, 9);
    }
    *heard = probe->heard - begun;
    *seen = probe->seen - begun;
    return probe->heard > 0 && probe->seen > 0;
}

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a;
    const double y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *values, size_t count)
{
    qsort(values, count, sizeof *values, compare);
    return values[count / 2];
}

int main(int argc, char **argv)
{
    static double heard[CLICKS_MAX];
    static double seen[CLICKS_MAX];
    static double apart[CLICKS_MAX];
    struct probe probe = {0};
    size_t count = 0;
    if (argc != 5 || (probe.pixel = find_pixel(argv[1], atoi(argv[2]), atoi(argv[3]))) == NULL) {
        (void)fprintf(stderr, "usage: click_probe FRAMEBUFFER X Y CLICKS\n");
        return 2;
    }
    probe.player = popen("pacat --raw --rate=44100 --latency-msec=10", "w");
    FILE *recorder = popen("parec --raw --rate=44100 --latency-msec=5 -d @DEFAULT_MONITOR@", "r");
    if (probe.player == NULL || recorder == NULL) {
        return 1;
    }
    probe.recorder = fileno(recorder);
    (void)fcntl(probe.recorder, F_SETFL, O_NONBLOCK);
    for (int i = 0; i < atoi(argv[4]) && count < CLICKS_MAX; i++) {
        if (measure(&probe, &heard[count], &seen[count])) {
            apart[count] = seen[count] - heard[count];
            printf("click %d: heard after %.1f ms, seen after %.1f ms\n", i, heard[count],
                   seen[count]);
            count++;
        } else {
            printf("click %d: not %s\n", i, probe.heard == 0 ? "heard" : "seen");
        }
    }
    if (count == 0) {
        return 1;
    }
    printf("medians of %zu: heard %.1f ms, seen %.1f ms, apart %.1f ms\n", count,
           median(heard, count), median(seen, count), median(apart, count));
    (void)fflush(stdout);
    _exit(0); /* the two programs end with their pipes */
}
