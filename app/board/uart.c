#include "app/board/uart.h"

#include <string.h>

#include "app/board/registers.h"

enum {
    READY = 1, /* status */
    RECEIVED = 2,
    SENT = 4,
    RECEIVE_INTERRUPT = 1, /* control */
    SEND_INTERRUPT = 2,
    THROUGH = 4,
    BITS = 10,
    OVERSAMPLING = 16,
    DIVISOR_MASK = 0xFFFF,
};

void app_board_uart_reset(struct app_board_uart *uart, uint32_t divisor)
{
    memset(uart, 0, sizeof *uart);
    uart->divisor = divisor;
}

static uint64_t byte_cycles(const struct app_board_uart *uart)
{
    const uint64_t divisor = uart->divisor > 0 ? uart->divisor : 1;
    return divisor * OVERSAMPLING * BITS;
}

uint32_t app_board_uart_read(const struct app_board_uart *uart, uint32_t offset)
{
    switch (offset) {
    case APP_BOARD_uart_data:
        return uart->received;
    case APP_BOARD_uart_divisor:
        return uart->divisor;
    case APP_BOARD_uart_status:
        return uart->status | (uart->sending ? 0 : READY);
    case APP_BOARD_uart_control:
        return uart->control;
    case APP_BOARD_uart_debug:
        return uart->debug;
    default:
        return 0;
    }
}

static int send(struct app_board_uart *uart, uint64_t now, uint8_t byte)
{
    if ((uart->control & THROUGH) != 0 || uart->sending) {
        return -1;
    }
    uart->sending = true;
    uart->sent_at = now + byte_cycles(uart);
    return byte;
}

int app_board_uart_write(struct app_board_uart *uart, uint64_t now, uint32_t offset, uint32_t value)
{
    switch (offset) {
    case APP_BOARD_uart_data:
        return send(uart, now, (uint8_t)value);
    case APP_BOARD_uart_divisor:
        uart->divisor = value & DIVISOR_MASK;
        break;
    case APP_BOARD_uart_status:
        uart->status &= ~value;
        break;
    case APP_BOARD_uart_control:
        uart->control = value & (RECEIVE_INTERRUPT | SEND_INTERRUPT | THROUGH);
        break;
    case APP_BOARD_uart_debug:
        uart->debug = value & 1;
        break;
    default:
        break;
    }
    return -1;
}

bool app_board_uart_line(const struct app_board_uart *uart)
{
    return ((uart->status & RECEIVED) != 0 && (uart->control & RECEIVE_INTERRUPT) != 0) ||
           ((uart->status & SENT) != 0 && (uart->control & SEND_INTERRUPT) != 0);
}

uint64_t app_board_uart_due(const struct app_board_uart *uart)
{
    const uint64_t sent = uart->sending ? uart->sent_at : UINT64_MAX;
    const uint64_t received = uart->receiving ? uart->received_at : UINT64_MAX;
    return sent < received ? sent : received;
}

static void begin_receiving(struct app_board_uart *uart, uint64_t now)
{
    uart->receiving = uart->taken < uart->queued;
    uart->received_at = now + byte_cycles(uart);
}

int app_board_uart_event(struct app_board_uart *uart, uint64_t now)
{
    if (uart->sending && uart->sent_at <= now) {
        uart->sending = false;
        uart->status |= SENT;
    }
    if (!uart->receiving || uart->received_at > now) {
        return -1;
    }
    uart->received = uart->queue[uart->taken++ % APP_BOARD_UART_QUEUE];
    uart->status |= RECEIVED;
    begin_receiving(uart, uart->received_at);
    return (uart->control & THROUGH) != 0 ? uart->received : -1;
}

bool app_board_uart_receive(struct app_board_uart *uart, uint64_t now, uint8_t byte)
{
    if (uart->queued - uart->taken == APP_BOARD_UART_QUEUE) {
        return false;
    }
    uart->queue[uart->queued++ % APP_BOARD_UART_QUEUE] = byte;
    if (!uart->receiving) {
        begin_receiving(uart, now);
    }
    return true;
}
