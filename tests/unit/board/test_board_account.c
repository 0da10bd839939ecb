/* Where a program's cycles go, by the names of its ELF file; what a program asks of the host; and
 * what a line costs beside the texture mapper. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "board/twin/account.h"
#include "board/twin/machine.h"
#include "../../twin/lm32_code.h"

enum { STACK = 28, WORDS = 10, ELF = 4096, RUN = 200000, STACK_AT = 0x40100000 };

static const char file[] = TEST_SOURCE "/tests/fuzz/corpus/fuzz_board_elf/small";

static size_t read_elf(uint8_t bytes[static ELF])
{
    FILE *from = fopen(file, "rb");
    assert_non_null(from);
    const size_t size = fread(bytes, 1, ELF, from);
    assert_int_equal(fclose(from), 0);
    return size;
}

static void as_bytes(const uint32_t *words, size_t count, uint8_t *bytes)
{
    for (size_t i = 0; i < 4 * count; i++) {
        bytes[i] = (uint8_t)(words[i / 4] >> (24 - 8 * (i % 4)));
    }
}

/* As the ELF file names it: main at 0, draw_frame at 16, which nobody calls, pause at 24. main
 * keeps its return address and calls pause without end; pause counts to 20. */
static struct board_twin *create(void)
{
    const uint32_t words[WORDS] = {
        lm32_ri(LM32_addi, STACK, STACK, (unsigned)-8),
        lm32_store(LM32_sw, STACK, 4, LM32_RA),
        lm32_jump(LM32_calli, 4),
        lm32_jump(LM32_bi, -1),
        LM32_NOP,
        LM32_NOP,
        lm32_ri(LM32_addi, 1, 0, 20),
        lm32_ri(LM32_addi, 1, 1, (unsigned)-1),
        lm32_branch(LM32_bne, 1, 0, -1),
        lm32_rr(LM32_b, 0, LM32_RA, 0),
    };
    uint8_t image[4 * WORDS];
    as_bytes(words, WORDS, image);
    struct board_twin *board = board_twin_create(image, sizeof image, NULL);
    assert_non_null(board);
    board->cpu.r[STACK] = STACK_AT;
    return board;
}

static void run(struct board_twin *board)
{
    while (board->cpu.cycles < RUN && board->stop == BOARD_TWIN_RUNS) {
        (void)board_twin_run(board, RUN);
    }
}

static void cycles_have_names(void **state)
{
    (void)state;
    static uint8_t elf[ELF];
    struct board_twin_profile profile;
    struct board_twin *board = create();
    const size_t size = read_elf(elf);
    assert_true(board_twin_profile_create(&profile, elf, size));
    assert_int_equal(profile.count, 3);
    const int outer = board_twin_profile_find(&profile, "main");
    const int inner = board_twin_profile_find(&profile, "pause");
    assert_int_equal(outer, 0);
    assert_int_equal(inner, 2);
    assert_int_equal(board_twin_profile_find(&profile, "table"), BOARD_TWIN_PROFILE_NONE);
    assert_int_equal(board_twin_profile_at(&profile, 0x40000014), 1);
    assert_int_equal(board_twin_profile_at(&profile, 0x3FFFFFFC), BOARD_TWIN_PROFILE_NONE);
    board->host.look = board_twin_profile_look;
    board->host.looker = &profile;
    run(board);
    const struct board_twin_function *functions = profile.functions;
    assert_true(profile.all > RUN * 9 / 10);
    assert_int_equal(profile.outside, 0);
    assert_int_equal(functions[outer].self + functions[inner].self, profile.all);
    assert_true(functions[inner].self > 3 * functions[outer].self);
    assert_int_equal(functions[inner].total, functions[inner].self);
    assert_int_equal(functions[1].total, 0);
    assert_int_equal(profile.edge_count, 1);
    for (size_t i = 0; i < BOARD_TWIN_PROFILE_EDGES; i++) {
        const struct board_twin_edge *edge = &profile.edges[i];
        if (edge->cycles > 0) {
            assert_int_equal(edge->caller, outer);
            assert_int_equal(edge->called, inner);
            assert_int_equal(edge->cycles, functions[inner].self);
        }
    }
    board_twin_profile_free(&profile);
    board_twin_free(board);
}

/* Only what main calls counts, or nothing while the profile pauses. */
static void profiles_are_of_a_part(void **state)
{
    (void)state;
    static uint8_t elf[ELF];
    struct board_twin_profile profile;
    const size_t size = read_elf(elf);
    for (int pauses = 0; pauses < 2; pauses++) {
        struct board_twin *board = create();
        assert_true(board_twin_profile_create(&profile, elf, size));
        profile.within = board_twin_profile_find(&profile, "draw_frame");
        profile.pauses = pauses != 0;
        board->host.look = board_twin_profile_look;
        board->host.looker = &profile;
        run(board);
        assert_int_equal(profile.all, 0);
        assert_true(profile.last > RUN / 2);
        board_twin_profile_free(&profile);
        board_twin_free(board);
    }
}

static void other_files_are_refused(void **state)
{
    (void)state;
    static uint8_t elf[ELF];
    struct board_twin_profile profile;
    const size_t size = read_elf(elf);
    for (size_t part = 0; part < size; part += 7) {
        if (board_twin_profile_create(&profile, elf, part)) {
            board_twin_profile_free(&profile);
        }
    }
    assert_false(board_twin_profile_create(&profile, elf, 52));
    elf[5] = 1; /* little-endian */
    assert_false(board_twin_profile_create(&profile, elf, size));
    assert_null(profile.functions);
}

struct heard {
    char text[16];
    size_t size;
};

static void hear(void *user, uint8_t byte)
{
    struct heard *heard = user;
    assert_true(heard->size < sizeof heard->text);
    heard->text[heard->size++] = (char)byte;
}

/* Writes four bytes, then ends with a code. */
static void programs_ask_the_host(void **state)
{
    (void)state;
    const uint32_t words[] = {
        lm32_ri(LM32_orhi, 2, 0, 0x4000),
        lm32_ri(LM32_addi, 2, 2, 40),
        lm32_ri(LM32_addi, 3, 0, 4),
        lm32_ri(LM32_addi, 8, 0, 5),
        (uint32_t)LM32_SCALL,
        lm32_ri(LM32_addi, 1, 1, 3),
        lm32_ri(LM32_addi, 8, 0, 1),
        (uint32_t)LM32_SCALL,
        lm32_jump(LM32_bi, 0),
        LM32_NOP,
        0x66726F74, /* frot */
    };
    uint8_t image[sizeof words];
    struct heard heard = {.size = 0};
    as_bytes(words, sizeof words / sizeof *words, image);
    struct board_twin *board = board_twin_create(image, sizeof image, NULL);
    assert_non_null(board);
    board->host_calls = true;
    board->host.console = hear;
    board->host.user = &heard;
    run(board);
    assert_int_equal(board->stop, BOARD_TWIN_EXITED);
    assert_int_equal(board->exit_code, 4 + 3);
    assert_int_equal(heard.size, 4);
    assert_memory_equal(heard.text, "frot", 4);
    board_twin_free(board);
}

/* In the simulated hardware description another master of the bus has the first word of a line
 * after 6 cycles, and after 13 to 15 while the texture mapper draws. */
static void lines_take_longer_beside_the_mapper(void **state)
{
    (void)state;
    static struct board_twin_memory memory;
    enum { WORDS_BEHIND = 4 };
    uint32_t cycles;
    assert_true(board_twin_memory_create(&memory));
    (void)board_twin_memory_read(&memory, 0, 0, &cycles); /* opens the row */
    (void)board_twin_memory_read(&memory, 100, 64, &cycles);
    const uint32_t alone = cycles - BOARD_TWIN_BRIDGE - WORDS_BEHIND;
    memory.busy_until = 1000;
    (void)board_twin_memory_read(&memory, 200, 128, &cycles);
    const uint32_t beside = cycles - BOARD_TWIN_BRIDGE - WORDS_BEHIND;
    assert_in_range(alone, 5, 6);
    assert_in_range(beside, 13, 15);
    (void)board_twin_memory_read(&memory, 300, 128, &cycles); /* it is there */
    assert_int_equal(cycles, BOARD_TWIN_BRIDGE);
    board_twin_memory_free(&memory);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cycles_have_names),
        cmocka_unit_test(profiles_are_of_a_part),
        cmocka_unit_test(other_files_are_refused),
        cmocka_unit_test(programs_ask_the_host),
        cmocka_unit_test(lines_take_longer_beside_the_mapper),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
