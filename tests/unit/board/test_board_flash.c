#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "base/random.h"
#include "board/twin/machine.h"

/* A block in which nothing of a boot loader lies. */
enum { BLOCK = 0x1000000, SECOND = BOARD_TWIN_CLOCK };

static int set_up(void **state)
{
    const uint8_t image[4] = {0xE0, 0, 0, 0};
    *state = board_twin_create(image, sizeof image, NULL);
    assert_non_null(*state);
    return 0;
}

static int tear_down(void **state)
{
    board_twin_free(*state);
    return 0;
}

/* By the processor's bus, as a program does it. */
static uint32_t read_at(struct board_twin *board, uint64_t now, uint32_t address)
{
    const struct board_lm32_bus bus = board_twin_bus(board);
    uint32_t word = 0;
    assert_int_equal(bus.read(bus.user, now, address, &word), BOARD_TWIN_FLASH_READ);
    return word;
}

static void write_at(struct board_twin *board, uint64_t now, uint32_t address, uint16_t half)
{
    const struct board_lm32_bus bus = board_twin_bus(board);
    const uint32_t mask = (address & 2) != 0 ? 0x0000FFFFu : 0xFFFF0000u;
    const uint32_t word = (uint32_t)half << 16 | half;
    assert_int_equal(bus.write(bus.user, now, address, word, mask), BOARD_TWIN_FLASH_WRITE);
}

static void chip_tells_what_it_is(void **state)
{
    struct board_twin *board = *state;
    assert_int_equal(read_at(board, 0, 0), UINT32_MAX);
    write_at(board, 0, 0, 0x90);
    assert_int_equal(read_at(board, 0, 0), 0x0089001D);
    write_at(board, 0, 0, 0x98);
    assert_int_equal(read_at(board, 0, 0x20), 'Q' << 16 | 'R');
    assert_int_equal(read_at(board, 0, 0x24), 'Y' << 16 | 1);
    /* 2^25 bytes, and blocks of 512 times 256. */
    assert_int_equal(read_at(board, 0, 0x4C) & 0xFFFF, 25);
    assert_int_equal(read_at(board, 0, 0x58) & 0xFFFF, 255);
    assert_int_equal(read_at(board, 0, 0x60), 0x00020000);
    write_at(board, 0, 0, 0xFF);
    assert_int_equal(read_at(board, 0, 0), UINT32_MAX);
}

static void programming_clears_bits_and_takes_its_time(void **state)
{
    struct board_twin *board = *state;
    write_at(board, 0, BLOCK + 6, 0x40);
    write_at(board, 0, BLOCK + 6, 0x1234);
    assert_int_equal(read_at(board, 10, BLOCK + 4), 0);
    /* What comes while it is at work is lost. */
    write_at(board, 20, BLOCK, 0xFF);
    assert_int_equal(read_at(board, SECOND / 1000, BLOCK + 4), 0x00800080);
    write_at(board, SECOND, BLOCK, 0xFF);
    assert_int_equal(read_at(board, SECOND, BLOCK + 4), 0xFFFF1234);
    write_at(board, SECOND, BLOCK + 6, 0x10);
    write_at(board, SECOND, BLOCK + 6, 0xFF0F);
    write_at(board, 2 * (uint64_t)SECOND, BLOCK, 0xFF);
    assert_int_equal(read_at(board, 2 * (uint64_t)SECOND, BLOCK + 4), 0xFFFF1204);
}

static void erasing_takes_a_block_and_a_second(void **state)
{
    struct board_twin *board = *state;
    uint64_t now = 0;
    board_twin_flash_put(&board->flash, BLOCK - 4, "abcdefgh", 8);
    board_twin_flash_put(&board->flash, BLOCK + BOARD_TWIN_FLASH_BLOCK - 4, "ijklmnop", 8);
    write_at(board, now, BLOCK + 100, 0x20);
    write_at(board, now, BLOCK + 100, 0xD0);
    assert_int_equal(read_at(board, SECOND / 2, BLOCK), 0);
    now = 2 * (uint64_t)SECOND;
    assert_int_equal(read_at(board, now, BLOCK), 0x00800080);
    write_at(board, now, 0, 0xFF);
    assert_int_equal(read_at(board, now, BLOCK - 4), 0x61626364);
    assert_int_equal(read_at(board, now, BLOCK), UINT32_MAX);
    assert_int_equal(read_at(board, now, BLOCK + BOARD_TWIN_FLASH_BLOCK - 4), UINT32_MAX);
    assert_int_equal(read_at(board, now, BLOCK + BOARD_TWIN_FLASH_BLOCK), 0x6D6E6F70);
}

static void fill_buffer(struct board_twin *board, uint64_t now, uint32_t place, uint16_t last)
{
    write_at(board, now, BLOCK, 0xE8);
    assert_int_equal(read_at(board, now, BLOCK), 0x00800080);
    write_at(board, now, BLOCK, 2);
    write_at(board, now, place, 0x0102);
    write_at(board, now, place + 2, 0x0304);
    write_at(board, now, place + 4, 0x0506);
    write_at(board, now, BLOCK, last);
}

static void buffer_is_programmed_at_once(void **state)
{
    struct board_twin *board = *state;
    uint64_t now = 0;
    fill_buffer(board, now, BLOCK + 64, 0xD0);
    assert_int_equal(read_at(board, now + 100, BLOCK), 0);
    now += SECOND / 1000;
    assert_int_equal(read_at(board, now, BLOCK), 0x00800080);
    write_at(board, now, BLOCK, 0xFF);
    assert_int_equal(read_at(board, now, BLOCK + 64), 0x01020304);
    assert_int_equal(read_at(board, now, BLOCK + 68), 0x0506FFFF);

    /* Not confirmed, or with a place outside the block, it is refused. */
    fill_buffer(board, now, BLOCK + 128, 0xFF);
    assert_int_equal(read_at(board, now, BLOCK), 0x00B000B0);
    write_at(board, now, BLOCK, 0x50);
    fill_buffer(board, now, BLOCK + BOARD_TWIN_FLASH_BLOCK - 2, 0xD0);
    assert_int_equal(read_at(board, now, BLOCK), 0x00B000B0);
    write_at(board, now, BLOCK, 0x50);
    write_at(board, now, BLOCK, 0xE8);
    write_at(board, now, BLOCK, BOARD_TWIN_FLASH_BUFFER);
    assert_int_equal(read_at(board, now, BLOCK), 0x00B000B0);
    write_at(board, now, BLOCK, 0xFF);
    assert_int_equal(read_at(board, now, BLOCK + 128), UINT32_MAX);
    assert_int_equal(read_at(board, now, BLOCK + BOARD_TWIN_FLASH_BLOCK), UINT32_MAX);
}

static void locked_blocks_stay_as_they_are(void **state)
{
    struct board_twin *board = *state;
    uint64_t now = 0;
    write_at(board, now, BLOCK, 0x60);
    write_at(board, now, BLOCK, 0x01);
    now += SECOND;
    write_at(board, now, BLOCK, 0x90);
    assert_int_equal(read_at(board, now, BLOCK + 4) >> 16, 1);
    assert_int_equal(read_at(board, now, BLOCK + BOARD_TWIN_FLASH_BLOCK + 4) >> 16, 0);
    write_at(board, now, BLOCK, 0x40);
    write_at(board, now, BLOCK, 0);
    assert_int_equal(read_at(board, now, BLOCK), 0x00920092);
    write_at(board, now, BLOCK, 0x50);
    write_at(board, now, BLOCK, 0x20);
    write_at(board, now, BLOCK, 0xD0);
    assert_int_equal(read_at(board, now, BLOCK), 0x00A200A2);
    write_at(board, now, BLOCK, 0x50);
    /* All locks are opened together. */
    write_at(board, now, 0, 0x60);
    write_at(board, now, 0, 0xD0);
    assert_int_equal(read_at(board, now + SECOND / 4, BLOCK), 0);
    now += SECOND;
    write_at(board, now, BLOCK, 0x40);
    write_at(board, now, BLOCK, 0);
    now += SECOND;
    assert_int_equal(read_at(board, now, BLOCK), 0x00800080);
    write_at(board, now, BLOCK, 0xFF);
    assert_int_equal(read_at(board, now, BLOCK), 0x0000FFFF);
}

static void halves_alone_reach_the_chip(void **state)
{
    struct board_twin *board = *state;
    const struct board_lm32_bus bus = board_twin_bus(board);
    assert_true(bus.write(bus.user, 0, BLOCK, 0x00900090, UINT32_MAX) >= 0);
    assert_true(bus.write(bus.user, 0, BLOCK, 0x90909090, 0xFF) >= 0);
    assert_int_equal(read_at(board, 0, BLOCK), UINT32_MAX);
}

static void boot_loader_takes_a_whole_program_only(void **state)
{
    struct board_twin *board = *state;
    uint8_t image[8 + 40] = {0, 0, 0, 40};
    for (uint8_t i = 0; i < 40; i++) {
        image[8 + i] = (uint8_t)(i * 7);
    }
    const uint32_t crc = base_crc32(BASE_CRC32_START, image + 8, 40);
    const char *problem = NULL;
    assert_false(board_twin_boot(board, BOARD_TWIN_FLASH_PROGRAM, &problem));
    assert_string_equal(problem, "there is no program in the flash memory");

    board_twin_put_word(image + 4, crc);
    board_twin_flash_put(&board->flash, BOARD_TWIN_FLASH_RESCUE, image, sizeof image);
    assert_true(board_twin_boot(board, BOARD_TWIN_FLASH_RESCUE, &problem));
    uint32_t cycles;
    assert_int_equal(board_twin_memory_read(&board->memory, 0, BOARD_TWIN_ENTRY + 36, &cycles),
                     0xFC030A11);

    struct {
        unsigned byte;
        uint8_t value;
        const char *problem;
    } const wrong[] = {
        {20, 0, "the checksum of the program in the flash memory is wrong"},
        {5, 0, "the checksum of the program in the flash memory is wrong"},
        {3, 31, "the boot loader refuses a program of this length"},
        {1, 0x41, "the boot loader refuses a program of this length"},
        {0, 0x80, "the program in the flash memory is compressed"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        uint8_t bad[sizeof image];
        memcpy(bad, image, sizeof image);
        bad[wrong[i].byte] = wrong[i].value;
        board_twin_flash_put(&board->flash, BOARD_TWIN_FLASH_PROGRAM, bad, sizeof bad);
        assert_false(board_twin_boot(board, BOARD_TWIN_FLASH_PROGRAM, &problem));
        assert_string_equal(problem, wrong[i].problem);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(chip_tells_what_it_is, set_up, tear_down),
        cmocka_unit_test_setup_teardown(programming_clears_bits_and_takes_its_time, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(erasing_takes_a_block_and_a_second, set_up, tear_down),
        cmocka_unit_test_setup_teardown(buffer_is_programmed_at_once, set_up, tear_down),
        cmocka_unit_test_setup_teardown(locked_blocks_stay_as_they_are, set_up, tear_down),
        cmocka_unit_test_setup_teardown(halves_alone_reach_the_chip, set_up, tear_down),
        cmocka_unit_test_setup_teardown(boot_loader_takes_a_whole_program_only, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
