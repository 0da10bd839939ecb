/* Two shows with different presets in one process, each painted by one thread and given sound by
 * another, while presets change and values are set: library_threads FRAMES PRESET PRESET PRESET.
 * Under the thread sanitizer there is no finding (threads.sh). */
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "froth.h"

enum { SHOWS = 2, WIDTH = 96, HEIGHT = 64, BLOCK = 480 };

struct stage {
    froth *show;
    const char *const *presets; /* three */
    int first;
    int frames;
    atomic_bool ended;
    unsigned messages;
    unsigned failures;
};

static void count_message(void *user, const struct froth_message *message)
{
    ((struct stage *)user)->messages += message->what[0] != '\0';
}

static void *give_sound(void *user)
{
    struct stage *stage = user;
    float samples[BLOCK];
    for (uint32_t time = 0; !atomic_load(&stage->ended); time++) {
        for (int i = 0; i < BLOCK; i++) {
            samples[i] = (float)((time * BLOCK + (uint32_t)i) % 300) / 300 - 0.5f;
        }
        (void)froth_add_sound_float(stage->show, samples, BLOCK, 1, time % 50 < 25 ? 48000 : 44100);
        (void)froth_sound_dropped(stage->show);
    }
    return NULL;
}

static void *paint(void *user)
{
    struct stage *stage = user;
    static const char *const words[] = {"zoom 1",     "decay",  "transition clock",
                                        "random",     "freeze", "step 3",
                                        "freeze off", "undo",   "blend 0.2"};
    uint32_t *pixels = malloc(sizeof *pixels * WIDTH * HEIGHT * 4);
    for (int i = 0; i < 3; i++) {
        stage->failures +=
            froth_playlist_add(stage->show, stage->presets[(stage->first + i) % 3]) != 1;
    }
    stage->failures += froth_wait(stage->show, 120) != 1;
    for (int i = 0; i < stage->frames && pixels != NULL; i++) {
        const int large = 1 + (i / 40) % 2;
        const struct froth_picture picture = {pixels, sizeof *pixels * (size_t)(WIDTH * large),
                                              WIDTH * large, HEIGHT * large, i % 4};
        if (i % 13 == 5) {
            stage->failures += froth_next(stage->show, i % 3 - 1, i % 2) != FROTH_OK;
        }
        if (i % 7 == 3) {
            (void)froth_do(stage->show, words[i / 7 % 9]);
        }
        stage->failures += froth_render(stage->show, &picture) != FROTH_OK;
    }
    free(pixels);
    atomic_store(&stage->ended, true);
    return NULL;
}

int main(int argc, char **argv)
{
    static struct stage stages[SHOWS];
    pthread_t threads[SHOWS][2];
    unsigned failures = argc < 5;
    for (int i = 0; i < SHOWS && failures == 0; i++) {
        struct froth_config config;
        (void)froth_config_begin(&config, sizeof config);
        config.width = WIDTH;
        config.height = HEIGHT;
        config.threads = 2;
        config.advance = 0.3;
        config.blend = 0.1;
        config.message = count_message;
        config.user = &stages[i];
        stages[i].presets = (const char *const *)argv + 2;
        stages[i].first = i;
        stages[i].frames = atoi(argv[1]);
        stages[i].show = froth_create(&config, NULL);
        failures += stages[i].show == NULL ||
                    pthread_create(&threads[i][0], NULL, give_sound, &stages[i]) != 0 ||
                    pthread_create(&threads[i][1], NULL, paint, &stages[i]) != 0;
    }
    for (int i = 0; i < SHOWS && failures == 0; i++) {
        (void)pthread_join(threads[i][1], NULL);
        (void)pthread_join(threads[i][0], NULL);
        failures += stages[i].failures;
        printf("show %d: %llu frames, %u failures, %u messages\n", i,
               (unsigned long long)froth_frame(stages[i].show), stages[i].failures,
               stages[i].messages);
        froth_free(stages[i].show);
    }
    return failures == 0 ? 0 : 1;
}
