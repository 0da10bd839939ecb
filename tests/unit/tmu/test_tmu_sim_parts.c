/* Tags, DRAM, bus and texel addresses of the timing models, each by itself. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "tmu/models/arch.h"
#include "tmu/models/memory.h"

/* Lines A, B, ... are asked for one after the other: m for a miss, h for a hit. */
static void test_replacement(void **state)
{
    (void)state;
    static const struct {
        enum tmu_arch_cache_replacement replacement;
        uint32_t ways;
        const char *lines;
        const char *result;
    } rows[] = {
        {TMU_REPLACE_LRU, 4, "ABCDAEBCA", "mmmmhmmmh"},
        {TMU_REPLACE_LRU, 0, "ABCDAEBCA", "mmmmhmmmh"},
        {TMU_REPLACE_ROUND_ROBIN, 4, "ABCDAEABD", "mmmmhmmmh"},
        {TMU_REPLACE_ROUND_ROBIN, 0, "ABCDAEABD", "mmmmhmmmh"},
        {TMU_REPLACE_PAIRS, 4, "ABCDAEABC", "mmmmhmhmh"},
        {TMU_REPLACE_LRU, 1, "AEABA", "mmmmh"},
        {TMU_REPLACE_LRU, 2, "ACEACE", "mmmmmm"},
        {TMU_REPLACE_LRU, 2, "ACBDAC", "mmmmhh"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct tmu_cache_shape shape = {128, 32, rows[i].ways, rows[i].replacement};
        struct tmu_cache cache;
        assert_true(tmu_cache_init(&cache, &shape));
        char result[16] = "";
        for (size_t j = 0; rows[i].lines[j] != '\0'; j++) {
            const uint64_t line =
                tmu_cache_line(&cache, (uint64_t)(rows[i].lines[j] - 'A') * 32 + 7);
            const uint32_t slot = tmu_cache_find(&cache, line);
            result[j] = slot == TMU_CACHE_NONE ? 'm' : 'h';
            if (slot == TMU_CACHE_NONE) {
                const uint32_t place = tmu_cache_replace(&cache, line);
                assert_int_equal(tmu_cache_find(&cache, line), place);
            } else {
                tmu_cache_touch(&cache, slot);
            }
        }
        assert_string_equal(result, rows[i].result);
        tmu_cache_flush(&cache);
        assert_int_equal(tmu_cache_find(&cache, 0), TMU_CACHE_NONE);
        tmu_cache_free(&cache);
    }
}

/* A cache of many ways, which finds lines by hashing, against a plain list. */
static void test_many_ways(void **state)
{
    (void)state;
    enum { LINES = 48, STEPS = 20000 };
    const struct tmu_cache_shape shape = {LINES * 16, 16, 0, TMU_REPLACE_LRU};
    struct tmu_cache cache;
    assert_true(tmu_cache_init(&cache, &shape));
    uint64_t list[LINES] = {0}; /* newest first, lines counted from 1 */
    uint32_t random = 1;
    for (int step = 0; step < STEPS; step++) {
        random = random * 1664525 + 1013904223;
        const uint64_t line = (random >> 20) % (LINES * 3 / 2) + ((uint64_t)(random >> 30) << 33);
        const uint32_t slot = tmu_cache_find(&cache, line);
        size_t at = 0;
        while (at < LINES - 1 && list[at] != line + 1) {
            at++;
        }
        assert_int_equal(slot != TMU_CACHE_NONE, list[at] == line + 1);
        memmove(list + 1, list, at * sizeof *list);
        list[0] = line + 1;
        if (slot == TMU_CACHE_NONE) {
            (void)tmu_cache_replace(&cache, line);
        } else {
            tmu_cache_touch(&cache, slot);
        }
    }
    tmu_cache_drop(&cache, list[3] - 1);
    tmu_cache_drop(&cache, list[3] - 1);
    assert_int_equal(tmu_cache_find(&cache, list[3] - 1), TMU_CACHE_NONE);
    assert_int_not_equal(tmu_cache_find(&cache, list[2] - 1), TMU_CACHE_NONE);
    tmu_cache_free(&cache);
}

/* Wherever the dropped line stands in the order, the next one takes its place. */
static void test_dropped_line(void **state)
{
    (void)state;
    for (uint32_t lines = 2; lines <= 16; lines *= 2) {
        for (uint64_t dropped = 0; dropped < lines; dropped++) {
            const struct tmu_cache_shape shape = {lines * 32, 32, 0, TMU_REPLACE_LRU};
            struct tmu_cache cache;
            assert_true(tmu_cache_init(&cache, &shape));
            for (uint64_t line = 0; line < lines; line++) {
                (void)tmu_cache_replace(&cache, line);
            }
            const uint32_t slot = tmu_cache_find(&cache, dropped);
            tmu_cache_drop(&cache, dropped);
            assert_int_equal(tmu_cache_replace(&cache, 100), slot);
            const uint64_t oldest = dropped == 0 ? 1 : 0;
            const uint32_t next = tmu_cache_find(&cache, oldest);
            assert_int_equal(tmu_cache_replace(&cache, 101), next);
            tmu_cache_free(&cache);
        }
    }
}

struct dram_access {
    uint64_t time;
    uint64_t address;
    bool write;
    uint64_t first; /* word, by hand */
};

static void assert_accesses(const struct tmu_arch *arch, const struct dram_access *accesses,
                            size_t count)
{
    struct tmu_dram dram;
    tmu_dram_init(&dram, arch);
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(
            tmu_dram_access(&dram, accesses[i].time, accesses[i].address, accesses[i].write),
            accesses[i].first);
    }
}

/* Controller 1, precharge 3, activate 3, read 4, write 1, recovery 2, 6 from a read's command to a
 * write's and back, 4 words; four banks of 2048-byte rows. */
static void test_dram_pages(void **state)
{
    (void)state;
    static const struct dram_access accesses[] = {
        {0, 0, false, 8},                     /* activate 3 + 1 + 4 */
        {8, 32, false, 13},                   /* open row: 1 + 4 */
        {14, 4 * 2048, false, 25},            /* another row of bank 0: 3 + 3 + 1 + 4 */
        {24, 2048, true, 29},                 /* bank 1: 3 + 1 + 1 */
        {31, 2048 + 4 * 2048, true, 43},      /* recovery until 35, 3 + 3 + 1 + 1 */
        {41, 2048 + 4 * 2048 + 64, true, 47}, /* behind the words before it */
        {46, 4 * 2048 + 32, false, 52},       /* the command at 41 + 6; bank 0 kept its row */
        {52, 4 * 2048 + 64, false, 57},
        {53, 4 * 2048 + 96, false, 61},  /* the words before it still go by */
        {54, 2048 + 4 * 2048, true, 65}, /* the command at 53 + 6, behind the words */
    };
    struct tmu_arch arch;
    assert_true(tmu_arch_builtin(&arch, "milkymist", NULL));
    arch.memory_refresh_interval = 0;
    assert_accesses(&arch, accesses, sizeof accesses / sizeof *accesses);
}

static void test_dram_turnaround(void **state)
{
    (void)state;
    static const struct dram_access accesses[] = {
        {0, 0, false, 8},   /* words until 12 */
        {6, 32, true, 15},  /* 3 later than the words before it */
        {12, 64, true, 19}, /* words until 19 */
        {13, 0, false, 26}, /* and 3 later than those */
    };
    struct tmu_arch arch;
    assert_true(tmu_arch_builtin(&arch, "milkymist", NULL));
    arch.memory_refresh_interval = 0;
    arch.memory_read_to_write = arch.memory_write_to_read = 0;
    arch.memory_turnaround = 3;
    assert_accesses(&arch, accesses, sizeof accesses / sizeof *accesses);
}

static void test_dram_refresh(void **state)
{
    (void)state;
    static const struct dram_access accesses[] = {
        {0, 0, false, 8},      {90, 0, false, 95}, /* before the refresh at 100 */
        {100, 0, false, 122},  /* precharge 3 + refresh 11 + activate 3 + 1 + 4 */
        {350, 32, false, 358}, /* those at 200 and 300 were over, but closed the row */
        {400, 32, false, 422}, /* 400 + 3 + 11 + 3 + 1 + 4 */
    };
    struct tmu_arch arch;
    assert_true(tmu_arch_builtin(&arch, "milkymist", NULL));
    arch.memory_refresh_interval = 100;
    assert_accesses(&arch, accesses, sizeof accesses / sizeof *accesses);
}

/* The rows cannot be closed before the read is over at 104. */
static void test_dram_refresh_waits(void **state)
{
    (void)state;
    static const struct dram_access accesses[] = {
        {97, 0, false, 105},  /* the command at 97 + activate 3 */
        {101, 0, false, 126}, /* 104 + 3 + 11 + 3 + 1 + 4 */
    };
    struct tmu_arch arch;
    assert_true(tmu_arch_builtin(&arch, "milkymist", NULL));
    arch.memory_refresh_interval = 100;
    assert_accesses(&arch, accesses, sizeof accesses / sizeof *accesses);
}

static struct tmu_arch fixed_arch(void)
{
    struct tmu_arch arch;
    struct base_span text = base_span_of("memory: {kind: fixed, latency: 10, burst_words: 4}\n");
    assert_true(tmu_arch_read(&arch, "fixed", "fixed", text, NULL));
    return arch;
}

static void test_bus(void **state)
{
    (void)state;
    struct tmu_arch arch = fixed_arch();
    struct tmu_bus bus;
    tmu_bus_init(&bus, &arch);
    assert_int_equal(tmu_bus_read(&bus, TMU_BUS_REFILLS, 0, 0, 32), 14);
    assert_int_equal(tmu_bus_read(&bus, TMU_BUS_REFILLS, 0, 0, 64),
                     36); /* waits for the first words at 10, 21 */
    assert_int_equal(bus.accesses, 3);
    assert_int_equal(bus.busy, 33); /* 0..32: a request was up all the time */
    assert_int_equal(bus.waits, 30);
    arch.memory_waiting = 2;
    tmu_bus_init(&bus, &arch);
    assert_int_equal(tmu_bus_read(&bus, TMU_BUS_REFILLS, 0, 0, 96),
                     25); /* 0, 0, 11: words at 10, 14, 21 */
}

static void test_bus_turns(void **state)
{
    (void)state;
    struct tmu_arch arch = fixed_arch();
    struct tmu_bus bus;
    tmu_bus_init(&bus, &arch);
    assert_int_equal(tmu_bus_read(&bus, TMU_BUS_REFILLS, 0, 0, 32), 14);
    assert_int_equal(tmu_bus_post(&bus, 3, 1000), 3);
    assert_int_equal(tmu_bus_read(&bus, TMU_BUS_REFILLS, 5, 32, 32),
                     36); /* the write has its turn at 11 */
    assert_int_equal(tmu_bus_post(&bus, 36, 1032), 36);
    assert_int_equal(tmu_bus_post(&bus, 37, 1064), 50); /* no room before 36 + 10 + 4 */
    assert_int_equal(tmu_bus_drain(&bus, 0), 64);
    assert_int_equal(tmu_bus_drain(&bus, 100), 100);

    arch.target_waiting = 2;
    tmu_bus_init(&bus, &arch);
    assert_int_equal(tmu_bus_read(&bus, TMU_BUS_REFILLS, 0, 0, 32), 14);
    assert_int_equal(tmu_bus_post(&bus, 3, 1000), 3);
    assert_int_equal(tmu_bus_post(&bus, 4, 1032), 4);
    assert_int_equal(tmu_bus_read(&bus, TMU_BUS_REFILLS, 5, 32, 32), 36); /* between the two */
    assert_int_equal(tmu_bus_drain(&bus, 0), 47);
}

static void test_bus_masters(void **state)
{
    (void)state;
    struct tmu_arch arch = fixed_arch();
    struct tmu_bus bus;
    arch.memory_waiting = 4;
    arch.memory_change = 2;
    tmu_bus_init(&bus, &arch);
    assert_int_equal(tmu_bus_read(&bus, TMU_BUS_REFILLS, 0, 0, 32), 14);
    assert_int_equal(tmu_bus_read(&bus, TMU_BUS_REFILLS, 6, 0, 32), 20);
    assert_int_equal(tmu_bus_read(&bus, TMU_BUS_TARGET, 12, 0, 32), 28);  /* 2 for the change */
    assert_int_equal(tmu_bus_read(&bus, TMU_BUS_REFILLS, 20, 0, 32), 36); /* and back */
    arch.memory_own_turn = 1;
    tmu_bus_init(&bus, &arch);
    assert_int_equal(tmu_bus_read(&bus, TMU_BUS_REFILLS, 0, 0, 32), 14);
    assert_int_equal(tmu_bus_read(&bus, TMU_BUS_TARGET, 6, 0, 32), 22);
    assert_int_equal(tmu_bus_read(&bus, TMU_BUS_REFILLS, 7, 0, 32), 27); /* its first word: 10 */
}

/* Each channel carries its own words. */
static void test_bus_channels(void **state)
{
    (void)state;
    struct tmu_arch arch = fixed_arch();
    struct tmu_bus bus;
    arch.memory_waiting = 8;
    arch.memory_channels = 4;
    arch.memory_channel_bytes = 64;
    tmu_bus_init(&bus, &arch);
    assert_int_equal(tmu_bus_read(&bus, TMU_BUS_REFILLS, 0, 0, 32), 14);
    assert_int_equal(tmu_bus_read(&bus, TMU_BUS_REFILLS, 0, 32, 32), 18); /* the same one */
    assert_int_equal(tmu_bus_read(&bus, TMU_BUS_REFILLS, 0, 64, 32), 14);
    assert_int_equal(tmu_bus_read(&bus, TMU_BUS_REFILLS, 0, 128, 128), 18);
    assert_int_equal(tmu_bus_read(&bus, TMU_BUS_REFILLS, 1, 256, 32), 22); /* the first again */
}

/* The scan goes first and cannot keep others away, however much it asks for. */
static void test_bus_scan(void **state)
{
    (void)state;
    struct tmu_arch arch = fixed_arch();
    arch.machine_clock = 1e6;
    arch.background_bytes_per_second = 3.2e5; /* 32 bytes in 100 cycles */
    struct tmu_bus bus;
    tmu_bus_init(&bus, &arch);
    assert_int_equal(tmu_bus_read(&bus, TMU_BUS_REFILLS, 50, 0, 32), 64);
    assert_int_equal(tmu_bus_read(&bus, TMU_BUS_REFILLS, 105, 0, 32),
                     125); /* scan from 100 to its word at 110 */
    assert_int_equal(tmu_bus_read(&bus, TMU_BUS_REFILLS, 350, 0, 32),
                     364); /* two more have gone by */
    assert_int_equal(bus.accesses, 6);
    arch.background_bytes_per_second = 1e12;
    tmu_bus_init(&bus, &arch);
    assert_true(tmu_bus_read(&bus, TMU_BUS_REFILLS, 100000, 0, 32) < 101000);
}

static void test_addresses(void **state)
{
    (void)state;
    struct tmu_arch arch = fixed_arch();
    struct tmu_trace_run run = {.texture = 100, .texture_width = 10, .texture_height = 12};
    struct tmu_texel_map map;
    tmu_texel_map_init(&map, &arch, &run);
    assert_int_equal(tmu_texel_address(&map, 0, 3, 2), 100 + 2 * (2 * 10 + 3));
    arch.texture_tile_width = arch.texture_tile_height = 4;
    tmu_texel_map_init(&map, &arch, &run);
    assert_int_equal(tmu_texel_address(&map, 0, 5, 6), 100 + 2 * ((3 + 1) * 16 + 2 * 4 + 1));
    arch.texture_texel_bits = 4;
    assert_int_equal(tmu_texel_address(&map, 0, 5, 6), 100 + ((3 + 1) * 16 + 2 * 4 + 1) / 2);
    arch.texture_tile_height = 1;
    tmu_texel_map_init(&map, &arch, &run);
    assert_int_equal(tmu_texel_address(&map, 0, 9, 1), 100 + (3 * 4 + 9) / 2);
}

/* 8x8, 4x4, 2x2, 1x1 of two bytes, in lines of four: 128 + 32 + 8 + 4 bytes, the last first. */
static void test_mip_levels(void **state)
{
    (void)state;
    struct tmu_arch arch = fixed_arch();
    struct tmu_trace_run run = {.texture = 1000, .texture_width = 8, .texture_height = 8};
    struct tmu_texel_map map;
    arch.cache_line_bytes = 4;
    arch.texture_levels = 12;
    tmu_texel_map_init(&map, &arch, &run);
    assert_int_equal(map.level_count, 4);
    assert_int_equal(map.levels[3].address, 1000);
    assert_int_equal(map.levels[2].address, 1004);
    assert_int_equal(map.levels[1].address, 1012);
    assert_int_equal(map.levels[0].address, 1044);
    run.texture_height = 2;
    tmu_texel_map_init(&map, &arch, &run);
    assert_int_equal(map.level_count, 4);
    assert_int_equal(map.levels[1].height, 1);
    assert_int_equal(map.levels[3].height, 1);
}

static struct tmu_fragment fragment_at(int32_t u, int32_t v)
{
    return (struct tmu_fragment){.u = u,
                                 .v = v,
                                 .x = (uint16_t)(u >> 6),
                                 .y = (uint16_t)(v >> 6),
                                 .fx = (uint8_t)(u & 63),
                                 .fy = (uint8_t)(v & 63)};
}

/* Fragments of a quad that begins at (u, v), with one step to the right and one down. */
struct quad {
    struct tmu_fragment fragments[4];
    struct tmu_texel_group group;
};

static void make_quad(struct quad *quad, int32_t u, int32_t v, int32_t across, int32_t down)
{
    for (int i = 0; i < 4; i++) {
        quad->fragments[i] = fragment_at(u + i % 2 * across, v + i / 2 * down);
        quad->group.pixels[i] = &quad->fragments[i];
    }
}

static void test_level_of_quad(void **state)
{
    (void)state;
    static const struct {
        int32_t across;
        int32_t down;
        uint32_t level;
    } rows[] = {{64, 64, 0}, {127, 1, 0},  {128, 1, 1}, {0, -128, 1},
                {256, 0, 2}, {511, 64, 2}, {512, 0, 3}, {4096, 0, 5}};
    struct tmu_arch arch = fixed_arch();
    const struct tmu_trace_run run = {.texture_width = 32, .texture_height = 32};
    struct tmu_texel_map map;
    arch.texture_levels = 16;
    tmu_texel_map_init(&map, &arch, &run);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct quad quad;
        make_quad(&quad, 640, 640, rows[i].across, rows[i].down);
        assert_int_equal(tmu_texel_level_of(&map, &quad.group), rows[i].level);
        quad.group.pixels[3] = NULL;
        assert_int_equal(tmu_texel_level_of(&map, &quad.group), rows[i].level);
    }
}

/* Nine texels of sixteen addresses when a pixel is a texel; the level halves coordinates. */
static void test_requests_of_quad(void **state)
{
    (void)state;
    struct tmu_arch arch = fixed_arch();
    const struct tmu_trace_run run = {.texture_width = 32, .texture_height = 32, .wrap_x = 32};
    struct tmu_texel_map map;
    struct tmu_texel texels[TMU_TEXELS_MAX];
    struct quad quad;
    tmu_texel_map_init(&map, &arch, &run);
    make_quad(&quad, 64, 128, 64, 64);
    assert_int_equal(tmu_texel_requests(&map, &quad.group, texels), 4);
    arch.requests_weightless = 1;
    assert_int_equal(tmu_texel_requests(&map, &quad.group, texels), 16);
    arch.requests_merge = 1;
    assert_int_equal(tmu_texel_requests(&map, &quad.group, texels), 9);
    assert_int_equal(texels[8].x, 3);
    assert_int_equal(texels[8].y, 4);
    assert_int_equal(texels[8].channel, 3);
    make_quad(&quad, 31 * 64, 31 * 64, 0, 0);
    assert_int_equal(tmu_texel_requests(&map, &quad.group, texels), 2);
    assert_int_equal(texels[1].x, 0); /* wraps in x, is clamped in y */
    arch.requests_filter = TMU_FILTER_NEAREST;
    assert_int_equal(tmu_texel_requests(&map, &quad.group, texels), 1);
    arch.texture_levels = 6;
    tmu_texel_map_init(&map, &arch, &run);
    make_quad(&quad, 20 * 64, 12 * 64, 256, 256);
    assert_int_equal(tmu_texel_requests(&map, &quad.group, texels), 4);
    assert_int_equal(texels[3].x, 6);
    assert_int_equal(texels[3].y, 4);
}

static void test_edges(void **state)
{
    (void)state;
    static const struct {
        uint32_t edge;
        int32_t u;
        uint32_t x;
    } rows[] = {
        {TMU_EDGE_WRAP, -64, 9},       {TMU_EDGE_WRAP, 10 * 64, 0},   {TMU_EDGE_CLAMP, -1, 0},
        {TMU_EDGE_CLAMP, 5000, 9},     {TMU_EDGE_MIRROR, -1, 0},      {TMU_EDGE_MIRROR, -65, 1},
        {TMU_EDGE_MIRROR, 10 * 64, 9}, {TMU_EDGE_MIRROR, 19 * 64, 0}, {TMU_EDGE_MIRROR, 20 * 64, 0},
    };
    struct tmu_arch arch = fixed_arch();
    const struct tmu_trace_run run = {.texture_width = 10, .texture_height = 10};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct tmu_texel_map map;
        struct tmu_texel texels[TMU_TEXELS_MAX];
        const struct tmu_fragment fragment = {.u = rows[i].u};
        const struct tmu_texel_group group = {.pixels = {&fragment}};
        arch.texture_edge = rows[i].edge;
        arch.requests_filter = TMU_FILTER_NEAREST;
        tmu_texel_map_init(&map, &arch, &run);
        assert_int_equal(tmu_texel_requests(&map, &group, texels), 1);
        assert_int_equal(texels[0].x, rows[i].x);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_replacement),
        cmocka_unit_test(test_many_ways),
        cmocka_unit_test(test_dropped_line),
        cmocka_unit_test(test_dram_pages),
        cmocka_unit_test(test_dram_turnaround),
        cmocka_unit_test(test_dram_refresh),
        cmocka_unit_test(test_dram_refresh_waits),
        cmocka_unit_test(test_bus),
        cmocka_unit_test(test_bus_turns),
        cmocka_unit_test(test_bus_masters),
        cmocka_unit_test(test_bus_channels),
        cmocka_unit_test(test_bus_scan),
        cmocka_unit_test(test_addresses),
        cmocka_unit_test(test_mip_levels),
        cmocka_unit_test(test_level_of_quad),
        cmocka_unit_test(test_requests_of_quad),
        cmocka_unit_test(test_edges),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
