/* The parts of `froth check`: a preset rendered in a process of its own, and what came of it. */
#ifndef APP_CHECK_CHECK_H
#define APP_CHECK_CHECK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "engine/rate.h"
#include "app/check/supervise.h"
#include "base/cpu.h"
#include "renderer/renderer.h"

enum app_check_status {
    APP_CHECK_OK,
    APP_CHECK_DEGRADED, /* something of the preset is not drawn, or it ran into a limit */
    APP_CHECK_REFUSED,  /* it does not fit the Milkymist One */
    APP_CHECK_ERROR,    /* it cannot be loaded */
    APP_CHECK_TIMEOUT,
    APP_CHECK_CRASH,
    APP_CHECK_STATUS_COUNT,
};

struct app_check_settings {
    bool board; /* as the Milkymist One draws it; size, mesh, levels and divisor are then the
                   board's own, threads 1 */
    int width;
    int height;
    int mesh_x;
    int mesh_y;
    struct engine_rate rate;
    uint64_t frames; /* at least 1; see app_check_goes_on */
    uint64_t seed;
    enum rend_levels levels;
    size_t threads; /* that paint each preset; 1..64 */
    enum base_cpu_level cpu;
    int divisor;                      /* of the shaders: 1..REND_DIVISOR_MAX */
    const char *audio;                /* as app_audio_open takes it */
    const char *textures;             /* folder of pictures, may be NULL */
    size_t memory;                    /* bytes that a preset may take */
    double time_limit;                /* seconds for one preset */
    const struct app_options *device; /* which name what computes shaders; NULL: the processor */
};

struct app_check_figures {
    double load_ms;         /* for reading and compiling */
    double frame_ms;        /* mean processor time of a frame, on this machine */
    double peak_mib;        /* most memory that its process had at a time */
    uint64_t device_stages; /* stages of frames that a graphics processor has drawn */
    /* By the estimate of a Milkymist One (app/board/estimate.h); 0: not asked for. */
    struct app_check_board {
        double fps;
        bool cpu_equations; /* the CPU computes some, which costs more than this has */
        double pfpu_cycles; /* of a frame */
        double tmu_cycles;
        double cpu_cycles;
        double texel_hits; /* 0..1 */
        double occupancy;  /* of the memory bus, 0..1, at these frames per second, at most 24 */
        double bandwidth;  /* bits per second */
    } board;
    /* Of the pictures from the second half of the frames on, to the last that was looked at: */
    bool black;  /* none shows anything */
    bool frozen; /* all are the same */
};

struct app_check_row {
    const char *path; /* the caller's */
    enum app_check_status status;
    struct app_check_figures figures;
    uint32_t word; /* line of the list of words that the name has; 0: none */
    char **messages;
    size_t message_count;
};

/* What the child sends: messages as they come, the outcome last. Both write whole records. */
void app_check_send_message(int out, const char *text);
void app_check_send_outcome(int out, enum app_check_status status,
                            const struct app_check_figures *figures);

/* In the parent: fills the row (path aside) from how the child ended. Nothing that a broken child
 * may have written is trusted. Free with app_check_row_free. */
void app_check_row_read(struct app_check_row *row, const struct app_supervise_end *end,
                        double time_limit);
void app_check_row_free(struct app_check_row *row);

struct app_options;
struct preset_list;

/* Draws the first frames of each preset as these options of a rendering ask, by one thread each, so
 * many at a time as there are processors, and fills in the rows (zeros before), as the function
 * above does. 0, or -1 without memory. */
int app_check_costs(const struct app_options *options, uint64_t frames,
                    const struct preset_list *list, struct app_check_row *rows);

/* Adds a message behind the others. */
void app_check_row_say(struct app_check_row *row, const char *text);

struct app_check_summary {
    bool board; /* presets are for the Milkymist One: some can be refused */
    size_t presets;
    size_t by_status[APP_CHECK_STATUS_COUNT];
    size_t black;
    size_t frozen;
    bool worded;    /* there is a list of words, */
    size_t unnamed; /* and so many names have one of them */
};

/* As it stands in the tables. */
const char *app_check_status_name(enum app_check_status status);

/* Presets that cannot be shown. */
size_t app_check_failures(const struct app_check_summary *summary);

void app_check_summary_add(struct app_check_summary *summary, const struct app_check_row *row);

/* The tables: text for people, or a JSON object per line. board: in place of frame_ms they tell
 * what a Milkymist One would make of the preset. timed: with what takes another time on each
 * machine. */
void app_check_print_heading(FILE *out, bool board);
void app_check_print_row(FILE *out, const struct app_check_row *row, bool board);
void app_check_print_summary(FILE *out, const struct app_check_summary *summary);
void app_check_json_row(FILE *out, const struct app_check_row *row, bool board, bool timed);
void app_check_json_summary(FILE *out, const struct app_check_summary *summary);

/* Watches the pictures of one preset. All zero at first; owns nothing. */
struct app_check_watch {
    size_t pictures;
    uint64_t first_hash;
    bool seen;    /* a picture showed something */
    bool changed; /* a picture differed from the first */
};

/* pixels: 0x00RRGGBB, width * height without gaps. */
void app_check_watch_picture(struct app_check_watch *watch, const uint32_t *pixels, size_t count);

/* Whether this frame (from 1) is drawn, `seconds` after the first: all of settings->frames are. One
 * that shows nothing yet, or stands still, is looked at for 400 frames, as far as half of the time
 * limit goes. */
bool app_check_goes_on(const struct app_check_watch *watch,
                       const struct app_check_settings *settings, uint64_t frame, double seconds);

#endif
