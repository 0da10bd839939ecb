/* A preset from a file to what the board runs. */
#ifndef APP_BOARD_PATCH_H
#define APP_BOARD_PATCH_H

#include "pfpu/listing.h"
#include "renderer/board.h"

struct app_board_patch {
    struct preset preset;
    struct base_arena arena;  /* owns the board's programs */
    struct pfpu_board *board; /* NULL: it does not fit, has errors, or memory is short */
    char (*link_names)[16];   /* by link; of what goes from program to program */
    double seconds;           /* of processor time for compiling */
};

/* "milkymist-one" or "thesis"; NULL for any other name, as for "host". */
const struct pfpu_target *app_board_target(const char *name);

/* The scheduler of the name; the first one for NULL and for any other name. */
enum pfpu_board_scheduler app_board_scheduler(const char *name);

/* Reads and compiles. 0, or -1 with a message if the file cannot be read as a preset. To be freed
 * in both cases. */
int app_board_patch_load(struct app_board_patch *patch, const char *path,
                         const struct pfpu_target *target, enum pfpu_board_scheduler scheduler,
                         const struct base_diag_sink *sink);
void app_board_patch_free(struct app_board_patch *patch);

/* What a key of the board's programs is called: a variable of the equations; column or row of the
 * vertex; link3 for what one program hands over to the other, cpu3 for what the CPU does, and
 * carried3 for what goes from vertex to vertex. */
struct pfpu_key_names app_board_key_names(const struct app_board_patch *patch);

#endif
