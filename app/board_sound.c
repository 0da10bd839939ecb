#include "app/board_sound.h"

#include <math.h>
#include <stdbool.h>

enum { UP = 160, DOWN = 147, LOUDEST = 32767 }; /* 48000 / 44100 */

static int32_t whole(float sample)
{
    const float kept = isfinite(sample) ? fminf(fmaxf(sample, -1.0f), 1.0f) : 0.0f;
    return (int32_t)(kept * (float)LOUDEST);
}

static void take_pair(struct app_board_sound *sound)
{
    if (sound->chunk_at == sound->chunk_count) {
        sound->chunk_at = 0;
        sound->chunk_count = sound->live != NULL
                                 ? app_live_read(sound->live, sound->chunk, APP_BOARD_CHUNK)
                                 : app_audio_read(sound->audio, sound->chunk, APP_BOARD_CHUNK);
    }
    const bool any = sound->chunk_at < sound->chunk_count;
    for (int side = 0; side < 2; side++) {
        sound->pair[0][side] = sound->pair[1][side];
        sound->pair[1][side] = any ? whole(sound->chunk[2 * sound->chunk_at + (size_t)side]) : 0;
    }
    sound->chunk_at += any ? 1 : 0;
    sound->read++;
}

void app_board_sound_read(struct app_board_sound *sound, int16_t *samples, size_t count)
{
    for (size_t i = 0; i < count; i++, sound->written++) {
        const uint64_t at = sound->written * DOWN;
        const int32_t share = (int32_t)(at % UP);
        while (sound->read < at / UP + 2) {
            take_pair(sound);
        }
        for (size_t side = 0; side < 2; side++) {
            const int32_t from = sound->pair[0][side];
            samples[2 * i + side] = (int16_t)(from + (sound->pair[1][side] - from) * share / UP);
        }
    }
}
