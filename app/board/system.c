#include "app/board/system.h"

#include <string.h>

#include "app/board/registers.h"

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

void app_board_system_reset(struct app_board_system *system)
{
    memset(system, 0, sizeof *system);
    system->pins = REVISION;
    for (unsigned i = 0; i < APP_BOARD_TIMERS; i++) {
        system->timers[i].compare = UINT32_MAX;
    }
}

static uint32_t counter_at(const struct app_board_timer *timer, uint64_t now)
{
    return timer->counter + (timer->runs ? (uint32_t)(now - timer->since) : 0);
}

static uint64_t due(const struct app_board_timer *timer)
{
    return timer->runs ? timer->since + (uint32_t)(timer->compare - timer->counter) : UINT64_MAX;
}

static void settle(struct app_board_timer *timer, uint64_t now)
{
    timer->counter = counter_at(timer, now);
    timer->since = now;
}

static uint32_t read_timer(const struct app_board_timer *timer, uint64_t now, uint32_t offset)
{
    switch (offset) {
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

static void write_timer(struct app_board_timer *timer, uint64_t now, uint32_t offset,
                        uint32_t value)
{
    settle(timer, now);
    switch (offset) {
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
}

/* Which timer a register belongs to; APP_BOARD_TIMERS: none. */
static unsigned timer_of(uint32_t offset)
{
    const bool in = offset >= APP_BOARD_system_timer0_control &&
                    offset < APP_BOARD_system_timer0_control + TIMER_WINDOW * APP_BOARD_TIMERS;
    return in ? offset / TIMER_WINDOW - 1 : APP_BOARD_TIMERS;
}

uint32_t app_board_system_read(const struct app_board_system *system, uint64_t now, uint32_t offset)
{
    const unsigned timer = timer_of(offset);
    if (timer < APP_BOARD_TIMERS) {
        return read_timer(&system->timers[timer], now, offset % TIMER_WINDOW);
    }
    switch (offset) {
    case APP_BOARD_system_gpio_in:
        return system->pins;
    case APP_BOARD_system_gpio_out:
        return system->leds;
    case APP_BOARD_system_gpio_interrupt:
        return system->changes;
    case APP_BOARD_system_debug_scratch:
        return system->scratch;
    case APP_BOARD_system_debug_control:
        return system->lock;
    case APP_BOARD_system_frequency:
        return APP_BOARD_CLOCK;
    case APP_BOARD_system_capabilities:
        return CAPABILITIES;
    case APP_BOARD_system_id:
        return APP_BOARD_ID;
    default:
        return 0;
    }
}

enum app_board_wish app_board_system_write(struct app_board_system *system, uint64_t now,
                                           uint32_t offset, uint32_t value)
{
    const unsigned timer = timer_of(offset);
    if (timer < APP_BOARD_TIMERS) {
        write_timer(&system->timers[timer], now, offset % TIMER_WINDOW, value);
        return APP_BOARD_GOES_ON;
    }
    switch (offset) {
    case APP_BOARD_system_gpio_out:
        system->leds = value & LEDS;
        break;
    case APP_BOARD_system_gpio_interrupt:
        system->changes = value & PINS;
        break;
    case APP_BOARD_system_icap:
        return value == ICAP_OFF ? APP_BOARD_WANTS_OFF : APP_BOARD_GOES_ON;
    case APP_BOARD_system_debug_scratch:
        system->scratch = value;
        break;
    case APP_BOARD_system_debug_control:
        system->lock = value;
        break;
    case APP_BOARD_system_id:
        return APP_BOARD_WANTS_RESET;
    default:
        break;
    }
    return APP_BOARD_GOES_ON;
}

uint64_t app_board_system_due(const struct app_board_system *system)
{
    const uint64_t first = due(&system->timers[0]);
    const uint64_t second = due(&system->timers[1]);
    return first < second ? first : second;
}

/* One that starts again begins at 1 in the cycle after the match. */
static bool match(struct app_board_timer *timer, uint64_t now)
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

uint32_t app_board_system_event(struct app_board_system *system, uint64_t now)
{
    uint32_t lines = 0;
    lines |= match(&system->timers[0], now) ? (uint32_t)APP_BOARD_IRQ_timer0 : 0;
    lines |= match(&system->timers[1], now) ? (uint32_t)APP_BOARD_IRQ_timer1 : 0;
    return lines;
}

uint32_t app_board_system_press(struct app_board_system *system, uint32_t buttons)
{
    const uint32_t before = system->pins;
    system->pins = (before & ~(uint32_t)APP_BOARD_BUTTONS) | (buttons & APP_BOARD_BUTTONS);
    return ((before ^ system->pins) & system->changes) != 0 ? APP_BOARD_IRQ_gpio : 0;
}
