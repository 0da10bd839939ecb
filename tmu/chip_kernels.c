#include "tmu/chip_kernels.h"

#include <assert.h>
#include <string.h>

/* The three components of a pixel stand 21 bits apart in one word, so that one multiplication is
 * for all of them: sums take at most 18 bits. */
enum { RED = 42, GREEN = 21, WEIGHT_BITS = 12, OPAQUE = 63 };

#define ALMOST_HALF(bits) ((1 << ((bits)-1)) - 1)

static const uint64_t ones = (uint64_t)1 << RED | (uint64_t)1 << GREEN | 1;
static const uint64_t full = (uint64_t)31 << RED | (uint64_t)63 << GREEN | 31;

struct tmu_chip_division tmu_chip_division_by(unsigned width)
{
    assert(width >= 1 && width <= TMU_CHIP_SIDE_MAX);
    const uint32_t half = 1u << (TMU_CHIP_LINE_BITS - 1);
    const uint64_t one = (uint64_t)1 << TMU_CHIP_WIDTH_BITS;
    return (struct tmu_chip_division){
        .width = width,
        .start = half - half / width,
        .reciprocal = (one + width - 1) / width,
    };
}

struct tmu_chip_sampler tmu_chip_sampler_of(const struct tmu_chip_registers *registers,
                                            const struct tmu_chip_memory *memory,
                                            enum tmu_revision revision)
{
    const uint8_t *texels = memory->bytes + ((uint32_t)registers->texfbuf & (memory->size - 1));
    const bool rounds = revision == TMU_REVISION_CURRENT;
    const bool adds = rounds && (registers->flags & TMU_CHIP_ADDITIVE) != 0;
    return (struct tmu_chip_sampler){
        .texels = texels,
        .texels_below = texels + 2 * (size_t)registers->texhres,
        .mask_x = tmu_chip_coordinate(registers->texhmask),
        .mask_y = tmu_chip_coordinate(registers->texvmask),
        .last_x = ((registers->texhres - 1) & TMU_CHIP_SIDE_MAX) << TMU_CHIP_FRACTION,
        .last_y = ((registers->texvres - 1) & TMU_CHIP_SIDE_MAX) << TMU_CHIP_FRACTION,
        .strides = registers->texhres << 16 | 1,
        .odd = rounds,
        .filter_half = rounds ? ALMOST_HALF(WEIGHT_BITS) : 0,
        .filter_half_5 = rounds ? ALMOST_HALF(WEIGHT_BITS + 5) : 0,
        .blend_half = rounds ? ALMOST_HALF(TMU_CHIP_FRACTION) : 0,
        .brightness = registers->brightness + 1,
        .weight = registers->alpha + 1,
        .weight_kept = adds ? OPAQUE + 1 : OPAQUE - registers->alpha,
        .key = registers->chromakey,
        .keyed = (registers->flags & TMU_CHIP_CHROMA_KEY) != 0,
        .blends = adds || registers->alpha != OPAQUE,
    };
}

static uint32_t load(const uint8_t *bytes)
{
    return (uint32_t)bytes[0] << 8 | bytes[1];
}

static void store(uint8_t *bytes, uint32_t color)
{
    bytes[0] = (uint8_t)(color >> 8);
    bytes[1] = (uint8_t)color;
}

static uint64_t spread(uint32_t color)
{
    return (uint64_t)(color >> 11) << RED | (uint64_t)(color >> 5 & 63) << GREEN | (color & 31);
}

static uint32_t gathered(uint64_t components)
{
    return (uint32_t)(components >> RED << 11 | (components >> GREEN & 63) << 5 |
                      (components & 31));
}

/* Each component by 2^bits. May leave a bit more than fits. */
static uint64_t shortened(uint64_t sums, unsigned bits, int32_t odd, int32_t half)
{
    const uint64_t kept = ones * ((1u << (18 - bits + 1)) - 1);
    const uint64_t more = (sums >> bits & ones * (uint64_t)odd) + ones * (uint64_t)half;
    return (sums + more) >> bits & kept;
}

static uint32_t place(int32_t value, int32_t mask, int32_t last)
{
    const int32_t masked = value & mask;
    return (uint32_t)(masked < 0 ? 0 : masked < last ? masked : last);
}

static uint64_t filtered(const struct tmu_chip_sampler *sampler, uint32_t x, uint32_t y)
{
    const uint32_t one = 1u << TMU_CHIP_FRACTION;
    const uint32_t fx = x & (one - 1);
    const uint32_t fy = y & (one - 1);
    const size_t pitch = (uint32_t)sampler->strides >> 16;
    const size_t at = 2 * (pitch * (y >> TMU_CHIP_FRACTION) + (x >> TMU_CHIP_FRACTION));
    const uint8_t *upper = sampler->texels + at;
    const uint8_t *lower = sampler->texels_below + at;
    const uint64_t sums = spread(load(upper)) * ((one - fx) * (one - fy)) +
                          spread(load(upper + 2)) * (fx * (one - fy)) +
                          spread(load(lower)) * ((one - fx) * fy) +
                          spread(load(lower + 2)) * (fx * fy);
    return shortened(sums, WEIGHT_BITS, sampler->odd, sampler->filter_half);
}

static uint64_t saturated(uint64_t components)
{
    const uint64_t red = components >> RED;
    const uint64_t green = components >> GREEN & 127;
    const uint64_t blue = components & 127;
    return (red < 31 ? red : 31) << RED | (green < 63 ? green : 63) << GREEN |
           (blue < 31 ? blue : 31);
}

static void finish(uint8_t *target, uint64_t components, const struct tmu_chip_sampler *sampler)
{
    uint64_t result = components * (uint64_t)sampler->brightness >> TMU_CHIP_FRACTION & full;
    if (sampler->blends) {
        const uint64_t sums = result * (uint64_t)sampler->weight +
                              spread(load(target)) * (uint64_t)sampler->weight_kept;
        result = saturated(shortened(sums, TMU_CHIP_FRACTION, sampler->odd, sampler->blend_half));
    }
    store(target, gathered(result));
}

static void draw_plain(uint8_t *target, const int32_t *x, const int32_t *y, unsigned count,
                       const struct tmu_chip_sampler *sampler, uint8_t *drawn)
{
    if (sampler->keyed) {
        memset(drawn, 0, (count + 7) / 8);
    }
    for (unsigned i = 0; i < count; i++) {
        const uint64_t components = filtered(sampler, place(x[i], sampler->mask_x, sampler->last_x),
                                             place(y[i], sampler->mask_y, sampler->last_y));
        if (sampler->keyed && gathered(components) == (uint32_t)sampler->key) {
            continue;
        }
        finish(target + 2 * i, components, sampler);
        if (sampler->keyed) {
            drawn[i / 8] |= (uint8_t)(1 << (i & 7));
        }
    }
}

static void line_plain(int32_t *values, int32_t from, int32_t to,
                       const struct tmu_chip_division *width, unsigned first, unsigned count)
{
    int32_t whole[TMU_CHIP_SIDE_MAX];
    tmu_chip_interp(whole, from, to, width->width);
    memcpy(values, whole + first, count * sizeof *values);
}

const struct tmu_chip_kernels tmu_chip_kernels_plain = {line_plain, draw_plain};

const struct tmu_chip_kernels *tmu_chip_kernels_for(enum base_cpu_level level)
{
#if defined(__x86_64__)
    static const struct tmu_chip_kernels *const tables[BASE_CPU_LEVEL_COUNT] = {
        &tmu_chip_kernels_plain, &tmu_chip_kernels_sse41, &tmu_chip_kernels_avx2,
        &tmu_chip_kernels_avx2};
    assert(level < BASE_CPU_LEVEL_COUNT);
    return tables[level];
#else
    (void)level;
    return &tmu_chip_kernels_plain;
#endif
}
