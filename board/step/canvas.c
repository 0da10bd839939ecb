#include "board/step/draw.h"
#include "board/step/program.h"

enum {
    CLAMPED = 0x3ffff,
    TURN = BOARD_SIDE << BOARD_MAPPER_FRACTION, /* the texture in coordinates */
    WRAPPED = TURN - 1,
    OPAQUE = 63,
    DITHER_BITS = 24,
    BRIGHT_SHIFT = DITHER_BITS - 6, /* 64 is full brightness */
    PLACE_MAX = 2047,               /* of an offset; of a side */
    ZOOM_MAX = 64 * BOARD_ONE,
};

int32_t board_param(const struct board *board, enum board_param param)
{
    return board_fixed(board->cells[board->patch->params[param]], 16);
}

uint32_t board_texture_at(const struct board *board, bool front)
{
    return (board->canvas.front ^ (front ? 0u : 1u)) * BOARD_TEXTURE_BYTES;
}

/* All of a texture of 512x512 pixels to all of a target, squares of 16x16 to be set otherwise. */
static struct board_mapper_registers run_of(uint32_t from, uint32_t to)
{
    return (struct board_mapper_registers){
        .hmeshlast = BOARD_MESH,
        .vmeshlast = BOARD_MESH,
        .brightness = OPAQUE,
        .texfbuf = (int32_t)from,
        .texhres = BOARD_SIDE,
        .texvres = BOARD_SIDE,
        .texhmask = CLAMPED,
        .texvmask = CLAMPED,
        .dstfbuf = (int32_t)to,
        .dsthres = BOARD_SIDE,
        .dstvres = BOARD_SIDE,
        .dstsquarew = BOARD_SIDE / BOARD_MESH,
        .dstsquareh = BOARD_SIDE / BOARD_MESH,
        .alpha = OPAQUE,
    };
}

/* What is cut off now counts in the next frames. */
static int32_t brightness_of(struct board *board)
{
    const uint32_t decay_cell = board->patch->params[BOARD_decay];
    const int32_t decay =
        board_clamp(board_fixed(board->cells[decay_cell], DITHER_BITS), 0, 2 << DITHER_BITS);
    const uint32_t sum = board->canvas.dither + (uint32_t)decay;
    const uint32_t steps = sum >> BRIGHT_SHIFT;
    board->canvas.dither = sum - (steps << BRIGHT_SHIFT);
    return board_clamp((int32_t)steps - 1, 0, OPAQUE);
}

void board_warp(struct board *board)
{
    struct board_mapper_registers registers =
        run_of(board_texture_at(board, true), board_texture_at(board, false));
    const int32_t mask = board_param(board, BOARD_wrap) != 0 ? WRAPPED : CLAMPED;
    registers.brightness = brightness_of(board);
    registers.texhmask = mask;
    registers.texvmask = mask;
    board->units->draw(board->units->user, &registers, board->mesh);
}

/* One square of so many pixels that shows the texture from corner to corner. */
static void draw_square(const struct board *board, struct board_mapper_registers registers,
                        struct board_mapper_vertex size, struct board_mapper_vertex from,
                        struct board_mapper_vertex to)
{
    _Alignas(8) struct board_mapper_vertex corners[BOARD_MAPPER_PITCH + 2];
    corners[0] = from;
    corners[1] = (struct board_mapper_vertex){to.x, from.y};
    corners[BOARD_MAPPER_PITCH] = (struct board_mapper_vertex){from.x, to.y};
    corners[BOARD_MAPPER_PITCH + 1] = to;
    registers.hmeshlast = 1;
    registers.vmeshlast = 1;
    registers.dstsquarew = size.x;
    registers.dstsquareh = size.y;
    board->units->draw(board->units->user, &registers, corners);
}

/* In the TMU's steps; up to 0: nothing to draw. */
static int32_t alpha_of(int32_t alpha)
{
    return (board_clamp(alpha, 0, BOARD_ONE) >> 10) - 1;
}

static void add_picture(const struct board *board, const struct board_picture *picture,
                        int32_t alpha, struct board_mapper_vertex at,
                        struct board_mapper_vertex size)
{
    const bool placed = at.x >= -PLACE_MAX && at.x <= PLACE_MAX && at.y >= -PLACE_MAX &&
                        at.y <= PLACE_MAX && size.x > 0 && size.x <= PLACE_MAX && size.y > 0 &&
                        size.y <= PLACE_MAX;
    if (alpha <= 0 || picture->width == 0 || picture->height == 0 || picture->width > PLACE_MAX ||
        picture->height > PLACE_MAX || !placed) {
        return;
    }
    struct board_mapper_registers registers =
        run_of(picture->address, board_texture_at(board, false));
    registers.flags = BOARD_MAPPER_ADDITIVE;
    registers.alpha = alpha;
    registers.texhres = picture->width;
    registers.texvres = picture->height;
    registers.dsthoffset = at.x;
    registers.dstvoffset = at.y;
    const struct board_mapper_vertex from = {0, 0};
    const struct board_mapper_vertex to = {picture->width << BOARD_MAPPER_FRACTION,
                                           picture->height << BOARD_MAPPER_FRACTION};
    draw_square(board, registers, size, from, to);
}

/* Pixels of the screen are higher than those of the texture: 4/3. */
static void add_image(const struct board *board, const struct board_input *input,
                      enum board_param first)
{
    enum { ALPHA, X, Y, ZOOM, INDEX, PARAMS };
    int32_t params[PARAMS];
    for (int i = 0; i < PARAMS; i++) {
        params[i] = board_param(board, (enum board_param)((int)first + i));
    }
    const int32_t index = params[INDEX] / BOARD_ONE;
    if (index < 0 || index >= BOARD_IMAGES) {
        return;
    }
    const struct board_picture *picture = &input->images[index];
    const int32_t zoom = board_clamp(params[ZOOM], 0, ZOOM_MAX);
    const int32_t reach = 8 * BOARD_ONE;
    const struct board_mapper_vertex size = {
        board_clamp(board_times(zoom, picture->width), 0, 2 * PLACE_MAX),
        board_clamp(board_times(zoom, picture->height) * 4 / 3, 0, 2 * PLACE_MAX)};
    const struct board_mapper_vertex at = {
        board_times(board_clamp(params[X], -reach, reach), BOARD_SIDE) - size.x / 2,
        board_times(board_clamp(params[Y], -reach, reach), BOARD_SIDE) - size.y / 2};
    add_picture(board, picture, alpha_of(params[ALPHA]), at, size);
}

void board_pictures(const struct board *board, const struct board_input *input)
{
    const struct board_mapper_vertex corner = {0, 0};
    const struct board_mapper_vertex whole = {BOARD_SIDE, BOARD_SIDE};
    add_picture(board, &input->video, alpha_of(board_param(board, BOARD_video_a)), corner, whole);
    add_image(board, input, BOARD_image1_a);
    add_image(board, input, BOARD_image2_a);
}

static void draw_screen(const struct board *board, struct board_mapper_vertex from,
                        struct board_mapper_vertex to, int32_t alpha)
{
    struct board_mapper_registers registers =
        run_of(board_texture_at(board, false), BOARD_SCREEN_AT);
    const struct board_mapper_vertex size = {BOARD_WIDTH, BOARD_HEIGHT};
    registers.dsthres = BOARD_WIDTH;
    registers.dstvres = BOARD_HEIGHT;
    registers.alpha = alpha;
    draw_square(board, registers, size, from, to);
}

static void draw_echo(const struct board *board)
{
    const int32_t alpha = alpha_of(board_param(board, BOARD_echo_alpha));
    const int32_t zoom = board_param(board, BOARD_echo_zoom);
    const int32_t orient = board_param(board, BOARD_echo_orient) / BOARD_ONE;
    if (alpha <= 0 || zoom == 0) {
        return;
    }
    const int32_t near = (int32_t)(TURN / 2 - (((int64_t)TURN / 2) << 16) / zoom);
    const int32_t far = TURN - near;
    const bool mirrored = (orient & 1) != 0;
    const bool upside_down = (orient & 2) != 0;
    draw_screen(
        board, (struct board_mapper_vertex){mirrored ? far : near, upside_down ? far : near},
        (struct board_mapper_vertex){mirrored ? near : far, upside_down ? near : far}, alpha);
}

void board_scale(const struct board *board)
{
    const struct board_mapper_vertex from = {0, 0};
    const struct board_mapper_vertex to = {TURN, TURN};
    draw_screen(board, from, to, OPAQUE);
    draw_echo(board);
}

enum {
    BORDER_MAX = 30,
    VECTORS_MAX = 64, /* each way */
    DOT_MAX = 10,
    SIDE = BOARD_SIDE,
};

static int32_t param(const struct board *board, int number)
{
    return board_param(board, (enum board_param)number);
}

/* Colour and alpha are four parameters in a row; `parts` times alpha is the ink's. */
static struct board_ink ink_at(const struct board *board, enum board_param red, int32_t parts)
{
    const int first = (int)red;
    return board_ink_of(param(board, first), param(board, first + 1), param(board, first + 2),
                        board_times(board_clamp(param(board, first + 3), 0, BOARD_ONE), parts));
}

static void draw_vectors(const struct board *board, uint8_t *texture)
{
    const int32_t most = VECTORS_MAX * BOARD_ONE;
    const int32_t across = board_clamp(param(board, BOARD_mv_x), 0, most);
    const int32_t down = board_clamp(param(board, BOARD_mv_y), 0, most);
    const int32_t size = board_clamp(param(board, BOARD_mv_l) / BOARD_ONE, 1, DOT_MAX);
    const struct board_ink ink = ink_at(board, BOARD_mv_r, 64);
    const int32_t reach = 4 * BOARD_ONE;
    const int32_t shift_x =
        board_times(board_clamp(param(board, BOARD_mv_dx), -reach, reach), SIDE);
    const int32_t shift_y =
        board_times(board_clamp(param(board, BOARD_mv_dy), -reach, reach), SIDE);
    const int32_t columns = across / BOARD_ONE;
    const int32_t rows = down / BOARD_ONE;
    if (ink.alpha == 0) {
        return;
    }
    for (int32_t y = 0; y < rows; y++) {
        for (int32_t x = 0; x < columns; x++) {
            const struct board_point at = {
                (int32_t)((((int64_t)(2 * x + 1) * SIDE) << 15) / across) + shift_x - size / 2,
                (int32_t)((((int64_t)(2 * y + 1) * SIDE) << 15) / down) + shift_y - size / 2};
            board_fill(texture, ink, at, (struct board_point){at.x + size, at.y + size});
        }
    }
}

static int32_t border_width(int32_t size)
{
    const int32_t most = BOARD_ONE;
    return board_clamp(board_times(board_clamp(size, 0, most), SIDE / 2), 0, BORDER_MAX);
}

/* A frame of so many pixels, so many from the edge. */
static void draw_border(uint8_t *texture, struct board_ink ink, int32_t at, int32_t width)
{
    const int32_t low = at + width;
    const int32_t high = SIDE - low;
    const int32_t end = SIDE - at;
    if (ink.alpha == 0) {
        return;
    }
    board_fill(texture, ink, (struct board_point){at, at}, (struct board_point){end, low});
    board_fill(texture, ink, (struct board_point){at, high}, (struct board_point){end, end});
    board_fill(texture, ink, (struct board_point){at, low}, (struct board_point){low, high});
    board_fill(texture, ink, (struct board_point){high, low}, (struct board_point){end, high});
}

void board_overlay(const struct board *board)
{
    enum { PARTS = 80 };
    uint8_t *texture = board->units->memory + board_texture_at(board, false);
    const struct board_wave wave = {
        .mode = param(board, BOARD_wave_mode) / BOARD_ONE,
        .scale = param(board, BOARD_wave_scale),
        .mystery = param(board, BOARD_wave_mystery),
        .x = param(board, BOARD_wave_x),
        .y = param(board, BOARD_wave_y),
        .alpha = param(board, BOARD_wave_a),
        .color = {param(board, BOARD_wave_r), param(board, BOARD_wave_g),
                  param(board, BOARD_wave_b)},
        .brighten = param(board, BOARD_wave_brighten) != 0,
        .additive = param(board, BOARD_wave_additive) != 0,
        .thick = param(board, BOARD_wave_thick) != 0,
        .dots = param(board, BOARD_wave_usedots) != 0,
    };
    draw_vectors(board, texture);
    const int32_t outer = border_width(param(board, BOARD_ob_size));
    const int32_t inner = border_width(param(board, BOARD_ib_size));
    draw_border(texture, ink_at(board, BOARD_ob_r, PARTS), 0, outer);
    draw_border(texture, ink_at(board, BOARD_ib_r, PARTS), outer, inner);
    /* 0.3 radians a second, in 8192nds of a turn. */
    const uint64_t angle = (uint64_t)board->clock.frame * 391140 / (1000u * board->clock.fps);
    board_wave_draw(texture, &wave, &board->sound, (uint32_t)angle);
}
