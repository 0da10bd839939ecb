#include "app/io/audio_source.h"

#include <math.h>
#include <string.h>

typedef struct app_audio *(*opener)(const struct base_diag_sink *sink);

static const struct {
    const char *name;
    opener open;
} built_in[] = {
    {"demo", app_audio_open_demo},
    {"test", app_audio_open_test},
};

struct app_audio *app_audio_open(const char *name, const struct base_diag_sink *sink)
{
    for (size_t i = 0; i < sizeof built_in / sizeof *built_in; i++) {
        if (strcmp(name, built_in[i].name) == 0) {
            return built_in[i].open(sink);
        }
    }
    return app_audio_open_file(name, sink);
}

void app_audio_close(struct app_audio *audio)
{
    if (audio != NULL) {
        audio->kind->close(audio);
    }
}

double app_audio_seconds(const struct app_audio *audio)
{
    return audio->seconds;
}

int app_audio_seek(struct app_audio *audio, uint64_t frame)
{
    return audio->kind->seek(audio, frame);
}

size_t app_audio_read(struct app_audio *audio, float *interleaved, size_t frames)
{
    return audio->kind->read(audio, interleaved, frames);
}

const char *app_audio_error(const struct app_audio *audio)
{
    return audio->error[0] != '\0' ? audio->error : NULL;
}

const char *app_audio_path(const struct app_audio *audio)
{
    return audio->path;
}

void app_audio_clean(float *samples, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const float sample = isfinite(samples[i]) ? samples[i] : 0.0f;
        samples[i] = sample > 1.0f ? 1.0f : sample < -1.0f ? -1.0f : sample;
    }
}

double app_audio_noise(uint32_t number)
{
    number *= 2654435761u;
    number ^= number >> 15;
    number *= 0x2c1b3c6du;
    number ^= number >> 12;
    number *= 0x297a2d39u;
    number ^= number >> 15;
    return (double)number / 2147483648.0 - 1.0;
}
