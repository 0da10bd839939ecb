#include "renderer/board_step.h"

#include <assert.h>
#include <string.h>

#include "renderer/board_canvas.h"
#include "renderer/board_sound.h"
#include "renderer/board_word.h"

static const unsigned versions[REND_BOARD_SECTIONS] = {[REND_BOARD_SECTION_CLOCK] = 1,
                                                       [REND_BOARD_SECTION_SOUND] = 1,
                                                       [REND_BOARD_SECTION_CANVAS] = 1,
                                                       [REND_BOARD_SECTION_EQUATIONS] = 1,
                                                       [REND_BOARD_SECTION_MESH] = 1};

void rend_board_init(struct rend_board *board, const struct rend_board_units *units, uint32_t fps)
{
    assert(fps >= REND_BOARD_FPS_MIN && fps <= REND_BOARD_FPS_MAX);
    memset(board, 0, sizeof *board);
    memset(units->memory, 0, REND_BOARD_SCREEN_AT + REND_BOARD_SCREEN_BYTES);
    memcpy(board->versions, versions, sizeof versions);
    board->units = units;
    board->clock.fps = fps;
}

bool rend_board_load(struct rend_board *board, const struct rend_board_patch *patch)
{
    if (patch->needs_cpu && board->units->run_cpu == NULL) {
        return false;
    }
    memset(board->cells, 0, sizeof board->cells);
    memcpy(board->cells, patch->start, patch->cell_count * sizeof *patch->start);
    board->patch = patch;
    return true;
}

static void set_input(struct rend_board *board, enum rend_board_heard input, uint32_t word)
{
    const uint16_t cell = board->patch->inputs[input];
    if (cell != REND_BOARD_NO_CELL) {
        board->cells[cell] = word;
    }
}

static void set_values(struct rend_board *board, const struct rend_board_value *values,
                       size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (values[i].cell < board->patch->cell_count) {
            board->cells[values[i].cell] = values[i].word;
        }
    }
}

static void set_inputs(struct rend_board *board, const struct rend_board_input *input)
{
    enum { TIME_BITS = 24 };
    const struct rend_board_clock clock = board->clock;
    const int64_t time = (int64_t)((uint64_t)clock.frame << TIME_BITS) / clock.fps;
    set_input(board, REND_BOARD_IN_time, rend_board_word(time, TIME_BITS));
    set_input(board, REND_BOARD_IN_fps, rend_board_word(clock.fps, 0));
    set_input(board, REND_BOARD_IN_frame, rend_board_word(clock.frame, 0));
    for (int i = 0; i < REND_BOARD_BANDS; i++) {
        set_input(board, (enum rend_board_heard)(REND_BOARD_IN_bass + i),
                  rend_board_word(board->sound.level[i], 16));
        set_input(board, (enum rend_board_heard)(REND_BOARD_IN_bass_att + i),
                  rend_board_word(board->sound.level_att[i], 16));
    }
    for (int i = 0; i < REND_BOARD_CONTROLS; i++) {
        set_input(board, (enum rend_board_heard)(REND_BOARD_IN_idmx1 + i), input->controls[i]);
    }
}

static void run_equations(struct rend_board *board, const struct rend_board_input *input)
{
    const struct rend_board_units *units = board->units;
    set_values(board, board->patch->resets, board->patch->reset_count);
    set_values(board, input->settings, input->setting_count);
    set_inputs(board, input);
    if (board->patch->needs_cpu) {
        units->run_cpu(units->user, board->cells);
    }
    units->run_frame(units->user, board->patch, board->cells);
    units->run_vertex(units->user, board->patch, board->cells, board->mesh);
}

static void tell_lights(struct rend_board *board)
{
    for (int i = 0; i < REND_BOARD_DMX; i++) {
        const int32_t value =
            rend_board_param(board, (enum rend_board_param)((int)REND_BOARD_dmx1 + i));
        board->canvas.dmx[i] =
            (uint8_t)rend_board_times(rend_board_within(value, 0, REND_BOARD_ONE), 255);
    }
}

static void draw_overlay(const struct rend_board *board)
{
    const struct rend_board_units *units = board->units;
    if (units->begin_pixels != NULL) {
        units->begin_pixels(units->user);
    }
    rend_board_overlay(board);
    if (units->end_pixels != NULL) {
        units->end_pixels(units->user);
    }
}

void rend_board_think(struct rend_board *board, const struct rend_board_input *input)
{
    board->clock.frame++;
    run_equations(board, input);
}

void rend_board_paint(struct rend_board *board, const struct rend_board_input *input)
{
    rend_board_warp(board);
    draw_overlay(board);
    rend_board_pictures(board, input);
    rend_board_show(board);
    tell_lights(board);
    board->canvas.front ^= 1u;
}

void rend_board_step(struct rend_board *board, const struct rend_board_input *input)
{
    rend_board_hear(&board->sound, input->samples, input->sample_count);
    if (board->patch != NULL) {
        rend_board_think(board, input);
        rend_board_paint(board, input);
    }
}
