#include "gpu/spirv/read.h"

#include "gpu/spirv/arithmetic.h"
#include "gpu/spirv/lanes.h"
#include "renderer/shader/math/terms.h"
#include "renderer/shader/run/kernels.h"

enum { CHANNELS = 4, AXES = 3 };

/* Where a quad's detail comes from. */
enum source { FROM_STEPS, FROM_STEPS_AND_BIAS, FROM_DETAIL };

struct kind {
    struct shader_sampler sampler;
    bool volume;
    enum source source;
    const struct spirv_source *only; /* of one level; NULL: any texture with several */
    unsigned texels;                 /* the buffer that they stand in */
};

/* Functions of a module, one for each kind; arithmetic.c has those before. */
enum { FIRST_FUNCTION = SHADER_OP_COUNT + 8, WAYS = 8, KINDS = 6 * WAYS };
_Static_assert((int)FIRST_FUNCTION + KINDS + SHADER_TEXTURES_MAX * WAYS <= (int)SPIRV_FUNCTIONS,
               "functions of a module");

static unsigned function_of(const struct kind *kind, unsigned binding)
{
    const unsigned way = (unsigned)kind->sampler.linear + 2 * (unsigned)kind->sampler.address +
                         4 * (unsigned)kind->volume;
    const unsigned several =
        2 * (unsigned)kind->source + (kind->texels == SPIRV_BUFFER_PICTURES ? 1 : 0);
    return FIRST_FUNCTION + way + WAYS * (kind->only != NULL ? KINDS / WAYS + binding : several);
}

static size_t level_texels(const struct shader_level *level)
{
    return level->depth > 1 ? level->slice * (size_t)level->depth
                            : level->pitch * (size_t)level->height + (size_t)level->width + 1;
}

size_t spirv_texture_texels(const struct shader_texture *texture)
{
    size_t texels = 0;
    for (int i = 0; texture != NULL && i < texture->levels; i++) {
        texels += level_texels(&texture->level[i]);
    }
    return texels;
}

void spirv_source_words(uint32_t words[SPIRV_TEXTURE_WORDS], const struct spirv_source *source)
{
    const struct shader_texture *texture = source->texture;
    memset(words, 0, SPIRV_TEXTURE_WORDS * sizeof *words);
    if (texture == NULL) {
        return;
    }
    words[SPIRV_TEXTURE_LEVELS] = (uint32_t)texture->levels;
    words[SPIRV_TEXTURE_OPAQUE] = texture->opaque;
    uint32_t texels = source->first;
    for (int i = 0; i < texture->levels; i++) {
        const struct shader_level *level = &texture->level[i];
        uint32_t *of = words + SPIRV_TEXTURE_FIRST_LEVEL + i * SPIRV_LEVEL_WORDS;
        of[SPIRV_LEVEL_WIDTH] = (uint32_t)level->width;
        of[SPIRV_LEVEL_HEIGHT] = (uint32_t)level->height;
        of[SPIRV_LEVEL_DEPTH] = (uint32_t)level->depth;
        of[SPIRV_LEVEL_PITCH] = (uint32_t)level->pitch;
        of[SPIRV_LEVEL_SLICE] = (uint32_t)level->slice;
        of[SPIRV_LEVEL_FIRST] = texels;
        texels += (uint32_t)level_texels(level);
    }
}

void spirv_source_texels(uint32_t *buffer, const struct spirv_source *source)
{
    const struct shader_texture *texture = source->texture;
    uint32_t *texels = buffer + source->first;
    for (int i = 0; texture != NULL && i < texture->levels; i++) {
        const size_t count = level_texels(&texture->level[i]);
        memcpy(texels, texture->level[i].texels, count * sizeof *texels);
        texels += count;
    }
}

/* ---- words of buffers ---- */

static uint32_t scalar(struct spirv *module, uint32_t word)
{
    return spirv_constant(module, SPIRV_UINT, word);
}

static uint32_t texture_word(struct spirv *module, uint32_t texture, uint32_t word)
{
    return spirv_read(
        module, SPIRV_BUFFER_TEXTURES,
        SPIRV_MAKE(module, SPIRV_INTEGER_ADD, SPIRV_UINT, texture, scalar(module, word)));
}

/* ---- parts that are left out ---- */

static uint32_t any(struct spirv *module, uint32_t truths)
{
    return SPIRV_MAKE(module, SPIRV_ANY, SPIRV_BOOL, truths);
}

/* ---- detail ---- */

static uint32_t of_lane(struct spirv *module, simd_floats a, uint32_t lane)
{
    return SPIRV_MAKE(module, SPIRV_COMPOSITE_EXTRACT, SPIRV_FLOAT, a.name, lane);
}

/* Squares of the steps of a coordinate to the right and down, in texels, alternating. */
static simd_floats squares(struct spirv *module, simd_floats at, uint32_t texture, uint32_t word)
{
    const uint32_t first = of_lane(module, at, 0);
    const uint32_t right = of_lane(module, at, 1);
    const uint32_t down = of_lane(module, at, 2);
    const simd_floats from = {module, SPIRV_MAKE(module, SPIRV_COMPOSITE_CONSTRUCT, SPIRV_FLOATS,
                                                 first, first, first, first)};
    const simd_floats to = {module, SPIRV_MAKE(module, SPIRV_COMPOSITE_CONSTRUCT, SPIRV_FLOATS,
                                               right, down, right, down)};
    const simd_floats size = lane_from_words(
        lane_spread(module, texture_word(module, texture, SPIRV_TEXTURE_FIRST_LEVEL + word)));
    const simd_floats step = simd_mul(simd_sub(to, from), size);
    return simd_mul(step, step);
}

static simd_floats of_steps(struct spirv *module, const simd_floats at[AXES], uint32_t texture,
                            bool volume)
{
    simd_floats sum = simd_add(squares(module, at[0], texture, SPIRV_LEVEL_WIDTH),
                               squares(module, at[1], texture, SPIRV_LEVEL_HEIGHT));
    if (volume) {
        sum = simd_add(sum, squares(module, at[2], texture, SPIRV_LEVEL_DEPTH));
    }
    const uint32_t finite = lane_words_compared(SPIRV_UNSIGNED_LESS, simd_as_word(lane_abs(sum)),
                                                simd_all_words(LANE_INFINITY));
    sum = lane_chosen(finite, sum, simd_all(0.0f));
    const uint32_t right = of_lane(module, sum, 0);
    const uint32_t down = of_lane(module, sum, 1);
    const simd_floats rights = {module, SPIRV_MAKE(module, SPIRV_COMPOSITE_CONSTRUCT, SPIRV_FLOATS,
                                                   right, right, right, right)};
    const simd_floats downs = {module, SPIRV_MAKE(module, SPIRV_COMPOSITE_CONSTRUCT, SPIRV_FLOATS,
                                                  down, down, down, down)};
    return (simd_floats){module, spirv_detail(module, simd_max(downs, rights).name)};
}

/* Between the largest and the smallest level, in 256ths. */
static simd_floats detail_of(struct spirv *module, const simd_floats at[AXES], simd_floats given,
                             uint32_t texture, uint32_t levels, struct kind kind)
{
    simd_floats detail = given;
    if (kind.source != FROM_DETAIL) {
        detail = of_steps(module, at, texture, kind.volume);
    }
    if (kind.source == FROM_STEPS_AND_BIAS) {
        detail = simd_add(detail, given);
    }
    const simd_floats top = lane_from_words(lane_spread(
        module, SPIRV_MAKE(module, SPIRV_INTEGER_SUB, SPIRV_UINT, levels, scalar(module, 1))));
    detail = lane_chosen(lane_compared(SPIRV_FLOAT_LESS, simd_all(0.0f), detail), detail,
                         simd_all(0.0f));
    detail = lane_chosen(lane_compared(SPIRV_FLOAT_LESS, detail, top), detail, top);
    const simd_words rounded =
        lane_cut(simd_add(simd_mul(detail, simd_all(256.0f)), simd_all(0.5f)));
    return simd_mul(lane_from_words(rounded), simd_all(1.0f / 256.0f));
}

/* ---- places ---- */

struct axis {
    simd_floats scale; /* from turns to places: 256ths of texels; whole ones if nearest */
    simd_words last;   /* clamped, linear: the last place; else the last texel */
};

struct spot {
    simd_words texel;
    simd_words weight; /* of the next one, in 256ths */
};

/* What is left of a turn, by its bits. No number is 0, but 1 where both have the same place. */
static simd_floats repeated(simd_floats c, bool linear)
{
    const simd_words one = simd_as_word(simd_all(1.0f));
    const simd_floats turn = simd_sub(c, simd_floor(c));
    const simd_words bits = simd_as_word(turn);
    if (linear) {
        return simd_as_number(lane_least(bits, one));
    }
    const uint32_t beyond = lane_words_compared(SPIRV_UNSIGNED_GREATER, bits, one);
    return lane_chosen(beyond, simd_all(0.0f), turn);
}

/* A scale of 256ths is a power of two more than one of texels: the product is as exact, but where
 * it is denormal and half a place hides it. */
static struct spot spot_of(simd_floats c, struct axis axis, const struct shader_sampler *sampler)
{
    const simd_words half = simd_all_words(128);
    const simd_floats turn = sampler->address == SHADER_REPEAT
                                 ? repeated(c, sampler->linear)
                                 : lane_within_one(c, LANE_NOT_FINITE - 1);
    const simd_floats along = simd_mul(turn, axis.scale);
    if (!sampler->linear) {
        return (struct spot){lane_least(lane_cut(along), axis.last), simd_all_words(0)};
    }
    const simd_words rounded = lane_cut(simd_add(along, simd_all(0.5f)));
    if (sampler->address == SHADER_CLAMP) {
        const simd_words place = lane_least(lane_minus(lane_most(rounded, half), half), axis.last);
        return (struct spot){lane_right(place, simd_all_words(8)),
                             simd_and(place, simd_all_words(255))};
    }
    /* -1 is the last one: as a number without sign it is beyond all. */
    const simd_words place = lane_minus(rounded, half);
    return (struct spot){lane_least(simd_right_signed(place, 8), axis.last),
                         simd_and(place, simd_all_words(255))};
}

/* ---- texels ---- */

struct sums {
    simd_floats of[CHANNELS];
};

/* In the order of results. */
static const int shifts[CHANNELS] = {16, 8, 0, 24};

/* Between two words by weights of 256ths. */
static simd_words blended(simd_words a, simd_words b, simd_words rest, simd_words weight)
{
    return simd_plus(lane_times(a, rest), lane_times(b, weight));
}

/* Two channels of a texel, in the halves of a word: red and blue, or alpha and green. */
static simd_words pair(simd_words texels, bool upper)
{
    const simd_words moved = upper ? lane_right(texels, simd_all_words(8)) : texels;
    return simd_and(moved, simd_all_words(0x00ff00ff));
}

static simd_words half(simd_words pair, bool upper)
{
    return upper ? lane_right(pair, simd_all_words(16)) : simd_and(pair, simd_all_words(0xffff));
}

static struct sums sum_texels(struct spirv *module, simd_words at, simd_words pitch, struct spot x,
                              struct spot y, const struct kind *kind)
{
    const unsigned texels = kind->texels;
    struct sums sums;
    const simd_words next = simd_all_words(1);
    const simd_words upper = lane_gathered(module, texels, at);
    if (!kind->sampler.linear) {
        for (int k = 0; k < CHANNELS; k++) {
            const simd_words moved = lane_right(upper, simd_all_words((uint32_t)shifts[k]));
            const simd_words channel = simd_and(moved, simd_all_words(255));
            sums.of[k] = lane_from_words(simd_left(channel, 16));
        }
        return sums;
    }
    const simd_words below = simd_plus(at, pitch);
    const simd_words upper_next = lane_gathered(module, texels, simd_plus(at, next));
    const simd_words lower = lane_gathered(module, texels, below);
    const simd_words lower_next = lane_gathered(module, texels, simd_plus(below, next));
    const simd_words x_rest = lane_minus(simd_all_words(256), x.weight);
    const simd_words y_rest = lane_minus(simd_all_words(256), y.weight);
    simd_words top[2];
    simd_words bottom[2];
    for (int i = 0; i < 2; i++) {
        top[i] = blended(pair(upper, i == 1), pair(upper_next, i == 1), x_rest, x.weight);
        bottom[i] = blended(pair(lower, i == 1), pair(lower_next, i == 1), x_rest, x.weight);
    }
    for (int k = 0; k < CHANNELS; k++) {
        const int i = shifts[k] / 8 % 2;
        const bool high = shifts[k] >= 16;
        sums.of[k] =
            lane_from_words(blended(half(top[i], high), half(bottom[i], high), y_rest, y.weight));
    }
    return sums;
}

/* Where the weight is 0, the first stays as it is: both are finite, and it is not -0. */
static struct sums mixed(struct sums a, struct sums b, simd_floats weight)
{
    for (int k = 0; k < CHANNELS; k++) {
        a.of[k] = simd_add(a.of[k], simd_mul(simd_sub(b.of[k], a.of[k]), weight));
    }
    return a;
}

/* ---- levels ---- */

struct level {
    struct axis axis[AXES];
    simd_words depth;
    simd_words pitch;
    simd_words slice;
    simd_words first; /* texel */
};

/* Of a texture with one level, whose sizes are constants. */
static struct level only_level(const struct kind *kind)
{
    uint32_t words[SPIRV_TEXTURE_WORDS];
    spirv_source_words(words, kind->only);
    const uint32_t *of = words + SPIRV_TEXTURE_FIRST_LEVEL;
    const bool linear = kind->sampler.linear;
    struct level level = {.depth = simd_all_words(of[SPIRV_LEVEL_DEPTH]),
                          .pitch = simd_all_words(of[SPIRV_LEVEL_PITCH]),
                          .slice = simd_all_words(of[SPIRV_LEVEL_SLICE]),
                          .first = simd_all_words(of[SPIRV_LEVEL_FIRST])};
    for (int i = 0; i < AXES; i++) {
        const uint32_t size = of[SPIRV_LEVEL_WIDTH + i];
        const uint32_t places = linear && kind->sampler.address == SHADER_CLAMP ? 256 : 1;
        level.axis[i] = (struct axis){simd_all((float)(linear ? 256 * size : size)),
                                      simd_all_words((size - 1) * places)};
    }
    return level;
}

static simd_words level_word(struct spirv *module, simd_words words, enum spirv_level_word word)
{
    return lane_gathered(module, SPIRV_BUFFER_TEXTURES,
                         simd_plus(words, simd_all_words(SPIRV_TEXTURE_FIRST_LEVEL + word)));
}

static struct axis axis_of(simd_words size, const struct shader_sampler *sampler)
{
    const simd_words last = lane_minus(size, simd_all_words(1));
    if (!sampler->linear) {
        return (struct axis){lane_from_words(size), last};
    }
    return (struct axis){lane_from_words(simd_left(size, 8)),
                         sampler->address == SHADER_CLAMP ? simd_left(last, 8) : last};
}

static struct level level_of(struct spirv *module, uint32_t texture, simd_words number,
                             const struct kind *kind)
{
    const simd_words words = simd_plus(lane_times(number, simd_all_words(SPIRV_LEVEL_WORDS)),
                                       lane_spread(module, texture));
    struct level level = {.pitch = level_word(module, words, SPIRV_LEVEL_PITCH),
                          .first = level_word(module, words, SPIRV_LEVEL_FIRST)};
    level.axis[0] = axis_of(level_word(module, words, SPIRV_LEVEL_WIDTH), &kind->sampler);
    level.axis[1] = axis_of(level_word(module, words, SPIRV_LEVEL_HEIGHT), &kind->sampler);
    if (kind->volume) {
        level.depth = level_word(module, words, SPIRV_LEVEL_DEPTH);
        level.slice = level_word(module, words, SPIRV_LEVEL_SLICE);
        level.axis[2] = axis_of(level.depth, &kind->sampler);
    }
    return level;
}

static struct sums sum_level(struct spirv *module, const struct level *level,
                             const simd_floats at[AXES], const struct kind *kind)
{
    const struct spot x = spot_of(at[0], level->axis[0], &kind->sampler);
    const struct spot y = spot_of(at[1], level->axis[1], &kind->sampler);
    const simd_words row =
        simd_plus(simd_plus(lane_times(y.texel, level->pitch), x.texel), level->first);
    if (!kind->volume) {
        return sum_texels(module, row, level->pitch, x, y, kind);
    }
    const struct spot z = spot_of(at[2], level->axis[2], &kind->sampler);
    const struct sums near = sum_texels(module, simd_plus(row, lane_times(z.texel, level->slice)),
                                        level->pitch, x, y, kind);
    if (!kind->sampler.linear) {
        return near;
    }
    const simd_words behind = simd_plus(z.texel, simd_all_words(1));
    const simd_words other =
        lane_words_chosen(module, lane_words_compared(SPIRV_UNSIGNED_LESS, behind, level->depth),
                          behind, simd_all_words(0));
    const struct sums far = sum_texels(module, simd_plus(row, lane_times(other, level->slice)),
                                       level->pitch, x, y, kind);
    return mixed(near, far, simd_mul(lane_from_words(z.weight), simd_all(1.0f / 256.0f)));
}

/* ---- a read ---- */

static void store_sums(struct spirv *module, const uint32_t result[CHANNELS], struct sums sums)
{
    for (int k = 0; k < CHANNELS; k++) {
        spirv_store(module, result[k], sums.of[k].name);
    }
}

static struct sums load_sums(struct spirv *module, const uint32_t result[CHANNELS])
{
    struct sums sums;
    for (int k = 0; k < CHANNELS; k++) {
        sums.of[k] = (simd_floats){module, spirv_load(module, SPIRV_FLOATS, result[k])};
    }
    return sums;
}

static void read_levels(struct spirv *module, uint32_t texture, uint32_t levels,
                        const simd_floats at[AXES], simd_floats given, struct kind kind,
                        const uint32_t result[CHANNELS])
{
    const simd_floats detail = detail_of(module, at, given, texture, levels, kind);
    const bool linear = kind.sampler.linear;
    const simd_words level = lane_cut(linear ? detail : simd_add(detail, simd_all(0.5f)));
    const struct level lower = level_of(module, texture, level, &kind);
    store_sums(module, result, sum_level(module, &lower, at, &kind));
    if (linear) {
        const simd_floats weight = simd_sub(detail, lane_from_words(level));
        const struct spirv_part between = spirv_begin_part(
            module, any(module, lane_compared(SPIRV_FLOAT_LESS, simd_all(0.0f), weight)));
        const simd_words last = lane_spread(
            module, SPIRV_MAKE(module, SPIRV_INTEGER_SUB, SPIRV_UINT, levels, scalar(module, 1)));
        const simd_words next = lane_least(simd_plus(level, simd_all_words(1)), last);
        const struct level upper = level_of(module, texture, next, &kind);
        const struct sums sums = sum_level(module, &upper, at, &kind);
        store_sums(module, result, mixed(load_sums(module, result), sums, weight));
        spirv_end_part(module, between);
    }
}

/* A texel of the sums; alpha is 1 where `opaque` says so. */
static uint32_t make_texel(struct spirv *module, struct sums sums, uint32_t opaque)
{
    for (int k = 0; k < CHANNELS; k++) {
        sums.of[k] = simd_mul(sums.of[k], simd_all(SHADER_READ_FACTOR));
    }
    sums.of[CHANNELS - 1] = lane_chosen(opaque, simd_all(1.0f), sums.of[CHANNELS - 1]);
    return SPIRV_MAKE(module, SPIRV_COMPOSITE_CONSTRUCT, SPIRV_TEXEL, sums.of[0].name,
                      sums.of[1].name, sums.of[2].name, sums.of[3].name);
}

static uint32_t read_only_level(struct spirv *module, const simd_floats at[AXES], struct kind kind)
{
    const struct level level = only_level(&kind);
    return make_texel(module, sum_level(module, &level, at, &kind),
                      spirv_constant(module, SPIRV_BOOLS, kind.only->texture->opaque));
}

static uint32_t read_several(struct spirv *module, uint32_t texture, const simd_floats at[AXES],
                             simd_floats given, struct kind kind)
{
    uint32_t result[CHANNELS];
    for (int k = 0; k < CHANNELS; k++) {
        result[k] = spirv_variable(module, SPIRV_FLOATS);
    }
    read_levels(module, texture, texture_word(module, texture, SPIRV_TEXTURE_LEVELS), at, given,
                kind, result);
    const simd_words opaque =
        lane_spread(module, texture_word(module, texture, SPIRV_TEXTURE_OPAQUE));
    return make_texel(module, load_sums(module, result),
                      lane_words_compared(SPIRV_INTEGER_NOT_EQUAL, opaque, simd_all_words(0)));
}

static uint32_t make_function(struct spirv *module, struct kind kind)
{
    enum { PARAMETERS = 5 };
    const enum spirv_type types[PARAMETERS] = {SPIRV_UINT, SPIRV_FLOATS, SPIRV_FLOATS, SPIRV_FLOATS,
                                               SPIRV_FLOATS};
    struct spirv_outer outer;
    uint32_t name[PARAMETERS] = {0};
    spirv_function(module, &outer, SPIRV_TEXEL, types, PARAMETERS, name);
    const simd_floats at[AXES] = {{module, name[1]}, {module, name[2]}, {module, name[3]}};
    const simd_floats given = {module, name[4]};
    const uint32_t texel = kind.only != NULL ? read_only_level(module, at, kind)
                                             : read_several(module, name[0], at, given, kind);
    return spirv_function_end(module, &outer, texel);
}

uint32_t spirv_read_texture(struct spirv *module, enum shader_op op,
                            const struct shader_fetch *fetch, const struct spirv_source *sources,
                            const uint32_t *arguments)
{
    const bool volume = op >= SHADER_OP_READ3;
    const size_t axes = volume ? 3 : 2;
    const bool detail = op == SHADER_OP_READ2_LOD || op == SHADER_OP_READ3_LOD;
    const bool bias = op == SHADER_OP_READ2_BIAS || op == SHADER_OP_READ3_BIAS;
    const struct spirv_source *source = &sources[fetch->binding];
    const uint32_t none = spirv_constant(module, SPIRV_FLOATS, 0);
    const uint32_t texture =
        spirv_constant(module, SPIRV_UINT, (uint32_t)fetch->binding * SPIRV_TEXTURE_WORDS);
    if (source->texture == NULL || source->texture->levels == 0) {
        /* Not a constant, as in program.c. */
        const uint32_t zero =
            simd_as_number(lane_spread(module, texture_word(module, texture, SPIRV_TEXTURE_LEVELS)))
                .name;
        return SPIRV_MAKE(module, SPIRV_COMPOSITE_CONSTRUCT, SPIRV_TEXEL, zero, zero, zero, zero);
    }
    const struct kind kind = {
        .sampler = fetch->sampler,
        .volume = volume,
        .source = detail ? FROM_DETAIL
                  : bias ? FROM_STEPS_AND_BIAS
                         : FROM_STEPS,
        .only = source->texture->levels == 1 ? source : NULL,
        .texels = source->texels,
    };
    const unsigned function = function_of(&kind, (unsigned)fetch->binding);
    if (module->function[function] == 0) {
        module->function[function] = make_function(module, kind);
    }
    return SPIRV_MAKE(module, SPIRV_FUNCTION_CALL, SPIRV_TEXEL, module->function[function], texture,
                      arguments[0], arguments[1], volume ? arguments[2] : none,
                      detail || bias ? arguments[axes] : none);
}
