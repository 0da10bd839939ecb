/* PFPU and TMU of the Milkymist One on the desktop: the same bits, as fast as this machine can. */
#ifndef BOARD_HOST_HOST_H
#define BOARD_HOST_HOST_H

#include "base/cpu.h"
#include "board/patch/patch.h"
#include "board/step/step.h"
#include "pfpu/microcode/listing.h"

enum { BOARD_HOST_MEMORY = 1 << 23 }; /* bytes; behind BOARD_FREE_AT for pictures */

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

/* A preset from a file to what the board runs, for a look at its programs. */

struct board_listing {
    struct preset preset;
    struct base_arena arena;  /* owns the board's programs */
    struct pfpu_board *board; /* NULL: it does not fit, has errors, or memory is short */
    char (*link_names)[16];   /* by link; of what goes from program to program */
    double seconds;           /* of processor time for compiling */
};

/* "milkymist-one" or "thesis"; NULL for any other name, as for "host". */
const struct pfpu_target *board_target(const char *name);

/* The scheduler of the name; the first one for NULL and for any other name. */
enum pfpu_board_scheduler board_scheduler(const char *name);

/* Reads and compiles. dumper: NULL for none. 0, or -1 with a message if the file cannot be read as
 * a preset. To be freed in both cases. */
int board_listing_load(struct board_listing *patch, const char *path,
                       const struct pfpu_target *target, enum pfpu_board_scheduler scheduler,
                       const struct pfpu_dumper *dumper, const struct base_diag_sink *sink);
void board_listing_free(struct board_listing *patch);

/* What a key of the board's programs is called: a variable of the equations; column or row of the
 * vertex; link3 for what one program hands over to the other, cpu3 for what the CPU does, and
 * carried3 for what goes from vertex to vertex. */
struct pfpu_key_names board_listing_key_names(const struct board_listing *patch);

#endif
