/* What is left from one request, or run, to the next: computed by hand. Memory has the first of
 * four words after 10 cycles; lines have 16 texels. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>

#include "base/os/print.h"
#include "tmu/models/sim.h"

enum { TEXELS = 8 };

struct input {
    uint16_t x[TEXELS]; /* a pixel for each texel */
    size_t count;
    uint8_t fraction; /* of all */
    uint32_t target;
    int reads_target;
    int runs;
};

static struct tmu_sim_report run(const char *machine, const struct input *input)
{
    struct tmu_arch arch;
    struct tmu_fragment fragments[TEXELS] = {{.x = 0}};
    char text[300];
    (void)snprintf(text, sizeof text, "memory: {latency: 10, burst_words: 4, waiting: 4}\n%s\n",
                   machine);
    assert_true(tmu_arch_read(&arch, "mine", "mine", base_span_of(text), &base_diag_stderr));
    struct tmu_sim *sim = tmu_sim_create(&arch);
    assert_non_null(sim);
    const struct tmu_trace_sink sink = tmu_sim_sink(sim);
    for (size_t i = 0; i < input->count; i++) {
        fragments[i] =
            (struct tmu_fragment){.x = input->x[i], .fx = input->fraction, .fy = input->fraction};
    }
    const struct tmu_trace_row row = {.count = input->count, .fragments = fragments};
    const struct tmu_trace_run begun = {.texture_width = 512,
                                        .texture_height = 512,
                                        .target = input->target,
                                        .target_width = 512,
                                        .reads_target = input->reads_target};
    for (int i = 0; i < input->runs; i++) {
        sink.begin(sink.user, &begun);
        sink.row(sink.user, &row);
        sink.end(sink.user);
    }
    const struct tmu_sim_report report = tmu_sim_report(sim, 0);
    tmu_sim_free(sim);
    return report;
}

static void test_lookups(void **state)
{
    (void)state;
    /* Two texels in a line, two in the line below. */
    static const struct input input = {.x = {0}, .count = 1, .fraction = 1, .runs = 1};
    static const struct {
        const char *cache;
        uint64_t conflicts;
    } rows[] = {
        {"last_line: false", 30}, {"last_line: true", 12}, /* 10, 1, 10, 1 */
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[100];
        (void)snprintf(text, sizeof text, "cache: {hit_cycles: 10, %s}", rows[i].cache);
        const struct tmu_sim_report report = run(text, &input);
        assert_int_equal(report.requests[0] + report.requests[3], 2);
        assert_int_equal(report.conflicts, rows[i].conflicts);
    }
}

/* Lines A B A C A: the third keeps A when C comes. */
static void test_use_keeps_lines(void **state)
{
    (void)state;
    static const struct input input = {.x = {0, 16, 0, 32, 0}, .count = 5, .runs = 1};
    const struct tmu_sim_report one =
        run("cache: {bytes: 64, ways: 0}\ntarget: {writes: none}", &input);
    assert_int_equal(one.refills, 3);
    const struct tmu_sim_report two =
        run("cache: {bytes: 32}\nsecond: {bytes: 64, line_bytes: 32, ways: 0}\n"
            "target: {writes: none}",
            &input);
    assert_int_equal(two.refills, 5);
    assert_int_equal(two.bus_accesses, 3);
}

static void test_flush(void **state)
{
    (void)state;
    static const struct input input = {.x = {0}, .count = 1, .runs = 2};
    static const struct {
        const char *flush;
        uint64_t refills;
        uint64_t accesses;
    } rows[] = {{"true", 2, 2}, {"false", 1, 1}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[150];
        (void)snprintf(text, sizeof text,
                       "cache: {flush: %s}\ntarget: {writes: none}\n"
                       "second: {bytes: 64, line_bytes: 32}",
                       rows[i].flush);
        const struct tmu_sim_report report = run(text, &input);
        assert_int_equal(report.refills, rows[i].refills);
        assert_int_equal(report.bus_accesses, rows[i].accesses);
    }
}

static void test_cycles(void **state)
{
    (void)state;
    static const struct {
        const char *machine;
        struct input input;
        uint64_t cycles;
        uint64_t stalls;
        uint64_t refills;
    } rows[] = {
        /* texel 1 + 14, target 14, its burst 14; again 1, 14, 14 */
        {"cache: {flush: false}",
         {.x = {0}, .count = 1, .target = 4096, .reads_target = 1, .runs = 2},
         72,
         42,
         1},
        /* the target's line stays in the cache: again 1, 1, 14 */
        {"cache: {flush: false}\ntarget: {cached_reads: true}",
         {.x = {0}, .count = 1, .target = 4096, .reads_target = 1, .runs = 2},
         59,
         29,
         2},
        /* drawn over the texel: its line takes a cycle more than another one */
        {"target: {writes: through}", {.x = {0}, .count = 1, .runs = 1}, 30, 14, 1},
        {"target: {writes: through}", {.x = {0}, .count = 1, .target = 4096, .runs = 1}, 29, 14, 1},
        /* the second line is asked for 40 cycles behind the first: 41 + 5, and a pixel more */
        {"cache: {waiting: queue, misses: 4}\ntarget: {writes: none}\n"
         "second: {bytes: 1024, line_bytes: 64, hit_cycles: 5, line_cycles: 40}",
         {.x = {0, 1, 16, 2}, .count = 4, .runs = 1},
         47,
         0,
         2},
        /* the first pixel leaves with its target at 29, only then the third one enters: 30 + 14, a
         * pixel more, its burst 14 */
        {"cache: {waiting: queue, misses: 4, queue: 2}",
         {.x = {0, 1, 16, 2}, .count = 4, .target = 4096, .reads_target = 1, .runs = 1},
         59,
         27,
         2},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct tmu_sim_report report = run(rows[i].machine, &rows[i].input);
        assert_int_equal(report.cycles, rows[i].cycles);
        assert_int_equal(report.stalls, rows[i].stalls);
        assert_int_equal(report.refills, rows[i].refills);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lookups),
        cmocka_unit_test(test_use_keeps_lines),
        cmocka_unit_test(test_flush),
        cmocka_unit_test(test_cycles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
