#include <math.h>
#include <string.h>

#include "app/play/player.h"

static const double repeats = 30;  /* a second, as of a key that is held */
static const double press = 0.5;   /* from here on it is pressed as a key, */
static const double let_go = 0.35; /* and up to here it is not any more */

void app_pad_move(struct app_pad *pad, int axis, double place)
{
    pad->axes[axis].place = place;
}

void app_pad_let_go(struct app_pad *pad)
{
    for (int i = 0; i < UI_PAD_AXES; i++) {
        pad->axes[i].place = 0;
    }
}

static void set(struct app_player *player, unsigned value, double number)
{
    (void)app_inlet_value(app_door_inlet(player->door, APP_SOURCE_PAD), value, number);
}

/* Steps of a value of whole numbers are made when they are whole. */
static void step(struct app_player *player, int axis, const struct engine_call *call,
                 double seconds)
{
    const struct engine_adjust_row *row = engine_adjust_of(call->command);
    double steps = call->number * player->pad.axes[axis].place * repeats * seconds;
    if (row->operation == ENGINE_ADJUST_CYCLE) {
        static const double slower = 0.1; /* nobody follows 30 kinds a second */
        player->pad.axes[axis].rest += steps * slower;
        steps = trunc(player->pad.axes[axis].rest);
        player->pad.axes[axis].rest -= steps;
    }
    if (steps != 0) {
        set(player, call->command,
            engine_adjust_value(row, app_player_tell(player, call->command), steps));
    }
}

/* Another preset has values of its own, from which the way begins anew. */
static void lead(struct app_player *player, int axis, const struct engine_call *call)
{
    const double place = fabs(player->pad.axes[axis].place);
    const bool anew =
        !player->pad.axes[axis].holds || player->pad.axes[axis].version != player->version;
    if (place == 0 && !player->pad.axes[axis].holds) {
        return;
    }
    if (anew) {
        player->pad.axes[axis].stood = app_player_tell(player, call->command);
        player->pad.axes[axis].version = player->version;
    }
    const double stood = player->pad.axes[axis].stood;
    const double number = stood + (call->number - stood) * place;
    if (anew || number != player->pad.axes[axis].gave) {
        set(player, call->command, number);
    }
    player->pad.axes[axis].gave = number;
    player->pad.axes[axis].holds = place > 0;
}

static void press_key(struct app_player *player, int axis, const struct engine_call *call)
{
    const double place = player->pad.axes[axis].place;
    if (!player->pad.axes[axis].pressed && fabs(place) >= press) {
        struct engine_call given = *call;
        given.number = call->absolute || place > 0 ? call->number : -call->number;
        player->pad.axes[axis].pressed = true;
        app_player_give(player, APP_SOURCE_PAD, &given);
    } else if (fabs(place) <= let_go) {
        player->pad.axes[axis].pressed = false;
    }
}

void app_pad_frame(struct app_player *player, double seconds)
{
    for (int i = 0; i < UI_PAD_AXES; i++) {
        const struct engine_call *call = ui_bindings_find(player->bindings, ui_pad_axes[i]);
        struct app_value_row row;
        if (call == NULL) {
            continue;
        }
        const bool is_value = app_value_row(call->command, &row) && !row.is_switch;
        if (is_value &&
            (call->absolute || ui_command_rows[call->command].argument == ENGINE_ARGUMENT_NUMBER)) {
            lead(player, i, call);
        } else if (is_value && engine_adjust_of(call->command) != NULL) {
            step(player, i, call, seconds);
        } else {
            press_key(player, i, call);
        }
    }
}
