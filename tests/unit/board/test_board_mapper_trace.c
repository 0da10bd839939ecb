/* What the chip asks of memory: the same pixels as a run draws, and nothing else. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "board/mapper/mapper.h"
#include "board/mapper/walk.h"

enum { VERTICES = BOARD_MAPPER_PITCH * BOARD_MAPPER_PITCH, SIDE = 33 };

struct log {
    struct tmu_trace_run run;
    int begins;
    int ends;
    size_t rows;
    size_t pixels;
    size_t requests;
    const struct board_mapper_registers *registers;
    int x; /* behind the last row */
    int y;
    int inside;
};

static void keep_run(void *user, const struct tmu_trace_run *run)
{
    struct log *log = user;
    assert_int_equal(log->begins, log->ends);
    log->run = *run;
    log->begins++;
}

static void keep_row(void *user, const struct tmu_trace_row *row)
{
    struct log *log = user;
    assert_int_equal(log->begins, log->ends + 1);
    assert_true(row->count >= 1 && row->count <= (size_t)log->registers->dstsquarew);
    assert_true(row->inside >= 0 && row->inside < log->registers->dstsquareh);
    assert_true(row->x >= 0 && row->x + (int)row->count <= log->registers->dsthres);
    assert_true(row->y >= 0 && row->y < log->registers->dstvres);
    for (size_t i = 0; i < row->count; i++) {
        const struct tmu_fragment *fragment = &row->fragments[i];
        const uint32_t x =
            board_mapper_place(fragment->u, log->registers->texhmask, log->registers->texhres);
        const uint32_t y =
            board_mapper_place(fragment->v, log->registers->texvmask, log->registers->texvres);
        assert_int_equal(fragment->x * 64 + fragment->fx, x);
        assert_int_equal(fragment->y * 64 + fragment->fy, y);
        assert_true(fragment->fx < 64 && fragment->fy < 64);
        log->requests += 1u + (fragment->fx != 0) + (fragment->fy != 0) +
                         (fragment->fx != 0 && fragment->fy != 0);
    }
    log->rows++;
    log->pixels += row->count;
    log->x = row->x + (int)row->count;
    log->y = row->y;
    log->inside = row->inside;
}

static void keep_end(void *user)
{
    ((struct log *)user)->ends++;
}

static struct log trace(const struct board_mapper_registers *registers,
                        const struct board_mapper_vertex *vertices)
{
    const struct board_mapper_registers kept = board_mapper_keep(registers);
    struct log log = {.registers = &kept};
    const struct tmu_trace_sink sink = {&log, keep_run, keep_row, keep_end};
    board_mapper_trace(registers, vertices, &sink);
    assert_int_equal(log.begins, log.ends);
    return log;
}

static void benchmark(struct board_mapper_registers *registers)
{
    struct board_mapper chip;
    board_mapper_reset(&chip, BOARD_MAPPER_CURRENT);
    *registers = chip.registers;
    registers->vmeshlast = 32;
    registers->texhmask = 0x7fff;
    registers->texvmask = 0x7fff;
    registers->dstfbuf = 1 << 24;
    registers->dsthres = 512;
    registers->dstvres = 512;
}

static struct board_mapper_vertex scaled(int x, int y, int scale)
{
    return (struct board_mapper_vertex){x * scale, y * scale};
}

static struct board_mapper_vertex copied(int x, int y)
{
    return scaled(x, y, 1024);
}

static struct board_mapper_vertex zoomed_in(int x, int y)
{
    return scaled(x, y, 640);
}

static struct board_mapper_vertex zoomed_out(int x, int y)
{
    return scaled(x, y, 2560);
}

static struct board_mapper_vertex turned(int x, int y)
{
    const int u = 16 * x - 256;
    const int v = 16 * y - 256;
    return (struct board_mapper_vertex){u * 67 - v * 28 + 16384, u * 28 + v * 67 + 16384};
}

/* spec/tmu.md section 6. */
static void requests_of_the_thesis(void **state)
{
    static const struct {
        struct board_mapper_vertex (*vertex)(int x, int y);
        size_t requests;
    } sets[] = {{copied, 262144}, {zoomed_in, 921600}, {zoomed_out, 589824}, {turned, 1030142}};
    static struct board_mapper_vertex vertices[VERTICES];
    struct board_mapper_registers registers;
    (void)state;
    benchmark(&registers);
    for (size_t i = 0; i < sizeof sets / sizeof sets[0]; i++) {
        for (int y = 0; y < SIDE; y++) {
            for (int x = 0; x < SIDE; x++) {
                vertices[y * BOARD_MAPPER_PITCH + x] = sets[i].vertex(x, y);
            }
        }
        const struct log log = trace(&registers, vertices);
        assert_int_equal(log.begins, 1);
        assert_int_equal(log.pixels, 512 * 512);
        assert_int_equal(log.rows, 32 * 512);
        assert_int_equal(log.requests, sets[i].requests);
        assert_int_equal(log.x, 512);
        assert_int_equal(log.y, 511);
        assert_int_equal(log.inside, 15);
    }
}

static void what_a_run_is_told(void **state)
{
    static const struct {
        int32_t mask;
        uint32_t wrap;
    } masks[] = {{0x7fff, 512}, {0x3ffff, 0}, {0x3ffc0, 0}, {0x3f, 1}, {0x1ffff, 2048}, {0x1f, 0},
                 {0x7fc0, 0},   {0, 0},       {0x20000, 0}, {0x7f, 2}, {0x40000000, 0}, {-1, 0}};
    static struct board_mapper_vertex vertices[VERTICES];
    struct board_mapper_registers registers;
    (void)state;
    benchmark(&registers);
    registers.texfbuf = 0x1007;
    registers.texhres = 300;
    registers.texvres = 200;
    for (size_t i = 0; i < sizeof masks / sizeof masks[0]; i++) {
        registers.texhmask = masks[i].mask;
        registers.texvmask = masks[sizeof masks / sizeof masks[0] - 1 - i].mask;
        const struct tmu_trace_run run = trace(&registers, vertices).run;
        assert_int_equal(run.wrap_x, masks[i].wrap);
        assert_int_equal(run.wrap_y, masks[sizeof masks / sizeof masks[0] - 1 - i].wrap);
        assert_int_equal(run.texture, 0x1006);
        assert_int_equal(run.texture_width, 300);
        assert_int_equal(run.texture_height, 200);
        assert_int_equal(run.target, 1 << 24);
        assert_int_equal(run.target_width, 512);
        assert_false(run.reads_target);
    }
    registers.alpha = 20;
    assert_true(trace(&registers, vertices).run.reads_target);
    registers.alpha = 63;
    registers.flags = BOARD_MAPPER_ADDITIVE;
    assert_true(trace(&registers, vertices).run.reads_target);
    registers.flags = BOARD_MAPPER_CHROMA_KEY;
    assert_false(trace(&registers, vertices).run.reads_target);
    registers.dstsquarew = 2048;
    assert_int_equal(trace(&registers, vertices).begins, 0);
}

/* As many pixels as a run draws, whatever registers hold. */
static void clipped_as_a_run_is(void **state)
{
    static struct board_mapper_vertex vertices[VERTICES];
    static uint8_t bytes[4096 + BOARD_MAPPER_MEMORY_GUARD];
    const struct board_mapper_memory memory = {bytes, 4096};
    struct base_rng rng;
    size_t drawn = 0;
    (void)state;
    base_rng_seed(&rng, 8, 8);
    for (int n = 0; n < 200; n++) {
        struct board_mapper chip;
        board_mapper_reset(&chip, BOARD_MAPPER_CURRENT);
#define BOARD_MAPPER_REGISTER(name, offset, bits, reset, sign)                                     \
    chip.registers.name = (int32_t)base_rng_next(&rng);
#include "board/mapper/registers.def"
        chip.registers.hmeshlast = 1 + (chip.registers.hmeshlast & 7);
        chip.registers.vmeshlast = 1 + (chip.registers.vmeshlast & 7);
        chip.registers.dstsquareh = 1 + (chip.registers.dstsquareh & 15);
        for (size_t i = 0; i < VERTICES; i++) {
            vertices[i].x = (int32_t)base_rng_next(&rng);
            vertices[i].y = (int32_t)base_rng_next(&rng);
        }
        const struct log log = trace(&chip.registers, vertices);
        const struct board_mapper_counts counts = board_mapper_run(&chip, &memory, vertices);
        assert_int_equal(log.pixels, counts.pixels);
        drawn += log.pixels;
    }
    assert_true(drawn > 100000);
}

/* One square over the left upper corner: what is left of it. */
static void corners_of_a_clipped_square(void **state)
{
    static struct board_mapper_vertex vertices[VERTICES];
    struct board_mapper_registers registers;
    (void)state;
    benchmark(&registers);
    registers.hmeshlast = 1;
    registers.vmeshlast = 1;
    registers.dstsquarew = 100;
    registers.dstsquareh = 50;
    registers.dsthoffset = -30;
    registers.dstvoffset = 4096 - 10;
    struct log log = trace(&registers, vertices);
    assert_int_equal(log.rows, 40);
    assert_int_equal(log.pixels, 40 * 70);
    assert_true(log.x == 70 && log.y == 39 && log.inside == 49);
    registers.dsthoffset = 500;
    registers.dstvoffset = 510;
    log = trace(&registers, vertices);
    assert_int_equal(log.pixels, 2 * 12);
    assert_true(log.x == 512 && log.y == 511 && log.inside == 1);
    registers.dsthoffset = 2000;
    assert_int_equal(trace(&registers, vertices).rows, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(requests_of_the_thesis),
        cmocka_unit_test(what_a_run_is_told),
        cmocka_unit_test(clipped_as_a_run_is),
        cmocka_unit_test(corners_of_a_clipped_square),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
