/* Which functions of a boot image the cycles go to: the processor is looked at every few hundred
 * cycles, and the cycles since the last look are charged to the function it is in and to those that
 * called it. Changes nothing of what runs. One thread. */
#ifndef APP_BOARD_PROFILE_H
#define APP_BOARD_PROFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "app/board/machine.h"

enum {
    APP_BOARD_PROFILE_NONE = -1,
    APP_BOARD_PROFILE_EDGES = 16384, /* pairs of caller and called that are kept apart */
};

struct app_board_function {
    uint32_t address;
    uint32_t size;    /* bytes; 0: up to the next function */
    const char *name; /* within the ELF file */
    uint64_t self;    /* cycles in the function itself */
    uint64_t total;   /* with what it calls */
};

/* Cycles in `called` and what it calls, while `caller` is what called it. Numbers of functions. */
struct app_board_edge {
    int caller;
    int called;
    uint64_t cycles; /* 0: free */
};

struct app_board_profile {
    struct app_board_function *functions; /* by rising address; owned */
    size_t count;
    struct app_board_edge *edges; /* a hash table; owned */
    size_t edge_count;
    int within;       /* only what this function calls counts; APP_BOARD_PROFILE_NONE: all */
    bool pauses;      /* nothing counts */
    uint64_t all;     /* cycles that counted */
    uint64_t outside; /* those of them in no function */
    uint64_t last;    /* cycle of the last look */
    uint32_t random;  /* of the times between looks */
};

/* Functions of an ELF file (32 bits, big endian), whose bytes must stay. False, with nothing to
 * free, without memory or if it is no such file or names no function. */
bool app_board_profile_create(struct app_board_profile *profile, const void *elf, size_t size);
void app_board_profile_free(struct app_board_profile *profile);

/* The number of a function by its name, of one at an address; APP_BOARD_PROFILE_NONE. */
int app_board_profile_find(const struct app_board_profile *profile, const char *name);
int app_board_profile_at(const struct app_board_profile *profile, uint32_t address);

/* The function for app_board_host.look; user: a struct app_board_profile. Returns the cycle of the
 * next look. */
uint64_t app_board_profile_look(void *user, const struct app_board *board);

#endif
