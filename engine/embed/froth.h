/* libfroth: MilkDrop presets painted into plain memory.
 *
 * An instance (froth) is a show: presets one after the other, the sound that they hear, and
 * pictures of any size and format. There is no window, no sound device, no global state and no
 * clock: the host gives sound and asks for pictures. The same presets, sound and calls give the
 * same bytes, on every machine and with any number of threads, where the instance is made with
 * `exact`; they are those of `froth render`.
 *
 *     struct froth_config config;
 *     froth_config_begin(&config, sizeof config);
 *     froth *show = froth_create(&config, NULL);
 *     froth_playlist_add(show, "/usr/share/froth/presets");
 *     for (each frame) {
 *         froth_add_sound_float(show, samples, count, 2, 48000);
 *         froth_render(show, &picture);
 *     }
 *     froth_free(show);
 *
 * Threads: an instance belongs to one thread at a time; different instances know nothing of each
 * other. The exceptions are the functions marked "sound": they may be called by one other thread,
 * at the same time as all else but froth_free. A live instance (not `exact`) has a thread of its
 * own that makes presets ready, and as many as `threads` says that paint; froth_free ends all of
 * them.
 *
 * Memory: what a function is given is copied, unless it says otherwise; texts that it returns are
 * constant. froth_render neither allocates, locks, nor reads files, but where the size of the
 * picture is another than before, and, where the instance is exact, when a preset is loaded.
 *
 * Errors: functions return FROTH_OK, or another value of froth_result after nothing has changed;
 * what is wrong with a file or text is told to the message function. No argument, of any value,
 * ends the process: NULL and numbers out of range are FROTH_BAD_ARGUMENT. Pointers that are not
 * NULL must point to what they promise.
 *
 * SPDX-License-Identifier: MPL-2.0 */
#ifndef FROTH_H
#define FROTH_H

#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__)
#define FROTH_API __attribute__((visibility("default")))
#else
#define FROTH_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* ---- version ---- */

/* The interface: programs that were compiled with one number work with a library of the same. It
 * rises where a function or a field changes or goes, not where one is added. */
#define FROTH_ABI 0

/* The number that the library was compiled with; to be held against FROTH_ABI. */
FROTH_API int froth_abi(void);

/* The library's version, such as "1.0.0". */
FROTH_API const char *froth_version(void);

/* ---- results and messages ---- */

enum froth_result {
    FROTH_OK = 0,
    FROTH_BAD_ARGUMENT = -1, /* NULL, a number out of range, or a struct of an unknown size */
    FROTH_NO_MEMORY = -2,    /* or no thread */
    FROTH_UNKNOWN = -3,      /* there is no value, command, transition or preset of this name */
    FROTH_REFUSED = -4,      /* the preset, list or state cannot be used; a message says why */
    FROTH_NOTHING = -5,      /* no preset runs, or there is nothing to undo */
    FROTH_TOO_SMALL = -6     /* there is more than fits into the memory that was given */
};

/* A few words for a froth_result, "unknown result" for another number. */
FROTH_API const char *froth_result_text(int result);

enum froth_severity { FROTH_NOTE = 1, FROTH_WARNING = 2, FROTH_ERROR = 3 };

struct froth_message {
    int severity;     /* enum froth_severity */
    const char *file; /* path or name of what it is about; NULL: of nothing in particular */
    uint32_t line;    /* from 1; 0: not known */
    uint32_t column;  /* from 1; 0: not known */
    const char *what;
    const char *hint; /* what may help; "" if there is nothing */
};

/* Called for each message, in the call that causes it or, of a live instance, by the thread that
 * loads presets; never twice at the same time for one instance. The message is valid during the
 * call. It may not call functions of the instance. */
typedef void (*froth_message_function)(void *user, const struct froth_message *message);

/* ---- pictures that shaders name ---- */

struct froth_texture {
    const uint32_t *pixels; /* 0xAARRGGBB, row 0 at the top, rows without gaps; the host's */
    int width;              /* 1..8192 */
    int height;
};

/* Called while a preset is loaded, by the thread that loads it: stores the picture of this name, in
 * small letters and without ending, and returns 1; 0: there is none, and a stand-in of its
 * character takes its place. "rand00" to "rand15", alone or followed by "_" and the beginning of a
 * name, are any picture. The pixels are copied; they stay until the next call, or froth_free. It
 * may be asked several times, and may not call functions of the instance. */
typedef int (*froth_texture_function)(void *user, const char *name, struct froth_texture *texture);

/* ---- an instance ---- */

typedef struct froth froth;

enum froth_levels {
    FROTH_LEVELS_FFT = 0,  /* bass, mid and treb as MilkDrop measures them */
    FROTH_LEVELS_FIR = 1,  /* the same bands by filters */
    FROTH_LEVELS_BOARD = 2 /* the bands of the Milkymist One */
};

/* Fields may be added at the end; `size` tells which ones the host knows. */
struct froth_config {
    size_t size;              /* of the struct, set by froth_config_begin */
    uint32_t fps_numerator;   /* frames a second, 1..1000: 60/1; 30000/1001 */
    uint32_t fps_denominator; /* 1..1001 */
    double step_rate; /* steps of presets a second, 10..240; 0: as many as frames where these are
                         about 30 or 60, else 60 */
    int between;      /* 0: a picture shows the newest step, 1: a mixture of two */
    int exact;        /* 0: live; 1: each step hears exactly the samples of its time, and presets
                         are loaded within froth_render */
    int width;        /* of the first picture, 16..8192; that of froth_render counts */
    int height;
    int mesh_width;    /* cells of the motion mesh, 2..192; 48 */
    int mesh_height;   /* 2..144; 36 */
    uint64_t seed;     /* of all that is left to chance */
    int levels;        /* enum froth_levels */
    int threads;       /* that paint, 1..64, the calling one included; 0: one for each processor */
    int shader_pixels; /* side of a pixel that shaders compute, 1..4 pixels of the picture; 1 */
    size_t memory;     /* bytes that a preset may take; 0: 256 MiB */
    double advance;    /* seconds for which a preset is shown, 30; 0: none comes by itself */
    double blend;      /* seconds that a transition takes, 0..60; 2.7; 0: hard cuts */
    const char *transition; /* one of froth_transition_name, "random" or "cut"; NULL: random */
    int random;             /* 1: presets of the playlist come by chance */
    froth_message_function message; /* NULL: nobody wants to know */
    void *user;                     /* for the message function */
    froth_texture_function texture; /* NULL: stand-ins are painted for all pictures */
    void *texture_user;             /* for the texture function */
    /* What computes pixel shaders: NULL or "cpu": the processor; "gpu", or a part of its name: a
     * graphics processor; "auto": that where it is faster. The pictures are the same. The first
     * time on a machine and with a driver froth_create tries it, in this process, for some seconds,
     * and keeps what came of that among the user's files ($XDG_CACHE_HOME/froth); one that draws
     * other pictures, or is lost, is replaced by the processor, and a message says so. */
    const char *device;
};

/* Sets all fields to what they are usually. size: sizeof(struct froth_config). */
FROTH_API int froth_config_begin(struct froth_config *config, size_t size);

/* An instance, or NULL; *result (may be NULL) then says why: FROTH_UNKNOWN for a device that is not
 * there. The first picture is black until a preset is there. */
FROTH_API froth *froth_create(const struct froth_config *config, int *result);

/* Ends its threads and frees all of it. NULL is fine. */
FROTH_API void froth_free(froth *show);

/* ---- presets ---- */

enum froth_change {
    FROTH_SOFT = 0, /* with a transition, unless it is the first */
    FROTH_HARD = 1  /* with a cut */
};

/* Makes a preset ready, which comes with the next picture: a file, .milk or .fnp, or a text under a
 * name. It waits until that is done. */
FROTH_API int froth_load_file(froth *show, const char *path, int change);
FROTH_API int froth_load_text(froth *show, const char *name, const char *text, size_t size,
                              int change);

/* The preset that runs, or comes during a transition: its name, and its path, as NUL-terminated
 * UTF-8, cut where `size` bytes are not enough. "" before the first. */
FROTH_API int froth_preset_name(const froth *show, char *name, size_t size);
FROTH_API int froth_preset_path(const froth *show, char *path, size_t size);

/* 1 while one preset gives way to another, else 0. */
FROTH_API int froth_changes(const froth *show);

/* ---- the playlist: which preset comes next ---- */

/* Adds a preset, all presets below a folder, or all of a list (.txt, .m3u, .yaml). Returns how many
 * were added, or a froth_result below 0. The first of a show without one is shown by itself. */
FROTH_API long froth_playlist_add(froth *show, const char *path);

/* Adds a text under a name. */
FROTH_API int froth_playlist_add_text(froth *show, const char *name, const char *text, size_t size);

/* Empties the list. What runs goes on. */
FROTH_API int froth_playlist_clear(froth *show);

FROTH_API size_t froth_playlist_count(const froth *show);

/* The path or name of a preset of the list, from 0; as froth_preset_path. */
FROTH_API int froth_playlist_path(const froth *show, size_t item, char *path, size_t size);

/* Which one of the list runs; -1: none of them. */
FROTH_API long froth_playlist_at(const froth *show);

/* Shows this one of the list, which goes on behind it. */
FROTH_API int froth_playlist_show(froth *show, size_t item, int change);

/* The preset that comes `steps` later in the list (earlier if negative), as soon as it is ready.
 * What else decides of the next one are values: "random", "lock", "advance", "hard", "cut-on-beat"
 * and so on. */
FROTH_API int froth_next(froth *show, int steps, int change);

/* A live instance: waits until a preset is ready or none is asked for, at most so many seconds. 1
 * if the next picture shows a preset, else 0. */
FROTH_API int froth_wait(froth *show, double seconds);

/* ---- sound ---- */

/* Sound. Adds samples, -1..1 or -32768..32767, interleaved where there are two channels; what is no
 * number counts as 0. rate: samples a second of one channel, 1000..768000; another one than 44100
 * is converted. Room is for six seconds, and what does not fit is dropped. A live instance to which
 * nothing is added for half a second hears silence until something is. Neither locks nor waits, and
 * allocates only where the rate changes. */
FROTH_API int froth_add_sound_float(froth *show, const float *samples, size_t frames, int channels,
                                    uint32_t rate);
FROTH_API int froth_add_sound_int16(froth *show, const int16_t *samples, size_t frames,
                                    int channels, uint32_t rate);

/* Sound. Nothing follows: what the conversion holds back comes too, then silence. */
FROTH_API int froth_end_sound(froth *show);

/* Of an exact instance, by its own thread: how many samples of a channel, at the rate that was
 * added last, the next picture still needs. To be asked again after they were added, since a
 * conversion looks ahead; 0 means that the picture hears all of its time. What is missing is
 * silence. Frame n, from 0, begins at sample floor(n * rate / fps) where the step rate is the frame
 * rate; otherwise a picture hears up to the end of its step. */
FROTH_API size_t froth_sound_wanted(const froth *show);

/* Sound. How many stereo samples, at 44100 a second, wait and how many were dropped so far. */
FROTH_API size_t froth_sound_waiting(const froth *show);
FROTH_API size_t froth_sound_dropped(const froth *show);

struct froth_heard {
    double level[3];      /* bass, mid, treb as presets see them: 1 is usual */
    double level_slow[3]; /* the same, smoothed */
    unsigned beats;       /* in the newest step */
    double beat_phase;    /* 0..1; 0 while no tempo is heard */
    double bpm;           /* beats per minute; 0 while no tempo is heard */
};

/* What the newest step heard. FROTH_NOTHING before the first preset. */
FROTH_API int froth_heard(const froth *show, struct froth_heard *heard);

/* ---- pictures ---- */

/* Bytes of a pixel in their order in memory. */
enum froth_format {
    FROTH_BGRX = 0,  /* the fourth is 0 */
    FROTH_RGBX = 1,  /* the fourth is 0 */
    FROTH_BGRA = 2,  /* the fourth is 255 */
    FROTH_RGBA = 3,  /* the fourth is 255 */
    FROTH_RGB565 = 4 /* 16 bits in the order of the machine, red in the upper five */
};

struct froth_picture {
    void *pixels;  /* the host's; of the first row, which is the top one */
    size_t stride; /* bytes from row to row, at least width times the bytes of a pixel */
    int width;     /* 16..8192 */
    int height;
    int format; /* enum froth_format */
};

/* Bytes of a pixel; 0: there is no such format. */
FROTH_API size_t froth_format_bytes(int format);

/* Draws the next frame. Where the size is another than that of the last one, the preset that runs
 * goes on, on the last picture enlarged or reduced, and a transition ends; this allocates.
 * FROTH_NO_MEMORY: it stays at the former size, and nothing was drawn. */
FROTH_API int froth_render(froth *show, const struct froth_picture *picture);

/* Draws the frame that is shown `seconds` after the start, which are 0 to 10^9 frames, for a host
 * whose pictures come when its screen wants them. Never goes back: an earlier time is that of the
 * last frame. A live instance leaves steps out where more than fit into a frame are due. */
FROTH_API int froth_render_at(froth *show, double seconds, const struct froth_picture *picture);

/* A live instance that may adapt (1; 0, as it is at first: as shader_pixels says) measures how long
 * its pictures take to draw, computes shaders for squares of up to 4x4 pixels before one comes late
 * at the frame rate of the config, and finer again where there is time. FROTH_BAD_ARGUMENT: it is
 * exact. */
FROTH_API int froth_set_adaptive(froth *show, int on);

/* Frames that were drawn; of froth_render_at, the number of the frame that the time fell into. */
FROTH_API uint64_t froth_frame(const froth *show);

/* The hash that `froth render --hash` prints of a picture: XXH64 of its rows as bytes red, green,
 * blue. 0 where the picture is refused, or has the format RGB565. */
FROTH_API uint64_t froth_picture_hash(const struct froth_picture *picture);

/* Light: what equations read by dmx_in() from the next step on. Level i of `count`, at most
 * FROTH_DMX_CHANNELS, is that of channel i + 1; the channels behind are 0, as all are at first. No
 * part of a saved state. */
enum { FROTH_DMX_CHANNELS = 2048 };
FROTH_API int froth_set_dmx(froth *show, const uint8_t *levels, size_t count);

/* The beat, from a host that knows it: at the next picture it stands at `beats`, whole numbers of
 * which are beats and multiples of 4 begin a bar, and it goes on from there at `bpm` beats per
 * minute, 10 to 999, until this is called again; runs 0: it stands. bpm 0: the host gives none.
 * Presets then read this beat, and no longer the one of the music, unless the command "clock" asks
 * for another; where it takes over the beat does not jump, but runs up to half faster or slower
 * until it agrees. */
FROTH_API int froth_set_tempo(froth *show, double bpm, double beats, int runs);

/* The beat that presets read, at the newest step. bpm 0: there is none. */
struct froth_tempo {
    double bpm;
    double beats;       /* as above; they never go back while bpm is not 0 */
    const char *source; /* who drives: "host", "tap", "heard"; "" nobody. Constant */
};
FROTH_API int froth_tempo(const froth *show, struct froth_tempo *tempo);

/* What steps noticed since this was last asked, and forgets it: bits. */
enum froth_event {
    FROTH_EVENT_EQUATIONS = 1,  /* they took too many operations and were ended early */
    FROTH_EVENT_MEMORY = 2,     /* their memory was used up: writes were dropped */
    FROTH_EVENT_FILL = 4,       /* shapes and lines covered too many pixels */
    FROTH_EVENT_LOOP = 8,       /* a loop of a shader took too many rounds */
    FROTH_EVENT_WARP_COST = 16, /* the warp shader cost too much: the rest of it is black */
    FROTH_EVENT_COMP_COST = 32  /* the composite shader cost too much: the rest of it is black */
};
FROTH_API unsigned froth_events(froth *show);

/* ---- values and commands: the rows of froth's command table ---- */

enum froth_kind {
    FROTH_ACTION = 0, /* does something; takes the argument that `argument` shows */
    FROTH_SWITCH = 1, /* 0 or 1 */
    FROTH_NUMBER = 2, /* low..high */
    FROTH_KEY = 3     /* a number of the preset that runs: live changes of it, with undo */
};

struct froth_value {
    const char *name;     /* "advance", "lock", "zoom", "next" */
    const char *help;     /* a line */
    const char *argument; /* as help writes it: "", "[on|off]", "[N|=N]", "N", "TEXT" */
    int kind;             /* enum froth_kind */
    double low;           /* of NUMBER and KEY; else 0 */
    double high;
};

FROTH_API size_t froth_value_count(void);

/* The row `index`, from 0. The texts are constant. */
FROTH_API int froth_value_info(size_t index, struct froth_value *value);

/* Sets and gives a SWITCH, NUMBER or KEY by its name; numbers out of range are brought within it.
 * Of presets any key of the .milk file will do as well: "fDecay". FROTH_NOTHING: no preset runs. */
FROTH_API int froth_set(froth *show, const char *name, double value);
FROTH_API int froth_get(const froth *show, const char *name, double *value);

/* Carries out a command with its argument, as `froth play --do` takes it: "next 2", "transition
 * clock", "zoom =1.02", "undo". */
FROTH_API int froth_do(froth *show, const char *words);

/* Ways from one preset to the next, from 0; NULL behind the last. */
FROTH_API const char *froth_transition_name(size_t index);

struct froth_variable {
    char name[24]; /* NUL-terminated */
    double value;
};

/* Variables of the preset's per-frame equations after the last step, at most `most`, as many as
 * fit: its own ones first, q1 to q32 last. Returns how many there are. */
FROTH_API size_t froth_variables(const froth *show, struct froth_variable *variables, size_t most);

/* ---- state ---- */

/* Bytes that froth_save writes now, some 1.3 MB at 640x480. */
FROTH_API size_t froth_save_size(const froth *show);

/* Writes all that the next pictures depend on, with the texts of the presets that run: an instance
 * of the same configuration that takes it over draws the pictures that would have come. Not in it
 * are the playlist, and sound that was added and not heard. *written (may be NULL): how many bytes.
 */
FROTH_API int froth_save(const froth *show, void *bytes, size_t size, size_t *written);

/* Takes over a saved state, whose bytes may come from anywhere. FROTH_REFUSED: it goes on as it
 * was. Its pictures have the size of those before it was saved. */
FROTH_API int froth_restore(froth *show, const void *bytes, size_t size);

#ifdef __cplusplus
}
#endif

#endif
