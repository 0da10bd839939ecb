#include "board/twin/system.h"

#include <string.h>

enum {
    RUNS = 1, /* timer control */
    REPEATS = 2,
    REVISION = 0 << 3,
    LEDS = 3,
    PINS = 0x7F,
    CAPABILITIES = 0x3BF, /* card, AC97, PFPU, TMU, Ethernet, bus meter, MIDI, DMX, infrared */
    ICAP_OFF = 0x0E,
    ICAP_CYCLES = 5,       /* busy after a write */
    TIMER_WINDOW = 0x10,   /* bytes from one timer to the next, and where the first begins */
    REGISTERS_MASK = 0x7C, /* they repeat */
    SCRATCH = 0xFF,
    LOCK_STAYS = 1, /* of the debug control: can only be set */
    LOCK = 3,
    PIN_CYCLES = 2,
};

void board_twin_system_reset(struct board_twin_system *system)
{
    memset(system, 0, sizeof *system);
    system->pins = REVISION;
    system->changed = UINT64_MAX;
    for (unsigned i = 0; i < BOARD_TWIN_TIMERS; i++) {
        system->timers[i].compare = UINT32_MAX;
        system->timers[i].pulse = UINT64_MAX;
    }
}

static uint64_t least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* The cycle before one, which has no time before 0. */
static uint64_t before(uint64_t now)
{
    return now > 0 ? now - 1 : 0;
}

/* The cycle at which the counter is found equal; UINT64_MAX: never. The repeat bit alone looks,
 * too, but the counter stands then. */
static uint64_t match_time(const struct board_twin_timer *timer)
{
    if (timer->runs) {
        return timer->since + (uint32_t)(timer->compare - timer->counter) + 1;
    }
    return timer->repeats && timer->compare == timer->counter && timer->counter != 1
               ? timer->since + 1
               : UINT64_MAX;
}

/* All that happens up to and including a cycle. A timer that repeats goes on at 1. */
static void count(struct board_twin_timer *timer, uint64_t cycle)
{
    for (uint64_t at = match_time(timer); at <= cycle; at = match_time(timer)) {
        timer->pulse = timer->runs ? at + 1 : timer->pulse;
        timer->counter = timer->repeats ? 1 : timer->compare;
        timer->runs = timer->runs && timer->repeats;
        timer->since = at;
    }
    if (timer->runs && cycle > timer->since) {
        timer->counter += (uint32_t)(cycle - timer->since);
        timer->since = cycle;
    } else if (!timer->runs && cycle > timer->since) {
        timer->since = cycle;
    }
}

/* Pins that have come by a cycle are in the register. */
static void see_pins(struct board_twin_system *system, uint64_t now)
{
    while (system->coming_count > 0 && system->coming[0].at <= now) {
        const struct board_twin_pins *pins = &system->coming[0];
        if (((system->pins ^ pins->value) & system->changes) != 0) {
            system->changed = least(system->changed, pins->at + 1);
        }
        system->pins = pins->value;
        system->coming_count--;
        memmove(system->coming, system->coming + 1,
                system->coming_count * sizeof system->coming[0]);
    }
}

/* Which timer a register belongs to; BOARD_TWIN_TIMERS: none. */
static unsigned timer_of(uint32_t offset)
{
    const bool in = offset >= BOARD_TWIN_system_timer0_control &&
                    offset < BOARD_TWIN_system_timer0_control + TIMER_WINDOW * BOARD_TWIN_TIMERS;
    return in ? offset / TIMER_WINDOW - 1 : BOARD_TWIN_TIMERS;
}

uint32_t board_twin_system_read(struct board_twin_system *system, uint64_t now, uint32_t offset)
{
    offset &= REGISTERS_MASK;
    const unsigned number = timer_of(offset);
    if (number < BOARD_TWIN_TIMERS) {
        struct board_twin_timer *timer = &system->timers[number];
        count(timer, before(now));
        switch (offset % TIMER_WINDOW) {
        case 0:
            return (timer->runs ? RUNS : 0u) | (timer->repeats ? REPEATS : 0u);
        case 4:
            return timer->compare;
        case 8:
            return timer->counter;
        default:
            return 0;
        }
    }
    see_pins(system, now);
    switch (offset) {
    case BOARD_TWIN_system_gpio_in:
        return system->pins;
    case BOARD_TWIN_system_gpio_out:
        return system->leds;
    case BOARD_TWIN_system_gpio_interrupt:
        return system->changes;
    case BOARD_TWIN_system_icap:
        return now >= system->port_ready;
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
    offset &= REGISTERS_MASK;
    const unsigned number = timer_of(offset);
    if (number < BOARD_TWIN_TIMERS) {
        struct board_twin_timer *timer = &system->timers[number];
        count(timer, now);
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
        see_pins(system, now);
        system->changes = value & PINS;
        break;
    case BOARD_TWIN_system_icap:
        system->port_ready = now + ICAP_CYCLES + 1;
        return value == ICAP_OFF ? BOARD_TWIN_WANTS_OFF : BOARD_TWIN_GOES_ON;
    case BOARD_TWIN_system_debug_scratch:
        system->scratch = value & SCRATCH;
        break;
    case BOARD_TWIN_system_debug_control:
        system->lock = (system->lock & LOCK_STAYS) | (value & LOCK);
        break;
    case BOARD_TWIN_system_id:
        return BOARD_TWIN_WANTS_RESET;
    default:
        break;
    }
    return BOARD_TWIN_GOES_ON;
}

/* A pulse that is on its way comes first. */
static uint64_t timer_due(const struct board_twin_timer *timer)
{
    return least(timer->pulse, timer->runs ? match_time(timer) + 1 : UINT64_MAX);
}

uint64_t board_twin_system_due(const struct board_twin_system *system)
{
    const uint64_t pins =
        least(system->changed, system->coming_count > 0 ? system->coming[0].at + 1 : UINT64_MAX);
    return least(pins, least(timer_due(&system->timers[0]), timer_due(&system->timers[1])));
}

uint32_t board_twin_system_event(struct board_twin_system *system, uint64_t now)
{
    static const uint32_t lines[BOARD_TWIN_TIMERS] = {BOARD_TWIN_IRQ_timer0, BOARD_TWIN_IRQ_timer1};
    uint32_t come = 0;
    for (unsigned i = 0; i < BOARD_TWIN_TIMERS; i++) {
        struct board_twin_timer *timer = &system->timers[i];
        count(timer, before(now));
        if (timer->pulse <= now) {
            timer->pulse = UINT64_MAX;
            come |= lines[i];
        }
    }
    see_pins(system, before(now));
    if (system->changed <= now) {
        system->changed = UINT64_MAX;
        come |= BOARD_TWIN_IRQ_gpio;
    }
    return come;
}

void board_twin_system_press(struct board_twin_system *system, uint64_t now, uint32_t buttons)
{
    const uint32_t before =
        system->coming_count > 0 ? system->coming[system->coming_count - 1].value : system->pins;
    if (system->coming_count == BOARD_TWIN_PINS_COMING) {
        system->coming_count--;
    }
    system->coming[system->coming_count++] = (struct board_twin_pins){
        (before & ~(uint32_t)BOARD_TWIN_BUTTONS) | (buttons & BOARD_TWIN_BUTTONS),
        now + PIN_CYCLES};
}
