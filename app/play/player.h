/* What a running window consists of; shared by the files that open it, run it and obey its keys.
 * Everything belongs to the thread that paints. */
#ifndef APP_PLAY_PLAYER_H
#define APP_PLAY_PLAYER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "app/feed/controls.h"
#include "app/feed/loader.h"
#include "app/feed/sound.h"
#include "app/library/library.h"
#include "app/loading/course.h"
#include "app/operator/operator.h"
#include "app/operator/report.h"
#include "app/options/options.h"
#include "app/play/governor.h"
#include "app/play/tweaks.h"
#include "base/os/logger.h"
#include "base/os/thread.h"
#include "renderer/renderer.h"
#include "renderer/sound/beat.h"
#include "ui/bindings.h"
#include "ui/command.h"
#include "ui/overlay.h"
#include "ui/pace.h"
#include "ui/window.h"

enum {
    APP_PLAYER_SLOW = 10, /* frames in a row of more than half a second, until it comes */
};

/* Where the operator's view is. */
enum app_view { APP_VIEW_OFF, APP_VIEW_OVERLAY, APP_VIEW_WINDOW };

struct app_player {
    const struct app_options *options;
    struct base_diag_sink sink;
    int output;                /* descriptor of messages, or -1 for standard error */
    struct base_diag_sink out; /* to `output` */
    struct base_logger log;
    struct app_messages *messages;
    struct ui_window *window;
    struct ui_overlay *overlay;
    struct ui_bindings *bindings;
    struct app_controls *controls;
    struct app_sound *sound;
    struct app_library *library;
    struct app_loader *loader;
    struct app_operator *operator_view;
    struct app_loaded *current;
    struct base_pool *pool;
    struct rend_show *show;
    struct ui_surface picture; /* what is shown */
    struct ui_surface black;   /* in its place while there is a blackout; one row */
    struct app_steps steps;
    uint64_t step;       /* the newest, counted from 1 */
    int64_t steps_ahead; /* of the clock; negative after the picture stood still */
    struct rend_loud loud;
    bool is_loud;     /* the music asks for a cut */
    uint32_t *newest; /* pictures of the last two steps, if steps are mixed */
    uint32_t *former;
    float *samples;
    size_t sample_frames;
    float wave[APP_SNAPSHOT_WAVE];
    double fps;
    double speed; /* of the show: player's seconds in one of the clock */
    struct ui_pace pace;
    double now; /* player's time of the last frame, in seconds */
    struct app_auto_vj vj;
    struct app_tweaks tweaks;
    double counted; /* clock at which counting frames began */
    double shown_fps;
    struct app_frame_times work;  /* of drawing a frame */
    struct app_frame_times apart; /* from one shown picture to the next */
    struct app_late_frames late;  /* of `work`, over two frames' time */
    double drawing;               /* milliseconds of the last frame */
    double shown;                 /* clock of the last picture; 0: none yet */
    double begun;                 /* clock of the first frame */
    unsigned drawn;               /* frames since `counted` */
    unsigned slow;                /* frames in a row that took far too long */
    struct app_counters counters;
    uint64_t version; /* of what runs: rises with each preset that is taken */
    struct app_governor governor;
    int fixed_divisor; /* what --shaders asks for; 0: what the governor says */
    enum ui_overlay_names names;
    enum app_view view;
    double view_due;      /* clock at which the operator's window is shown again */
    unsigned steps_asked; /* of a picture that stands still, and not made yet */
    bool quit;
    bool failed;
    bool locked;
    bool random;
    bool frozen;
    bool blackout;
    bool help_shown;
    bool fps_shown;
    bool meter_shown;
};

/* Carries out a command: at once, or, where it waits for files, locks or memory, by the operator.
 */
void app_player_obey(struct app_player *player, const struct ui_call *call);

/* Takes what happened in the windows, and what the operator ordered. */
void app_player_events(struct app_player *player);

/* Asks the loader for the preset `steps` ahead. */
void app_player_step(struct app_player *player, int steps, enum app_loader_change change);

/* Gives presets back to the loader that the show no longer uses. */
void app_player_retire(struct app_player *player);

/* Nothing comes after the running preset by itself: it is locked, frozen, or the only one. */
bool app_player_stays(const struct app_player *player);

/* Shows or hides the operator's view. */
void app_player_set_view(struct app_player *player, enum app_view view);

/* Leaves out the tempo where nothing is heard. The equations keep it for a while, as music that
 * pauses goes on in time. */
void app_player_show_tempo(const struct app_player *player, struct rend_heard *heard);

/* Tells the operator about this frame, and shows his view. */
void app_player_report(struct app_player *player);

/* Shows the picture, or none while there is a blackout, and over it the operator's view. */
void app_player_present(struct app_player *player);

/* Paints until the player is to quit; sets `failed` if no preset could be loaded. */
void app_player_run(struct app_player *player);

#endif
