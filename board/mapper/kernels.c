#include "board/mapper/kernels.h"

#include <assert.h>
#include <string.h>

/* The three components of a pixel stand 21 bits apart in one word, so that one multiplication is
 * for all of them: sums take at most 18 bits. */
enum { RED = 42, GREEN = 21, WEIGHT_BITS = 12, OPAQUE = 63 };

#define ALMOST_HALF(bits) ((1 << ((bits)-1)) - 1)

static const uint64_t ones = (uint64_t)1 << RED | (uint64_t)1 << GREEN | 1;
static const uint64_t full = (uint64_t)31 << RED | (uint64_t)63 << GREEN | 31;

struct board_mapper_division board_mapper_division_by(unsigned width)
{
    assert(width >= 1 && width <= BOARD_MAPPER_SIDE_MAX);
    const uint32_t half = 1u << (BOARD_MAPPER_LINE_BITS - 1);
    const uint64_t one = (uint64_t)1 << BOARD_MAPPER_WIDTH_BITS;
    return (struct board_mapper_division){
        .width = width,
        .start = half - half / width,
        .reciprocal = (one + width - 1) / width,
    };
}

struct board_mapper_sampler board_mapper_sampler_of(const struct board_mapper_registers *registers,
                                                    const struct board_mapper_memory *memory,
                                                    enum board_mapper_revision revision)
{
    const uint8_t *texels = memory->bytes + ((uint32_t)registers->texfbuf & (memory->size - 1));
    const bool rounds = revision == BOARD_MAPPER_CURRENT;
    const bool adds = rounds && (registers->flags & BOARD_MAPPER_ADDITIVE) != 0;
    return (struct board_mapper_sampler){
        .texels = texels,
        .texels_below = texels + 2 * (size_t)registers->texhres,
        .mask_x = board_mapper_coordinate(registers->texhmask),
        .mask_y = board_mapper_coordinate(registers->texvmask),
        .last_x = ((registers->texhres - 1) & BOARD_MAPPER_SIDE_MAX) << BOARD_MAPPER_FRACTION,
        .last_y = ((registers->texvres - 1) & BOARD_MAPPER_SIDE_MAX) << BOARD_MAPPER_FRACTION,
        .strides = registers->texhres << 16 | 1,
        .odd = rounds,
        .filter_half = rounds ? ALMOST_HALF(WEIGHT_BITS) : 0,
        .filter_half_5 = rounds ? ALMOST_HALF(WEIGHT_BITS + 5) : 0,
        .blend_half = rounds ? ALMOST_HALF(BOARD_MAPPER_FRACTION) : 0,
        .brightness = registers->brightness + 1,
        .weight = registers->alpha + 1,
        .weight_kept = adds ? OPAQUE + 1 : OPAQUE - registers->alpha,
        .key = registers->chromakey,
        .keyed = (registers->flags & BOARD_MAPPER_CHROMA_KEY) != 0,
        .blends = adds || registers->alpha != OPAQUE,
    };
}

static uint32_t load(const uint8_t *bytes)
{
    return (uint32_t)bytes[0] << 8 | bytes[1];
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

static uint64_t filtered(const struct board_mapper_sampler *sampler, uint32_t x, uint32_t y)
{
    const uint32_t one = 1u << BOARD_MAPPER_FRACTION;
    const uint32_t fx = x & (one - 1);
    const uint32_t fy = y & (one - 1);
    const size_t pitch = (uint32_t)sampler->strides >> 16;
    const size_t at = 2 * (pitch * (y >> BOARD_MAPPER_FRACTION) + (x >> BOARD_MAPPER_FRACTION));
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

static void finish(uint8_t *target, uint64_t components, const struct board_mapper_sampler *sampler)
{
    uint64_t result = components * (uint64_t)sampler->brightness >> BOARD_MAPPER_FRACTION & full;
    if (sampler->blends) {
        const uint64_t sums = result * (uint64_t)sampler->weight +
                              spread(load(target)) * (uint64_t)sampler->weight_kept;
        result =
            saturated(shortened(sums, BOARD_MAPPER_FRACTION, sampler->odd, sampler->blend_half));
    }
    const uint32_t color = gathered(result);
    target[0] = (uint8_t)(color >> 8);
    target[1] = (uint8_t)color;
}

static void draw_plain(uint8_t *target, const int32_t *x, const int32_t *y, unsigned count,
                       const struct board_mapper_sampler *sampler, uint8_t *drawn)
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
                       const struct board_mapper_division *width, unsigned first, unsigned count)
{
    int32_t whole[BOARD_MAPPER_SIDE_MAX];
    board_mapper_interp(whole, from, to, width->width);
    memcpy(values, whole + first, count * sizeof *values);
}

const struct board_mapper_kernels board_mapper_kernels_plain = {line_plain, draw_plain};

const struct board_mapper_kernels *board_mapper_kernels_for(enum base_cpu_level level)
{
    static const struct board_mapper_kernels *const tables[BASE_CPU_LEVEL_COUNT] =
        BASE_CPU_LEVELS(&board_mapper_kernels_plain, &board_mapper_kernels_four,
                        &board_mapper_kernels_avx2, &board_mapper_kernels_avx2);
    assert(level < BASE_CPU_LEVEL_COUNT);
    return tables[level];
}

enum {
    BLOCK_BITS = 5,
    NO_BLOCK = -1,
    CHUNK = 16, /* rows of a square whose edges are made together */
    EDGE_ROOM = CHUNK + BOARD_MAPPER_ROW_SPARE,
    COLUMNS = BOARD_MAPPER_PITCH,
};

struct fast_run {
    struct board_mapper *chip;
    const struct board_mapper_kernels *kernels;
    const struct board_mapper_memory *memory;
    uint32_t target; /* address */
    uint32_t pitch;  /* bytes */
    struct board_mapper_division width;
    struct board_mapper_sampler sampler;
    int64_t block;       /* of 32 bytes, that the last pixel was drawn into */
    int64_t stale_block; /* the same of the pixel that the last run left */
    uint32_t last;       /* address of the last pixel drawn */
    struct board_mapper_counts counts;
    int32_t x[BOARD_MAPPER_SIDE_MAX + BOARD_MAPPER_ROW_SPARE];
    int32_t y[BOARD_MAPPER_SIDE_MAX + BOARD_MAPPER_ROW_SPARE];
    uint8_t drawn[(BOARD_MAPPER_SIDE_MAX + 7) / 8];
};

/* Bytes of memory from..to-1. */
struct piece {
    uint64_t from;
    uint64_t to;
};

static struct piece texture_of(const struct board_mapper_registers *registers, uint32_t memory_size)
{
    const uint64_t from = (uint32_t)registers->texfbuf & (memory_size - 1);
    const uint64_t columns = ((uint32_t)registers->texhres - 1) & BOARD_MAPPER_SIDE_MAX;
    const uint64_t rows = ((uint32_t)registers->texvres - 1) & BOARD_MAPPER_SIDE_MAX;
    const uint64_t texels = (uint64_t)registers->texhres * rows + columns + 1;
    return (struct piece){from, from + 2 * texels};
}

static struct piece target_of(const struct board_mapper_registers *registers, uint32_t memory_size)
{
    const uint64_t from = (uint32_t)registers->dstfbuf & (memory_size - 1);
    const uint64_t pixels = (uint64_t)registers->dsthres * (uint64_t)registers->dstvres;
    return (struct piece){from, from + 2 * pixels};
}

/* Whether the kernels' conditions hold: each pixel is drawn once, texture and target are apart, and
 * neither goes round the end of memory. The texture's last row may look at one more below. */
static bool is_plain_case(const struct board_mapper_registers *registers, uint32_t memory_size)
{
    const struct piece texture = texture_of(registers, memory_size);
    const struct piece target = target_of(registers, memory_size);
    const uint64_t below = 2 * ((uint64_t)registers->texhres + 1);
    return !board_mapper_draws_twice(registers, memory_size) &&
           texture.to + below <= (uint64_t)memory_size + BOARD_MAPPER_MEMORY_GUARD &&
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

static void draw_row(void *user, const struct board_mapper_row *row)
{
    struct fast_run *run = user;
    const struct board_mapper_kernels *kernels = run->kernels;
    const uint32_t address = run->target + run->pitch * (uint32_t)row->y + 2 * (uint32_t)row->x;
    kernels->line(run->x, row->left.x, row->right.x, &run->width, row->first, row->count);
    kernels->line(run->y, row->left.y, row->right.y, &run->width, row->first, row->count);
    kernels->draw(run->memory->bytes + address, run->x, run->y, row->count, &run->sampler,
                  run->drawn);
    if (run->sampler.keyed) {
        for (unsigned i = 0; i < row->count; i++) {
            if ((run->drawn[i / 8] >> (i & 7) & 1) != 0) {
                run->last = address + 2 * i;
                count_block(run, run->last >> BLOCK_BITS);
            }
        }
    } else {
        count_row(run, address, row->count);
    }
    run->counts.pixels += row->count;
}

static void skip_row(void *user, const struct board_mapper_row *row)
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
    const struct board_mapper_registers *registers;
    struct board_mapper_division height;
    int32_t x[COLUMNS][EDGE_ROOM]; /* of each column of vertices, for the rows of a chunk */
    int32_t y[COLUMNS][EDGE_ROOM];
};

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

/* Draws the rows first..first + count - 1 of the squares between two rows of vertices. */
static void draw_chunk(struct sheet *sheet, const struct board_mapper_vertex *above, int32_t top,
                       unsigned first, unsigned count)
{
    const struct board_mapper_registers *registers = sheet->registers;
    struct fast_run *run = sheet->run;
    const int32_t left = registers->dsthoffset;
    const int32_t whole = registers->hmeshlast * registers->dstsquarew;
    const int32_t from = left < 0 ? -left : 0;
    const int32_t to = left + whole < registers->dsthres ? whole : registers->dsthres - left;
    const struct board_mapper_vertex *below = above + BOARD_MAPPER_PITCH;
    const board_mapper_line line = run->kernels->line;
    for (int32_t c = 0; c <= registers->hmeshlast; c++) {
        line(sheet->x[c], board_mapper_coordinate(above[c].x), board_mapper_coordinate(below[c].x),
             &sheet->height, first, count);
        line(sheet->y[c], board_mapper_coordinate(above[c].y), board_mapper_coordinate(below[c].y),
             &sheet->height, first, count);
    }
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

static void draw_sheet(struct fast_run *run, const struct board_mapper_registers *registers,
                       const struct board_mapper_vertex *vertices)
{
    const unsigned height = (unsigned)registers->dstsquareh;
    struct sheet sheet = {
        .run = run, .registers = registers, .height = board_mapper_division_by(height)};
    for (int32_t row = 0; row < registers->vmeshlast; row++) {
        const int32_t top = registers->dstvoffset + row * registers->dstsquareh;
        for (unsigned first = 0; first < height; first += CHUNK) {
            const unsigned count = height - first < CHUNK ? height - first : CHUNK;
            draw_chunk(&sheet, vertices + (size_t)row * BOARD_MAPPER_PITCH, top, first, count);
        }
    }
    board_mapper_walk(registers, NULL, skip_row, run);
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

struct board_mapper_counts board_mapper_run_fast(struct board_mapper *chip,
                                                 const struct board_mapper_memory *memory,
                                                 const struct board_mapper_vertex *vertices,
                                                 enum base_cpu_level level)
{
    assert(memory->size >= 1 << BLOCK_BITS && (memory->size & (memory->size - 1)) == 0);
    const struct board_mapper_registers registers = board_mapper_keep(&chip->registers);
    if (!board_mapper_draws(&registers) || !is_plain_case(&registers, memory->size)) {
        return board_mapper_run(chip, memory, vertices);
    }
    struct fast_run run = {
        .chip = chip,
        .kernels = board_mapper_kernels_for(level),
        .memory = memory,
        .target = (uint32_t)registers.dstfbuf & (memory->size - 1),
        .pitch = 2 * (uint32_t)registers.dsthres,
        .width = board_mapper_division_by((unsigned)registers.dstsquarew),
        .sampler = board_mapper_sampler_of(&registers, memory, chip->revision),
        .block = NO_BLOCK,
        .stale_block = NO_BLOCK,
    };
    /* The last pixel of the last run is written once more. */
    if (chip->stale) {
        chip->stale_address &= memory->size - 1;
        uint8_t *pixel = &memory->bytes[chip->stale_address];
        pixel[0] = (uint8_t)(chip->stale_color >> 8);
        pixel[1] = (uint8_t)chip->stale_color;
        run.stale_block = chip->stale_address >> BLOCK_BITS;
        run.counts.dst_write_bursts = 1;
    }
    /* A line is one piece where positions in the target never go round their 12 bits. */
    const int32_t right = registers.dsthoffset + registers.hmeshlast * registers.dstsquarew;
    const int32_t bottom = registers.dstvoffset + registers.vmeshlast * registers.dstsquareh;
    if (right <= BOARD_MAPPER_SIDE_MAX && bottom <= BOARD_MAPPER_SIDE_MAX &&
        (registers.flags & BOARD_MAPPER_CHROMA_KEY) == 0) {
        draw_sheet(&run, &registers, vertices);
    } else {
        board_mapper_walk(&registers, vertices, draw_row, &run);
    }
    end(&run);
    return run.counts;
}
