/* PFPU and TMU of the Milkymist One on the desktop: the same bits, as fast as this machine can. */
#ifndef BOARD_HOST_HOST_H
#define BOARD_HOST_HOST_H

#include "base/cpu.h"
#include "board/patch/patch.h"
#include "board/step/step.h"

enum { BOARD_HOST_MEMORY = 1 << 22 }; /* bytes; behind BOARD_FREE_AT for pictures */

struct board_host;

/* NULL without memory. */
struct board_host *board_host_create(enum base_cpu_level cpu);
void board_host_free(struct board_host *host); /* NULL is fine */

/* The host's; valid as long as it. */
const struct board_units *board_host_units(struct board_host *host);

/* Makes ready what the units need to run the patch: before it is loaded into a state whose units
 * these are. It must outlive its use. Returns 0, or -1 without memory; what was there stays. */
int board_host_take(struct board_host *host, const struct board_loaded *loaded);

/* The screen as 0x00RRGGBB, 5 and 6 bits widened by repeating their upper ones. */
void board_host_show(const struct board_host *host, uint32_t *pixels, size_t stride);

#endif
