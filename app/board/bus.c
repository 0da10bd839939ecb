#include "app/board/bus.h"

#include "app/board/account.h"

/* Cycles of an access to what is not SDRAM; estimates, nothing is published. */
enum { REGISTER_CYCLES = 4, FLASH_CYCLES = 12, BUFFER_CYCLES = 3 };

/* Windows of 256 MiB. */
enum window { FLASH, MONITOR, USB, ETHERNET, SDRAM, NOTHING, REGISTERS, NOTHING_EITHER, WINDOWS };

enum {
    WINDOW_SHIFT = 28,
    LINE_WORDS = APP_LM32_LINE_WORDS,
    BLOCK_SHIFT = 12,
    OFFSET_MASK = 0xFFC,
    ERASED = -1,
};

static enum window window_of(uint32_t address)
{
    return (enum window)(address >> WINDOW_SHIFT & (WINDOWS - 1));
}

static uint32_t read_dmx(const struct app_board *board, unsigned block, uint32_t offset)
{
    if (block == APP_BOARD_BLOCK_dmx_out && offset == APP_BOARD_dmx_out_through) {
        return board->others.dmx_through;
    }
    const uint8_t *values =
        block == APP_BOARD_BLOCK_dmx_out ? board->others.dmx_out : board->others.dmx_in;
    return offset / 4 < APP_BOARD_DMX ? values[offset / 4] : 0;
}

static void write_dmx(struct app_board *board, uint32_t offset, uint32_t value)
{
    if (offset == APP_BOARD_dmx_out_through) {
        board->others.dmx_through = (value & 1) != 0;
    } else if (offset / 4 < APP_BOARD_DMX) {
        board->others.dmx_out[offset / 4] = (uint8_t)value;
    }
}

static uint32_t read_meter(const struct app_board *board, uint32_t offset)
{
    const struct app_board_others *others = &board->others;
    const bool counts = others->meter_counts;
    switch (offset) {
    case APP_BOARD_meter_control:
        return counts;
    case APP_BOARD_meter_requested:
        return counts ? (uint32_t)(app_board_bus_busy(board) - others->meter_busy)
                      : others->requested;
    case APP_BOARD_meter_served:
        return counts ? (uint32_t)(app_board_bus_accesses(board) - others->meter_accesses)
                      : others->served;
    default:
        return 0;
    }
}

/* Switching it on clears it. */
static void write_meter(struct app_board *board, uint32_t offset, uint32_t value)
{
    struct app_board_others *others = &board->others;
    if (offset != APP_BOARD_meter_control) {
        return;
    }
    others->requested = read_meter(board, APP_BOARD_meter_requested);
    others->served = read_meter(board, APP_BOARD_meter_served);
    if (!others->meter_counts && (value & 1) != 0) {
        others->meter_busy = app_board_bus_busy(board);
        others->meter_accesses = app_board_bus_accesses(board);
    }
    others->meter_counts = (value & 1) != 0;
}

uint32_t app_board_register_read(struct app_board *board, uint64_t now, unsigned block,
                                 uint32_t offset)
{
    switch (block) {
    case APP_BOARD_BLOCK_uart:
        return app_board_uart_read(&board->console, offset);
    case APP_BOARD_BLOCK_midi:
        return app_board_uart_read(&board->midi, offset);
    case APP_BOARD_BLOCK_system:
        return app_board_system_read(&board->system, now, offset);
    case APP_BOARD_BLOCK_vga:
        return app_board_vga_read(&board->vga, offset);
    case APP_BOARD_BLOCK_card:
        return app_board_card_read(&board->card, offset);
    case APP_BOARD_BLOCK_ac97:
        return app_board_ac97_read(&board->ac97, offset);
    case APP_BOARD_BLOCK_pfpu:
        return app_board_pfpu_read(&board->pfpu, now, offset);
    case APP_BOARD_BLOCK_tmu:
        return app_board_tmu_read(&board->tmu, offset);
    case APP_BOARD_BLOCK_meter:
        return read_meter(board, offset);
    case APP_BOARD_BLOCK_dmx_out:
    case APP_BOARD_BLOCK_dmx_in:
        return read_dmx(board, block, offset);
    case APP_BOARD_BLOCK_infrared:
        return offset == APP_BOARD_infrared_code ? board->others.infrared : 0;
    default:
        return 0;
    }
}

static void write_console(struct app_board *board, uint64_t now, uint32_t offset, uint32_t value)
{
    const int sent = app_board_uart_write(&board->console, now, offset, value);
    if (sent >= 0 && board->host.console != NULL) {
        board->host.console(board->host.user, (uint8_t)sent);
    }
}

static void write_midi(struct app_board *board, uint64_t now, uint32_t offset, uint32_t value)
{
    const int sent = app_board_uart_write(&board->midi, now, offset, value);
    if (sent >= 0 && board->host.midi != NULL) {
        board->host.midi(board->host.user, (uint8_t)sent);
    }
}

static void write_system(struct app_board *board, uint64_t now, uint32_t offset, uint32_t value)
{
    const enum app_board_wish wish = app_board_system_write(&board->system, now, offset, value);
    if (wish != APP_BOARD_GOES_ON) {
        board->stop = wish == APP_BOARD_WANTS_RESET ? APP_BOARD_RESET : APP_BOARD_OFF;
        board->cpu.stop = APP_LM32_HALTED;
    }
}

void app_board_register_write(struct app_board *board, uint64_t now, unsigned block,
                              uint32_t offset, uint32_t value)
{
    switch (block) {
    case APP_BOARD_BLOCK_uart:
        write_console(board, now, offset, value);
        break;
    case APP_BOARD_BLOCK_midi:
        write_midi(board, now, offset, value);
        break;
    case APP_BOARD_BLOCK_system:
        write_system(board, now, offset, value);
        break;
    case APP_BOARD_BLOCK_vga:
        app_board_vga_write(&board->vga, &board->memory, now, offset, value);
        if (offset == APP_BOARD_vga_base) {
            app_board_account_present(board);
        }
        break;
    case APP_BOARD_BLOCK_card:
        app_board_card_write(&board->card, offset, value);
        break;
    case APP_BOARD_BLOCK_ac97:
        app_board_ac97_write(&board->ac97, offset, value);
        break;
    case APP_BOARD_BLOCK_pfpu:
        app_board_pfpu_write(&board->pfpu, now, offset, value);
        break;
    case APP_BOARD_BLOCK_tmu:
        app_board_tmu_write(&board->tmu, &board->memory, now, offset, value);
        break;
    case APP_BOARD_BLOCK_meter:
        write_meter(board, offset, value);
        break;
    case APP_BOARD_BLOCK_dmx_out:
        write_dmx(board, offset, value);
        break;
    default:
        break;
    }
    app_board_settle(board);
}

/* Memories that are neither flash nor SDRAM: the word at an address, NULL where there is none. */
static uint8_t *buffer_at(struct app_board *board, uint32_t address)
{
    const uint32_t inside = address & ((1u << WINDOW_SHIFT) - 4);
    switch (window_of(address)) {
    case MONITOR:
        return &board->others.monitor[inside % APP_BOARD_MONITOR];
    case USB:
        return &board->others.usb[(inside / 0x20000 * 8192 + inside % 8192) % APP_BOARD_BUFFERS];
    case ETHERNET:
        return &board->others.ethernet[inside % APP_BOARD_BUFFERS];
    default:
        return NULL;
    }
}

static int flush(struct app_board *board, uint64_t now, uint32_t address)
{
    return (int)app_board_memory_flush(&board->memory, now, address);
}

static int read_other(struct app_board *board, uint64_t now, uint32_t address, uint32_t *word)
{
    const uint8_t *bytes;
    switch (window_of(address)) {
    case FLASH:
        *word = (uint32_t)ERASED;
        return FLASH_CYCLES;
    case REGISTERS:
        *word =
            app_board_register_read(board, now, address >> BLOCK_SHIFT & 15, address & OFFSET_MASK);
        return REGISTER_CYCLES;
    default:
        bytes = buffer_at(board, address);
        *word = bytes != NULL ? app_board_word(bytes) : 0;
        return bytes != NULL ? BUFFER_CYCLES : APP_LM32_BUS_ERROR;
    }
}

static int read_word(void *user, uint64_t now, uint32_t address, uint32_t *word)
{
    struct app_board *board = user;
    if (window_of(address) != SDRAM) {
        return read_other(board, now, address, word);
    }
    if ((address & APP_BOARD_L2_FLUSH) != 0) {
        *word = 0;
        return flush(board, now, address);
    }
    uint32_t cycles;
    *word = app_board_memory_read(&board->memory, now, address, &cycles);
    return (int)cycles;
}

static int read_line(void *user, uint64_t now, uint32_t address, uint32_t *words)
{
    struct app_board *board = user;
    int total = 0;
    if (window_of(address) == SDRAM && (address & APP_BOARD_L2_FLUSH) == 0) {
        uint32_t cycles;
        const struct app_board_l2_line *line =
            app_board_memory_line(&board->memory, now, address, &cycles);
        const uint8_t *bytes = &line->bytes[address & (APP_BOARD_L2_BYTES - APP_LM32_LINE_BYTES)];
        for (unsigned i = 0; i < LINE_WORDS; i++) {
            words[i] = app_board_word(&bytes[4 * (size_t)i]);
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

static int write_other(struct app_board *board, uint64_t now, uint32_t address, uint32_t word,
                       uint32_t mask)
{
    uint8_t *bytes;
    switch (window_of(address)) {
    case FLASH:
        return FLASH_CYCLES;
    case REGISTERS:
        app_board_register_write(board, now, address >> BLOCK_SHIFT & 15, address & OFFSET_MASK,
                                 word);
        return REGISTER_CYCLES;
    default:
        bytes = buffer_at(board, address);
        if (bytes != NULL) {
            app_board_put_word(bytes, (app_board_word(bytes) & ~mask) | (word & mask));
        }
        return bytes != NULL ? BUFFER_CYCLES : APP_LM32_BUS_ERROR;
    }
}

static int write_word(void *user, uint64_t now, uint32_t address, uint32_t word, uint32_t mask)
{
    struct app_board *board = user;
    if (window_of(address) != SDRAM) {
        return write_other(board, now, address, word, mask);
    }
    if ((address & APP_BOARD_L2_FLUSH) != 0) {
        return flush(board, now, address);
    }
    uint32_t cycles;
    app_board_memory_write(&board->memory, now, address, word, mask, &cycles);
    return (int)cycles;
}

struct app_lm32_bus app_board_bus(struct app_board *board)
{
    return (struct app_lm32_bus){read_word, read_line, write_word, board};
}
