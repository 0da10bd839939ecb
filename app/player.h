/* What a running window consists of; shared by the files that open it, run it and obey its keys.
 * Everything belongs to the thread that paints. */
#ifndef APP_PLAYER_H
#define APP_PLAYER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "app/frame_times.h"
#include "app/governor.h"
#include "app/options.h"
#include "app/play_loader.h"
#include "app/play_sound.h"
#include "app/steps.h"
#include "base/thread.h"
#include "presets/library.h"
#include "renderer/loud.h"
#include "renderer/renderer.h"
#include "ui/command.h"
#include "ui/overlay.h"
#include "ui/pace.h"
#include "ui/window.h"

enum {
    APP_PLAYER_SLOW = 10, /* frames in a row of more than half a second, until it comes */
};

struct app_player {
    const struct app_options *options;
    const struct preset_list *list;
    struct base_diag_sink sink;
    int messages; /* its descriptor, or -1 for standard error */
    struct ui_window *window;
    struct ui_overlay *overlay;
    struct app_sound *sound;
    struct app_loader *loader;
    struct app_loaded *current;
    struct base_pool *pool;
    struct rend_show *show;
    struct ui_surface picture;
    struct app_steps steps;
    uint64_t step; /* the newest, counted from 1 */
    struct rend_loud loud;
    bool is_loud;     /* the music asks for a cut */
    uint32_t *newest; /* pictures of the last two steps, if steps are mixed */
    uint32_t *former;
    float *samples;
    size_t sample_frames;
    double fps;
    struct ui_pace pace;
    double now;                   /* player's time of the last frame, in seconds */
    double advance;               /* seconds until the next preset comes by itself */
    double switched;              /* player's time of the last switch, or of asking for one */
    double counted;               /* clock at which counting frames began */
    struct app_frame_times work;  /* of drawing a frame */
    struct app_frame_times apart; /* from one shown picture to the next */
    double shown;                 /* clock of the last picture; 0: none yet */
    unsigned drawn;               /* frames since then */
    unsigned slow;                /* frames in a row that took far too long */
    struct app_governor governor;
    int fixed_divisor; /* what --shaders asks for; 0: what the governor says */
    enum ui_overlay_names names;
    bool quit;
    bool failed;
    bool locked;
    bool random;
    bool help_shown;
    bool fps_shown;
    bool meter_shown;
};

/* Carries out a command of the window. */
void app_player_obey(struct app_player *player, enum ui_command command);

/* Asks the loader for the preset `steps` ahead. */
void app_player_step(struct app_player *player, int steps, enum app_loader_change change);

/* Gives presets back to the loader that the show no longer uses. */
void app_player_retire(struct app_player *player);

/* Paints until the player is to quit; sets `failed` if no preset could be loaded. */
void app_player_run(struct app_player *player);

#endif
