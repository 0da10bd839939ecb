#include "gpu/spirv/fixed/overlay.h"

#include "gpu/spirv/read.h"
#include "gpu/spirv/fixed/texel.h"
#include "renderer/draw/list.h"

enum { COLOURS = REND_SPAN_ALPHA, CHANNEL = 255 };

/* ---- whole numbers of one invocation ---- */

static uint32_t make(struct spirv *module, enum spirv_op op, uint32_t a, uint32_t b)
{
    return SPIRV_MAKE(module, op, SPIRV_UINT, a, b);
}

static uint32_t left(struct spirv *module, uint32_t word, uint32_t bits)
{
    return make(module, SPIRV_SHIFT_LEFT, word, spirv_word(module, bits));
}

static uint32_t right_signed(struct spirv *module, uint32_t word, uint32_t bits)
{
    return make(module, SPIRV_SHIFT_RIGHT_SIGNED, word, spirv_word(module, bits));
}

static uint32_t low_half(struct spirv *module, uint32_t word)
{
    return spirv_masked(module, word, UINT16_MAX);
}

/* The same as numbers with a sign. */
static uint32_t signed_half(struct spirv *module, uint32_t word)
{
    return right_signed(module, left(module, word, 16), 16);
}

static uint32_t compare(struct spirv *module, enum spirv_op op, uint32_t a, uint32_t b)
{
    return SPIRV_MAKE(module, op, SPIRV_BOOL, a, b);
}

static uint32_t both(struct spirv *module, uint32_t a, uint32_t b)
{
    return SPIRV_MAKE(module, SPIRV_LOGICAL_AND, SPIRV_BOOL, a, b);
}

static uint32_t is_set(struct spirv *module, uint32_t word, uint32_t bits)
{
    return compare(module, SPIRV_INTEGER_NOT_EQUAL, spirv_masked(module, word, bits),
                   spirv_word(module, 0));
}

static uint32_t is_below(struct spirv *module, uint32_t a, uint32_t b)
{
    return compare(module, SPIRV_UNSIGNED_LESS, a, b);
}

static uint32_t is_within(struct spirv *module, uint32_t a, uint32_t first, uint32_t end)
{
    return both(module, compare(module, SPIRV_UNSIGNED_GREATER_EQUAL, a, first),
                is_below(module, a, end));
}

static uint32_t larger_signed(struct spirv *module, uint32_t a, uint32_t b)
{
    return spirv_chosen(module, compare(module, SPIRV_SIGNED_GREATER, a, b), a, b);
}

static uint32_t smaller_signed(struct spirv *module, uint32_t a, uint32_t b)
{
    return spirv_chosen(module, compare(module, SPIRV_SIGNED_GREATER, a, b), b, a);
}

/* ---- parts of a program ---- */

/* What follows is done if a condition holds, and what stands behind begin_else if not. */
struct choice {
    uint32_t other;
    uint32_t end;
};

static struct choice begin_choice(struct spirv *module, uint32_t condition)
{
    const struct choice choice = {spirv_name(module), spirv_name(module)};
    const uint32_t first = spirv_name(module);
    SPIRV_PUT(module, SPIRV_SELECTION_MERGE, choice.end, 0);
    SPIRV_PUT(module, SPIRV_BRANCH_CONDITIONAL, condition, first, choice.other);
    spirv_label(module, first);
    return choice;
}

static void begin_else(struct spirv *module, struct choice choice)
{
    spirv_branch(module, choice.end);
    spirv_label(module, choice.other);
}

static void end_choice(struct spirv *module, struct choice choice)
{
    spirv_branch(module, choice.end);
    spirv_label(module, choice.end);
}

/* What follows is done for each number from the first up to the end, which is not. */
struct loop {
    uint32_t counter; /* a variable */
    uint32_t number;
    uint32_t head;
    uint32_t next;
    uint32_t behind;
};

static struct loop begin_loop(struct spirv *module, uint32_t counter, uint32_t first, uint32_t end)
{
    struct loop loop = {.counter = counter,
                        .head = spirv_name(module),
                        .next = spirv_name(module),
                        .behind = spirv_name(module)};
    const uint32_t test = spirv_name(module);
    const uint32_t body = spirv_name(module);
    spirv_store(module, counter, first);
    spirv_branch(module, loop.head);
    spirv_label(module, loop.head);
    SPIRV_PUT(module, SPIRV_LOOP_MERGE, loop.behind, loop.next, 0);
    spirv_branch(module, test);
    spirv_label(module, test);
    loop.number = spirv_load(module, SPIRV_UINT, counter);
    SPIRV_PUT(module, SPIRV_BRANCH_CONDITIONAL, is_below(module, loop.number, end), body,
              loop.behind);
    spirv_label(module, body);
    return loop;
}

static void end_loop(struct spirv *module, const struct loop *loop)
{
    spirv_branch(module, loop->next);
    spirv_label(module, loop->next);
    spirv_store(module, loop->counter, spirv_sum(module, loop->number, spirv_word(module, 1)));
    spirv_branch(module, loop->head);
    spirv_label(module, loop->behind);
}

/* ---- an item ---- */

/* What the functions share of the pixel and the item that is looked at. */
struct overlay {
    struct spirv *module;
    uint32_t x;
    uint32_t y;
    uint32_t pixel; /* variables: as it is so far, */
    uint32_t far;   /* how far it lies, as struct rend_span_kernels has it, */
    uint32_t counts[2];
    uint32_t counter;
    uint32_t side_counter;
    uint32_t texel; /* and that of the texture */
    uint32_t item;  /* the place of its first word */
    uint32_t kind;
    uint32_t first; /* of its reach */
    uint32_t major;
    uint32_t low; /* of what it draws where `major` is */
};

static uint32_t number(struct spirv *module, enum spirv_overlay_word word)
{
    return spirv_read(module, SPIRV_BUFFER_NUMBERS, spirv_word(module, word));
}

static uint32_t listed(struct spirv *module, uint32_t place)
{
    return spirv_read(module, SPIRV_BUFFER_PLACES, place);
}

static uint32_t word_of(const struct overlay *overlay, uint32_t word)
{
    return listed(overlay->module,
                  spirv_sum(overlay->module, overlay->item, spirv_word(overlay->module, word)));
}

static uint32_t is_kind(const struct overlay *overlay, enum rend_item_kind kind)
{
    struct spirv *module = overlay->module;
    return compare(module, SPIRV_INTEGER_EQUAL,
                   spirv_masked(module, overlay->kind, REND_ITEM_KINDS - 1),
                   spirv_word(module, kind));
}

/* upper(at + x per_x + y per_y) + upper(i per_x), x being that of the block's first pixel, with its
 * sign, or if the sides are faced without. */
static uint32_t far_from_side(const struct overlay *overlay, uint32_t side, uint32_t in_block)
{
    struct spirv *module = overlay->module;
    const uint32_t at = listed(module, side);
    const uint32_t per_x = listed(module, spirv_sum(module, side, spirv_word(module, 1)));
    const uint32_t per_y = listed(module, spirv_sum(module, side, spirv_word(module, 2)));
    const uint32_t x = spirv_difference(module, overlay->x, in_block);
    const uint32_t base = spirv_sum(module, at,
                                    spirv_sum(module, spirv_product(module, x, per_x),
                                              spirv_product(module, overlay->y, per_y)));
    const uint32_t sum = spirv_sum(module, spirv_right(module, base, 16),
                                   spirv_right(module, spirv_product(module, in_block, per_x), 16));
    const uint32_t far = signed_half(module, sum);
    const uint32_t other =
        signed_half(module, spirv_difference(module, spirv_word(module, 0), far));
    return spirv_chosen(module, is_set(module, overlay->kind, REND_ITEM_FACED),
                        larger_signed(module, far, other), far);
}

/* How many spokes lie before a pixel of the row. */
static uint32_t count_spokes(const struct overlay *overlay, uint32_t count, uint32_t x)
{
    struct spirv *module = overlay->module;
    const uint32_t zero = spirv_number(module, SPIRV_FLOAT, 0.0f);
    const uint32_t from_x =
        SPIRV_MAKE(module, SPIRV_BITCAST, SPIRV_FLOAT, word_of(overlay, REND_ITEM_FROM_X));
    const uint32_t from_y =
        SPIRV_MAKE(module, SPIRV_BITCAST, SPIRV_FLOAT, word_of(overlay, REND_ITEM_FROM_Y));
    const uint32_t down =
        SPIRV_MAKE(module, SPIRV_FLOAT_ADD, SPIRV_FLOAT,
                   SPIRV_MAKE(module, SPIRV_UNSIGNED_TO_FLOAT, SPIRV_FLOAT, overlay->y), from_y);
    const uint32_t across =
        SPIRV_MAKE(module, SPIRV_FLOAT_ADD, SPIRV_FLOAT,
                   SPIRV_MAKE(module, SPIRV_UNSIGNED_TO_FLOAT, SPIRV_FLOAT, x), from_x);
    const uint32_t turned = compare(module, SPIRV_FLOAT_LESS, down, zero);
    const uint32_t length =
        SPIRV_MAKE(module, SPIRV_SELECT, SPIRV_FLOAT, turned,
                   SPIRV_MAKE(module, SPIRV_FLOAT_SUB, SPIRV_FLOAT, zero, down), down);
    const uint32_t place =
        SPIRV_MAKE(module, SPIRV_SELECT, SPIRV_FLOAT, turned,
                   SPIRV_MAKE(module, SPIRV_FLOAT_SUB, SPIRV_FLOAT, zero, across), across);
    const uint32_t slopes = word_of(overlay, REND_ITEM_SLOPES);
    spirv_store(module, count, spirv_word(module, 0));
    const struct loop loop = begin_loop(module, overlay->side_counter, spirv_word(module, 0),
                                        word_of(overlay, REND_ITEM_SPOKES));
    const uint32_t slope = SPIRV_MAKE(module, SPIRV_BITCAST, SPIRV_FLOAT,
                                      listed(module, spirv_sum(module, slopes, loop.number)));
    const uint32_t reach = SPIRV_MAKE(module, SPIRV_FLOAT_MUL, SPIRV_FLOAT, slope, length);
    const uint32_t behind = compare(module, SPIRV_FLOAT_LESS, place, reach);
    spirv_store(
        module, count,
        spirv_sum(module, spirv_load(module, SPIRV_UINT, count),
                  spirv_chosen(module, behind, spirv_word(module, 1), spirv_word(module, 0))));
    end_loop(module, &loop);
    return spirv_load(module, SPIRV_UINT, count);
}

/* How far a pixel of a polygon lies from its centre. */
static void find_far(const struct overlay *overlay)
{
    struct spirv *module = overlay->module;
    const uint32_t zero = spirv_word(module, 0);
    const uint32_t sides = word_of(overlay, REND_ITEM_SIDES);
    const uint32_t spokes = word_of(overlay, REND_ITEM_SPOKES);
    const uint32_t distances = word_of(overlay, REND_ITEM_DISTANCES);
    const uint32_t in_block = spirv_masked(
        module, spirv_difference(module, overlay->x, overlay->low), REND_DISTANCE_BLOCK - 1);
    const uint32_t first = spirv_variable(module, SPIRV_UINT);
    const uint32_t end = spirv_variable(module, SPIRV_UINT);
    spirv_store(module, overlay->far, zero);
    spirv_store(module, first, zero);
    spirv_store(module, end, sides);
    const struct spirv_part few =
        spirv_begin_part(module, compare(module, SPIRV_INTEGER_NOT_EQUAL, spokes, zero));
    const uint32_t begins = spirv_difference(module, overlay->x, in_block);
    const uint32_t a = count_spokes(overlay, overlay->counts[0], begins);
    const uint32_t b =
        count_spokes(overlay, overlay->counts[1],
                     spirv_sum(module, begins, spirv_word(module, REND_DISTANCE_BLOCK - 1)));
    const uint32_t low = smaller_signed(module, a, b);
    const uint32_t more = spirv_difference(module, larger_signed(module, a, b), low);
    const uint32_t groups =
        spirv_right(module, spirv_sum(module, more, spirv_word(module, REND_DISTANCE_SIDES)), 2);
    const uint32_t from = spirv_sum(module, word_of(overlay, REND_ITEM_FIRST), low);
    spirv_store(module, first, from);
    spirv_store(module, end, spirv_sum(module, from, left(module, groups, 2)));
    spirv_end_part(module, few);
    const struct loop loop =
        begin_loop(module, overlay->counter, spirv_load(module, SPIRV_UINT, first),
                   spirv_load(module, SPIRV_UINT, end));
    const uint32_t side =
        spirv_sum(module, distances, spirv_product(module, loop.number, spirv_word(module, 3)));
    const uint32_t far = far_from_side(overlay, side, in_block);
    spirv_store(module, overlay->far,
                larger_signed(module, spirv_load(module, SPIRV_UINT, overlay->far), far));
    end_loop(module, &loop);
}

static uint32_t coordinate(const struct overlay *overlay, uint32_t word)
{
    struct spirv *module = overlay->module;
    return spirv_sum(module, word_of(overlay, word),
                     spirv_sum(module,
                               spirv_product(module, overlay->x, word_of(overlay, word + 1)),
                               spirv_product(module, overlay->y, word_of(overlay, word + 2))));
}

static void read_texel(const struct overlay *overlay)
{
    struct spirv *module = overlay->module;
    const struct spirv_surface surface = {
        .buffer = SPIRV_BUFFER_PICTURES,
        .first = number(module, SPIRV_OVERLAY_TEXTURE),
        .pitch = number(module, SPIRV_OVERLAY_TEXTURE_PITCH),
    };
    const uint32_t width = number(module, SPIRV_OVERLAY_WIDTH);
    const uint32_t height = number(module, SPIRV_OVERLAY_HEIGHT);
    const struct spirv_neighbours x = spirv_neighbours(
        module, spirv_wrap(module, coordinate(overlay, REND_ITEM_U), width), width);
    const struct spirv_neighbours y = spirv_neighbours(
        module, spirv_wrap(module, coordinate(overlay, REND_ITEM_V), height), height);
    spirv_store(module, overlay->texel, spirv_texel(module, &surface, &x, &y, 0));
}

/* Of the colour and alpha of a shade so far away (renderer/draw/span.c). */
static uint32_t value_at(const struct overlay *overlay, uint32_t k, uint32_t share)
{
    struct spirv *module = overlay->module;
    const uint32_t word = word_of(overlay, REND_ITEM_COLOURS + k);
    const uint32_t more =
        spirv_sum(module, spirv_product(module, share, right_signed(module, word, 16)),
                  spirv_word(module, 1 << 14));
    return spirv_sum(module, signed_half(module, word), right_signed(module, more, 15));
}

static uint32_t times_below(struct spirv *module, uint32_t a, uint32_t b)
{
    return left(module, right_signed(module, spirv_product(module, a, b), 16), 1);
}

static uint32_t joined(struct spirv *module, uint32_t pixel, uint32_t channel, uint32_t k)
{
    return make(module, SPIRV_BIT_OR, pixel, left(module, channel, 8 * k));
}

static uint32_t channel_of(struct spirv *module, uint32_t pixel, uint32_t k)
{
    return spirv_masked(module, spirv_right(module, pixel, 8 * k), CHANNEL);
}

static uint32_t shaded(const struct overlay *overlay)
{
    struct spirv *module = overlay->module;
    const uint32_t zero = spirv_word(module, 0);
    const uint32_t far = spirv_load(module, SPIRV_UINT, overlay->far);
    const uint32_t before = spirv_load(module, SPIRV_UINT, overlay->pixel);
    const uint32_t texel = spirv_load(module, SPIRV_UINT, overlay->texel);
    const uint32_t textured = is_set(module, overlay->kind, REND_ITEM_TEXTURED);
    const uint32_t opaque = is_set(module, overlay->kind, REND_ITEM_OPAQUE);
    const uint32_t added = is_set(module, overlay->kind, REND_ITEM_ADDED);
    const uint32_t ahead = larger_signed(module, far, zero);
    const uint32_t share =
        spirv_least(module, left(module, ahead, 1), spirv_word(module, REND_SPAN_WHOLE));
    const uint32_t alpha = value_at(overlay, REND_SPAN_ALPHA, share);
    uint32_t pixel = zero;
    for (uint32_t k = 0; k < COLOURS; k++) {
        const uint32_t own = value_at(overlay, k, share);
        const uint32_t light = left(module, channel_of(module, texel, k), 7);
        const uint32_t rounded = right_signed(
            module,
            spirv_sum(module, spirv_product(module, light, own), spirv_word(module, 1 << 14)), 15);
        const uint32_t lit = spirv_chosen(module, opaque, times_below(module, light, own), rounded);
        const uint32_t colour = spirv_chosen(module, textured, lit, own);
        const uint32_t dst = left(module, channel_of(module, before, k), 7);
        const uint32_t over =
            spirv_chosen(module, added, colour, spirv_difference(module, colour, dst));
        const uint32_t sum = spirv_chosen(module, opaque, colour,
                                          spirv_sum(module, dst, times_below(module, over, alpha)));
        const uint32_t level =
            spirv_right(module, spirv_sum(module, sum, spirv_word(module, REND_SPAN_LEVEL / 2)), 7);
        pixel = joined(module, pixel, spirv_least(module, level, spirv_word(module, CHANNEL)), k);
    }
    return pixel;
}

static uint32_t tinted(const struct overlay *overlay)
{
    struct spirv *module = overlay->module;
    const uint32_t before = spirv_load(module, SPIRV_UINT, overlay->pixel);
    const uint32_t added = is_set(module, overlay->kind, REND_ITEM_ADDED);
    const uint32_t first = word_of(overlay, REND_ITEM_COLOURS);
    const uint32_t second = word_of(overlay, REND_ITEM_COLOURS + 1);
    const uint32_t source[COLOURS] = {low_half(module, first), spirv_right(module, first, 16),
                                      low_half(module, second)};
    const uint32_t rest = spirv_right(module, second, 16);
    uint32_t pixel = spirv_word(module, 0);
    for (uint32_t k = 0; k < COLOURS; k++) {
        const uint32_t dst = channel_of(module, before, k);
        const uint32_t sum =
            spirv_least(module, spirv_sum(module, dst, source[k]), spirv_word(module, CHANNEL));
        const uint32_t mixed = spirv_sum(module, spirv_product(module, dst, rest), source[k]);
        const uint32_t divided =
            spirv_right(module, spirv_sum(module, mixed, spirv_right(module, mixed, 8)), 8);
        pixel = joined(module, pixel, spirv_chosen(module, added, sum, divided), k);
    }
    return pixel;
}

static void draw(const struct overlay *overlay)
{
    struct spirv *module = overlay->module;
    const struct choice shade =
        begin_choice(module, is_set(module, overlay->kind, REND_ITEM_SHADED));
    const struct choice polygon = begin_choice(module, is_kind(overlay, REND_ITEM_POLYGON));
    find_far(overlay);
    const struct spirv_part texture =
        spirv_begin_part(module, is_set(module, overlay->kind, REND_ITEM_TEXTURED));
    read_texel(overlay);
    spirv_end_part(module, texture);
    begin_else(module, polygon);
    const uint32_t past =
        spirv_difference(module, overlay->major, word_of(overlay, REND_ITEM_RAMP_FROM));
    const uint32_t ramp =
        spirv_sum(module, word_of(overlay, REND_ITEM_RAMP_START),
                  spirv_product(module, past, word_of(overlay, REND_ITEM_RAMP_STEP)));
    spirv_store(module, overlay->far, right_signed(module, ramp, 16));
    end_choice(module, polygon);
    spirv_store(module, overlay->pixel, shaded(overlay));
    begin_else(module, shade);
    spirv_store(module, overlay->pixel, tinted(overlay));
    end_choice(module, shade);
}

/* What an item draws where the major axis is, from `low` up to the end. */
static uint32_t find_end(struct overlay *overlay, uint32_t low, uint32_t end)
{
    struct spirv *module = overlay->module;
    const uint32_t places = word_of(overlay, REND_ITEM_PLACES);
    const uint32_t past = spirv_difference(module, overlay->major, overlay->first);
    spirv_store(module, low, low_half(module, places));
    spirv_store(module, end, spirv_right(module, places, 16));
    const struct choice polygon = begin_choice(module, is_kind(overlay, REND_ITEM_POLYGON));
    const uint32_t run = listed(module, spirv_sum(module, places, past));
    spirv_store(module, low, low_half(module, run));
    spirv_store(module, end, spirv_right(module, run, 16));
    begin_else(module, polygon);
    const struct spirv_part stroke = spirv_begin_part(module, is_kind(overlay, REND_ITEM_STROKE));
    const uint32_t pair = listed(module, spirv_sum(module, places, spirv_right(module, past, 1)));
    const uint32_t minor = low_half(module, make(module, SPIRV_SHIFT_RIGHT, pair,
                                                 left(module, spirv_masked(module, past, 1), 4)));
    spirv_store(module, low, minor);
    spirv_store(module, end, spirv_sum(module, minor, spirv_word(module, 1)));
    spirv_end_part(module, stroke);
    end_choice(module, polygon);
    overlay->low = spirv_load(module, SPIRV_UINT, low);
    return spirv_load(module, SPIRV_UINT, end);
}

static void draw_items(struct overlay *overlay)
{
    struct spirv *module = overlay->module;
    const uint32_t tile = spirv_sum(module,
                                    spirv_product(module, spirv_right(module, overlay->y, 3),
                                                  number(module, SPIRV_OVERLAY_TILES)),
                                    spirv_right(module, overlay->x, 6));
    _Static_assert(REND_LIST_ROWS == 1 << 3 && REND_LIST_COLUMNS == 1 << 6, "shifted above");
    const uint32_t looked = number(module, SPIRV_OVERLAY_LISTED);
    const uint32_t begin = spirv_product(module, listed(module, tile), looked);
    const uint32_t end = spirv_product(
        module, listed(module, spirv_sum(module, tile, spirv_word(module, 1))), looked);
    const uint32_t low_variable = spirv_variable(module, SPIRV_UINT);
    const uint32_t end_variable = spirv_variable(module, SPIRV_UINT);
    const struct loop loop = begin_loop(module, spirv_variable(module, SPIRV_UINT), begin, end);
    overlay->item = listed(module, loop.number);
    overlay->kind = word_of(overlay, REND_ITEM_KIND);
    const uint32_t reach = word_of(overlay, REND_ITEM_REACH);
    const uint32_t down = is_set(module, overlay->kind, REND_ITEM_DOWN);
    overlay->major = spirv_chosen(module, down, overlay->y, overlay->x);
    const uint32_t minor = spirv_chosen(module, down, overlay->x, overlay->y);
    overlay->first = low_half(module, reach);
    const struct spirv_part reached = spirv_begin_part(
        module, is_within(module, overlay->major, overlay->first, spirv_right(module, reach, 16)));
    const uint32_t stop = find_end(overlay, low_variable, end_variable);
    const struct spirv_part hit =
        spirv_begin_part(module, is_within(module, minor, overlay->low, stop));
    draw(overlay);
    spirv_end_part(module, hit);
    spirv_end_part(module, reached);
    end_loop(module, &loop);
}

/* Behind the last column the first one stands again. */
static uint32_t inside(struct spirv *module, uint32_t at, enum spirv_overlay_word size)
{
    return spirv_chosen(module, compare(module, SPIRV_INTEGER_EQUAL, at, number(module, size)),
                        spirv_word(module, 0), at);
}

/* A pixel, with what stands on it. */
static void make_pixel(struct spirv *module, uint32_t column, uint32_t row)
{
    struct overlay overlay = {
        .module = module,
        .x = inside(module, column, SPIRV_OVERLAY_WIDTH),
        .y = inside(module, row, SPIRV_OVERLAY_HEIGHT),
        .pixel = spirv_variable(module, SPIRV_UINT),
        .far = spirv_variable(module, SPIRV_UINT),
        .counts = {spirv_variable(module, SPIRV_UINT), spirv_variable(module, SPIRV_UINT)},
        .counter = spirv_variable(module, SPIRV_UINT),
        .side_counter = spirv_variable(module, SPIRV_UINT),
        .texel = spirv_variable(module, SPIRV_UINT),
    };
    const uint32_t source = spirv_sum(
        module, number(module, SPIRV_OVERLAY_SOURCE),
        spirv_sum(module,
                  spirv_product(module, overlay.y, number(module, SPIRV_OVERLAY_SOURCE_PITCH)),
                  overlay.x));
    spirv_store(module, overlay.pixel, spirv_read(module, SPIRV_BUFFER_TEXELS, source));
    draw_items(&overlay);
    const uint32_t target = spirv_sum(
        module, number(module, SPIRV_OVERLAY_TARGET),
        spirv_sum(module, spirv_product(module, row, number(module, SPIRV_OVERLAY_TARGET_PITCH)),
                  column));
    SPIRV_PUT(module, SPIRV_STORE, spirv_place(module, SPIRV_BUFFER_RESULTS, target),
              spirv_load(module, SPIRV_UINT, overlay.pixel));
}

uint32_t *spirv_overlay_words(struct spirv_controls controls, size_t *count)
{
    struct spirv made;
    struct spirv *module = &made;
    struct spirv_outer outer;
    spirv_begin(module);
    spirv_function(module, &outer, SPIRV_VOID, NULL, 0, NULL);
    const uint32_t where = spirv_load(module, SPIRV_VECTOR, module->invocation);
    const uint32_t column = SPIRV_MAKE(module, SPIRV_COMPOSITE_EXTRACT, SPIRV_UINT, where, 0);
    const uint32_t row = SPIRV_MAKE(module, SPIRV_COMPOSITE_EXTRACT, SPIRV_UINT, where, 1);
    const uint32_t wanted = is_below(module, column, number(module, SPIRV_OVERLAY_COLUMNS));
    /* A pixel may be drawn where it stood: only one invocation may do that. */
    const struct spirv_part choice = spirv_begin_part(module, wanted);
    make_pixel(module, column, row);
    spirv_end_part(module, choice);
    const uint32_t main = spirv_function_end(module, &outer, 0);
    uint32_t *words = spirv_end(module, main, SPIRV_OVERLAY_GROUP, controls, count);
    spirv_free(module);
    return words;
}
