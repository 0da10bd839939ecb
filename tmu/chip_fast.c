#include "tmu/chip_kernels.h"

#include <assert.h>

enum { BLOCK_BITS = 5, NO_BLOCK = -1 };

struct fast_run {
    struct tmu_chip *chip;
    const struct tmu_chip_kernels *kernels;
    const struct tmu_chip_memory *memory;
    uint32_t target; /* address */
    uint32_t pitch;  /* bytes */
    struct tmu_chip_division width;
    struct tmu_chip_sampler sampler;
    int64_t block;       /* of 32 bytes, that the last pixel was drawn into */
    int64_t stale_block; /* the same of the pixel that the last run left */
    uint32_t last;       /* address of the last pixel drawn */
    struct tmu_chip_counts counts;
    int32_t x[TMU_CHIP_SIDE_MAX + TMU_CHIP_ROW_SPARE];
    int32_t y[TMU_CHIP_SIDE_MAX + TMU_CHIP_ROW_SPARE];
    uint8_t drawn[(TMU_CHIP_SIDE_MAX + 7) / 8];
};

/* Bytes of memory from..to-1. */
struct piece {
    uint64_t from;
    uint64_t to;
};

static struct piece texture_of(const struct tmu_chip_registers *registers, uint32_t memory_size)
{
    const uint64_t from = (uint32_t)registers->texfbuf & (memory_size - 1);
    const uint64_t columns = ((uint32_t)registers->texhres - 1) & TMU_CHIP_SIDE_MAX;
    const uint64_t rows = ((uint32_t)registers->texvres - 1) & TMU_CHIP_SIDE_MAX;
    const uint64_t texels = (uint64_t)registers->texhres * rows + columns + 1;
    return (struct piece){from, from + 2 * texels};
}

static struct piece target_of(const struct tmu_chip_registers *registers, uint32_t memory_size)
{
    const uint64_t from = (uint32_t)registers->dstfbuf & (memory_size - 1);
    const uint64_t pixels = (uint64_t)registers->dsthres * (uint64_t)registers->dstvres;
    return (struct piece){from, from + 2 * pixels};
}

/* Whether the kernels' conditions hold: each pixel is drawn once, texture and target are apart, and
 * neither goes round the end of memory. The texture's last row may look at one more below. */
static bool is_plain_case(const struct tmu_chip_registers *registers, uint32_t memory_size)
{
    const struct piece texture = texture_of(registers, memory_size);
    const struct piece target = target_of(registers, memory_size);
    const uint64_t below = 2 * ((uint64_t)registers->texhres + 1);
    return !tmu_chip_draws_twice(registers, memory_size) &&
           texture.to + below <= (uint64_t)memory_size + TMU_CHIP_MEMORY_GUARD &&
           texture.to <= memory_size && target.to <= memory_size &&
           (texture.to <= target.from || target.to <= texture.from);
}

/* Pixels were drawn into a block. The pixel that the last run left has its burst already. */
static void count_block(struct fast_run *run, int64_t block)
{
    if (block != run->block) {
        const bool waits = run->block == NO_BLOCK && block == run->stale_block;
        run->counts.dst_write_bursts += !waits;
        run->counts.dst_read_bursts += run->sampler.blends;
        run->block = block;
    }
}

static void count_row(struct fast_run *run, uint32_t address, unsigned count)
{
    run->last = address + 2 * (count - 1);
    for (uint32_t block = address >> BLOCK_BITS; block <= run->last >> BLOCK_BITS; block++) {
        count_block(run, block);
    }
}

static void count_drawn(struct fast_run *run, uint32_t address, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        if ((run->drawn[i / 8] >> (i & 7) & 1) != 0) {
            run->last = address + 2 * i;
            count_block(run, run->last >> BLOCK_BITS);
        }
    }
}

static void draw_row(void *user, const struct tmu_chip_row *row)
{
    struct fast_run *run = user;
    const struct tmu_chip_kernels *kernels = run->kernels;
    const uint32_t address = run->target + run->pitch * (uint32_t)row->y + 2 * (uint32_t)row->x;
    kernels->line(run->x, row->left.x, row->right.x, &run->width, row->first, row->count);
    kernels->line(run->y, row->left.y, row->right.y, &run->width, row->first, row->count);
    kernels->draw(run->memory->bytes + address, run->x, run->y, row->count, &run->sampler,
                  run->drawn);
    if (run->sampler.keyed) {
        count_drawn(run, address, row->count);
    } else {
        count_row(run, address, row->count);
    }
    run->counts.pixels += row->count;
}

/* The last pixel of the last run is written once more. */
static void begin(struct fast_run *run)
{
    struct tmu_chip *chip = run->chip;
    if (chip->stale) {
        chip->stale_address &= run->memory->size - 1;
        uint8_t *pixel = &run->memory->bytes[chip->stale_address];
        pixel[0] = (uint8_t)(chip->stale_color >> 8);
        pixel[1] = (uint8_t)chip->stale_color;
        run->stale_block = chip->stale_address >> BLOCK_BITS;
        run->counts.dst_write_bursts = 1;
    }
}

static void end(struct fast_run *run)
{
    if (run->block != NO_BLOCK) {
        const uint8_t *pixel = &run->memory->bytes[run->last];
        run->chip->stale = true;
        run->chip->stale_address = run->last;
        run->chip->stale_color = (uint16_t)(pixel[0] << 8 | pixel[1]);
    }
}

struct tmu_chip_counts tmu_chip_run_fast(struct tmu_chip *chip,
                                         const struct tmu_chip_memory *memory,
                                         const struct tmu_chip_vertex *vertices,
                                         enum base_cpu_level level)
{
    assert(memory->size >= 1 << BLOCK_BITS && (memory->size & (memory->size - 1)) == 0);
    const struct tmu_chip_registers registers = tmu_chip_keep(&chip->registers);
    if (!tmu_chip_draws(&registers) || !is_plain_case(&registers, memory->size)) {
        return tmu_chip_run(chip, memory, vertices);
    }
    struct fast_run run = {
        .chip = chip,
        .kernels = tmu_chip_kernels_for(level),
        .memory = memory,
        .target = (uint32_t)registers.dstfbuf & (memory->size - 1),
        .pitch = 2 * (uint32_t)registers.dsthres,
        .width = tmu_chip_division_by((unsigned)registers.dstsquarew),
        .sampler = tmu_chip_sampler_of(&registers, memory, chip->revision),
        .block = NO_BLOCK,
        .stale_block = NO_BLOCK,
    };
    begin(&run);
    tmu_chip_walk(&registers, vertices, draw_row, &run);
    end(&run);
    return run.counts;
}
