#include "app/set/record/files.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "app/io/audio.h"
#include "app/set/set.h"
#include "base/os/file.h"

/* ---- logs ---- */

int app_set_log_open(struct app_set_log *log, const char *path)
{
    log->used = 0;
    log->error = 0;
    log->file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    log->error = log->file < 0 ? errno : 0;
    return log->file >= 0 ? 0 : -1;
}

static void write_out(struct app_set_log *log)
{
    size_t done = 0;
    while (done < log->used && log->error == 0) {
        const ssize_t wrote = write(log->file, log->buffer + done, log->used - done);
        if (wrote > 0) {
            done += (size_t)wrote;
        } else if (wrote < 0 && errno != EINTR) {
            log->error = errno;
        }
    }
    log->used = 0;
}

void app_set_log_add(struct app_set_log *log, const void *data, size_t size)
{
    const char *from = data;
    while (size > 0 && log->error == 0) {
        const size_t room = sizeof log->buffer - log->used;
        const size_t part = size < room ? size : room;
        memcpy(log->buffer + log->used, from, part);
        log->used += part;
        from += part;
        size -= part;
        if (log->used == sizeof log->buffer) {
            write_out(log);
        }
    }
}

int app_set_log_flush(struct app_set_log *log)
{
    if (log->file >= 0) {
        write_out(log);
    }
    errno = log->error;
    return log->error == 0 ? 0 : -1;
}

void app_set_log_close(struct app_set_log *log)
{
    base_file_close(&log->file);
}

/* ---- sound ---- */

enum { BYTES = 3, CHANNELS = 2, WAV_HEAD = 44 };

static void path_of(const struct app_set_sound *sound, const char *ending, char *path, size_t size)
{
    (void)snprintf(path, size, "%s/%06u.%s", sound->folder, sound->number, ending);
}

static void put(uint8_t *bytes, uint32_t value, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        bytes[i] = (uint8_t)(value >> 8 * i);
    }
}

/* A head for a whole minute: readers take what is there. */
static int begin(struct app_set_sound *sound)
{
    static const uint32_t bytes = APP_SET_SOUND_MINUTE * CHANNELS * BYTES;
    char path[sizeof sound->folder + 32];
    uint8_t head[WAV_HEAD] = "RIFF....WAVEfmt ";
    put(head + 4, bytes + WAV_HEAD - 8, 4);
    put(head + 16, 16, 4);
    put(head + 20, 1, 2);
    put(head + 22, CHANNELS, 2);
    put(head + 24, APP_AUDIO_RATE, 4);
    put(head + 28, APP_AUDIO_RATE * CHANNELS * BYTES, 4);
    put(head + 32, CHANNELS * BYTES, 2);
    put(head + 34, 8 * BYTES, 2);
    memcpy(head + 36, "data", 4);
    put(head + 40, bytes, 4);
    sound->number++;
    sound->frames = 0;
    path_of(sound, "wav", path, sizeof path);
    if (app_set_log_open(&sound->log, path) != 0) {
        return -1;
    }
    app_set_log_add(&sound->log, head, sizeof head);
    return 0;
}

int app_set_sound_end(struct app_set_sound *sound)
{
    char wave[sizeof sound->folder + 32];
    if (sound->number == 0 || sound->log.file < 0) {
        return 0;
    }
    const int result = app_set_log_flush(&sound->log);
    path_of(sound, "wav", wave, sizeof wave);
    app_set_log_close(&sound->log);
    app_set_keeper_pack(sound->keeper, wave);
    return result;
}

int app_set_sound_add(struct app_set_sound *sound, const float *samples, size_t frames)
{
    while (frames > 0) {
        if (sound->number == 0 || sound->frames == APP_SET_SOUND_MINUTE) {
            if (app_set_sound_end(sound) != 0 || begin(sound) != 0) {
                return -1;
            }
        }
        const size_t left = APP_SET_SOUND_MINUTE - sound->frames;
        const size_t part = frames < left ? frames : left;
        for (size_t i = 0; i < CHANNELS * part; i++) {
            uint8_t bytes[BYTES];
            put(bytes, (uint32_t)(int32_t)lrintf(samples[i] * 8388608), BYTES);
            app_set_log_add(&sound->log, bytes, sizeof bytes);
        }
        samples += CHANNELS * part;
        frames -= part;
        sound->frames += part;
    }
    errno = sound->log.error;
    return sound->log.error == 0 ? 0 : -1;
}
