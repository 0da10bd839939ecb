#include "app/board/machine.h"

#include <stdlib.h>
#include <string.h>

#include "app/board/account.h"
#include "app/board/bus.h"

enum {
    CONSOLE_DIVISOR = APP_BOARD_CLOCK / 16 / 115200,
    MIDI_DIVISOR = APP_BOARD_CLOCK / 16 / 31250,
    CALL_REGISTER = 8, /* of system calls: the number */
    CALL_EXIT = 1,
    CALL_WRITE = 5,
    CALL_BYTES = 65536, /* written by one call at most */
    COMMAND_LINE = 4095,
    INFRARED_MASK = 0x1FFF,
};

static uint64_t least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static void find_due(struct app_board *board)
{
    uint64_t due = least(board->vga.due, board->ac97.due);
    due = least(due, least(board->pfpu.due, board->tmu.due));
    due = least(due, app_board_system_due(&board->system));
    due = least(due, app_board_uart_due(&board->console));
    board->due = least(due, app_board_uart_due(&board->midi));
}

void app_board_settle(struct app_board *board)
{
    board->cpu.lines = (app_board_uart_line(&board->console) ? (uint32_t)APP_BOARD_IRQ_uart : 0) |
                       (app_board_uart_line(&board->midi) ? (uint32_t)APP_BOARD_IRQ_midi : 0);
    find_due(board);
    app_board_account_settle(board);
    board->cpu.deadline = least(board->cpu.deadline, board->due);
}

static void boot(struct app_board *board, const void *image, size_t size, const char *command_line)
{
    app_board_memory_load(&board->memory, 0, image,
                          size < APP_BOARD_IMAGE_MAX ? size : APP_BOARD_IMAGE_MAX);
    if (command_line != NULL) {
        const size_t length = strlen(command_line);
        app_board_memory_load(&board->memory, APP_BOARD_CMDLINE, command_line,
                              length < COMMAND_LINE ? length : COMMAND_LINE);
        board->cpu.r[1] = APP_BOARD_CMDLINE;
    }
}

static bool start(struct app_board *board)
{
    if (!app_board_memory_create(&board->memory) || !app_board_vga_create(&board->vga) ||
        !app_board_tmu_create(&board->tmu)) {
        return false;
    }
    board->cpu.bus = app_board_bus(board);
    app_lm32_reset(&board->cpu, APP_BOARD_ENTRY);
    app_board_uart_reset(&board->console, CONSOLE_DIVISOR);
    app_board_uart_reset(&board->midi, MIDI_DIVISOR);
    app_board_system_reset(&board->system);
    app_board_ac97_reset(&board->ac97, 0);
    app_board_pfpu_reset(&board->pfpu);
    app_board_card_reset(&board->card);
    return true;
}

struct app_board *app_board_create(const void *image, size_t size, const char *command_line)
{
    struct app_board *board = calloc(1, sizeof *board);
    if (board != NULL && !start(board)) {
        app_board_free(board);
        return NULL;
    }
    if (board != NULL) {
        boot(board, image, size, command_line);
        app_board_settle(board);
    }
    return board;
}

void app_board_free(struct app_board *board)
{
    if (board != NULL) {
        app_board_memory_free(&board->memory);
        app_board_vga_free(&board->vga);
        app_board_tmu_free(&board->tmu);
        free(board);
    }
}

static void serial_event(struct app_board *board, uint64_t now)
{
    const int console = app_board_uart_event(&board->console, now);
    const int midi = app_board_uart_event(&board->midi, now);
    if (console >= 0 && board->host.console != NULL) {
        board->host.console(board->host.user, (uint8_t)console);
    }
    if (midi >= 0 && board->host.midi != NULL) {
        board->host.midi(board->host.user, (uint8_t)midi);
    }
}

static void mapper_event(struct app_board *board)
{
    if (app_board_tmu_event(&board->tmu, &board->memory)) {
        app_lm32_interrupt(&board->cpu, APP_BOARD_IRQ_tmu);
    }
    if (board->tmu.failed) {
        board->stop = APP_BOARD_NO_MEMORY;
        board->cpu.stop = APP_LM32_HALTED;
    }
}

/* What is due at `now`, in a fixed order. */
static void happen(struct app_board *board, uint64_t now)
{
    app_lm32_interrupt(&board->cpu, app_board_system_event(&board->system, now));
    serial_event(board, now);
    if (board->pfpu.due <= now) {
        app_board_pfpu_event(&board->pfpu, &board->memory);
        app_lm32_interrupt(&board->cpu, APP_BOARD_IRQ_pfpu);
    }
    if (board->tmu.due <= now) {
        mapper_event(board);
    }
    if (board->ac97.due <= now) {
        app_lm32_interrupt(&board->cpu,
                           app_board_ac97_event(&board->ac97, &board->memory, &board->host.sound));
    }
    if (board->vga.due <= now && app_board_vga_event(&board->vga, &board->memory)) {
        board->pictured = true;
        app_board_account_seen(board);
    }
    app_board_settle(board);
}

static void write_call(struct app_board *board)
{
    const uint32_t *r = board->cpu.r;
    const uint32_t size = r[3] < CALL_BYTES ? r[3] : CALL_BYTES;
    for (uint32_t i = 0; i < size && board->host.console != NULL; i++) {
        uint32_t cycles;
        const uint32_t word =
            app_board_memory_read(&board->memory, board->cpu.cycles, r[2] + i, &cycles);
        board->host.console(board->host.user, (uint8_t)(word >> (24 - 8 * ((r[2] + i) & 3))));
    }
    board->cpu.r[1] = size;
}

/* A system call that the host carries out; others are exceptions. */
static void call_host(struct app_board *board)
{
    board->cpu.stop = APP_LM32_RUNS;
    if (board->cpu.r[CALL_REGISTER] == CALL_EXIT) {
        board->exit_code = board->cpu.r[1];
        board->stop = APP_BOARD_EXITED;
        board->cpu.stop = APP_LM32_HALTED;
    } else if (board->cpu.r[CALL_REGISTER] == CALL_WRITE) {
        write_call(board);
    } else {
        app_lm32_raise(&board->cpu, APP_LM32_SYSTEM_CALL, board->cpu.pc - 4);
    }
}

static void look_at_stop(struct app_board *board)
{
    switch (board->cpu.stop) {
    case APP_LM32_CALLED:
        call_host(board);
        break;
    case APP_LM32_ILLEGAL:
        board->stop = APP_BOARD_ILLEGAL;
        break;
    case APP_LM32_BROKE:
        board->stop = APP_BOARD_BROKE;
        break;
    case APP_LM32_RUNS:
    case APP_LM32_HALTED:
        break;
    }
}

static uint64_t next_look(const struct app_board *board)
{
    return board->host.look != NULL ? board->look : UINT64_MAX;
}

bool app_board_run(struct app_board *board, uint64_t cycle)
{
    struct app_lm32 *cpu = &board->cpu;
    board->pictured = false;
    cpu->stops_at_calls = board->host_calls;
    while (cpu->cycles < cycle && board->stop == APP_BOARD_RUNS && !board->pictured) {
        cpu->deadline = least(least(cycle, board->due), next_look(board));
        app_lm32_run(cpu);
        if (next_look(board) <= cpu->cycles) {
            board->look = board->host.look(board->host.looker, board);
        }
        look_at_stop(board);
        while (board->due <= cpu->cycles && board->stop == APP_BOARD_RUNS && !board->pictured) {
            happen(board, board->due);
        }
    }
    return board->pictured;
}

void app_board_press(struct app_board *board, uint32_t buttons)
{
    app_lm32_interrupt(&board->cpu, app_board_system_press(&board->system, buttons));
}

bool app_board_type(struct app_board *board, uint8_t byte)
{
    const bool taken = app_board_uart_receive(&board->console, board->cpu.cycles, byte);
    find_due(board);
    return taken;
}

bool app_board_midi(struct app_board *board, uint8_t byte)
{
    const bool taken = app_board_uart_receive(&board->midi, board->cpu.cycles, byte);
    find_due(board);
    return taken;
}

void app_board_infrared(struct app_board *board, uint32_t code)
{
    board->others.infrared = code & INFRARED_MASK;
    app_lm32_interrupt(&board->cpu, APP_BOARD_IRQ_infrared);
}

void app_board_dmx(struct app_board *board, unsigned channel, uint8_t value)
{
    if (channel < APP_BOARD_DMX) {
        board->others.dmx_in[channel] = value;
    }
}

uint8_t app_board_dmx_value(const struct app_board *board, unsigned channel)
{
    const struct app_board_others *others = &board->others;
    const uint8_t *values = others->dmx_through ? others->dmx_in : others->dmx_out;
    return channel < APP_BOARD_DMX ? values[channel] : 0;
}
