#include "renderer/board_canvas.h"
#include "renderer/board_wave.h"
#include "renderer/board_word.h"

enum {
    BORDER_MAX = 30,
    VECTORS_MAX = 64, /* each way */
    DOT_MAX = 10,
    SIDE = REND_BOARD_SIDE,
};

static int32_t param(const struct rend_board *board, int number)
{
    return rend_board_param(board, (enum rend_board_param)number);
}

/* `parts` times alpha. */
static int32_t alpha_of(int32_t alpha, int32_t parts)
{
    return rend_board_times(rend_board_within(alpha, 0, REND_BOARD_ONE), parts);
}

/* Colour and alpha are four parameters in a row. */
static struct rend_board_ink ink_at(const struct rend_board *board, enum rend_board_param red,
                                    int32_t parts)
{
    const int first = (int)red;
    return rend_board_ink_of(param(board, first), param(board, first + 1), param(board, first + 2),
                             alpha_of(param(board, first + 3), parts));
}

static void draw_vectors(const struct rend_board *board, uint8_t *texture)
{
    const int32_t most = VECTORS_MAX * REND_BOARD_ONE;
    const int32_t across = rend_board_within(param(board, REND_BOARD_mv_x), 0, most);
    const int32_t down = rend_board_within(param(board, REND_BOARD_mv_y), 0, most);
    const int32_t size =
        rend_board_within(param(board, REND_BOARD_mv_l) / REND_BOARD_ONE, 1, DOT_MAX);
    const struct rend_board_ink ink = ink_at(board, REND_BOARD_mv_r, 64);
    const int32_t reach = 4 * REND_BOARD_ONE;
    const int32_t shift_x =
        rend_board_times(rend_board_within(param(board, REND_BOARD_mv_dx), -reach, reach), SIDE);
    const int32_t shift_y =
        rend_board_times(rend_board_within(param(board, REND_BOARD_mv_dy), -reach, reach), SIDE);
    const int32_t columns = across / REND_BOARD_ONE;
    const int32_t rows = down / REND_BOARD_ONE;
    if (ink.alpha == 0) {
        return;
    }
    for (int32_t y = 0; y < rows; y++) {
        for (int32_t x = 0; x < columns; x++) {
            const struct rend_board_point at = {
                (int32_t)((((int64_t)(2 * x + 1) * SIDE) << 15) / across) + shift_x - size / 2,
                (int32_t)((((int64_t)(2 * y + 1) * SIDE) << 15) / down) + shift_y - size / 2};
            rend_board_fill(texture, ink, at, (struct rend_board_point){at.x + size, at.y + size});
        }
    }
}

static int32_t border_width(int32_t size)
{
    const int32_t most = REND_BOARD_ONE;
    return rend_board_within(rend_board_times(rend_board_within(size, 0, most), SIDE / 2), 0,
                             BORDER_MAX);
}

/* A frame of so many pixels, so many from the edge. */
static void draw_border(uint8_t *texture, struct rend_board_ink ink, int32_t at, int32_t width)
{
    const int32_t low = at + width;
    const int32_t high = SIDE - low;
    const int32_t end = SIDE - at;
    if (ink.alpha == 0) {
        return;
    }
    rend_board_fill(texture, ink, (struct rend_board_point){at, at},
                    (struct rend_board_point){end, low});
    rend_board_fill(texture, ink, (struct rend_board_point){at, high},
                    (struct rend_board_point){end, end});
    rend_board_fill(texture, ink, (struct rend_board_point){at, low},
                    (struct rend_board_point){low, high});
    rend_board_fill(texture, ink, (struct rend_board_point){high, low},
                    (struct rend_board_point){end, high});
}

static void draw_borders(const struct rend_board *board, uint8_t *texture)
{
    enum { PARTS = 80 };
    const int32_t outer = border_width(param(board, REND_BOARD_ob_size));
    const int32_t inner = border_width(param(board, REND_BOARD_ib_size));
    draw_border(texture, ink_at(board, REND_BOARD_ob_r, PARTS), 0, outer);
    draw_border(texture, ink_at(board, REND_BOARD_ib_r, PARTS), outer, inner);
}

static struct rend_board_wave wave_of(const struct rend_board *board)
{
    return (struct rend_board_wave){
        .mode = param(board, REND_BOARD_wave_mode) / REND_BOARD_ONE,
        .scale = param(board, REND_BOARD_wave_scale),
        .mystery = param(board, REND_BOARD_wave_mystery),
        .x = param(board, REND_BOARD_wave_x),
        .y = param(board, REND_BOARD_wave_y),
        .alpha = param(board, REND_BOARD_wave_a),
        .color = {param(board, REND_BOARD_wave_r), param(board, REND_BOARD_wave_g),
                  param(board, REND_BOARD_wave_b)},
        .brighten = param(board, REND_BOARD_wave_brighten) != 0,
        .additive = param(board, REND_BOARD_wave_additive) != 0,
        .thick = param(board, REND_BOARD_wave_thick) != 0,
        .dots = param(board, REND_BOARD_wave_usedots) != 0,
    };
}

/* 0.3 radians a second, in 8192nds of a turn. */
static uint32_t wave_angle(const struct rend_board *board)
{
    return (uint32_t)((uint64_t)board->clock.frame * 391140 / (1000u * board->clock.fps));
}

void rend_board_overlay(const struct rend_board *board)
{
    uint8_t *texture = board->units->memory + rend_board_texture_at(board, false);
    const struct rend_board_wave wave = wave_of(board);
    draw_vectors(board, texture);
    draw_borders(board, texture);
    rend_board_wave_draw(texture, &wave, &board->sound, wave_angle(board));
}
