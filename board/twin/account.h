/* Where a machine's cycles went: who worked at the same time, how many pictures came of it, and
 * what memory carried. */
#ifndef BOARD_TWIN_ACCOUNT_H
#define BOARD_TWIN_ACCOUNT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "board/twin/machine.h"

/* The machine calls settle after everything that may begin or end work, present when a picture was
 * handed to the screen, and seen when a new picture was shown to its last line. */
void board_twin_account_settle(struct board_twin *board);
void board_twin_account_present(struct board_twin *board);
void board_twin_account_seen(struct board_twin *board);

/* Transactions of the memory bus since the start, and the cycles in which one was under way. The
 * texture mapper's model has a bus of its own, on which the screen's scan is not counted again. */
uint64_t board_twin_bus_accesses(const struct board_twin *board);
uint64_t board_twin_bus_busy(const struct board_twin *board);

/* What a show came to: differences of the last and the first picture's sums, which are `pictures`
 * apart. All 0 with fewer than two pictures. Cycles, and numbers of frames. */
struct board_twin_show {
    struct board_twin_sums sums;
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

struct board_twin_show board_twin_account_show(const struct board_twin *board);

/* Which functions of a boot image the cycles go to: the processor is looked at every few hundred
 * cycles, and the cycles since the last look are charged to the function it is in and to those that
 * called it. Changes nothing of what runs. One thread. */

enum {
    BOARD_TWIN_PROFILE_NONE = -1,
    BOARD_TWIN_PROFILE_EDGES = 16384, /* pairs of caller and called that are kept apart */
};

struct board_twin_function {
    uint32_t address;
    uint32_t size;    /* bytes; 0: up to the next function */
    const char *name; /* within the ELF file */
    uint64_t self;    /* cycles in the function itself */
    uint64_t total;   /* with what it calls */
};

/* Cycles in `called` and what it calls, while `caller` is what called it. Numbers of functions. */
struct board_twin_edge {
    int caller;
    int called;
    uint64_t cycles; /* 0: free */
};

struct board_twin_profile {
    struct board_twin_function *functions; /* by rising address; owned */
    size_t count;
    struct board_twin_edge *edges; /* a hash table; owned */
    size_t edge_count;
    int within;       /* only what this function calls counts; BOARD_TWIN_PROFILE_NONE: all */
    bool pauses;      /* nothing counts */
    uint64_t all;     /* cycles that counted */
    uint64_t outside; /* those of them in no function */
    uint64_t last;    /* cycle of the last look */
    uint32_t random;  /* of the times between looks */
};

/* Functions of an ELF file (32 bits, big endian), whose bytes must stay; those whose names have
 * more than 255 bytes are left out. False, with nothing to free, without memory or if it is no such
 * file or names no function. */
bool board_twin_profile_create(struct board_twin_profile *profile, const void *elf, size_t size);
void board_twin_profile_free(struct board_twin_profile *profile);

/* The number of a function by its name, of one at an address; BOARD_TWIN_PROFILE_NONE. */
int board_twin_profile_find(const struct board_twin_profile *profile, const char *name);
int board_twin_profile_at(const struct board_twin_profile *profile, uint32_t address);

/* The function for board_twin_host.look; user: a struct board_twin_profile. Returns the cycle of
 * the next look. */
uint64_t board_twin_profile_look(void *user, const struct board_twin *board);

#endif
