#include "gpu/spirv/fixed/texel.h"

#include "tmu/kernels.h"

enum { COLOURS = 3, HALF_BITS = 16, HALF = 0xFFFF, FRACTION = 255, WHOLE = 32767 };

uint32_t spirv_wrap(struct spirv *module, uint32_t coordinate, uint32_t size)
{
    const uint32_t high = spirv_product(module, spirv_right(module, coordinate, HALF_BITS), size);
    const uint32_t low = spirv_product(module, spirv_masked(module, coordinate, HALF), size);
    return spirv_sum(module, high, spirv_right(module, low, HALF_BITS));
}

struct spirv_neighbours spirv_neighbours(struct spirv *module, uint32_t position, uint32_t size)
{
    const uint32_t first = spirv_right(module, position, TMU_POSITION_BITS);
    const uint32_t next = spirv_sum(module, first, spirv_word(module, 1));
    const uint32_t ends = SPIRV_MAKE(module, SPIRV_INTEGER_EQUAL, SPIRV_BOOL, next, size);
    return (struct spirv_neighbours){
        first, spirv_chosen(module, ends, spirv_word(module, 0), next),
        spirv_masked(module, spirv_right(module, position, TMU_FRACTION_SHIFT), FRACTION)};
}

static uint32_t mixed(struct spirv *module, const uint32_t texels[2], uint32_t shift, uint32_t mask,
                      uint32_t fraction)
{
    const uint32_t rest = spirv_difference(module, spirv_word(module, FRACTION), fraction);
    uint32_t channel[2];
    for (int i = 0; i < 2; i++) {
        const uint32_t moved = shift > 0 ? spirv_right(module, texels[i], shift) : texels[i];
        channel[i] = spirv_masked(module, moved, mask);
    }
    return spirv_sum(module, spirv_product(module, channel[0], rest),
                     spirv_product(module, channel[1], fraction));
}

/* Sums of two neighbours' channels, from the lowest up, weighted as if these were 128 less. Weights
 * add up to 255, so that sums of two channels at a time fit into the halves of a word. */
static void mix_row(struct spirv *module, const struct spirv_surface *surface, uint32_t row,
                    const struct spirv_neighbours *x, uint32_t sums[COLOURS])
{
    const uint32_t first =
        spirv_sum(module, surface->first, spirv_product(module, row, surface->pitch));
    const uint32_t texels[2] = {
        spirv_read(module, surface->buffer, spirv_sum(module, first, x->first)),
        spirv_read(module, surface->buffer, spirv_sum(module, first, x->second))};
    const uint32_t outer = mixed(module, texels, 0, 0xFF00FF, x->fraction);
    const uint32_t of_halves[COLOURS] = {spirv_masked(module, outer, HALF),
                                         mixed(module, texels, 8, 0xFF, x->fraction),
                                         spirv_right(module, outer, HALF_BITS)};
    for (int k = 0; k < COLOURS; k++) {
        sums[k] = spirv_difference(module, of_halves[k], spirv_word(module, 128 * FRACTION));
    }
}

/* (value * factor + 2^14) >> 15, as two's complement. */
static uint32_t scaled(struct spirv *module, uint32_t value, uint32_t factor)
{
    const uint32_t sum =
        spirv_sum(module, spirv_product(module, value, factor), spirv_word(module, 1 << 14));
    return SPIRV_MAKE(module, SPIRV_SHIFT_RIGHT_SIGNED, SPIRV_UINT, sum, spirv_word(module, 15));
}

uint32_t spirv_texel(struct spirv *module, const struct spirv_surface *surface,
                     const struct spirv_neighbours *x, const struct spirv_neighbours *y,
                     uint32_t keep)
{
    uint32_t upper[COLOURS];
    uint32_t lower[COLOURS];
    mix_row(module, surface, y->first, x, upper);
    mix_row(module, surface, y->second, x, lower);
    const uint32_t down =
        spirv_right(module, spirv_product(module, y->fraction, spirv_word(module, 257)), 1);
    const uint32_t up = spirv_difference(module, spirv_word(module, WHOLE), down);
    uint32_t pixel = spirv_word(module, 0);
    for (uint32_t k = 0; k < COLOURS; k++) {
        const uint32_t sum =
            spirv_sum(module, scaled(module, upper[k], up), scaled(module, lower[k], down));
        const uint32_t positive = spirv_sum(module, sum, spirv_word(module, 32768));
        const uint32_t texel =
            spirv_right(module, spirv_product(module, positive, spirv_word(module, 257)), 16);
        const uint32_t kept = keep != 0 ? scaled(module, texel, keep) : texel;
        const uint32_t moved =
            SPIRV_MAKE(module, SPIRV_SHIFT_LEFT, SPIRV_UINT, kept, spirv_word(module, 8 * k));
        pixel = SPIRV_MAKE(module, SPIRV_BIT_OR, SPIRV_UINT, pixel, moved);
    }
    return pixel;
}
