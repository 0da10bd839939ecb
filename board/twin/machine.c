#include "board/twin/machine.h"

#include <stdlib.h>
#include <string.h>

#include "board/twin/account.h"

/* Cycles of an access to what is not SDRAM; estimates, nothing is published. */
enum { REGISTER_CYCLES = 4, BUFFER_CYCLES = 3 };

/* Windows of 256 MiB. */
enum window { FLASH, MONITOR, USB, ETHERNET, SDRAM, NOTHING, REGISTERS, NOTHING_EITHER, WINDOWS };

enum {
    WINDOW_SHIFT = 28,
    LINE_WORDS = BOARD_LM32_LINE_WORDS,
    BLOCK_SHIFT = 12,
    OFFSET_MASK = 0xFFC,
};

static enum window window_of(uint32_t address)
{
    return (enum window)(address >> WINDOW_SHIFT & (WINDOWS - 1));
}

static uint32_t read_meter(const struct board_twin *board, uint32_t offset)
{
    const struct board_twin_others *others = &board->others;
    const bool counts = others->meter_counts;
    switch (offset) {
    case BOARD_TWIN_meter_control:
        return counts;
    case BOARD_TWIN_meter_requested:
        return counts ? (uint32_t)(board_twin_bus_busy(board) - others->meter_busy)
                      : others->requested;
    case BOARD_TWIN_meter_served:
        return counts ? (uint32_t)(board_twin_bus_accesses(board) - others->meter_accesses)
                      : others->served;
    default:
        return 0;
    }
}

/* Switching it on clears it. */
static void write_meter(struct board_twin *board, uint32_t offset, uint32_t value)
{
    struct board_twin_others *others = &board->others;
    if (offset != BOARD_TWIN_meter_control) {
        return;
    }
    others->requested = read_meter(board, BOARD_TWIN_meter_requested);
    others->served = read_meter(board, BOARD_TWIN_meter_served);
    if (!others->meter_counts && (value & 1) != 0) {
        others->meter_busy = board_twin_bus_busy(board);
        others->meter_accesses = board_twin_bus_accesses(board);
    }
    others->meter_counts = (value & 1) != 0;
}

static void look_at_power(struct board_twin *board)
{
    if (board->card.cut.gone || board->flash.cut.gone) {
        board->stop = BOARD_TWIN_CUT_OFF;
        board->cpu.stop = BOARD_LM32_HALTED;
    }
}

uint32_t board_twin_register_read(struct board_twin *board, uint64_t now, unsigned block,
                                  uint32_t offset)
{
    uint32_t value;
    switch (block) {
    case BOARD_TWIN_BLOCK_uart:
        return board_twin_uart_read(&board->console, offset);
    case BOARD_TWIN_BLOCK_midi:
        return board_twin_uart_read(&board->midi, offset);
    case BOARD_TWIN_BLOCK_system:
        return board_twin_system_read(&board->system, now, offset);
    case BOARD_TWIN_BLOCK_vga:
        return board_twin_vga_read(&board->vga, offset);
    case BOARD_TWIN_BLOCK_card:
        value = board_twin_card_read(&board->card, now, offset);
        look_at_power(board);
        return value;
    case BOARD_TWIN_BLOCK_ac97:
        return board_twin_ac97_read(&board->ac97, offset);
    case BOARD_TWIN_BLOCK_pfpu:
        return board_twin_pfpu_read(&board->pfpu, now, offset);
    case BOARD_TWIN_BLOCK_tmu:
        return board_twin_tmu_read(&board->tmu, offset);
    case BOARD_TWIN_BLOCK_meter:
        return read_meter(board, offset);
    case BOARD_TWIN_BLOCK_dmx_out:
        return board_twin_dmx_out_read(&board->dmx_out, offset);
    case BOARD_TWIN_BLOCK_dmx_in:
        return board_twin_dmx_in_read(&board->dmx_in, now, offset);
    case BOARD_TWIN_BLOCK_infrared:
        return offset == BOARD_TWIN_infrared_code ? board->infrared.code : 0;
    case BOARD_TWIN_BLOCK_ethernet:
        return board_twin_ethernet_read(&board->ethernet, offset);
    default:
        return 0;
    }
}

/* Hands a byte of a serial line to the host. byte: -1 for none. */
static void hand_on(const struct board_twin *board, int byte,
                    void (*take)(void *user, uint8_t byte))
{
    if (byte >= 0 && take != NULL) {
        take(board->host.user, (uint8_t)byte);
    }
}

void board_twin_register_write(struct board_twin *board, uint64_t now, unsigned block,
                               uint32_t offset, uint32_t value)
{
    enum board_twin_wish wish;
    switch (block) {
    case BOARD_TWIN_BLOCK_uart:
        board_twin_uart_write(&board->console, now, offset, value);
        break;
    case BOARD_TWIN_BLOCK_midi:
        board_twin_uart_write(&board->midi, now, offset, value);
        break;
    case BOARD_TWIN_BLOCK_system:
        wish = board_twin_system_write(&board->system, now, offset, value);
        if (wish != BOARD_TWIN_GOES_ON) {
            board->stop = wish == BOARD_TWIN_WANTS_RESET ? BOARD_TWIN_RESET : BOARD_TWIN_OFF;
            board->cpu.stop = BOARD_LM32_HALTED;
        }
        break;
    case BOARD_TWIN_BLOCK_vga:
        board_twin_vga_write(&board->vga, &board->memory, now, offset, value);
        if (offset == BOARD_TWIN_vga_base) {
            board_twin_account_present(board);
        }
        break;
    case BOARD_TWIN_BLOCK_card:
        board_twin_card_write(&board->card, now, offset, value);
        look_at_power(board);
        break;
    case BOARD_TWIN_BLOCK_ac97:
        board_twin_ac97_write(&board->ac97, now, offset, value);
        break;
    case BOARD_TWIN_BLOCK_pfpu:
        board_twin_pfpu_write(&board->pfpu, now, offset, value);
        break;
    case BOARD_TWIN_BLOCK_tmu:
        board_twin_tmu_write(&board->tmu, &board->memory, now, offset, value);
        break;
    case BOARD_TWIN_BLOCK_meter:
        write_meter(board, offset, value);
        break;
    case BOARD_TWIN_BLOCK_dmx_out:
        board_twin_dmx_out_write(&board->dmx_out, now, offset, value);
        break;
    case BOARD_TWIN_BLOCK_ethernet:
        board_twin_ethernet_write(&board->ethernet, now, offset, value);
        break;
    default:
        break;
    }
    board_twin_settle(board);
}

/* Memories that are neither flash nor SDRAM: the word at an address, NULL where there is none. */
static uint8_t *buffer_at(struct board_twin *board, uint32_t address)
{
    const uint32_t inside = address & ((1u << WINDOW_SHIFT) - 4);
    switch (window_of(address)) {
    case MONITOR:
        return &board->others.monitor[inside % BOARD_TWIN_MONITOR];
    case USB:
        return &board->others.usb[(inside / 0x20000 * 8192 + inside % 8192) % BOARD_TWIN_BUFFERS];
    case ETHERNET:
        return &board->ethernet.memory[inside % BOARD_TWIN_ETHERNET_MEMORY];
    default:
        return NULL;
    }
}

static int flush(struct board_twin *board, uint64_t now, uint32_t address)
{
    return (int)board_twin_memory_flush(&board->memory, now, address);
}

static int read_word(void *user, uint64_t now, uint32_t address, uint32_t *word)
{
    struct board_twin *board = user;
    if (window_of(address) != SDRAM) {
        const uint8_t *bytes;
        switch (window_of(address)) {
        case FLASH:
            *word = board_twin_flash_read(&board->flash, now, address);
            return BOARD_TWIN_FLASH_READ;
        case REGISTERS:
            *word = board_twin_register_read(board, now, address >> BLOCK_SHIFT & 15,
                                             address & OFFSET_MASK);
            return REGISTER_CYCLES;
        default:
            bytes = buffer_at(board, address);
            *word = bytes != NULL ? board_twin_word(bytes) : 0;
            return bytes != NULL ? BUFFER_CYCLES : BOARD_LM32_BUS_ERROR;
        }
    }
    if ((address & BOARD_TWIN_L2_FLUSH) != 0) {
        *word = 0;
        return flush(board, now, address);
    }
    uint32_t cycles;
    *word = board_twin_memory_read(&board->memory, now, address, &cycles);
    return (int)cycles;
}

static int read_line(void *user, uint64_t now, uint32_t address, uint32_t *words)
{
    struct board_twin *board = user;
    int total = 0;
    if (window_of(address) == SDRAM && (address & BOARD_TWIN_L2_FLUSH) == 0) {
        uint32_t cycles;
        const struct board_twin_l2_line *line =
            board_twin_memory_line(&board->memory, now, address, &cycles);
        const uint8_t *bytes =
            &line->bytes[address & (BOARD_TWIN_L2_BYTES - BOARD_LM32_LINE_BYTES)];
        for (unsigned i = 0; i < LINE_WORDS; i++) {
            words[i] = board_twin_word(&bytes[4 * (size_t)i]);
        }
        return (int)cycles + LINE_WORDS - 1;
    }
    for (uint32_t i = 0; i < LINE_WORDS; i++) {
        const int cycles = read_word(user, now, address + 4 * i, &words[i]);
        if (cycles < 0) {
            return cycles;
        }
        total += cycles;
    }
    return total;
}

static int write_word(void *user, uint64_t now, uint32_t address, uint32_t word, uint32_t mask)
{
    struct board_twin *board = user;
    if (window_of(address) != SDRAM) {
        uint8_t *bytes;
        switch (window_of(address)) {
        case FLASH:
            board_twin_flash_write(&board->flash, now, address, word, mask);
            look_at_power(board);
            return BOARD_TWIN_FLASH_WRITE;
        case REGISTERS:
            board_twin_register_write(board, now, address >> BLOCK_SHIFT & 15,
                                      address & OFFSET_MASK, word);
            return REGISTER_CYCLES;
        default:
            bytes = buffer_at(board, address);
            if (bytes != NULL) {
                board_twin_put_word(bytes, (board_twin_word(bytes) & ~mask) | (word & mask));
            }
            return bytes != NULL ? BUFFER_CYCLES : BOARD_LM32_BUS_ERROR;
        }
    }
    if ((address & BOARD_TWIN_L2_FLUSH) != 0) {
        return flush(board, now, address);
    }
    uint32_t cycles;
    board_twin_memory_write(&board->memory, now, address, word, mask, &cycles);
    return (int)cycles;
}

struct board_lm32_bus board_twin_bus(struct board_twin *board)
{
    return (struct board_lm32_bus){read_word, read_line, write_word, board};
}

enum {
    CONSOLE_DIVISOR = BOARD_TWIN_CLOCK / 16 / 115200,
    MIDI_DIVISOR = BOARD_TWIN_CLOCK / 16 / 31250,
    CALL_REGISTER = 8, /* of system calls: the number */
    CALL_EXIT = 1,
    CALL_WRITE = 5,
    CALL_BYTES = 65536, /* written by one call at most */
    COMMAND_LINE = 4095,
};

static uint64_t least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static void find_due(struct board_twin *board)
{
    uint64_t due = least(board->vga.due, board->ac97.due);
    due = least(due, least(board->pfpu.due, board->tmu.due));
    due = least(due, board_twin_system_due(&board->system));
    due = least(due, board_twin_uart_due(&board->console));
    due = least(due, board_twin_infrared_due(&board->infrared));
    due = least(due, board_twin_ethernet_due(&board->ethernet));
    board->due = least(due, board_twin_uart_due(&board->midi));
}

/* A level is latched as a pulse is, and once more if it is up still when it was acknowledged. */
void board_twin_settle(struct board_twin *board)
{
    const uint32_t before = board->cpu.lines;
    board->cpu.lines =
        (board_twin_uart_line(&board->console) ? (uint32_t)BOARD_TWIN_IRQ_uart : 0) |
        (board_twin_uart_line(&board->midi) ? (uint32_t)BOARD_TWIN_IRQ_midi : 0) |
        (board_twin_ethernet_line(&board->ethernet) ? (uint32_t)BOARD_TWIN_IRQ_ethernet_in : 0);
    board->cpu.ip |= before | board->cpu.lines;
    find_due(board);
    board_twin_account_settle(board);
    board->cpu.deadline = least(board->cpu.deadline, board->due);
}

static const struct board_twin_card_kind card_kind = {
    .address = 0x4D31,
    .name = {3, 'F', 'R', 'F', 'R', 'O', 'T', 'H'},
    .busy = 2,
    .answer_delay = 7,
    .data_delay = 121,
    .store_cycles = BOARD_TWIN_CLOCK / 500,
};

struct board_twin *board_twin_create(const void *image, size_t size, const char *command_line)
{
    struct board_twin *board = calloc(1, sizeof *board);
    if (board == NULL) {
        return NULL;
    }
    if (!board_twin_memory_create(&board->memory) || !board_twin_vga_create(&board->vga) ||
        !board_twin_tmu_create(&board->tmu) || !board_twin_flash_create(&board->flash)) {
        board_twin_free(board);
        return NULL;
    }
    board->cpu.bus = board_twin_bus(board);
    board_lm32_reset(&board->cpu, BOARD_TWIN_ENTRY);
    board_twin_uart_reset(&board->console, CONSOLE_DIVISOR);
    board->console.debug = 1;
    board_twin_uart_reset(&board->midi, MIDI_DIVISOR);
    board_twin_system_reset(&board->system);
    board_twin_ac97_reset(&board->ac97, 0);
    board_twin_pfpu_reset(&board->pfpu);
    board->card.kind = card_kind;
    board_twin_card_reset(&board->card);
    board_twin_ethernet_reset(&board->ethernet);
    board_twin_memory_load(&board->memory, 0, image,
                           size < BOARD_TWIN_IMAGE_MAX ? size : BOARD_TWIN_IMAGE_MAX);
    if (command_line != NULL) {
        const size_t length = strlen(command_line);
        board_twin_memory_load(&board->memory, BOARD_TWIN_CMDLINE, command_line,
                               length < COMMAND_LINE ? length : COMMAND_LINE);
        board->cpu.r[1] = BOARD_TWIN_CMDLINE;
    }
    board_twin_settle(board);
    return board;
}

void board_twin_free(struct board_twin *board)
{
    if (board != NULL) {
        board_twin_memory_free(&board->memory);
        board_twin_vga_free(&board->vga);
        board_twin_tmu_free(&board->tmu);
        board_twin_flash_free(&board->flash);
        free(board);
    }
}

bool board_twin_boot(struct board_twin *board, uint32_t offset, const char **problem)
{
    size_t size;
    if (!board_twin_flash_program(&board->flash, offset, &size, problem)) {
        return false;
    }
    for (size_t done = 0; done < size; done++) {
        uint8_t byte;
        const size_t at = offset + BOARD_TWIN_FLASH_HEADER + done;
        board_twin_flash_get(&board->flash, (uint32_t)at, &byte, 1);
        board_twin_memory_load(&board->memory, (uint32_t)done, &byte, 1);
    }
    return true;
}

/* What is due at `now`, in a fixed order. */
static void happen(struct board_twin *board, uint64_t now)
{
    board_lm32_interrupt(&board->cpu, board_twin_system_event(&board->system, now));
    hand_on(board, board_twin_uart_event(&board->console, now), board->host.console);
    hand_on(board, board_twin_uart_event(&board->midi, now), board->host.midi);
    if (board_twin_infrared_event(&board->infrared, now)) {
        board_lm32_interrupt(&board->cpu, BOARD_TWIN_IRQ_infrared);
    }
    size_t size;
    if (board_twin_ethernet_event(&board->ethernet, now, &size)) {
        board_lm32_interrupt(&board->cpu, BOARD_TWIN_IRQ_ethernet_out);
        if (board->host.packet != NULL && board->ethernet.phy.link) {
            board->host.packet(board->host.user, &board->ethernet.memory[BOARD_TWIN_ETHERNET_OUT],
                               size);
        }
    }
    if (board->pfpu.due <= now && board_twin_pfpu_event(&board->pfpu, &board->memory)) {
        board_lm32_interrupt(&board->cpu, BOARD_TWIN_IRQ_pfpu);
    }
    if (board->tmu.due <= now) {
        if (board_twin_tmu_event(&board->tmu, &board->memory)) {
            board_lm32_interrupt(&board->cpu, BOARD_TWIN_IRQ_tmu);
        }
        if (board->tmu.failed) {
            board->stop = BOARD_TWIN_NO_MEMORY;
            board->cpu.stop = BOARD_LM32_HALTED;
        }
    }
    if (board->ac97.due <= now) {
        board_lm32_interrupt(
            &board->cpu, board_twin_ac97_event(&board->ac97, &board->memory, &board->host.sound));
    }
    if (board->vga.due <= now && board_twin_vga_event(&board->vga, &board->memory)) {
        board->pictured = true;
        board_twin_account_seen(board);
    }
    board_twin_settle(board);
}

/* A system call that the host carries out; others are exceptions. */
static void call_host(struct board_twin *board)
{
    board->cpu.stop = BOARD_LM32_RUNS;
    if (board->cpu.r[CALL_REGISTER] == CALL_EXIT) {
        board->exit_code = board->cpu.r[1];
        board->stop = BOARD_TWIN_EXITED;
        board->cpu.stop = BOARD_LM32_HALTED;
    } else if (board->cpu.r[CALL_REGISTER] == CALL_WRITE) {
        const uint32_t *r = board->cpu.r;
        const uint32_t size = r[3] < CALL_BYTES ? r[3] : CALL_BYTES;
        for (uint32_t i = 0; i < size && board->host.console != NULL; i++) {
            uint32_t cycles;
            const uint32_t word =
                board_twin_memory_read(&board->memory, board->cpu.cycles, r[2] + i, &cycles);
            board->host.console(board->host.user, (uint8_t)(word >> (24 - 8 * ((r[2] + i) & 3))));
        }
        board->cpu.r[1] = size;
    } else {
        board_lm32_raise(&board->cpu, BOARD_LM32_SYSTEM_CALL, board->cpu.pc - 4);
    }
}

static uint64_t next_look(const struct board_twin *board)
{
    return board->host.look != NULL ? board->look : UINT64_MAX;
}

bool board_twin_run(struct board_twin *board, uint64_t cycle)
{
    struct board_lm32 *cpu = &board->cpu;
    board->pictured = false;
    cpu->stops_at_calls = board->host_calls;
    while (cpu->cycles < cycle && board->stop == BOARD_TWIN_RUNS && !board->pictured) {
        cpu->deadline = least(least(cycle, board->due), next_look(board));
        board_lm32_run(cpu);
        if (next_look(board) <= cpu->cycles) {
            board->look = board->host.look(board->host.looker, board);
        }
        switch (board->cpu.stop) {
        case BOARD_LM32_CALLED:
            call_host(board);
            break;
        case BOARD_LM32_ILLEGAL:
            board->stop = BOARD_TWIN_ILLEGAL;
            break;
        case BOARD_LM32_BROKE:
            board->stop = BOARD_TWIN_BROKE;
            break;
        case BOARD_LM32_RUNS:
        case BOARD_LM32_HALTED:
            break;
        }
        while (board->due <= cpu->cycles && board->stop == BOARD_TWIN_RUNS && !board->pictured) {
            happen(board, board->due);
        }
    }
    if (board->stop != BOARD_TWIN_RUNS) {
        hand_on(board, board_twin_uart_flush(&board->console), board->host.console);
        hand_on(board, board_twin_uart_flush(&board->midi), board->host.midi);
    }
    return board->pictured;
}

void board_twin_press(struct board_twin *board, uint32_t buttons)
{
    board_twin_system_press(&board->system, board->cpu.cycles, buttons);
    find_due(board);
}

bool board_twin_type(struct board_twin *board, uint8_t byte)
{
    const bool taken = board_twin_uart_receive(&board->console, board->cpu.cycles, byte);
    find_due(board);
    return taken;
}

bool board_twin_midi(struct board_twin *board, uint8_t byte)
{
    const bool taken = board_twin_uart_receive(&board->midi, board->cpu.cycles, byte);
    find_due(board);
    return taken;
}

bool board_twin_infrared(struct board_twin *board, uint32_t code, uint32_t half)
{
    const bool taken = board_twin_infrared_send(&board->infrared, board->cpu.cycles, code, half);
    find_due(board);
    return taken;
}

bool board_twin_packet(struct board_twin *board, const uint8_t *bytes, size_t size)
{
    const bool lost = board->ethernet.reset != 0 || !board->ethernet.phy.link;
    const bool taken = lost || board_twin_ethernet_receive(&board->ethernet, board->cpu.cycles,
                                                           bytes, size, false);
    find_due(board);
    return taken;
}

void board_twin_card_in(struct board_twin *board, bool in)
{
    if (in) {
        board_twin_card_insert(&board->card, board->cpu.cycles);
    } else {
        board_twin_card_pull(&board->card, board->cpu.cycles);
    }
}

void board_twin_dmx(struct board_twin *board, unsigned channel, uint8_t value)
{
    if (channel < BOARD_TWIN_DMX) {
        board->dmx_in.channels[channel] = value;
    }
}

uint8_t board_twin_dmx_value(const struct board_twin *board, unsigned channel)
{
    const uint8_t *values =
        board->dmx_out.through ? board->dmx_in.channels : board->dmx_out.channels;
    return channel < BOARD_TWIN_DMX ? values[channel] : 0;
}
