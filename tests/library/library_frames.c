/* What `froth render --hash` prints, by libfroth: library_frames WAV PRESET WIDTHxHEIGHT FRAMES
 * NUMERATOR/DENOMINATOR [FORMAT [CHUNK]]
 *
 * WAV: 16 bits, stereo, a header of 44 bytes. FORMAT: enum froth_format. CHUNK: samples that are
 * added at a time, all that are wanted if not given. Shaders are computed by the environment's
 * DEVICE.
 * library_frames --wav WAV RATE SECONDS writes such a sound: drums and a tone. */
#include <inttypes.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "froth.h"

enum { HEADER = 44 };

static void put(uint8_t *bytes, uint32_t value, int count)
{
    for (int i = 0; i < count; i++) {
        bytes[i] = (uint8_t)(value >> 8 * i);
    }
}

static int write_wave(const char *path, uint32_t rate, uint32_t seconds)
{
    FILE *file = fopen(path, "wb");
    const uint32_t frames = rate * seconds;
    uint8_t header[HEADER] = "RIFF....WAVEfmt ................data....";
    put(header + 4, HEADER - 8 + 4 * frames, 4);
    put(header + 16, 16, 4);
    put(header + 20, 1, 2);
    put(header + 22, 2, 2);
    put(header + 24, rate, 4);
    put(header + 28, 4 * rate, 4);
    put(header + 32, 4, 2);
    put(header + 34, 16, 2);
    memcpy(header + 36, "data", 4);
    put(header + 40, 4 * frames, 4);
    if (file == NULL || fwrite(header, 1, sizeof header, file) != sizeof header) {
        return 1;
    }
    for (uint32_t i = 0; i < frames; i++) {
        const double time = (double)i / rate;
        const double since = fmod(time, 0.5);
        const double kick = 20000 * exp(-12 * since) * sin(6.283185307 * 55 * since);
        uint8_t pair[4];
        put(pair, (uint16_t)(int16_t)(kick + 6000 * sin(6.283185307 * 440 * time)), 2);
        put(pair + 2, (uint16_t)(int16_t)(kick + 6000 * cos(6.283185307 * 660 * time)), 2);
        (void)fwrite(pair, 1, sizeof pair, file);
    }
    return fclose(file) == 0 ? 0 : 1;
}

static void print_message(void *user, const struct froth_message *message)
{
    (void)user;
    (void)fprintf(stderr, "%s:%u: %s\n", message->file != NULL ? message->file : "libfroth",
                  (unsigned)message->line, message->what);
}

static uint32_t number_at(const uint8_t *bytes)
{
    return bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

/* All samples that the next picture hears, so many at a time. */
static void feed(froth *show, FILE *file, uint32_t rate, size_t chunk)
{
    static int16_t samples[2 * 65536];
    size_t wanted;
    while ((wanted = froth_sound_wanted(show)) > 0) {
        const size_t most = chunk > 0 && chunk < wanted ? chunk : wanted;
        const size_t got = fread(samples, 4, most < 65536 ? most : 65536, file);
        if (froth_add_sound_int16(show, samples, got, 2, rate) != FROTH_OK) {
            exit(1);
        }
        if (got == 0) {
            (void)froth_end_sound(show);
        }
    }
}

int main(int argc, char **argv)
{
    if (argc == 5 && strcmp(argv[1], "--wav") == 0) {
        return write_wave(argv[2], (uint32_t)atoi(argv[3]), (uint32_t)atoi(argv[4]));
    }
    (void)setlocale(LC_ALL, ""); /* a host's language may write numbers with commas */
    struct froth_config config;
    int width;
    int height;
    if (argc < 6 || froth_config_begin(&config, sizeof config) != FROTH_OK ||
        sscanf(argv[3], "%dx%d", &width, &height) != 2 ||
        sscanf(argv[5], "%" SCNu32 "/%" SCNu32, &config.fps_numerator, &config.fps_denominator) !=
            2) {
        return 2;
    }
    const int format = argc > 6 ? atoi(argv[6]) : FROTH_BGRX;
    const size_t chunk = argc > 7 ? (size_t)atoi(argv[7]) : 0;
    const size_t stride = (size_t)width * froth_format_bytes(format) + 12;
    struct froth_picture picture = {malloc(stride * (size_t)height), stride, width, height, format};
    FILE *file = fopen(argv[1], "rb");
    uint8_t header[HEADER];
    config.exact = 1;
    config.advance = atoi(argv[4]) * (double)config.fps_denominator / config.fps_numerator;
    config.threads = 2;
    config.width = width;
    config.height = height;
    config.message = print_message;
    config.device = getenv("DEVICE");
    froth *show = froth_create(&config, NULL);
    if (show == NULL || picture.pixels == NULL || file == NULL ||
        fread(header, 1, HEADER, file) != HEADER ||
        froth_load_file(show, argv[2], FROTH_HARD) != FROTH_OK) {
        return 1;
    }
    if (froth_do(show, "cut-on-loud 0.5") != FROTH_OK) {
        return 1;
    }
    for (int i = 1; i <= atoi(argv[4]); i++) {
        feed(show, file, number_at(header + 24), chunk);
        if (froth_render(show, &picture) != FROTH_OK) {
            return 1;
        }
        printf("frame %d %016" PRIx64 "\n", i, froth_picture_hash(&picture));
    }
    froth_free(show);
    free(picture.pixels);
    (void)fclose(file);
    return 0;
}
