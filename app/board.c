/* A boot image on a Milkymist One in software. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "app/board_account.h"
#include "app/board_inputs.h"
#include "app/board_profiler.h"
#include "app/board_sound.h"
#include "app/board_window.h"
#include "app/clock.h"
#include "app/io/video.h"
#include "app/io/wave.h"
#include "app/options.h"
#include "app/picture_hash.h"
#include "app/stop.h"
#include "base/file.h"
#include "base/hash.h"

enum {
    SECONDS = 10, /* that a board runs if nothing else is said, and that a picture may take */
    FPS = 24,
    CARD_MAX = 1024 * 1024 * 1024,
    SLICE = APP_BOARD_CLOCK / 100, /* cycles between two looks at signals */
};

static const struct base_place NOWHERE = {0};

struct session {
    const struct app_options *options;
    const struct base_diag_sink *sink;
    struct app_board *board;
    struct base_file image;
    struct base_file card;
    struct app_audio *audio;
    struct app_live *live; /* plays audio beside a window */
    struct app_board_sound sound;
    FILE *console; /* NULL: nobody reads it */
    struct app_board_profiler profiler;
    struct app_video *video;
    struct app_wave *line_out; /* NULL: nobody hears it */
    uint32_t *pixels;
    unsigned char *row;
    uint32_t width; /* of the first picture */
    uint32_t height;
    uint64_t pictures;
    uint64_t last_picture; /* cycle */
    uint64_t chain;
};

static int fail(const struct session *session, const char *file, const char *hint, const char *what)
{
    base_report(session->sink, BASE_ERROR, (struct base_place){.file = file}, hint, "%s", what);
    return -1;
}

static void write_console(void *user, uint8_t byte)
{
    const struct session *session = user;
    if (session->console != NULL) {
        (void)fputc(byte, session->console);
    }
}

static void record(void *user, int16_t frame[2])
{
    struct session *session = user;
    if (session->audio != NULL) {
        app_board_sound_read(&session->sound, frame, 1);
    }
}

static void play(void *user, const int16_t frame[2])
{
    const struct session *session = user;
    if (session->line_out != NULL) {
        app_wave_put(session->line_out, frame);
    }
}

static int open_console(struct session *session)
{
    const char *name = session->options->uart;
    if (name == NULL) {
        return 0;
    }
    session->console = strcmp(name, "-") == 0 ? stdout : fopen(name, "wb");
    return session->console != NULL ? 0 : fail(session, name, NULL, strerror(errno));
}

static int open_outputs(struct session *session)
{
    const char *name = session->options->line_out;
    if (open_console(session) != 0) {
        return -1;
    }
    if (name != NULL) {
        session->line_out = app_wave_create(name, APP_BOARD_AC97_RATE, session->sink);
    }
    return name != NULL && session->line_out == NULL ? -1 : 0;
}

static int open_inputs(struct session *session)
{
    const struct app_options *options = session->options;
    if (base_file_load(&session->image, options->inputs[0], APP_BOARD_IMAGE_MAX, session->sink) !=
            0 ||
        (options->card != NULL &&
         base_file_load(&session->card, options->card, CARD_MAX, session->sink) != 0)) {
        return -1;
    }
    if (session->image.size == 0) {
        return fail(session, options->inputs[0], NULL, "it is empty");
    }
    if (options->audio != NULL) {
        session->audio = app_audio_open(options->audio, session->sink);
    }
    session->sound.audio = session->audio;
    return options->audio != NULL && session->audio == NULL ? -1 : open_outputs(session);
}

static int prepare(struct session *session)
{
    const struct app_options *options = session->options;
    if (open_inputs(session) != 0) {
        return -1;
    }
    session->board =
        app_board_create(session->image.data, session->image.size, options->command_line);
    if (session->board == NULL) {
        return fail(session, NULL, NULL, "not enough memory");
    }
    session->board->host =
        (struct app_board_host){.console = write_console,
                                .user = session,
                                .sound = {.record = record, .play = play, .user = session}};
    session->board->host_calls = options->calls;
    session->board->tmu.quick = options->quick || options->window;
    session->board->card.bytes = (const uint8_t *)session->card.data;
    session->board->card.size = session->card.size;
    app_board_inputs_apply(&options->at, session->board, 0);
    return app_board_profiler_begin(&session->profiler, options, session->board, session->sink);
}

/* The first picture decides how large those of the video are. */
static int begin_pictures(struct session *session)
{
    const struct app_options *options = session->options;
    session->width = session->board->vga.width;
    session->height = session->board->vga.height;
    session->pixels = calloc((size_t)session->width * session->height, sizeof(uint32_t));
    session->row = malloc(4 * (size_t)session->width);
    if (session->pixels == NULL || session->row == NULL) {
        return fail(session, NULL, NULL, "not enough memory");
    }
    if (options->output == NULL) {
        return 0;
    }
    const struct app_video_format format = {
        .width = (int)session->width,
        .height = (int)session->height,
        .fps = options->fps > 0 ? options->fps : FPS,
        .frames = options->frames,
    };
    session->video = app_video_open(options->output, &format, session->sink);
    return session->video != NULL ? 0 : -1;
}

static int put_out(struct session *session)
{
    const struct app_board_vga *vga = &session->board->vga;
    if (session->pixels == NULL && begin_pictures(session) != 0) {
        return -1;
    }
    if (vga->width != session->width || vga->height != session->height) {
        return fail(session, NULL, NULL, "the program has changed the size of its picture");
    }
    session->pictures++;
    app_board_profiler_picture(&session->profiler, session->pictures);
    session->last_picture = session->board->cpu.cycles;
    app_board_vga_picture(vga, session->pixels);
    if (session->options->hash) {
        const uint64_t hash = app_picture_hash(session->pixels, (int)session->width,
                                               (int)session->height, session->row);
        session->chain = app_picture_hash_chain(session->chain, hash);
        (void)printf("frame %" PRIu64 " %016" PRIx64 "\n", session->pictures, hash);
    }
    return session->video != NULL ? app_video_frame(session->video, session->pixels) : 0;
}

/* What became of a machine that stands still. Returns 0 if the program wanted it. */
static int explain_stop(const struct session *session)
{
    static const char *const texts[] = {
        [APP_BOARD_ILLEGAL] = "an illegal instruction at",
        [APP_BOARD_BROKE] = "a breakpoint, and no debugger is there, at",
        [APP_BOARD_RESET] = "the program asks for a reset at",
        [APP_BOARD_NO_MEMORY] = "not enough memory for the texture mapper's time at",
    };
    const struct app_board *board = session->board;
    if (board->stop == APP_BOARD_OFF ||
        (board->stop == APP_BOARD_EXITED && board->exit_code == 0)) {
        return 0;
    }
    const struct base_place place = {.file = session->options->inputs[0]};
    if (board->stop == APP_BOARD_EXITED) {
        base_report(session->sink, BASE_ERROR, place, NULL, "the program has ended with %" PRIu32,
                    board->exit_code);
    } else {
        base_report(session->sink, BASE_ERROR, place, NULL,
                    "%s 0x%08" PRIx32 ", return address 0x%08" PRIx32 ", after %" PRIu64 " cycles",
                    texts[board->stop], board->cpu.pc, board->cpu.r[29], board->cpu.cycles);
    }
    return -1;
}

static uint64_t last_cycle(const struct app_options *options)
{
    if (options->duration > 0) {
        return (uint64_t)(options->duration * APP_BOARD_CLOCK);
    }
    return options->frames > 0 || options->window ? UINT64_MAX
                                                  : (uint64_t)SECONDS * APP_BOARD_CLOCK;
}

static bool goes_on(const struct session *session, uint64_t last)
{
    const uint64_t frames = session->options->frames;
    return session->board->stop == APP_BOARD_RUNS && session->board->cpu.cycles < last &&
           (frames == 0 || session->pictures < frames);
}

static int run(struct session *session)
{
    const struct app_options *options = session->options;
    struct app_board *board = session->board;
    const uint64_t last = last_cycle(options);
    while (goes_on(session, last)) {
        const uint64_t now = board->cpu.cycles;
        if (app_stop_wanted()) {
            return fail(session, NULL, NULL, "stopped");
        }
        if (now - session->last_picture > (uint64_t)SECONDS * APP_BOARD_CLOCK &&
            options->frames > 0 && options->duration <= 0) {
            return fail(session, options->inputs[0], "--duration waits longer",
                        "no new picture for 10 seconds of the board's time");
        }
        if (app_board_run(board, now + SLICE < last ? now + SLICE : last)) {
            if (put_out(session) != 0) {
                return -1;
            }
            app_board_inputs_apply(&options->at, board, session->pictures);
        }
    }
    return board->stop == APP_BOARD_RUNS ? 0 : explain_stop(session);
}

static int run_window(struct session *session)
{
    if (session->audio != NULL) {
        session->live = app_live_play(session->audio, session->sink);
        session->sound.live = session->live;
    }
    if (app_board_window(session->board, last_cycle(session->options), session->sink) != 0) {
        return -1;
    }
    return session->board->stop == APP_BOARD_RUNS ? 0 : explain_stop(session);
}

static int finish(struct session *session)
{
    const bool bad = session->console != NULL && fflush(session->console) != 0;
    if (session->options->hash) {
        (void)printf("all %016" PRIx64 "\n", session->chain);
    }
    struct app_video *video = session->video;
    struct app_wave *line_out = session->line_out;
    session->video = NULL;
    session->line_out = NULL;
    if (bad) {
        app_video_discard(video);
        app_wave_discard(line_out);
        return fail(session, session->options->uart, NULL, strerror(errno));
    }
    if (video == NULL && session->options->output != NULL) {
        (void)fail(session, session->options->output, "let it run longer",
                   "the program has shown no picture");
        app_wave_discard(line_out);
        return -1;
    }
    const int heard = line_out != NULL ? app_wave_finish(line_out, session->sink) : 0;
    return video != NULL && app_video_finish(video) != 0 ? -1 : heard;
}

static void release(struct session *session)
{
    app_video_discard(session->video);
    app_wave_discard(session->line_out);
    if (session->console != NULL && session->console != stdout) {
        (void)fclose(session->console);
    }
    app_board_free(session->board);
    app_board_profiler_free(&session->profiler);
    app_live_close(session->live);
    app_audio_close(session->audio);
    base_file_free(&session->image);
    base_file_free(&session->card);
    free(session->pixels);
    free(session->row);
}

/* What is wrong with the command line; NULL: nothing. */
static const char *wrong_usage(const struct app_options *options)
{
    if (options->input_count != 1) {
        return options->input_count == 0 ? "which boot image?" : "it takes one boot image";
    }
    if (options->window && (options->frames > 0 || options->hash || options->output != NULL)) {
        return "--frames, --hash and -o do not go with --window";
    }
    return NULL;
}

static int check_usage(const struct app_options *options)
{
    const char *wrong = wrong_usage(options);
    if (wrong != NULL) {
        base_report(&base_diag_stderr, BASE_ERROR, NOWHERE, "froth board boot.bin --frames 100",
                    "%s", wrong);
        return -1;
    }
    return app_board_inputs_check(&options->at, &base_diag_stderr);
}

int app_board(const struct app_options *options)
{
    if (check_usage(options) != 0) {
        return APP_EXIT_USAGE;
    }
    struct app_stop stop;
    app_stop_begin(&stop);
    struct session session = {
        .options = options, .sink = &base_diag_stderr, .chain = BASE_HASH_START};
    const double began = app_clock_seconds();
    int result = prepare(&session);
    if (result == 0) {
        result = options->window ? run_window(&session) : run(&session);
    }
    if (options->account && session.board != NULL && session.board->cpu.cycles > 0) {
        const double seconds = app_clock_seconds() - began;
        if (options->json) {
            app_board_account_json(stdout, session.board);
        } else {
            app_board_account_print(stderr, session.board, seconds);
        }
    }
    app_board_profiler_print(&session.profiler, stderr);
    result = result == 0 ? finish(&session) : result;
    release(&session);
    app_stop_end(&stop);
    return result == 0 ? APP_EXIT_DONE : APP_EXIT_FAILED;
}
