#include "gpu/spirv/read.h"

#include "gpu/spirv/arithmetic.h"
#include "gpu/spirv/level.h"
#include "renderer/shader/math/terms.h"
#include "renderer/shader/run/kernels.h"

/* Where a quad's detail comes from. */
enum source { FROM_STEPS, FROM_STEPS_AND_BIAS, FROM_DETAIL };

struct kind {
    struct spirv_level_kind level;
    enum source source;
    const struct spirv_source *only; /* of one level; NULL: any texture with several */
};

/* Functions of a module, one for each kind; arithmetic.c has those before. */
enum { FIRST_FUNCTION = SHADER_OP_COUNT + 8, WAYS = 8, KINDS = 6 * WAYS };
_Static_assert((int)FIRST_FUNCTION + KINDS + SHADER_TEXTURES_MAX * WAYS <= (int)SPIRV_FUNCTIONS,
               "functions of a module");

static unsigned function_of(const struct kind *kind, unsigned binding)
{
    const struct spirv_level_kind *level = &kind->level;
    const unsigned way = (unsigned)level->sampler.linear + 2 * (unsigned)level->sampler.address +
                         4 * (unsigned)level->volume;
    const unsigned several =
        2 * (unsigned)kind->source + (level->texels == SPIRV_BUFFER_PICTURES ? 1 : 0);
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

static uint32_t texture_word(struct spirv *module, uint32_t texture, uint32_t word)
{
    return spirv_read(module, SPIRV_BUFFER_TEXTURES,
                      spirv_sum(module, texture, spirv_word(module, word)));
}

static uint32_t last_level(struct spirv *module, uint32_t levels)
{
    return spirv_difference(module, levels, spirv_word(module, 1));
}

/* ---- detail ---- */

static simd_floats of_lane(struct spirv *module, simd_floats a, uint32_t lane)
{
    return (simd_floats){module,
                         SPIRV_MAKE(module, SPIRV_COMPOSITE_EXTRACT, SPIRV_FLOAT, a.name, lane)};
}

/* The square of a quad's step from its first pixel to another, in texels; 0 if it is not finite. */
static simd_floats step_square(struct spirv *module, const simd_floats at[SPIRV_AXES],
                               const simd_floats size[SPIRV_AXES], int axes, uint32_t lane)
{
    simd_floats sum = {NULL, 0};
    for (int i = 0; i < axes; i++) {
        const simd_floats step =
            simd_mul(simd_sub(of_lane(module, at[i], lane), of_lane(module, at[i], 0)), size[i]);
        const simd_floats square = simd_mul(step, step);
        sum = i > 0 ? simd_add(sum, square) : square;
    }
    const uint32_t finite = lane_words_compared(SPIRV_UNSIGNED_LESS, simd_as_word(lane_abs(sum)),
                                                simd_all_words(LANE_INFINITY));
    return lane_chosen(finite, sum, simd_all(0.0f));
}

/* One for all pixels of a quad. */
static simd_floats of_steps(struct spirv *module, const simd_floats at[SPIRV_AXES],
                            uint32_t texture, bool volume)
{
    const int axes = volume ? SPIRV_AXES : 2;
    simd_floats size[SPIRV_AXES];
    for (int i = 0; i < axes; i++) {
        const uint32_t word = SPIRV_TEXTURE_FIRST_LEVEL + SPIRV_LEVEL_WIDTH + (uint32_t)i;
        size[i] = lane_from_words((simd_words){module, texture_word(module, texture, word)});
    }
    const simd_floats right = step_square(module, at, size, axes, 1);
    const simd_floats down = step_square(module, at, size, axes, 2);
    return (simd_floats){module, spirv_detail(module, simd_max(down, right).name)};
}

/* Between the largest and the smallest level, in 256ths. */
static simd_floats limited(simd_floats detail, uint32_t levels)
{
    struct spirv *module = detail.to;
    const simd_floats top = lane_from_words(lane_spread(module, last_level(module, levels)));
    const simd_floats positive = lane_chosen(
        lane_compared(SPIRV_FLOAT_LESS, simd_all(0.0f), detail), detail, simd_all(0.0f));
    const simd_floats kept =
        lane_chosen(lane_compared(SPIRV_FLOAT_LESS, positive, top), positive, top);
    const simd_words rounded = lane_cut(simd_add(simd_mul(kept, simd_all(256.0f)), simd_all(0.5f)));
    return simd_mul(lane_from_words(rounded), simd_all(1.0f / 256.0f));
}

/* ---- a read ---- */

static void store_sums(struct spirv *module, const uint32_t result[SPIRV_CHANNELS],
                       struct spirv_sums sums, const struct spirv_level_kind *kind)
{
    for (int k = 0; k < spirv_channels(kind); k++) {
        spirv_store(module, result[k], sums.of[k].name);
    }
}

static struct spirv_sums load_sums(struct spirv *module, const uint32_t result[SPIRV_CHANNELS],
                                   const struct spirv_level_kind *kind)
{
    struct spirv_sums sums;
    for (int k = 0; k < spirv_channels(kind); k++) {
        sums.of[k] = (simd_floats){module, spirv_load(module, SPIRV_FLOATS, result[k])};
    }
    return sums;
}

/* A level by its number, which is the same for all pixels of a quad or not. */
static struct spirv_sums sum_level(struct spirv *module, uint32_t texture, simd_words number,
                                   bool same, const simd_floats at[SPIRV_AXES],
                                   const struct spirv_level_kind *kind)
{
    module->single = same;
    struct spirv_level level = spirv_level_at(module, texture, number, kind);
    module->single = false;
    level = same ? spirv_level_spread(&level, kind) : level;
    return spirv_level_sums(module, &level, at, kind);
}

/* From steps alone the detail, and all that follows from it, is the same for all pixels. */
static void read_levels(struct spirv *module, uint32_t texture, uint32_t levels,
                        const simd_floats at[SPIRV_AXES], simd_floats given,
                        const struct kind *kind, const uint32_t result[SPIRV_CHANNELS])
{
    const struct spirv_level_kind *way = &kind->level;
    const bool linear = way->sampler.linear;
    const bool same = kind->source == FROM_STEPS;
    simd_floats detail = given;
    if (kind->source != FROM_DETAIL) {
        module->single = true;
        detail = of_steps(module, at, texture, way->volume);
        module->single = false;
    }
    if (kind->source == FROM_STEPS_AND_BIAS) {
        detail = simd_add(lane_spread_floats(detail), given);
    }
    module->single = same;
    detail = limited(detail, levels);
    const simd_words level = lane_cut(linear ? detail : simd_add(detail, simd_all(0.5f)));
    store_sums(module, result, sum_level(module, texture, level, same, at, way), way);
    if (!linear) {
        return;
    }
    module->single = same;
    simd_floats weight = simd_sub(detail, lane_from_words(level));
    const struct spirv_part between = spirv_begin_part(
        module, lane_any(module, lane_compared(SPIRV_FLOAT_LESS, simd_all(0.0f), weight)));
    const simd_words next = lane_least(simd_plus(level, simd_all_words(1)),
                                       lane_spread(module, last_level(module, levels)));
    const struct spirv_sums sums = sum_level(module, texture, next, same, at, way);
    weight = same ? lane_spread_floats(weight) : weight;
    store_sums(module, result, spirv_sums_mixed(load_sums(module, result, way), sums, weight, way),
               way);
    spirv_end_part(module, between);
}

/* A texel of the sums; alpha is 1 where `opaque` says so. */
static uint32_t make_texel(struct spirv *module, struct spirv_sums sums, uint32_t opaque,
                           const struct spirv_level_kind *kind)
{
    const simd_floats one = {module, spirv_number(module, SPIRV_FLOATS, 1.0f)};
    for (int k = 0; k < spirv_channels(kind); k++) {
        sums.of[k] = simd_mul(sums.of[k], simd_all(SHADER_READ_FACTOR));
    }
    simd_floats *alpha = &sums.of[SPIRV_CHANNELS - 1];
    *alpha = kind->opaque ? one : opaque != 0 ? lane_chosen(opaque, one, *alpha) : *alpha;
    return SPIRV_MAKE(module, SPIRV_COMPOSITE_CONSTRUCT, SPIRV_TEXEL, sums.of[0].name,
                      sums.of[1].name, sums.of[2].name, sums.of[3].name);
}

/* Of a texture with one level, whose sizes are constants. */
static uint32_t read_only_level(struct spirv *module, const simd_floats at[SPIRV_AXES],
                                const struct kind *kind)
{
    const struct spirv_level level = spirv_level_only(kind->only, &kind->level);
    return make_texel(module, spirv_level_sums(module, &level, at, &kind->level), 0, &kind->level);
}

static uint32_t read_several(struct spirv *module, uint32_t texture,
                             const simd_floats at[SPIRV_AXES], simd_floats given,
                             const struct kind *kind)
{
    uint32_t result[SPIRV_CHANNELS];
    for (int k = 0; k < SPIRV_CHANNELS; k++) {
        result[k] = spirv_variable(module, SPIRV_FLOATS);
    }
    read_levels(module, texture, texture_word(module, texture, SPIRV_TEXTURE_LEVELS), at, given,
                kind, result);
    const simd_words opaque =
        lane_spread(module, texture_word(module, texture, SPIRV_TEXTURE_OPAQUE));
    return make_texel(module, load_sums(module, result, &kind->level),
                      lane_words_compared(SPIRV_INTEGER_NOT_EQUAL, opaque, simd_all_words(0)),
                      &kind->level);
}

static uint32_t make_function(struct spirv *module, const struct kind *kind)
{
    enum { PARAMETERS = 5 };
    const enum spirv_type types[PARAMETERS] = {SPIRV_UINT, SPIRV_FLOATS, SPIRV_FLOATS, SPIRV_FLOATS,
                                               SPIRV_FLOATS};
    struct spirv_outer outer;
    uint32_t name[PARAMETERS] = {0};
    spirv_function(module, &outer, SPIRV_TEXEL, types, PARAMETERS, name);
    const simd_floats at[SPIRV_AXES] = {{module, name[1]}, {module, name[2]}, {module, name[3]}};
    const simd_floats given = {module, name[4]};
    const uint32_t texel = kind->only != NULL ? read_only_level(module, at, kind)
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
        .level = {.sampler = fetch->sampler,
                  .volume = volume,
                  .opaque = source->texture->levels == 1 && source->texture->opaque,
                  .texels = source->texels},
        .source = detail ? FROM_DETAIL
                  : bias ? FROM_STEPS_AND_BIAS
                         : FROM_STEPS,
        .only = source->texture->levels == 1 ? source : NULL,
    };
    const unsigned function = function_of(&kind, (unsigned)fetch->binding);
    uint32_t *known = spirv_known(module, function);
    if (*known == 0) {
        *known = make_function(module, &kind);
    }
    return SPIRV_MAKE(module, SPIRV_FUNCTION_CALL, SPIRV_TEXEL, *known, texture, arguments[0],
                      arguments[1], volume ? arguments[2] : none,
                      detail || bias ? arguments[axes] : none);
}
