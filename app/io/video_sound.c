#include "app/io/video_sound.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/io/audio.h"
#include "app/io/video_output.h"
#include "app/stop.h"

enum { BLOCK = 4096 /* stereo frames */ };

static int refuse(const char *file, const char *what, const struct base_diag_sink *sink)
{
    const struct base_place place = {.file = file};
    base_report(sink, BASE_ERROR, place, NULL, "%s", what);
    return -1;
}

static void put_sample(unsigned char *out, float sample)
{
    const long rounded = lrintf(sample * 32767.0f);
    const int value = rounded > 32767 ? 32767 : rounded < -32767 ? -32767 : (int)rounded;
    out[0] = (unsigned char)(value & 255);
    out[1] = (unsigned char)(value >> 8 & 255);
}

static bool write_samples(FILE *file, struct app_audio *audio, uint64_t frames)
{
    float samples[2 * BLOCK];
    unsigned char bytes[4 * BLOCK];
    while (frames > 0 && !app_stop_wanted()) {
        const size_t wanted = frames < BLOCK ? (size_t)frames : BLOCK;
        const size_t got = app_audio_read(audio, samples, wanted);
        for (size_t i = 0; i < 2 * got; i++) {
            put_sample(bytes + 2 * i, samples[i]);
        }
        if (fwrite(bytes, 4, got, file) != got) {
            return false;
        }
        frames = got < wanted ? 0 : frames - got;
    }
    return true;
}

static int write_synthetic(struct app_video_sound *sound, struct app_audio *audio,
                           const struct app_video_format *format, const struct base_diag_sink *sink)
{
    const uint64_t frames = app_rate_samples(app_rate_of(format->fps), format->frames);
    const uint64_t start = (uint64_t)llround(format->audio_start * APP_AUDIO_RATE);
    if (app_audio_seek(audio, start) != 0) {
        return refuse(format->audio, "cannot begin at that place of the sound", sink);
    }
    FILE *file = fopen(sound->path, "wb");
    if (file == NULL) {
        return refuse(sound->path, strerror(errno), sink);
    }
    sound->synthetic = true;
    bool written = write_samples(file, audio, frames);
    int reason = errno;
    if (fclose(file) != 0 && written) {
        reason = errno;
        written = false;
    }
    if (app_stop_wanted()) {
        return refuse(NULL, "stopped", sink);
    }
    return written ? 0 : refuse(sound->path, strerror(reason), sink);
}

int app_video_sound_prepare(struct app_video_sound *sound, const char *output,
                            const struct app_video_format *format,
                            const struct base_diag_sink *sink)
{
    *sound = (struct app_video_sound){0};
    if (format->audio == NULL) {
        return 0;
    }
    struct app_audio *audio = app_audio_open(format->audio, sink);
    if (audio == NULL) {
        return -1;
    }
    const char *path = app_audio_path(audio);
    sound->path = path != NULL ? strdup(path) : app_video_part(output, ".sound.part");
    int result = 0;
    if (sound->path == NULL) {
        result = refuse(output, "not enough memory", sink);
    } else if (path == NULL) {
        result = write_synthetic(sound, audio, format, sink);
    }
    app_audio_close(audio);
    if (result != 0) {
        app_video_sound_free(sound);
    }
    return result;
}

void app_video_sound_free(struct app_video_sound *sound)
{
    if (sound->synthetic) {
        (void)remove(sound->path);
    }
    free(sound->path);
    *sound = (struct app_video_sound){0};
}
