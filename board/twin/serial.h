/* The serial core, as console and as MIDI (spec/milkymist-one-devices.md section 3): a bit takes 16
 * * divisor cycles, bytes are seen in the middle of their stop bit, and nothing is kept for
 * software that is late. */
#ifndef BOARD_TWIN_SERIAL_H
#define BOARD_TWIN_SERIAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { BOARD_TWIN_UART_QUEUE = 4096 }; /* bytes that may wait outside, a power of two */

struct board_twin_uart {
    uint32_t divisor;
    uint64_t ticks_from; /* cycle; from then on there is a tick at each `divisor` cycles */
    uint32_t status;     /* the events */
    uint32_t control;
    uint32_t debug;

    bool sending;
    bool hidden; /* nobody sees what is sent: through mode */
    uint8_t byte;
    uint64_t send_from; /* tick before which the byte was written */
    uint64_t send_at;   /* cycle at which it was written */
    uint64_t sent_at;   /* cycle at which all of it is out */

    uint8_t received;
    bool receiving;
    uint64_t heard_from; /* tick at which the start bit was seen */
    unsigned samples;    /* bits that were looked at */
    uint32_t bits;       /* those, the first lowest */
    uint64_t listens_from;
    uint64_t cleared_at; /* cycle before which a received event was cleared */

    /* Outside. */
    bool level;            /* of the line, where no byte is on it */
    uint32_t wire_divisor; /* at the other end */
    uint64_t wire_at;      /* cycle at which the byte begins that is on the line */
    uint8_t queue[BOARD_TWIN_UART_QUEUE];
    size_t queued; /* counts of all bytes ever put in, and of those that are through */
    size_t taken;
};

/* The other end sends at this divisor, too, whatever becomes of the register. */
void board_twin_uart_reset(struct board_twin_uart *uart, uint32_t divisor);
uint32_t board_twin_uart_read(const struct board_twin_uart *uart, uint32_t offset);
void board_twin_uart_write(struct board_twin_uart *uart, uint64_t now, uint32_t offset,
                           uint32_t value);

/* Whether the interrupt line is up. */
bool board_twin_uart_line(const struct board_twin_uart *uart);

/* When something happens; UINT64_MAX: never. */
uint64_t board_twin_uart_due(const struct board_twin_uart *uart);

/* The first of the things that happen until now. Returns a byte that the other end has received, or
 * -1. */
int board_twin_uart_event(struct board_twin_uart *uart, uint64_t now);

/* The byte that is being sent is over, since the machine stops. Returns it, or -1. */
int board_twin_uart_flush(struct board_twin_uart *uart);

/* Puts a byte at the other end of the line. False if too many wait there. */
bool board_twin_uart_receive(struct board_twin_uart *uart, uint64_t now, uint8_t byte);

/* Sets the line that comes in, for one who sends bits himself and no bytes. */
void board_twin_uart_set_level(struct board_twin_uart *uart, uint64_t now, bool level);

/* The line that goes out. */
bool board_twin_uart_level(const struct board_twin_uart *uart, uint64_t now);

#endif
