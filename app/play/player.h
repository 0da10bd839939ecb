/* What a running window consists of; shared by the files that open it, run it and obey its keys.
 * Everything belongs to the thread that paints. */
#ifndef APP_PLAY_PLAYER_H
#define APP_PLAY_PLAYER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "app/control/control.h"
#include "app/feed/presets.h"
#include "app/feed/sound.h"
#include "app/library/library.h"
#include "app/light/light.h"
#include "app/loading/loading.h"
#include "app/midi/midi.h"
#include "engine/embed/program.h"
#include "engine/engine.h"
#include "app/operator/operator.h"
#include "app/options/options.h"
#include "app/remote/remote.h"
#include "app/set/record/recorder.h"
#include "app/set/rewind.h"
#include "app/set/set.h"
#include "app/share/share.h"
#include "app/tempo/tempo.h"
#include "app/titles/titles.h"
#include "base/os/file.h"
#include "base/os/print.h"
#include "base/os/thread.h"
#include "renderer/renderer.h"
#include "renderer/shader/shader.h"
#include "ui/bindings.h"
#include "ui/command.h"
#include "ui/overlay.h"
#include "ui/window.h"

/* ---- whether frames come in time: frame_times.c ---- */

/* How long frames took: a histogram of a tenth of a millisecond, for percentiles, and the frames
 * that took longest. Neither allocates nor formats while frames are drawn. */

enum { APP_FRAME_TIMES_BINS = 20000, APP_FRAME_TIMES_PER_MS = 10 };

struct app_frame_times {
    uint32_t bins[APP_FRAME_TIMES_BINS]; /* the last one holds all that is longer */
    uint64_t count;
    double longest; /* seconds */
};

void app_frame_times_add(struct app_frame_times *times, double seconds);

/* Milliseconds that `percent` of the frames did not exceed, to a tenth; 100: the longest. 0 without
 * frames. */
double app_frame_times_percentile(const struct app_frame_times *times, double percent);

/* How many frames took longer, to a tenth of a millisecond. */
uint64_t app_frame_times_over(const struct app_frame_times *times, double milliseconds);

/* A frame that took long. */
struct app_late_frame {
    double at;       /* seconds of the show */
    double seconds;  /* how long it took */
    double busy;     /* how long the painting thread ran in this time, and did not wait */
    uint32_t preset; /* number in the library of the preset that it shows */
    bool changes;    /* a transition to this preset goes on */
};

enum { APP_LATE_FRAMES = 8 };

/* The longest ones, the longest first. */
struct app_late_frames {
    struct app_late_frame frames[APP_LATE_FRAMES];
    size_t count;
};

/* Keeps the frame if it is one of the longest. */
void app_late_frames_add(struct app_late_frames *late, const struct app_late_frame *frame);

/* ---- sticks and triggers: pad.c ---- */

/* What each stick's direction or trigger does by the binding of its name (ui_pad_axes):
 *   - a command that changes a value by steps: so many steps, 30 times a second, the further it is
 *     moved the more; the other way round where it is moved the other way
 *   - a number to which a value is set (=N, or of a command that takes a number): the value goes as
 *     far towards it as the trigger is pressed, and back with it
 *   - any other command: a press of more than half is a key */
struct app_pad {
    struct {
        double place;
        bool pressed;     /* as a key */
        bool holds;       /* a value away from where it stood, */
        double stood;     /* which was here, */
        uint64_t version; /* of this preset */
        double gave;
        double rest; /* of a step, for values of whole numbers */
    } axes[UI_PAD_AXES];
};

struct app_player;

/* It was moved; all were let go. */
void app_pad_move(struct app_pad *pad, int axis, double place);
void app_pad_let_go(struct app_pad *pad);

/* Once in each frame, `seconds` long: gives what comes of it to the inlet. */
void app_pad_frame(struct app_player *player, double seconds);

/* ---- the window's pictures by the device: screen.c ---- */

struct app_screen;

/* For a window (ui/screen.h), which it outlives; the device outlives it. NULL for NULL, or without
 * memory. */
struct app_screen *app_screen_create(struct gpu_device *device);
void app_screen_free(struct app_screen *screen);                          /* NULL is fine */
const struct ui_screen *app_screen_face(const struct app_screen *screen); /* NULL for NULL */
uint64_t app_screen_count(const struct app_screen *screen); /* of pictures that it has shown */

/* ---- the player ---- */

enum {
    APP_PLAYER_HELD = 64,  /* keys that wait */
    APP_PLAYER_SLOW = 10,  /* frames in a row of more than half a second that leave a preset */
    APP_PLAYER_COSTLY = 2, /* steps that cost too much and leave a preset */
    APP_PLAYER_CHEAP =
        60, /* steps in a row that do not, after which those that did are forgotten */
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
    struct app_door *door;
    struct app_inlet_counts came[APP_SOURCE_COUNT]; /* by the door, once it is closed */
    struct app_sound *sound;
    struct app_share *share;   /* NULL: the picture is not shared */
    struct app_light *light;   /* NULL: not asked for */
    struct app_remote *remote; /* NULL: not asked for */
    struct app_midi *midi;     /* NULL: off */
    struct app_tempo *tempo;   /* clocks from outside */
    struct app_set_past *past; /* of the show; NULL: nothing is kept */
    struct app_set_recorder *recorder;
    struct app_set_rewind *rewind;     /* what was shown, in place of what is live */
    struct ui_surface seen_past;       /* that picture */
    struct app_set_resume resume;      /* with --resume, until it is done */
    uint64_t base;                     /* frames of the show before the first of the window */
    struct base_content_stream hashed; /* with --hash: of all pictures, */
    uint64_t hash;                     /* and of the last one */
    unsigned char *hash_row;
    struct app_midi_controls controls;
    struct app_library *library;
    froth *show;
    struct engine_device *device; /* that computes shaders; NULL: the processor */
    struct app_screen *screen;    /* that shows pictures; NULL: SDL alone does */
    struct app_presets presets;
    struct app_textures textures;
    atomic_bool leaves; /* no picture is waited for any more */
    struct engine_loader *loader;
    struct app_operator *operator_view;
    const struct engine_loaded *current;
    struct ui_surface picture; /* what is shown, */
    bool stays;                /* unless that lies on the device */
    struct ui_surface black;   /* in its place while there is a blackout; one row */
    struct engine *engine;     /* of the show, to look at and for commands */
    float *samples;            /* room for those of a frame */
    bool blends;               /* its steps are mixed in every frame */
    float wave[APP_SNAPSHOT_WAVE];
    struct engine_rate rate; /* of its pictures, */
    double fps;              /* and that as one number */
    double speed;            /* of the show: player's seconds in one of the clock */
    struct ui_pace pace;
    double now;     /* player's time of the last frame, in seconds */
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
    unsigned costly;              /* steps that cost more than they may */
    unsigned cheap;               /* and since the last of them, those that do not */
    struct app_counters counters;
    uint64_t version;  /* of what runs: rises with each preset that is taken */
    int fixed_divisor; /* what --shaders asks for; 0: what the governor says */
    enum ui_overlay_names names;
    struct app_titles *titles;
    enum ui_overlay_names titled; /* when what is playing is shown */
    double titled_at;             /* player's time at which its card came up */
    bool title_asked;             /* it is to be shown once it is known */
    enum app_view view;
    struct app_pad pad;
    struct ui_event held[APP_PLAYER_HELD]; /* keys, while it is not known whose they are */
    size_t held_count;
    char command_key[UI_KEY_NAME]; /* the last key, if it was a command; empty: it was not */
    double held_since;             /* clock */
    enum app_question asks;        /* the last question, */
    unsigned asked;                /* how many there were so far, */
    double asked_at;               /* and the clock then */
    bool view_waits;               /* the operator's window comes back with a second monitor */
    int view_text;   /* pixels, as the operator wants it; 0: as the display asks for */
    double view_due; /* clock at which the operator's window is shown again */
    bool quit;
    bool failed;
    bool help_shown;
    bool fps_shown;
    bool meter_shown;
    unsigned told;        /* notes about what sources asked for, */
    double told_since;    /* from this clock on */
    bool hushed;          /* there were enough of these */
    uint64_t beats;       /* heard since the start */
    struct app_seen seen; /* what sources read of the last frame */
};

/* Carries out a command: at once, or, where it waits for files, locks or memory, by the operator.
 */
void app_player_obey(struct app_player *player, const struct engine_call *call);

/* Carries out what a key asks for, or a window that is closed, as app_player_obey. What would end a
 * show or its full screen is asked about first, and carried out if it comes once more within two
 * seconds. A show is full screen, or has an operator's window. */
void app_player_obey_user(struct app_player *player, const struct engine_call *call);

/* What a value stands at; 0: there is no such value. */
double app_player_tell(const struct app_player *player, unsigned value);

/* What can be read back as text: copies, no locks. */
void app_player_texts(const struct app_player *player, char (*texts)[APP_TEXT_SIZE]);

/* What is done with what comes in by the door; and a call of a source of the painter's own, which
 * is carried out at once. */
struct app_taker app_player_taker(struct app_player *player);
void app_player_give(struct app_player *player, enum app_source source,
                     const struct engine_call *call);

/* What is asked, as long as the operator's view says so. */
enum app_question app_player_asks(const struct app_player *player);

/* What the show tells the operator of. */
struct engine_supply app_player_supply(struct app_player *player);

/* What the show tells after each step. */
void app_player_stepped(void *user, unsigned events);

/* The next picture shows this preset. */
void app_player_took(void *user, const struct engine_loaded *loaded, bool again);

/* Shaders are computed with these divisors from now on. */
void app_player_adapted(void *user, const int divisors[REND_SHADER_STAGES]);

/* Shows or hides the operator's view. */
void app_player_set_view(struct app_player *player, enum app_view view);

/* How large the operator's view is drawn; 0 while it is not shown. */
struct ui_window_pixels app_player_view_pixels(const struct app_player *player);

/* Paints until the player is to quit; sets `failed`, after an error, if no preset could be loaded,
 * or if the display is gone and nobody else gets the show. */
void app_player_run(struct app_player *player);

#endif
