#include "renderer/board_canvas.h"

#include "renderer/board_word.h"

enum {
    CLAMPED = 0x3ffff,
    TURN = REND_BOARD_SIDE << TMU_CHIP_FRACTION, /* the texture in coordinates */
    WRAPPED = TURN - 1,
    OPAQUE = 63,
    DITHER_BITS = 24,
    BRIGHT_SHIFT = DITHER_BITS - 6, /* 64 is full brightness */
    PLACE_MAX = 2047,               /* of an offset; of a side */
    ZOOM_MAX = 64 * REND_BOARD_ONE,
};

int32_t rend_board_param(const struct rend_board *board, enum rend_board_param param)
{
    return rend_board_fixed(board->cells[board->patch->params[param]], 16);
}

uint32_t rend_board_texture_at(const struct rend_board *board, bool front)
{
    return (board->canvas.front ^ (front ? 0u : 1u)) * REND_BOARD_TEXTURE_BYTES;
}

/* All of a texture of 512x512 pixels to all of a target, squares of 16x16 to be set otherwise. */
static struct tmu_chip_registers run_of(uint32_t from, uint32_t to)
{
    return (struct tmu_chip_registers){
        .hmeshlast = REND_BOARD_MESH,
        .vmeshlast = REND_BOARD_MESH,
        .brightness = OPAQUE,
        .texfbuf = (int32_t)from,
        .texhres = REND_BOARD_SIDE,
        .texvres = REND_BOARD_SIDE,
        .texhmask = CLAMPED,
        .texvmask = CLAMPED,
        .dstfbuf = (int32_t)to,
        .dsthres = REND_BOARD_SIDE,
        .dstvres = REND_BOARD_SIDE,
        .dstsquarew = REND_BOARD_SIDE / REND_BOARD_MESH,
        .dstsquareh = REND_BOARD_SIDE / REND_BOARD_MESH,
        .alpha = OPAQUE,
    };
}

/* What is cut off now counts in the next frames. */
static int32_t brightness_of(struct rend_board *board)
{
    const uint32_t decay_cell = board->patch->params[REND_BOARD_decay];
    const int32_t decay = rend_board_within(rend_board_fixed(board->cells[decay_cell], DITHER_BITS),
                                            0, 2 << DITHER_BITS);
    const uint32_t sum = board->canvas.dither + (uint32_t)decay;
    const uint32_t steps = sum >> BRIGHT_SHIFT;
    board->canvas.dither = sum - (steps << BRIGHT_SHIFT);
    return rend_board_within((int32_t)steps - 1, 0, OPAQUE);
}

void rend_board_warp(struct rend_board *board)
{
    struct tmu_chip_registers registers =
        run_of(rend_board_texture_at(board, true), rend_board_texture_at(board, false));
    const int32_t mask = rend_board_param(board, REND_BOARD_wrap) != 0 ? WRAPPED : CLAMPED;
    registers.brightness = brightness_of(board);
    registers.texhmask = mask;
    registers.texvmask = mask;
    board->units->draw(board->units->user, &registers, board->mesh);
}

/* One square of so many pixels that shows the texture from corner to corner. */
static void draw_square(const struct rend_board *board, struct tmu_chip_registers registers,
                        struct tmu_chip_vertex size, struct tmu_chip_vertex from,
                        struct tmu_chip_vertex to)
{
    _Alignas(8) struct tmu_chip_vertex corners[TMU_CHIP_PITCH + 2];
    corners[0] = from;
    corners[1] = (struct tmu_chip_vertex){to.x, from.y};
    corners[TMU_CHIP_PITCH] = (struct tmu_chip_vertex){from.x, to.y};
    corners[TMU_CHIP_PITCH + 1] = to;
    registers.hmeshlast = 1;
    registers.vmeshlast = 1;
    registers.dstsquarew = size.x;
    registers.dstsquareh = size.y;
    board->units->draw(board->units->user, &registers, corners);
}

/* In the TMU's steps; up to 0: nothing to draw. */
static int32_t alpha_of(int32_t alpha)
{
    return (rend_board_within(alpha, 0, REND_BOARD_ONE) >> 10) - 1;
}

static void add_picture(const struct rend_board *board, const struct rend_board_picture *picture,
                        int32_t alpha, struct tmu_chip_vertex at, struct tmu_chip_vertex size)
{
    const bool placed = at.x >= -PLACE_MAX && at.x <= PLACE_MAX && at.y >= -PLACE_MAX &&
                        at.y <= PLACE_MAX && size.x > 0 && size.x <= PLACE_MAX && size.y > 0 &&
                        size.y <= PLACE_MAX;
    if (alpha <= 0 || picture->width == 0 || picture->height == 0 || picture->width > PLACE_MAX ||
        picture->height > PLACE_MAX || !placed) {
        return;
    }
    struct tmu_chip_registers registers =
        run_of(picture->address, rend_board_texture_at(board, false));
    registers.flags = TMU_CHIP_ADDITIVE;
    registers.alpha = alpha;
    registers.texhres = picture->width;
    registers.texvres = picture->height;
    registers.dsthoffset = at.x;
    registers.dstvoffset = at.y;
    const struct tmu_chip_vertex from = {0, 0};
    const struct tmu_chip_vertex to = {picture->width << TMU_CHIP_FRACTION,
                                       picture->height << TMU_CHIP_FRACTION};
    draw_square(board, registers, size, from, to);
}

/* Pixels of the screen are higher than those of the texture: 4/3. */
static void add_image(const struct rend_board *board, const struct rend_board_input *input,
                      enum rend_board_param first)
{
    enum { ALPHA, X, Y, ZOOM, INDEX, PARAMS };
    int32_t params[PARAMS];
    for (int i = 0; i < PARAMS; i++) {
        params[i] = rend_board_param(board, (enum rend_board_param)((int)first + i));
    }
    const int32_t index = params[INDEX] / REND_BOARD_ONE;
    if (index < 0 || index >= REND_BOARD_IMAGES) {
        return;
    }
    const struct rend_board_picture *picture = &input->images[index];
    const int32_t zoom = rend_board_within(params[ZOOM], 0, ZOOM_MAX);
    const int32_t reach = 8 * REND_BOARD_ONE;
    const struct tmu_chip_vertex size = {
        rend_board_within(rend_board_times(zoom, picture->width), 0, 2 * PLACE_MAX),
        rend_board_within(rend_board_times(zoom, picture->height) * 4 / 3, 0, 2 * PLACE_MAX)};
    const struct tmu_chip_vertex at = {
        rend_board_times(rend_board_within(params[X], -reach, reach), REND_BOARD_SIDE) - size.x / 2,
        rend_board_times(rend_board_within(params[Y], -reach, reach), REND_BOARD_SIDE) -
            size.y / 2};
    add_picture(board, picture, alpha_of(params[ALPHA]), at, size);
}

void rend_board_pictures(const struct rend_board *board, const struct rend_board_input *input)
{
    const struct tmu_chip_vertex corner = {0, 0};
    const struct tmu_chip_vertex whole = {REND_BOARD_SIDE, REND_BOARD_SIDE};
    add_picture(board, &input->video, alpha_of(rend_board_param(board, REND_BOARD_video_a)), corner,
                whole);
    add_image(board, input, REND_BOARD_image1_a);
    add_image(board, input, REND_BOARD_image2_a);
}

static void draw_screen(const struct rend_board *board, struct tmu_chip_vertex from,
                        struct tmu_chip_vertex to, int32_t alpha)
{
    struct tmu_chip_registers registers =
        run_of(rend_board_texture_at(board, false), REND_BOARD_SCREEN_AT);
    const struct tmu_chip_vertex size = {REND_BOARD_WIDTH, REND_BOARD_HEIGHT};
    registers.dsthres = REND_BOARD_WIDTH;
    registers.dstvres = REND_BOARD_HEIGHT;
    registers.alpha = alpha;
    draw_square(board, registers, size, from, to);
}

static void draw_echo(const struct rend_board *board)
{
    const int32_t alpha = alpha_of(rend_board_param(board, REND_BOARD_echo_alpha));
    const int32_t zoom = rend_board_param(board, REND_BOARD_echo_zoom);
    const int32_t orient = rend_board_param(board, REND_BOARD_echo_orient) / REND_BOARD_ONE;
    if (alpha <= 0 || zoom == 0) {
        return;
    }
    const int32_t near = (int32_t)(TURN / 2 - (((int64_t)TURN / 2) << 16) / zoom);
    const int32_t far = TURN - near;
    const bool mirrored = (orient & 1) != 0;
    const bool upside_down = (orient & 2) != 0;
    draw_screen(board, (struct tmu_chip_vertex){mirrored ? far : near, upside_down ? far : near},
                (struct tmu_chip_vertex){mirrored ? near : far, upside_down ? near : far}, alpha);
}

void rend_board_show(const struct rend_board *board)
{
    const struct tmu_chip_vertex from = {0, 0};
    const struct tmu_chip_vertex to = {TURN, TURN};
    draw_screen(board, from, to, OPAQUE);
    draw_echo(board);
}
