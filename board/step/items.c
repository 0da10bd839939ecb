/* Custom shapes and waves: from their equations to a list, from the list to pixels. */
#include "board/step/items.h"

#include <string.h>

#include "board/step/brush.h"
#include "board/step/cost.h"
#include "board/step/draw.h"
#include "board/step/step.h"

enum {
    ONE = BOARD_ONE,
    /* Cycles, as the twin has them. */
    LEAST = 60 * 1000,   /* for drawing in any case */
    SHAPE_CYCLES = 3500, /* to take one over, and to begin it */
    COLOUR_CYCLES = 400,
    SIDE_CYCLES = 2200,
    ROW_CYCLES = 60,      /* of a triangle */
    OUTLINE_CYCLES = 400, /* of a side */
    FLAT_CYCLES = 22,     /* of a pixel */
    GRADIENT_CYCLES = 56,
    HEARD_CYCLES = 300,  /* of a sample of both sides, for a custom wave */
    POINT_CYCLES = 1250, /* to take one over */
    DOT_CYCLES = 350,
    PIECE_CYCLES = 550, /* of a line from point to point */
    LINE_CYCLES = 27,   /* of its pixels */
    PIXELS = BOARD_SIDE * BOARD_SIDE,
    TEXTURED_TURNS = 3,
    PART = 16, /* of a pixel */
    FAR = 2048 * PART,
    SAMPLES = 480,
    POINT_FAR = 1500,
    STEEP = 1 << 20,
};

struct thinking {
    struct board *board;
    struct board_items *items;
    uint32_t budget; /* cycles, of all of it */
    uint32_t limit;  /* of the equations */
    uint32_t spent;
    uint32_t mapped; /* by the texture mapper, for textured shapes */
};

static uint32_t *begin(struct board *board, const struct board_item_program *program)
{
    uint32_t *cells = board->item_cells + program->first;
    for (size_t i = 0; i < program->reset_count; i++) {
        cells[program->resets[i].cell] = program->resets[i].word;
    }
    for (size_t i = 0; i < program->copy_count; i++) {
        const struct board_copy *copy = &program->copies[i];
        cells[copy->to] = copy->of_item ? board->item_cells[copy->from] : board->cells[copy->from];
    }
    return cells;
}

static void run(struct thinking *thinking, const struct board_item_program *program,
                uint32_t *cells)
{
    const struct board_units *units = thinking->board->units;
    if (units->give_way != NULL) {
        units->give_way(units->user);
    }
    thinking->spent += program->cost;
    for (size_t i = 0; i < program->random_count; i++) {
        cells[program->randoms[i]] = board_random(&thinking->board->random);
    }
    if (program->on_cpu || program->program.operation_count > 0) {
        thinking->spent += units->run_item(units->user, thinking->board->patch, program, cells);
    }
}

static uint8_t low_bits(uint32_t word)
{
    return (uint8_t)((int64_t)board_fixed(word, 16) * 255 / ONE);
}

static struct board_tint tint_at(const uint32_t *cells, const uint16_t *fields)
{
    return (struct board_tint){low_bits(cells[fields[0]]), low_bits(cells[fields[1]]),
                               low_bits(cells[fields[2]]), low_bits(cells[fields[3]])};
}

/* Radians to 8192nds of a turn. */
static uint32_t turn_of(uint32_t word)
{
    return (uint32_t)(((int64_t)board_fixed(word, 16) * 85445667) >> 32);
}

/* ---- shapes ---- */

static uint32_t area_of(const struct board_drawn_shape *shape)
{
    const uint32_t radius = (uint32_t)shape->radius / PART;
    const uint32_t area = radius * radius * 9 / 4;
    return area < PIXELS ? area : PIXELS;
}

static struct board_drawn_shape shape_of(const struct board_shape_item *item, const uint32_t *cells)
{
    const uint16_t *f = item->fields;
    const int32_t radius = board_clamp(board_fixed(cells[f[BOARD_SHAPE_rad]], 12), -FAR, FAR);
    const int32_t size = radius < 0 ? -radius : radius;
    const int32_t round = 8 + size / (16 * PART);
    const int32_t sides = board_clamp(board_fixed(cells[f[BOARD_SHAPE_sides]], 0),
                                      BOARD_SHAPE_SIDES_MIN, BOARD_SHAPE_SIDES_MAX);
    const int32_t zoom =
        board_clamp(board_fixed(cells[f[BOARD_SHAPE_tex_zoom]], 16), ONE / 64, 64 * ONE);
    const uint32_t angle = turn_of(cells[f[BOARD_SHAPE_ang]]);
    return (struct board_drawn_shape){
        .x = board_clamp(board_fixed(cells[f[BOARD_SHAPE_x]], 13), -FAR, FAR),
        .y = board_clamp(BOARD_SIDE * PART -
                             board_clamp(board_fixed(cells[f[BOARD_SHAPE_y]], 13), -FAR, FAR),
                         -FAR, FAR),
        .radius = size,
        .angle = angle + (radius < 0 ? 4096 : 0),
        .turn = (int32_t)(turn_of(cells[f[BOARD_SHAPE_tex_ang]]) - angle),
        .shrink = (int32_t)(((int64_t)ONE << 16) / zoom),
        .inner = tint_at(cells, f + BOARD_SHAPE_r),
        .outer = tint_at(cells, f + BOARD_SHAPE_r2),
        .border = tint_at(cells, f + BOARD_SHAPE_border_r),
        .sides = (uint8_t)(sides < round ? sides : round),
        .additive = board_fixed(cells[f[BOARD_SHAPE_additive]], 0) != 0,
        .thick = board_fixed(cells[f[BOARD_SHAPE_thick]], 0) != 0,
        .textured = board_fixed(cells[f[BOARD_SHAPE_textured]], 0) != 0,
    };
}

static bool is_seen(const struct board_drawn_shape *shape)
{
    return shape->inner.alpha != 0 || shape->outer.alpha != 0 || shape->border.alpha != 0;
}

/* What is left for the equations of an item when so many share it. */
static uint32_t share_of(const struct thinking *thinking, size_t items_left)
{
    const uint32_t rest = thinking->spent < thinking->limit ? thinking->limit - thinking->spent : 0;
    return rest / (uint32_t)items_left;
}

static uint32_t smaller(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

/* Where not all of its instances fit, each so many'th, in turns. */
static void think_shape(struct thinking *thinking, const struct board_shape_item *item,
                        size_t items_left)
{
    struct board_items *items = thinking->items;
    const struct board_item_program *program = &item->program;
    const uint32_t most = smaller(share_of(thinking, items_left) / (program->cost + SHAPE_CYCLES),
                                  BOARD_DRAWN_SHAPES - items->shape_count);
    const uint32_t turns = most == 0 ? 0 : (item->instances + most - 1) / most;
    uint32_t done = 0;
    for (uint32_t i = turns == 0 ? item->instances : thinking->board->clock.frame % turns;
         i < item->instances && (done == 0 || thinking->spent < thinking->limit);
         i += turns, done++) {
        uint32_t *cells = begin(thinking->board, program);
        if (item->instance != BOARD_NO_CELL) {
            cells[item->instance] = board_word(i, 0);
        }
        run(thinking, program, cells);
        thinking->spent += SHAPE_CYCLES;
        struct board_drawn_shape *shape = &items->shapes[items->shape_count];
        *shape = shape_of(item, cells);
        items->shape_count += is_seen(shape) ? 1 : 0;
    }
    items->shapes_cut += item->instances - done;
}

/* ---- waves ---- */

struct heard {
    int32_t value[2][BOARD_CUSTOM_POINTS]; /* 16 bits of fraction */
};

static void hear(struct heard *heard, const struct thinking *thinking,
                 const struct board_wave_item *item, int32_t count)
{
    const struct board *board = thinking->board;
    const int32_t keep = item->smoothing;
    const int64_t scale =
        ((int64_t)item->scaling * board_param(board, BOARD_wave_scale) >> 16) * 16777 >> 22;
    const int32_t reach = (int32_t)(scale < -STEEP ? -STEEP : scale > STEEP ? STEEP : scale);
    for (int side = 0; side < 2; side++) {
        const int16_t *wave = board->sound.wave[side];
        int32_t *value = heard->value[side];
        const int32_t apart = (int32_t)item->sep / 2;
        const int32_t start = (SAMPLES - count) / 2 + (side == 0 ? -apart : apart);
        for (int32_t i = 0; i < count; i++) {
            const int32_t sample = wave[board_clamp(start + i, 0, BOARD_WAVE - 1)] * 256;
            value[i] = item->spectrum && sample < 0 ? -sample : sample;
        }
        for (int32_t i = 1; i < count; i++) {
            value[i] = board_times(ONE - keep, value[i]) + board_times(keep, value[i - 1]);
        }
        for (int32_t i = count - 2; i >= 0; i--) {
            value[i] = board_times(ONE - keep, value[i]) + board_times(keep, value[i + 1]);
        }
        for (int32_t i = 0; i < count; i++) {
            value[i] = board_times(reach, value[i]);
        }
    }
}

static void put(uint32_t *cells, uint16_t cell, int32_t value)
{
    if (cell != BOARD_NO_CELL) {
        cells[cell] = board_word(value, 16);
    }
}

static struct board_drawn_point point_of(const struct board_wave_item *item, const uint32_t *cells)
{
    const uint16_t *out = item->out;
    const int32_t most = 8 * ONE;
    const int32_t x = board_clamp(board_fixed(cells[out[BOARD_POINT_x]], 16), -most, most);
    const int32_t y = board_clamp(board_fixed(cells[out[BOARD_POINT_y]], 16), -most, most);
    /* The screen is wider than high: equal steps in x and y look equal. */
    const int32_t up = (y - ONE / 2) / 3 * 4;
    return (struct board_drawn_point){
        (int16_t)board_clamp(x >> 7, -POINT_FAR, POINT_FAR),
        (int16_t)board_clamp(BOARD_SIDE / 2 - (up >> 7), -POINT_FAR, POINT_FAR),
        tint_at(cells, out + BOARD_POINT_r)};
}

static void think_wave(struct thinking *thinking, const struct board_wave_item *item,
                       size_t waves_left)
{
    struct board_items *items = thinking->items;
    const uint32_t *frame = begin(thinking->board, &item->frame);
    run(thinking, &item->frame, (uint32_t *)frame);
    const int32_t wanted =
        board_clamp(board_fixed(frame[item->samples], 0), 0, BOARD_CUSTOM_POINTS);
    const int32_t least = item->dots ? 1 : 2;
    thinking->spent += wanted < least ? 0 : HEARD_CYCLES * (uint32_t)wanted;
    const uint32_t most =
        smaller(share_of(thinking, waves_left) / (item->point.cost + POINT_CYCLES),
                BOARD_DRAWN_POINTS - items->point_count);
    const int32_t count = wanted < (int32_t)most ? wanted : (int32_t)most;
    if (wanted < least) {
        return;
    }
    items->points_cut += (uint32_t)(wanted - count);
    if (count < least) {
        return;
    }
    struct heard heard;
    hear(&heard, thinking, item, wanted);
    struct board_drawn_wave *wave = &items->waves[items->wave_count++];
    *wave = (struct board_drawn_wave){.first = (uint16_t)items->point_count,
                                      .count = (uint16_t)count,
                                      .additive = item->additive,
                                      .thick = item->thick,
                                      .dots = item->dots};
    uint32_t *cells = begin(thinking->board, &item->point);
    for (int32_t i = 0; i < count; i++) {
        const int32_t at = count == wanted ? i : i * wanted / count;
        const int32_t value[2] = {heard.value[0][at], heard.value[1][at]};
        put(cells, item->in[BOARD_POINT_sample], count > 1 ? i * ONE / (count - 1) : 0);
        put(cells, item->in[BOARD_POINT_value1], value[0]);
        put(cells, item->in[BOARD_POINT_value2], value[1]);
        put(cells, item->in[BOARD_POINT_x], ONE / 2 + value[0]);
        put(cells, item->in[BOARD_POINT_y], ONE / 2 + value[1]);
        for (int k = 0; k < 4; k++) {
            const uint16_t cell = item->in[BOARD_POINT_r + k];
            if (cell != BOARD_NO_CELL) {
                cells[cell] = frame[item->tint[k]];
            }
        }
        run(thinking, &item->point, cells);
        items->points[items->point_count++] = point_of(item, cells);
    }
    thinking->spent += (uint32_t)count * POINT_CYCLES;
}

/* ---- what it costs ---- */

static uint32_t distance(int32_t a, int32_t b)
{
    return (uint32_t)(a < b ? b - a : a - b);
}

static uint32_t larger(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

struct cost {
    uint32_t fixed;
    uint32_t thinned; /* of what may be thinned out */
};

static void add_shape(struct cost *cost, const struct board_drawn_shape *shape)
{
    const uint32_t radius = (uint32_t)shape->radius / PART;
    const uint32_t sides = shape->sides;
    if (shape->border.alpha != 0) {
        const uint32_t pixels = radius * 6 < 4 * BOARD_SIDE ? radius * 6 : 4 * BOARD_SIDE;
        cost->fixed += OUTLINE_CYCLES * sides + pixels * LINE_CYCLES * (shape->thick ? 2 : 1);
    }
    if (shape->textured || (shape->inner.alpha == 0 && shape->outer.alpha == 0)) {
        return;
    }
    const bool flat = memcmp(&shape->inner, &shape->outer, sizeof shape->inner) == 0;
    const uint32_t rows = radius < BOARD_SIDE / 2 ? radius : BOARD_SIDE / 2;
    const uint32_t inside =
        flat ? area_of(shape) * FLAT_CYCLES + 2 * rows * ROW_CYCLES
             : area_of(shape) * GRADIENT_CYCLES + sides * rows * ROW_CYCLES * 3 / 4;
    cost->fixed += SHAPE_CYCLES + SIDE_CYCLES * sides +
                   (flat ? 0 : (uint32_t)COLOUR_CYCLES << board_shape_steps(shape->radius));
    *(shape->radius >= BOARD_SHAPE_LARGE ? &cost->thinned : &cost->fixed) += inside;
}

static void add_wave(struct cost *cost, const struct board_items *items,
                     const struct board_drawn_wave *wave)
{
    const struct board_drawn_point *point = items->points + wave->first;
    for (uint32_t k = 1; k < wave->count && !wave->dots; k++) {
        const uint32_t length =
            larger(distance(point[k].x, point[k - 1].x), distance(point[k].y, point[k - 1].y));
        const uint32_t pixels = length < BOARD_SIDE ? length : BOARD_SIDE;
        cost->thinned += PIECE_CYCLES + LINE_CYCLES * pixels * (wave->thick ? 2 : 1);
    }
    cost->fixed += wave->dots ? (uint32_t)DOT_CYCLES * wave->count : 0;
}

/* Keeps each so many'th; which, chance says, lest it be the same instances again and again. */
static void leave_out_shapes(struct thinking *thinking, uint32_t turns)
{
    struct board_items *items = thinking->items;
    uint32_t kept = 0;
    if (items->shape_count == 0) {
        return;
    }
    turns = smaller(turns, items->shape_count);
    const uint32_t shift = (board_random(&thinking->board->random) >> 4) % turns;
    for (uint32_t i = 0; i < items->shape_count; i++) {
        if ((i + shift) % turns == 0) {
            items->shapes[kept++] = items->shapes[i];
        }
    }
    items->shapes_cut += items->shape_count - kept;
    items->shape_count = kept;
}

static struct cost cost_of(const struct board_items *items)
{
    struct cost cost = {0, 0};
    for (uint32_t i = 0; i < items->wave_count; i++) {
        add_wave(&cost, items, &items->waves[i]);
    }
    for (uint32_t i = 0; i < items->shape_count; i++) {
        add_shape(&cost, &items->shapes[i]);
    }
    return cost;
}

static void keep_outline(struct board_items *items, struct board_drawn_shape *shape)
{
    items->shapes_cut++;
    shape->inner.alpha = 0;
    shape->outer.alpha = 0;
}

/* Where the texture mapper has no time for all textured shapes, the others keep their outline
 * alone: in turns. One that takes more than a frame leaves is drawn in so many frames less. */
static void take_textures(struct thinking *thinking)
{
    struct board_items *items = thinking->items;
    const uint32_t frame = thinking->board->clock.frame;
    const uint32_t most = larger(items->painting_room, LEAST);
    uint32_t cycles[BOARD_DRAWN_SHAPES];
    uint32_t places[BOARD_DRAWN_SHAPES];
    uint32_t count = 0;
    uint32_t taken = 0;
    for (uint32_t i = 0; i < items->shape_count; i++) {
        cycles[i] = items->shapes[i].textured ? board_textured_cycles(&items->shapes[i]) : 0;
        if (cycles[i] > 0) {
            places[count++] = i;
        }
    }
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t place = places[(i + frame) % count];
        const uint32_t turns = cycles[place] / most + 1;
        const bool alone = turns > 1 && turns <= TEXTURED_TURNS && taken == 0 && frame % turns == 0;
        if (taken < BOARD_DRAWN_TEXTURED && (alone || thinking->mapped + cycles[place] <= most)) {
            thinking->mapped += cycles[place];
            taken++;
        } else {
            keep_outline(items, &items->shapes[place]);
        }
    }
}

/* Finds how much of it has to be left out: shapes, then rows and pieces, then more of the shapes.
 */
static void thin_out(struct thinking *thinking)
{
    struct board_items *items = thinking->items;
    const uint32_t rest =
        thinking->budget > thinking->spent ? thinking->budget - thinking->spent : 0;
    const uint32_t mapped = thinking->mapped;
    const uint32_t painting = items->painting_room > mapped ? items->painting_room - mapped : 0;
    const uint32_t left = larger(smaller(rest, painting), LEAST);
    struct cost cost = cost_of(items);
    if (cost.fixed > left / 4 * 3) {
        leave_out_shapes(thinking, cost.fixed / (left / 4 * 3) + 1);
        cost = cost_of(items);
    }
    while (items->thin < BOARD_THIN_MAX && cost.fixed + cost.thinned / items->thin > left) {
        items->thin *= 2;
    }
    if (cost.fixed + cost.thinned / items->thin > left) {
        leave_out_shapes(thinking, (cost.fixed + cost.thinned / items->thin) / left + 1);
        cost = cost_of(items);
    }
    items->equation_cycles = thinking->spent;
    items->drawing_cycles = cost.fixed + cost.thinned / items->thin;
}

void board_items_think(struct board *board, uint32_t equations)
{
    struct thinking thinking = {.board = board, .items = &board->items};
    struct board_items *items = &board->items;
    const struct board_patch *patch = board->patch;
    items->shape_count = 0;
    items->wave_count = 0;
    items->point_count = 0;
    items->thin = 1;
    items->shapes_cut = 0;
    items->points_cut = 0;
    items->frame_cycles = equations;
    items->equation_cycles = 0;
    items->drawing_cycles = 0;
    board_cost_begin(board, equations);
    struct board_cuts *cuts = &board->cuts;
    cuts->overlay = larger(cuts->overlay, items->overlay_turns);
    cuts->echo =
        cuts->echo || (!items->echoes && board_param(board, BOARD_echo_alpha) > BOARD_ONE / 32);
    if (patch->shape_count + patch->wave_count == 0) {
        return;
    }
    thinking.budget = items->room;
    thinking.limit = thinking.budget / 2;
    for (size_t i = 0; i < patch->shape_count; i++) {
        think_shape(&thinking, &patch->shapes[i], patch->shape_count - i + patch->wave_count);
    }
    for (size_t i = 0; i < patch->wave_count; i++) {
        think_wave(&thinking, &patch->waves[i], patch->wave_count - i);
    }
    take_textures(&thinking);
    thin_out(&thinking);
    cuts->thin = larger(cuts->thin, items->thin);
    cuts->shapes = larger(cuts->shapes, items->shapes_cut);
    cuts->points = larger(cuts->points, items->points_cut);
}

void board_items_copy(struct board_items *to, const struct board_items *from)
{
    memcpy(to, from, offsetof(struct board_items, shapes));
    memcpy(to->shapes, from->shapes, from->shape_count * sizeof *to->shapes);
    memcpy(to->points, from->points, from->point_count * sizeof *to->points);
}

/* ---- pixels ---- */

static int32_t whole(int32_t place)
{
    return board_clamp(place >> 4, -POINT_FAR, POINT_FAR);
}

static void draw_outline(uint8_t *texture, const struct board_drawn_shape *shape, uint32_t frame)
{
    struct board_point rim[BOARD_SHAPE_SIDES_MAX + 1];
    const struct board_brush brush = board_brush_of_tint(shape->border, shape->additive, frame);
    board_shape_rim(shape, rim);
    for (uint32_t i = 0; i <= shape->sides; i++) {
        rim[i] = (struct board_point){whole(rim[i].x), whole(rim[i].y)};
    }
    for (uint32_t i = 0; i < shape->sides; i++) {
        board_brush_line(texture, &brush, shape->thick, rim[i], rim[i + 1]);
    }
}

static void draw_wave(uint8_t *texture, const struct board_items *items,
                      const struct board_drawn_wave *wave, uint32_t frame)
{
    const struct board_drawn_point *points = items->points + wave->first;
    bool moves = false;
    for (uint32_t i = 0; i < wave->count; i++) {
        const struct board_drawn_point *point = &points[i];
        const struct board_point at = {point->x, point->y};
        const bool last = i + 1 == wave->count;
        moves = moves || (!last && (at.x != points[i + 1].x || at.y != points[i + 1].y));
        if (point->tint.alpha == 0) {
            continue;
        }
        const struct board_brush brush =
            board_brush_of_tint(point->tint, wave->additive, i + 97 * frame);
        if (wave->dots || (last && !moves)) {
            board_brush_dot(texture, &brush, wave->thick ? 2 : 1, at);
        } else if (!last && (i + frame) % items->thin == 0) {
            const struct board_point to = {points[i + 1].x, points[i + 1].y};
            board_brush_line(texture, &brush, wave->thick, at, to);
        }
    }
}

void board_items_paint(const struct board *board, uint8_t *texture)
{
    const struct board_items *items = &board->items;
    const uint32_t frame = board->clock.frame;
    for (uint32_t i = 0; i < items->shape_count; i++) {
        const struct board_drawn_shape *shape = &items->shapes[i];
        if (!shape->textured) {
            board_polygon(texture, shape, items->thin, frame);
        }
        if (shape->border.alpha != 0) {
            draw_outline(texture, shape, frame);
        }
    }
    for (uint32_t i = 0; i < items->wave_count; i++) {
        draw_wave(texture, items, &items->waves[i], frame);
    }
}
