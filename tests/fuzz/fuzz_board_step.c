/* Bytes as a preset that the board plays for some frames, with sound, controls and settings made of
 * the same bytes. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "board/host/host.h"
#include "presets/presets.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { FRAMES = 4, SAMPLES = 2000, PICTURE = 64 };

static uint32_t next(uint64_t *random)
{
    *random = *random * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(*random >> 32);
}

static void play(struct board *board, struct board_patch *patch, uint64_t random)
{
    static int16_t samples[2 * SAMPLES];
    struct board_value settings[4];
    struct board_input input = {.samples = samples,
                                .settings = settings,
                                .setting_count = 4,
                                .video = {BOARD_FREE_AT, PICTURE, PICTURE}};
    for (int frame = 0; frame < FRAMES; frame++) {
        for (size_t i = 0; i < 2 * SAMPLES; i++) {
            samples[i] = (int16_t)(next(&random) >> 16);
        }
        for (size_t i = 0; i < BOARD_CONTROLS; i++) {
            input.controls[i] = next(&random);
        }
        for (size_t i = 0; i < 4; i++) {
            settings[i] = (struct board_value){board->patch->params[next(&random) % BOARD_PARAMS],
                                               next(&random)};
        }
        for (size_t i = 0; i < BOARD_IMAGES; i++) {
            patch->images[i] = (struct board_picture){
                BOARD_FREE_AT, (uint16_t)(next(&random) >> 20), (uint16_t)(next(&random) >> 20)};
        }
        input.video.width = (next(&random) & 1 << 20) != 0 ? PICTURE : 0;
        input.sample_count = next(&random) % (SAMPLES + 1);
        board_step(board, &input);
    }
}

static void run(struct board_loaded *loaded, uint64_t random)
{
    struct board_host *host = board_host_create(base_cpu_best());
    struct board *board = calloc(1, sizeof *board);
    if (host != NULL && board != NULL && board_host_take(host, loaded) == 0) {
        board_init(board, board_host_units(host), BOARD_FPS_MIN);
        if (board_load(board, &loaded->patch)) {
            play(board, &loaded->patch, random);
        }
    }
    free(board);
    board_host_free(host);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct preset preset;
    if (preset_read(&preset, "fuzz", data, size, NULL) != 0) {
        return 0;
    }
    struct board_loaded *loaded = board_patch_create(NULL, &preset, BOARD_FPS_MIN, 0, NULL);
    preset_free(&preset);
    if (loaded != NULL) {
        run(loaded, base_hash(BASE_HASH_START, data, size));
    }
    board_patch_free(loaded);
    return 0;
}
