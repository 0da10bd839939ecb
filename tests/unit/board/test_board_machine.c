#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "board/twin/machine.h"
#include "pfpu/pfpu.h"
#include "../../twin/lm32_code.h"

/* At different places of the second level, apart from the program. */
enum { FRAMEBUFFER = 0x101000, TEXTURE = 0x202000, MESH = 0x303000, SOUND = 0x400800 };

/* A board that waits: its program jumps to itself. */
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

static void write_register(struct board_twin *board, unsigned block, uint32_t offset,
                           uint32_t value)
{
    board_twin_register_write(board, board->cpu.cycles, block, offset, value);
}

static uint32_t read_register(struct board_twin *board, unsigned block, uint32_t offset)
{
    return board_twin_register_read(board, board->cpu.cycles, block, offset);
}

#define WRITE(board, block, name, value)                                                           \
    write_register(board, BOARD_TWIN_BLOCK_##block, BOARD_TWIN_##block##_##name, value)
#define READ(board, block, name)                                                                   \
    read_register(board, BOARD_TWIN_BLOCK_##block, BOARD_TWIN_##block##_##name)

static uint32_t cpu_read(struct board_twin *board, uint32_t address)
{
    uint32_t word = 0;
    const struct board_lm32_bus bus = board_twin_bus(board);
    assert_true(bus.read(bus.user, board->cpu.cycles, address, &word) >= 0);
    return word;
}

static void cpu_write(struct board_twin *board, uint32_t address, uint32_t word)
{
    const struct board_lm32_bus bus = board_twin_bus(board);
    assert_true(bus.write(bus.user, board->cpu.cycles, address, word, UINT32_MAX) >= 0);
}

/* Runs for some cycles, over pictures. */
static void run(struct board_twin *board, uint64_t cycles)
{
    const uint64_t end = board->cpu.cycles + cycles;
    while (board->cpu.cycles < end && board->stop == BOARD_TWIN_RUNS) {
        (void)board_twin_run(board, end);
    }
}

static void addresses_lead_somewhere(void **state)
{
    struct board_twin *board = *state;
    const struct board_lm32_bus bus = board_twin_bus(board);
    uint32_t word;
    assert_int_equal(cpu_read(board, 0x00000000), 0xFFFFFFFF);
    assert_int_equal(cpu_read(board, 0xC0000000), 0xE0000000);
    assert_int_equal(cpu_read(board, 0xE0001074), 80000000);
    assert_int_equal(cpu_read(board, 0x6000107C), 0x13004D31);
    assert_true(bus.read(bus.user, 0, 0x50000000, &word) < 0);
    assert_true(bus.write(bus.user, 0, 0xF0000000, 1, UINT32_MAX) < 0);
    cpu_write(board, 0xB0000804, 77);
    assert_int_equal(cpu_read(board, 0xB0000804), 77);
    cpu_write(board, 0xA0020000, 78);
    cpu_write(board, 0xA0000000, 79);
    assert_int_equal(cpu_read(board, 0xA0020000), 78);
}

static void second_level_writes_back_when_told(void **state)
{
    struct board_twin *board = *state;
    const uint8_t *sdram = board->memory.sdram;
    cpu_write(board, 0xC0000000 + TEXTURE + 8, 0x12345678);
    assert_int_equal(board_twin_word(&sdram[TEXTURE + 8]), 0);
    (void)cpu_read(board, 0xC8000000 + 32);
    assert_int_equal(board_twin_word(&sdram[TEXTURE + 8]), 0);
    (void)cpu_read(board, 0xC8000000 + TEXTURE % 16384);
    assert_int_equal(board_twin_word(&sdram[TEXTURE + 8]), 0x12345678);
}

static void second_level_writes_back_when_it_must(void **state)
{
    struct board_twin *board = *state;
    const uint8_t *sdram = board->memory.sdram;
    cpu_write(board, 0xC0000000 + TEXTURE, 0x12345678);
    (void)cpu_read(board, 0xC0000000 + TEXTURE + 16384);
    assert_int_equal(board_twin_word(&sdram[TEXTURE]), 0x12345678);
    assert_int_equal(cpu_read(board, 0xC0000000 + TEXTURE), 0x12345678);
}

static void second_level_goes_stale(void **state)
{
    struct board_twin *board = *state;
    (void)cpu_read(board, 0xC0000000 + TEXTURE);
    board->memory.sdram[TEXTURE] = 9;
    assert_int_equal(cpu_read(board, 0xC0000000 + TEXTURE), 0);
    cpu_write(board, 0xC8000000 + TEXTURE, 0);
    assert_int_equal(cpu_read(board, 0xC0000000 + TEXTURE), 9u << 24);
}

static void misses_take_longer(void **state)
{
    struct board_twin *board = *state;
    const struct board_lm32_bus bus = board_twin_bus(board);
    uint32_t word;
    const int miss = bus.read(bus.user, 1000, 0xC0000000 + TEXTURE, &word);
    const int hit = bus.read(bus.user, 2000, 0xC0000000 + TEXTURE + 4, &word);
    assert_true(hit > 0);
    assert_true(miss > hit + 5);
}

static void take_byte(void *user, uint8_t byte)
{
    *(int *)user = *(int *)user * 256 + byte;
}

static void console_sends_and_receives(void **state)
{
    struct board_twin *board = *state;
    int sent = 0;
    board->host.console = take_byte;
    board->host.user = &sent;
    WRITE(board, uart, control, 3);
    assert_int_equal(READ(board, uart, status), 1);
    WRITE(board, uart, data, 'A');
    assert_int_equal(READ(board, uart, status), 0);
    run(board, 6700);
    assert_int_equal(READ(board, uart, status), 0);
    assert_int_equal(sent, 0);
    run(board, 200);
    assert_int_equal(READ(board, uart, status), 5);
    assert_int_equal(sent, 'A');
    assert_int_equal(board->cpu.lines, BOARD_TWIN_IRQ_uart);
    /* Acknowledged before it falls, the interrupt comes again. */
    board->cpu.ip = 0;
    WRITE(board, uart, status, 4);
    assert_int_equal(board->cpu.lines, 0);
    assert_int_equal(board->cpu.ip, BOARD_TWIN_IRQ_uart);
    board->cpu.ip = 0;
    run(board, 10);
    assert_int_equal(board->cpu.ip, 0);

    assert_true(board_twin_type(board, 'x'));
    assert_true(board_twin_type(board, 'y'));
    run(board, 6800);
    assert_int_equal(READ(board, uart, status), 3);
    assert_int_equal(READ(board, uart, data), 'x');
    assert_int_equal(board->cpu.lines, BOARD_TWIN_IRQ_uart);
    WRITE(board, uart, status, 2);
    run(board, 6880);
    assert_int_equal(READ(board, uart, data), 'y');
    /* Who is too late loses the older byte without a sign; who writes too early cuts his own off.
     */
    assert_true(board_twin_type(board, 'v'));
    assert_true(board_twin_type(board, 'w'));
    run(board, 20000);
    assert_int_equal(READ(board, uart, data), 'w');
    sent = 0;
    WRITE(board, uart, data, 'B');
    WRITE(board, uart, data, 'C');
    run(board, 10000);
    assert_int_equal(sent, 'C');
    /* Another speed than the other end's: rubbish, or nothing. */
    WRITE(board, uart, divisor, 20);
    assert_true(board_twin_type(board, 'z'));
    run(board, 10000);
    assert_int_not_equal(READ(board, uart, data), 'z');
}

static void midi_goes_through(void **state)
{
    struct board_twin *board = *state;
    int sent = 0;
    board->host.midi = take_byte;
    board->host.user = &sent;
    WRITE(board, midi, control, 4 + 1);
    assert_true(board_twin_midi(board, 0x90));
    run(board, 80000000 / 3125 + 100);
    assert_int_equal(sent, 0x90);
    assert_int_equal(READ(board, midi, data), 0x90);
    assert_int_equal(board->cpu.lines, BOARD_TWIN_IRQ_midi);
}

static void timers_count(void **state)
{
    struct board_twin *board = *state;
    WRITE(board, system, timer0_compare, 1000);
    WRITE(board, system, timer0_counter, 0);
    WRITE(board, system, timer0_control, 1);
    run(board, 990);
    assert_int_equal(board->cpu.ip & BOARD_TWIN_IRQ_timer0, 0);
    run(board, 30);
    assert_int_equal(board->cpu.ip & BOARD_TWIN_IRQ_timer0, BOARD_TWIN_IRQ_timer0);
    assert_int_equal(READ(board, system, timer0_control), 0);
    assert_int_equal(READ(board, system, timer0_counter), 1000);
}

static void timers_start_again(void **state)
{
    struct board_twin *board = *state;
    WRITE(board, system, timer1_compare, 100);
    WRITE(board, system, timer1_control, 3);
    const uint64_t from = board->cpu.cycles;
    unsigned times = 0;
    while (times < 10) {
        run(board, 1);
        times += (board->cpu.ip & BOARD_TWIN_IRQ_timer1) != 0;
        board->cpu.ip = 0;
    }
    assert_in_range(board->cpu.cycles - from, 1000, 1010);
    assert_int_equal(READ(board, system, timer1_control), 3);
}

static void buttons_interrupt(void **state)
{
    struct board_twin *board = *state;
    board_twin_press(board, 2);
    run(board, 8);
    assert_int_equal(board->cpu.ip, 0);
    assert_int_equal(READ(board, system, gpio_in) & 7, 2);
    WRITE(board, system, gpio_interrupt, 4);
    board_twin_press(board, 0);
    run(board, 8);
    assert_int_equal(board->cpu.ip, 0);
    board_twin_press(board, 4);
    run(board, 8);
    assert_int_equal(board->cpu.ip, BOARD_TWIN_IRQ_gpio);
}

static void machine_stops_when_asked(void **state)
{
    struct board_twin *board = *state;
    WRITE(board, system, icap, 0x0E);
    assert_int_equal(board->stop, BOARD_TWIN_OFF);
    const uint64_t cycles = board->cpu.cycles;
    run(board, 100);
    assert_int_equal(board->cpu.cycles, cycles);
}

static void light_and_infrared_come_in(void **state)
{
    struct board_twin *board = *state;
    board_twin_dmx(board, 511, 200);
    board_twin_dmx(board, 512, 200);
    assert_int_equal(read_register(board, BOARD_TWIN_BLOCK_dmx_in, 4 * 511), 200);
    write_register(board, BOARD_TWIN_BLOCK_dmx_out, 4 * 3, 0x1FF);
    assert_int_equal(board_twin_dmx_value(board, 3), 255);
    WRITE(board, dmx_out, through, 1);
    assert_int_equal(board_twin_dmx_value(board, 3), 0);
    assert_int_equal(board_twin_dmx_value(board, 511), 200);
    assert_true(board_twin_infrared(board, 0xFFFF, BOARD_TWIN_INFRARED_HALF));
    run(board, 1900000);
    assert_int_equal(board->cpu.ip, 0);
    run(board, 50000);
    assert_int_equal(READ(board, infrared, code), 0x1FFF);
    assert_int_equal(board->cpu.ip, BOARD_TWIN_IRQ_infrared);
}

/* A screen of 32 x 4 pixels. */
static void make_screen(struct board_twin *board)
{
    WRITE(board, vga, hres, 32);
    WRITE(board, vga, hscan, 39);
    WRITE(board, vga, vres, 4);
    WRITE(board, vga, vscan, 5);
    WRITE(board, vga, base, FRAMEBUFFER);
    WRITE(board, vga, reset, 0);
}

static void pictures_are_shown(void **state)
{
    struct board_twin *board = *state;
    uint32_t pixels[32 * 4];
    board->memory.sdram[FRAMEBUFFER + 2] = 0xF8;
    board->memory.sdram[FRAMEBUFFER + 2 * 32 * 3 + 63] = 0x1F;
    make_screen(board);
    const uint64_t began = board->cpu.cycles;
    assert_true(board_twin_run(board, began + 100000));
    /* It is read ahead of the beam, at half of the time as there are so few pixels. */
    assert_in_range(board->cpu.cycles - began, 4 * 40 * 32 / 20, 4 * 40 * 32 / 20 + 40);
    board_twin_vga_picture(&board->vga, pixels);
    assert_int_equal(pixels[0], 0);
    assert_int_equal(pixels[1], 0xFF0000);
    assert_int_equal(pixels[32 * 3 + 31], 0x0000FF);
    /* Without another base none of the following is a new one. */
    assert_false(board_twin_run(board, began + 100000));
    assert_int_equal(board->vga.number, 1);
    assert_in_range(board->vga.scans, 100000 / 768, 100000 / 768 + 1);
}

static void bases_change_at_the_blank(void **state)
{
    struct board_twin *board = *state;
    make_screen(board);
    run(board, 100);
    WRITE(board, vga, base, FRAMEBUFFER + 4096);
    assert_int_equal(READ(board, vga, shown), FRAMEBUFFER);
    run(board, 130);
    assert_int_equal(READ(board, vga, shown), FRAMEBUFFER);
    run(board, 60);
    assert_int_equal(READ(board, vga, shown), FRAMEBUFFER + 4096);
    assert_true(board_twin_run(board, board->cpu.cycles + 1000));
}

static uint32_t first_pixel(struct board_twin *board)
{
    uint32_t pixels[32 * 4];
    WRITE(board, vga, base, FRAMEBUFFER);
    while (!board_twin_run(board, UINT64_MAX)) {
    }
    board_twin_vga_picture(&board->vga, pixels);
    return pixels[0];
}

/* The screen sees what the second level holds, right or wrong. */
static void screen_snoops(void **state)
{
    struct board_twin *board = *state;
    make_screen(board);
    cpu_write(board, 0xC0000000 + FRAMEBUFFER, 0xFFFF0000);
    assert_int_equal(first_pixel(board), 0xFFFFFF);
    board->memory.sdram[FRAMEBUFFER] = 0xF8;
    board->memory.sdram[FRAMEBUFFER + 1] = 0;
    assert_int_equal(first_pixel(board), 0xFFFFFF);
    board->memory.lines[FRAMEBUFFER / 32 % 512].dirty = false;
    cpu_write(board, 0xC8000000 + FRAMEBUFFER, 0);
    assert_int_equal(first_pixel(board), 0xFF0000);
}

/* Registers of the copy of a 32 x 32 texture by one square. */
static void make_copy(struct board_twin *board)
{
    static const struct {
        uint32_t offset;
        uint32_t value;
    } rows[] = {{0x04, 1},  {0x08, 1},  {0x14, MESH},        {0x18, TEXTURE},
                {0x1C, 32}, {0x20, 32}, {0x2C, FRAMEBUFFER}, {0x30, 32},
                {0x34, 32}, {0x40, 32}, {0x44, 32}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        write_register(board, BOARD_TWIN_BLOCK_tmu, rows[i].offset, rows[i].value);
    }
    cpu_write(board, 0xC0000000 + MESH + 8, 32 * 64);
    cpu_write(board, 0xC0000000 + MESH + 1024 + 4, 32 * 64);
    cpu_write(board, 0xC0000000 + MESH + 1024 + 8, 32 * 64);
    cpu_write(board, 0xC0000000 + MESH + 1024 + 12, 32 * 64);
}

static void run_mapper(struct board_twin *board, uint32_t flags)
{
    WRITE(board, tmu, control, 1 | flags);
    assert_int_equal(READ(board, tmu, control) & 1, 1);
    run(board, 50000);
    assert_int_equal(READ(board, tmu, control) & 1, 0);
    assert_int_equal(board->cpu.ip & BOARD_TWIN_IRQ_tmu, BOARD_TWIN_IRQ_tmu);
}

/* What the coprocessor wrote while it ran is there at once when it ends, and keeps nobody waiting.
 */
static void devices_keep_nobody_waiting(void **state)
{
    enum { BYTES = 2 * BOARD_TWIN_L2_LINES * BOARD_TWIN_L2_BYTES, PATIENCE = 200 };
    struct board_twin *board = *state;
    uint32_t cycles;
    for (uint32_t at = 0; at < BYTES; at += 4) {
        assert_in_range(board_twin_memory_deliver(&board->memory, MESH + at, at, false), 4, 13);
    }
    for (uint32_t at = 0; at < BYTES; at += 4) {
        assert_int_equal(board_twin_memory_fetch(&board->memory, MESH + at), at);
    }
    assert_int_equal(
        board_twin_memory_read(&board->memory, board->cpu.cycles, MESH + BYTES - 4, &cycles),
        BYTES - 4);
    assert_int_equal(board_twin_memory_read(&board->memory, board->cpu.cycles, MESH, &cycles), 0);
    assert_in_range(cycles, 1, PATIENCE);
    assert_int_equal(
        board_twin_memory_read(&board->memory, board->cpu.cycles + PATIENCE, MESH + 4, &cycles), 4);
}

/* The mesh is seen without a flush, texels are not. */
static void mapper_does_not_snoop(void **state)
{
    struct board_twin *board = *state;
    const uint8_t *target = &board->memory.sdram[FRAMEBUFFER];
    make_copy(board);
    cpu_write(board, 0xC0000000 + TEXTURE, 0x12345678);
    run_mapper(board, 0);
    assert_int_equal(board_twin_word(target), 0);
    cpu_write(board, 0xC8000000 + TEXTURE, 0);
    run_mapper(board, 0);
    assert_int_equal(board_twin_word(target), 0x12345678);
    assert_int_equal(board->tmu.pixels, 2 * 32 * 32);
}

/* A copy of 32 x 32 pixels while the processor reads so many lines that are not there. Returns its
 * cycles. */
static uint64_t copy_beside(struct board_twin *board, uint32_t lines)
{
    const struct board_lm32_bus bus = board_twin_bus(board);
    const uint64_t before = board->tmu.cycles;
    WRITE(board, tmu, control, 1);
    for (uint32_t i = 0; i < lines; i++) {
        uint32_t word;
        assert_true(
            bus.read(bus.user, board->cpu.cycles, 0xC0800000 + 32 * (100 * lines + i), &word) > 0);
        run(board, 20);
    }
    assert_int_equal(READ(board, tmu, control) & 1, 1);
    run(board, 50000);
    assert_int_equal(READ(board, tmu, control) & 1, 0);
    return board->tmu.cycles - before;
}

/* What one has of the bus the other has not. */
static void units_contend_for_memory(void **state)
{
    struct board_twin *board = *state;
    make_copy(board);
    (void)copy_beside(board, 0);
    const uint64_t alone = copy_beside(board, 0);
    const uint64_t beside = copy_beside(board, 40);
    const uint64_t more = copy_beside(board, 80);
    assert_int_equal(copy_beside(board, 0), alone);
    assert_in_range(beside, alone + 40, alone + 40 * 12);
    assert_in_range(more, beside + 40, alone + 80 * 12);
}

static void mapper_draws_as_the_chip(void **state)
{
    struct board_twin *board = *state;
    struct board_mapper chip;
    struct board_mapper_vertex *vertices =
        calloc((size_t)BOARD_MAPPER_PITCH * BOARD_MAPPER_PITCH, sizeof *vertices);
    struct board_mapper_memory memory = {calloc(0x400000 + BOARD_MAPPER_MEMORY_GUARD, 1), 0x400000};
    assert_true(vertices != NULL && memory.bytes != NULL);
    for (uint32_t i = 0; i < 2 * 32 * 32; i++) {
        memory.bytes[TEXTURE + i] = (uint8_t)(i * 37 ^ i >> 3);
        memory.bytes[FRAMEBUFFER + i] = (uint8_t)(i * 91);
    }
    memcpy(board->memory.sdram, memory.bytes, 0x300000);
    make_copy(board);
    write_register(board, BOARD_TWIN_BLOCK_tmu, 0x48, 20);
    write_register(board, BOARD_TWIN_BLOCK_tmu, 0x0C, 50);
    cpu_write(board, 0xC0000000 + MESH, 100);
    cpu_write(board, 0xC0000000 + MESH + 4, (uint32_t)-77);
    run_mapper(board, BOARD_MAPPER_ADDITIVE);

    board_mapper_reset(&chip, BOARD_MAPPER_CURRENT);
    chip.registers = board->tmu.chip.registers;
    vertices[0] = (struct board_mapper_vertex){100, -77};
    vertices[1] = (struct board_mapper_vertex){32 * 64, 0};
    vertices[128] = (struct board_mapper_vertex){0, 32 * 64};
    vertices[129] = (struct board_mapper_vertex){32 * 64, 32 * 64};
    (void)board_mapper_run(&chip, &memory, vertices);
    assert_memory_equal(&board->memory.sdram[FRAMEBUFFER], &memory.bytes[FRAMEBUFFER], 2 * 32 * 32);
    free(memory.bytes);
    free(vertices);
}

static void mapper_keeps_its_bits(void **state)
{
    struct board_twin *board = *state;
    write_register(board, BOARD_TWIN_BLOCK_tmu, 0x38, 0xFFFFFFFF);
    assert_int_equal(read_register(board, BOARD_TWIN_BLOCK_tmu, 0x38), 0xFFFFFFFF);
    write_register(board, BOARD_TWIN_BLOCK_tmu, 0x0C, 0xFFFFFFFF);
    assert_int_equal(read_register(board, BOARD_TWIN_BLOCK_tmu, 0x0C), 63);
    WRITE(board, tmu, control, 6);
    assert_int_equal(READ(board, tmu, control), 2);
}

/* x + 1.5 and y as floats, on a mesh of 3 x 2. */
static const uint32_t pfpu_words[] = {
    0u << 18 | 0u << 11 | 6u << 7, /* I2F r0 */
    1u << 18 | 0u << 11 | 6u << 7, /* I2F r1 */
    0,
    10,                                  /* r10 = x */
    10u << 18 | 3u << 11 | 1u << 7 | 11, /* FADD r10, r3; r11 = y */
    0,
    0,
    0,
    0,
    12,                              /* r12 = the sum */
    12u << 18 | 11u << 11 | 7u << 7, /* VECTOUT */
};

struct log {
    uint32_t data[64];
    size_t count;
};

static void receive(void *user, uint32_t address, uint32_t data)
{
    struct log *log = user;
    (void)address;
    log->data[log->count++] = data;
}

static void start_coprocessor(struct board_twin *board)
{
    for (uint32_t i = 0; i < sizeof pfpu_words / sizeof pfpu_words[0]; i++) {
        write_register(board, BOARD_TWIN_BLOCK_pfpu, BOARD_TWIN_pfpu_code + 4 * i, pfpu_words[i]);
    }
    write_register(board, BOARD_TWIN_BLOCK_pfpu, BOARD_TWIN_pfpu_registers + 4 * 3, 0x3FC00000);
    WRITE(board, pfpu, mesh_base, 0x40000000 + MESH + 5);
    WRITE(board, pfpu, hmeshlast, 2);
    WRITE(board, pfpu, vmeshlast, 1);
    WRITE(board, pfpu, control, 1);
}

static void coprocessor_computes_as_the_model(void **state)
{
    struct board_twin *board = *state;
    struct pfpu_machine *machine = calloc(1, sizeof *machine);
    struct log log = {.count = 0};
    const struct pfpu_machine_bus bus = {receive, &log};
    assert_non_null(machine);
    pfpu_machine_init(machine, &pfpu_target_milkymist_one);
    pfpu_machine_load(machine, pfpu_words, sizeof pfpu_words / sizeof pfpu_words[0]);
    pfpu_machine_set_register(machine, 3, 0x3FC00000);
    machine->last_column = 2;
    machine->last_row = 1;
    assert_true(pfpu_machine_run(machine, &bus));

    const uint64_t began = board->cpu.cycles;
    start_coprocessor(board);
    run(board, machine->cycles - 8);
    assert_int_equal(READ(board, pfpu, control), 1);
    assert_int_equal(READ(board, pfpu, vertices), 5);
    /* Memory takes each word 2 cycles later than a bus that answers at once, and 9 more for each of
     * the two lines. */
    const uint64_t late = 2 * 6 * 2 + 2 * 9;
    run(board, 8 + late - 8);
    assert_int_equal(READ(board, pfpu, control), 1);
    run(board, 16);
    assert_int_equal(READ(board, pfpu, control), 0);
    assert_int_equal(board->pfpu.cycles, machine->cycles + late);
    assert_true(board->cpu.cycles >= began + machine->cycles + late);
    assert_int_equal(board->cpu.ip, BOARD_TWIN_IRQ_pfpu);
    assert_int_equal(READ(board, pfpu, vertices), 6);
    assert_int_equal(READ(board, pfpu, last_write), 0x40000000 + MESH + 1024 + 16 + 4);
    for (uint32_t i = 0; i < 6; i++) {
        const uint32_t address = MESH + 1024 * (i / 3) + 8 * (i % 3);
        assert_int_equal(cpu_read(board, 0xC0000000 + address), log.data[2 * i]);
        assert_int_equal(cpu_read(board, 0xC0000000 + address + 4), log.data[2 * i + 1]);
    }
    assert_int_equal(cpu_read(board, 0xC0000000 + MESH + 8), 0x40200000);
    for (uint32_t i = 0; i < PFPU_MACHINE_REGISTERS; i++) {
        assert_int_equal(
            read_register(board, BOARD_TWIN_BLOCK_pfpu, BOARD_TWIN_pfpu_registers + 4 * i),
            machine->registers[i]);
    }
    free(machine);
}

static void coprocessor_without_an_end_stays_busy(void **state)
{
    struct board_twin *board = *state;
    WRITE(board, pfpu, control, 1);
    run(board, 1000000);
    assert_int_equal(READ(board, pfpu, control), 1);
    assert_int_equal(board->cpu.ip, 0);
}

static void coprocessor_has_pages(void **state)
{
    struct board_twin *board = *state;
    WRITE(board, pfpu, code_page, 3);
    write_register(board, BOARD_TWIN_BLOCK_pfpu, 0xFFC, 0xFFFFFFFF);
    assert_int_equal(read_register(board, BOARD_TWIN_BLOCK_pfpu, 0xFFC), 0x1FFFFFF);
    assert_int_equal(board->pfpu.machine.code[2047], 0x1FFFFFF);
}

static void count_up(void *user, int16_t frame[2])
{
    int *count = user;
    frame[0] = (int16_t)++ * count;
    frame[1] = (int16_t) - *count;
}

static void sound_is_recorded(void **state)
{
    struct board_twin *board = *state;
    int count = 0;
    board->host.sound = (struct board_twin_jacks){.record = count_up, .user = &count};
    WRITE(board, ac97, record_control, 1);
    WRITE(board, ac97, record_address, 0x40000000 + SOUND);
    WRITE(board, ac97, record_bytes, 4 * 48);
    run(board, 79000);
    assert_int_equal(board->cpu.ip, 0);
    run(board, 2000);
    assert_int_equal(board->cpu.ip, BOARD_TWIN_IRQ_record_done);
    const uint32_t first = cpu_read(board, 0xC0000000 + SOUND);
    const uint32_t last = cpu_read(board, 0xC0000000 + SOUND + 4 * 47);
    assert_int_equal(first >> 16, 1);
    assert_int_equal((int16_t)first, -1);
    assert_int_equal(last >> 16, 48);
    assert_int_equal(cpu_read(board, 0xC0000000 + SOUND + 4 * 48), 0);
    assert_int_equal(board->memory.sdram[SOUND + 1], 0);
}

/* Armed again up to 2650 cycles after the interrupt, no sample is missed; later the first word is
 * the one that waited, and those behind it are missing. */
static void recording_that_stands_keeps_one_sample(void **state)
{
    static const struct {
        uint64_t pause;
        uint32_t missing;
    } rows[] = {{200, 0}, {2500, 0}, {6000, 2}};
    struct board_twin *board = *state;
    int count = 0;
    board->host.sound = (struct board_twin_jacks){.record = count_up, .user = &count};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        board_twin_ac97_reset(&board->ac97, board->cpu.cycles);
        count = 0;
        WRITE(board, ac97, record_control, 1);
        WRITE(board, ac97, record_address, 0x40000000 + SOUND);
        WRITE(board, ac97, record_bytes, 4 * 2);
        while (READ(board, ac97, record_bytes) > 0) {
            run(board, 10);
        }
        run(board, rows[i].pause);
        WRITE(board, ac97, record_address, 0x40000000 + SOUND);
        WRITE(board, ac97, record_bytes, 4 * 2);
        while (READ(board, ac97, record_bytes) > 0) {
            run(board, 10);
        }
        assert_int_equal(cpu_read(board, 0xC0000000 + SOUND) >> 16, 3);
        assert_int_equal(cpu_read(board, 0xC0000000 + SOUND + 4) >> 16, 4 + rows[i].missing);
    }
    board->host.sound = (struct board_twin_jacks){0};
}

static void add_left(void *user, const int16_t frame[2])
{
    *(int *)user += frame[0];
}

static void sound_is_played(void **state)
{
    struct board_twin *board = *state;
    int sum = 0;
    board->host.sound = (struct board_twin_jacks){.play = add_left, .user = &sum};
    cpu_write(board, 0xC0000000 + SOUND, 0x00640000);
    cpu_write(board, 0xC0000000 + SOUND + 4, 0xFFFF0000);
    WRITE(board, ac97, play_address, 0x40000000 + SOUND);
    WRITE(board, ac97, play_bytes, 8);
    run(board, 10000);
    assert_int_equal(READ(board, ac97, play_bytes), 8);
    WRITE(board, ac97, play_control, 1);
    run(board, 10000);
    assert_int_equal(READ(board, ac97, play_bytes), 0);
    assert_int_equal(sum, 99);
    assert_int_equal(board->cpu.ip, BOARD_TWIN_IRQ_play_done);
}

static void codec_answers(void **state)
{
    struct board_twin *board = *state;
    WRITE(board, ac97, codec_address, 0x1C);
    WRITE(board, ac97, codec_out, 0x0F0F);
    WRITE(board, ac97, codec_control, 3);
    run(board, 2000);
    assert_int_equal(board->cpu.ip, BOARD_TWIN_IRQ_codec_request);
    WRITE(board, ac97, codec_control, 1);
    assert_int_equal(READ(board, ac97, codec_control), 1);
    run(board, 2000);
    assert_int_equal(READ(board, ac97, codec_control), 0);
    assert_int_equal(READ(board, ac97, codec_in), 0);
    run(board, 2725);
    assert_int_equal(READ(board, ac97, codec_in), 0x0F0F);
    assert_true((board->cpu.ip & BOARD_TWIN_IRQ_codec_reply) != 0);
    WRITE(board, ac97, codec_address, 0);
    WRITE(board, ac97, codec_control, 1);
    run(board, 5000);
    assert_int_equal(READ(board, ac97, codec_in), 0x0D50);
}

static void hear_ones(void *user, int16_t frame[2])
{
    (void)user;
    frame[0] = 0x101;
    frame[1] = 0x101;
}

static void record_two(struct board_twin *board)
{
    WRITE(board, ac97, record_address, 0x40000000 + SOUND);
    WRITE(board, ac97, record_bytes, 8);
    WRITE(board, ac97, record_control, 1);
    run(board, 4000);
}

static void sound_stops(void **state)
{
    struct board_twin *board = *state;
    board->host.sound = (struct board_twin_jacks){.record = hear_ones};
    board->ac97.state = BOARD_TWIN_AC97_OFF;
    WRITE(board, ac97, codec_control, 1);
    record_two(board);
    assert_int_equal(READ(board, ac97, codec_control), 1);
    assert_int_equal(READ(board, ac97, record_bytes), 8);
    assert_int_equal(board->cpu.ip, 0);
    board->ac97.state = BOARD_TWIN_AC97_ON;
    run(board, 4000);
    assert_int_equal(READ(board, ac97, codec_control), 0);
    assert_int_equal(READ(board, ac97, record_bytes), 0);
    assert_int_equal(cpu_read(board, 0x40000000 + SOUND), 0x01010101);
    board->ac97.state = BOARD_TWIN_AC97_SILENT;
    record_two(board);
    assert_int_equal(READ(board, ac97, record_bytes), 0);
    assert_int_equal(cpu_read(board, 0x40000000 + SOUND), 0);
}

/* Waits for bits of the card's controller; false: they do not come. */
static bool wait_for_card(struct board_twin *board, uint32_t bits, bool set)
{
    for (unsigned i = 0; i < 1000; i++) {
        if (((READ(board, card, pending) & bits) != 0) == set) {
            return true;
        }
        run(board, 8);
    }
    return false;
}

static void send_command(struct board_twin *board, uint32_t number, uint32_t argument)
{
    uint8_t bytes[6] = {(uint8_t)(0x40 | number), (uint8_t)(argument >> 24),
                        (uint8_t)(argument >> 16), (uint8_t)(argument >> 8), (uint8_t)argument};
    unsigned sum = 0;
    for (unsigned bit = 0; bit < 40; bit++) {
        const unsigned top = (sum >> 6 ^ (unsigned)bytes[bit / 8] >> (7 - bit % 8)) & 1;
        sum = (sum << 1 & 0x7F) ^ (top != 0 ? 9u : 0);
    }
    bytes[5] = (uint8_t)(sum << 1 | 1);
    WRITE(board, card, enable, 1);
    for (size_t i = 0; i < 6; i++) {
        WRITE(board, card, command, bytes[i]);
        assert_true(wait_for_card(board, 1, false));
    }
}

/* A byte of an answer or a word of data, left as it was taken. */
static bool take(struct board_twin *board, uint32_t bit, uint32_t *value)
{
    if (!wait_for_card(board, bit, true)) {
        return false;
    }
    *value = bit == 2 ? READ(board, card, command) : READ(board, card, data);
    WRITE(board, card, pending, bit);
    return true;
}

/* Data may follow. False: no answer. */
static bool ask(struct board_twin *board, uint32_t number, uint32_t argument, uint32_t *answer)
{
    send_command(board, number, argument);
    WRITE(board, card, pending, 0xA);
    WRITE(board, card, start, 3);
    WRITE(board, card, enable, 2);
    for (unsigned i = 0; i < 6; i++) {
        uint32_t byte;
        if (!wait_for_card(board, 2, true)) {
            return false;
        }
        byte = READ(board, card, command);
        *answer = i > 0 && i < 5 ? *answer << 8 | byte : *answer;
        if (i == 5) {
            WRITE(board, card, enable, 8);
        }
        WRITE(board, card, pending, 2);
    }
    return true;
}

/* Eight clocks, which a card wants before the next command. */
static void let_clocks_pass(struct board_twin *board)
{
    WRITE(board, card, enable, 1);
    WRITE(board, card, command, 0xFF);
    assert_true(wait_for_card(board, 1, false));
}

/* Makes it ready, returns its address. */
static uint32_t begin_card(struct board_twin *board)
{
    uint32_t answer = 0;
    uint32_t address = 0;
    WRITE(board, card, divider, 3);
    send_command(board, 0, 0);
    let_clocks_pass(board);
    assert_true(ask(board, 3, 0, &address));
    let_clocks_pass(board);
    address &= 0xFFFF0000;
    assert_true(ask(board, 7, address, &answer));
    let_clocks_pass(board);
    assert_true(ask(board, 55, address, &answer));
    let_clocks_pass(board);
    assert_true(ask(board, 6, 2, &answer));
    let_clocks_pass(board);
    return address;
}

static void card_is_read(void **state)
{
    struct board_twin *board = *state;
    static uint8_t image[4096];
    uint32_t answer = 0;
    for (size_t i = 0; i < sizeof image; i++) {
        image[i] = (uint8_t)(i * 7 + i / 256);
    }
    WRITE(board, card, divider, 3);
    assert_false(ask(board, 8, 0x1AA, &answer));
    board->card.bytes = image;
    board->card.size = sizeof image;
    (void)begin_card(board);
    assert_true(ask(board, 18, 512, &answer));
    for (unsigned block = 1; block < 3; block++) {
        for (size_t i = 0; i < BOARD_TWIN_CARD_WORDS; i++) {
            uint32_t word = 0;
            assert_true(wait_for_card(board, 8, true));
            if (i + 1 == BOARD_TWIN_CARD_WORDS) {
                WRITE(board, card, start, 2);
            }
            assert_true(take(board, 8, &word));
            if (i < 128) {
                assert_int_equal(word, board_twin_word(&image[512 * block + 4 * i]));
            }
        }
    }
    send_command(board, 12, 0);
    let_clocks_pass(board);
    WRITE(board, card, start, 3);
    WRITE(board, card, enable, 8);
    assert_false(wait_for_card(board, 8, true));
    assert_int_equal(board->card.blocks, 3);
}

/* ---- a card that is written ---- */

/* As ask, but what the core last saw as a start of data counts on, so that it takes the lines as
 * they are. */
static uint32_t ask_to_write(struct board_twin *board, uint32_t argument)
{
    uint32_t answer = 0;
    send_command(board, 24, argument);
    WRITE(board, card, pending, 0xA);
    WRITE(board, card, start, 1);
    WRITE(board, card, enable, 2);
    for (unsigned i = 0; i < 6; i++) {
        uint32_t byte = 0;
        assert_true(take(board, 2, &byte));
        answer = i > 0 && i < 5 ? answer << 8 | byte : answer;
    }
    return answer;
}

/* Sends ones, a start bit on each line, the block, its checksums and end bits, group by group; with
 * so many cycles before each word. flipped: a group that is sent wrong; 0: none. */
static void send_block(struct board_twin *board, const uint8_t *bytes, uint64_t late,
                       unsigned flipped)
{
    enum { BEGIN = 15, DATA = 1024, ALL = BEGIN + DATA + 16 + 1 };
    uint8_t groups[ALL];
    uint16_t sums[4] = {0};
    memset(groups, 15, sizeof groups);
    groups[BEGIN - 1] = 0;
    for (unsigned i = 0; i < DATA; i++) {
        const unsigned group = i % 2 == 0 ? bytes[i / 2] >> 4 : bytes[i / 2] & 15u;
        for (unsigned line = 0; line < 4; line++) {
            const unsigned top = ((unsigned)sums[line] >> 15 ^ group >> line) & 1;
            sums[line] = (uint16_t)((unsigned)sums[line] << 1 ^ (top != 0 ? 0x1021u : 0));
        }
        groups[BEGIN + i] = (uint8_t)group;
    }
    for (unsigned i = 0; i < 16; i++) {
        unsigned group = 0;
        for (unsigned line = 0; line < 4; line++) {
            group |= ((unsigned)sums[line] >> (15 - i) & 1) << line;
        }
        groups[BEGIN + DATA + i] = (uint8_t)group;
    }
    groups[BEGIN + flipped] ^= flipped != 0 ? 1 : 0;
    WRITE(board, card, pending, 0xA);
    WRITE(board, card, enable, 4);
    for (unsigned i = 0; i < ALL; i += 8) {
        uint32_t word = 0;
        for (unsigned k = 0; k < 8; k++) {
            word = word << 4 | groups[i + k];
        }
        run(board, late);
        WRITE(board, card, data, word);
        assert_true(wait_for_card(board, 4, false));
    }
}

/* Line 0 in the 16 clocks behind a block. */
static uint32_t line_behind(struct board_twin *board)
{
    uint32_t bits = 0;
    WRITE(board, card, pending, 0xA);
    WRITE(board, card, enable, 8);
    for (unsigned i = 0; i < 2; i++) {
        uint32_t word = 0;
        assert_true(take(board, 8, &word));
        for (unsigned k = 0; k < 8; k++) {
            bits = bits << 1 | (word >> (28 - 4 * k) & 1);
        }
    }
    return bits;
}

static void read_first(struct board_twin *board)
{
    uint32_t answer = 0;
    uint32_t word;
    assert_true(ask(board, 17, 0, &answer));
    for (size_t i = 0; i < BOARD_TWIN_CARD_WORDS; i++) {
        assert_true(take(board, 8, &word));
    }
    let_clocks_pass(board);
}

static void card_is_written(void **state)
{
    struct board_twin *board = *state;
    static uint8_t image[4096];
    uint8_t bytes[512];
    uint32_t answer = 0;
    memset(image, 0, sizeof image);
    board->card.bytes = image;
    board->card.writable = image;
    board->card.size = sizeof image;
    const uint32_t address = begin_card(board);
    read_first(board);
    for (unsigned turn = 0; turn < 40; turn++) {
        for (size_t i = 0; i < sizeof bytes; i++) {
            bytes[i] = (uint8_t)(i * 5 + i / 256 + turn);
        }
        assert_int_equal(ask_to_write(board, 1024) & 0xFFFF0000, 0);
        run(board, turn);
        send_block(board, bytes, turn * turn, 0);
        /* Two clocks, 0 010 1, and low while it stores. */
        assert_int_equal(line_behind(board) & 0xFFFF, 0xCA00 | 0x0000);
        assert_memory_equal(image + 1024, bytes, sizeof bytes);
        /* It tells its state meanwhile, and takes no block. */
        let_clocks_pass(board);
        send_command(board, 24, 1024);
        WRITE(board, card, pending, 0xA);
        WRITE(board, card, start, 1);
        WRITE(board, card, enable, 2);
        assert_false(wait_for_card(board, 2, true));
        run(board, board->card.kind.store_cycles);
        let_clocks_pass(board);
        read_first(board);
    }
    assert_int_equal(board->card.written, 40);
    assert_true(ask(board, 13, address, &answer));
    assert_int_equal(answer, 0x900);
    let_clocks_pass(board);
}

static void card_refuses(void **state)
{
    struct board_twin *board = *state;
    static uint8_t image[4096];
    const uint8_t bytes[512] = {1, 2, 3};
    memset(image, 0, sizeof image);
    board->card.bytes = image;
    board->card.writable = image;
    board->card.size = sizeof image;
    (void)begin_card(board);
    read_first(board);
    for (unsigned flipped = 1; flipped < 1024; flipped += 93) {
        (void)ask_to_write(board, 512);
        send_block(board, bytes, 0, flipped);
        assert_int_equal(line_behind(board), 0xD7FF);
        let_clocks_pass(board);
    }
    assert_int_equal(image[512], 0);
    assert_int_equal(ask_to_write(board, sizeof image) & 0xFF000000, 0x80000000);
    let_clocks_pass(board);
    board->card.kind.locked = true;
    assert_int_equal(ask_to_write(board, 512) & 0xFF000000, 0x04000000);
    assert_int_equal(board->card.written, 0);
}

/* A command without eight clocks before it, or with a wrong checksum, is not heard. */
static void card_wants_clocks(void **state)
{
    struct board_twin *board = *state;
    static const uint8_t image[4096];
    uint32_t answer = 0;
    board->card.bytes = image;
    board->card.size = sizeof image;
    const uint32_t address = begin_card(board);
    assert_true(ask(board, 13, address, &answer));
    assert_false(ask(board, 13, address, &answer));
    let_clocks_pass(board);
    assert_true(ask(board, 13, address, &answer));
    let_clocks_pass(board);
    WRITE(board, card, enable, 1);
    for (size_t i = 0; i < 6; i++) {
        WRITE(board, card, command, i == 0 ? 0x48 : 0x11);
        assert_true(wait_for_card(board, 1, false));
    }
    WRITE(board, card, pending, 2);
    WRITE(board, card, start, 1);
    WRITE(board, card, enable, 2);
    assert_false(wait_for_card(board, 2, true));
}

static void card_is_pulled_out(void **state)
{
    struct board_twin *board = *state;
    static const uint8_t image[4096];
    uint32_t answer = 0;
    uint32_t word;
    board->card.bytes = image;
    board->card.size = sizeof image;
    uint32_t address = begin_card(board);
    assert_true(ask(board, 17, sizeof image, &answer));
    assert_int_equal(answer & 0x80000000, 0x80000000);
    assert_false(wait_for_card(board, 8, true));
    board_twin_card_pull_later(&board->card, 1);
    assert_true(ask(board, 18, 0, &answer));
    /* Lines that nobody drives are high. */
    unsigned words = 0;
    while (words < 1000 && take(board, 8, &word) && (word == 0 || words == BOARD_TWIN_CARD_WORDS)) {
        words++;
        if (words == BOARD_TWIN_CARD_WORDS - 1) {
            assert_true(wait_for_card(board, 8, true));
            WRITE(board, card, start, 2);
        }
    }
    assert_int_equal(words, BOARD_TWIN_CARD_WORDS + BOARD_TWIN_CARD_WORDS / 2 - 1);
    let_clocks_pass(board);
    assert_false(ask(board, 13, address, &answer));
    board_twin_card_in(board, true);
    let_clocks_pass(board);
    assert_false(ask(board, 8, 0x1AA, &answer));
    for (unsigned i = 0; i < BOARD_TWIN_CARD_POWER_CLOCKS / 8; i++) {
        let_clocks_pass(board);
    }
    assert_false(ask(board, 13, address, &answer));
    let_clocks_pass(board);
    address = begin_card(board);
    assert_true(ask(board, 17, 512, &answer));
    assert_true(take(board, 8, &word));
    board_twin_card_in(board, false);
    assert_true(take(board, 8, &word));
    assert_true(take(board, 8, &word));
    assert_int_equal(word, 0xFFFFFFFF);
    let_clocks_pass(board);
    assert_false(ask(board, 13, address, &answer));
}

static void meter_counts_the_bus(void **state)
{
    struct board_twin *board = *state;
    WRITE(board, meter, control, 1);
    make_copy(board);
    run_mapper(board, 0);
    WRITE(board, meter, control, 0);
    const uint32_t requested = READ(board, meter, requested);
    const uint32_t served = READ(board, meter, served);
    assert_true(served > 64);
    assert_true(requested > 2 * served);
    run_mapper(board, 0);
    assert_int_equal(READ(board, meter, served), served);
}

/* The same inputs give the same cycles, however the time is cut. */
static void slices_do_not_matter(void **state)
{
    (void)state;
    uint64_t cycles[2];
    uint32_t counts[2];
    for (unsigned i = 0; i < 2; i++) {
        const uint32_t words[] = {
            lm32_ri(LM32_orhi, 1, 0, 0x4000),
            lm32_ri(LM32_addi, 2, 2, 1),
            lm32_store(LM32_sw, 1, 0x4000, 2),
            lm32_ri(LM32_lw, 3, 1, 0x7000),
            lm32_jump(LM32_bi, -3),
        };
        uint8_t image[sizeof words];
        for (size_t k = 0; k < sizeof words / sizeof words[0]; k++) {
            board_twin_put_word(&image[4 * k], words[k]);
        }
        struct board_twin *board = board_twin_create(image, sizeof image, "text");
        assert_non_null(board);
        make_screen(board);
        const uint64_t slice = i == 0 ? 1000000 : 37;
        while (board->cpu.cycles < 1000000) {
            const uint64_t end = board->cpu.cycles + slice;
            (void)board_twin_run(board, end < 1000000 ? end : 1000000);
        }
        while (board->cpu.cycles < 1000100) {
            (void)board_twin_run(board, 1000100);
        }
        assert_int_equal(board->memory.sdram[0x1000000], 't');
        cycles[i] = board->cpu.cycles;
        counts[i] = board->cpu.r[2];
        board_twin_free(board);
    }
    assert_true(cycles[0] == cycles[1]);
    assert_int_equal(counts[0], counts[1]);
}

#define ROW(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        ROW(addresses_lead_somewhere),
        ROW(second_level_writes_back_when_told),
        ROW(second_level_writes_back_when_it_must),
        ROW(second_level_goes_stale),
        ROW(misses_take_longer),
        ROW(console_sends_and_receives),
        ROW(midi_goes_through),
        ROW(timers_count),
        ROW(timers_start_again),
        ROW(buttons_interrupt),
        ROW(machine_stops_when_asked),
        ROW(light_and_infrared_come_in),
        ROW(pictures_are_shown),
        ROW(bases_change_at_the_blank),
        ROW(screen_snoops),
        ROW(devices_keep_nobody_waiting),
        ROW(mapper_does_not_snoop),
        ROW(units_contend_for_memory),
        ROW(mapper_draws_as_the_chip),
        ROW(mapper_keeps_its_bits),
        ROW(coprocessor_computes_as_the_model),
        ROW(coprocessor_without_an_end_stays_busy),
        ROW(coprocessor_has_pages),
        ROW(sound_is_recorded),
        ROW(recording_that_stands_keeps_one_sample),
        ROW(sound_is_played),
        ROW(codec_answers),
        ROW(card_is_read),
        ROW(card_is_written),
        ROW(card_refuses),
        ROW(card_wants_clocks),
        ROW(card_is_pulled_out),
        ROW(sound_stops),
        ROW(meter_counts_the_bus),
        cmocka_unit_test(slices_do_not_matter),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
