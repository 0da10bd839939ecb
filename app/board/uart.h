/* The serial core, as console and as MIDI: one byte takes 10 bits of 16 * divisor cycles. */
#ifndef APP_BOARD_UART_H
#define APP_BOARD_UART_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { APP_BOARD_UART_QUEUE = 4096 }; /* bytes that may wait outside, a power of two */

struct app_board_uart {
    uint32_t divisor;
    uint32_t status; /* the events */
    uint32_t control;
    uint32_t debug;
    uint8_t received;
    bool sending;
    uint64_t sent_at;
    bool receiving;
    uint64_t received_at;
    uint8_t queue[APP_BOARD_UART_QUEUE];
    size_t queued; /* counts of all bytes ever put in, and taken out */
    size_t taken;
};

void app_board_uart_reset(struct app_board_uart *uart, uint32_t divisor);
uint32_t app_board_uart_read(const struct app_board_uart *uart, uint32_t offset);

/* Returns the byte that is sent, or -1. */
int app_board_uart_write(struct app_board_uart *uart, uint64_t now, uint32_t offset,
                         uint32_t value);

/* Whether the interrupt line is up. */
bool app_board_uart_line(const struct app_board_uart *uart);

/* When something happens; UINT64_MAX: never. */
uint64_t app_board_uart_due(const struct app_board_uart *uart);

/* What happens until now. Returns a byte that goes straight from the input to the output, or -1. */
int app_board_uart_event(struct app_board_uart *uart, uint64_t now);

/* Puts a byte at the other end of the line. False if too many wait there. */
bool app_board_uart_receive(struct app_board_uart *uart, uint64_t now, uint8_t byte);

#endif
