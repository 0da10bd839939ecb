#include "board/twin/serial.h"

#include <string.h>

#include "board/twin/system.h"

enum {
    READY = 1, /* status */
    RECEIVED = 2,
    SENT = 4,
    RECEIVE_INTERRUPT = 1, /* control */
    SEND_INTERRUPT = 2,
    THROUGH = 4,
    BITS = 10,
    STOP_BIT = 9,
    OVERSAMPLING = 16, /* ticks of a bit */
    MIDDLE = 8,
    EVENT = 154,      /* ticks from the start bit until the byte is there */
    SYNCHRONISED = 2, /* cycles until the core sees its input */
    DIVISOR_MASK = 0xFFFF,
    FRAME = BITS * OVERSAMPLING,
};

void board_twin_uart_reset(struct board_twin_uart *uart, uint32_t divisor)
{
    memset(uart, 0, sizeof *uart);
    uart->divisor = divisor;
    uart->wire_divisor = divisor;
    uart->level = true;
}

static uint64_t divisor_of(const struct board_twin_uart *uart)
{
    return uart->divisor > 0 ? uart->divisor : 1;
}

static uint64_t tick_before(const struct board_twin_uart *uart, uint64_t now)
{
    return now < uart->ticks_from ? 0 : (now - uart->ticks_from) / divisor_of(uart);
}

static uint64_t time_of(const struct board_twin_uart *uart, uint64_t tick)
{
    return uart->ticks_from + tick * divisor_of(uart);
}

/* ---- What comes in. ---- */

static bool bit_of(uint8_t byte, uint64_t number)
{
    return number > 0 && (number >= STOP_BIT || (byte >> (number - 1) & 1) != 0);
}

static uint64_t wire_bit(const struct board_twin_uart *uart)
{
    return (uint64_t)uart->wire_divisor * OVERSAMPLING;
}

/* The line outside at a cycle: bytes follow each other without a pause. */
static bool level_at(const struct board_twin_uart *uart, uint64_t cycle)
{
    if (uart->taken == uart->queued || cycle < uart->wire_at) {
        return uart->level;
    }
    const uint64_t bit = (cycle - uart->wire_at) / wire_bit(uart);
    const size_t number = uart->taken + (size_t)(bit / BITS);
    return number >= uart->queued ||
           bit_of(uart->queue[number % BOARD_TWIN_UART_QUEUE], bit % BITS);
}

/* Bytes that are through leave the line. */
static void leave(struct board_twin_uart *uart, uint64_t now)
{
    while (uart->taken < uart->queued && now >= uart->wire_at + BITS * wire_bit(uart)) {
        uart->taken++;
        uart->wire_at += BITS * wire_bit(uart);
    }
}

static void hear_start(struct board_twin_uart *uart, uint64_t now)
{
    const uint64_t seen = now + SYNCHRONISED - uart->ticks_from;
    uart->receiving = true;
    uart->heard_from = (seen + divisor_of(uart) - 1) / divisor_of(uart);
    uart->samples = 0;
    uart->bits = 0;
}

/* The next fall of the line from a cycle on, among the bytes that wait. */
static void find_start(struct board_twin_uart *uart)
{
    for (uint64_t bit = 0; bit < (uart->queued - uart->taken) * BITS; bit++) {
        const uint64_t at = uart->wire_at + bit * wire_bit(uart);
        const bool before = bit == 0 ? uart->level : level_at(uart, at - 1);
        if (at >= uart->listens_from && before && !level_at(uart, at)) {
            hear_start(uart, at);
            return;
        }
    }
}

static uint64_t sample_time(const struct board_twin_uart *uart, unsigned number)
{
    return time_of(uart, uart->heard_from + MIDDLE + (uint64_t)number * OVERSAMPLING);
}

/* Looks at the bits whose middle is before a cycle. What is too short is no start. */
static void take_bits(struct board_twin_uart *uart, uint64_t now)
{
    while (uart->receiving && uart->samples < BITS) {
        const uint64_t at = sample_time(uart, uart->samples);
        if (at >= now) {
            return;
        }
        const bool bit = level_at(uart, at - SYNCHRONISED);
        uart->bits |= (uint32_t)bit << uart->samples;
        uart->samples++;
        if (uart->samples == 1 && bit) {
            uart->receiving = false;
            uart->listens_from = at;
            find_start(uart);
        }
    }
}

/* When the byte is there, or else the start bit shows whether it is one. */
static uint64_t receive_due(const struct board_twin_uart *uart)
{
    if (!uart->receiving) {
        return UINT64_MAX;
    }
    return uart->samples == 0 ? sample_time(uart, 0) + 1
                              : time_of(uart, uart->heard_from + EVENT) + 1;
}

static int receive(struct board_twin_uart *uart, uint64_t now)
{
    int through = -1;
    take_bits(uart, now);
    if (!uart->receiving || uart->samples < BITS || receive_due(uart) > now) {
        return -1;
    }
    uart->receiving = false;
    if ((uart->bits >> STOP_BIT & 1) != 0) {
        uart->received = (uint8_t)(uart->bits >> 1);
        uart->status |= uart->cleared_at == now ? 0u : RECEIVED;
        through = (uart->control & THROUGH) != 0 ? uart->received : -1;
    } else if (uart->bits == 0) {
        uart->debug = 0;
    }
    uart->listens_from = now;
    leave(uart, now);
    find_start(uart);
    return through;
}

/* ---- The registers. ---- */

uint32_t board_twin_uart_read(const struct board_twin_uart *uart, uint32_t offset)
{
    switch (offset) {
    case BOARD_TWIN_uart_data:
        return uart->received;
    case BOARD_TWIN_uart_divisor:
        return uart->divisor;
    case BOARD_TWIN_uart_status:
        return uart->status | (uart->sending ? 0 : READY);
    case BOARD_TWIN_uart_control:
        return uart->control;
    case BOARD_TWIN_uart_debug:
        return uart->debug;
    default:
        return 0;
    }
}

/* A byte that is still being sent is cut off: the other end does not get it. */
static void send(struct board_twin_uart *uart, uint64_t now, uint8_t byte)
{
    uart->sending = true;
    uart->hidden = (uart->control & THROUGH) != 0;
    uart->byte = byte;
    uart->send_at = now;
    uart->send_from = tick_before(uart, now);
    uart->sent_at = time_of(uart, uart->send_from + FRAME) + 1;
}

void board_twin_uart_write(struct board_twin_uart *uart, uint64_t now, uint32_t offset,
                           uint32_t value)
{
    switch (offset) {
    case BOARD_TWIN_uart_data:
        send(uart, now, (uint8_t)value);
        break;
    case BOARD_TWIN_uart_divisor:
        take_bits(uart, now);
        uart->divisor = value & DIVISOR_MASK;
        uart->ticks_from = now;
        uart->receiving = false;
        uart->listens_from = now;
        find_start(uart);
        break;
    case BOARD_TWIN_uart_status:
        uart->status &= ~value;
        uart->cleared_at = (value & RECEIVED) != 0 ? now + 1 : uart->cleared_at;
        break;
    case BOARD_TWIN_uart_control:
        uart->control = value & (RECEIVE_INTERRUPT | SEND_INTERRUPT | THROUGH);
        break;
    case BOARD_TWIN_uart_debug:
        uart->debug = value & 1;
        break;
    default:
        break;
    }
}

bool board_twin_uart_line(const struct board_twin_uart *uart)
{
    return ((uart->status & RECEIVED) != 0 && (uart->control & RECEIVE_INTERRUPT) != 0) ||
           ((uart->status & SENT) != 0 && (uart->control & SEND_INTERRUPT) != 0);
}

uint64_t board_twin_uart_due(const struct board_twin_uart *uart)
{
    const uint64_t sent = uart->sending ? uart->sent_at : UINT64_MAX;
    const uint64_t received = receive_due(uart);
    return sent < received ? sent : received;
}

int board_twin_uart_flush(struct board_twin_uart *uart)
{
    const int byte = uart->sending && !uart->hidden ? uart->byte : -1;
    uart->sending = false;
    return byte;
}

int board_twin_uart_event(struct board_twin_uart *uart, uint64_t now)
{
    if (uart->sending && uart->sent_at <= now) {
        uart->status |= SENT;
        return board_twin_uart_flush(uart);
    }
    return receive(uart, now);
}

bool board_twin_uart_receive(struct board_twin_uart *uart, uint64_t now, uint8_t byte)
{
    leave(uart, now);
    if (uart->queued - uart->taken == BOARD_TWIN_UART_QUEUE) {
        return false;
    }
    if (uart->queued == uart->taken) {
        uart->wire_at = now;
    }
    uart->queue[uart->queued++ % BOARD_TWIN_UART_QUEUE] = byte;
    if (!uart->receiving) {
        find_start(uart);
    }
    return true;
}

void board_twin_uart_set_level(struct board_twin_uart *uart, uint64_t now, bool level)
{
    take_bits(uart, now + SYNCHRONISED);
    if (!uart->receiving && uart->level && !level) {
        hear_start(uart, now);
    }
    uart->level = level;
}

bool board_twin_uart_level(const struct board_twin_uart *uart, uint64_t now)
{
    if ((uart->control & THROUGH) != 0) {
        return level_at(uart, now);
    }
    if (!uart->sending || now <= uart->send_at || now >= uart->sent_at) {
        return true;
    }
    return bit_of(uart->byte, (tick_before(uart, now) - uart->send_from) / OVERSAMPLING);
}
