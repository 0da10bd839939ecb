/* A Milkymist One: processor, caches, memory and devices, as plain state that depends on the image,
 * the card, the sound and the inputs alone. One thread. */
#ifndef APP_BOARD_MACHINE_H
#define APP_BOARD_MACHINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "app/board/ac97.h"
#include "app/board/card.h"
#include "app/board/lm32.h"
#include "app/board/memory.h"
#include "app/board/pfpu.h"
#include "app/board/registers.h"
#include "app/board/system.h"
#include "app/board/tmu.h"
#include "app/board/uart.h"
#include "app/board/vga.h"

enum {
    APP_BOARD_MONITOR = 8192,  /* bytes of the debug monitor's memory */
    APP_BOARD_BUFFERS = 16384, /* of the USB controller's and of Ethernet's memory, each */
    APP_BOARD_DMX = 512,
    APP_BOARD_ENTRY = 0x40000000,
    APP_BOARD_CMDLINE = 0x41000000,
    APP_BOARD_IMAGE_MAX = 64 * 1024 * 1024,
};

/* Why a machine stands still. */
enum app_board_stop {
    APP_BOARD_RUNS,
    APP_BOARD_ILLEGAL,  /* an instruction that is none */
    APP_BOARD_BROKE,    /* a breakpoint without a debugger */
    APP_BOARD_RESET,    /* the program asked for it */
    APP_BOARD_OFF,      /* the program switched the board off */
    APP_BOARD_EXITED,   /* system call exit, with host calls */
    APP_BOARD_NO_MEMORY /* for the timing model */
};

struct app_board;

/* What the machine tells while it runs; each may be NULL. */
struct app_board_host {
    void (*console)(void *user, uint8_t byte);
    void (*midi)(void *user, uint8_t byte);
    void *user;
    uint64_t (*look)(void *user, const struct app_board *board); /* profile.h; NULL: nobody looks */
    void *looker;                                                /* its user */
    struct app_board_jacks sound;
};

struct app_board_others {
    uint8_t monitor[APP_BOARD_MONITOR];
    uint8_t usb[APP_BOARD_BUFFERS];
    uint8_t ethernet[APP_BOARD_BUFFERS];
    uint8_t dmx_out[APP_BOARD_DMX];
    uint8_t dmx_in[APP_BOARD_DMX];
    bool dmx_through;
    uint32_t infrared; /* the last code */
    bool meter_counts;
    uint64_t meter_busy; /* of the bus, when the meter was switched on; what it had before */
    uint64_t meter_accesses;
    uint32_t requested;
    uint32_t served;
};

/* What is at work, as bits. The processor tells by its lights what it works for. */
enum app_board_worker {
    APP_BOARD_SHOW = 1,    /* light 0 */
    APP_BOARD_PROGRAM = 2, /* light 1 */
    APP_BOARD_PFPU = 4,
    APP_BOARD_TMU = 8,
    APP_BOARD_TEAMS = 16
};

/* Sums since the start. */
struct app_board_sums {
    uint64_t cycles;
    uint64_t teams[APP_BOARD_TEAMS]; /* cycles, by who worked at the same time */
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
struct app_board_account {
    unsigned team; /* who works since cycle `since` */
    uint64_t since;
    uint64_t teams[APP_BOARD_TEAMS];
    uint64_t presented;  /* pictures that were handed to the screen, since the start */
    uint64_t first_seen; /* cycle at which the show's first picture had been shown; 0: none */
    uint64_t gap;        /* cycles between two pictures of the show, at most */
    uint64_t lag;        /* smallest lead of sound blocks over pictures in the first 8 pictures */
    uint64_t lags[8];    /* that lead at each of the last 8 pictures: picture n at n modulo 8 */
    struct app_board_sums first; /* when the first picture was handed over; 0 pictures: none was */
    struct app_board_sums last;
};

struct app_board {
    struct app_lm32 cpu;
    struct app_board_memory memory;
    struct app_board_uart console;
    struct app_board_uart midi;
    struct app_board_system system;
    struct app_board_vga vga;
    struct app_board_ac97 ac97;
    struct app_board_pfpu pfpu;
    struct app_board_tmu tmu;
    struct app_board_card card;
    struct app_board_others others;
    struct app_board_account account;
    struct app_board_host host;
    enum app_board_stop stop;
    bool host_calls; /* system calls 1 (exit) and 5 (write) are the host's */
    uint32_t exit_code;
    uint64_t due;  /* of the next event of any device */
    uint64_t look; /* when the profile wants to look next */
    bool pictured; /* a new picture has been shown since app_board_run began */
};

/* A board whose SDRAM holds the image, about to enter it as the BIOS does. Large: on the heap. NULL
 * without memory. The image is cut at APP_BOARD_IMAGE_MAX bytes. command_line: NULL for none. */
struct app_board *app_board_create(const void *image, size_t size, const char *command_line);
void app_board_free(struct app_board *board); /* NULL is fine */

/* Runs until the processor has reached the cycle, a new picture was shown, or the machine stopped.
 * True if a picture was shown. */
bool app_board_run(struct app_board *board, uint64_t cycle);

/* Inputs, at the cycle at which the machine stands. */
void app_board_press(struct app_board *board,
                     uint32_t buttons);                     /* bits 0..2, those that are down */
bool app_board_type(struct app_board *board, uint8_t byte); /* false: too many wait */
bool app_board_midi(struct app_board *board, uint8_t byte);
void app_board_infrared(struct app_board *board, uint32_t code); /* RC5, 13 bits */
void app_board_dmx(struct app_board *board, unsigned channel, uint8_t value);

/* The value of an output channel of DMX. */
uint8_t app_board_dmx_value(const struct app_board *board, unsigned channel);

/* Called by bus.c after a write, which may have started something: finds out when the next event is
 * due, sets the interrupt lines that are levels, and notes what is at work. */
void app_board_settle(struct app_board *board);

#endif
