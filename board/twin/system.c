#include "board/twin/system.h"

#include <string.h>

enum {
    RUNS = 1, /* timer control */
    REPEATS = 2,
    REVISION = 0 << 3,
    LEDS = 3,
    PINS = 0x7F,
    CAPABILITIES = 0x3AF, /* card, AC97, PFPU, TMU, bus meter, MIDI, DMX, infrared */
    ICAP_OFF = 0x0E,
    TIMER_WINDOW = 0x10, /* bytes from one timer to the next, and where the first begins */
};

void board_twin_system_reset(struct board_twin_system *system)
{
    memset(system, 0, sizeof *system);
    system->pins = REVISION;
    for (unsigned i = 0; i < BOARD_TWIN_TIMERS; i++) {
        system->timers[i].compare = UINT32_MAX;
    }
}

static uint32_t counter_at(const struct board_twin_timer *timer, uint64_t now)
{
    return timer->counter + (timer->runs ? (uint32_t)(now - timer->since) : 0);
}

static uint64_t due(const struct board_twin_timer *timer)
{
    return timer->runs ? timer->since + (uint32_t)(timer->compare - timer->counter) : UINT64_MAX;
}

/* Which timer a register belongs to; BOARD_TWIN_TIMERS: none. */
static unsigned timer_of(uint32_t offset)
{
    const bool in = offset >= BOARD_TWIN_system_timer0_control &&
                    offset < BOARD_TWIN_system_timer0_control + TIMER_WINDOW * BOARD_TWIN_TIMERS;
    return in ? offset / TIMER_WINDOW - 1 : BOARD_TWIN_TIMERS;
}

uint32_t board_twin_system_read(const struct board_twin_system *system, uint64_t now,
                                uint32_t offset)
{
    const unsigned number = timer_of(offset);
    if (number < BOARD_TWIN_TIMERS) {
        const struct board_twin_timer *timer = &system->timers[number];
        switch (offset % TIMER_WINDOW) {
        case 0:
            return (timer->runs ? RUNS : 0u) | (timer->repeats ? REPEATS : 0u);
        case 4:
            return timer->compare;
        case 8:
            return counter_at(timer, now);
        default:
            return 0;
        }
    }
    switch (offset) {
    case BOARD_TWIN_system_gpio_in:
        return system->pins;
    case BOARD_TWIN_system_gpio_out:
        return system->leds;
    case BOARD_TWIN_system_gpio_interrupt:
        return system->changes;
    case BOARD_TWIN_system_debug_scratch:
        return system->scratch;
    case BOARD_TWIN_system_debug_control:
        return system->lock;
    case BOARD_TWIN_system_frequency:
        return BOARD_TWIN_CLOCK;
    case BOARD_TWIN_system_capabilities:
        return CAPABILITIES;
    case BOARD_TWIN_system_id:
        return BOARD_TWIN_ID;
    default:
        return 0;
    }
}

enum board_twin_wish board_twin_system_write(struct board_twin_system *system, uint64_t now,
                                             uint32_t offset, uint32_t value)
{
    const unsigned number = timer_of(offset);
    if (number < BOARD_TWIN_TIMERS) {
        struct board_twin_timer *timer = &system->timers[number];
        timer->counter = counter_at(timer, now);
        timer->since = now;
        switch (offset % TIMER_WINDOW) {
        case 0:
            timer->runs = (value & RUNS) != 0;
            timer->repeats = (value & REPEATS) != 0;
            break;
        case 4:
            timer->compare = value;
            break;
        case 8:
            timer->counter = value;
            break;
        default:
            break;
        }
        return BOARD_TWIN_GOES_ON;
    }
    switch (offset) {
    case BOARD_TWIN_system_gpio_out:
        system->leds = value & LEDS;
        break;
    case BOARD_TWIN_system_gpio_interrupt:
        system->changes = value & PINS;
        break;
    case BOARD_TWIN_system_icap:
        return value == ICAP_OFF ? BOARD_TWIN_WANTS_OFF : BOARD_TWIN_GOES_ON;
    case BOARD_TWIN_system_debug_scratch:
        system->scratch = value;
        break;
    case BOARD_TWIN_system_debug_control:
        system->lock = value;
        break;
    case BOARD_TWIN_system_id:
        return BOARD_TWIN_WANTS_RESET;
    default:
        break;
    }
    return BOARD_TWIN_GOES_ON;
}

uint64_t board_twin_system_due(const struct board_twin_system *system)
{
    const uint64_t first = due(&system->timers[0]);
    const uint64_t second = due(&system->timers[1]);
    return first < second ? first : second;
}

/* One that starts again begins at 1 in the cycle after the match. */
static bool match(struct board_twin_timer *timer, uint64_t now)
{
    const uint64_t when = due(timer);
    if (when > now) {
        return false;
    }
    timer->runs = timer->repeats;
    timer->counter = timer->repeats ? 1 : timer->compare;
    timer->since = when + 1;
    return true;
}

uint32_t board_twin_system_event(struct board_twin_system *system, uint64_t now)
{
    uint32_t lines = 0;
    lines |= match(&system->timers[0], now) ? (uint32_t)BOARD_TWIN_IRQ_timer0 : 0;
    lines |= match(&system->timers[1], now) ? (uint32_t)BOARD_TWIN_IRQ_timer1 : 0;
    return lines;
}

uint32_t board_twin_system_press(struct board_twin_system *system, uint32_t buttons)
{
    const uint32_t before = system->pins;
    system->pins = (before & ~(uint32_t)BOARD_TWIN_BUTTONS) | (buttons & BOARD_TWIN_BUTTONS);
    return ((before ^ system->pins) & system->changes) != 0 ? BOARD_TWIN_IRQ_gpio : 0;
}

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

void board_twin_uart_reset(struct board_twin_uart *uart, uint32_t divisor)
{
    memset(uart, 0, sizeof *uart);
    uart->divisor = divisor;
}

static uint64_t byte_cycles(const struct board_twin_uart *uart)
{
    const uint64_t divisor = uart->divisor > 0 ? uart->divisor : 1;
    return divisor * OVERSAMPLING * BITS;
}

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

int board_twin_uart_write(struct board_twin_uart *uart, uint64_t now, uint32_t offset,
                          uint32_t value)
{
    switch (offset) {
    case BOARD_TWIN_uart_data:
        if ((uart->control & THROUGH) != 0 || uart->sending) {
            return -1;
        }
        uart->sending = true;
        uart->sent_at = now + byte_cycles(uart);
        return (uint8_t)value;
    case BOARD_TWIN_uart_divisor:
        uart->divisor = value & DIVISOR_MASK;
        break;
    case BOARD_TWIN_uart_status:
        uart->status &= ~value;
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
    return -1;
}

bool board_twin_uart_line(const struct board_twin_uart *uart)
{
    return ((uart->status & RECEIVED) != 0 && (uart->control & RECEIVE_INTERRUPT) != 0) ||
           ((uart->status & SENT) != 0 && (uart->control & SEND_INTERRUPT) != 0);
}

uint64_t board_twin_uart_due(const struct board_twin_uart *uart)
{
    const uint64_t sent = uart->sending ? uart->sent_at : UINT64_MAX;
    const uint64_t received = uart->receiving ? uart->received_at : UINT64_MAX;
    return sent < received ? sent : received;
}

static void begin_receiving(struct board_twin_uart *uart, uint64_t now)
{
    uart->receiving = uart->taken < uart->queued;
    uart->received_at = now + byte_cycles(uart);
}

int board_twin_uart_event(struct board_twin_uart *uart, uint64_t now)
{
    if (uart->sending && uart->sent_at <= now) {
        uart->sending = false;
        uart->status |= SENT;
    }
    if (!uart->receiving || uart->received_at > now) {
        return -1;
    }
    uart->received = uart->queue[uart->taken++ % BOARD_TWIN_UART_QUEUE];
    uart->status |= RECEIVED;
    begin_receiving(uart, uart->received_at);
    return (uart->control & THROUGH) != 0 ? uart->received : -1;
}

bool board_twin_uart_receive(struct board_twin_uart *uart, uint64_t now, uint8_t byte)
{
    if (uart->queued - uart->taken == BOARD_TWIN_UART_QUEUE) {
        return false;
    }
    uart->queue[uart->queued++ % BOARD_TWIN_UART_QUEUE] = byte;
    if (!uart->receiving) {
        begin_receiving(uart, now);
    }
    return true;
}
