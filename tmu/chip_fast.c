#include "tmu/chip_kernels.h"

#include <assert.h>

enum {
    BLOCK_BITS = 5,
    NO_BLOCK = -1,
    CHUNK = 16, /* rows of a square whose edges are made together */
    EDGE_ROOM = CHUNK + TMU_CHIP_ROW_SPARE,
    COLUMNS = TMU_CHIP_PITCH,
};

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

static void skip_row(void *user, const struct tmu_chip_row *row)
{
    struct fast_run *run = user;
    const uint32_t address = run->target + run->pitch * (uint32_t)row->y + 2 * (uint32_t)row->x;
    count_row(run, address, row->count);
    run->counts.pixels += row->count;
}

/* A row of squares at a time: lines as wide as the target take the kernels less than many short
 * ones. Which block follows which is counted apart, in the order of the chip. */
struct sheet {
    struct fast_run *run;
    const struct tmu_chip_registers *registers;
    struct tmu_chip_division height;
    int32_t x[COLUMNS][EDGE_ROOM]; /* of each column of vertices, for the rows of a chunk */
    int32_t y[COLUMNS][EDGE_ROOM];
};

/* Whether positions in the target never go round their 12 bits, so that a line is one piece. */
static bool is_sheet(const struct tmu_chip_registers *registers)
{
    const int32_t right = registers->dsthoffset + registers->hmeshlast * registers->dstsquarew;
    const int32_t bottom = registers->dstvoffset + registers->vmeshlast * registers->dstsquareh;
    return right <= TMU_CHIP_SIDE_MAX && bottom <= TMU_CHIP_SIDE_MAX &&
           (registers->flags & TMU_CHIP_CHROMA_KEY) == 0;
}

/* Coordinates of the line whose edges stand in row `row` of the chunk, from pixel `from` to
 * to - 1 of the mesh. */
static void make_line(const struct sheet *sheet, unsigned row, int32_t from, int32_t to)
{
    struct fast_run *run = sheet->run;
    const int32_t width = sheet->registers->dstsquarew;
    for (int32_t at = from; at < to;) {
        const int32_t column = at / width;
        const int32_t end = (column + 1) * width < to ? (column + 1) * width : to;
        const unsigned first = (unsigned)(at - column * width);
        const unsigned count = (unsigned)(end - at);
        run->kernels->line(run->x + (at - from), sheet->x[column][row], sheet->x[column + 1][row],
                           &run->width, first, count);
        run->kernels->line(run->y + (at - from), sheet->y[column][row], sheet->y[column + 1][row],
                           &run->width, first, count);
        at = end;
    }
}

static void make_edges(struct sheet *sheet, const struct tmu_chip_vertex *above, unsigned first,
                       unsigned count)
{
    const struct tmu_chip_vertex *below = above + TMU_CHIP_PITCH;
    const tmu_chip_line line = sheet->run->kernels->line;
    for (int32_t c = 0; c <= sheet->registers->hmeshlast; c++) {
        line(sheet->x[c], tmu_chip_coordinate(above[c].x), tmu_chip_coordinate(below[c].x),
             &sheet->height, first, count);
        line(sheet->y[c], tmu_chip_coordinate(above[c].y), tmu_chip_coordinate(below[c].y),
             &sheet->height, first, count);
    }
}

/* Draws the rows first..first + count - 1 of the squares between two rows of vertices. */
static void draw_chunk(struct sheet *sheet, const struct tmu_chip_vertex *above, int32_t top,
                       unsigned first, unsigned count)
{
    const struct tmu_chip_registers *registers = sheet->registers;
    struct fast_run *run = sheet->run;
    const int32_t left = registers->dsthoffset;
    const int32_t whole = registers->hmeshlast * registers->dstsquarew;
    const int32_t from = left < 0 ? -left : 0;
    const int32_t to = left + whole < registers->dsthres ? whole : registers->dsthres - left;
    make_edges(sheet, above, first, count);
    for (unsigned i = 0; i < count && from < to; i++) {
        const int32_t y = top + (int32_t)(first + i);
        if (y >= 0 && y < registers->dstvres) {
            const uint32_t address =
                run->target + run->pitch * (uint32_t)y + 2 * (uint32_t)(left + from);
            make_line(sheet, i, from, to);
            run->kernels->draw(run->memory->bytes + address, run->x, run->y, (unsigned)(to - from),
                               &run->sampler, run->drawn);
        }
    }
}

static void draw_sheet(struct fast_run *run, const struct tmu_chip_registers *registers,
                       const struct tmu_chip_vertex *vertices)
{
    const unsigned height = (unsigned)registers->dstsquareh;
    struct sheet sheet = {
        .run = run, .registers = registers, .height = tmu_chip_division_by(height)};
    for (int32_t row = 0; row < registers->vmeshlast; row++) {
        const int32_t top = registers->dstvoffset + row * registers->dstsquareh;
        for (unsigned first = 0; first < height; first += CHUNK) {
            const unsigned count = height - first < CHUNK ? height - first : CHUNK;
            draw_chunk(&sheet, vertices + (size_t)row * TMU_CHIP_PITCH, top, first, count);
        }
    }
    tmu_chip_walk(registers, NULL, skip_row, run);
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
    if (is_sheet(&registers)) {
        draw_sheet(&run, &registers, vertices);
    } else {
        tmu_chip_walk(&registers, vertices, draw_row, &run);
    }
    end(&run);
    return run.counts;
}
