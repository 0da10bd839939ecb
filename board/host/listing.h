/* A preset from a file to what the board runs. */
#ifndef BOARD_HOST_LISTING_H
#define BOARD_HOST_LISTING_H

#include "board/patch/compile.h"
#include "pfpu/microcode/listing.h"

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
