/* The chip's mapper against a second formulation that follows the text of the specification another
 * way: values in closed form, texels in 64-bit arithmetic modulo, rounding by the C library. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../turns.h"
#include "base/random.h"
#include "board/mapper/mapper.h"
#include "board/mapper/walk.h"

enum {
    VERTICES = BOARD_MAPPER_PITCH * BOARD_MAPPER_PITCH,
    WORK = 1 << 16,
    CANARY = 0x5A,
    BURST = 32
};

static uint32_t below(struct base_rng *rng, uint32_t limit)
{
    return base_rng_next(rng) % limit;
}

static int64_t modulo(int64_t value, int64_t size)
{
    const int64_t rest = value % size;
    return rest < 0 ? rest + size : rest;
}

static int64_t wrap(int64_t value, unsigned bits)
{
    const int64_t half = (int64_t)1 << (bits - 1);
    return modulo(value + half, 2 * half) - half;
}

/* Value k of count on the way, see board/mapper/walk.h. */
static int64_t on_the_way(int64_t from, int64_t to, int64_t count, int64_t k)
{
    const int64_t difference = modulo(llabs(to - from), 1 << 17);
    const int64_t way =
        difference / count * k + (2 * k * (difference % count) + count - 1) / (2 * count);
    return wrap(to > from ? from + way : from - way, 18);
}

static void values_on_the_way(void **state)
{
    static const struct {
        int32_t from;
        int32_t to;
        unsigned count;
        int32_t values[6];
    } cases[] = {
        {7, 1000, 1, {7}},
        {0, 0, 5, {0, 0, 0, 0, 0}},
        {0, 4, 4, {0, 1, 2, 3}},
        {4, 0, 4, {4, 3, 2, 1}},
        {0, 1, 2, {0, 0}},    /* half is not enough */
        {0, 1, 3, {0, 0, 1}}, /* two thirds are */
        {0, 3, 2, {0, 1}},
        {0, 7, 4, {0, 2, 3, 5}},
        {0, -7, 4, {0, -2, -3, -5}}, /* the mirror image */
        {10, 3, 4, {10, 8, 7, 5}},
        {-3, 4, 6, {-3, -2, -1, 0, 2, 3}}, /* the error may be negative */
        {0, -131072, 3, {0, 0, 0}},        /* 2^17 counts as nothing */
        {-131072, 0, 3, {-131072, -131072, -131072}},
        {-131072, 131071, 2, {-131072, -65537}},
        {131071, -131072, 2, {131071, 65536}},
        {131071, -131072, 1, {131071}},
        {-100000, 100000, 3, {-100000, -77024, -54048, 0}},
        {131071, 131070, 2, {131071, 131071}},
        {-131072, -131071, 3, {-131072, -131072, -131071}},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        int32_t values[6] = {0};
        board_mapper_interp(values, cases[i].from, cases[i].to, cases[i].count);
        for (unsigned k = 0; k < cases[i].count; k++) {
            assert_int_equal(values[k], cases[i].values[k]);
        }
    }
}

static int32_t coordinate(struct base_rng *rng)
{
    static const int32_t edges[] = {0, -1, 1, 131071, -131072, 65536, -65536, 64, 63};
    const uint32_t kind = below(rng, 4);
    if (kind == 0) {
        return edges[below(rng, sizeof edges / sizeof edges[0])];
    }
    return kind == 1 ? (int32_t)below(rng, 1 << 15)
                     : board_mapper_coordinate((int32_t)base_rng_next(rng));
}

static void values_in_closed_form(void **state)
{
    struct base_rng rng;
    static int32_t values[BOARD_MAPPER_SIDE_MAX + 1];
    (void)state;
    base_rng_seed(&rng, 4, 1);
    for (unsigned count = 1; count <= BOARD_MAPPER_SIDE_MAX; count++) {
        const int32_t from = coordinate(&rng);
        const int32_t to = coordinate(&rng);
        values[count] = CANARY;
        board_mapper_interp(values, from, to, count);
        for (unsigned k = 0; k < count; k++) {
            assert_int_equal(values[k], on_the_way(from, to, count, k));
        }
        assert_int_equal(values[count], CANARY);
    }
}

/* A chip, its memory with canaries behind it, and its twin of the second formulation. */
struct bench {
    struct base_rng rng;
    struct board_mapper chip;
    struct board_mapper twin;
    struct board_mapper_vertex vertices[VERTICES];
    uint32_t size;
    uint8_t *memory;
    uint8_t *copy;
};

static int set_up(void **state)
{
    struct bench *bench = calloc(1, sizeof *bench);
    assert_non_null(bench);
    base_rng_seed(&bench->rng, 17, 3);
    *state = bench;
    return 0;
}

static void empty_memory(struct bench *bench)
{
    free(bench->memory);
    free(bench->copy);
    bench->memory = NULL;
    bench->copy = NULL;
}

static int tear_down(void **state)
{
    struct bench *bench = *state;
    empty_memory(bench);
    free(bench);
    return 0;
}

static void make_memory(struct bench *bench, uint32_t size)
{
    empty_memory(bench);
    bench->size = size;
    bench->memory = malloc(size + BOARD_MAPPER_MEMORY_GUARD);
    bench->copy = malloc(size);
    assert_true(bench->memory != NULL && bench->copy != NULL);
    for (uint32_t i = 0; i < size; i++) {
        bench->memory[i] = (uint8_t)base_rng_next(&bench->rng);
    }
    memset(bench->memory + size, CANARY, BOARD_MAPPER_MEMORY_GUARD);
    memcpy(bench->copy, bench->memory, size);
}

/* The second formulation. */
struct twin {
    struct bench *bench;
    const struct board_mapper_registers *registers;
    bool current;
    int64_t last_written; /* block */
    int64_t last_read;
    uint8_t line[BURST];
    struct board_mapper_counts counts;
};

static int64_t address_of(const struct twin *twin, int64_t address)
{
    return modulo(address, twin->bench->size);
}

static double channel(uint32_t color, int which)
{
    static const uint32_t scales[] = {2048, 32, 1};
    return color / scales[which] % (which == 1 ? 64 : 32);
}

static uint32_t color_at(const uint8_t *bytes)
{
    return bytes[0] * 256u + bytes[1];
}

static double texel(const struct twin *twin, int64_t x, int64_t y, int which)
{
    const struct board_mapper_registers *registers = twin->registers;
    const int64_t address =
        address_of(twin, registers->texfbuf / 2 * 2 + 2 * (registers->texhres * y + x));
    return channel(color_at(&twin->bench->copy[address]), which);
}

static int64_t placed(int64_t value, int64_t mask, int64_t size)
{
    const int64_t seen = wrap(modulo(value, 1 << 18) & mask, 18);
    const int64_t last = 64 * modulo(size - 1, 2048);
    return seen < 0 ? 0 : seen > last ? last : seen;
}

static double shortened(const struct twin *twin, double value)
{
    return twin->current ? nearbyint(value) : floor(value);
}

static uint32_t filtered(const struct twin *twin, int64_t u, int64_t v)
{
    const struct board_mapper_registers *registers = twin->registers;
    const int64_t x = placed(u, registers->texhmask, registers->texhres);
    const int64_t y = placed(v, registers->texvmask, registers->texvres);
    const double right = (double)(x % 64) / 64;
    const double down = (double)(y % 64) / 64;
    uint32_t color = 0;
    for (int i = 0; i < 3; i++) {
        const double upper = texel(twin, x / 64, y / 64, i) * (1 - right) +
                             texel(twin, x / 64 + 1, y / 64, i) * right;
        const double lower = texel(twin, x / 64, y / 64 + 1, i) * (1 - right) +
                             texel(twin, x / 64 + 1, y / 64 + 1, i) * right;
        color = color * (i == 1 ? 64 : 32) +
                (uint32_t)shortened(twin, upper * (1 - down) + lower * down);
    }
    return color;
}

static uint32_t read_target(struct twin *twin, int64_t address)
{
    if (twin->last_read != address / BURST) {
        twin->last_read = address / BURST;
        twin->counts.dst_read_bursts++;
        memcpy(twin->line, &twin->bench->copy[address / BURST * BURST], BURST);
    }
    return color_at(&twin->line[address % BURST]);
}

static uint32_t mixed(struct twin *twin, uint32_t color, int64_t address)
{
    const struct board_mapper_registers *registers = twin->registers;
    const bool adds = twin->current && (registers->flags & BOARD_MAPPER_ADDITIVE) != 0;
    const bool reads = adds || registers->alpha < 63;
    const uint32_t target = reads ? read_target(twin, address) : 0;
    const double alpha = registers->alpha + 1;
    uint32_t result = 0;
    for (int i = 0; i < 3; i++) {
        const double dimmed = floor(channel(color, i) * (registers->brightness + 1) / 64);
        const double sum = alpha * dimmed + (adds ? 64 : 64 - alpha) * channel(target, i);
        result = result * (i == 1 ? 64 : 32) +
                 (uint32_t)fmin(shortened(twin, sum / 64), i == 1 ? 63 : 31);
    }
    return result;
}

static void write_pixel(struct twin *twin, int64_t address, uint32_t color)
{
    struct board_mapper *chip = &twin->bench->twin;
    twin->counts.dst_write_bursts += twin->last_written != address / BURST;
    twin->last_written = address / BURST;
    twin->bench->copy[address] = (uint8_t)(color / 256);
    twin->bench->copy[address + 1] = (uint8_t)(color % 256);
    chip->stale = true;
    chip->stale_address = (uint32_t)address;
    chip->stale_color = (uint16_t)color;
}

/* Pixel (i, j) of the square whose left upper corner is *corner. */
static void draw_pixel(struct twin *twin, const struct board_mapper_vertex *corner, int64_t x,
                       int64_t y, int64_t i, int64_t j)
{
    const struct board_mapper_registers *registers = twin->registers;
    const struct board_mapper_vertex *lower = corner + BOARD_MAPPER_PITCH;
    const int64_t ends[4][2] = {{corner[0].x, lower[0].x},
                                {corner[0].y, lower[0].y},
                                {corner[1].x, lower[1].x},
                                {corner[1].y, lower[1].y}};
    int64_t sides[4];
    if (x < 0 || x >= registers->dsthres || y < 0 || y >= registers->dstvres) {
        return;
    }
    twin->counts.pixels++;
    for (int k = 0; k < 4; k++) {
        sides[k] = on_the_way(wrap(ends[k][0], 18), wrap(ends[k][1], 18), registers->dstsquareh, j);
    }
    const uint32_t color = filtered(twin, on_the_way(sides[0], sides[2], registers->dstsquarew, i),
                                    on_the_way(sides[1], sides[3], registers->dstsquarew, i));
    if ((registers->flags & BOARD_MAPPER_CHROMA_KEY) != 0 &&
        color == (uint32_t)registers->chromakey) {
        return;
    }
    const int64_t address =
        address_of(twin, registers->dstfbuf / 2 * 2 + 2 * (registers->dsthres * y + x));
    write_pixel(twin, address, mixed(twin, color, address));
}

static struct board_mapper_counts run_twin(struct bench *bench)
{
    const struct board_mapper_registers *registers = &bench->twin.registers;
    struct twin twin = {.bench = bench,
                        .registers = registers,
                        .current = bench->twin.revision == BOARD_MAPPER_CURRENT,
                        .last_written = -1,
                        .last_read = -1};
    if (registers->dstsquarew == 0 || registers->dstsquareh == 0) {
        return twin.counts;
    }
    if (bench->twin.stale && registers->hmeshlast * registers->vmeshlast > 0) {
        write_pixel(&twin, address_of(&twin, bench->twin.stale_address), bench->twin.stale_color);
    }
    const int64_t width = registers->dstsquarew;
    const int64_t columns = registers->hmeshlast;
    const int64_t squares = columns * registers->vmeshlast;
    for (int64_t n = 0; n < squares * width * registers->dstsquareh; n++) {
        const int64_t i = n % width;
        const int64_t j = n / width % registers->dstsquareh;
        const int64_t square = n / width / registers->dstsquareh;
        const int64_t cx = square % columns;
        const int64_t cy = square / columns;
        const int64_t x = wrap(registers->dsthoffset + cx * width + i, 12);
        const int64_t y = wrap(registers->dstvoffset + cy * registers->dstsquareh + j, 12);
        draw_pixel(&twin, &bench->vertices[cy * BOARD_MAPPER_PITCH + cx], x, y, i, j);
    }
    return twin.counts;
}

/* Runs both and compares everything. */
static void compare(struct bench *bench)
{
    const struct board_mapper_memory memory = {bench->memory, bench->size};
    bench->twin = bench->chip;
    bench->twin.registers = board_mapper_keep(&bench->chip.registers);
    const struct board_mapper_counts got = board_mapper_run(&bench->chip, &memory, bench->vertices);
    const struct board_mapper_counts expected = run_twin(bench);
    assert_int_equal(got.pixels, expected.pixels);
    assert_int_equal(got.dst_read_bursts, expected.dst_read_bursts);
    assert_int_equal(got.dst_write_bursts, expected.dst_write_bursts);
    assert_memory_equal(bench->memory, bench->copy, bench->size);
    assert_int_equal(bench->chip.stale, bench->twin.stale);
    assert_int_equal(bench->chip.stale_address, bench->twin.stale_address);
    assert_int_equal(bench->chip.stale_color, bench->twin.stale_color);
    for (size_t i = 0; i < BOARD_MAPPER_MEMORY_GUARD; i++) {
        assert_int_equal(bench->memory[bench->size + i], CANARY);
    }
}

/* A mesh and squares of at most WORK pixels. */
static void random_grid(struct bench *bench)
{
    struct board_mapper_registers *registers = &bench->chip.registers;
    struct base_rng *rng = &bench->rng;
    int32_t *const sides[] = {&registers->hmeshlast, &registers->vmeshlast, &registers->dstsquarew,
                              &registers->dstsquareh};
    uint32_t left = WORK;
    const size_t first = below(rng, 4);
    for (size_t i = 0; i < 4; i++) {
        const uint32_t most = i == 0 ? 2047 : 40;
        int32_t *side = sides[(first + i) % 4];
        const uint32_t limit = side == sides[0] || side == sides[1] ? 127 : most;
        *side = (int32_t)(1 + below(rng, left < limit ? left : limit));
        left /= (uint32_t)*side;
        left += left == 0;
    }
    for (size_t i = 0; i < VERTICES; i++) {
        bench->vertices[i].x = coordinate(rng);
        bench->vertices[i].y = (int32_t)((uint32_t)coordinate(rng) + (base_rng_next(rng) << 18));
    }
}

static void random_registers(struct bench *bench)
{
    struct base_rng *rng = &bench->rng;
    struct board_mapper_registers *registers = &bench->chip.registers;
    const bool any = below(rng, 2) == 0;
    board_mapper_reset(&bench->chip, below(rng, 2) ? BOARD_MAPPER_CURRENT : BOARD_MAPPER_THESIS);
#define BOARD_MAPPER_REGISTER(name, offset, bits, reset, sign)                                     \
    registers->name = any ? (int32_t)base_rng_next(rng) : reset;
#include "board/mapper/registers.def"
    registers->flags = base_rng_next(rng);
    if (!any) {
        registers->texhmask = (int32_t)((64u << below(rng, 13)) - 1);
        registers->texvmask = below(rng, 2) ? 0x3ffff : 0x3ffc0;
        registers->texhres = (int32_t)(1 + below(rng, 100));
        registers->texvres = (int32_t)(1 + below(rng, 100));
        registers->dsthres = (int32_t)(1 + below(rng, 300));
        registers->dstvres = (int32_t)(1 + below(rng, 300));
        registers->dsthoffset = (int32_t)below(rng, 40) - 20;
        registers->dstvoffset = (int32_t)below(rng, 40) - 20;
        registers->alpha = below(rng, 2) ? 63 : (int32_t)below(rng, 64);
        registers->brightness = below(rng, 2) ? 63 : (int32_t)below(rng, 64);
        registers->texfbuf = (int32_t)below(rng, 4096);
        registers->dstfbuf = (int32_t)below(rng, 1 << 20);
    }
    random_grid(bench);
}

static void random_runs(void **state)
{
    struct bench *bench = *state;
    for (int i = 0; i < TURNS(150); i++) {
        make_memory(bench, 32u << below(&bench->rng, 16));
        random_registers(bench);
        compare(bench);
        /* With the stale pixel of the first run. */
        bench->chip.registers.dsthoffset += (int32_t)below(&bench->rng, 3);
        compare(bench);
    }
}

/* Half of the texels are the key. */
static void random_runs_with_key(void **state)
{
    struct bench *bench = *state;
    for (int i = 0; i < 30; i++) {
        make_memory(bench, 1 << 16);
        random_registers(bench);
        for (uint32_t at = 0; at < bench->size; at += 2) {
            const uint8_t byte = below(&bench->rng, 4) != 0 ? 0x21 : 0xff;
            bench->memory[at] = byte;
            bench->memory[at + 1] = byte;
        }
        memcpy(bench->copy, bench->memory, bench->size);
        bench->chip.registers.chromakey = 0x2121;
        bench->chip.registers.flags = BOARD_MAPPER_CHROMA_KEY | (base_rng_next(&bench->rng) & 4);
        bench->chip.registers.texhmask &= 0x3ffc0;
        bench->chip.registers.texvmask &= 0x3ffc0;
        compare(bench);
    }
}

/* Registers that hold more than the chip keeps, in the least memory. */
static void whatever_registers_hold(void **state)
{
    struct bench *bench = *state;
    for (int i = 0; i < TURNS(300); i++) {
        make_memory(bench, 32u << below(&bench->rng, 4));
        random_registers(bench);
        bench->chip.registers.hmeshlast |= (int32_t)(base_rng_next(&bench->rng) & 0xffffff80u);
        bench->chip.registers.dstsquareh |= (int32_t)(base_rng_next(&bench->rng) & 0xfffff800u);
        compare(bench);
    }
}

static void zeros_draw_nothing(void **state)
{
    struct bench *bench = *state;
    for (int which = 0; which < 4; which++) {
        make_memory(bench, 1 << 12);
        random_registers(bench);
        struct board_mapper_registers *registers = &bench->chip.registers;
        int32_t *const sides[] = {&registers->hmeshlast, &registers->vmeshlast,
                                  &registers->dstsquarew, &registers->dstsquareh};
        *sides[which] = 0;
        compare(bench);
        assert_false(bench->chip.stale);
    }
}

/* A square of width x height pixels at the target's left upper corner, from texel (0, 0) on. */
static void plain_square(struct bench *bench, int32_t width, int32_t height)
{
    struct board_mapper_registers *registers = &bench->chip.registers;
    registers->hmeshlast = 1;
    registers->vmeshlast = 1;
    registers->dstsquarew = width;
    registers->dstsquareh = height;
    registers->texhres = 64;
    registers->texvres = 64;
    registers->dsthres = 64;
    registers->dstvres = 64;
    registers->texfbuf = 0;
    registers->dstfbuf = 1 << 13;
    for (int y = 0; y < 2; y++) {
        for (int x = 0; x < 2; x++) {
            bench->vertices[y * BOARD_MAPPER_PITCH + x] =
                (struct board_mapper_vertex){x * width * 64, y * height * 64};
        }
    }
}

static void last_pixel_comes_again(void **state)
{
    struct bench *bench = *state;
    make_memory(bench, 1 << 14);
    const struct board_mapper_memory memory = {bench->memory, bench->size};
    board_mapper_reset(&bench->chip, BOARD_MAPPER_CURRENT);
    plain_square(bench, 64, 64);
    struct board_mapper_counts counts = board_mapper_run(&bench->chip, &memory, bench->vertices);
    assert_int_equal(counts.pixels, 64 * 64);
    assert_int_equal(counts.dst_write_bursts, 64 * 64 / 16);
    assert_memory_equal(bench->memory + (1 << 13), bench->memory, 1 << 13);

    /* Somebody paints the last pixel; the next run undoes that with a burst of its own. */
    uint8_t *last = &bench->memory[bench->size - 2];
    const uint8_t old[] = {last[0], last[1]};
    last[0] ^= 0xff;
    last[1] ^= 0xff;
    plain_square(bench, 16, 1);
    counts = board_mapper_run(&bench->chip, &memory, bench->vertices);
    assert_int_equal(counts.dst_write_bursts, 2);
    assert_memory_equal(last, old, 2);

    /* In the same burst it costs nothing; what the run draws there stays. */
    bench->memory[(1 << 13) + 30] ^= 0xff;
    bench->memory[30] ^= 0x11;
    counts = board_mapper_run(&bench->chip, &memory, bench->vertices);
    assert_int_equal(counts.dst_write_bursts, 1);
    assert_memory_equal(bench->memory + (1 << 13), bench->memory, 32);
    bench->memory[(1 << 13) + 30] ^= 0xff;
    plain_square(bench, 15, 1);
    counts = board_mapper_run(&bench->chip, &memory, bench->vertices);
    assert_int_equal(counts.dst_write_bursts, 1);
    assert_memory_equal(bench->memory + (1 << 13), bench->memory, 32);
}

static void first_run_is_clean(void **state)
{
    struct bench *bench = *state;
    make_memory(bench, 1 << 14);
    const struct board_mapper_memory memory = {bench->memory, bench->size};
    board_mapper_reset(&bench->chip, BOARD_MAPPER_THESIS);
    assert_false(bench->chip.stale);
    plain_square(bench, 1, 1);
    const struct board_mapper_counts counts =
        board_mapper_run(&bench->chip, &memory, bench->vertices);
    assert_int_equal(counts.dst_write_bursts, 1);
    memcpy(bench->copy + (1 << 13), bench->copy, 2);
    assert_memory_equal(bench->memory, bench->copy, bench->size);
}

/* Scrolling in place: each texel is read before it is overwritten. */
static void texture_may_be_target(void **state)
{
    struct bench *bench = *state;
    make_memory(bench, 1 << 14);
    const struct board_mapper_memory memory = {bench->memory, bench->size};
    board_mapper_reset(&bench->chip, BOARD_MAPPER_CURRENT);
    plain_square(bench, 64, 64);
    bench->chip.registers.dstfbuf = 0;
    bench->chip.registers.dstvres = 63;
    for (int i = 0; i < 2; i++) {
        bench->vertices[i].y += 64;
        bench->vertices[BOARD_MAPPER_PITCH + i].y += 64;
    }
    (void)board_mapper_run(&bench->chip, &memory, bench->vertices);
    assert_memory_equal(bench->memory, bench->copy + 128, 63 * 128);
    assert_memory_equal(bench->memory + 63 * 128, bench->copy + 63 * 128, 128);
}

static void kept_bits(void **state)
{
    static const struct {
        int32_t value;
        unsigned bits;
        bool has_sign;
        int32_t kept;
    } cases[] = {
        {4059, 12, true, -37},      {-37, 12, true, -37}, {2047, 12, true, 2047},
        {2048, 12, true, -2048},    {-1, 7, false, 127},  {128, 7, false, 0},
        {-1, 27, false, 0x7ffffff}, {-1, 32, false, -1},  {INT32_MIN, 32, true, INT32_MIN},
        {INT32_MIN, 18, true, 0},   {1, 1, false, 1},     {1, 1, true, -1},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_int_equal(board_mapper_kept(cases[i].value, cases[i].bits, cases[i].has_sign),
                         cases[i].kept);
    }
}

static void masks_and_clamps(void **state)
{
    static const struct {
        int32_t value;
        int32_t mask;
        int32_t size;
        uint32_t place;
    } cases[] = {
        {0, 0x3ffff, 512, 0},
        {-1, 0x3ffff, 512, 0},
        {-1, 0x7fff, 512, 511 * 64}, /* the clamp runs in wrap mode too */
        {511 * 64 + 1, 0x7fff, 512, 511 * 64},
        {512 * 64, 0x7fff, 512, 0},
        {513 * 64 + 5, 0x7fff, 512, 69},
        {-64, 0x7fff, 512, 511 * 64},
        {100, 0x3ffc0, 512, 64},
        {-1, 0x1ffff, 2047, 2046 * 64},
        {131071, 0x3ffff, 0, 2047 * 64}, /* the last column in 11 bits */
        {77, 0x3ffff, 1, 0},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_int_equal(board_mapper_place(cases[i].value, cases[i].mask, cases[i].size),
                         cases[i].place);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kept_bits),
        cmocka_unit_test(values_on_the_way),
        cmocka_unit_test(values_in_closed_form),
        cmocka_unit_test(masks_and_clamps),
        cmocka_unit_test_setup_teardown(random_runs, set_up, tear_down),
        cmocka_unit_test_setup_teardown(random_runs_with_key, set_up, tear_down),
        cmocka_unit_test_setup_teardown(whatever_registers_hold, set_up, tear_down),
        cmocka_unit_test_setup_teardown(zeros_draw_nothing, set_up, tear_down),
        cmocka_unit_test_setup_teardown(last_pixel_comes_again, set_up, tear_down),
        cmocka_unit_test_setup_teardown(first_run_is_clean, set_up, tear_down),
        cmocka_unit_test_setup_teardown(texture_may_be_target, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
