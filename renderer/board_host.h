/* PFPU and TMU of the Milkymist One on the desktop: the same bits, as fast as this machine can. */
#ifndef RENDERER_BOARD_HOST_H
#define RENDERER_BOARD_HOST_H

#include "base/cpu.h"
#include "renderer/board_patch.h"
#include "renderer/board_step.h"

enum { REND_BOARD_HOST_MEMORY = 1 << 22 }; /* bytes; behind REND_BOARD_FREE_AT for pictures */

struct rend_board_host;

/* NULL without memory. */
struct rend_board_host *rend_board_host_create(enum base_cpu_level cpu);
void rend_board_host_free(struct rend_board_host *host); /* NULL is fine */

/* The host's; valid as long as it. */
const struct rend_board_units *rend_board_host_units(struct rend_board_host *host);

/* Makes ready what the units need to run the patch: before it is loaded into a state whose units
 * these are. It must outlive its use. Returns 0, or -1 without memory; what was there stays. */
int rend_board_host_take(struct rend_board_host *host, const struct rend_board_loaded *loaded);

/* The screen as 0x00RRGGBB, 5 and 6 bits widened by repeating their upper ones. */
void rend_board_host_show(const struct rend_board_host *host, uint32_t *pixels, size_t stride);

#endif
