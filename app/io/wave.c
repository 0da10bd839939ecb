#include "app/io/wave.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/io/video_output.h"

enum {
    HEADER = 44,
    PAIR = 4,
    CHANNELS = 2,
    BITS = 16,
    PCM = 1,
    FORMAT_BYTES = 16,
};

static const uint32_t BYTES_MAX = UINT32_MAX - HEADER; /* that a header can tell */

struct app_wave {
    const char *name;
    char *part;
    FILE *file;
    uint32_t rate;
    uint32_t bytes;
    int error; /* of the first pair that did not go out */
};

static void put(uint8_t *bytes, uint32_t value, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        bytes[i] = (uint8_t)(value >> 8 * i);
    }
}

static bool write_header(const struct app_wave *wave)
{
    uint8_t bytes[HEADER] = "RIFF....WAVEfmt ";
    put(bytes + 4, HEADER - 8 + wave->bytes, 4);
    put(bytes + 16, FORMAT_BYTES, 4);
    put(bytes + 20, PCM, 2);
    put(bytes + 22, CHANNELS, 2);
    put(bytes + 24, wave->rate, 4);
    put(bytes + 28, wave->rate * PAIR, 4);
    put(bytes + 32, PAIR, 2);
    put(bytes + 34, BITS, 2);
    memcpy(bytes + 36, "data", 4);
    put(bytes + 40, wave->bytes, 4);
    return fwrite(bytes, 1, HEADER, wave->file) == HEADER;
}

static void report(const struct base_diag_sink *sink, const char *name, int error)
{
    base_report(sink, BASE_ERROR, (struct base_place){.file = name}, NULL, "cannot write: %s",
                strerror(error));
}

/* What stands at the name would give way to the file at the end. */
static bool may_be_replaced(const char *name, const struct base_diag_sink *sink)
{
    struct stat facts;
    if (stat(name, &facts) != 0 || S_ISREG(facts.st_mode)) {
        return true;
    }
    base_report(sink, BASE_ERROR, (struct base_place){.file = name}, "name a new file",
                "cannot write: not an ordinary file");
    return false;
}

struct app_wave *app_wave_create(const char *name, uint32_t rate, const struct base_diag_sink *sink)
{
    if (!may_be_replaced(name, sink)) {
        return NULL;
    }
    struct app_wave *wave = calloc(1, sizeof *wave);
    if (wave == NULL) {
        report(sink, name, ENOMEM);
        return NULL;
    }
    *wave = (struct app_wave){.name = name, .rate = rate, .part = app_video_part(name, ".part")};
    wave->file = wave->part != NULL ? fopen(wave->part, "wbx") : NULL;
    if (wave->file == NULL || !write_header(wave)) {
        report(sink, name, wave->part != NULL ? errno : ENOMEM);
        app_wave_discard(wave);
        return NULL;
    }
    return wave;
}

void app_wave_put(struct app_wave *wave, const int16_t pair[2])
{
    uint8_t bytes[PAIR];
    put(bytes, (uint16_t)pair[0], 2);
    put(bytes + 2, (uint16_t)pair[1], 2);
    if (wave->bytes <= BYTES_MAX - PAIR) {
        const bool written = fwrite(bytes, 1, PAIR, wave->file) == PAIR;
        wave->error = written || wave->error != 0 ? wave->error : errno;
        wave->bytes += PAIR;
    }
}

int app_wave_finish(struct app_wave *wave, const struct base_diag_sink *sink)
{
    bool good = wave->error == 0 && fseek(wave->file, 0, SEEK_SET) == 0 && write_header(wave);
    int error = wave->error != 0 ? wave->error : errno;
    if (fclose(wave->file) != 0) {
        error = good ? errno : error;
        good = false;
    }
    wave->file = NULL;
    if (good && rename(wave->part, wave->name) != 0) {
        error = errno;
        good = false;
    }
    if (!good) {
        report(sink, wave->name, error);
    }
    app_wave_discard(wave);
    return good ? 0 : -1;
}

void app_wave_discard(struct app_wave *wave)
{
    if (wave == NULL) {
        return;
    }
    if (wave->file != NULL) {
        (void)fclose(wave->file);
    }
    if (wave->part != NULL) {
        (void)unlink(wave->part);
    }
    free(wave->part);
    free(wave);
}
