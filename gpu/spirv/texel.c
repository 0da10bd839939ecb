#include "gpu/spirv/texel.h"

enum { COLOURS = 3, CENTRED = 128, WHOLE = 255, HALF_BITS = 15 };

static uint32_t right(struct spirv *module, uint32_t word, uint32_t bits)
{
    return SPIRV_MAKE(module, SPIRV_SHIFT_RIGHT, SPIRV_UINT, word, spirv_word(module, bits));
}

static uint32_t right_signed(struct spirv *module, uint32_t word, uint32_t bits)
{
    return SPIRV_MAKE(module, SPIRV_SHIFT_RIGHT_SIGNED, SPIRV_UINT, word, spirv_word(module, bits));
}

static uint32_t masked(struct spirv *module, uint32_t word, uint32_t mask)
{
    return SPIRV_MAKE(module, SPIRV_BIT_AND, SPIRV_UINT, word, spirv_word(module, mask));
}

static uint32_t difference(struct spirv *module, uint32_t a, uint32_t b)
{
    return SPIRV_MAKE(module, SPIRV_INTEGER_SUB, SPIRV_UINT, a, b);
}

uint32_t spirv_wrap(struct spirv *module, uint32_t coordinate, uint32_t size)
{
    const uint32_t upper = spirv_product(module, right(module, coordinate, 16), size);
    const uint32_t lower = spirv_product(module, masked(module, coordinate, UINT16_MAX), size);
    return spirv_sum(module, upper, right(module, lower, 16));
}

/* A channel of a texel, less 128, as two's complement. */
static uint32_t channel_of(struct spirv *module, uint32_t texel, uint32_t shift)
{
    return difference(module, masked(module, right(module, texel, shift), WHOLE),
                      spirv_word(module, CENTRED));
}

/* (255 - fx) * a + fx * b */
static uint32_t across(struct spirv *module, uint32_t a, uint32_t b, uint32_t shift, uint32_t fx)
{
    const uint32_t rest = difference(module, spirv_word(module, WHOLE), fx);
    return spirv_sum(module, spirv_product(module, channel_of(module, a, shift), rest),
                     spirv_product(module, channel_of(module, b, shift), fx));
}

/* (value * factor + 2^14) >> 15 */
static uint32_t scaled(struct spirv *module, uint32_t value, uint32_t factor)
{
    const uint32_t half = spirv_word(module, UINT32_C(1) << (HALF_BITS - 1));
    return right_signed(module, spirv_sum(module, spirv_product(module, value, factor), half),
                        HALF_BITS);
}

uint32_t spirv_texel(struct spirv *module, const struct spirv_surface *surface, uint32_t x,
                     uint32_t y)
{
    const uint32_t one = spirv_word(module, 1);
    const uint32_t row = spirv_product(module, right(module, y, 16), surface->pitch);
    const uint32_t top =
        spirv_sum(module, spirv_sum(module, surface->first, row), right(module, x, 16));
    const uint32_t bottom = spirv_sum(module, top, surface->pitch);
    const uint32_t a = spirv_read(module, surface->buffer, top);
    const uint32_t b = spirv_read(module, surface->buffer, spirv_sum(module, top, one));
    const uint32_t c = spirv_read(module, surface->buffer, bottom);
    const uint32_t d = spirv_read(module, surface->buffer, spirv_sum(module, bottom, one));
    const uint32_t fx = masked(module, right(module, x, 8), WHOLE);
    const uint32_t fy = masked(module, right(module, y, 8), WHOLE);
    const uint32_t down = right(module, spirv_product(module, fy, spirv_word(module, 257)), 1);
    const uint32_t rest = difference(module, spirv_word(module, INT16_MAX), down);
    uint32_t pixel = spirv_word(module, 0);
    for (uint32_t k = 0; k < COLOURS; k++) {
        const uint32_t shift = 8 * k;
        const uint32_t upper = across(module, a, b, shift, fx);
        const uint32_t lower = across(module, c, d, shift, fx);
        const uint32_t sum =
            spirv_sum(module, scaled(module, upper, rest), scaled(module, lower, down));
        const uint32_t lifted = spirv_sum(module, sum, spirv_word(module, 32768));
        const uint32_t texel =
            right(module, spirv_product(module, lifted, spirv_word(module, 257)), 16);
        pixel = SPIRV_MAKE(
            module, SPIRV_BIT_OR, SPIRV_UINT, pixel,
            SPIRV_MAKE(module, SPIRV_SHIFT_LEFT, SPIRV_UINT, texel, spirv_word(module, shift)));
    }
    return pixel;
}
