/* Whatever bytes are booted: the machine runs, stops, or comes to its limit of cycles. */
#include <stdlib.h>

#include "board/twin/machine.h"

enum { CYCLES = 200000, EVENTS = 64 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The first bytes choose registers that are written before the program begins, so that devices meet
 * odd values soon; the rest is the program, with registers of the CPU that point at things. */
static void write_registers(struct board_twin *board, const uint8_t *data, size_t size)
{
    for (size_t i = 0; i + 6 <= size && i < 6 * (size_t)EVENTS; i += 6) {
        board_twin_register_write(board, board->cpu.cycles, data[i] & 15,
                                  (uint32_t)(data[i] >> 4) << 8 | (data[i + 1] & 0xFCu),
                                  board_twin_word(&data[i + 2]));
    }
}

static void point(struct board_twin *board)
{
    static const uint32_t addresses[] = {0xE0000000, 0xE0001000, 0xE0003000, 0xE0004000,
                                         0xE0005000, 0xE0006000, 0xE0007000, 0xC8000000,
                                         0x40000000, 0xC0100000};
    for (size_t i = 0; i < sizeof addresses / sizeof addresses[0]; i++) {
        board->cpu.r[1 + i] = addresses[i];
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct board_twin *board;
    static const uint8_t nothing[4] = {0};
    board_twin_free(board);
    board = board_twin_create(size > 0 ? data : nothing, size > 0 ? size : 4, "fuzz");
    if (board == NULL) {
        return 0;
    }
    board->card.bytes = data;
    board->card.size = size;
    board->host_calls = size % 2 != 0;
    point(board);
    if (size % 3 == 0) {
        write_registers(board, data, size);
    }
    for (unsigned i = 0; board->cpu.cycles < CYCLES && board->stop == BOARD_TWIN_RUNS; i++) {
        const uint64_t before = board->cpu.cycles;
        if (!board_twin_run(board, CYCLES) && board->cpu.cycles == before &&
            board->stop == BOARD_TWIN_RUNS) {
            abort();
        }
        board_twin_press(board, i);
        (void)board_twin_type(board, (uint8_t)i);
    }
    board_twin_free(board);
    board = NULL;
    return 0;
}
