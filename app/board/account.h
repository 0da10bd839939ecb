/* Where a machine's cycles went: who worked at the same time, how many pictures came of it, and
 * what memory carried. */
#ifndef APP_BOARD_ACCOUNT_H
#define APP_BOARD_ACCOUNT_H

#include "app/board/machine.h"

/* The machine calls settle after everything that may begin or end work, present when a picture was
 * handed to the screen, and seen when a new picture was shown to its last line. */
void app_board_account_settle(struct app_board *board);
void app_board_account_present(struct app_board *board);
void app_board_account_seen(struct app_board *board);

/* Transactions of the memory bus since the start, and the cycles in which one was under way. The
 * texture mapper's model has a bus of its own, on which the screen's scan is not counted again. */
uint64_t app_board_bus_accesses(const struct app_board *board);
uint64_t app_board_bus_busy(const struct app_board *board);

/* What a show came to: differences of the last and the first picture's sums, which are `pictures`
 * apart. All 0 with fewer than two pictures. Cycles, and numbers of frames. */
struct app_board_show {
    struct app_board_sums sums;
    double seconds;
    double pictures_per_second;
    double left_out; /* blocks of sound for which there was no picture */
    double unseen;   /* pictures that were replaced by another one before they were shown */
    /* Cycles of a frame in which these were at work. */
    double cpu;     /* the processor, for the show */
    double program; /* the processor, for the program and not for the show */
    double pfpu;
    double tmu;
    double two; /* exactly two of processor (whatever it did), PFPU and TMU at the same time */
    double three;
    double gap;           /* cycles between two pictures, at most */
    double bandwidth;     /* bits per second */
    double scan;          /* the screen's part of them */
    double occupancy;     /* 0..1 */
    double access_time;   /* cycles from request to first word, mean */
    double first_picture; /* seconds from the start until it had been shown; 0: none was */
};

struct app_board_show app_board_account_show(const struct app_board *board);

#endif
