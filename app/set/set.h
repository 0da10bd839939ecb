/* Recordings of shows: kept while froth plays, and played again. A recording is a folder
 * (docs/set.md):
 *
 *   events.yaml     what changed the show, as a cue sheet
 *   frames.txt      each frame's number and how many samples it heard; clocks from outside
 *   sound/          what was heard, a file for each minute
 *   presets/        the presets, by their content; pictures/, pictures.yaml: those that they name
 *   states/, last.state   the show as it stood, to begin in the middle, or after a crash
 *
 * The last minutes of a show that is on (past.h) are a set as well, in memory. */
#ifndef APP_SET_SET_H
#define APP_SET_SET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "app/options/options.h"
#include "app/set/event.h"
#include "base/text.h"
#include "engine/embed/program.h"

struct app_audio;
struct app_set_past;

/* ---- read ---- */

/* A frame of a show. */
struct app_set_frame {
    uint64_t number;
    uint64_t heard; /* samples until its end, from the beginning of the set */
    size_t said;    /* what clocks have said before it: so many */
};

/* What a clock said (engine_set_tempo). */
struct app_set_said {
    enum engine_tempo_source source;
    double bpm;
    double beats;
    bool runs;
};

/* A picture that a preset names. */
struct app_set_picture {
    struct base_span preset; /* hash of its content, in digits */
    struct base_span path;   /* where the preset lay */
    const char *name;
    bool is_file;
    const char *picture; /* below the folder; where there is none, its path */
};

struct app_set;

/* Sound of a set, from any place of it; zero-initialise. */
struct app_set_ear {
    struct app_audio *audio; /* where it is in files */
    uint64_t at;             /* its next frame */
};

/* Where a set keeps what takes room. For any thread; what it reports goes to the sink. */
struct app_set_store {
    /* The newest state not behind this frame of the show. False: there is none. */
    bool (*find_state)(const struct app_set *set, uint64_t frame, uint64_t *found);
    /* bytes: to be freed. 0, or -1 after a message. */
    int (*read_state)(const struct app_set *set, uint64_t frame, uint8_t **bytes, size_t *size,
                      const struct base_diag_sink *sink);
    /* The text of a preset that an event names: to be freed. 0, or -1 after a message. */
    int (*read_preset)(const struct app_set *set, struct base_span name, char **text, size_t *size,
                       const struct base_diag_sink *sink);
    /* So many stereo frames of sound, from this one on; *got: those that there are. 0, or -1 after
     * a message. */
    int (*hear)(const struct app_set *set, struct app_set_ear *ear, uint64_t from, float *samples,
                size_t frames, size_t *got, const struct base_diag_sink *sink);
    /* The path of a picture. */
    bool (*find_picture)(const struct app_set *set, const struct app_set_picture *picture,
                         char *path, size_t size);
};

struct app_set {
    const struct app_set_store *store;
    struct app_set_past *past; /* NULL: it lies in the folder */
    char folder[4096];
    struct app_set_events events;
    struct base_arena arena;
    struct app_set_frame *frames;
    size_t frame_count;
    struct app_set_said *said;
    size_t said_count;
    struct app_set_picture *pictures;
    size_t picture_count;
    bool ended; /* as it should be */
};

/* Whether there is a recording in this folder. */
bool app_set_is(const char *folder);

/* Reads all but sound, presets and states. Returns 0, or -1 after messages; to be closed in either
 * case. Zero-initialise. */
int app_set_open(struct app_set *set, const char *folder, const struct base_diag_sink *sink);
void app_set_close(struct app_set *set);

/* The store of a set in a folder. */
extern const struct app_set_store app_set_folder;

void app_set_ear_close(struct app_set_ear *ear);

/* Reads frames.txt alone. Returns 0, or -1 after messages; the set is to be closed in either case.
 */
int app_set_frames_read(struct app_set *set, const char *file, struct base_span text,
                        const struct base_diag_sink *sink);

/* ---- played again ---- */

struct app_set_play;

enum { APP_SET_TURNS_MAX = 3 };

struct app_set_wishes {
    struct app_size size;    /* 0: the show's */
    struct engine_rate rate; /* numerator 0: the show's */
    bool as_shown;           /* only the frames that were shown then */
    double from;             /* seconds of the set */
    int shaders;             /* side of a pixel that shaders compute; 0: as it was */
    size_t threads;
    enum base_cpu_level cpu;
    const struct rend_device *device; /* as rend_config.device; NULL: none; outlives the play */
    bool later;   /* it may still be at work on a picture, until app_set_play_bring */
    size_t turns; /* a picture stays until the so many-th call after its own; 0: 1 */
    const struct rend_observer *observer; /* as rend_config.observer; NULL: none; outlives it too */
    const char *textures; /* folder for pictures of presets that are not the set's; NULL: the
                             usual */
    /* A preset is shown from the next picture on; may be NULL. */
    void (*took)(void *user, const struct app_set_event *event);
    /* After each step. May be NULL. */
    void (*stepped)(void *user, unsigned events);
    void *user;
};

/* The set at its beginning, or at `from`. set and sink outlive it. NULL after messages. */
struct app_set_play *app_set_play_open(const struct app_set *set,
                                       const struct app_set_wishes *wishes,
                                       const struct base_diag_sink *sink);
void app_set_play_close(struct app_set_play *play);

/* How many pictures there are, from `from` on; their size and rate. */
uint64_t app_set_play_frames(const struct app_set_play *play);
struct app_size app_set_play_size(const struct app_set_play *play);
struct engine_rate app_set_play_rate(const struct app_set_play *play);

/* The next picture; with `later` it is whole after app_set_play_bring, which comes before the next
 * call. NULL after messages. */
const uint32_t *app_set_play_next(struct app_set_play *play);
void app_set_play_bring(struct app_set_play *play);

/* Goes to another time, in either direction; its picture is the next one. Presets that run there
 * too are not made again. 0, or -1 after a message, and it cannot be used any more. Only where the
 * size and the rate are the show's. */
int app_set_play_seek(struct app_set_play *play, double from);

/* Goes on with another reading of the same show, which has become longer, and may have lost its
 * beginning. False: what comes next is not in it any more, and it has to go to another time. */
bool app_set_play_of(struct app_set_play *play, const struct app_set *set);

/* The frame of the show that the last picture is of, where size and rate are the show's. */
uint64_t app_set_play_frame(const struct app_set_play *play);

/* Goes to `from`, before its picture. */
void app_set_play_skip(struct app_set_play *play);

/* The show, to look at. */
froth *app_set_play_show(struct app_set_play *play);

/* ---- states ---- */

/* A state, which is what is kept beside it, then what froth_save writes, packed as a file of a set
 * holds it, and back. packed, bytes: to be freed. Returns 0, or -1 with errno, or -1 after a
 * message that names the file. */
int app_set_state_pack(uint64_t frame, const void *bytes, size_t size, void **packed,
                       size_t *packed_size);
int app_set_state_unpack(const char *file, struct base_span packed, uint64_t *frame,
                         uint8_t **bytes, size_t *size, const struct base_diag_sink *sink);

/* The same as a file. */
int app_set_state_write(const char *path, uint64_t frame, const void *bytes, size_t size);
int app_set_state_read(const char *path, uint64_t *frame, uint8_t **bytes, size_t *size,
                       const struct base_diag_sink *sink);

/* A show as it stands: bytes, to be freed. Returns 0, or -1 with errno. */
int app_set_state_take(froth *show, uint8_t **bytes, size_t *size);

/* Gives it to a show of the set's configuration. */
int app_set_state_give(froth *show, const uint8_t *bytes, size_t size,
                       const struct base_diag_sink *sink);

/* Where a show was cut off: its head, and its last state. */
struct app_set_resume {
    struct app_set_head head;
    char folder[4096];
    uint8_t *state;
    size_t size;
};

/* Reads them from this folder, or, if it is "on", from the newest recording without a name. Returns
 * 0, or -1 after messages; to be freed with app_set_resume_free. */
int app_set_resume_read(struct app_set_resume *resume, const char *name,
                        const struct base_diag_sink *sink);
void app_set_resume_free(struct app_set_resume *resume);

/* The same options with those of that show which its state is bound to. */
void app_set_resume_options(const struct app_set_resume *resume, struct app_options *options);

/* Where recordings without a name are: the folder's path. False: the system names none. */
bool app_set_home(char *path, size_t size);

#endif
