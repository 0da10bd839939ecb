/* A show in its course: the steps of its presets, what they hear, when the next one comes by
 * itself, and the commands that it takes. It has no clock, no file and no thread of its own:
 * frames, sound and presets come from outside, so that a window, a film and a program of somebody
 * else are callers of the same show.
 *
 * One thread at a time. Nothing but engine_create, engine_resize and engine_free allocates, and
 * nothing locks or formats text. */
#ifndef ENGINE_ENGINE_H
#define ENGINE_ENGINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/command.h"
#include "engine/course.h"
#include "engine/tempo/tempo.h"
#include "engine/tweaks.h"
#include "renderer/renderer.h"
#include "renderer/show.h"
#include "renderer/sound/beat.h"

/* Who makes presets ready and hands them over with engine_take. The functions are called by the
 * show's thread and never wait. */
struct engine_supply {
    void *user;
    /* The preset that comes `steps` later in order (earlier if negative). */
    void (*step)(void *user, int steps, bool hard);
    /* There is just one: nothing comes after it by itself. */
    bool (*alone)(void *user);
    void (*random)(void *user, bool on);
    void (*blend)(void *user, double seconds);
    /* False if it is known that there is no transition of this name. */
    bool (*transition)(void *user, const char *name);
};

/* Where the sound comes from. */
struct engine_ear {
    void *user;
    /* Stores at most `most` stereo frames at ENGINE_SOUND_RATE, and returns how many; `due`: so
     * many should have been read since the start when it returns. Never waits. */
    size_t (*hear)(void *user, uint64_t due, float *interleaved, size_t most);
};

/* Every call that changes a show, and so may change its next pictures: TOLD(id, function). Who
 * watches it is told of each, in order, as ENGINE_TOLD_id, before it is carried out where nothing
 * else is said; a show of the same setup that gets the same calls makes the same pictures. Calls
 * that the engine makes of itself, within one of these, are not told of. UNTOLD(function): takes a
 * show that may change, but changes no picture, or is a part of how a state is put back.
 * tests/told.sh holds this table against the functions below. */
#define ENGINE_TOLD_CALLS(TOLD, UNTOLD)                                                            \
    TOLD(TAKE, engine_take)                                                                        \
    TOLD(RESIZE, engine_resize)                                                                    \
    TOLD(DIVISORS, engine_set_divisors)                                                            \
    TOLD(REACH, engine_reach)                                                                      \
    TOLD(ADVANCE, engine_advance)                                                                  \
    TOLD(PRESETS, engine_step_presets)                                                             \
    TOLD(WAIT_ANEW, engine_wait_anew)                                                              \
    TOLD(HOLD, engine_hold)                                                                        \
    TOLD(STEP, engine_frame)  /* within a frame, after each of its steps, before `stepped` */      \
    TOLD(FRAME, engine_frame) /* after it, with what it heard */                                   \
    TOLD(MORE, engine_step_more)                                                                   \
    TOLD(DMX, engine_set_dmx)                                                                      \
    TOLD(CONTROLS, engine_set_controls)                                                            \
    TOLD(TEMPO, engine_set_tempo)                                                                  \
    TOLD(OBEY, engine_obey)                                                                        \
    TOLD(PUT, engine_put)                                                                          \
    TOLD(RESTORE, engine_restore) /* after it, where it was taken over */                          \
    UNTOLD(engine_end)                                                                             \
    UNTOLD(engine_free)                                                                            \
    UNTOLD(engine_retired)                                                                         \
    UNTOLD(engine_put_back)                                                                        \
    UNTOLD(engine_retime)                                                                          \
    UNTOLD(engine_let_stay)                                                                        \
    UNTOLD(engine_fetch)

enum engine_told_kind {
#define ENGINE_TOLD_ID(id, function) ENGINE_TOLD_##id,
#define ENGINE_TOLD_NOT(function)
    ENGINE_TOLD_CALLS(ENGINE_TOLD_ID, ENGINE_TOLD_NOT)
#undef ENGINE_TOLD_ID
#undef ENGINE_TOLD_NOT
        ENGINE_TOLD_COUNT
};

/* One of them, with what it was given; what does not belong to its kind is 0. Pointers are valid
 * while it is told. */
struct engine_told {
    enum engine_told_kind kind;
    const struct rend_cue *cue; /* TAKE, RESIZE: NULL: none */
    double seconds;             /* TAKE; REACH, HOLD: the time */
    bool again;                 /* TAKE */
    bool hard;                  /* PRESETS */
    int steps;                  /* PRESETS */
    int width;                  /* RESIZE */
    int height;
    const int *divisors; /* DIVISORS: REND_SHADER_STAGES of them */
    uint64_t frame;      /* FRAME */
    const float *sound;  /* FRAME: stereo frames that it heard */
    size_t count;        /* of the sound; DMX: of levels; CONTROLS: of controls */
    const uint8_t *levels;
    const struct rend_held *controls;
    enum engine_tempo_source source; /* TEMPO */
    double bpm;
    double beats;
    bool runs;
    const struct engine_call *call; /* OBEY */
    struct base_span key;           /* PUT */
    double value;
};

/* Who keeps a show that is not exact. Called by the show's thread. */
struct engine_watcher {
    void *user;
    void (*told)(void *user, const struct engine_told *told); /* NULL: nobody watches */
};

/* What automatic change and values begin with. */
struct engine_wishes {
    double advance; /* seconds for a preset, > 0; INFINITY: nothing comes by itself */
    double vary;
    unsigned cut_on_beat; /* 0: never */
    double cut_on_loud;   /* 0: never */
    double blend;         /* seconds, for who asks; the supply has its own */
    bool hard;
    bool random; /* for who asks; the supply has its own */
};

struct engine_setup {
    struct rend_config config; /* `fps` is that of the steps */
    struct engine_steps steps;
    int divisors[REND_SHADER_STAGES];
    /* Each step hears exactly the samples of its time, and none is ever left out. Otherwise a frame
     * hears all that has come, shared among its steps, and makes no more steps than fit into it. */
    bool exact;
    double speed; /* of the show's time, where it is not exact: frames that pass in one, > 0 */
    struct engine_wishes wishes;
    struct engine_supply supply; /* all NULL: the caller looks after presets by itself */
    struct engine_ear ear;
    struct engine_watcher watcher;
    /* After every step, while the picture is whole; NULL: nobody wants to know. */
    void (*stepped)(void *user, unsigned events);
    void *user;
};

struct engine;

/* The pool and observer of the config, and all that has a `user`, must outlive it. NULL without
 * memory. */
struct engine *engine_create(const struct engine_setup *setup);

/* Retires all cues, for engine_retired. */
void engine_end(struct engine *engine);
void engine_free(struct engine *engine); /* with the cues that it still has; NULL is fine */

/* ---- presets ---- */

/* Takes a cue over, as rend_show_take. seconds: how long it is to be shown, negative: as usual;
 * again: another version of the preset that runs, on which live changes are made again. Ask for
 * those that are no longer used after this and after every frame (or in `stepped`). */
void engine_take(struct engine *engine, struct rend_cue *cue, double seconds, bool again);
struct rend_cue *engine_retired(struct engine *engine);

/* The show, to look at. */
const struct rend_show *engine_show(const struct engine *engine);

void engine_set_divisors(struct engine *engine, const int divisors[REND_SHADER_STAGES]);

/* Another size from the next frame on. `cue`: the preset that runs, made for a config of this size;
 * it goes on, on the picture as it stands, scaled, and hears on. NULL: nothing runs. Whatever
 * else ran or came is retired. False without memory: the cue stays the caller's and all is as
 * before. */
bool engine_resize(struct engine *engine, int width, int height, struct rend_cue *cue);

/* ---- frames ---- */

/* The frame that is drawn next stands at so many seconds of the show; before all else of it. */
void engine_reach(struct engine *engine, double now);

/* Asks the supply for the next preset where it is time, by that clock, or by the beat or loudness
 * of what was heard. Once for each frame. */
void engine_advance(struct engine *engine);

/* Asks for the preset `steps` ahead, at once. */
void engine_step_presets(struct engine *engine, int steps, bool hard);

/* A preset was asked for by another way, or a change is put off: the time until the next change by
 * itself begins anew. */
void engine_wait_anew(struct engine *engine);

/* Draws nothing of a preset that costs too much until then, in seconds of the show, or until
 * another is taken: it is only heard. */
void engine_hold(struct engine *engine, double until);

/* Makes the steps up to frame `frame` (from 1; it never goes back) and draws the newest, or the
 * mixture, into pixels (0x00RRGGBB, of the config's size, stride in pixels). Returns how many steps
 * were made; with none, and no mixture, the pixels stay as they are. */
unsigned engine_frame(struct engine *engine, uint64_t frame, uint32_t *pixels, size_t stride);

/* Whether engine_frame will draw all of the pixels of this frame. */
bool engine_draws(const struct engine *engine, uint64_t frame);

/* From the next step on pictures may stay on the device that draws them, but for mixtures of
 * steps. Then whoever paints asks after each frame: where the newest picture stays, pixels are as
 * they were, and engine_fetch fills them in, until the next step; engine_shown says where it lies
 * there, for whoever shows it from there. wanted: the last one of a frame is fetched after other
 * work, during which it comes. */
void engine_let_stay(struct engine *engine, bool may, bool wanted);
bool engine_picture_stays(const struct engine *engine);
void engine_fetch(struct engine *engine, uint32_t *pixels, size_t stride);
struct rend_device_shown engine_shown(const struct engine *engine);

/* Makes one step more in the next frame, for a picture that was lost. */
void engine_step_more(struct engine *engine);

/* Stereo frames of sound that engine_frame of this frame will hear, where it is exact. */
uint64_t engine_hears(const struct engine *engine, uint64_t frame);

/* What the last frame has heard, until the next; sets *count, in stereo frames. */
const float *engine_heard(const struct engine *engine, size_t *count);

/* What dmx_in() gives in equations from the next step on: level i of `count` is channel i + 1, the
 * others are 0. Copied. Before the first call all are 0; not saved. */
enum { ENGINE_DMX_CHANNELS = REND_DMX_CHANNELS };
void engine_set_dmx(struct engine *engine, const uint8_t *levels, size_t count);

/* What the controls of the board's own patches say from the next step on (rend_control_names): two
 * for each, at most ENGINE_CONTROLS_MAX, those behind are left out. */
enum { ENGINE_CONTROLS_MAX = 2 * PRESET_BINDINGS_MAX };
void engine_set_controls(struct engine *engine, const struct rend_held *controls, size_t count);

/* ---- the beat ---- */

/* What a source of the beat says (engine/tempo/tempo.h): at the time of the next frame it stands at
 * `beats`, and goes on at that tempo, until it says something else. bpm 0: it is not there. Of
 * ENGINE_TEMPO_HEARD and _TAP the engine knows by itself. */
void engine_set_tempo(struct engine *engine, enum engine_tempo_source source, double bpm,
                      double beats, bool runs);

/* Changes of presets wait for the next multiple of so many beats (value "wait-beats"), and it is
 * not this frame's yet. To be asked after engine_reach. They wait no longer than the clock should
 * take for that, and half a minute at most; not without a tempo, while the clock stands, or for
 * what costs too much. */
bool engine_waits(const struct engine *engine);

/* ---- commands and values ---- */

struct engine_state {
    struct engine_auto_vj vj;
    struct engine_tweaks tweaks;
    struct rend_loud loud;
    double cut_on_loud; /* its sensitivity; 0: no cuts */
    double blend;
    double now;           /* seconds of the show */
    double passed;        /* since the frame before */
    double held_until;    /* seconds of the show */
    uint64_t frame;       /* drawn last; 0: none */
    uint64_t step;        /* the newest, counted from 1 */
    uint64_t heard_step;  /* of the clock, up to which sound came; 0: none so far */
    int64_t steps_ahead;  /* of the clock; negative after the picture stood still */
    unsigned steps_asked; /* of a picture that stands still, and not made yet */
    unsigned beats;       /* since engine_advance */
    bool is_loud;         /* the music has asked for a cut since engine_advance */
    struct engine_tempo_clock tempo;
    unsigned wait_beats; /* changes wait for multiples of these; 0: they do not */
    double waited;       /* the last of them that was reached, counted, */
    double waited_at;    /* when, in seconds of the show, */
    bool wait_over;      /* and whether that was in this frame */
    bool locked;
    bool random;
    bool frozen;
    bool blackout; /* for who shows the picture */
};

const struct engine_state *engine_state(const struct engine *engine);

/* Nothing comes after the running preset by itself: it is locked, frozen, or the only one. */
bool engine_stays(const struct engine *engine);

/* Carries out a call of the command table. False if nothing could be changed: no preset runs, there
 * is no such key, or nothing to undo. */
bool engine_obey(struct engine *engine, const struct engine_call *call);

/* What a command has set: a switch as 0 or 1, a number, of adjust.def the value of its key. 0 for
 * what sets nothing, and of a preset where none runs. */
double engine_tell(const struct engine *engine, unsigned command);

/* The variables that the command "hold" keeps at a number; sets *count. They are no part of the
 * saved state. */
enum { ENGINE_HELD_MAX = 32 };
const struct rend_held *engine_held(const struct engine *engine, size_t *count);

/* Whether a command sets a switch or number that lasts, which engine_tell gives. */
bool engine_tells(unsigned command);

/* Sets a key of the running preset by its name in the .milk file, as the command "set", and gives
 * its value. False if there is no such key, or no preset runs. */
bool engine_put(struct engine *engine, struct base_span key, double value);
bool engine_look(const struct engine *engine, struct base_span key, double *value);

/* ---- saved ---- */

/* As of a show (renderer/show.h), with its course, automatic change and values; live changes last,
 * their undo does not. A mixture of steps begins with the next step. Not in the bytes: what the
 * supply, the ear and who calls remember. */
size_t engine_save_size(const struct engine *engine);
size_t engine_save(const struct engine *engine, void *bytes, size_t size);
int engine_saved_cues(const struct engine *engine, const void *bytes, size_t size,
                      struct rend_saved_cue saved[REND_ROLES], const struct base_diag_sink *sink);
int engine_restore(struct engine *engine, struct rend_cue *const cues[REND_ROLES],
                   const void *bytes, size_t size, const struct base_diag_sink *sink);

/* What is beside the state: light, controls, variables that are held, live changes with their undo,
 * and how coarse shaders are. Plain data; put back after engine_restore, the show goes on as if it
 * had never been away.
 */
struct engine_kept {
    uint8_t dmx[ENGINE_DMX_CHANNELS];
    struct rend_held held[ENGINE_HELD_MAX];
    size_t held_count;
    struct rend_held controls[ENGINE_CONTROLS_MAX];
    size_t control_count;
    struct engine_tweaks tweaks;
    int divisors[REND_SHADER_STAGES];
};

void engine_keep(const struct engine *engine, struct engine_kept *kept);
void engine_put_back(struct engine *engine, const struct engine_kept *kept);

/* The same as bytes. Reading: 0, or -1 where they are not such; *used: how many they were. */
size_t engine_kept_save(const struct engine_kept *kept, void *bytes, size_t size);
int engine_kept_read(struct engine_kept *kept, const void *bytes, size_t size, size_t *used);

/* Frames come at another rate from now on: the next number to be given is that of the time at which
 * the show stands. Steps go on as they were. */
void engine_retime(struct engine *engine, struct engine_rate frames);

#endif
