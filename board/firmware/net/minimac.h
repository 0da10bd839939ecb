/* The network's registers (spec/milkymist-one-devices.md section 8): frames of Ethernet in and out.
 * Preamble, padding and checksum are made and checked here; the core does none of it. */
#ifndef BOARD_FIRMWARE_NET_MINIMAC_H
#define BOARD_FIRMWARE_NET_MINIMAC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "board/firmware/trap.h"

enum {
    BOARD_MINIMAC_ADDRESS = 6,
    BOARD_MINIMAC_PAD = 2,      /* bytes before a frame, so that what follows its head is aligned */
    BOARD_MINIMAC_FRAME = 1518, /* bytes at most, with the checksum */
    BOARD_MINIMAC_ROOM = 1536,
    BOARD_MINIMAC_RING = 32, /* frames that wait */
};

struct board_minimac_frame {
    uint32_t size; /* without pad, preamble and checksum */
    _Alignas(4) uint8_t bytes[BOARD_MINIMAC_ROOM];
};

/* The interrupt writes frames for this address and for all, a task reads them. While there is no
 * room, or while it is paused, the interrupt is off and what comes is lost at no cost. */
struct board_minimac {
    uint8_t address[BOARD_MINIMAC_ADDRESS];
    volatile uint32_t written;
    volatile uint32_t read;
    volatile bool off;        /* the interrupt is */
    volatile uint32_t cycles; /* that the interrupt has spent, of all time */
    uint32_t damaged;         /* frames whose checksum or length was wrong */
    uint32_t sent;
    uint32_t stuck; /* frames that were not sent since the one before never went out */
    int phy;        /* place of the network chip on its bus; -1: none has answered */
    struct board_minimac_frame frames[BOARD_MINIMAC_RING];
    uint32_t out[BOARD_MINIMAC_ROOM / 4];
};

/* Takes the address from the flash memory, where the board has it; without a valid one it gets one
 * that all such boards share, and the result is false. The network chip is in reset until
 * board_minimac_start, and should be for 10 milliseconds. */
bool board_minimac_begin(struct board_minimac *mac);

/* Ends the reset; frames come from now on. *mac must last as long as the handlers. */
void board_minimac_start(struct board_minimac *mac, struct board_interrupt_handlers *handlers);

/* The oldest frame, behind BOARD_MINIMAC_PAD bytes, until it is dropped; NULL: none. Damaged ones
 * are passed over. */
struct board_minimac_frame *board_minimac_frame(struct board_minimac *mac);
void board_minimac_drop(struct board_minimac *mac);

static inline bool board_minimac_has_frames(const struct board_minimac *mac)
{
    return mac->written != mac->read;
}

/* Stops and goes on taking frames. */
void board_minimac_pause(struct board_minimac *mac);
void board_minimac_resume(struct board_minimac *mac);

/* Where the next frame to send is put together: BOARD_MINIMAC_PAD bytes, then the frame. */
uint8_t *board_minimac_out(struct board_minimac *mac);

/* Sends it. size: without pad, preamble and checksum. Waits for the frame before, 130 microseconds
 * at most; false if that never goes out. */
bool board_minimac_send(struct board_minimac *mac, size_t size);

/* Asks for a network chip at place 0..31 of its bus, and notes it where one answers. 5000 cycles.
 */
bool board_minimac_look(struct board_minimac *mac, unsigned place);

/* Whether the chip has a link; true where no chip answers. 5000 cycles. */
bool board_minimac_link(const struct board_minimac *mac);

#endif
