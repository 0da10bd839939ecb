#include "tmu/chip.h"

#include <assert.h>
#include <string.h>

#include "tmu/chip_walk.h"

enum { BURST_BITS = 5, BURST = 1 << BURST_BITS, NOTHING_READ = 63, WEIGHT_BITS = 12 };

/* A pixel's red, green and blue, 5, 6 and 5 bits. */
enum { COMPONENTS = 3 };
static const struct {
    unsigned shift;
    uint32_t max;
} components[COMPONENTS] = {{11, 31}, {5, 63}, {0, 31}};

struct run {
    struct tmu_chip *chip;
    const struct tmu_chip_memory *memory;
    struct tmu_chip_registers registers;
    bool rounds;
    bool adds;
    bool reads_target;
    bool line_valid; /* one burst of the target, as it was when it was read */
    uint32_t line_block;
    uint8_t line[BURST];
    bool burst_open; /* pixels wait for their burst to be written */
    uint32_t burst_block;
    struct tmu_chip_counts counts;
    int32_t u[TMU_CHIP_SIDE_MAX];
    int32_t v[TMU_CHIP_SIDE_MAX];
};

int32_t tmu_chip_kept(int32_t value, unsigned bits, bool is_signed)
{
    assert(bits >= 1 && bits <= 32);
    const uint64_t size = (uint64_t)1 << bits;
    const int64_t kept = (int64_t)((uint32_t)value & (size - 1));
    const bool negative = (is_signed || bits == 32) && kept >= (int64_t)(size / 2);
    return (int32_t)(negative ? kept - (int64_t)size : kept);
}

void tmu_chip_reset(struct tmu_chip *chip, enum tmu_revision revision)
{
    *chip = (struct tmu_chip){
        .registers =
            {
#define TMU_REGISTER(name, offset, bits, reset, sign) .name = (reset),
#include "tmu/chip_registers.def"
            },
        .revision = revision,
    };
}

static uint16_t load(const uint8_t *bytes)
{
    return (uint16_t)(bytes[0] << 8 | bytes[1]);
}

static void store(const struct tmu_chip_memory *memory, uint32_t address, uint16_t color)
{
    uint8_t *bytes = &memory->bytes[address & (memory->size - 1)];
    bytes[0] = (uint8_t)(color >> 8);
    bytes[1] = (uint8_t)color;
}

/* value / 2^bits, to the nearest and to even (spec/tmu.md section 4), or truncated. */
static uint32_t shorten(uint32_t value, unsigned bits, bool rounds)
{
    const uint32_t quotient = value >> bits;
    const uint32_t half = 1u << (bits - 1);
    const uint32_t rest = value & (2 * half - 1);
    return quotient + (rounds && (rest > half || (rest == half && (quotient & 1) != 0)));
}

static uint16_t filter(const struct run *run, uint32_t x, uint32_t y)
{
    const uint32_t pitch = (uint32_t)run->registers.texhres;
    const uint32_t one = 1u << TMU_CHIP_FRACTION;
    const uint32_t fx = x & (one - 1);
    const uint32_t fy = y & (one - 1);
    const uint32_t first = (uint32_t)run->registers.texfbuf +
                           2 * (pitch * (y >> TMU_CHIP_FRACTION) + (x >> TMU_CHIP_FRACTION));
    const struct {
        uint32_t address;
        uint32_t weight;
    } taps[] = {
        {first, (one - fx) * (one - fy)},
        {first + 2, fx * (one - fy)},
        {first + 2 * pitch, (one - fx) * fy},
        {first + 2 * pitch + 2, fx * fy},
    };
    uint32_t sums[COMPONENTS] = {0};
    for (size_t tap = 0; tap < sizeof taps / sizeof taps[0]; tap++) {
        const uint32_t color =
            load(&run->memory->bytes[taps[tap].address & (run->memory->size - 1)]);
        for (size_t i = 0; i < COMPONENTS; i++) {
            sums[i] += taps[tap].weight * (color >> components[i].shift & components[i].max);
        }
    }
    uint32_t color = 0;
    for (size_t i = 0; i < COMPONENTS; i++) {
        color |= shorten(sums[i], WEIGHT_BITS, run->rounds) << components[i].shift;
    }
    return (uint16_t)color;
}

static uint16_t dim(const struct run *run, uint32_t color)
{
    const uint32_t factor = (uint32_t)run->registers.brightness + 1;
    uint32_t result = 0;
    for (size_t i = 0; i < COMPONENTS; i++) {
        const uint32_t value = color >> components[i].shift & components[i].max;
        result |= (value * factor >> TMU_CHIP_FRACTION) << components[i].shift;
    }
    return (uint16_t)result;
}

static uint16_t read_target(struct run *run, uint32_t address)
{
    const uint32_t block = address >> BURST_BITS;
    if (!run->line_valid || run->line_block != block) {
        run->line_valid = true;
        run->line_block = block;
        memcpy(run->line, &run->memory->bytes[block << BURST_BITS], BURST);
        run->counts.dst_read_bursts++;
    }
    return load(&run->line[address & (BURST - 1)]);
}

static uint16_t blend(const struct run *run, uint32_t color, uint32_t below)
{
    const uint32_t alpha = (uint32_t)run->registers.alpha;
    const uint32_t weight = run->adds ? 64 : 63 - alpha;
    uint32_t result = 0;
    for (size_t i = 0; i < COMPONENTS; i++) {
        const uint32_t max = components[i].max;
        const uint32_t sum = (alpha + 1) * (color >> components[i].shift & max) +
                             weight * (below >> components[i].shift & max);
        const uint32_t value = shorten(sum, TMU_CHIP_FRACTION, run->rounds);
        result |= (value < max ? value : max) << components[i].shift;
    }
    return (uint16_t)result;
}

static void close_burst(struct run *run)
{
    run->counts.dst_write_bursts += run->burst_open;
    run->burst_open = false;
}

static void write_pixel(struct run *run, uint32_t address, uint16_t color)
{
    const uint32_t block = address >> BURST_BITS;
    if (run->burst_block != block) {
        close_burst(run);
    }
    run->burst_open = true;
    run->burst_block = block;
    store(run->memory, address, color);
    run->chip->stale = true;
    run->chip->stale_address = address;
    run->chip->stale_color = color;
}

static void draw_pixel(struct run *run, uint32_t address, int32_t u, int32_t v)
{
    const struct tmu_chip_registers *registers = &run->registers;
    const uint16_t filtered =
        filter(run, tmu_chip_place(u, registers->texhmask, registers->texhres),
               tmu_chip_place(v, registers->texvmask, registers->texvres));
    if ((registers->flags & TMU_CHIP_CHROMA_KEY) != 0 && filtered == registers->chromakey) {
        return;
    }
    const uint16_t dimmed = dim(run, filtered);
    write_pixel(run, address,
                run->reads_target ? blend(run, dimmed, read_target(run, address)) : dimmed);
}

static void draw_row(void *user, const struct tmu_chip_row *row)
{
    struct run *run = user;
    const uint32_t pitch = (uint32_t)run->registers.dsthres;
    const uint32_t first =
        (uint32_t)run->registers.dstfbuf + 2 * (pitch * (uint32_t)row->y + (uint32_t)row->x);
    tmu_chip_interp(run->u, row->left.x, row->right.x, row->width);
    tmu_chip_interp(run->v, row->left.y, row->right.y, row->width);
    for (unsigned i = 0; i < row->count; i++) {
        draw_pixel(run, (first + 2 * i) & (run->memory->size - 1), run->u[row->first + i],
                   run->v[row->first + i]);
    }
    run->counts.pixels += row->count;
}

struct tmu_chip_counts tmu_chip_run(struct tmu_chip *chip, const struct tmu_chip_memory *memory,
                                    const struct tmu_chip_vertex *vertices)
{
    assert(memory->size >= BURST && (memory->size & (memory->size - 1)) == 0);
    struct run run = {.chip = chip,
                      .memory = memory,
                      .registers = tmu_chip_keep(&chip->registers),
                      .rounds = chip->revision == TMU_REVISION_CURRENT};
    run.adds = run.rounds && (run.registers.flags & TMU_CHIP_ADDITIVE) != 0;
    run.reads_target = run.adds || run.registers.alpha != NOTHING_READ;
    if (!tmu_chip_draws(&run.registers)) {
        return run.counts;
    }
    if (chip->stale) {
        write_pixel(&run, chip->stale_address & (memory->size - 1), chip->stale_color);
    }
    tmu_chip_walk(&run.registers, vertices, draw_row, &run);
    close_burst(&run);
    return run.counts;
}
