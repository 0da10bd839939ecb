/* Whatever a flash memory holds where the boot loader looks: it says why it refuses, or what stands
 * there runs. The first byte says whether length and checksum are made right. */
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "board/twin/machine.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { CYCLES = 20000, RIGHT_LENGTH = 1, RIGHT_SUM = 2, RESCUE = 4 };

static void put_word(struct board_twin *board, uint32_t offset, size_t word)
{
    const uint8_t bytes[4] = {(uint8_t)(word >> 24), (uint8_t)(word >> 16), (uint8_t)(word >> 8),
                              (uint8_t)word};
    board_twin_flash_put(&board->flash, offset, bytes, sizeof bytes);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const uint8_t waits[4] = {0xE0, 0, 0, 0};
    const uint8_t head = size > 0 ? data[0] : 0;
    const uint32_t offset =
        (head & RESCUE) != 0 ? BOARD_TWIN_FLASH_RESCUE : BOARD_TWIN_FLASH_PROGRAM;
    const uint8_t *image = data + (size > 0);
    const size_t length = size - (size > 0);
    const size_t inside = length > BOARD_TWIN_FLASH_HEADER ? length - BOARD_TWIN_FLASH_HEADER : 0;
    struct board_twin *board = board_twin_create(waits, sizeof waits, NULL);
    if (board == NULL) {
        return 0;
    }
    board_twin_flash_put(&board->flash, offset, image, length);
    if ((head & RIGHT_LENGTH) != 0) {
        put_word(board, offset, inside);
    }
    if ((head & RIGHT_SUM) != 0) {
        put_word(board, offset + 4,
                 base_crc32(BASE_CRC32_START, inside > 0 ? image + BOARD_TWIN_FLASH_HEADER : waits,
                            inside));
    }
    const char *problem = NULL;
    const bool boots = board_twin_boot(board, offset, &problem);
    if (boots != (problem == NULL)) {
        abort();
    }
    while (boots && board->cpu.cycles < CYCLES && board->stop == BOARD_TWIN_RUNS) {
        (void)board_twin_run(board, CYCLES);
    }
    board_twin_free(board);
    return 0;
}
