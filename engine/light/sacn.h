/* Streaming ACN (ANSI E1.31-2018): packets read in place and written. Pure functions without memory
 * of their own; no packet, whatever is in it, makes them read outside it. Layouts: spec/control.md
 * and the standard. */
#ifndef ENGINE_LIGHT_SACN_H
#define ENGINE_LIGHT_SACN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    ENGINE_SACN_PORT = 5568, /* of UDP */
    ENGINE_SACN_CHANNELS = 512,
    ENGINE_SACN_FIRST = 1, /* universes */
    ENGINE_SACN_LAST = 63999,
    ENGINE_SACN_DISCOVERY = 64214, /* the universe of lists of universes */
    ENGINE_SACN_HEAD = 126,        /* bytes of a packet with levels before them */
    ENGINE_SACN_SYNC = 49,         /* bytes of what shows levels that were held */
    ENGINE_SACN_LIST = 120,        /* bytes of a list of universes before them */
    ENGINE_SACN_PAGE = 512,        /* universes of one list */
    ENGINE_SACN_PACKET = ENGINE_SACN_LIST + 2 * ENGINE_SACN_PAGE, /* bytes of the largest */
    ENGINE_SACN_CID = 16,
    ENGINE_SACN_NAME = 64, /* bytes with the NUL */
    ENGINE_SACN_PRIORITY = 100,
    ENGINE_SACN_PRIORITY_MAX = 200,
};

enum engine_sacn_kind {
    ENGINE_SACN_NONE, /* not valid, or of no interest here */
    ENGINE_SACN_IS_LEVELS,
    ENGINE_SACN_IS_SYNC,
    ENGINE_SACN_IS_LIST,
};

/* A packet of any kind; what it does not have is 0. The name is read as it is but for control
 * characters, and ends in NUL. */
struct engine_sacn {
    uint8_t cid[ENGINE_SACN_CID]; /* of the source, as long as it lives */
    char name[ENGINE_SACN_NAME];  /* levels, list */
    uint8_t priority;             /* levels: 0..200 */
    uint8_t sequence;             /* levels, sync */
    bool preview;                 /* levels: not for what is seen */
    bool terminated;              /* levels: the source ends this stream */
    bool forced;                  /* levels: go on without sync where that is lost */
    uint16_t universe;            /* levels: 1..63999 */
    uint16_t sync;                /* levels, sync: the universe that shows them; 0: none */
    const uint8_t *levels;        /* in the packet */
    size_t count;                 /* 0..512 */
    uint8_t page;                 /* list */
    uint8_t last_page;
    size_t universes;
    const uint8_t *list; /* in the packet: engine_sacn_universe */
};

/* What is in the packet, and its kind. NONE: *read is not to be used. A packet of another start
 * code than 0 has no levels for channels: NONE. */
enum engine_sacn_kind engine_sacn_read(struct engine_sacn *read, const uint8_t *bytes, size_t size);

/* The universe at a place of a list that was read, below `universes`. */
uint16_t engine_sacn_universe(const struct engine_sacn *read, size_t place);

/* These write whole packets into `to`, which has room for ENGINE_SACN_PACKET bytes, and return
 * their size. A list has the universes in rising order, ENGINE_SACN_PAGE at most. */
size_t engine_sacn_write_levels(uint8_t *to, const struct engine_sacn *levels);
size_t engine_sacn_write_sync(uint8_t *to, const struct engine_sacn *sync);
size_t engine_sacn_write_list(uint8_t *to, const struct engine_sacn *list,
                              const uint16_t *universes);

/* The address of IPv4 at which a universe is heard. */
void engine_sacn_group(uint16_t universe, uint8_t address[4]);

#endif
