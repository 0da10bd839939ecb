#include "board/step/step.h"

#include <assert.h>
#include <string.h>

#include "board/step/draw.h"
#include "board/step/program.h"

enum {
    EACH = 8, /* samples from output to output */
    FOUR = 4, /* outputs that are computed at once */
    TAP_SHIFT = 15,
    ENERGY_SHIFT = 15,
    FULL = BOARD_RATE / BOARD_FPS_MIN, /* samples that the divisors are made for */
};

const int16_t board_taps[BOARD_BANDS][BOARD_TAPS] = {
#include "board/step/taps.inc"
};

static const uint32_t divisors[BOARD_BANDS] = {1200000, 400000, 252000};

static inline void add(int32_t sums[static FOUR], int32_t tap, const int32_t samples[static FOUR])
{
    sums[0] += (tap * samples[0]) >> TAP_SHIFT;
    sums[1] += (tap * samples[1]) >> TAP_SHIFT;
    sums[2] += (tap * samples[2]) >> TAP_SHIFT;
    sums[3] += (tap * samples[3]) >> TAP_SHIFT;
}

/* FOUR outputs of each band, in one loop: each sample and each tap is read once. newest: the newest
 * sample of the first output, behind BOARD_TAPS - 1 others. */
static void filter(const int16_t *newest, int32_t sums[static BOARD_BANDS][FOUR])
{
    int32_t bass[FOUR] = {0};
    int32_t mid[FOUR] = {0};
    int32_t treb[FOUR] = {0};
    for (size_t k = 0; k < BOARD_TAPS; k++, newest--) {
        const int32_t samples[FOUR] = {newest[0], newest[EACH], newest[2 * EACH], newest[3 * EACH]};
        add(bass, board_taps[0][k], samples);
        add(mid, board_taps[1][k], samples);
        add(treb, board_taps[2][k], samples);
    }
    memcpy(sums[0], bass, sizeof bass);
    memcpy(sums[1], mid, sizeof mid);
    memcpy(sums[2], treb, sizeof treb);
}

/* mono: `count` samples, BOARD_TAPS of silence before them, room for three outputs behind. */
static void measure(const int16_t *mono, uint32_t count, uint64_t energy[static BOARD_BANDS])
{
    const uint32_t outputs = count / EACH;
    for (uint32_t first = 0; first < outputs; first += FOUR) {
        int32_t sums[BOARD_BANDS][FOUR];
        filter(mono + EACH * first + EACH - 1, sums);
        for (uint32_t i = 0; i < FOUR && first + i < outputs; i++) {
            for (int band = 0; band < BOARD_BANDS; band++) {
                const int32_t output = sums[band][i];
                const uint32_t size = output < 0 ? 0 - (uint32_t)output : (uint32_t)output;
                energy[band] += size <= UINT16_MAX
                                    ? (size * size) >> ENERGY_SHIFT
                                    : (uint32_t)(((uint64_t)size * size) >> ENERGY_SHIFT);
            }
        }
    }
}

void board_hear(struct board_hearing *sound, const int16_t *samples, uint32_t count)
{
    int16_t padded[BOARD_TAPS + BOARD_SAMPLES + FOUR * EACH];
    int16_t *mono = padded + BOARD_TAPS;
    uint64_t energy[BOARD_BANDS] = {0};
    count = count < BOARD_SAMPLES ? count : BOARD_SAMPLES;
    memset(padded, 0, BOARD_TAPS * sizeof *padded);
    memset(mono + count, 0, FOUR * EACH * sizeof *mono);
    for (uint32_t i = 0; i < count; i++) {
        mono[i] = (int16_t)(((int32_t)samples[2 * i] + samples[2 * i + 1]) >> 1);
    }
    measure(mono, count, energy);
    for (int band = 0; band < BOARD_BANDS; band++) {
        sound->level[band] =
            count == 0
                ? 0
                : (int32_t)((energy[band] << 16) * FULL / ((uint64_t)divisors[band] * count));
        sound->level_att[band] = (3 * sound->level_att[band] + 2 * sound->level[band]) / 5;
    }
    if (count > 0) {
        /* The newest samples, after what is left of the older ones. */
        const uint32_t fresh = count < BOARD_WAVE ? count : BOARD_WAVE;
        const int16_t *first = samples + 2 * (count - fresh);
        for (int side = 0; side < 2; side++) {
            int16_t *wave = sound->wave[side];
            memmove(wave, wave + fresh, (BOARD_WAVE - fresh) * sizeof *wave);
            for (uint32_t i = 0; i < fresh; i++) {
                wave[BOARD_WAVE - fresh + i] = first[2 * i + (uint32_t)side];
            }
        }
    }
}

static const unsigned versions[BOARD_SECTIONS] = {[BOARD_SECTION_CLOCK] = 1,
                                                  [BOARD_SECTION_SOUND] = 1,
                                                  [BOARD_SECTION_CANVAS] = 1,
                                                  [BOARD_SECTION_EQUATIONS] = 1,
                                                  [BOARD_SECTION_MESH] = 1};

void board_init(struct board *board, const struct board_units *units, uint32_t fps)
{
    assert(fps >= BOARD_FPS_MIN && fps <= BOARD_FPS_MAX);
    memset(board, 0, sizeof *board);
    memset(units->memory, 0, BOARD_SCREEN_AT + BOARD_PICTURE_BYTES);
    memcpy(board->versions, versions, sizeof versions);
    board->units = units;
    board->clock.fps = fps;
}

bool board_load(struct board *board, const struct board_patch *patch)
{
    if (patch->needs_cpu && board->units->run_cpu == NULL) {
        return false;
    }
    memset(board->cells, 0, sizeof board->cells);
    memcpy(board->cells, patch->start, patch->cell_count * sizeof *patch->start);
    board->patch = patch;
    return true;
}

static void set_input(struct board *board, enum board_heard input, uint32_t word)
{
    const uint16_t cell = board->patch->inputs[input];
    if (cell != BOARD_NO_CELL) {
        board->cells[cell] = word;
    }
}

static void set_values(struct board *board, const struct board_value *values, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (values[i].cell < board->patch->cell_count) {
            board->cells[values[i].cell] = values[i].word;
        }
    }
}

void board_think(struct board *board, const struct board_input *input)
{
    enum { TIME_BITS = 24 };
    const struct board_units *units = board->units;
    board->clock.frame++;
    set_values(board, board->patch->resets, board->patch->reset_count);
    set_values(board, input->settings, input->setting_count);
    const struct board_clock clock = board->clock;
    const int64_t time = (int64_t)((uint64_t)clock.frame << TIME_BITS) / clock.fps;
    set_input(board, BOARD_IN_time, board_word(time, TIME_BITS));
    set_input(board, BOARD_IN_fps, board_word(clock.fps, 0));
    set_input(board, BOARD_IN_frame, board_word(clock.frame, 0));
    for (int i = 0; i < BOARD_BANDS; i++) {
        set_input(board, (enum board_heard)(BOARD_IN_bass + i),
                  board_word(board->sound.level[i], 16));
        set_input(board, (enum board_heard)(BOARD_IN_bass_att + i),
                  board_word(board->sound.level_att[i], 16));
    }
    for (int i = 0; i < BOARD_CONTROLS; i++) {
        set_input(board, (enum board_heard)(BOARD_IN_idmx1 + i), input->controls[i]);
    }
    if (board->patch->needs_cpu) {
        units->run_cpu(units->user, board->cells);
    }
    units->run_frame(units->user, board->patch, board->cells);
    units->run_vertex(units->user, board->patch, board->cells, board->mesh);
}

void board_paint(struct board *board, const struct board_input *input)
{
    const struct board_units *units = board->units;
    board_warp(board);
    if (units->begin_pixels != NULL) {
        units->begin_pixels(units->user);
    }
    board_overlay(board);
    if (units->end_pixels != NULL) {
        units->end_pixels(units->user);
    }
    board_pictures(board, input);
    board_scale(board);
    for (int i = 0; i < BOARD_DMX; i++) {
        const int32_t value = board_param(board, (enum board_param)((int)BOARD_dmx1 + i));
        board->canvas.dmx[i] = (uint8_t)board_times(board_clamp(value, 0, BOARD_ONE), 255);
    }
    board->canvas.front ^= 1u;
}

void board_step(struct board *board, const struct board_input *input)
{
    board_hear(&board->sound, input->samples, input->sample_count);
    if (board->patch != NULL) {
        board_think(board, input);
        board_paint(board, input);
    }
}
