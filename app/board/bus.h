/* The address map of the board (spec/milkymist-one.md section 2): what the processor's caches find
 * when they have to ask. Bit 31 of an address does not count. */
#ifndef APP_BOARD_BUS_H
#define APP_BOARD_BUS_H

#include "app/board/machine.h"

/* The bus of a board for its processor. */
struct app_lm32_bus app_board_bus(struct app_board *board);

/* A register, by block and offset. Reading one may change it. */
uint32_t app_board_register_read(struct app_board *board, uint64_t now, unsigned block,
                                 uint32_t offset);
void app_board_register_write(struct app_board *board, uint64_t now, unsigned block,
                              uint32_t offset, uint32_t value);

#endif
