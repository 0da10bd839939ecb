/* A Milkymist One: processor, caches, memory and devices, as plain state that depends on the image,
 * the card, the sound and the inputs alone. One thread. */
#ifndef BOARD_TWIN_MACHINE_H
#define BOARD_TWIN_MACHINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "board/twin/card.h"
#include "board/twin/power/cut.h"
#include "board/twin/flash.h"
#include "board/twin/lines.h"
#include "board/twin/lm32.h"
#include "board/twin/media.h"
#include "board/twin/memory.h"
#include "board/twin/serial.h"
#include "board/twin/system.h"
#include "board/twin/units.h"

enum {
    BOARD_TWIN_MONITOR = 8192,  /* bytes of the debug monitor's memory */
    BOARD_TWIN_BUFFERS = 16384, /* of the USB controller's memory */
    BOARD_TWIN_ENTRY = 0x40000000,
    BOARD_TWIN_CMDLINE = 0x41000000,
    BOARD_TWIN_IMAGE_MAX = 64 * 1024 * 1024,
};

/* Why a machine stands still. */
enum board_twin_stop {
    BOARD_TWIN_RUNS,
    BOARD_TWIN_ILLEGAL,  /* an instruction that is none */
    BOARD_TWIN_BROKE,    /* a breakpoint without a debugger */
    BOARD_TWIN_RESET,    /* the program asked for it */
    BOARD_TWIN_OFF,      /* the program switched the board off */
    BOARD_TWIN_EXITED,   /* system call exit, with host calls */
    BOARD_TWIN_CUT_OFF,  /* the power has gone while card or flash memory stored something */
    BOARD_TWIN_NO_MEMORY /* for the timing model */
};

struct board_twin;

/* What the machine tells while it runs; each may be NULL. */
struct board_twin_host {
    void (*console)(void *user, uint8_t byte);
    void (*midi)(void *user, uint8_t byte);
    void (*packet)(void *user, const uint8_t *bytes, size_t size); /* sent to the network */
    void *user;
    uint64_t (*look)(void *user,
                     const struct board_twin *board); /* profile.h; NULL: nobody looks */
    void *looker;                                     /* its user */
    struct board_twin_jacks sound;
};

struct board_twin_others {
    uint8_t monitor[BOARD_TWIN_MONITOR];
    uint8_t usb[BOARD_TWIN_BUFFERS];
    bool meter_counts;
    uint64_t meter_busy; /* of the bus, when the meter was switched on; what it had before */
    uint64_t meter_accesses;
    uint32_t requested;
    uint32_t served;
};

/* What is at work, as bits. The processor tells by its lights what it works for. */
enum board_twin_worker {
    BOARD_TWIN_SHOW = 1,    /* light 0 */
    BOARD_TWIN_PROGRAM = 2, /* light 1 */
    BOARD_TWIN_PFPU = 4,
    BOARD_TWIN_TMU = 8,
    BOARD_TWIN_TEAMS = 16
};

/* Sums since the start. */
struct board_twin_sums {
    uint64_t cycles;
    uint64_t teams[BOARD_TWIN_TEAMS]; /* cycles, by who worked at the same time */
    uint64_t instructions;
    uint64_t accesses; /* of the memory bus, the screen's scan among them */
    uint64_t busy;     /* cycles in which one was up */
    uint64_t scans;    /* the screen's part of the accesses */
    uint64_t blocks;   /* of sound */
    uint64_t presented;
    uint64_t replaced; /* pictures that another one took the place of before they were shown */
    uint64_t pfpu_runs;
    uint64_t tmu_runs;
    uint64_t pixels; /* of the texture mapper */
};

/* The show: from the first picture that the texture mapper had a part in. */
struct board_twin_account {
    unsigned team; /* who works since cycle `since` */
    uint64_t since;
    uint64_t teams[BOARD_TWIN_TEAMS];
    uint64_t presented;  /* pictures that were handed to the screen, since the start */
    uint64_t first_seen; /* cycle at which the show's first picture had been shown; 0: none */
    uint64_t gap;        /* cycles between two pictures of the show, at most */
    uint64_t lag;        /* smallest lead of sound blocks over pictures in the first 8 pictures */
    uint64_t lags[8];    /* that lead at each of the last 8 pictures: picture n at n modulo 8 */
    struct board_twin_sums first; /* when the first picture was handed over; 0 pictures: none was */
    struct board_twin_sums last;
};

struct board_twin {
    struct board_lm32 cpu;
    struct board_twin_memory memory;
    struct board_twin_uart console;
    struct board_twin_uart midi;
    struct board_twin_system system;
    struct board_twin_vga vga;
    struct board_twin_ac97 ac97;
    struct board_twin_pfpu pfpu;
    struct board_twin_tmu tmu;
    struct board_twin_card card;
    struct board_twin_flash flash;
    struct board_twin_ethernet ethernet;
    struct board_twin_infrared infrared;
    struct board_twin_dmx_out dmx_out;
    struct board_twin_dmx_in dmx_in;
    struct board_twin_others others;
    struct board_twin_account account;
    struct board_twin_host host;
    enum board_twin_stop stop;
    bool host_calls; /* system calls 1 (exit) and 5 (write) are the host's */
    uint32_t exit_code;
    uint64_t due;  /* of the next event of any device */
    uint64_t look; /* when the profile wants to look next */
    bool pictured; /* a new picture has been shown since board_twin_run began */
};

/* A board whose SDRAM holds the image, about to enter it as the BIOS does. Large: on the heap. NULL
 * without memory. The image is cut at BOARD_TWIN_IMAGE_MAX bytes. command_line: NULL for none. */
struct board_twin *board_twin_create(const void *image, size_t size, const char *command_line);
void board_twin_free(struct board_twin *board); /* NULL is fine */

/* What the boot loader does with the program at this offset of the flash memory: checks it, and
 * copies it to where images stand. Before the first cycle. If it refuses, *problem says why, and
 * nothing has changed. */
bool board_twin_boot(struct board_twin *board, uint32_t offset, const char **problem);

/* Runs until the processor has reached the cycle, a new picture was shown, or the machine stopped.
 * True if a picture was shown. */
bool board_twin_run(struct board_twin *board, uint64_t cycle);

/* Inputs, at the cycle at which the machine stands. */
void board_twin_press(struct board_twin *board,
                      uint32_t buttons);                      /* bits 0..2, those that are down */
bool board_twin_type(struct board_twin *board, uint8_t byte); /* false: too many wait */
bool board_twin_midi(struct board_twin *board, uint8_t byte);
bool board_twin_infrared(struct board_twin *board, uint32_t code, /* RC5, 13 bits */
                         uint32_t half); /* cycles of half a bit: BOARD_TWIN_INFRARED_HALF */
void board_twin_dmx(struct board_twin *board, unsigned channel, uint8_t value); /* at once */
/* With preamble and checksum. False: too large, or the one before is still on the line; without a
 * cable (board_twin_ethernet_plug), and while the program resets the chip, it is lost. */
bool board_twin_packet(struct board_twin *board, const uint8_t *bytes, size_t size);
void board_twin_card_in(struct board_twin *board, bool in); /* put in, or pulled out */

/* The value of an output channel of DMX. */
uint8_t board_twin_dmx_value(const struct board_twin *board, unsigned channel);

/* Called by bus.c after a write, which may have started something: finds out when the next event is
 * due, sets the interrupt lines that are levels, and notes what is at work. */
void board_twin_settle(struct board_twin *board);

/* The address map of the board (spec/milkymist-one.md section 2): what the processor's caches find
 * when they have to ask. Bit 31 of an address does not count. */

/* The bus of a board for its processor. */
struct board_lm32_bus board_twin_bus(struct board_twin *board);

/* A register, by block and offset. Reading one may change it. */
uint32_t board_twin_register_read(struct board_twin *board, uint64_t now, unsigned block,
                                  uint32_t offset);
void board_twin_register_write(struct board_twin *board, uint64_t now, unsigned block,
                               uint32_t offset, uint32_t value);

#endif
