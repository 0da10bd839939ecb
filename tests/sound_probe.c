/* Sound as the window reads it, without a window: sound_probe [DEVICE]
 *
 * sound_probe --numbers SECONDS    writes a sound in which each frame is a number, for pacat
 * sound_probe --count DEVICE       waits for it, reads it as an overloaded machine does, and says
 *                                  at its end how many frames were heard and how many are missing
 *
 * Otherwise reads 60 times a second. Ten times a second prints `state left right name`; messages of
 * the sound are lines that begin with `!`. Lines on standard input choose devices; `?` lists them,
 * and the end of input ends the program. */
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "app/apart/apart.h"
#include "app/feed/sound.h"
#include "app/io/audio.h"
#include "base/os/thread.h"

enum { RATE = 60, READ_FRAMES = 4096, LINE = 256 };

struct reader {
    char line[LINE];
    size_t used;
};

static void print_message(void *user, const struct base_diag *diag)
{
    (void)user;
    char text[400];
    (void)base_diag_format(diag, text, sizeof text);
    (void)printf("! %s\n", text);
}

static void print_devices(struct app_sound *sound)
{
    static char names[APP_SOUND_DEVICES][APP_SOUND_NAME];
    const size_t count = app_sound_devices(sound, names, APP_SOUND_DEVICES);
    for (size_t i = 0; i < count; i++) {
        (void)printf("? %s\n", names[i]);
    }
}

static void obey(struct app_sound *sound, const char *line)
{
    if (strcmp(line, "?") == 0) {
        print_devices(sound);
    } else {
        app_sound_choose(sound, line);
    }
}

/* Carries out the lines that have come; false at the end of input. */
static bool obey_lines(struct app_sound *sound, struct reader *reader)
{
    char byte = 0;
    ssize_t got = 0;
    while ((got = read(STDIN_FILENO, &byte, 1)) == 1) {
        if (byte != '\n' && reader->used < LINE - 1) {
            reader->line[reader->used++] = byte;
        } else {
            reader->line[reader->used] = '\0';
            reader->used = 0;
            obey(sound, reader->line);
        }
    }
    return got != 0;
}

static void print_status(struct app_sound *sound)
{
    static const char *const states[] = {"playing", "listening", "silent", "lost"};
    struct app_sound_status status;
    app_sound_status(sound, &status);
    (void)printf("%s %.3f %.3f %s\n", states[status.state], (double)status.peak[0],
                 (double)status.peak[1], status.name);
}

static void run(struct app_sound *sound)
{
    static float samples[2 * READ_FRAMES];
    struct reader reader = {.used = 0};
    const double begin = base_clock_seconds();
    for (unsigned frame = 1; obey_lines(sound, &reader); frame++) {
        const double passed = base_clock_seconds() - begin;
        (void)app_sound_read(sound, (uint64_t)(passed * APP_AUDIO_RATE), samples, READ_FRAMES);
        if (frame % (RATE / 10) == 0) {
            print_status(sound);
        }
        (void)nanosleep(&(struct timespec){.tv_nsec = 1000000000L / RATE}, NULL);
    }
}

/* The number of a frame: 15 bits in each channel, as 16-bit samples from 1 on, so that none is
 * silence. */
enum { DIGITS = 32767 };

static int write_numbers(unsigned long seconds)
{
    for (unsigned long i = 0; i < seconds * APP_AUDIO_RATE; i++) {
        const unsigned digits[2] = {(unsigned)(i % DIGITS + 1), (unsigned)(i / DIGITS + 1)};
        for (int side = 0; side < 2; side++) {
            (void)putchar((int)(digits[side] & 255));
            (void)putchar((int)(digits[side] >> 8));
        }
    }
    return fflush(stdout) == 0 ? 0 : 1;
}

/* The number of a frame that was heard; -1: silence. */
static long number_of(const float *frame)
{
    const long low = lrint((double)frame[0] * 32768);
    const long high = lrint((double)frame[1] * 32768);
    return low > 0 && high > 0 ? (high - 1) * DIGITS + low - 1 : -1;
}

static const double quiet_seconds = 1; /* of silence after the last number */

/* Frames come 5 times a second, now and then none for longer than a second. */
static void count(struct app_sound *sound)
{
    static float samples[2 * APP_AUDIO_KEPT];
    static const double pauses[] = {0.2, 0.2, 1.4, 0.2, 0.01, 0.7};
    const double begin = base_clock_seconds();
    long first = -1;
    long last = -1;
    long heard = 0;
    double ended = begin + 300;
    (void)puts("counts");
    for (unsigned frame = 0; base_clock_seconds() < ended; frame++) {
        const double passed = base_clock_seconds() - begin;
        const size_t got =
            app_sound_read(sound, (uint64_t)(passed * APP_AUDIO_RATE), samples, APP_AUDIO_KEPT);
        for (size_t i = 0; i < got; i++) {
            const long number = number_of(&samples[2 * i]);
            first = first < 0 ? number : first;
            last = number >= 0 ? number : last;
            heard += number >= 0;
            ended = number >= 0 ? base_clock_seconds() + quiet_seconds + 1.4 : ended;
        }
        const double pause = pauses[frame % (sizeof pauses / sizeof *pauses)];
        base_clock_sleep_until(base_clock_seconds() + pause);
    }
    (void)printf("heard %ld, missing %ld, dropped %llu\n", heard, last - first + 1 - heard,
                 (unsigned long long)app_sound_dropped(sound));
}

int main(int argc, char **argv)
{
    (void)app_apart_begin();
    if (argc == 3 && strcmp(argv[1], "--numbers") == 0) {
        return write_numbers(strtoul(argv[2], NULL, 10));
    }
    const bool counts = argc == 3 && strcmp(argv[1], "--count") == 0;
    (void)setvbuf(stdout, NULL, _IOLBF, 0);
    (void)fcntl(STDIN_FILENO, F_SETFL, fcntl(STDIN_FILENO, F_GETFL) | O_NONBLOCK);
    const struct base_diag_sink sink = {print_message, NULL};
    const struct app_options options = {.audio_device = argc > 1 ? argv[argc - 1] : NULL,
                                        .start = -1};
    struct app_sound *sound = app_sound_open(&options, &sink);
    if (sound == NULL) {
        return 1;
    }
    (counts ? count : run)(sound);
    app_sound_close(sound);
    return 0;
}
