/* Steps of a sixtieth of a second with their part of a sound, for tests that look at pictures. */
#ifndef TESTS_HEARD_H
#define TESTS_HEARD_H

#include "app/io/audio.h"
#include "renderer/renderer.h"

enum { HEARD_FPS = 60, HEARD_SAMPLES = APP_AUDIO_RATE / HEARD_FPS };

/* When the frame is, counted from 1, and what it hears of the sound; lasts as long as `sound`. */
static inline struct rend_input heard_input(struct app_audio *audio, unsigned frame,
                                            float sound[2 * HEARD_SAMPLES])
{
    return (struct rend_input){
        .frame = frame,
        .time = (double)frame / HEARD_FPS,
        .fps = HEARD_FPS,
        .audio = sound,
        .audio_frames = app_audio_read(audio, sound, HEARD_SAMPLES),
    };
}

/* Paints that frame; rows of `width` pixels. */
static inline void heard_step(struct rend *rend, struct app_audio *audio, unsigned frame,
                              uint32_t *pixels, size_t width)
{
    float sound[2 * HEARD_SAMPLES];
    const struct rend_input input = heard_input(audio, frame, sound);
    (void)rend_step(rend, &input, pixels, width);
}

#endif
