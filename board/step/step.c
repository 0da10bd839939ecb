/* A frame: what it hears, what it thinks, and what it draws by the texture mapper and by the CPU.
 */
#include "board/step/step.h"

#include <assert.h>
#include <string.h>

#include "board/step/brush.h"
#include "board/step/cost.h"
#include "board/step/draw.h"
#include "board/step/program.h"

/* ---- sound ---- */

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

/* By the time of MilkDrop's means: 1/10 of a level in each 30th of a second, 1/125 later. */
static void learn_usual(struct board_hearing *sound, uint32_t count)
{
    enum { EARLY = BOARD_RATE * 5 / 3, FAST = 268435, SLOW = 21475 };
    const uint32_t share = count * (sound->heard < EARLY ? FAST : SLOW) >> 16;
    for (int band = 0; band < BOARD_BANDS; band++) {
        const int64_t news = ((int64_t)sound->level[band] << 16) - sound->usual[band];
        sound->usual[band] += news * share / BOARD_ONE;
    }
    sound->heard += sound->heard < EARLY ? count : 0;
}

int32_t board_level(const struct board_hearing *sound, int band, bool attenuated, bool own)
{
    enum { SILENT = 8 << 16, MOST = 64 * BOARD_ONE };
    const int32_t level = attenuated ? sound->level_att[band] : sound->level[band];
    if (own) {
        return level;
    }
    if (sound->usual[band] < SILENT) {
        return BOARD_ONE;
    }
    const int64_t share = ((int64_t)level << 32) / sound->usual[band];
    return share < MOST ? (int32_t)share : MOST;
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
    learn_usual(sound, count);
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

static const unsigned versions[BOARD_SECTIONS] = {
    [BOARD_SECTION_CLOCK] = 1,     [BOARD_SECTION_SOUND] = 2, [BOARD_SECTION_CANVAS] = 1,
    [BOARD_SECTION_EQUATIONS] = 3, [BOARD_SECTION_MESH] = 1,  [BOARD_SECTION_ITEMS] = 2};

/* ---- the canvas ---- */

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

/* The texture that is being drawn, or the front one: where it stands in memory. */
static uint32_t texture_at(const struct board *board, bool front)
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

/* A picture that is to be added to the texture. */
struct placed {
    struct board_picture picture;
    int32_t first; /* column that is seen on the left, BOARD_MAPPER_FRACTION bits of fraction */
    int32_t end;   /* behind the last one, the same */
    int32_t alpha;
    struct board_mapper_vertex at;
    struct board_mapper_vertex size;
};

static bool is_drawn(const struct placed *placed)
{
    const struct board_mapper_vertex at = placed->at;
    const struct board_mapper_vertex size = placed->size;
    const struct board_picture *picture = &placed->picture;
    return placed->alpha > 0 && picture->width > 0 && picture->height > 0 &&
           picture->width <= PLACE_MAX && picture->height <= PLACE_MAX && at.x >= -PLACE_MAX &&
           at.x <= PLACE_MAX && at.y >= -PLACE_MAX && at.y <= PLACE_MAX && size.x > 0 &&
           size.x <= PLACE_MAX && size.y > 0 && size.y <= PLACE_MAX;
}

static void add_picture(const struct board *board, const struct placed *placed)
{
    if (!is_drawn(placed)) {
        return;
    }
    const struct board_picture *picture = &placed->picture;
    struct board_mapper_registers registers = run_of(picture->address, texture_at(board, false));
    registers.flags = BOARD_MAPPER_ADDITIVE;
    registers.alpha = placed->alpha;
    registers.texhres = picture->width;
    registers.texvres = picture->height;
    registers.dsthoffset = placed->at.x;
    registers.dstvoffset = placed->at.y;
    const struct board_mapper_vertex from = {placed->first, 0};
    const struct board_mapper_vertex to = {placed->end, picture->height << BOARD_MAPPER_FRACTION};
    draw_square(board, registers, placed->size, from, to);
}

/* Where there is no live video a picture passes by in its place: the rest of it, and its beginning
 * behind that. */
static void place_video(const struct board *board, const struct board_picture *live,
                        struct placed parts[static 2])
{
    enum { PIXELS = 2 /* from frame to frame */ };
    const bool moves = live == NULL || live->width == 0;
    const int32_t passed = moves ? (int32_t)(board->clock.frame * PIXELS % BOARD_SIDE) : 0;
    const struct placed part = {.picture = moves ? board->patch->images[BOARD_VIDEO] : *live,
                                .alpha = alpha_of(board_param(board, BOARD_video_a))};
    const int32_t columns = part.picture.width << BOARD_MAPPER_FRACTION;
    const int32_t cut = columns * passed / BOARD_SIDE;
    parts[0] = parts[1] = part;
    parts[0].first = cut;
    parts[0].end = columns;
    parts[0].size = (struct board_mapper_vertex){BOARD_SIDE - passed, BOARD_SIDE};
    parts[1].end = cut;
    parts[1].at.x = BOARD_SIDE - passed;
    parts[1].size = (struct board_mapper_vertex){passed, BOARD_SIDE};
}

/* Pixels of the screen are higher than those of the texture: 4/3. */
static struct placed image_of(const struct board *board, enum board_param first)
{
    enum { ALPHA, X, Y, ZOOM, INDEX, PARAMS };
    int32_t params[PARAMS];
    for (int i = 0; i < PARAMS; i++) {
        params[i] = board_param(board, (enum board_param)((int)first + i));
    }
    const int32_t index = params[INDEX] / BOARD_ONE;
    struct placed placed = {.alpha = 0};
    if (index < 0 || index >= BOARD_VIDEO) {
        return placed;
    }
    placed.picture = board->patch->images[index];
    placed.end = placed.picture.width << BOARD_MAPPER_FRACTION;
    placed.alpha = alpha_of(params[ALPHA]);
    const int32_t zoom = board_clamp(params[ZOOM], 0, ZOOM_MAX);
    const int32_t reach = 8 * BOARD_ONE;
    placed.size = (struct board_mapper_vertex){
        board_clamp(board_times(zoom, placed.picture.width), 0, 2 * PLACE_MAX),
        board_clamp(board_times(zoom, placed.picture.height) * 4 / 3, 0, 2 * PLACE_MAX)};
    placed.at = (struct board_mapper_vertex){
        board_times(board_clamp(params[X], -reach, reach), BOARD_SIDE) - placed.size.x / 2,
        board_times(board_clamp(params[Y], -reach, reach), BOARD_SIDE) - placed.size.y / 2};
    return placed;
}

enum { ADDED = 4 /* twice live video, and two pictures */ };

static void place_added(const struct board *board, const struct board_picture *live,
                        struct placed added[static ADDED])
{
    place_video(board, live, added);
    added[2] = image_of(board, BOARD_image1_a);
    added[3] = image_of(board, BOARD_image2_a);
}

static uint32_t covered(int32_t at, int32_t size)
{
    return (uint32_t)(board_clamp(at + size, 0, BOARD_SIDE) - board_clamp(at, 0, BOARD_SIDE));
}

/* As measured on the twin, a sixth more or less: pixels of the square that are seen, those that are
 * not, and texels to be fetched. They are read along their rows, which costs less than what
 * board_cost_square has in mind. */
static uint32_t cycles_of(const struct placed *placed)
{
    const uint32_t all = (uint32_t)placed->size.x * (uint32_t)placed->size.y;
    const uint32_t seen =
        covered(placed->at.x, placed->size.x) * covered(placed->at.y, placed->size.y);
    const uint32_t columns = (uint32_t)(placed->end - placed->first) >> BOARD_MAPPER_FRACTION;
    const uint64_t texels = (uint64_t)columns * placed->picture.height * seen / all;
    return (7 * seen + 4 * (all - seen) + (uint32_t)texels) / 4;
}

uint32_t board_image_cycles(const struct board *board)
{
    struct placed added[ADDED];
    uint32_t cycles = 0;
    place_added(board, NULL, added);
    for (size_t i = 0; i < ADDED; i++) {
        cycles += is_drawn(&added[i]) ? cycles_of(&added[i]) : 0;
    }
    return cycles;
}

struct screen {
    int32_t alpha;
    int32_t brightness;
};

static void draw_screen(const struct board *board, struct board_mapper_vertex from,
                        struct board_mapper_vertex to, struct screen screen)
{
    struct board_mapper_registers registers = run_of(texture_at(board, false), BOARD_SCREEN_AT);
    const struct board_mapper_vertex size = {BOARD_WIDTH, BOARD_HEIGHT};
    registers.dsthres = BOARD_WIDTH;
    registers.dstvres = BOARD_HEIGHT;
    registers.alpha = screen.alpha;
    registers.brightness = screen.brightness;
    draw_square(board, registers, size, from, to);
}

/* The back texture to the screen, and once more for the echo. */
static void draw_scaled(const struct board *board, uint32_t dim)
{
    const int32_t brightness = dim < OPAQUE ? OPAQUE - (int32_t)dim : 0;
    const struct board_mapper_vertex from = {0, 0};
    const struct board_mapper_vertex to = {TURN, TURN};
    draw_screen(board, from, to, (struct screen){OPAQUE, brightness});
    const int32_t alpha = alpha_of(board_param(board, BOARD_echo_alpha));
    const int32_t zoom = board_param(board, BOARD_echo_zoom);
    const int32_t orient = board_param(board, BOARD_echo_orient) / BOARD_ONE;
    if (alpha <= 0 || zoom == 0 || !board->items.echoes) {
        return;
    }
    const int32_t near = (int32_t)(TURN / 2 - (((int64_t)TURN / 2) << 16) / zoom);
    const int32_t far = TURN - near;
    const bool mirrored = (orient & 1) != 0;
    const bool upside_down = (orient & 2) != 0;
    draw_screen(board,
                (struct board_mapper_vertex){mirrored ? far : near, upside_down ? far : near},
                (struct board_mapper_vertex){mirrored ? near : far, upside_down ? near : far},
                (struct screen){alpha, brightness});
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

/* MilkDrop draws what covers the centre of a pixel; the board's own software cuts. */
static int32_t border_width(const struct board *board, enum board_param size)
{
    const int32_t most = BOARD_ONE;
    const int32_t halves = board_times(board_clamp(param(board, (int)size), 0, most), SIDE);
    return board_clamp((halves + (board->patch->own ? 0 : 1)) / 2, 0, BORDER_MAX);
}

/* A frame of so many pixels, so many from the edge; of its rows those whose turn it is. */
static void draw_border(const struct board *board, uint8_t *texture, struct board_ink ink,
                        int32_t at, int32_t width)
{
    const int32_t low = at + width;
    const int32_t high = SIDE - low;
    const int32_t end = SIDE - at;
    const uint32_t turns = board->items.overlay_turns;
    if (ink.alpha == 0 || width == 0) {
        return;
    }
    const struct board_brush brush = board_brush_of(ink);
    for (int32_t y = at; y < end; y++) {
        if (((uint32_t)y + board->clock.frame) % turns != 0) {
            continue;
        }
        const bool whole = y < low || y >= high;
        board_brush_fill(texture, &brush, (struct board_point){at, y},
                         (struct board_point){whole ? end : low, y + 1});
        if (!whole) {
            board_brush_fill(texture, &brush, (struct board_point){high, y},
                             (struct board_point){end, y + 1});
        }
    }
}

/* The middle of one of so many parts of a side; parts has 16 bits of fraction. */
static int32_t middle_of(int32_t number, int32_t parts)
{
    return (int32_t)((((int64_t)(2 * number + 1) * SIDE) << 15) / parts);
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
    const int32_t turns = (int32_t)board->items.overlay_turns;
    const int32_t columns = across / BOARD_ONE;
    int32_t lefts[VECTORS_MAX];
    if (ink.alpha == 0) {
        return;
    }
    const struct board_brush brush = board_brush_of(ink);
    for (int32_t x = 0; x < columns; x++) {
        lefts[x] = middle_of(x, across) + shift_x - size / 2;
    }
    for (int32_t y = (int32_t)board->clock.frame % turns; y < down / BOARD_ONE; y += turns) {
        const int32_t top = middle_of(y, down) + shift_y - size / 2;
        for (int32_t x = 0; x < columns; x++) {
            board_brush_fill(texture, &brush, (struct board_point){lefts[x], top},
                             (struct board_point){lefts[x] + size, top + size});
        }
    }
}

/* Motion vectors, custom shapes and waves, borders and wave on the back texture. */
static void draw_overlay(const struct board *board)
{
    enum { PARTS = 80 };
    uint8_t *texture = board->units->memory + texture_at(board, false);
    const struct board_wave wave = {
        .mode = board_wave_mode(param(board, BOARD_wave_mode) / BOARD_ONE, board->patch->own),
        .scale = param(board, BOARD_wave_scale),
        .mystery = param(board, BOARD_wave_mystery),
        .x = param(board, BOARD_wave_x),
        .y = param(board, BOARD_wave_y),
        .alpha = param(board, BOARD_wave_a),
        .treb = board_level(&board->sound, 2, false, board->patch->own),
        .color = {param(board, BOARD_wave_r), param(board, BOARD_wave_g),
                  param(board, BOARD_wave_b)},
        .brighten = param(board, BOARD_wave_brighten) != 0,
        .additive = param(board, BOARD_wave_additive) != 0,
        .thick = param(board, BOARD_wave_thick) != 0,
        .dots = param(board, BOARD_wave_usedots) != 0,
    };
    draw_vectors(board, texture);
    board_items_paint(board, texture);
    const int32_t outer = border_width(board, BOARD_ob_size);
    const int32_t inner = border_width(board, BOARD_ib_size);
    draw_border(board, texture, ink_at(board, BOARD_ob_r, PARTS), 0, outer);
    draw_border(board, texture, ink_at(board, BOARD_ib_r, PARTS), outer, inner);
    /* 0.3 radians a second, in 8192nds of a turn. */
    const uint64_t angle = (uint64_t)board->clock.frame * 391140 / (1000u * board->clock.fps);
    board_wave_draw(texture, &wave, &board->sound, (uint32_t)angle);
}

/* The inside of a shape that shows the front texture, as an upright square: of the same corners if
 * it has four, of the same area if it has more. What its texture is turned against it, and its
 * zoom, are its own. */
struct textured {
    struct board_mapper_vertex at;
    struct board_mapper_vertex size;
    int32_t light;
    int32_t alpha;                         /* up to -1: nothing to draw */
    struct board_mapper_vertex corners[4]; /* row by row */
};

static struct textured textured_of(const struct board_drawn_shape *shape)
{
    enum { CORNER = 1024, PARTS = 16, EDGE = 131071 };
    static const uint32_t turns[] = {5, 7, 3, 1};
    struct textured textured;
    const int32_t reach = shape->sides <= 4 ? BOARD_ONE : 82137;
    const int32_t side = board_times(board_times(shape->radius, reach), 2 * 46341);
    textured.size = (struct board_mapper_vertex){board_clamp(side * 3 / 4 / PARTS, 0, PLACE_MAX),
                                                 board_clamp(side / PARTS, 0, PLACE_MAX)};
    textured.at = (struct board_mapper_vertex){
        board_clamp(shape->x / PARTS - textured.size.x / 2, -PLACE_MAX, PLACE_MAX),
        board_clamp(shape->y / PARTS - textured.size.y / 2, -PLACE_MAX, PLACE_MAX)};
    /* Means over the area of a cone. */
    const struct board_tint in = shape->inner;
    const struct board_tint out = shape->outer;
    textured.light = (in.red + in.green + in.blue + 2 * (out.red + out.green + out.blue)) / 9;
    const int32_t alpha = ((in.alpha + 2 * out.alpha) / 3 * 64 + 127) / 255 - 1;
    const bool seen = textured.size.x > 0 && textured.size.y > 0 && alpha >= 0;
    textured.alpha = seen ? board_clamp(alpha, 0, OPAQUE) : -1;
    const int64_t far = (int64_t)board_times(TURN / 2, reach) * shape->shrink;
    for (size_t i = 0; seen && i < sizeof turns / sizeof *turns; i++) {
        const uint32_t angle = turns[i] * CORNER + (uint32_t)shape->turn;
        const int32_t u = (int32_t)((far * board_cosine(angle)) >> 32) * 3 / 4;
        const int32_t v = (int32_t)((far * board_sine(angle)) >> 32);
        textured.corners[i] = (struct board_mapper_vertex){board_clamp(TURN / 2 + u, -EDGE, EDGE),
                                                           board_clamp(TURN / 2 + v, -EDGE, EDGE)};
    }
    return textured;
}

static struct board_mapper_vertex way_to(struct board_mapper_vertex from,
                                         struct board_mapper_vertex to)
{
    return (struct board_mapper_vertex){to.x - from.x, to.y - from.y};
}

uint32_t board_textured_cycles(const struct board_drawn_shape *shape)
{
    const struct textured textured = textured_of(shape);
    if (textured.alpha < 0) {
        return 0;
    }
    const struct board_square square = {.size = textured.size,
                                        .seen = covered(textured.at.x, textured.size.x) *
                                                covered(textured.at.y, textured.size.y),
                                        .across = way_to(textured.corners[0], textured.corners[1]),
                                        .down = way_to(textured.corners[0], textured.corners[2]),
                                        .blends = shape->additive || textured.alpha < OPAQUE};
    return board_cost_square(&square);
}

static void draw_textured(const struct board *board, const struct board_drawn_shape *shape)
{
    const struct textured textured = textured_of(shape);
    if (textured.alpha < 0) {
        return;
    }
    struct board_mapper_registers registers =
        run_of(texture_at(board, true), texture_at(board, false));
    registers.flags = shape->additive ? BOARD_MAPPER_ADDITIVE : 0;
    registers.brightness = textured.light / 4;
    registers.alpha = textured.alpha;
    registers.texhmask = WRAPPED;
    registers.texvmask = WRAPPED;
    registers.dsthoffset = textured.at.x;
    registers.dstvoffset = textured.at.y;
    registers.dstsquarew = textured.size.x;
    registers.dstsquareh = textured.size.y;
    registers.hmeshlast = 1;
    registers.vmeshlast = 1;
    _Alignas(8) struct board_mapper_vertex corners[BOARD_MAPPER_PITCH + 2];
    corners[0] = textured.corners[0];
    corners[1] = textured.corners[1];
    corners[BOARD_MAPPER_PITCH] = textured.corners[2];
    corners[BOARD_MAPPER_PITCH + 1] = textured.corners[3];
    board->units->draw(board->units->user, &registers, corners);
}

/* ---- the whole ---- */

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
    memcpy(board->item_cells, patch->item_start,
           patch->item_cell_count * sizeof *patch->item_start);
    board->cuts = (struct board_cuts){0};
    board->parts = 0;
    board->hold = 0;
    board->frame_cycles = 0;
    board->random = patch->seed;
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

/* The per-frame equations. Where they take the processor too long for one frame, their loops go on
 * in the next ones; and where it is no loop that takes it, those keep what they have left. */
static void run_frame(struct board *board)
{
    const struct board_units *units = board->units;
    if (board->patch->needs_cpu) {
        bool done = true;
        uint32_t cycles = units->run_cpu(units->user, board->cells, board_cost_part(board), &done);
        cycles += done ? board->patch->cpu_cost : 0;
        const uint32_t turns = board_cost_turns(board, cycles);
        const uint32_t frames = board->parts + turns;
        board->parts = done ? 0 : board->parts + 1;
        board->hold = turns - 1;
        board->frame_cycles = cycles / turns;
        board->cuts.frames = frames > board->cuts.frames ? frames : board->cuts.frames;
        if (!done) {
            return;
        }
    }
    units->run_frame(units->user, board->patch, board->cells);
}

void board_think(struct board *board, const struct board_input *input)
{
    enum { TIME_BITS = 24 };
    const struct board_units *units = board->units;
    board->clock.frame++;
    const bool holds = board->hold > 0;
    if (!holds && board->parts == 0) {
        set_values(board, board->patch->resets, board->patch->reset_count);
        set_values(board, input->settings, input->setting_count);
    }
    const struct board_clock clock = board->clock;
    const int64_t time = (int64_t)((uint64_t)clock.frame << TIME_BITS) / clock.fps;
    set_input(board, BOARD_IN_time, board_word(time, TIME_BITS));
    set_input(board, BOARD_IN_fps, board_word(clock.fps, 0));
    set_input(board, BOARD_IN_frame, board_word(clock.frame, 0));
    for (int i = 0; i < BOARD_BANDS; i++) {
        const bool own = board->patch->own;
        set_input(board, (enum board_heard)(BOARD_IN_bass + i),
                  board_word(board_level(&board->sound, i, false, own), 16));
        set_input(board, (enum board_heard)(BOARD_IN_bass_att + i),
                  board_word(board_level(&board->sound, i, true, own), 16));
    }
    for (int i = 0; i < BOARD_CONTROLS; i++) {
        set_input(board, (enum board_heard)(BOARD_IN_idmx1 + i), input->controls[i]);
    }
    for (size_t i = 0; i < board->patch->random_count; i++) {
        board->cells[board->patch->randoms[i]] = board_random(&board->random);
    }
    if (holds) {
        board->hold--;
    } else {
        run_frame(board);
    }
    units->run_vertex(units->user, board->patch, board->cells, board->mesh);
    board_items_think(board, board->frame_cycles);
}

void board_paint(struct board *board, const struct board_input *input)
{
    const struct board_units *units = board->units;
    /* Front texture to back texture along the mesh, with this frame's brightness: what is cut off
     * of that now counts in the next frames. */
    struct board_mapper_registers registers =
        run_of(texture_at(board, true), texture_at(board, false));
    const int32_t mask = board_param(board, BOARD_wrap) != 0 ? WRAPPED : CLAMPED;
    const uint32_t decay_cell = board->patch->params[BOARD_decay];
    const int32_t decay =
        board_clamp(board_fixed(board->cells[decay_cell], DITHER_BITS), 0, 2 << DITHER_BITS);
    const uint32_t sum = board->canvas.dither + (uint32_t)decay;
    const uint32_t steps = sum >> BRIGHT_SHIFT;
    board->canvas.dither = sum - (steps << BRIGHT_SHIFT);
    registers.brightness = board_clamp((int32_t)steps - 1, 0, OPAQUE);
    registers.texhmask = mask;
    registers.texvmask = mask;
    units->draw(units->user, &registers, board->mesh);
    for (uint32_t i = 0; i < board->items.shape_count; i++) {
        if (board->items.shapes[i].textured) {
            draw_textured(board, &board->items.shapes[i]);
        }
    }
    if (units->begin_pixels != NULL) {
        units->begin_pixels(units->user);
    }
    draw_overlay(board);
    if (units->end_pixels != NULL) {
        units->end_pixels(units->user);
    }
    struct placed added[ADDED];
    place_added(board, &input->video, added);
    for (size_t i = 0; i < ADDED; i++) {
        add_picture(board, &added[i]);
    }
    draw_scaled(board, input->dim);
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
