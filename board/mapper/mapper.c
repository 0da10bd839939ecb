#include "board/mapper/mapper.h"

#include <assert.h>
#include <string.h>

#include "board/mapper/walk.h"

enum { POSITIONS = 4096, DIFFERENCE = (1 << 17) - 1 };

/* The edges of one square, a value for each of its rows. */
struct edges {
    int32_t left_x[BOARD_MAPPER_SIDE_MAX];
    int32_t left_y[BOARD_MAPPER_SIDE_MAX];
    int32_t right_x[BOARD_MAPPER_SIDE_MAX];
    int32_t right_y[BOARD_MAPPER_SIDE_MAX];
};

struct span {
    unsigned first;
    unsigned count;
};

struct board_mapper_registers board_mapper_keep(const struct board_mapper_registers *registers)
{
    struct board_mapper_registers kept = {
#define BOARD_MAPPER_REGISTER(name, offset, bits, reset, sign)                                     \
    .name = board_mapper_kept(registers->name, bits, sign == BOARD_MAPPER_SIGNED),
#include "board/mapper/registers.def"
        .flags = registers->flags & (BOARD_MAPPER_CHROMA_KEY | BOARD_MAPPER_ADDITIVE),
    };
    kept.texfbuf &= ~1;
    kept.dstfbuf &= ~1;
    return kept;
}

bool board_mapper_draws(const struct board_mapper_registers *registers)
{
    return registers->hmeshlast > 0 && registers->vmeshlast > 0 && registers->dstsquarew > 0 &&
           registers->dstsquareh > 0;
}

void board_mapper_interp(int32_t *values, int32_t from, int32_t to, unsigned count)
{
    const int32_t width = (int32_t)count;
    const int32_t sign = to > from ? 1 : -1;
    const int32_t difference = ((to - from) * sign) & DIFFERENCE;
    const int32_t quotient = difference / width;
    const int32_t remainder = difference % width;
    int32_t value = from;
    int32_t error = 0;
    for (unsigned i = 0; i < count; i++) {
        values[i] = value;
        int32_t step = quotient;
        error += remainder;
        if (error > width / 2) {
            error -= width;
            step++;
        }
        value = board_mapper_coordinate(value + sign * step);
    }
}

/* Positions in the target have 12 bits with sign. */
static int32_t position(int32_t offset, int32_t index, int32_t size)
{
    return board_mapper_kept(offset + index * size, 12, true);
}

/* Sizes of squares and targets are less than half of the positions, so what has left the target
 * cannot come back to it. */
static struct span clip(int32_t start, int32_t size, int32_t limit)
{
    const int32_t from = start < 0 ? 0 : start;
    const int32_t to = start + size < limit ? start + size : limit;
    if (from >= to) {
        return (struct span){0, 0};
    }
    return (struct span){(unsigned)(from - start), (unsigned)(to - from)};
}

static void make_edges(struct edges *edges, const struct board_mapper_vertex *corner,
                       unsigned height)
{
    const struct board_mapper_vertex *below = corner + BOARD_MAPPER_PITCH;
    const struct {
        int32_t *values;
        int32_t from;
        int32_t to;
    } rows[] = {
        {edges->left_x, corner[0].x, below[0].x},
        {edges->left_y, corner[0].y, below[0].y},
        {edges->right_x, corner[1].x, below[1].x},
        {edges->right_y, corner[1].y, below[1].y},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        board_mapper_interp(rows[i].values, board_mapper_coordinate(rows[i].from),
                            board_mapper_coordinate(rows[i].to), height);
    }
}

/* The rows of one square, without edges if there are none; *row holds what is common to them. */
static void visit_rows(const struct edges *edges, struct board_mapper_row *row, struct span lines,
                       int32_t y, board_mapper_visit visit, void *user)
{
    for (unsigned i = lines.first; i < lines.first + lines.count; i++) {
        if (edges != NULL) {
            row->left = (struct board_mapper_vertex){edges->left_x[i], edges->left_y[i]};
            row->right = (struct board_mapper_vertex){edges->right_x[i], edges->right_y[i]};
        }
        row->inside = (int)i;
        row->y = y + (int)i;
        visit(user, row);
    }
}

void board_mapper_walk(const struct board_mapper_registers *registers,
                       const struct board_mapper_vertex *vertices, board_mapper_visit visit,
                       void *user)
{
    struct edges edges;
    const int32_t width = registers->dstsquarew;
    const int32_t height = registers->dstsquareh;
    for (int32_t cy = 0; cy < registers->vmeshlast; cy++) {
        const int32_t y = position(registers->dstvoffset, cy, height);
        const struct span lines = clip(y, height, registers->dstvres);
        for (int32_t cx = 0; cx < registers->hmeshlast && lines.count > 0; cx++) {
            const int32_t x = position(registers->dsthoffset, cx, width);
            const struct span columns = clip(x, width, registers->dsthres);
            if (columns.count > 0) {
                struct board_mapper_row row = {.width = (unsigned)width,
                                               .first = columns.first,
                                               .count = columns.count,
                                               .x = x + (int)columns.first};
                if (vertices != NULL) {
                    make_edges(&edges, &vertices[cy * BOARD_MAPPER_PITCH + cx], (unsigned)height);
                }
                visit_rows(vertices != NULL ? &edges : NULL, &row, lines, y, visit, user);
            }
        }
    }
}

bool board_mapper_draws_twice(const struct board_mapper_registers *registers, uint32_t memory_size)
{
    const uint64_t target =
        2 * (uint64_t)(uint32_t)registers->dsthres * (uint64_t)(uint32_t)registers->dstvres;
    return registers->hmeshlast * registers->dstsquarew > POSITIONS ||
           registers->vmeshlast * registers->dstsquareh > POSITIONS || target > memory_size;
}

enum { BURST_BITS = 5, BURST = 1 << BURST_BITS, NOTHING_READ = 63, WEIGHT_BITS = 12 };

/* A pixel's red, green and blue, 5, 6 and 5 bits. */
enum { COMPONENTS = 3 };
static const struct {
    unsigned shift;
    uint32_t max;
} components[COMPONENTS] = {{11, 31}, {5, 63}, {0, 31}};

struct run {
    struct board_mapper *chip;
    const struct board_mapper_memory *memory;
    struct board_mapper_registers registers;
    bool rounds;
    bool adds;
    bool reads_target;
    bool line_valid; /* one burst of the target, as it was when it was read */
    uint32_t line_block;
    uint8_t line[BURST];
    bool burst_open; /* pixels wait for their burst to be written */
    uint32_t burst_block;
    struct board_mapper_counts counts;
    int32_t u[BOARD_MAPPER_SIDE_MAX];
    int32_t v[BOARD_MAPPER_SIDE_MAX];
};

int32_t board_mapper_kept(int32_t value, unsigned bits, bool is_signed)
{
    assert(bits >= 1 && bits <= 32);
    const uint64_t size = (uint64_t)1 << bits;
    const int64_t kept = (int64_t)((uint32_t)value & (size - 1));
    const bool negative = (is_signed || bits == 32) && kept >= (int64_t)(size / 2);
    return (int32_t)(negative ? kept - (int64_t)size : kept);
}

void board_mapper_reset(struct board_mapper *chip, enum board_mapper_revision revision)
{
    *chip = (struct board_mapper){
        .registers =
            {
#define BOARD_MAPPER_REGISTER(name, offset, bits, reset, sign) .name = (reset),
#include "board/mapper/registers.def"
            },
        .revision = revision,
    };
}

static uint16_t load(const uint8_t *bytes)
{
    return (uint16_t)(bytes[0] << 8 | bytes[1]);
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
    const uint32_t one = 1u << BOARD_MAPPER_FRACTION;
    const uint32_t fx = x & (one - 1);
    const uint32_t fy = y & (one - 1);
    const uint32_t first =
        (uint32_t)run->registers.texfbuf +
        2 * (pitch * (y >> BOARD_MAPPER_FRACTION) + (x >> BOARD_MAPPER_FRACTION));
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
        result |= (value * factor >> BOARD_MAPPER_FRACTION) << components[i].shift;
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
        const uint32_t value = shorten(sum, BOARD_MAPPER_FRACTION, run->rounds);
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
    uint8_t *bytes = &run->memory->bytes[address & (run->memory->size - 1)];
    bytes[0] = (uint8_t)(color >> 8);
    bytes[1] = (uint8_t)color;
    run->chip->stale = true;
    run->chip->stale_address = address;
    run->chip->stale_color = color;
}

static void draw_pixel(struct run *run, uint32_t address, int32_t u, int32_t v)
{
    const struct board_mapper_registers *registers = &run->registers;
    const uint16_t filtered =
        filter(run, board_mapper_place(u, registers->texhmask, registers->texhres),
               board_mapper_place(v, registers->texvmask, registers->texvres));
    if ((registers->flags & BOARD_MAPPER_CHROMA_KEY) != 0 && filtered == registers->chromakey) {
        return;
    }
    const uint16_t dimmed = dim(run, filtered);
    write_pixel(run, address,
                run->reads_target ? blend(run, dimmed, read_target(run, address)) : dimmed);
}

static void draw_row(void *user, const struct board_mapper_row *row)
{
    struct run *run = user;
    const uint32_t pitch = (uint32_t)run->registers.dsthres;
    const uint32_t first =
        (uint32_t)run->registers.dstfbuf + 2 * (pitch * (uint32_t)row->y + (uint32_t)row->x);
    board_mapper_interp(run->u, row->left.x, row->right.x, row->width);
    board_mapper_interp(run->v, row->left.y, row->right.y, row->width);
    for (unsigned i = 0; i < row->count; i++) {
        draw_pixel(run, (first + 2 * i) & (run->memory->size - 1), run->u[row->first + i],
                   run->v[row->first + i]);
    }
    run->counts.pixels += row->count;
}

struct board_mapper_counts board_mapper_run(struct board_mapper *chip,
                                            const struct board_mapper_memory *memory,
                                            const struct board_mapper_vertex *vertices)
{
    assert(memory->size >= BURST && (memory->size & (memory->size - 1)) == 0);
    struct run run = {.chip = chip,
                      .memory = memory,
                      .registers = board_mapper_keep(&chip->registers),
                      .rounds = chip->revision == BOARD_MAPPER_CURRENT};
    run.adds = run.rounds && (run.registers.flags & BOARD_MAPPER_ADDITIVE) != 0;
    run.reads_target = run.adds || run.registers.alpha != NOTHING_READ;
    if (!board_mapper_draws(&run.registers)) {
        return run.counts;
    }
    if (chip->stale) {
        write_pixel(&run, chip->stale_address & (memory->size - 1), chip->stale_color);
    }
    board_mapper_walk(&run.registers, vertices, draw_row, &run);
    close_burst(&run);
    return run.counts;
}

enum { OPAQUE = 63 };

struct trace {
    const struct board_mapper_registers *registers;
    const struct tmu_trace_sink *sink;
    int32_t u[BOARD_MAPPER_SIDE_MAX];
    int32_t v[BOARD_MAPPER_SIDE_MAX];
    struct tmu_fragment fragments[BOARD_MAPPER_SIDE_MAX];
};

_Static_assert((int)BOARD_MAPPER_SIDE_MAX <= (int)TMU_TRACE_ROW_MAX,
               "rows of squares are sent whole");

static void send_row(void *user, const struct board_mapper_row *row)
{
    struct trace *trace = user;
    board_mapper_interp(trace->u, row->left.x, row->right.x, row->width);
    board_mapper_interp(trace->v, row->left.y, row->right.y, row->width);
    for (unsigned i = 0; i < row->count; i++) {
        const unsigned at = row->first + i;
        const int32_t u = trace->u[at];
        const int32_t v = trace->v[at];
        const uint32_t x =
            board_mapper_place(u, trace->registers->texhmask, trace->registers->texhres);
        const uint32_t y =
            board_mapper_place(v, trace->registers->texvmask, trace->registers->texvres);
        const uint32_t fraction = (1u << BOARD_MAPPER_FRACTION) - 1;
        trace->fragments[i] = (struct tmu_fragment){
            .u = u,
            .v = v,
            .x = (uint16_t)(x >> BOARD_MAPPER_FRACTION),
            .y = (uint16_t)(y >> BOARD_MAPPER_FRACTION),
            .fx = (uint8_t)(x & fraction),
            .fy = (uint8_t)(y & fraction),
        };
    }
    const struct tmu_trace_row sent = {.inside = row->inside,
                                       .x = row->x,
                                       .y = row->y,
                                       .count = row->count,
                                       .fragments = trace->fragments};
    trace->sink->row(trace->sink->user, &sent);
}

/* Columns after which a mask repeats the texture, 0 if it keeps the sign or cuts otherwise. */
static uint32_t repeats(int32_t mask)
{
    const uint32_t period = (uint32_t)mask + 1;
    const bool wraps = (period & (uint32_t)mask) == 0 && period >> BOARD_MAPPER_FRACTION != 0 &&
                       period >> BOARD_MAPPER_COORDINATE_BITS == 0;
    return wraps ? period >> BOARD_MAPPER_FRACTION : 0;
}

void board_mapper_trace(const struct board_mapper_registers *registers,
                        const struct board_mapper_vertex *vertices,
                        const struct tmu_trace_sink *sink)
{
    const struct board_mapper_registers kept = board_mapper_keep(registers);
    if (!board_mapper_draws(&kept)) {
        return;
    }
    const struct tmu_trace_run run = {
        .texture = (uint32_t)kept.texfbuf,
        .texture_width = (uint32_t)kept.texhres,
        .texture_height = (uint32_t)kept.texvres,
        .wrap_x = repeats(kept.texhmask),
        .wrap_y = repeats(kept.texvmask),
        .target = (uint32_t)kept.dstfbuf,
        .target_width = (uint32_t)kept.dsthres,
        .reads_target = kept.alpha != OPAQUE || (kept.flags & BOARD_MAPPER_ADDITIVE) != 0,
    };
    struct trace trace = {.registers = &kept, .sink = sink};
    sink->begin(sink->user, &run);
    board_mapper_walk(&kept, vertices, send_row, &trace);
    sink->end(sink->user);
}
