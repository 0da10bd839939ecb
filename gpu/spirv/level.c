#include "gpu/spirv/level.h"

/* ---- places ---- */

struct spot {
    simd_words texel;
    simd_words weight; /* of the next one, in 256ths */
    simd_words rest;   /* its own */
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
static struct spot spot_of(simd_floats c, struct spirv_axis axis,
                           const struct shader_sampler *sampler)
{
    const simd_words half = simd_all_words(128);
    const simd_floats turn = sampler->address == SHADER_REPEAT
                                 ? repeated(c, sampler->linear)
                                 : lane_within_one(c, LANE_NOT_FINITE - 1);
    const simd_floats along = simd_mul(turn, axis.scale);
    if (!sampler->linear) {
        return (struct spot){.texel = lane_least(lane_cut(along), axis.last)};
    }
    const simd_words rounded = lane_cut(simd_add(along, simd_all(0.5f)));
    struct spot spot;
    simd_words place;
    if (sampler->address == SHADER_CLAMP) {
        place = lane_least(lane_minus(lane_most(rounded, half), half), axis.last);
        spot.texel = lane_right(place, simd_all_words(8));
    } else {
        place = lane_minus(rounded, half);
        /* -1 is the last one: as a number without sign it is beyond all. */
        spot.texel = lane_least(simd_right_signed(place, 8), axis.last);
    }
    spot.weight = simd_and(place, simd_all_words(255));
    spot.rest = lane_minus(simd_all_words(256), spot.weight);
    return spot;
}

/* ---- texels ---- */

/* In the order of results. */
static const int shifts[SPIRV_CHANNELS] = {16, 8, 0, 24};

/* Between two words by weights of 256ths. */
static simd_words blended(simd_words a, simd_words b, simd_words rest, simd_words weight)
{
    return simd_plus(lane_times(a, rest), lane_times(b, weight));
}

/* Two channels of a texel, in the halves of a word: red and blue, or alpha, if it is read, and
 * green. */
static simd_words pair(simd_words texels, bool upper, const struct spirv_level_kind *kind)
{
    if (!upper) {
        return simd_and(texels, simd_all_words(0x00ff00ff));
    }
    return simd_and(lane_right(texels, simd_all_words(8)),
                    simd_all_words(kind->opaque ? 255 : 0x00ff00ff));
}

static simd_words half_of(const simd_words pairs[2], int k, const struct spirv_level_kind *kind)
{
    const bool upper = shifts[k] / 8 % 2 == 1;
    if (shifts[k] >= 16) {
        return lane_right(pairs[upper], simd_all_words(16));
    }
    return upper && kind->opaque ? pairs[upper] : simd_and(pairs[upper], simd_all_words(0xffff));
}

static struct spirv_sums nearest_texels(simd_words texels, int channels)
{
    struct spirv_sums sums;
    for (int k = 0; k < channels; k++) {
        const int left = 16 - shifts[k];
        const simd_words moved = left > 0   ? simd_left(texels, left)
                                 : left < 0 ? lane_right(texels, simd_all_words((uint32_t)-left))
                                            : texels;
        sums.of[k] = lane_from_words(simd_and(moved, simd_all_words(255 << 16)));
    }
    return sums;
}

static struct spirv_sums sum_texels(struct spirv *module, simd_words at, simd_words pitch,
                                    const struct spot spots[SPIRV_AXES],
                                    const struct spirv_level_kind *kind)
{
    const unsigned texels = kind->texels;
    const int channels = spirv_channels(kind);
    const struct spot x = spots[0];
    const struct spot y = spots[1];
    const simd_words next = simd_all_words(1);
    const simd_words upper = lane_gathered(module, texels, at);
    if (!kind->sampler.linear) {
        return nearest_texels(upper, channels);
    }
    const simd_words below = simd_plus(at, pitch);
    const simd_words upper_next = lane_gathered(module, texels, simd_plus(at, next));
    const simd_words lower = lane_gathered(module, texels, below);
    const simd_words lower_next = lane_gathered(module, texels, simd_plus(below, next));
    simd_words top[2];
    simd_words bottom[2];
    for (int i = 0; i < 2; i++) {
        const bool high = i == 1;
        top[i] = blended(pair(upper, high, kind), pair(upper_next, high, kind), x.rest, x.weight);
        bottom[i] =
            blended(pair(lower, high, kind), pair(lower_next, high, kind), x.rest, x.weight);
    }
    struct spirv_sums sums;
    for (int k = 0; k < channels; k++) {
        sums.of[k] = lane_from_words(
            blended(half_of(top, k, kind), half_of(bottom, k, kind), y.rest, y.weight));
    }
    return sums;
}

struct spirv_sums spirv_sums_mixed(struct spirv_sums a, struct spirv_sums b, simd_floats weight,
                                   const struct spirv_level_kind *kind)
{
    for (int k = 0; k < spirv_channels(kind); k++) {
        a.of[k] = simd_add(a.of[k], simd_mul(simd_sub(b.of[k], a.of[k]), weight));
    }
    return a;
}

/* ---- levels ---- */

struct spirv_level spirv_level_only(const struct spirv_source *source,
                                    const struct spirv_level_kind *kind)
{
    uint32_t words[SPIRV_TEXTURE_WORDS];
    spirv_source_words(words, source);
    const uint32_t *of = words + SPIRV_TEXTURE_FIRST_LEVEL;
    const bool linear = kind->sampler.linear;
    struct spirv_level level = {.depth = simd_all_words(of[SPIRV_LEVEL_DEPTH]),
                                .pitch = simd_all_words(of[SPIRV_LEVEL_PITCH]),
                                .slice = simd_all_words(of[SPIRV_LEVEL_SLICE]),
                                .first = simd_all_words(of[SPIRV_LEVEL_FIRST])};
    for (int i = 0; i < SPIRV_AXES; i++) {
        const uint32_t size = of[SPIRV_LEVEL_WIDTH + i];
        const uint32_t places = linear && kind->sampler.address == SHADER_CLAMP ? 256 : 1;
        level.axis[i] = (struct spirv_axis){simd_all((float)(linear ? 256 * size : size)),
                                            simd_all_words((size - 1) * places)};
    }
    return level;
}

static simd_words level_word(struct spirv *module, simd_words words, enum spirv_level_word word)
{
    return lane_gathered(module, SPIRV_BUFFER_TEXTURES,
                         simd_plus(words, simd_all_words(SPIRV_TEXTURE_FIRST_LEVEL + word)));
}

static struct spirv_axis axis_of(simd_words size, const struct shader_sampler *sampler)
{
    const simd_words last = lane_minus(size, simd_all_words(1));
    if (!sampler->linear) {
        return (struct spirv_axis){lane_from_words(size), last};
    }
    return (struct spirv_axis){lane_from_words(simd_left(size, 8)),
                               sampler->address == SHADER_CLAMP ? simd_left(last, 8) : last};
}

struct spirv_level spirv_level_at(struct spirv *module, uint32_t texture, simd_words number,
                                  const struct spirv_level_kind *kind)
{
    const simd_words words = simd_plus(lane_times(number, simd_all_words(SPIRV_LEVEL_WORDS)),
                                       lane_spread(module, texture));
    struct spirv_level level = {.pitch = level_word(module, words, SPIRV_LEVEL_PITCH),
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

struct spirv_level spirv_level_spread(const struct spirv_level *level,
                                      const struct spirv_level_kind *kind)
{
    struct spirv_level spread = {.pitch = lane_spread_words(level->pitch),
                                 .first = lane_spread_words(level->first)};
    for (int i = 0; i < (kind->volume ? SPIRV_AXES : 2); i++) {
        const struct spirv_axis axis = level->axis[i];
        spread.axis[i] =
            (struct spirv_axis){lane_spread_floats(axis.scale), lane_spread_words(axis.last)};
    }
    if (kind->volume) {
        spread.depth = lane_spread_words(level->depth);
        spread.slice = lane_spread_words(level->slice);
    }
    return spread;
}

struct spirv_sums spirv_level_sums(struct spirv *module, const struct spirv_level *level,
                                   const simd_floats at[SPIRV_AXES],
                                   const struct spirv_level_kind *kind)
{
    struct spot spot[SPIRV_AXES];
    for (int i = 0; i < (kind->volume ? SPIRV_AXES : 2); i++) {
        spot[i] = spot_of(at[i], level->axis[i], &kind->sampler);
    }
    const simd_words row =
        simd_plus(simd_plus(lane_times(spot[1].texel, level->pitch), spot[0].texel), level->first);
    if (!kind->volume) {
        return sum_texels(module, row, level->pitch, spot, kind);
    }
    const simd_words slice = spot[2].texel;
    const struct spirv_sums near = sum_texels(
        module, simd_plus(row, lane_times(slice, level->slice)), level->pitch, spot, kind);
    if (!kind->sampler.linear) {
        return near;
    }
    const simd_words behind = simd_plus(slice, simd_all_words(1));
    const simd_words other =
        lane_words_chosen(module, lane_words_compared(SPIRV_UNSIGNED_LESS, behind, level->depth),
                          behind, simd_all_words(0));
    const struct spirv_sums far = sum_texels(
        module, simd_plus(row, lane_times(other, level->slice)), level->pitch, spot, kind);
    return spirv_sums_mixed(
        near, far, simd_mul(lane_from_words(spot[2].weight), simd_all(1.0f / 256.0f)), kind);
}
