#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "tmu/models/arch.h"

static bool read_text(struct tmu_arch *arch, const char *text, struct base_diag_list *messages)
{
    *messages = (struct base_diag_list){.count = 0};
    const struct base_diag_sink sink = base_diag_list_sink(messages);
    return tmu_arch_read(arch, "mine", "mine.yaml", base_span_of(text), &sink);
}

static void test_builtin(void **state)
{
    (void)state;
    char list[1000] = "", joined[1000] = "";
    struct tmu_arch arch;
    size_t count = 0;
    const char *before = "";
    for (const char *name; (name = tmu_arch_builtin_name(count)) != NULL; count++) {
        assert_true(strcmp(before, name) < 0);
        before = name;
        assert_true(tmu_arch_builtin(&arch, name, NULL));
        assert_string_equal(arch.name, name);
        snprintf(joined + strlen(joined), sizeof joined - strlen(joined), "%s%s",
                 count > 0 ? ", " : "", name);
    }
    assert_true(count >= 5);
    tmu_arch_builtin_names(list, sizeof list);
    assert_string_equal(list, joined);
    tmu_arch_builtin_names(list, 10);
    assert_memory_equal(list, joined, 9);
    assert_int_equal(list[9], '\0');

    struct base_diag_list messages = {.count = 0};
    const struct base_diag_sink sink = base_diag_list_sink(&messages);
    assert_false(tmu_arch_builtin(&arch, "voodoo", &sink));
    assert_string_equal(messages.items[0].what, "no machine is called 'voodoo'");
    assert_string_equal(messages.items[0].hint, joined);
}

/* The known machines as their publications have them. */
static void test_properties(void **state)
{
    (void)state;
    struct tmu_arch arch;
    assert_true(tmu_arch_builtin(&arch, "milkymist", NULL));
    assert_int_equal(arch.cache_ways, 1);
    assert_int_equal(arch.cache_line_bytes, 32);
    assert_int_equal(arch.requests_ports, 4);
    assert_int_equal(arch.cache_waiting, TMU_WAITING_BLOCKING);
    assert_int_equal(arch.memory_word_bytes * arch.memory_burst_words, 32);
    assert_true(tmu_arch_builtin(&arch, "furygpu", NULL));
    assert_int_equal(arch.cache_bytes / arch.cache_line_bytes, 4096);
    assert_int_equal(arch.cache_ways, 4);
    assert_int_equal(arch.cache_replacement, TMU_REPLACE_CLOCKED_PAIRS);
    assert_int_equal(arch.cache_hit_cycles, 10);
    assert_int_equal(arch.machine_units, 4);
    assert_true(tmu_arch_builtin(&arch, "hkm96", NULL));
    assert_int_equal(arch.requests_ports, 9);
    assert_int_equal(1u << (arch.requests_bank_x_bits + arch.requests_bank_y_bits), 16);
    assert_int_equal(arch.cache_ways, 0);
    assert_int_equal(arch.cache_line_bytes * 8 / arch.texture_texel_bits, 64);
    assert_true(arch.second_bytes > 0);
    assert_true(tmu_arch_builtin(&arch, "attila", NULL));
    assert_int_equal(arch.cache_bytes, 16384);
    assert_int_equal(arch.cache_bytes / arch.cache_line_bytes, 64);
    assert_int_equal(arch.memory_burst_words, 8);
    assert_int_equal(arch.memory_channels, 4);
    assert_true(tmu_arch_builtin(&arch, "rpu", NULL));
    assert_int_equal(arch.cache_ways, 0);
    assert_int_equal(arch.cache_replacement, TMU_REPLACE_ROUND_ROBIN);
    assert_int_equal(arch.cache_hit_cycles + arch.memory_latency + arch.memory_burst_words, 27);
}

static void test_values(void **state)
{
    (void)state;
    struct tmu_arch arch;
    struct base_diag_list messages;
    assert_true(read_text(&arch, "", &messages));
    assert_int_equal(arch.cache_bytes, 16384);
    assert_true(read_text(&arch,
                          "machine: {clock: 80e6}\n"
                          "cache:\n  bytes: 0x2000\n  ways: 2\n  replacement: round-robin\n"
                          "  last_line: true\n",
                          &messages));
    assert_string_equal(arch.name, "mine");
    assert_true(arch.machine_clock == 80e6);
    assert_int_equal(arch.cache_bytes, 8192);
    assert_int_equal(arch.cache_ways, 2);
    assert_int_equal(arch.cache_replacement, TMU_REPLACE_ROUND_ROBIN);
    assert_int_equal(arch.cache_last_line, 1);
}

static void test_messages(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        const char *message;
    } rows[] = {
        {"cache:\n  wais: 2\n", "mine.yaml:2:3: error: unknown key 'wais' in cache; did you mean "
                                "ways?"},
        {"target:\n  xxxxxxxxxxxx: 2\n",
         "mine.yaml:2:3: error: unknown key 'xxxxxxxxxxxx' in target; writes, burst_bytes, "
         "burst_cycles, read_cycles, "
         "waiting, cached_reads"},
        {"cash: {}\n", "mine.yaml:1:1: error: unknown section 'cash'; machine, requests, texture, "
                       "cache, second, memory, target, background"},
        {"cache: 3\n", "mine.yaml:1:8: error: section 'cache' must be a map; write 'key: value' "
                       "lines"},
        {"- 3\n",
         "mine.yaml:1:1: error: a machine file must be a map of sections; see tmu/models/arch/ "
         "for examples"},
        {"cache: {ways: 65}\n",
         "mine.yaml:1:15: error: cache.ways cannot be '65'; whole numbers from 0 to 64"},
        {"cache: {ways: 1.5}\n",
         "mine.yaml:1:15: error: cache.ways cannot be '1.5'; whole numbers from 0 to 64"},
        {"machine: {clock: .nan}\n",
         "mine.yaml:1:18: error: machine.clock cannot be '.nan'; numbers from 1000 to "
         "100000000000"},
        {"machine: {clock: [1]}\n",
         "mine.yaml:1:18: error: machine.clock cannot be a list; numbers from 1000 to "
         "100000000000"},
        {"cache: {flush: {}}\n", "mine.yaml:1:16: error: cache.flush cannot be a map; true, false"},
        {"cache: {waiting: maybe}\n",
         "mine.yaml:1:18: error: cache.waiting cannot be 'maybe'; blocking, queue, registers"},
        {"cache: {flush: 1}\n", "mine.yaml:1:16: error: cache.flush cannot be '1'; true, false"},
        {"cache: {bytes: 1000}\n",
         "mine.yaml:1:16: error: cache.bytes: the cache must be a power of two of sets, each of "
         "the given ways and lines"},
        {"cache: {line_bytes: 48}\n",
         "mine.yaml:1:21: error: cache.line_bytes: a line must be a power of two"},
        {"cache: {line_bytes: 4}\ntexture: {texel_bits: 33}\n",
         "mine.yaml:1:21: error: cache.line_bytes: a line must hold a texel"},
        {"cache: {ways: 2, replacement: pairs}\n",
         "mine.yaml:1:31: error: cache.replacement: pairs need four ways"},
        {"second: {bytes: 65536, ways: 8, replacement: clocked-pairs}\n",
         "mine.yaml:1:46: error: second.replacement: pairs need four ways"},
        {"machine: {units: 2}\n",
         "mine.yaml:1:18: error: machine.units: units cannot share a memory: memory.kind fixed, "
         "target.writes none"},
        {"machine: {unit_columns: 3}\n",
         "mine.yaml:1:25: error: machine.unit_columns: a quad belongs to one unit"},
        {"memory: {channel_bytes: 16}\n",
         "mine.yaml:1:25: error: memory.channel_bytes: a part of a channel must be a power of two "
         "that holds a transaction"},
        {"texture: {levels: 3}\n", "mine.yaml:1:19: error: texture.levels: mip levels are chosen "
                                   "by quads: requests.group must be quad"},
        {"cache: {bytes: 8388608, line_bytes: 4}\n",
         "mine.yaml:1:16: error: cache.bytes: too many lines"},
        {"second: {bytes: 65536, line_bytes: 16}\n",
         "mine.yaml:1:36: error: second.line_bytes: a line must hold one of the first level"},
        {"memory: {refresh_interval: 10, refresh_cycles: 8}\n",
         "mine.yaml:1:28: error: memory.refresh_interval: no time is left between refreshes"},
        {"background: {bytes_per_second: 1e12}\n",
         "mine.yaml:1:32: error: background.bytes_per_second: more than the bus can carry"},
        {"memory: {word_bytes: 1, burst_words: 1}\ncache: {line_bytes: 128}\n",
         "mine.yaml:1:38: error: memory.burst_words: a line must be read in 64 transactions or "
         "less"},
        {"target: {burst_bytes: 4096}\n",
         "mine.yaml:1:23: error: target.burst_bytes: a burst may hold 64 transactions and 64 lines "
         "of the cache"},
        {"cache: {last_line: true}\nrequests: {ports: 2}\n",
         "mine.yaml:1:20: error: cache.last_line: a register for the last line needs a single "
         "port"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct tmu_arch arch;
        struct base_diag_list messages;
        char line[512];
        assert_false(read_text(&arch, rows[i].text, &messages));
        assert_int_equal(messages.count, 1);
        (void)base_diag_format(&messages.items[0], line, sizeof line);
        assert_string_equal(line, rows[i].message);
    }
}

static void test_all_messages_at_once(void **state)
{
    (void)state;
    struct tmu_arch arch;
    struct base_diag_list messages;
    assert_false(read_text(&arch, "cache: {a: 1, ways: -1}\nx: 1\n", &messages));
    assert_int_equal(messages.count, 3);

    char many[1000] = "cache: {";
    for (int i = 0; i < 50; i++) {
        (void)snprintf(many + strlen(many), sizeof many - strlen(many), "key%d: 1, ", i);
    }
    (void)snprintf(many + strlen(many), sizeof many - strlen(many), "}\nx: 1\n");
    assert_false(read_text(&arch, many, &messages));
    assert_int_equal(messages.by_severity[BASE_ERROR], 20);
}

static void test_resize(void **state)
{
    (void)state;
    static const struct {
        const char *machine;
        uint32_t bytes;
        bool fits;
    } rows[] = {
        {"milkymist", 2048, true}, {"milkymist", 131072, true}, {"milkymist", 3072, false},
        {"milkymist", 0, false},   {"milkymist", 16, false},    {"milkymist", 1u << 24, false},
        {"furygpu", 64, true},     {"furygpu", 48, false},      {"rpu", 96, true},
        {"rpu", 100, false},       {"hkm96", 128, true},        {"attila", 512, false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct tmu_arch arch;
        assert_true(tmu_arch_builtin(&arch, rows[i].machine, NULL));
        const uint32_t before = arch.cache_bytes;
        assert_int_equal(tmu_arch_resize(&arch, rows[i].bytes), rows[i].fits);
        assert_int_equal(arch.cache_bytes, rows[i].fits ? rows[i].bytes : before);
    }
}

/* By trying each pair of places instead of the inequalities: does a texture of this width, begun at
 * a line, have two texels of a pixel in different lines of the same index? */
static bool has_conflict(uint32_t width, uint32_t lines)
{
    enum { LINE = 16, ROWS = 40 };
    const uint32_t steps[] = {1, width - 1, width, width + 1};
    for (uint32_t texel = 0; texel < ROWS * width; texel++) {
        for (size_t i = 0; i < 4; i++) {
            const uint32_t a = texel / LINE;
            const uint32_t b = (texel + steps[i]) / LINE;
            if (a != b && a % lines == b % lines) {
                return true;
            }
        }
    }
    return false;
}

/* The inequalities are strict: they ask for one line more when a distance is in whole lines. */
static bool in_whole_lines(uint32_t width)
{
    return (width + 1) % 16 <= 2;
}

static void test_conflicts(void **state)
{
    (void)state;
    struct tmu_arch arch;
    assert_true(tmu_arch_builtin(&arch, "milkymist", NULL));
    int refused = 0;
    for (uint32_t bytes = 256; bytes <= 4096; bytes *= 2) {
        assert_true(tmu_arch_resize(&arch, bytes));
        for (uint32_t width = 18; width < 600; width += 7) {
            const bool kept = tmu_arch_check_conflicts(&arch, width, 64, NULL);
            const bool conflict = has_conflict(width, bytes / 32);
            assert_true(kept ? !conflict : conflict || in_whole_lines(width));
            refused += !kept;
        }
    }
    assert_true(refused > 10);
    for (uint32_t width = 1; width < 2048; width++) {
        assert_true(tmu_arch_resize(&arch, 8192));
        assert_true(tmu_arch_check_conflicts(&arch, width, width, NULL));
    }
}

static void test_conflict_message(void **state)
{
    (void)state;
    struct base_diag_list messages = {.count = 0};
    const struct base_diag_sink sink = base_diag_list_sink(&messages);
    struct tmu_arch arch;
    char line[400];
    assert_true(tmu_arch_builtin(&arch, "milkymist", NULL));
    assert_true(tmu_arch_check_conflicts(&arch, 512, 512, &sink));
    assert_true(tmu_arch_resize(&arch, 1024));
    assert_false(tmu_arch_check_conflicts(&arch, 512, 512, &sink));
    (void)base_diag_format(&messages.items[0], line, sizeof line);
    assert_string_equal(line, "froth: error: machine milkymist: texels of one pixel fall on the "
                              "same line of the cache; another cache size or texture size "
                              "(width - 1 = 511 texels)");
    arch.cache_ways = 2;
    assert_true(tmu_arch_check_conflicts(&arch, 512, 512, &sink));
    arch.cache_ways = 1;
    assert_true(tmu_arch_resize(&arch, 256));
    assert_true(tmu_arch_check_conflicts(&arch, 110, 64, NULL));
    assert_false(tmu_arch_check_conflicts(&arch, 111, 64, NULL)); /* 112 texels: 7 lines of 8 */
}

/* 512x512 at 32 KB keeps the conditions of wrapped textures as well. 16x33 at 1 KB keeps those of
 * clamped ones, but 16 * 32 texels from the top to the bottom edge are its size. */
static void test_wrapped_conflicts(void **state)
{
    (void)state;
    struct tmu_arch arch;
    assert_true(tmu_arch_builtin(&arch, "milkymist", NULL));
    arch.requests_weightless = 1;
    assert_true(tmu_arch_check_conflicts(&arch, 512, 512, NULL));
    assert_true(tmu_arch_resize(&arch, 1024));
    assert_false(tmu_arch_check_conflicts(&arch, 16, 33, NULL));
    arch.requests_weightless = 0;
    assert_true(tmu_arch_check_conflicts(&arch, 16, 33, NULL));
}

/* Sizes at which one condition alone is broken. */
static void test_each_wrapped_condition(void **state)
{
    (void)state;
    static const struct {
        uint32_t width;
        uint32_t height;
        const char *hint;
    } rows[] = {
        {40, 27, "(width * (height - 1) - 1 = 1039 texels)"},
        {9, 56, "(width * (height - 1) + 1 = 496 texels)"},
        {7, 77, "(width * (height - 2) + 1 = 526 texels)"},
        {250, 40, "(2 * width - 1 = 499 texels)"},
        {19, 27, "(width * height - 1 = 512 texels)"},
    };
    struct tmu_arch arch;
    assert_true(tmu_arch_builtin(&arch, "milkymist", NULL));
    assert_true(tmu_arch_resize(&arch, 1024));
    arch.requests_weightless = 1;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct base_diag_list messages = {.count = 0};
        const struct base_diag_sink sink = base_diag_list_sink(&messages);
        assert_false(tmu_arch_check_conflicts(&arch, rows[i].width, rows[i].height, &sink));
        assert_non_null(strstr(messages.items[0].hint, rows[i].hint));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_builtin),
        cmocka_unit_test(test_properties),
        cmocka_unit_test(test_values),
        cmocka_unit_test(test_messages),
        cmocka_unit_test(test_all_messages_at_once),
        cmocka_unit_test(test_resize),
        cmocka_unit_test(test_conflicts),
        cmocka_unit_test(test_conflict_message),
        cmocka_unit_test(test_wrapped_conflicts),
        cmocka_unit_test(test_each_wrapped_condition),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
