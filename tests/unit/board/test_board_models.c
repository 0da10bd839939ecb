/* Whole machines: the published tables of the thesis, and times computed by hand. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/os/print.h"
#include "board/mapper/mapper.h"
#include "tmu/models/arch.h"
#include "tmu/models/sim.h"

enum { SIDE = 33, SIZES = 7, PIXELS = 512 * 512 };

/* The benchmark of the thesis (spec/tmu.md section 6). */
enum set { COPY, ZOOMIN, ZOOMOUT, ROTOZOOM, SETS };

static struct board_mapper_vertex vertex_of(enum set set, int x, int y)
{
    static const int scale[SETS] = {1024, 640, 2560, 0};
    if (set != ROTOZOOM) {
        return (struct board_mapper_vertex){x * scale[set], y * scale[set]};
    }
    const int a = 16 * x - 256;
    const int b = 16 * y - 256;
    return (struct board_mapper_vertex){a * 67 - b * 28 + 16384, a * 28 + b * 67 + 16384};
}

static void trace_set(enum set set, const struct tmu_trace_sink *sink)
{
    static struct board_mapper_vertex mesh[SIDE * BOARD_MAPPER_PITCH];
    struct board_mapper chip;
    board_mapper_reset(&chip, BOARD_MAPPER_THESIS);
    chip.registers.hmeshlast = chip.registers.vmeshlast = SIDE - 1;
    chip.registers.texhmask = chip.registers.texvmask = 0x7fff;
    chip.registers.dsthres = chip.registers.dstvres = 512;
    chip.registers.dstfbuf = 0x100000;
    for (int y = 0; y < SIDE; y++) {
        for (int x = 0; x < SIDE; x++) {
            mesh[y * BOARD_MAPPER_PITCH + x] = vertex_of(set, x, y);
        }
    }
    board_mapper_trace(&chip.registers, mesh, sink);
}

static struct tmu_sim_report run_set(const struct tmu_arch *arch, enum set set)
{
    struct tmu_sim *sim = tmu_sim_create(arch);
    assert_non_null(sim);
    const struct tmu_trace_sink sink = tmu_sim_sink(sim);
    trace_set(set, &sink);
    const struct tmu_sim_report report = tmu_sim_report(sim, 0);
    tmu_sim_free(sim);
    return report;
}

static struct tmu_arch machine(const char *name)
{
    struct tmu_arch arch;
    assert_true(tmu_arch_builtin(&arch, name, &base_diag_stderr));
    return arch;
}

static struct tmu_arch machine_of(const char *text)
{
    struct tmu_arch arch;
    assert_true(tmu_arch_read(&arch, "mine", "mine", base_span_of(text), &base_diag_stderr));
    return arch;
}

/* Refills and hits by channel as the RTL of the thesis revision counts them, 2 KB to 128 KB. */
static const struct thesis_set {
    uint64_t requests[4];
    struct {
        uint64_t refills;
        uint64_t hits[4];
        double percent; /* published */
    } sizes[SIZES];
} thesis[SETS] = {
    [COPY] = {{262144, 0, 0, 0},
              {{16384, {245760, 0, 0, 0}, 93.75},
               {16384, {245760, 0, 0, 0}, 93.75},
               {16384, {245760, 0, 0, 0}, 93.75},
               {16384, {245760, 0, 0, 0}, 93.75},
               {16384, {245760, 0, 0, 0}, 93.75},
               {16384, {245760, 0, 0, 0}, 93.75},
               {16384, {245760, 0, 0, 0}, 93.75}}},
    [ZOOMIN] = {{262144, 229376, 229376, 200704},
                {{17653, {261151, 229356, 219136, 194304}, 98.08},
                 {17653, {261151, 229356, 219136, 194304}, 98.08},
                 {12693, {261151, 229356, 224096, 194304}, 98.62},
                 {6741, {262143, 229356, 229056, 194304}, 99.27},
                 {6741, {262143, 229356, 229056, 194304}, 99.27},
                 {6741, {262143, 229356, 229056, 194304}, 99.27},
                 {6741, {262143, 229356, 229056, 194304}, 99.27}}},
    [ZOOMOUT] = {{262144, 131072, 131072, 65536},
                 {{73728, {221184, 106496, 110592, 53248}, 83.33},
                  {73728, {221184, 106496, 110592, 53248}, 83.33},
                  {73728, {221184, 106496, 110592, 53248}, 83.33},
                  {57344, {231552, 112064, 114048, 55104}, 86.94},
                  {36864, {240192, 116704, 122688, 59744}, 91.44},
                  {24576, {248832, 121344, 124416, 60672}, 94.14},
                  {24576, {248832, 121344, 124416, 60672}, 94.14}}},
    [ROTOZOOM] = {{262144, 257515, 257515, 252968},
                  {{155903, {248536, 233440, 138409, 132239}, 73.06},
                   {100099, {253798, 242546, 180529, 177490}, 82.94},
                   {36876, {260979, 256666, 223404, 224502}, 93.73},
                   {24387, {261456, 256873, 235408, 232548}, 95.74},
                   {22692, {262051, 257324, 236414, 233310}, 96.02},
                   {22692, {262051, 257324, 236414, 233310}, 96.02},
                   {21877, {262084, 257412, 237009, 233997}, 96.15}}},
};

static void test_thesis_table(void **state)
{
    (void)state;
    struct tmu_arch arch = machine("milkymist");
    for (int set = 0; set < SETS; set++) {
        for (int i = 0; i < SIZES; i++) {
            assert_true(tmu_arch_resize(&arch, 2048u << i));
            assert_true(tmu_arch_check_conflicts(&arch, 512, 512, &base_diag_stderr));
            const struct tmu_sim_report report = run_set(&arch, (enum set)set);
            assert_int_equal(report.pixels, PIXELS);
            assert_memory_equal(report.requests, thesis[set].requests, sizeof report.requests);
            assert_memory_equal(report.hits, thesis[set].sizes[i].hits, sizeof report.hits);
            assert_int_equal(report.refills, thesis[set].sizes[i].refills);
            assert_true(fabs(100 * report.hit_rate - thesis[set].sizes[i].percent) < 0.00501);
        }
    }
}

/* "About 55, 30 and 15 Mpixel/s": each within 15 %. */
static void test_thesis_fill_rates(void **state)
{
    (void)state;
    static const struct {
        enum set set;
        double megapixels;
    } rows[] = {{ZOOMIN, 55}, {ROTOZOOM, 30}, {ZOOMOUT, 15}};
    struct tmu_arch arch = machine("milkymist");
    assert_true(tmu_arch_resize(&arch, 16384));
    for (size_t i = 0; i < 3; i++) {
        const struct tmu_sim_report report = run_set(&arch, rows[i].set);
        assert_true(fabs(report.megapixels / rows[i].megapixels - 1) < 0.15);
    }
}

/* The simulated RTL with a short memory latency: about 1.2 cycles per pixel (spec/tmu.md section
 * 8). */
static void test_rows_are_set_up(void **state)
{
    (void)state;
    struct tmu_arch arch = machine("milkymist_one");
    arch.memory_kind = TMU_MEMORY_FIXED;
    arch.memory_latency = 2;
    const struct tmu_sim_report report = run_set(&arch, COPY);
    assert_true(fabs((double)report.cycles / PIXELS - 1.2) < 0.05);
}

/* Only the screen is scanned: 293 Mbit/s, 7 % of the bus, 5.52 cycles to the first word, a bound of
 * 3926 Mbit/s (thesis, table of memory performance). */
static void test_thesis_idle(void **state)
{
    (void)state;
    struct tmu_arch arch = machine("milkymist");
    arch.background_bytes_per_second = 640 * 480 * 2 * 60;
    struct tmu_sim *sim = tmu_sim_create(&arch);
    assert_non_null(sim);
    const struct tmu_sim_report report = tmu_sim_report(sim, 2);
    assert_true(fabs(report.bandwidth * 8e-6 - 295) < 1);
    assert_true(fabs(report.occupancy - 0.07) < 0.01);
    assert_true(fabs(report.access_time - 5.52) < 0.3);
    assert_true(fabs(report.bandwidth_bound * 8e-6 - 3926) < 200);
    assert_int_equal(report.pixels, 0);
    tmu_sim_free(sim);
}

/* What the texture mapper does in a picture: warp, then the copy to the screen; 30 times a second,
 * scanned at 60 Hz. The thesis has 923 to 1160 Mbit/s, 25 to 34 %, 5.94 to 6.71 cycles for whole
 * presets, software included. */
static void test_thesis_live(void **state)
{
    (void)state;
    struct tmu_arch arch = machine("milkymist");
    arch.background_bytes_per_second = 640 * 480 * 2 * 60;
    assert_true(tmu_arch_resize(&arch, 16384));
    struct tmu_sim *sim = tmu_sim_create(&arch);
    assert_non_null(sim);
    const struct tmu_trace_sink sink = tmu_sim_sink(sim);
    for (int frame = 0; frame < 3; frame++) {
        trace_set(ROTOZOOM, &sink);
        trace_set(ZOOMIN, &sink);
    }
    const struct tmu_sim_report report = tmu_sim_report(sim, 3 / 30.0);
    assert_true(report.bandwidth * 8e-6 > 600 && report.bandwidth * 8e-6 < 1200);
    assert_true(report.occupancy > 0.15 && report.occupancy < 0.4);
    assert_true(report.access_time > 5.5 && report.access_time < 7.5);
    tmu_sim_free(sim);
}

/* Over 85 % hits and under 10 % stalls for bilinear quads. */
static void test_hkm96(void **state)
{
    (void)state;
    static const enum set sets[] = {COPY, ZOOMIN, ROTOZOOM};
    const struct tmu_arch arch = machine("hkm96");
    for (size_t i = 0; i < 3; i++) {
        const struct tmu_sim_report report = run_set(&arch, sets[i]);
        assert_true(report.hit_rate > 0.85);
        assert_true((double)report.stalls < 0.1 * (double)report.cycles);
    }
}

static void test_all_machines(void **state)
{
    (void)state;
    for (size_t i = 0; tmu_arch_builtin_name(i) != NULL; i++) {
        const struct tmu_arch arch = machine(tmu_arch_builtin_name(i));
        for (int set = 0; set < SETS; set++) {
            const struct tmu_sim_report report = run_set(&arch, (enum set)set);
            assert_int_equal(report.pixels, PIXELS);
            assert_true(report.hit_rate > 0.75 && report.hit_rate < 1);
            assert_true(report.cycles * arch.machine_units > PIXELS / 4 && report.refills > 800);
            assert_true(report.stalls + report.conflicts < report.cycles * arch.machine_units);
            assert_true(report.occupancy > 0 && report.occupancy <= 1);
            assert_true(report.bandwidth <= report.bandwidth_bound * 1.001);
            assert_true(report.bandwidth_bound <= arch.machine_clock * arch.memory_word_bytes *
                                                      arch.memory_channels * arch.machine_units);
        }
    }
}

static const struct tmu_trace_run small_run = {
    .texture_width = 512, .texture_height = 512, .target = 0x100000, .target_width = 512};

/* Four pixels of one row, at texels of lines A, A, B, A. */
static void send_four(const struct tmu_trace_sink *sink, int reads_target)
{
    static const struct tmu_fragment fragments[4] = {{.x = 0}, {.x = 1}, {.x = 16}, {.x = 2}};
    const struct tmu_trace_row row = {.count = 4, .fragments = fragments};
    struct tmu_trace_run run = small_run;
    run.reads_target = reads_target;
    sink->begin(sink->user, &run);
    sink->row(sink->user, &row);
    sink->end(sink->user);
}

/* Memory has the first of four words after 10 cycles. */
static void test_times(void **state)
{
    (void)state;
    static const struct {
        const char *machine;
        int reads_target;
        uint64_t cycles;
        uint64_t stalls;
    } rows[] = {
        /* A 1 + 14, 1, B 1 + 14, 1 */
        {"target: {writes: none}", 0, 32, 28},
        /* + 3 for each refill */
        {"target: {writes: none}\ncache: {miss_cycles: 3}", 0, 38, 34},
        /* A at 1..15, B asked for at 3, its words behind those of A until 19, one more pixel */
        {"target: {writes: none}\ncache: {waiting: queue, misses: 4}", 0, 20, 0},
        /* one line may wait: B is asked for at 15, there at 29 */
        {"target: {writes: none}\ncache: {waiting: queue, misses: 1}", 0, 30, 12},
        /* two groups in the queue: the third enters when the first has left at 15 */
        {"target: {writes: none}\ncache: {waiting: queue, queue: 2}", 0, 31, 13},
        /* registers enough: the last pixel does not wait for B */
        {"target: {writes: none}\ncache: {waiting: registers, misses: 4}", 0, 19, 0},
        /* one register: the second pixel needs it from 2 to 15; B is asked for at 16 */
        {"target: {writes: none}\ncache: {waiting: registers, misses: 1}", 0, 30, 13},
        /* A's and B's line take 2 more each until they are read: 17 and 20, one more pixel */
        {"target: {writes: none}\ncache: {waiting: queue, misses: 4, retry_cycles: 2}", 0, 22, 0},
        /* a row is handed over in a cycle of its own */
        {"target: {writes: none}\nmachine: {row_setup: 5}", 0, 38, 28},
        {"target: {writes: none}\ncache: {hit_cycles: 2}", 0, 36, 28},
        /* A 2 + 14, repeated 1, B 2 + 14, A 2 */
        {"target: {writes: none}\ncache: {hit_cycles: 2, last_line: true}", 0, 35, 28},
        /* the first pixel waits 14 more for its target; 14 at the end for its burst */
        {"target: {writes: bursts}", 1, 60, 42},
        /* a target elsewhere is not read here either */
        {"target: {writes: none}", 1, 32, 28},
        /* 14 at the end for the burst that was gathered */
        {"target: {writes: bursts}", 0, 46, 28},
        /* B comes through the second level: 5 there, then memory; A too */
        {"target: {writes: none}\nsecond: {bytes: 1024, line_bytes: 32, hit_cycles: 5}", 0, 42, 38},
        /* one line of the second level holds both of the first, in two transactions */
        {"target: {writes: none}\nsecond: {bytes: 1024, line_bytes: 64, hit_cycles: 5}", 0, 32, 28},
        /* both are there at 24: the last pixel waits from 4 on for one of three registers */
        {"target: {writes: none}\nsecond: {bytes: 1024, line_bytes: 64, hit_cycles: 5}\n"
         "cache: {waiting: registers, misses: 3}",
         0, 24, 20},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[300];
        (void)snprintf(text, sizeof text, "memory: {latency: 10, burst_words: 4, waiting: 4}\n%s\n",
                       rows[i].machine);
        const struct tmu_arch arch = machine_of(text);
        struct tmu_sim *sim = tmu_sim_create(&arch);
        assert_non_null(sim);
        const struct tmu_trace_sink sink = tmu_sim_sink(sim);
        send_four(&sink, rows[i].reads_target);
        const struct tmu_sim_report report = tmu_sim_report(sim, 0);
        assert_int_equal(report.pixels, 4);
        assert_int_equal(report.refills, 2);
        assert_int_equal(report.cycles, rows[i].cycles);
        assert_int_equal(report.stalls, rows[i].stalls);
        tmu_sim_free(sim);
    }
}

/* A line in the cache that the target overwrites. */
static void test_writes_and_cache(void **state)
{
    (void)state;
    static const struct {
        const char *writes;
        uint64_t refills;
    } rows[] = {{"none", 2}, {"bursts", 2}, {"through", 2}, {"invalidate", 3}};
    for (size_t i = 0; i < 4; i++) {
        char text[100];
        (void)snprintf(text, sizeof text, "cache: {flush: false}\ntarget: {writes: %s}\n",
                       rows[i].writes);
        const struct tmu_arch arch = machine_of(text);
        struct tmu_sim *sim = tmu_sim_create(&arch);
        const struct tmu_trace_sink sink = tmu_sim_sink(sim);
        static const struct tmu_fragment fragments[2] = {{.x = 0}, {.x = 16}};
        const struct tmu_trace_row row = {.count = 2, .fragments = fragments};
        struct tmu_trace_run run = small_run;
        run.target = 32; /* of texel 16 */
        for (int pass = 0; pass < 2; pass++) {
            sink.begin(sink.user, &run);
            sink.row(sink.user, &row);
            sink.end(sink.user);
        }
        assert_int_equal(tmu_sim_report(sim, 0).refills, rows[i].refills);
        tmu_sim_free(sim);
    }
}

/* Rows as clipping may leave them: each pixel is taken once, in as few quads as there are. */
static void test_quads(void **state)
{
    (void)state;
    static const struct {
        struct {
            int inside, x, y;
            size_t count;
        } rows[4];
        uint64_t pixels;
        uint64_t quads;
    } cases[] = {
        {{{0, 0, 0, 4}, {1, 0, 1, 4}}, 8, 2},
        {{{0, 0, 0, 3}, {1, 0, 1, 3}, {2, 0, 2, 3}}, 9, 4},
        {{{1, 5, 7, 3}}, 3, 2},
        {{{0, 0, 0, 4}, {0, 4, 0, 4}}, 8, 4},
        {{{0, 0, 0, 2}, {1, 2, 1, 2}}, 4, 2},
        {{{0, 0, 0, 2}, {1, 0, 5, 2}}, 4, 2},
        {{{0, 1, 0, 3}, {1, 0, 1, 4}}, 7, 2},
        {{{1, 0, 1, 2}, {2, 0, 2, 2}, {3, 0, 3, 2}}, 6, 2},
    };
    const struct tmu_arch arch = machine_of("requests: {group: quad, merge: true, ports: 4}\n"
                                            "target: {writes: none}\n");
    static const struct tmu_fragment fragments[8] = {{.x = 0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct tmu_sim *sim = tmu_sim_create(&arch);
        const struct tmu_trace_sink sink = tmu_sim_sink(sim);
        sink.begin(sink.user, &small_run);
        for (size_t j = 0; j < 4 && cases[i].rows[j].count > 0; j++) {
            const struct tmu_trace_row row = {cases[i].rows[j].inside, cases[i].rows[j].x,
                                              cases[i].rows[j].y, cases[i].rows[j].count,
                                              fragments};
            sink.row(sink.user, &row);
        }
        sink.end(sink.user);
        const struct tmu_sim_report report = tmu_sim_report(sim, 0);
        assert_int_equal(report.pixels, cases[i].pixels);
        assert_int_equal(report.requests[0], cases[i].quads); /* one texel, merged */
        tmu_sim_free(sim);
    }
}

/* Sixteen texels of a quad whose pixels are `step` texels apart. */
static void test_ports_and_banks(void **state)
{
    (void)state;
    static const struct {
        const char *requests;
        uint16_t step;
        uint64_t conflicts;
    } rows[] = {
        {"ports: 16", 1, 0},
        {"ports: 1", 1, 15},
        {"ports: 5", 1, 3},
        {"ports: 9, merge: true", 1, 0},
        {"ports: 9, merge: true", 2, 1},
        {"ports: 16, bank_x_bits: 2, bank_y_bits: 2", 2, 0},
        {"ports: 16, bank_x_bits: 2, bank_y_bits: 2", 4, 3},
        {"ports: 16, bank_x_bits: 2, bank_y_bits: 2", 1, 3},
        {"ports: 9, merge: true, bank_x_bits: 2, bank_y_bits: 2", 1, 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[200];
        (void)snprintf(text, sizeof text, "requests: {group: quad, weightless: true, %s}\n",
                       rows[i].requests);
        const struct tmu_arch arch = machine_of(text);
        struct tmu_sim *sim = tmu_sim_create(&arch);
        const struct tmu_trace_sink sink = tmu_sim_sink(sim);
        sink.begin(sink.user, &small_run);
        for (int y = 0; y < 2; y++) {
            const uint16_t v = (uint16_t)(y * rows[i].step);
            const struct tmu_fragment fragments[2] = {{.y = v}, {.x = rows[i].step, .y = v}};
            const struct tmu_trace_row row = {y, 0, y, 2, fragments};
            sink.row(sink.user, &row);
        }
        sink.end(sink.user);
        assert_int_equal(tmu_sim_report(sim, 0).conflicts, rows[i].conflicts);
        tmu_sim_free(sim);
    }
}

static void test_nothing(void **state)
{
    (void)state;
    const struct tmu_arch arch = machine("milkymist");
    struct tmu_sim *sim = tmu_sim_create(&arch);
    const struct tmu_sim_report report = tmu_sim_report(sim, 0);
    assert_int_equal(report.cycles, 0);
    assert_true(report.hit_rate == 0 && report.megapixels == 0 && report.bandwidth == 0 &&
                report.occupancy == 0 && report.access_time == 0);
    tmu_sim_free(sim);
    tmu_sim_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_thesis_table),     cmocka_unit_test(test_thesis_fill_rates),
        cmocka_unit_test(test_rows_are_set_up),  cmocka_unit_test(test_thesis_idle),
        cmocka_unit_test(test_thesis_live),      cmocka_unit_test(test_hkm96),
        cmocka_unit_test(test_all_machines),     cmocka_unit_test(test_times),
        cmocka_unit_test(test_writes_and_cache), cmocka_unit_test(test_quads),
        cmocka_unit_test(test_ports_and_banks),  cmocka_unit_test(test_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
