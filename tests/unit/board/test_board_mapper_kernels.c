/* The chip's fast rows against board_mapper_run: lines of every width, rows with canaries around
 * them, and whole runs with random and adversarial registers, every CPU level, both revisions. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "../turns.h"
#include "base/random.h"
#include "board/mapper/kernels.h"

enum { CANARY = 0x5A, MEMORY_MAX = 1 << 20, VERTICES = BOARD_MAPPER_PITCH * BOARD_MAPPER_PITCH };

static uint32_t below(struct base_rng *rng, uint32_t limit)
{
    return base_rng_next(rng) % limit;
}

static int32_t coordinate(struct base_rng *rng)
{
    static const int32_t edges[] = {0, 1, -1, 63, 64, -64, 131071, -131072, 65536, -65536, 32768};
    const uint32_t kind = below(rng, 4);
    if (kind == 0) {
        return edges[below(rng, sizeof edges / sizeof edges[0])];
    }
    return board_mapper_coordinate((int32_t)(base_rng_next(rng) >> (kind == 1 ? 16 : 0)));
}

/* The best level is the last one. */
static enum base_cpu_level level_of(int level)
{
    return (enum base_cpu_level)level;
}

struct line_case {
    int32_t from;
    int32_t to;
    unsigned width;
    unsigned first;
    unsigned count;
};

static void compare_line(const struct line_case *line, const int32_t *expected, int level)
{
    int32_t got[BOARD_MAPPER_SIDE_MAX + BOARD_MAPPER_ROW_SPARE];
    const struct board_mapper_division width = board_mapper_division_by(line->width);
    memset(got, CANARY, sizeof got);
    board_mapper_kernels_for(level_of(level))
        ->line(got, line->from, line->to, &width, line->first, line->count);
    assert_memory_equal(got, expected + line->first, line->count * sizeof *got);
    for (size_t i = line->count + BOARD_MAPPER_ROW_SPARE - 1; i < sizeof got / sizeof *got; i++) {
        assert_int_equal(got[i], 0x5A5A5A5A);
    }
}

static void compare_lines(const struct line_case *line)
{
    int32_t expected[BOARD_MAPPER_SIDE_MAX];
    board_mapper_interp(expected, line->from, line->to, line->width);
    for (int level = 0; level <= (int)base_cpu_best(); level++) {
        compare_line(line, expected, level);
    }
}

static void test_lines_of_every_width(void **state)
{
    (void)state;
    struct base_rng rng;
    base_rng_seed(&rng, 1, 0);
    for (unsigned width = 1; width <= BOARD_MAPPER_SIDE_MAX; width++) {
        for (int i = 0; i < 8; i++) {
            const unsigned first = i < 4 ? 0 : below(&rng, width);
            const unsigned count = i % 4 == 0 ? width - first : 1 + below(&rng, width - first);
            const struct line_case line = {coordinate(&rng), coordinate(&rng), width, first, count};
            compare_lines(&line);
        }
    }
}

/* Every remainder, up and down: all places where a step can be due. */
static void test_lines_of_every_slope(void **state)
{
    (void)state;
    static const unsigned widths[] = {1, 2, 3, 15, 16, 20, 63, 511, 513, 1023, 2046, 2047};
    for (size_t w = 0; w < sizeof widths / sizeof widths[0]; w++) {
        const unsigned width = widths[w];
        for (int32_t rest = 0; rest < (int32_t)width; rest += 1 + (int32_t)width / 600) {
            const int32_t by = (int32_t)(rest % 64 * (int32_t)width + rest) % 131072;
            compare_lines(&(struct line_case){-7, -7 + by, width, 0, width});
            compare_lines(&(struct line_case){9, 9 - by, width, 0, width});
        }
    }
}

/* What a run works on. */
struct scene {
    struct board_mapper chip;
    uint8_t *bytes; /* MEMORY_MAX and the guard */
    uint32_t size;
    struct board_mapper_vertex *vertices;
};

struct scenes {
    struct base_rng rng;
    struct scene scene;
    uint8_t *expected;
    uint8_t *got;
};

static void fill_memory(struct scenes *all)
{
    for (size_t i = 0; i < MEMORY_MAX + BOARD_MAPPER_MEMORY_GUARD; i++) {
        all->scene.bytes[i] = (uint8_t)(base_rng_next(&all->rng) >> 24);
    }
}

static void run_level(struct scenes *all, int level, const struct board_mapper *expected,
                      const struct board_mapper_counts *counts)
{
    const size_t bytes = all->scene.size + BOARD_MAPPER_MEMORY_GUARD;
    struct board_mapper chip = all->scene.chip;
    memcpy(all->got, all->scene.bytes, bytes);
    const struct board_mapper_counts got =
        board_mapper_run_fast(&chip, &(struct board_mapper_memory){all->got, all->scene.size},
                              all->scene.vertices, level_of(level));
    assert_memory_equal(all->got, all->expected, bytes);
    assert_int_equal(got.pixels, counts->pixels);
    assert_int_equal(got.dst_read_bursts, counts->dst_read_bursts);
    assert_int_equal(got.dst_write_bursts, counts->dst_write_bursts);
    assert_int_equal(chip.stale, expected->stale);
    assert_int_equal(chip.stale_address, expected->stale_address);
    assert_int_equal(chip.stale_color, expected->stale_color);
}

/* Leaves chip and memory as after the run, so that the next one meets the last pixel. */
static struct board_mapper_counts compare_run(struct scenes *all)
{
    const size_t bytes = all->scene.size + BOARD_MAPPER_MEMORY_GUARD;
    struct board_mapper chip = all->scene.chip;
    memcpy(all->expected, all->scene.bytes, bytes);
    const struct board_mapper_counts counts = board_mapper_run(
        &chip, &(struct board_mapper_memory){all->expected, all->scene.size}, all->scene.vertices);
    for (int level = 0; level <= (int)base_cpu_best(); level++) {
        run_level(all, level, &chip, &counts);
    }
    all->scene.chip = chip;
    memcpy(all->scene.bytes, all->expected, bytes);
    return counts;
}

static int setup(void **state)
{
    struct scenes *all = calloc(1, sizeof *all);
    assert_non_null(all);
    const size_t bytes = MEMORY_MAX + BOARD_MAPPER_MEMORY_GUARD;
    all->scene.bytes = malloc(bytes);
    all->expected = malloc(bytes);
    all->got = malloc(bytes);
    all->scene.vertices = calloc(VERTICES, sizeof *all->scene.vertices);
    assert_true(all->scene.bytes != NULL && all->expected != NULL && all->got != NULL &&
                all->scene.vertices != NULL);
    base_rng_seed(&all->rng, 5, 0);
    fill_memory(all);
    *state = all;
    return 0;
}

static int teardown(void **state)
{
    struct scenes *all = *state;
    free(all->scene.bytes);
    free(all->expected);
    free(all->got);
    free(all->scene.vertices);
    free(all);
    return 0;
}

static void random_colors(struct scenes *all, struct board_mapper_registers *registers)
{
    struct base_rng *rng = &all->rng;
    registers->brightness = below(rng, 2) == 0 ? 63 : (int32_t)below(rng, 64);
    registers->alpha = below(rng, 2) == 0 ? 63 : (int32_t)below(rng, 64);
    registers->flags = below(rng, 3) == 0 ? below(rng, 8) : 0;
    registers->chromakey = (int32_t)below(rng, 0x10000);
    all->scene.chip.revision = below(rng, 2) == 0 ? BOARD_MAPPER_CURRENT : BOARD_MAPPER_THESIS;
}

static int32_t random_mask(struct base_rng *rng)
{
    static const int32_t masks[] = {0x3ffff, 0x3ffc0, 0x7fff, 0xfff, 0x7ff, 0x1ffff, 0, 0x20000};
    const uint32_t kind = below(rng, 10);
    return kind < 8 ? masks[kind] : (int32_t)below(rng, 0x40000);
}

/* Meshes that wander slowly, as pictures do, or jump. */
static void random_mesh(struct scenes *all)
{
    struct base_rng *rng = &all->rng;
    const bool jumps = below(rng, 2) == 0;
    const int32_t step[] = {(int32_t)below(rng, 4096) - 2048, (int32_t)below(rng, 4096) - 2048};
    for (int y = 0; y < 20; y++) {
        for (int x = 0; x < 20; x++) {
            all->scene.vertices[y * BOARD_MAPPER_PITCH + x] =
                jumps ? (struct board_mapper_vertex){coordinate(rng), coordinate(rng)}
                      : (struct board_mapper_vertex){x * step[0] - y * step[1] + 5000,
                                                     x * step[1] + y * step[0] +
                                                         (int32_t)below(rng, 9)};
        }
    }
}

/* Texture in the lower, target in the upper half of memory: never the reference's turn. */
static void random_picture(struct scenes *all)
{
    struct base_rng *rng = &all->rng;
    struct board_mapper_registers *registers = &all->scene.chip.registers;
    all->scene.size = MEMORY_MAX;
    registers->hmeshlast = 1 + (int32_t)below(rng, 8);
    registers->vmeshlast = 1 + (int32_t)below(rng, 8);
    registers->texhres = 1 + (int32_t)below(rng, 400);
    registers->texvres = 1 + (int32_t)below(rng, 400);
    registers->texfbuf = (int32_t)below(rng, 4096);
    registers->texhmask = random_mask(rng);
    registers->texvmask = random_mask(rng);
    registers->dsthres = 1 + (int32_t)below(rng, 400);
    registers->dstvres = 1 + (int32_t)below(rng, 400);
    registers->dstfbuf = MEMORY_MAX / 2 + (int32_t)below(rng, 4096);
    registers->dsthoffset = (int32_t)below(rng, 200) - 100;
    registers->dstvoffset = (int32_t)below(rng, 200) - 100;
    registers->dstsquarew = 1 + (int32_t)below(rng, below(rng, 4) == 0 ? 400 : 40);
    registers->dstsquareh = 1 + (int32_t)below(rng, below(rng, 4) == 0 ? 400 : 40);
    random_colors(all, registers);
    random_mesh(all);
}

static void test_runs_equal(void **state)
{
    struct scenes *all = *state;
    uint64_t drawn = 0;
    for (int i = 0; i < TURNS(150); i++) {
        random_picture(all);
        drawn += compare_run(all).pixels;
    }
    assert_true(drawn > TURNS(500000));
}

/* Keys that do occur: the texture has few colours. */
static void test_keyed_runs_equal(void **state)
{
    struct scenes *all = *state;
    for (int i = 0; i < 60; i++) {
        random_picture(all);
        for (size_t at = 0; at < MEMORY_MAX / 2; at += 2) {
            all->scene.bytes[at] = below(&all->rng, 3) == 0 ? 0x12 : 0xF8;
            all->scene.bytes[at + 1] = 0x34;
        }
        all->scene.chip.registers.flags |= BOARD_MAPPER_CHROMA_KEY;
        all->scene.chip.registers.chromakey = 0x1234;
        (void)compare_run(all);
    }
    fill_memory(all);
}

/* Anything at all, in little memory: ends of memory, overlaps, meshes that come round. */
static void test_any_registers(void **state)
{
    struct scenes *all = *state;
    struct board_mapper_registers *registers = &all->scene.chip.registers;
    for (int i = 0; i < TURNS(200); i++) {
        struct base_rng *rng = &all->rng;
        random_picture(all);
        all->scene.size = 1u << (5 + below(rng, 16));
        registers->texfbuf = (int32_t)base_rng_next(rng);
        registers->dstfbuf = (int32_t)base_rng_next(rng);
        registers->texhres = (int32_t)below(rng, 2) * (int32_t)below(rng, 2048);
        registers->texvres = (int32_t)below(rng, 2) * (int32_t)below(rng, 2048);
        registers->dsthres = (int32_t)below(rng, i % 3 == 0 ? 2048 : 20);
        registers->dstvres = (int32_t)below(rng, i % 5 == 0 ? 2048 : 20);
        registers->dsthoffset = (int32_t)base_rng_next(rng);
        registers->dstsquarew = (int32_t)below(rng, i % 7 == 0 ? 600 : 20);
        (void)compare_run(all);
    }
}

/* Texture or target end where memory does, or one texel before: the kernels may not read on. */
static void test_ends_of_memory(void **state)
{
    struct scenes *all = *state;
    struct board_mapper_registers *registers = &all->scene.chip.registers;
    for (int i = 0; i < 40; i++) {
        random_picture(all);
        registers->texhres = 300;
        registers->texvres = 20;
        registers->dsthres = 70;
        registers->dstvres = 50;
        registers->texfbuf = (i & 1) == 0 ? MEMORY_MAX - 2 * 300 * 20 + (i & 6) - 2 : 0;
        registers->dstfbuf = (i & 1) == 0 ? 2 * 300 * 20 : MEMORY_MAX - 2 * 70 * 50 + (i & 6) - 2;
        (void)compare_run(all);
    }
}

/* The pixel that a run leaves comes back, also into the block where the next run begins. */
static void test_stale_pixel(void **state)
{
    struct scenes *all = *state;
    struct board_mapper_registers *registers = &all->scene.chip.registers;
    for (int i = 0; i < 20; i++) {
        random_picture(all);
        registers->dsthres = 40;
        registers->dstvres = 1 + i % 4;
        registers->dstfbuf = MEMORY_MAX / 2;
        registers->dsthoffset = 0;
        registers->dstvoffset = 0;
        registers->alpha = i % 8 * 9;
        (void)compare_run(all);
        all->scene.bytes[all->scene.chip.stale_address] ^= 0xFF;
        all->scene.bytes[all->scene.chip.stale_address + 1] ^= 0xFF;
        registers->dstfbuf += i % 2 == 0 ? 0 : 32 * (i % 5);
        (void)compare_run(all);
    }
}

/* The target lies a little before, in or behind the texture: texels change while they are read. */
static void test_overlap(void **state)
{
    struct scenes *all = *state;
    struct board_mapper_registers *registers = &all->scene.chip.registers;
    for (int i = 0; i < 60; i++) {
        random_picture(all);
        const int32_t texels = registers->texhres * registers->texvres;
        const int32_t pixels = registers->dsthres * registers->dstvres;
        registers->texfbuf = MEMORY_MAX / 2;
        registers->dstfbuf = MEMORY_MAX / 2 + 2 * ((i & 1) == 0 ? texels : -pixels) +
                             64 * ((int32_t)below(&all->rng, 9) - 4);
        (void)compare_run(all);
    }
}

/* The pixel comes back modulo the memory of the run that follows. */
static void test_stale_pixel_in_less_memory(void **state)
{
    struct scenes *all = *state;
    struct board_mapper_registers *registers = &all->scene.chip.registers;
    for (int i = 0; i < 20; i++) {
        random_picture(all);
        registers->dsthoffset = 0;
        registers->dstvoffset = 0;
        registers->flags = 0;
        (void)compare_run(all);
        assert_true(all->scene.chip.stale_address >= MEMORY_MAX / 2);
        all->scene.size = MEMORY_MAX / 2;
        registers->texvres = 1 + i % 9;
        registers->dstvres = 1 + i % 9;
        registers->dstfbuf = MEMORY_MAX / 4;
        (void)compare_run(all);
    }
}

/* A mesh of more than 4096 positions draws the same few pixels twice, from one read of them. */
static void test_mesh_that_comes_round(void **state)
{
    struct scenes *all = *state;
    struct board_mapper_registers *registers = &all->scene.chip.registers;
    for (int i = 0; i < 20; i++) {
        random_picture(all);
        for (int x = 0; x <= 127; x++) {
            all->scene.vertices[x] = (struct board_mapper_vertex){40 * x, 0};
            all->scene.vertices[BOARD_MAPPER_PITCH + x] = (struct board_mapper_vertex){40 * x, 640};
            all->scene.vertices[BOARD_MAPPER_PITCH * x] = (struct board_mapper_vertex){0, 40 * x};
            all->scene.vertices[BOARD_MAPPER_PITCH * x + 1] =
                (struct board_mapper_vertex){640, 40 * x};
        }
        const bool down = i % 2 != 0;
        registers->hmeshlast = down ? 1 : 127;
        registers->vmeshlast = down ? 127 : 1;
        registers->dsthres = 16;
        registers->dstvres = 1;
        registers->dstsquarew = 40;
        registers->dstsquareh = 40;
        registers->dsthoffset = 0;
        registers->dstvoffset = 0;
        registers->dstfbuf = MEMORY_MAX / 2;
        registers->alpha = 31;
        assert_true(compare_run(all).pixels > 16);
    }
}

static void test_drawn_rows_have_canaries(void **state)
{
    (void)state;
    enum { ROW = 64, TEXTURE = 64 * 64 * 2 };
    struct base_rng rng;
    base_rng_seed(&rng, 9, 0);
    uint8_t texels[TEXTURE + 2 * 64 + 4];
    int32_t x[ROW];
    int32_t y[ROW];
    for (size_t i = 0; i < sizeof texels; i++) {
        texels[i] = (uint8_t)(base_rng_next(&rng) >> 24);
    }
    const struct board_mapper_memory memory = {texels, TEXTURE};
    for (unsigned count = 1; count + BOARD_MAPPER_ROW_SPARE <= ROW; count++) {
        for (size_t i = 0; i < ROW; i++) {
            x[i] = coordinate(&rng);
            y[i] = coordinate(&rng);
        }
        const struct board_mapper_registers registers = {
            .texhres = 64,
            .texvres = 64,
            .texhmask = 0x3ffff,
            .texvmask = 0x3ffff,
            .brightness = 49,
            .alpha = count % 5 < 3 ? 39 : 63,
            .chromakey = texels[0] << 8 | texels[1],
            .flags = count % 3 == 0 ? BOARD_MAPPER_CHROMA_KEY : 0,
        };
        const struct board_mapper_sampler sampler = board_mapper_sampler_of(
            &registers, &memory, count % 2 == 0 ? BOARD_MAPPER_CURRENT : BOARD_MAPPER_THESIS);
        uint8_t expected[4 * ROW];
        uint8_t drawn[2][ROW / 8] = {{0}, {0}};
        memset(expected, CANARY, sizeof expected);
        board_mapper_kernels_plain.draw(expected + 32, x, y, count, &sampler, drawn[0]);
        for (int level = 1; level <= (int)base_cpu_best(); level++) {
            uint8_t got[4 * ROW];
            memset(got, CANARY, sizeof got);
            board_mapper_kernels_for(level_of(level))
                ->draw(got + 32, x, y, count, &sampler, drawn[1]);
            assert_memory_equal(got, expected, sizeof got);
            assert_memory_equal(drawn[0], drawn[1], sampler.keyed ? (count + 7) / 8 : 0);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lines_of_every_width),
        cmocka_unit_test(test_lines_of_every_slope),
        cmocka_unit_test(test_drawn_rows_have_canaries),
        cmocka_unit_test(test_runs_equal),
        cmocka_unit_test(test_keyed_runs_equal),
        cmocka_unit_test(test_any_registers),
        cmocka_unit_test(test_ends_of_memory),
        cmocka_unit_test(test_stale_pixel),
        cmocka_unit_test(test_stale_pixel_in_less_memory),
        cmocka_unit_test(test_overlap),
        cmocka_unit_test(test_mesh_that_comes_round),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
