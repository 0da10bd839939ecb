/* froth board: a boot image on the twin of the Milkymist One, with files or in a window. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "app/board/account.h"
#include "app/board/inputs.h"
#include "app/io/audio.h"
#include "app/io/picture.h"
#include "app/io/video.h"
#include "app/options/options.h"
#include "base/diag.h"
#include "base/os/clock.h"
#include "base/os/file.h"
#include "base/os/logger.h"
#include "base/os/stop.h"
#include "board/twin/machine.h"
#include "ui/window.h"

/* ---- the twin in a window, at the board's own pace ---- */

enum {
    WIDTH = 640, /* of the window; another picture is put into its upper left corner */
    HEIGHT = 480,
    STEP = BOARD_TWIN_CLOCK / 60,
    PRESS = BOARD_TWIN_CLOCK / 10, /* cycles for which a button is down */
    BUTTONS = 3,
    LATE = 4, /* steps behind the clock from which on they are given up */
};

struct view {
    struct board_twin *board;
    struct ui_window *window;
    uint32_t *picture;          /* of the board */
    uint32_t *shown;            /* WIDTH * HEIGHT */
    uint64_t released[BUTTONS]; /* cycle */
    bool closed;
};

static void take_events(struct view *view)
{
    struct ui_event event;
    while (ui_window_poll(view->window, &event)) {
        view->closed |= event.kind == UI_EVENT_QUIT ||
                        (event.kind == UI_EVENT_KEY && strcmp(event.key, "Escape") == 0);
        if (event.kind == UI_EVENT_KEY && strcmp(event.key, "Enter") == 0) {
            (void)board_twin_type(view->board, '\r');
        }
        for (const char *byte = event.text; event.kind == UI_EVENT_TEXT && *byte != '\0'; byte++) {
            if (*byte >= '1' && *byte < '1' + BUTTONS) {
                view->released[*byte - '1'] = view->board->cpu.cycles + PRESS;
            } else {
                (void)board_twin_type(view->board, (uint8_t)*byte);
            }
        }
    }
    uint32_t buttons = 0;
    for (unsigned i = 0; i < BUTTONS; i++) {
        buttons |= (view->board->cpu.cycles < view->released[i] ? 1u : 0u) << i;
    }
    board_twin_press(view->board, buttons);
}

/* Runs the board until it stops, reaches the cycle, or the window is closed. The keys 1 to 3 hold
 * its buttons down for a tenth of a second, other characters go to its console. Where the machine
 * is too slow the board's time is. Returns 0, or -1 with a message if there is no window. */
static int show_in_window(struct board_twin *board, uint64_t last,
                          const struct base_diag_sink *sink)
{
    const struct ui_window_config config = {
        .title = "froth board", .width = WIDTH, .height = HEIGHT};
    struct view view = {
        .board = board,
        .picture = calloc((size_t)BOARD_TWIN_VGA_SIDE * BOARD_TWIN_VGA_SIDE, sizeof(uint32_t)),
        .shown = calloc((size_t)WIDTH * HEIGHT, sizeof(uint32_t)),
    };
    int result = -1;
    if (view.picture == NULL || view.shown == NULL) {
        base_report(sink, BASE_ERROR, (struct base_place){0}, NULL, "not enough memory");
    } else if (ui_window_open(&view.window, &config, sink) == UI_WINDOW_OPEN) {
        const double step = (double)STEP / BOARD_TWIN_CLOCK;
        double due = base_clock_seconds();
        while (!view.closed && board->stop == BOARD_TWIN_RUNS && board->cpu.cycles < last) {
            take_events(&view);
            const uint64_t end = board->cpu.cycles + STEP;
            while (board->cpu.cycles < end && board->stop == BOARD_TWIN_RUNS) {
                (void)board_twin_run(board, end);
            }
            const struct board_twin_vga *vga = &view.board->vga;
            const uint32_t width = vga->width < WIDTH ? vga->width : WIDTH;
            const uint32_t height = vga->height < HEIGHT ? vga->height : HEIGHT;
            board_twin_vga_picture(vga, view.picture);
            memset(view.shown, 0, sizeof(uint32_t) * WIDTH * HEIGHT);
            for (uint32_t y = 0; y < height; y++) {
                memcpy(&view.shown[(size_t)y * WIDTH], &view.picture[(size_t)y * vga->width],
                       width * sizeof(uint32_t));
            }
            const struct ui_surface surface = {view.shown, WIDTH, HEIGHT, WIDTH};
            ui_window_present(view.window, &surface, NULL);
            due += step;
            const double now = base_clock_seconds();
            due = due < now - LATE * step ? now : due;
            base_clock_sleep_until(due);
        }
        result = 0;
    }
    ui_window_close(view.window);
    free(view.picture);
    free(view.shown);
    return result;
}

/* ---- a run and what goes in and out ---- */

enum {
    SECONDS = 10, /* that a board runs if nothing else is said, and that a picture may take */
    FPS = 24,
    CARD_MAX = 1024 * 1024 * 1024,
    SLICE = BOARD_TWIN_CLOCK / 100, /* cycles between two looks at signals */
};

static const struct base_place NOWHERE = {0};

struct session {
    const struct app_options *options;
    const struct base_diag_sink *sink;
    struct board_twin *board;
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
    uint64_t last_picture;          /* cycle */
    struct base_content_stream all; /* of the pictures, for --hash */
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

/* What goes in, then what comes out. */
static int open_files(struct session *session)
{
    const struct app_options *options = session->options;
    if (base_file_load(&session->image, options->inputs[0], BOARD_TWIN_IMAGE_MAX, session->sink) !=
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
        session->sound.audio = session->audio;
        if (session->audio == NULL) {
            return -1;
        }
    }
    if (options->uart != NULL) {
        session->console = strcmp(options->uart, "-") == 0 ? stdout : fopen(options->uart, "wb");
        if (session->console == NULL) {
            return fail(session, options->uart, NULL, strerror(errno));
        }
    }
    if (options->line_out != NULL) {
        session->line_out = app_wave_create(options->line_out, BOARD_TWIN_AC97_RATE, session->sink);
        if (session->line_out == NULL) {
            return -1;
        }
    }
    return 0;
}

static int prepare(struct session *session)
{
    const struct app_options *options = session->options;
    if (open_files(session) != 0) {
        return -1;
    }
    session->board =
        board_twin_create(session->image.data, session->image.size, options->command_line);
    if (session->board == NULL) {
        return fail(session, NULL, NULL, "not enough memory");
    }
    session->board->host =
        (struct board_twin_host){.console = write_console,
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
    const struct board_twin_vga *vga = &session->board->vga;
    if (session->pixels == NULL && begin_pictures(session) != 0) {
        return -1;
    }
    if (vga->width != session->width || vga->height != session->height) {
        return fail(session, NULL, NULL, "the program has changed the size of its picture");
    }
    session->pictures++;
    app_board_profiler_picture(&session->profiler, session->pictures);
    session->last_picture = session->board->cpu.cycles;
    board_twin_vga_picture(vga, session->pixels);
    if (session->options->hash) {
        const uint64_t hash = app_picture_hash(session->pixels, (int)session->width,
                                               (int)session->height, session->row, &session->all);
        (void)printf("frame %" PRIu64 " %016" PRIx64 "\n", session->pictures, hash);
    }
    return session->video != NULL ? app_video_frame(session->video, session->pixels) : 0;
}

/* What became of a machine that stands still. Returns 0 if the program wanted it. */
static int explain_stop(const struct session *session)
{
    static const char *const texts[] = {
        [BOARD_TWIN_ILLEGAL] = "an illegal instruction at",
        [BOARD_TWIN_BROKE] = "a breakpoint, and no debugger is there, at",
        [BOARD_TWIN_RESET] = "the program asks for a reset at",
        [BOARD_TWIN_NO_MEMORY] = "not enough memory for the texture mapper's time at",
    };
    const struct board_twin *board = session->board;
    if (board->stop == BOARD_TWIN_OFF ||
        (board->stop == BOARD_TWIN_EXITED && board->exit_code == 0)) {
        return 0;
    }
    const struct base_place place = {.file = session->options->inputs[0]};
    if (board->stop == BOARD_TWIN_EXITED) {
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
        return (uint64_t)(options->duration * BOARD_TWIN_CLOCK);
    }
    return options->frames > 0 || options->window ? UINT64_MAX
                                                  : (uint64_t)SECONDS * BOARD_TWIN_CLOCK;
}

static bool goes_on(const struct session *session, uint64_t last)
{
    const uint64_t frames = session->options->frames;
    return session->board->stop == BOARD_TWIN_RUNS && session->board->cpu.cycles < last &&
           (frames == 0 || session->pictures < frames);
}

static int run(struct session *session)
{
    const struct app_options *options = session->options;
    struct board_twin *board = session->board;
    const uint64_t last = last_cycle(options);
    while (goes_on(session, last)) {
        const uint64_t now = board->cpu.cycles;
        if (base_stop_wanted()) {
            return fail(session, NULL, NULL, "stopped");
        }
        if (now - session->last_picture > (uint64_t)SECONDS * BOARD_TWIN_CLOCK &&
            options->frames > 0 && options->duration <= 0) {
            return fail(session, options->inputs[0], "--duration waits longer",
                        "no new picture for 10 seconds of the board's time");
        }
        if (board_twin_run(board, now + SLICE < last ? now + SLICE : last)) {
            if (put_out(session) != 0) {
                return -1;
            }
            app_board_inputs_apply(&options->at, board, session->pictures);
        }
    }
    return board->stop == BOARD_TWIN_RUNS ? 0 : explain_stop(session);
}

static int run_window(struct session *session)
{
    if (session->audio != NULL) {
        session->live = app_live_play(session->audio, session->sink);
        session->sound.live = session->live;
    }
    if (show_in_window(session->board, last_cycle(session->options), session->sink) != 0) {
        return -1;
    }
    return session->board->stop == BOARD_TWIN_RUNS ? 0 : explain_stop(session);
}

static int finish(struct session *session)
{
    const bool bad = session->console != NULL && fflush(session->console) != 0;
    if (session->options->hash) {
        (void)printf("all %016" PRIx64 "\n", base_content_stream_hash(&session->all));
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

static int check_usage(const struct app_options *options)
{
    const char *wrong = NULL;
    if (options->input_count != 1) {
        wrong = options->input_count == 0 ? "which boot image?" : "it takes one boot image";
    } else if (options->window &&
               (options->frames > 0 || options->hash || options->output != NULL)) {
        wrong = "--frames, --hash and -o do not go with --window";
    }
    if (wrong != NULL) {
        base_report(&base_diag_stderr, BASE_ERROR, NOWHERE, "froth board boot.bin --frames 100",
                    "%s", wrong);
        return -1;
    }
    return app_board_inputs_check(&options->at, &base_diag_stderr);
}

int app_board_command(const struct app_options *options)
{
    if (check_usage(options) != 0) {
        return APP_EXIT_USAGE;
    }
    struct base_stop stop;
    base_stop_begin(&stop);
    struct session session = {.options = options, .sink = &base_diag_stderr};
    base_content_stream_begin(&session.all);
    const double began = base_clock_seconds();
    int result = prepare(&session);
    if (result == 0) {
        result = options->window ? run_window(&session) : run(&session);
    }
    if (options->account && session.board != NULL && session.board->cpu.cycles > 0) {
        const double seconds = base_clock_seconds() - began;
        if (options->json) {
            app_board_account_json(stdout, session.board);
        } else {
            app_board_account_print(stderr, session.board, seconds);
        }
    }
    app_board_profiler_print(&session.profiler, stderr);
    result = result == 0 ? finish(&session) : result;
    app_video_discard(session.video);
    app_wave_discard(session.line_out);
    if (session.console != NULL && session.console != stdout) {
        (void)fclose(session.console);
    }
    board_twin_free(session.board);
    app_board_profiler_free(&session.profiler);
    app_live_close(session.live);
    app_audio_close(session.audio);
    base_file_free(&session.image);
    base_file_free(&session.card);
    free(session.pixels);
    free(session.row);
    base_stop_end(&stop);
    return result == 0 ? APP_EXIT_DONE : APP_EXIT_FAILED;
}
