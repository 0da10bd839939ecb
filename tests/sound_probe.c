/* Sound as the window reads it, without a window: sound_probe [DEVICE]
 * Reads 60 times a second. Ten times a second prints `state left right name`; messages of the sound
 * are lines that begin with `!`. Lines on standard input choose devices; `?` lists them, and the
 * end of input ends the program. */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/os/clock.h"
#include "app/io/audio.h"
#include "app/feed/sound.h"

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

int main(int argc, char **argv)
{
    (void)setvbuf(stdout, NULL, _IOLBF, 0);
    (void)fcntl(STDIN_FILENO, F_SETFL, fcntl(STDIN_FILENO, F_GETFL) | O_NONBLOCK);
    const struct base_diag_sink sink = {print_message, NULL};
    const struct app_options options = {.audio_device = argc > 1 ? argv[1] : NULL, .start = -1};
    struct app_sound *sound = app_sound_open(&options, &sink);
    if (sound == NULL) {
        return 1;
    }
    run(sound);
    app_sound_close(sound);
    return 0;
}
