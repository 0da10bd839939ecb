#include "board/step/cost.h"

#include "board/step/draw.h"

enum {
    /* As the twin has them; tests/board/hardware_panel.sh compares. */
    SOUND = 12700 * 1000, /* of a second */
    FRAME = 155 * 1000,   /* of the processor, beside sound, equations and drawing */
    PAINT = 75 * 1000,    /* of painting, in which the processor waits for no unit */
    MARGIN = 400 * 1000,  /* waiting for memory, and what the counts do not see */
    LEAST = 200 * 1000,   /* for custom shapes and waves in any case */
    /* Of the texture mapper: fitted to its model over meshes of presets. */
    SCALING = 385 * 1000,
    ECHO = 634 * 1000,
    WARP = 205 * 1000,       /* beside texels and rows */
    WARP_LEAST = 314 * 1000, /* for its pixels alone */
    AREA = 476,              /* of a square's texels, in the mean over the mesh */
    DROP = 46,               /* of texels that a square's row goes up or down, a square */
    DROP_FEW = 20,           /* more, of those that are few in the mean */
    FEW = 16,
    SQUARES = BOARD_MESH * BOARD_MESH / 4, /* that are looked at */
    AREA_MAX = 4096,
    PART = 3, /* bits of fraction of a texel */
    APART_MAX = 512 << PART,
    /* Of single squares. */
    START = 3000,
    SHARE_BITS = 8,    /* bits of fraction of what follows */
    COVERED = 320,     /* cycles of a pixel that hides what is under it */
    MIXED = 480,       /* of one that does not */
    FETCHED = 10,      /* of a line of the texture, whole */
    FETCHED_MAX = 538, /* lines of a pixel */
    ROWS_KEPT = 28,    /* of the texture, in the texel cache */
    STEP_MAX = 64 << BOARD_MAPPER_FRACTION,
    /* Of drawing. */
    COPIED = 13, /* a pixel of a border that hides what is under it */
    BLENDED = 27,
    ROW = 80, /* of a border, to begin it */
    BORDER_MAX = 30,
    VECTOR = 300, /* its pixels not counted */
    LINE_WAVE = 95 * 1000,
    PAIR_WAVE = 190 * 1000, /* two lines */
    KNOT_WAVE = 230 * 1000, /* crosses itself, with music, or goes round */
};

static uint32_t smaller(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

static uint32_t larger(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

static uint32_t size_of(int32_t value)
{
    return (uint32_t)(value < 0 ? -value : value);
}

/* In 1/8 texels, up to 512. */
static int32_t apart(int32_t a, int32_t b)
{
    const int64_t way = ((int64_t)a - b) >> (BOARD_MAPPER_FRACTION - PART);
    return way < -APART_MAX ? -APART_MAX : way > APART_MAX ? APART_MAX : (int32_t)way;
}

static bool echoes(const struct board *board)
{
    return board_param(board, BOARD_echo_alpha) >= BOARD_ONE / 32;
}

/* Of one square in four. */
static uint32_t mapper_cycles(const struct board *board)
{
    uint32_t area = 0;
    uint32_t drop = 0;
    for (size_t y = 0; y < BOARD_MESH; y += 2) {
        for (size_t x = 0; x < BOARD_MESH; x += 2) {
            const struct board_mapper_vertex *at = &board->mesh[y * BOARD_MAPPER_PITCH + x];
            const struct board_mapper_vertex *below = at + BOARD_MAPPER_PITCH;
            const int32_t across[] = {apart(at[1].x, at->x), apart(at[1].y, at->y)};
            const int32_t down[] = {apart(below->x, at->x), apart(below->y, at->y)};
            const int32_t twice = across[0] * down[1] - across[1] * down[0];
            const uint32_t texels = size_of(twice);
            const uint32_t rise = size_of(across[1]);
            area += smaller(texels >> (2 * PART), AREA_MAX);
            drop += rise >> PART;
        }
    }
    const uint32_t few = smaller(drop, FEW * SQUARES);
    const uint32_t warp = WARP + area / SQUARES * AREA + drop * DROP + few * DROP_FEW;
    return (uint32_t)SCALING + larger(warp, WARP_LEAST) + board_image_cycles(board) +
           (echoes(board) ? ECHO : 0u);
}

/* Lines of the texture that a pixel asks for, which its neighbours have not left in the cache:
 * those of its texels; where a row goes down over more rows of the texture than the cache holds,
 * those of its way. */
static uint32_t lines_of(const struct board_square *square)
{
    const int32_t width = square->size.x;
    const int32_t height = square->size.y;
    const uint32_t most = STEP_MAX;
    const uint32_t steps[] = {smaller(size_of(square->across.x) / (uint32_t)width, most),
                              smaller(size_of(square->across.y) / (uint32_t)width, most),
                              smaller(size_of(square->down.x) / (uint32_t)height, most),
                              smaller(size_of(square->down.y) / (uint32_t)height, most)};
    const bool falls = 2 * steps[0] < steps[1] &&
                       size_of(square->across.y) >= (uint32_t)ROWS_KEPT << BOARD_MAPPER_FRACTION;
    const uint32_t area = (steps[0] * steps[3] + steps[1] * steps[2]) >> SHARE_BITS;
    return smaller(falls ? larger(4 * steps[1] + steps[0] / 4, area) : area, FETCHED_MAX);
}

uint32_t board_cost_square(const struct board_square *square)
{
    const uint32_t pixel = (square->blends ? MIXED : COVERED) + FETCHED * lines_of(square);
    const uint32_t all = (uint32_t)square->size.x * (uint32_t)square->size.y;
    return START + larger(square->seen * pixel >> SHARE_BITS, all);
}

/* One border; `side` becomes that of what is within. */
static uint32_t border_cycles(const struct board *board, enum board_param size,
                              enum board_param alpha, uint32_t *side)
{
    const int32_t wanted = board_clamp(board_param(board, size), 0, BOARD_ONE);
    const uint32_t halves = (uint32_t)board_times(wanted, BOARD_SIDE);
    const uint32_t width = smaller((halves + 1) / 2, BORDER_MAX);
    const uint32_t outer = *side;
    const int32_t ink = board_times(board_clamp(board_param(board, alpha), 0, BOARD_ONE), 80);
    *side -= 2 * width;
    if (ink == 0 || width == 0) {
        return 0;
    }
    return (ink < 64 ? BLENDED : COPIED) * (outer * outer - *side * *side) + ROW * 2 * outer;
}

static uint32_t wave_cycles(const struct board *board)
{
    static const uint32_t cycles[] = {
#define PRESET_WAVE_MODE(number, name, folded, board, cost, own) [number] = cost##_WAVE,
#include "presets/milk/wave_modes.def"
    };
    const int32_t mode =
        board_wave_mode(board_param(board, BOARD_wave_mode) / BOARD_ONE, board->patch->own);
    const bool seen = mode >= 0 && board_param(board, BOARD_wave_a) >= BOARD_ONE / 100;
    return seen ? cycles[mode] : 0;
}

static uint32_t vector_cycles(const struct board *board)
{
    enum { VECTORS_MAX = 64, DOT_MAX = 10 };
    const int32_t columns = board_clamp(board_param(board, BOARD_mv_x) / BOARD_ONE, 0, VECTORS_MAX);
    const int32_t rows = board_clamp(board_param(board, BOARD_mv_y) / BOARD_ONE, 0, VECTORS_MAX);
    const int32_t size = board_clamp(board_param(board, BOARD_mv_l) / BOARD_ONE, 1, DOT_MAX);
    const int32_t ink = board_times(board_clamp(board_param(board, BOARD_mv_a), 0, BOARD_ONE), 64);
    const int32_t pixel = ink < 64 ? BLENDED : COPIED;
    return ink == 0 ? 0 : (uint32_t)(columns * rows * (VECTOR + pixel * size * size));
}

static uint32_t rest_of(uint32_t all, uint32_t used)
{
    return all > used ? all - used : 0;
}

uint32_t board_cost_turns(const struct board *board, uint32_t cycles)
{
    const uint32_t most = BOARD_CLOCK / board->clock.fps / 2;
    return smaller(cycles / most + 1, BOARD_TURNS_MAX);
}

uint32_t board_cost_part(const struct board *board)
{
    return BOARD_CLOCK / board->clock.fps / 4;
}

void board_cost_begin(struct board *board, uint32_t equations)
{
    struct board_items *items = &board->items;
    const uint32_t fps = board->clock.fps;
    const uint32_t all = BOARD_CLOCK / fps - MARGIN;
    const uint32_t wave = wave_cycles(board);
    const uint32_t mapper = mapper_cycles(board);
    uint32_t side = BOARD_SIDE;
    uint32_t rows = vector_cycles(board);
    rows += border_cycles(board, BOARD_ob_size, BOARD_ob_a, &side);
    rows += border_cycles(board, BOARD_ib_size, BOARD_ib_a, &side);
    uint32_t painting = rest_of(all, PAINT + mapper + wave);
    items->echoes = echoes(board) && painting >= LEAST;
    painting += echoes(board) && !items->echoes ? ECHO : 0;
    const uint32_t processor = rest_of(all, FRAME + SOUND / fps + equations + wave);
    /* Borders and motion vectors may take half of it where there is something else. */
    const bool shares = board->patch->shape_count + board->patch->wave_count > 0;
    const uint32_t most = larger(smaller(processor, painting) / (shares ? 2 : 1), LEAST);
    items->overlay_turns = smaller(rows / most + 1, BOARD_TURNS_MAX);
    rows /= items->overlay_turns;
    items->overlay_cycles = wave + rows;
    items->room = larger(rest_of(processor, rows), LEAST);
    items->painting_room = larger(rest_of(painting, rows), LEAST / 2);
}
