/* Bytes as a preset that the board plays for some frames, with sound, controls and settings made of
 * the same bytes. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "renderer/board_host.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { FRAMES = 4, SAMPLES = 2000, PICTURE = 64 };

static uint32_t next(uint64_t *random)
{
    *random = *random * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(*random >> 32);
}

static void play(struct rend_board *board, uint64_t random)
{
    static int16_t samples[2 * SAMPLES];
    struct rend_board_value settings[4];
    struct rend_board_input input = {.samples = samples,
                                     .settings = settings,
                                     .setting_count = 4,
                                     .video = {REND_BOARD_FREE_AT, PICTURE, PICTURE}};
    for (int frame = 0; frame < FRAMES; frame++) {
        for (size_t i = 0; i < 2 * SAMPLES; i++) {
            samples[i] = (int16_t)(next(&random) >> 16);
        }
        for (size_t i = 0; i < REND_BOARD_CONTROLS; i++) {
            input.controls[i] = next(&random);
        }
        for (size_t i = 0; i < 4; i++) {
            settings[i] = (struct rend_board_value){
                board->patch->params[next(&random) % REND_BOARD_PARAMS], next(&random)};
        }
        for (size_t i = 0; i < REND_BOARD_IMAGES; i++) {
            input.images[i] =
                (struct rend_board_picture){REND_BOARD_FREE_AT, (uint16_t)(next(&random) >> 20),
                                            (uint16_t)(next(&random) >> 20)};
        }
        input.sample_count = next(&random) % (SAMPLES + 1);
        rend_board_step(board, &input);
    }
}

static void run(const struct rend_board_loaded *loaded, uint64_t random)
{
    struct rend_board_host *host = rend_board_host_create(base_cpu_best());
    struct rend_board *board = calloc(1, sizeof *board);
    if (host != NULL && board != NULL && rend_board_host_take(host, loaded) == 0) {
        rend_board_init(board, rend_board_host_units(host), REND_BOARD_FPS_MIN);
        if (rend_board_load(board, &loaded->patch)) {
            play(board, random);
        }
    }
    free(board);
    rend_board_host_free(host);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct preset preset;
    if (preset_read(&preset, "fuzz", data, size, NULL) != 0) {
        return 0;
    }
    struct rend_board_loaded *loaded =
        rend_board_patch_create(NULL, &preset, REND_BOARD_FPS_MIN, 0, NULL);
    preset_free(&preset);
    if (loaded != NULL) {
        run(loaded, base_hash(BASE_HASH_START, data, size));
    }
    rend_board_patch_free(loaded);
    return 0;
}
