/* The other end of the board's network cable: the twin's frames of Ethernet to and from a TAP
 * device of Linux, or datagrams to and from programs of this machine. One thread. */
#ifndef APP_BOARD_NETWORK_H
#define APP_BOARD_NETWORK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"
#include "board/twin/machine.h"

enum {
    APP_BOARD_FRAME = 1514, /* bytes of a frame without preamble and checksum */
    APP_BOARD_WIRE = APP_BOARD_FRAME + 12,
};

struct app_board_network;

/* what: as --network takes it. NULL with a message. */
struct app_board_network *app_board_network_open(const char *what,
                                                 const struct base_diag_sink *sink);
void app_board_network_close(struct app_board_network *network); /* NULL is fine */

/* Whether `what` is written right; a message if not. */
bool app_board_network_check(const char *what, const struct base_diag_sink *sink);

/* The board has sent these, with preamble and checksum. */
void app_board_network_take(struct app_board_network *network, const uint8_t *bytes, size_t size);

/* Runs the board until the cycle, or a picture was shown as board_twin_run does, and gives it what
 * comes in meanwhile, one frame right behind the other. network NULL: the cable is not plugged in.
 */
bool app_board_network_run(struct app_board_network *network, struct board_twin *board,
                           uint64_t cycle);

/* As the line has it: puts preamble and checksum around a frame, which is padded. Returns the size.
 */
size_t app_board_wire(uint8_t wire[APP_BOARD_WIRE], const uint8_t *frame, size_t size);

/* A frame with a datagram to whoever hears the address at the port of Open Sound Control. Returns
 * its size; count: at most 1472. */
size_t app_board_datagram(uint8_t frame[APP_BOARD_FRAME], const uint8_t board[6], uint32_t to,
                          uint32_t from, uint16_t from_port, const uint8_t *bytes, size_t count);

#endif
