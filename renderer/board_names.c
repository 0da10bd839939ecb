#include "renderer/board_names.h"

#include <string.h>

#include "renderer/board_step.h"

const struct rend_board_reset rend_board_resets[] = {
    {"zoom", true, 0},
    {"zoomexp", true, 0},
    {"rot", true, 0},
    {"warp", true, 0},
    {"cx", true, 0},
    {"cy", true, 0},
    {"dx", true, 0},
    {"dy", true, 0},
    {"sx", true, 0},
    {"sy", true, 0},
    {"fwarpanimspeed", true, 0},
    {"fwarpscale", true, 0},
    {"gamma", true, 0},
    {"brighten", true, 0},
    {"darken", true, 0},
    {"solarize", true, 0},
    {"invert", true, 0},
    {"darken_center", true, 0},
    {"progress", false, 0},
    {"meshx", false, REND_BOARD_MESH},
    {"meshy", false, REND_BOARD_MESH},
    {"pixelsx", false, REND_BOARD_WIDTH},
    {"pixelsy", false, REND_BOARD_HEIGHT},
    {"aspectx", false, 1},
    {"aspecty", false, 1},
};

const size_t rend_board_reset_count = sizeof rend_board_resets / sizeof *rend_board_resets;

const char *rend_board_q_name(int number, char name[REND_BOARD_Q_NAME])
{
    char *at = name;
    *at++ = 'q';
    if (number >= 10) {
        *at++ = (char)('0' + number / 10 % 10);
    }
    *at++ = (char)('0' + number % 10);
    *at = '\0';
    return name;
}

/* Most names differ in their first letter. */
static bool same(const char *a, const char *b)
{
    return a[0] == b[0] && strcmp(a, b) == 0;
}

double rend_board_stored(const struct preset *preset, const char *name)
{
    static const struct {
        const char *variable;
        const char *key;
    } others[] = {{"fwarpanimspeed", "fWarpAnimSpeed"},
                  {"fwarpscale", "fWarpScale"},
                  {"wave_scale", "fWaveScale"}};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        name = same(name, others[i].variable) ? others[i].key : name;
    }
    for (size_t i = 0; i < PRESET_KEY_ROWS; i++) {
        const struct preset_key *key = &preset_keys[i];
        if (key->group == PRESET_GROUP_PRESET &&
            (same(key->variable, name) || same(key->key, name))) {
            return preset_key_get(key, preset);
        }
    }
    return 0;
}
