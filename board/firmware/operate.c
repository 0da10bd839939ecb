#include "board/firmware/operate.h"

#include <stdlib.h>
#include <string.h>

#include "board/firmware/cpu.h"

enum { SECOND = 1000, DARK = 64, PERCENT = 100, LOUDEST = 32768 };

_Static_assert(BOARD_SETTINGS <= 32, "a bit for each");

void board_operate_begin(struct board_operate *operate, bool locked)
{
    operate->watch.before = board_cycles();
    operate->panel = malloc((size_t)BOARD_PANEL_WIDTH * BOARD_PANEL_HEIGHT * 2);
    operate->menu.locked = locked || operate->panel == NULL;
}

static const char *name_of(void *user, int32_t number)
{
    return board_patches_name(user, number);
}

static struct board_menu_facts facts_of(struct board_operate *operate)
{
    const struct board_show *show = operate->show;
    const int32_t seconds = operate->settings->next_seconds;
    const uint32_t gone = (operate->watch.milliseconds - operate->shown_at) / SECOND;
    return (struct board_menu_facts){
        .patches = board_patches_count(operate->patches),
        .current = operate->current,
        .shown = operate->shown,
        .name = name_of,
        .user = (void *)(uintptr_t)operate->patches,
        .seconds = operate->watch.milliseconds / SECOND,
        .tenths = operate->tenths,
        .left_out = show->account.skipped,
        .beats = show->beats - operate->beats_then,
        .next_seconds = seconds == 0                ? -1
                        : gone >= (uint32_t)seconds ? 0
                                                    : seconds - (int32_t)gone,
        .level = (uint8_t)(board_peak(&show->heard) * BOARD_PANEL_BAR / LOUDEST),
        .address = operate->net->address,
        .program = "FROTH " FROTH_VERSION,
    };
}

static void change(struct board_operate *operate, enum board_setting setting)
{
    const bool were_on = board_interrupts_on(false);
    operate->changed = operate->changed | 1u << setting;
    (void)board_interrupts_on(were_on);
}

uint32_t board_operate_take_changed(struct board_operate *operate)
{
    const bool were_on = board_interrupts_on(false);
    const uint32_t changed = operate->changed;
    operate->changed = 0;
    (void)board_interrupts_on(were_on);
    return changed;
}

uint32_t board_operate_now(const struct board_operate *operate)
{
    return operate->watch.milliseconds;
}

static void press(struct board_operate *operate, struct board_press pressed, uint32_t now)
{
    const struct board_menu_facts facts = facts_of(operate);
    const struct board_menu_request request =
        board_menu_press(&operate->menu, pressed, operate->settings, &facts, now);
    switch (request.wish) {
    case BOARD_MENU_STEP:
        board_inputs_move(operate->inputs, request.number);
        break;
    case BOARD_MENU_LOAD:
        board_inputs_choose(operate->inputs, request.number);
        break;
    case BOARD_MENU_NAME:
        operate->names = operate->names + 1;
        break;
    case BOARD_MENU_SAVE:
        operate->saves = true;
        break;
    case BOARD_MENU_UPDATE:
        operate->updates = true;
        break;
    case BOARD_MENU_CHANGED:
        change(operate, (enum board_setting)request.number);
        break;
    default:
        break;
    }
}

/* Pictures per second, and a gain that follows the sound. */
static void measure(struct board_operate *operate)
{
    const uint32_t now = operate->watch.milliseconds;
    const uint32_t gone = now - operate->measured_at;
    if (gone >= SECOND) {
        const uint32_t pictures = operate->show->account.frames;
        operate->tenths = ((pictures - operate->pictures) * 10 * SECOND + gone / 2) / gone;
        operate->pictures = pictures;
        operate->measured_at = now;
    }
    if (operate->settings->auto_gain != 0) {
        const int32_t steps =
            board_gain_step(&operate->gain, board_peak(&operate->show->heard), operate->fps);
        board_settings_step(operate->settings, BOARD_SETTING_gain, steps);
    }
}

/* Lines that read otherwise than they are drawn, one at a time: a picture that is due goes first.
 * The panel is laid over the picture when all of it is there. */
static void draw(struct board_operate *operate)
{
    struct board_panel_line lines[BOARD_PANEL_LINES];
    const struct board_menu_facts facts = facts_of(operate);
    board_menu_write(&operate->menu, operate->settings, &facts, lines);
    for (unsigned i = 0; i < BOARD_PANEL_LINES; i++) {
        const bool drawn = (operate->drawn >> i & 1) != 0;
        if (drawn && memcmp(&lines[i], &operate->lines[i], sizeof lines[i]) == 0) {
            continue;
        }
        operate->lines[i] = lines[i];
        operate->drawn |= 1u << i;
        board_panel_draw(operate->panel, i, &lines[i]);
        board_memory_cache_flush();
        board_tasks_yield(operate->tasks);
    }
    operate->show->panel = operate->panel;
}

static bool has_to_operate(const void *user)
{
    const struct board_operate *operate = user;
    const struct board_keys *keys = &operate->inputs->keys;
    return operate->timer->ticks != operate->ticks || keys->written != keys->taken;
}

void board_operate_run(void *user)
{
    struct board_operate *operate = user;
    for (;;) {
        struct board_press pressed;
        board_tasks_wait(operate->tasks, has_to_operate, operate);
        const uint32_t now = board_inputs_look(operate->inputs);
        const bool ticked = operate->ticks != operate->timer->ticks;
        operate->ticks = operate->timer->ticks;
        (void)board_watch_look(&operate->watch);
        while (board_keys_take(&operate->inputs->keys, &pressed)) {
            press(operate, pressed, now);
        }
        board_menu_pass(&operate->menu, now);
        operate->show->dim = (uint32_t)(PERCENT - operate->settings->brightness) * DARK / PERCENT;
        if (ticked) {
            measure(operate);
        }
        operate->open = operate->menu.page != BOARD_MENU_CLOSED;
        if (operate->open) {
            draw(operate);
        } else {
            operate->show->panel = NULL;
        }
    }
}
