#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pfpu/machine/machine.h"
#include "pfpu/pfpu.h"

enum {
    NOP,
    FADD,
    FSUB,
    FMUL,
    FABS,
    F2I,
    I2F,
    VECTOUT,
    SIN,
    COS,
    ABOVE,
    EQUAL,
    COPY,
    IF,
    TSIGN,
    QUAKE
};

enum { WRITES_MAX = 2 * 128 * 128 };

static const uint32_t one = 0x3F800000;

/* What a run has written. */
struct log {
    uint32_t addresses[WRITES_MAX];
    uint32_t data[WRITES_MAX];
    size_t count;
};

struct bench {
    struct pfpu_machine machine;
    struct log log;
};

static void receive(void *user, uint32_t address, uint32_t data)
{
    struct log *log = user;
    assert_true(log->count < WRITES_MAX);
    log->addresses[log->count] = address;
    log->data[log->count++] = data;
}

static bool run(struct bench *bench)
{
    bench->log.count = 0;
    const struct pfpu_machine_bus bus = {receive, &bench->log};
    return pfpu_machine_run(&bench->machine, &bus);
}

static int set_up(void **state)
{
    struct bench *bench = calloc(1, sizeof *bench);
    assert_non_null(bench);
    pfpu_machine_init(&bench->machine, &pfpu_target_milkymist_one);
    *state = bench;
    return 0;
}

static int tear_down(void **state)
{
    free(*state);
    return 0;
}

/* An instruction word at its place; the destination is that of the commit half of this word. */
struct placed {
    unsigned at;
    unsigned opcode;
    unsigned a;
    unsigned b;
    unsigned destination;
};

static void assemble(struct bench *bench, const struct placed *words, size_t count)
{
    uint32_t code[PFPU_MACHINE_WORDS] = {0};
    for (size_t i = 0; i < count; i++) {
        code[words[i].at] |=
            pfpu_word_make(words[i].a, words[i].b, words[i].opcode, words[i].destination);
    }
    pfpu_machine_load(&bench->machine, code, PFPU_MACHINE_WORDS);
}

#define ASSEMBLE(bench, ...)                                                                       \
    do {                                                                                           \
        const struct placed placed[] = {__VA_ARGS__};                                              \
        assemble(bench, placed, sizeof placed / sizeof placed[0]);                                 \
    } while (false)

/* The next line of the file must begin with this word; strtok goes on behind it. */
static void next_line(FILE *file, char *line, size_t size, const char *word)
{
    assert_non_null(fgets(line, (int)size, file));
    const char *first = strtok(line, " \n");
    assert_non_null(first);
    assert_string_equal(first, word);
}

static size_t read_list(uint32_t *words, size_t max)
{
    size_t count = 0;
    for (const char *at = strtok(NULL, " \n"); at != NULL; at = strtok(NULL, " \n")) {
        assert_true(count < max);
        words[count++] = (uint32_t)strtoul(at, NULL, 16);
    }
    return count;
}

static void compare_writes(const struct log *log)
{
    size_t count = 0;
    for (const char *at = strtok(NULL, " \n"); at != NULL; at = strtok(NULL, " \n")) {
        unsigned address = 0;
        unsigned data = 0;
        assert_int_equal(sscanf(at, "%x:%x", &address, &data), 2);
        assert_true(count < log->count);
        assert_int_equal(log->addresses[count], address);
        assert_int_equal(log->data[count++], data);
    }
    assert_int_equal(log->count, count);
}

static void compare_counters(const struct pfpu_machine *machine, FILE *file)
{
    unsigned vertices = 0;
    unsigned collisions = 0;
    unsigned stray = 0;
    assert_int_equal(fscanf(file, "counters vertices %u collisions %u stray %u\n", &vertices,
                            &collisions, &stray),
                     3);
    assert_int_equal(machine->vertices, vertices);
    assert_int_equal(machine->collisions, collisions);
    assert_int_equal(machine->stray_writes, stray);
}

static bool run_recorded(struct bench *bench, FILE *file, char *line, size_t size)
{
    unsigned words = 0;
    struct pfpu_machine *machine = &bench->machine;
    pfpu_machine_init(machine, &pfpu_target_milkymist_one);
    machine->mesh_base = 0x40100000;
    if (fscanf(file, "program %*u words %u hmeshlast %u vmeshlast %u\n", &words,
               &machine->last_column, &machine->last_row) != 3) {
        return false;
    }
    uint32_t registers[126];
    uint32_t code[PFPU_MACHINE_WORDS];
    next_line(file, line, size, "init");
    assert_int_equal(read_list(registers, 126), 126);
    for (unsigned i = 0; i < 126; i++) {
        pfpu_machine_set_register(machine, i + 2, registers[i]);
    }
    next_line(file, line, size, "code");
    assert_int_equal(read_list(code, PFPU_MACHINE_WORDS), words);
    pfpu_machine_load(machine, code, words);
    assert_true(run(bench));
    next_line(file, line, size, "dma");
    compare_writes(&bench->log);
    compare_counters(machine, file);
    next_line(file, line, size, "final");
    assert_int_equal(read_list(registers, 126), 126);
    assert_memory_equal(machine->registers + 2, registers, sizeof registers);
    return true;
}

static void every_recorded_program(void **state)
{
    struct bench *bench = *state;
    const size_t size = 1 << 20;
    char *line = malloc(size);
    FILE *file = fopen(TEST_DATA "/pfpu/pfpu_programs.txt", "r");
    assert_non_null(file);
    assert_non_null(line);
    size_t programs = 0;
    while (run_recorded(bench, file, line, size)) {
        programs++;
    }
    assert_true(feof(file));
    assert_int_equal(programs, 36);
    (void)fclose(file);
    free(line);
}

/* Every operation delivers exactly as many words later as the table says: to the destination there,
 * to be read one word later still. */
static void latencies(void **state)
{
    static const struct pfpu_target *const targets[] = {&pfpu_target_milkymist_one,
                                                        &pfpu_target_thesis};
    struct bench *bench = *state;
    for (unsigned i = 0; i < 2 * PFPU_OPCODE_COUNT; i++) {
        const unsigned opcode = i / 2;
        const struct pfpu_opcode_row *row = &pfpu_opcodes[opcode];
        const unsigned latency = i % 2 == 0 ? row->latency : row->thesis_latency;
        if (latency == 0) {
            continue;
        }
        pfpu_machine_init(&bench->machine, targets[i % 2]);
        pfpu_machine_set_register(&bench->machine, 3, one);
        pfpu_machine_set_register(&bench->machine, 4, 0x40000000);
        pfpu_machine_set_register(&bench->machine, 5, 0x11111111);
        pfpu_machine_set_register(&bench->machine, 6, 0x11111111);
        pfpu_machine_set_register(&bench->machine, 7, 0x11111111);
        /* The word before and the word after must not take the result. */
        ASSEMBLE(bench, {1, opcode, 3, 4, 0}, {latency, NOP, 0, 0, 5}, {latency + 1, NOP, 0, 0, 6},
                 {latency + 2, VECTOUT, 6, 5, 7});
        assert_true(run(bench));
        const uint32_t result = pfpu_alu(opcode, one, 0x40000000, false);
        assert_int_equal(bench->log.data[0], result);
        assert_int_equal(bench->log.data[1], 0x11111111);
        assert_int_equal(bench->machine.registers[7], 0x11111111);
        assert_int_equal(bench->machine.stray_writes, 0);
    }
}

/* A read in the word that commits gives the old value. */
static void reads_come_before_the_commit(void **state)
{
    struct bench *bench = *state;
    pfpu_machine_set_register(&bench->machine, 3, 0x33);
    pfpu_machine_set_register(&bench->machine, 4, 0x44);
    ASSEMBLE(bench, {0, COPY, 3, 0, 0}, {2, VECTOUT, 4, 4, 4});
    assert_true(run(bench));
    assert_int_equal(bench->log.data[0], 0x44);
    assert_int_equal(bench->log.data[1], 0x44);
    assert_int_equal(bench->machine.registers[4], 0x33);
}

static void stray_writes_are_counted(void **state)
{
    struct bench *bench = *state;
    pfpu_machine_set_register(&bench->machine, 3, 0x33);
    /* Due in words 2 to 5; to 0, 1, 0 and 9. */
    ASSEMBLE(bench, {0, COPY, 3, 0, 0}, {1, COPY, 3, 0, 0}, {2, COPY, 3, 0, 0}, {3, COPY, 3, 0, 1},
             {5, NOP, 0, 0, 9}, {6, VECTOUT, 0, 1, 0});
    assert_true(run(bench));
    assert_int_equal(bench->machine.stray_writes, 2);
    assert_int_equal(bench->machine.collisions, 0);
    assert_int_equal(bench->machine.registers[9], 0x33);
    assert_int_equal(bench->log.data[0], 0);
    assert_int_equal(bench->log.data[1], 0);
}

static void a_destination_without_a_result_does_nothing(void **state)
{
    struct bench *bench = *state;
    pfpu_machine_set_register(&bench->machine, 3, 0x33);
    ASSEMBLE(bench, {0, NOP, 0, 0, 3}, {1, VECTOUT, 3, 3, 3}, {2, NOP, 0, 0, 3});
    assert_true(run(bench));
    assert_int_equal(bench->machine.registers[3], 0x33);
    assert_int_equal(bench->log.data[0], 0x33);
    assert_int_equal(bench->machine.stray_writes, 0);
}

static void collisions_are_joined_and_counted_once(void **state)
{
    struct bench *bench = *state;
    pfpu_machine_set_register(&bench->machine, 3, 0x00000003);
    pfpu_machine_set_register(&bench->machine, 4, 0x00000010);
    pfpu_machine_set_register(&bench->machine, 5, one);
    /* 1.0 * 1.0, 1.0 + 0 and a copy of 0x10 all land in word 7; the copy of 3 lands alone. */
    ASSEMBLE(bench, {0, FMUL, 5, 5, 0}, {2, FADD, 5, 0, 0}, {5, COPY, 4, 0, 0}, {6, COPY, 3, 0, 0},
             {7, NOP, 0, 0, 9}, {8, VECTOUT, 9, 9, 10});
    assert_true(run(bench));
    assert_int_equal(bench->machine.collisions, 1);
    assert_int_equal(bench->machine.stray_writes, 0);
    assert_int_equal(bench->machine.registers[9], one | 0x10);
    assert_int_equal(bench->machine.registers[10], 3);
    assert_int_equal(bench->log.data[0], one | 0x10);
}

/* The commit halves of the word of VECTOUT and of the one behind it still take effect. */
static void the_end_of_a_run(void **state)
{
    struct bench *bench = *state;
    for (unsigned i = 3; i < 8; i++) {
        pfpu_machine_set_register(&bench->machine, i, i);
    }
    ASSEMBLE(bench, {1, COPY, 3, 0, 0}, {2, COPY, 4, 0, 0}, {3, VECTOUT, 5, 6, 8},
             {4, VECTOUT, 6, 5, 9}, {5, NOP, 0, 0, 10}, {6, NOP, 0, 0, 10});
    assert_true(run(bench));
    assert_int_equal(bench->machine.registers[8], 3);
    assert_int_equal(bench->machine.registers[9], 4);
    assert_int_equal(bench->log.count, 2);
    assert_int_equal(bench->log.data[0], 5);
    assert_int_equal(bench->log.data[1], 6);

    /* Later results are dropped, and so is what the word behind VECTOUT issues. */
    bench->machine.last_column = 3;
    ASSEMBLE(bench, {0, NOP, 0, 0, 10}, {1, NOP, 0, 0, 10}, {2, NOP, 0, 0, 10},
             {3, VECTOUT, 10, 10, 10}, {2, FADD, 3, 4, 0}, {4, COPY, 5, 0, 10}, {5, NOP, 0, 0, 10},
             {6, NOP, 0, 0, 10}, {7, NOP, 0, 0, 10});
    assert_true(run(bench));
    assert_int_equal(bench->log.count, 8);
    for (size_t i = 0; i < 8; i++) {
        assert_int_equal(bench->log.data[i], 0);
    }
    assert_int_equal(bench->machine.registers[10], 0);
    assert_int_equal(bench->machine.stray_writes, 0);
}

static void an_if_sees_a_condition_one_word_early(void **state)
{
    static const struct {
        unsigned at;
        uint32_t expected;
    } cases[] = {{1, 0xB}, {2, 0xA}, {3, 0xA}};
    struct bench *bench = *state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const unsigned at = cases[i].at;
        pfpu_machine_init(&bench->machine, &pfpu_target_milkymist_one);
        pfpu_machine_set_register(&bench->machine, 3, 0xA);
        pfpu_machine_set_register(&bench->machine, 4, 0xB);
        pfpu_machine_set_register(&bench->machine, 5, 0x80000000);
        /* The copy of r5 lands in r2 in word 2. */
        ASSEMBLE(bench, {0, COPY, 5, 0, 0}, {2, NOP, 0, 0, 2}, {at, IF, 3, 4, 0},
                 {at + 2, NOP, 0, 0, 6}, {at + 3, VECTOUT, 6, 2, 0});
        assert_true(run(bench));
        assert_int_equal(bench->log.data[0], cases[i].expected);
        assert_int_equal(bench->log.data[1], 0x80000000);
    }
}

/* r2 is an ordinary register as well, read with the usual delay. */
static void the_condition_can_be_read(void **state)
{
    struct bench *bench = *state;
    pfpu_machine_set_register(&bench->machine, 2, 0x22);
    pfpu_machine_set_register(&bench->machine, 5, 0);
    assert_true(bench->machine.flag);
    ASSEMBLE(bench, {0, COPY, 5, 0, 0}, {2, COPY, 2, 0, 2}, {4, NOP, 0, 0, 6},
             {5, VECTOUT, 6, 2, 0});
    assert_true(run(bench));
    assert_int_equal(bench->log.data[0], 0x22);
    assert_int_equal(bench->log.data[1], 0);
    assert_false(bench->machine.flag);
}

static void the_vertex_is_read_as_integers(void **state)
{
    struct bench *bench = *state;
    bench->machine.last_column = 2;
    bench->machine.last_row = 3;
    pfpu_machine_set_register(&bench->machine, 0, 77);
    pfpu_machine_set_register(&bench->machine, 1, 77);
    /* What is written to r0 and r1 is never read. */
    ASSEMBLE(bench, {0, COPY, 1, 0, 0}, {1, COPY, 0, 0, 0}, {2, NOP, 0, 0, 0}, {3, NOP, 0, 0, 1},
             {5, VECTOUT, 0, 1, 0});
    assert_true(run(bench));
    assert_int_equal(bench->log.count, 24);
    for (uint32_t i = 0; i < 12; i++) {
        const uint32_t address = 1024 * (i / 3) + 8 * (i % 3);
        assert_int_equal(bench->log.addresses[2 * i], address);
        assert_int_equal(bench->log.addresses[2 * i + 1], address + 4);
        assert_int_equal(bench->log.data[2 * i], i % 3);
        assert_int_equal(bench->log.data[2 * i + 1], i / 3);
    }
    assert_int_equal(bench->machine.stray_writes, 12);
}

/* Registers and the flag keep their values from vertex to vertex and from run to run. */
static void values_carry_over(void **state)
{
    struct bench *bench = *state;
    bench->machine.last_column = 2;
    pfpu_machine_set_register(&bench->machine, 3, one);
    pfpu_machine_set_register(&bench->machine, 4, one);
    pfpu_machine_set_register(&bench->machine, 7, 0x77);
    /* r4 doubles; r5 is r7 as soon as the flag has been set at the end of the first run. */
    ASSEMBLE(bench, {0, FADD, 4, 4, 0}, {1, IF, 7, 0, 0}, {2, COPY, 3, 0, 0}, {3, NOP, 0, 0, 5},
             {4, NOP, 0, 0, 2}, {5, NOP, 0, 0, 4}, {6, VECTOUT, 4, 5, 0});
    static const uint32_t expected[2][6] = {{0x40000000, 0, 0x40800000, 0x77, 0x41000000, 0x77},
                                            {0x41800000, 0x77, 0x42000000, 0x77, 0x42800000, 0x77}};
    for (size_t i = 0; i < 2; i++) {
        assert_true(run(bench));
        assert_memory_equal(bench->log.data, expected[i], sizeof expected[i]);
    }
}

static void a_program_without_an_end_is_given_up(void **state)
{
    struct bench *bench = *state;
    bench->machine.last_column = 127;
    bench->machine.last_row = 127;
    pfpu_machine_set_register(&bench->machine, 3, 0x33);
    ASSEMBLE(bench, {0, COPY, 3, 0, 0}, {2, NOP, 0, 0, 4}, {2047, COPY, 3, 0, 0},
             {1, NOP, 0, 0, 5});
    assert_false(run(bench));
    assert_int_equal(bench->log.count, 0);
    assert_int_equal(bench->machine.vertices, 0);
    assert_int_equal(bench->machine.registers[4], 0x33);
    /* Word 1 takes a result only when the program has gone round. */
    assert_int_equal(bench->machine.registers[5], 0x33);
    assert_false(pfpu_machine_run(&bench->machine, NULL));
}

/* Behind the last word of memory stands the first. */
static void the_code_goes_round(void **state)
{
    struct bench *bench = *state;
    pfpu_machine_set_register(&bench->machine, 3, 0x33);
    pfpu_machine_set_register(&bench->machine, 4, 0x44);
    ASSEMBLE(bench, {0, NOP, 0, 0, 5}, {2045, COPY, 4, 0, 0}, {2046, COPY, 3, 0, 0},
             {2047, VECTOUT, 3, 4, 6});
    assert_true(run(bench));
    assert_int_equal(bench->log.data[0], 0x33);
    assert_int_equal(bench->machine.registers[5], 0x33);
    assert_int_equal(bench->machine.registers[6], 0x44);
    assert_int_equal(bench->machine.cycles, 2047 + 7);
}

static void the_mesh_base_is_aligned(void **state)
{
    static const struct {
        uint32_t base;
        uint32_t first;
        uint32_t last;
    } cases[] = {
        {0x40100000, 0x40100000, 0x4010040C},
        {0x40100007, 0x40100000, 0x4010040C},
        {0x4010000F, 0x40100008, 0x40100414},
        {0xFFFFFFFF, 0xFFFFFFF8, 0x00000404},
    };
    struct bench *bench = *state;
    bench->machine.last_column = 1;
    bench->machine.last_row = 1;
    ASSEMBLE(bench, {0, VECTOUT, 0, 1, 0});
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        bench->machine.mesh_base = cases[i].base;
        assert_true(run(bench));
        assert_int_equal(bench->log.count, 8);
        assert_int_equal(bench->log.addresses[0], cases[i].first);
        assert_int_equal(bench->log.addresses[7], cases[i].last);
        assert_int_equal(bench->machine.last_write, cases[i].last);
    }
}

static void counters_wrap_and_start_again(void **state)
{
    struct bench *bench = *state;
    bench->machine.last_column = 127;
    bench->machine.last_row = 127;
    /* In each vertex a collision that goes astray. */
    ASSEMBLE(bench, {0, I2F, 0, 0, 0}, {1, COPY, 0, 0, 0}, {4, VECTOUT, 0, 0, 0});
    assert_true(run(bench));
    assert_int_equal(bench->log.count, WRITES_MAX);
    assert_int_equal(bench->machine.vertices, 0);
    assert_int_equal(bench->machine.collisions, 0);
    assert_int_equal(bench->machine.stray_writes, 0);
    bench->machine.last_row = 16;
    assert_true(run(bench));
    assert_int_equal(bench->machine.vertices, 128 * 17);
    assert_int_equal(bench->machine.collisions, 128 * 17 - 2048);
    assert_int_equal(bench->machine.stray_writes, 128 * 17 - 2048);
    bench->machine.last_row = 0;
    bench->machine.last_column = 0;
    assert_true(run(bench));
    assert_int_equal(bench->machine.vertices, 1);
    assert_int_equal(bench->machine.collisions, 1);
    assert_int_equal(bench->machine.stray_writes, 1);
}

/* spec/pfpu.md section 5. */
static void time_passes(void **state)
{
    struct bench *bench = *state;
    bench->machine.last_column = 32;
    bench->machine.last_row = 32;
    ASSEMBLE(bench, {141, VECTOUT, 0, 1, 0});
    assert_true(run(bench));
    assert_int_equal(bench->machine.cycles, 1089 * pfpu_machine_vertex_cycles(141));
    assert_int_equal(bench->machine.cycles, 1089 * 148);
    bench->machine.bus_cycles = 6;
    assert_true(run(bench));
    assert_int_equal(bench->machine.cycles, 1089 * (141 + 3 + 12));
}

static void words_and_loading(void **state)
{
    struct bench *bench = *state;
    const uint32_t word = pfpu_word_make(0x7F, 0x01, QUAKE, 0x40);
    assert_int_equal(word, 0x01FC0FC0);
    assert_int_equal(pfpu_word_a(word), 0x7F);
    assert_int_equal(pfpu_word_b(word), 1);
    assert_int_equal(pfpu_word_opcode(word), QUAKE);
    assert_int_equal(pfpu_word_destination(word), 0x40);
    static const uint32_t words[] = {UINT32_MAX, 0x12345678};
    pfpu_machine_load(&bench->machine, words, 2);
    assert_int_equal(bench->machine.code[0], 0x01FFFFFF);
    assert_int_equal(bench->machine.code[1], 0x00345678);
    pfpu_machine_load(&bench->machine, words, 1);
    assert_int_equal(bench->machine.code[1], 0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(every_recorded_program),
        TEST(latencies),
        TEST(reads_come_before_the_commit),
        TEST(stray_writes_are_counted),
        TEST(a_destination_without_a_result_does_nothing),
        TEST(collisions_are_joined_and_counted_once),
        TEST(the_end_of_a_run),
        TEST(an_if_sees_a_condition_one_word_early),
        TEST(the_condition_can_be_read),
        TEST(the_vertex_is_read_as_integers),
        TEST(values_carry_over),
        TEST(a_program_without_an_end_is_given_up),
        TEST(the_code_goes_round),
        TEST(the_mesh_base_is_aligned),
        TEST(counters_wrap_and_start_again),
        TEST(time_passes),
        TEST(words_and_loading),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
