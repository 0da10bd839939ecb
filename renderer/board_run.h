/* Programs of the coprocessor in software, as the board's CPU runs them where there is no
 * microcode.
 */
#ifndef RENDERER_BOARD_RUN_H
#define RENDERER_BOARD_RUN_H

#include "renderer/board_program.h"

/* Runs the operations once. values: room for operation_count words. out: the two words of the
 * vertex, unchanged if there are none. */
void rend_board_run(const struct rend_board_program *program, uint32_t *cells, uint32_t *values,
                    uint32_t out[2]);

#endif
