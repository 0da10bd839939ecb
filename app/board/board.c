/* froth board: a boot image on the twin of the Milkymist One, with files or in a window. */
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/board/inputs.h"
#include "app/board/network.h"
#include "app/io/audio.h"
#include "app/io/picture.h"
#include "engine/picture.h"
#include "app/video/video.h"
#include "app/options/options.h"
#include "base/os/file.h"
#include "base/os/print.h"
#include "base/os/thread.h"
#include "base/text.h"
#include "board/storage/fat.h"
#include "board/twin/account.h"
#include "board/twin/machine.h"
#include "ui/window.h"

/* ---- what the account says ---- */

/* Cycles of a frame, and their share of it. */
static void print_share(FILE *out, const struct board_twin_show *show, const char *name,
                        double cycles)
{
    const double frame = show->seconds * BOARD_TWIN_CLOCK / (double)show->sums.presented;
    (void)fprintf(out, "  %-12s%9.0f cycles of a frame, %5.1f %%\n", name, cycles,
                  100 * cycles / frame);
}

/* seconds: of this machine's time, that the board took. */
static void print_account(FILE *out, const struct board_twin *board, double seconds)
{
    const struct board_twin_show show = board_twin_account_show(board);
    const double cycles = (double)board->cpu.cycles;
    (void)fprintf(out,
                  "cycles        %" PRIu64 " (%.3f s at 80 MHz), %.1f million per second\n"
                  "instructions  %" PRIu64 ", %.1f million per second\n"
                  "L1 misses     %" PRIu64 " instructions, %" PRIu64 " data\n"
                  "L2            %" PRIu64 " misses, %" PRIu64 " lines written back\n",
                  board->cpu.cycles, cycles / BOARD_TWIN_CLOCK, cycles / seconds / 1e6,
                  board->cpu.instructions, (double)board->cpu.instructions / seconds / 1e6,
                  board->cpu.icache.misses, board->cpu.dcache.misses, board->memory.misses,
                  board->memory.write_backs);
    (void)fprintf(out,
                  "PFPU          %" PRIu64 " runs, busy %.1f %%\n"
                  "TMU           %" PRIu64 " runs, %" PRIu64 " pixels, busy %.1f %%\n"
                  "pictures      %" PRIu64 " new, %" PRIu64 " scanned\n",
                  board->pfpu.runs, 100 * (double)board->pfpu.cycles / cycles, board->tmu.runs,
                  board->tmu.pixels, 100 * (double)board->tmu.cycles / cycles, board->vga.number,
                  board->vga.scans);
    if (show.seconds > 0) {
        const double frame = show.seconds * BOARD_TWIN_CLOCK / (double)show.sums.presented;
        (void)fprintf(out,
                      "the show, from %.3f s on: %" PRIu64 " pictures in %.3f s, %.2f per second, "
                      "%.0f left out, %.0f never seen\n",
                      show.first_picture, show.sums.presented, show.seconds,
                      show.pictures_per_second, show.left_out, show.unseen);
        print_share(out, &show, "CPU", show.cpu);
        print_share(out, &show, "  others", show.program);
        print_share(out, &show, "  idle", frame - show.cpu - show.program);
        print_share(out, &show, "PFPU", show.pfpu);
        print_share(out, &show, "TMU", show.tmu);
        print_share(out, &show, "two at once", show.two);
        print_share(out, &show, "all three", show.three);
        (void)fprintf(out, "  %-12s%9.0f cycles between two pictures at most\n", "", show.gap);
        (void)fprintf(
            out,
            "  %-12s%9.0f Mbit/s, %.0f of them for the screen; asked for %.1f %% of the time, "
            "%.2f cycles to the first word\n",
            "memory", show.bandwidth / 1e6, show.scan / 1e6, 100 * show.occupancy,
            show.access_time);
    }
}

/* One object on one line. Cycles are those of a frame of the show, rates those of the show; nothing
 * depends on the machine that it runs on. */
static void print_account_json(FILE *out, const struct board_twin *board)
{
    const struct board_twin_show show = board_twin_account_show(board);
    uint64_t requests = 0; /* for texels, in all runs */
    uint64_t hits = 0;
    for (int i = 0; i < TMU_SIM_CHANNELS; i++) {
        requests += board->tmu.bus.requests[i];
        hits += board->tmu.bus.hits[i];
    }
    const struct {
        const char *name;
        double value;
    } numbers[] = {
        {"seconds", show.seconds},
        {"first_picture", show.first_picture},
        {"pictures_per_second", show.pictures_per_second},
        {"left_out", show.left_out},
        {"unseen", show.unseen},
        {"cpu_cycles", show.cpu},
        {"other_cycles", show.program},
        {"pfpu_cycles", show.pfpu},
        {"tmu_cycles", show.tmu},
        {"two_cycles", show.two},
        {"three_cycles", show.three},
        {"longest_cycles", show.gap},
        {"bandwidth", show.bandwidth},
        {"screen_bandwidth", show.scan},
        {"occupancy_percent", 100 * show.occupancy},
        {"access_time", show.access_time},
        {"texel_hits_percent", 100 * (requests > 0 ? (double)hits / (double)requests : 0)},
    };
    const struct {
        const char *name;
        uint64_t count;
    } counts[] = {
        {"cycles", board->cpu.cycles},        {"instructions", board->cpu.instructions},
        {"pictures", show.sums.presented},    {"pfpu_runs", show.sums.pfpu_runs},
        {"tmu_runs", show.sums.tmu_runs},     {"pixels", show.sums.pixels},
        {"bus_accesses", show.sums.accesses}, {"bus_busy", show.sums.busy},
    };
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        (void)fprintf(out, "%s\"%s\":", i == 0 ? "{" : ",", counts[i].name);
        base_json_count(out, counts[i].count);
    }
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        (void)fprintf(out, ",\"%s\":", numbers[i].name);
        base_json_number(out, numbers[i].value);
    }
    (void)fputs("}\n", out);
}

/* ---- --profile: which functions of the boot image the cycles went to ---- */

enum {
    ELF_MAX = 64 * 1024 * 1024,
    CALLERS = 4,      /* named in a row */
    ROW_SHARE = 2000, /* a function with less than one part in so many is left out */
};

struct profiler {
    struct board_twin_profile profile;
    struct base_file elf;
    uint64_t first; /* cycles count after this picture was shown, */
    uint64_t end;   /* and no longer after this one */
};

static int refuse(const struct base_diag_sink *sink, const char *file, const char *hint,
                  const char *what)
{
    base_report(sink, BASE_ERROR, (struct base_place){.file = file}, hint, "%s", what);
    return -1;
}

/* FIRST-LAST. */
static bool read_range(struct profiler *profiler, const char *text)
{
    char *end;
    if (!isdigit((unsigned char)*text)) {
        return false;
    }
    profiler->first = strtoull(text, &end, 10);
    if (*end != '-' || !isdigit((unsigned char)end[1])) {
        return false;
    }
    profiler->end = strtoull(end + 1, &end, 10);
    return *end == '\0' && profiler->first < profiler->end;
}

/* To be told whenever a picture was shown; pictures: how many there were until now. */
static void count_picture(struct profiler *profiler, uint64_t pictures)
{
    profiler->profile.pauses = pictures < profiler->first || pictures >= profiler->end;
}

/* Reads the ELF file of --profile and lets the board be looked at; does nothing if that is not
 * given. Returns 0, or -1 with a message; profile and file are to be freed in either case. */
static int begin_profile(struct profiler *profiler, const struct app_options *options,
                         struct board_twin *board, const struct base_diag_sink *sink)
{
    const char *range = options->profile_pictures;
    const char *within = options->profile_in;
    if (options->profile == NULL) {
        return range == NULL && within == NULL
                   ? 0
                   : refuse(sink, NULL, NULL, "--profile-pictures and --profile-in need --profile");
    }
    profiler->end = UINT64_MAX;
    if (range != NULL && !read_range(profiler, range)) {
        return refuse(sink, NULL, "--profile-pictures 0-1 is before the first one",
                      "--profile-pictures takes two numbers, FIRST-LAST");
    }
    if (base_file_load(&profiler->elf, options->profile, ELF_MAX, sink) != 0) {
        return -1;
    }
    if (!board_twin_profile_create(&profiler->profile, profiler->elf.data, profiler->elf.size)) {
        return refuse(sink, options->profile, "boot.elf stands beside boot.bin",
                      "it is no ELF file with functions of the board's processor");
    }
    if (within != NULL) {
        profiler->profile.within = board_twin_profile_find(&profiler->profile, within);
        if (profiler->profile.within == BOARD_TWIN_PROFILE_NONE) {
            return refuse(sink, options->profile, NULL,
                          "it has no function of --profile-in's name");
        }
    }
    board->host.look = board_twin_profile_look;
    board->host.looker = &profiler->profile;
    count_picture(profiler, 0);
    return 0;
}

static int by_cycles(const void *a, const void *b)
{
    const struct board_twin_edge *left = a;
    const struct board_twin_edge *right = b;
    if (left->cycles != right->cycles) {
        return left->cycles > right->cycles ? -1 : 1;
    }
    return left->caller != right->caller
               ? (left->caller < right->caller ? -1 : 1)
               : (left->called > right->called) - (left->called < right->called);
}

static int by_self(const void *a, const void *b)
{
    const struct board_twin_function *left = *(const struct board_twin_function *const *)a;
    const struct board_twin_function *right = *(const struct board_twin_function *const *)b;
    if (left->self != right->self) {
        return left->self > right->self ? -1 : 1;
    }
    if (left->total != right->total) {
        return left->total > right->total ? -1 : 1;
    }
    return (left > right) - (left < right);
}

static double percent(uint64_t part, uint64_t whole)
{
    return whole == 0 ? 0 : 100 * (double)part / (double)whole;
}

static void print_row(const struct board_twin_profile *profile,
                      const struct board_twin_function *function, FILE *out)
{
    (void)fprintf(out, "%12" PRIu64 " %5.1f %12" PRIu64 " %5.1f  ", function->self,
                  percent(function->self, profile->all), function->total,
                  percent(function->total, profile->all));
    base_plain(out, function->name);
    const int called = (int)(function - profile->functions);
    int printed = 0;
    for (size_t i = 0; i < profile->edge_count && printed < CALLERS; i++) {
        const struct board_twin_edge *edge = &profile->edges[i];
        if (edge->called == called) {
            (void)fputs(printed == 0 ? "  < " : ", ", out);
            base_plain(out, profile->functions[edge->caller].name);
            (void)fprintf(out, " %.0f %%", percent(edge->cycles, function->total));
            printed++;
        }
    }
    (void)fprintf(out, "\n");
}

/* Prints the table: functions, sorted by the cycles that they spent themselves, each with the
 * functions that called it. Nothing if no picture counts. */
static void print_profile(struct profiler *profiler, FILE *out)
{
    struct board_twin_profile *profile = &profiler->profile;
    const struct board_twin_function **rows = calloc(profile->count + 1, sizeof *rows);
    if (profile->all > 0 && rows != NULL) {
        qsort(profile->edges, BOARD_TWIN_PROFILE_EDGES, sizeof *profile->edges, by_cycles);
        (void)fprintf(out,
                      "profile of %" PRIu64 " cycles, %" PRIu64 " of them in no function\n"
                      "        self     %%        total     %%  function  < called by\n",
                      profile->all, profile->outside);
        for (size_t i = 0; i < profile->count; i++) {
            rows[i] = &profile->functions[i];
        }
        qsort(rows, profile->count, sizeof *rows, by_self);
        for (size_t i = 0; i < profile->count; i++) {
            if (rows[i]->self > profile->all / ROW_SHARE || rows[i]->total > profile->all / 100) {
                print_row(profile, rows[i], out);
            }
        }
    }
    free(rows);
}

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
static int show_in_window(struct board_twin *board, struct app_board_network *network,
                          uint64_t last, const struct base_diag_sink *sink)
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
                (void)app_board_network_run(network, board, end);
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
            ui_window_present(view.window, &surface, NULL, NULL);
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
    CARD_PROGRAM_MAX = 16 * 1024 * 1024, /* that the boot loader takes from a card */
    SLICE = BOARD_TWIN_CLOCK / 100,      /* cycles between two looks at signals */
};

static const struct base_place NOWHERE = {0};

struct session {
    const struct app_options *options;
    const struct base_diag_sink *sink;
    struct board_twin *board;
    struct base_file image;
    struct base_file card;
    struct base_file flash;
    struct app_audio *audio;
    struct app_live *live; /* plays audio beside a window */
    struct app_board_sound sound;
    FILE *console;                     /* NULL: nobody reads it */
    bool terminal;                     /* the console is one, which the image must not steer */
    struct app_board_network *network; /* NULL: its cable is not plugged in */
    struct profiler profiler;
    struct app_video *video;
    struct app_wave *line_out; /* NULL: nobody hears it */
    uint32_t *pixels;
    unsigned char *row;
    uint32_t width; /* of the first picture */
    uint32_t height;
    uint64_t pictures;
    uint64_t last_picture;          /* cycle */
    bool ready;                     /* the board was prepared */
    bool stopped;                   /* somebody asked to */
    struct base_content_stream all; /* of the pictures, for --hash */
};

static int fail(const struct session *session, const char *file, const char *hint, const char *what)
{
    base_report(session->sink, BASE_ERROR, (struct base_place){.file = file}, hint, "%s", what);
    return -1;
}

/* The file that the program comes from. */
static const char *program_of(const struct session *session)
{
    const struct app_options *options = session->options;
    return options->input_count > 0  ? options->inputs[0]
           : session->image.size > 0 ? options->card
           : options->flash != NULL  ? options->flash
                                     : options->card;
}

static void write_console(void *user, uint8_t byte)
{
    const struct session *session = user;
    const bool plain = (byte >= 0x20 && byte < 0x7F) || (byte != '\0' && strchr("\b\t\n\r", byte));
    if (session->console != NULL) {
        (void)fputc(plain || !session->terminal ? byte : '?', session->console);
    }
}

static void send_packet(void *user, const uint8_t *bytes, size_t size)
{
    const struct session *session = user;
    if (session->network != NULL) {
        app_board_network_take(session->network, bytes, size);
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

static int read_card_block(void *user, uint32_t block, uint8_t *bytes)
{
    const struct base_file *card = user;
    const uint64_t at = (uint64_t)block * BOARD_FAT_BLOCK;
    if (at + BOARD_FAT_BLOCK > card->size) {
        return -1;
    }
    memcpy(bytes, card->data + at, BOARD_FAT_BLOCK);
    return 0;
}

/* What the boot loader does at power-up before it looks at the flash memory: BOOT.BIN of the card,
 * if there is one, is the boot image. */
static int load_from_card(struct session *session)
{
    struct board_fat fat;
    struct board_fat_folder folder;
    struct board_fat_entry entry;
    if (session->card.size == 0 || board_fat_open(&fat, read_card_block, &session->card) != 0) {
        return 0;
    }
    board_fat_begin(&fat, &folder, BOARD_FAT_ROOT);
    while (board_fat_next(&folder, &entry)) {
        if (entry.folder || strcmp(entry.name, "BOOT.BIN") != 0 || entry.size == 0 ||
            entry.size > CARD_PROGRAM_MAX) {
            continue;
        }
        session->image.data = malloc(entry.size);
        session->image.size = entry.size;
        return session->image.data != NULL &&
                       board_fat_load(&fat, &entry, session->image.data, entry.size) == 0
                   ? 0
                   : fail(session, session->options->card, NULL, "BOOT.BIN cannot be read");
    }
    return 0;
}

/* Loads the files that the board has in it. */
static int load(struct session *session)
{
    const struct app_options *options = session->options;
    const struct base_diag_sink *sink = session->sink;
    const char *image = options->input_count > 0 ? options->inputs[0] : NULL;
    if ((image != NULL &&
         base_file_load(&session->image, image, BOARD_TWIN_IMAGE_MAX, sink) != 0) ||
        (options->card != NULL &&
         base_file_load(&session->card, options->card, CARD_MAX, sink) != 0) ||
        (options->flash != NULL &&
         base_file_load(&session->flash, options->flash, BOARD_TWIN_FLASH_BYTES, sink) != 0)) {
        return -1;
    }
    if (image == NULL) {
        return load_from_card(session);
    }
    return session->image.size == 0 ? fail(session, image, NULL, "it is empty") : 0;
}

/* Fills the flash memory: with all of it, or with the image of a program. Without a boot image this
 * program is started. */
static int fill_flash(struct session *session)
{
    const bool whole = session->flash.size == BOARD_TWIN_FLASH_BYTES;
    board_twin_flash_put(&session->board->flash, whole ? 0 : BOARD_TWIN_FLASH_PROGRAM,
                         session->flash.data, session->flash.size);
    const char *problem;
    if (session->image.size == 0 &&
        !board_twin_boot(session->board, BOARD_TWIN_FLASH_PROGRAM, &problem)) {
        return fail(session, program_of(session), "tools/flash_image makes what it starts",
                    problem);
    }
    return 0;
}

/* What goes in, what comes out, and the board between them. */
static int prepare(struct session *session)
{
    const struct app_options *options = session->options;
    if (load(session) != 0) {
        return -1;
    }
    if (options->audio != NULL) {
        session->audio = app_audio_open(options->audio, session->sink);
        session->sound.audio = session->audio;
        if (session->audio == NULL) {
            return -1;
        }
    }
    if (options->uart != NULL) {
        session->console = strcmp(options->uart, "-") == 0              ? stdout
                           : base_folder_make_above(options->uart) == 0 ? fopen(options->uart, "wb")
                                                                        : NULL;
        if (session->console == NULL) {
            return fail(session, options->uart, NULL, strerror(errno));
        }
        (void)setvbuf(session->console, NULL, _IOLBF, 0); /* others read along */
        session->terminal = isatty(fileno(session->console)) == 1;
    }
    if (options->line_out != NULL) {
        session->line_out = app_wave_create(options->line_out, BOARD_TWIN_AC97_RATE, session->sink);
        if (session->line_out == NULL) {
            return -1;
        }
    }
    if (options->network != NULL) {
        session->network = app_board_network_open(options->network, session->sink);
        if (session->network == NULL) {
            return -1;
        }
    }
    session->board =
        board_twin_create(session->image.data, session->image.size, options->command_line);
    if (session->board == NULL) {
        return fail(session, NULL, NULL, "not enough memory");
    }
    if (fill_flash(session) != 0) {
        return -1;
    }
    session->board->host =
        (struct board_twin_host){.console = write_console,
                                 .packet = send_packet,
                                 .user = session,
                                 .sound = {.record = record, .play = play, .user = session}};
    session->board->host_calls = options->calls;
    session->board->tmu.quick = options->quick || options->window;
    session->board->card.writable = (uint8_t *)session->card.data;
    session->board->card.bytes = session->board->card.writable;
    session->board->card.size = session->card.size;
    app_board_inputs_apply(&options->at, session->board, 0);
    return begin_profile(&session->profiler, options, session->board, session->sink);
}

static int put_out(struct session *session)
{
    const struct board_twin_vga *vga = &session->board->vga;
    const struct app_options *options = session->options;
    if (session->pixels == NULL) {
        /* The first picture decides how large those of the video are. */
        session->width = vga->width;
        session->height = vga->height;
        session->pixels = calloc((size_t)session->width * session->height, sizeof(uint32_t));
        session->row = malloc(4 * (size_t)session->width);
        if (session->pixels == NULL || session->row == NULL) {
            return fail(session, NULL, NULL, "not enough memory");
        }
        const struct app_video_format format = {
            .width = (int)session->width,
            .height = (int)session->height,
            .rate = options->fps.numerator > 0 ? options->fps : (struct engine_rate){FPS, 1},
            .frames = options->frames,
        };
        if (options->output != NULL) {
            session->video = app_video_open(options->output, &format, session->sink);
            if (session->video == NULL) {
                return -1;
            }
        }
    }
    if (vga->width != session->width || vga->height != session->height) {
        return fail(session, NULL, NULL, "the program has changed the size of its picture");
    }
    session->pictures++;
    count_picture(&session->profiler, session->pictures);
    session->last_picture = session->board->cpu.cycles;
    board_twin_vga_picture(vga, session->pixels);
    if (options->hash) {
        const uint64_t hash =
            engine_picture_hash(session->pixels, (int)session->width, (int)session->height,
                                session->row, &session->all);
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
    if (board->stop == BOARD_TWIN_OFF || board->stop == BOARD_TWIN_CUT_OFF ||
        (board->stop == BOARD_TWIN_EXITED && board->exit_code == 0)) {
        return 0;
    }
    const struct base_place place = {.file = program_of(session)};
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

static int run(struct session *session)
{
    const struct app_options *options = session->options;
    struct board_twin *board = session->board;
    const uint64_t last = last_cycle(options);
    while (board->stop == BOARD_TWIN_RUNS && board->cpu.cycles < last &&
           (options->frames == 0 || session->pictures < options->frames)) {
        const uint64_t now = board->cpu.cycles;
        if (base_stop_wanted()) {
            session->stopped = true;
            return 0;
        }
        if (now - session->last_picture > (uint64_t)SECONDS * BOARD_TWIN_CLOCK &&
            options->frames > 0 && options->duration <= 0) {
            return fail(session, program_of(session), "--duration waits longer",
                        "no new picture for 10 seconds of the board's time");
        }
        if (app_board_network_run(session->network, board,
                                  now + SLICE < last ? now + SLICE : last)) {
            if (put_out(session) != 0) {
                return -1;
            }
            app_board_inputs_apply(&options->at, board, session->pictures);
        }
    }
    return board->stop == BOARD_TWIN_RUNS ? 0 : explain_stop(session);
}

static int keep(const struct session *session, const char *path, const void *bytes, size_t size)
{
    return base_file_save(path, bytes, size) == 0 ? 0 : fail(session, path, NULL, strerror(errno));
}

/* Stores what the board has left in its memories, however it ended. */
static int keep_memories(const struct session *session)
{
    const struct app_options *options = session->options;
    int result = 0;
    if (options->card_out != NULL) {
        result = keep(session, options->card_out, session->card.data, session->card.size);
    }
    if (options->flash_out != NULL) {
        uint8_t *bytes = malloc(BOARD_TWIN_FLASH_BYTES);
        if (bytes == NULL) {
            return fail(session, NULL, NULL, "not enough memory");
        }
        board_twin_flash_get(&session->board->flash, 0, bytes, BOARD_TWIN_FLASH_BYTES);
        const int kept = keep(session, options->flash_out, bytes, BOARD_TWIN_FLASH_BYTES);
        result = result == 0 ? kept : result;
        free(bytes);
    }
    return result;
}

static int finish(struct session *session)
{
    const bool bad = session->console != NULL && fflush(session->console) != 0;
    if (session->options->hash && !session->stopped) {
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
    if (video == NULL && session->options->output != NULL && !session->stopped) {
        (void)fail(session, session->options->output, "let it run longer",
                   "the program has shown no picture");
        app_wave_discard(line_out);
        return -1;
    }
    const int heard = line_out != NULL ? app_wave_finish(line_out, session->sink) : 0;
    const int seen = video != NULL ? app_video_finish(video) : 0;
    if (session->stopped) {
        return fail(session, NULL, NULL, "stopped; the files hold what came until then");
    }
    return seen != 0 ? seen : heard;
}

static int check_usage(const struct app_options *options)
{
    const char *wrong = NULL;
    if (options->input_count > 1) {
        wrong = "it takes one boot image";
    } else if (options->input_count == 0 && options->flash == NULL && options->card == NULL) {
        wrong = "which boot image?";
    } else if (options->card_out != NULL && options->card == NULL) {
        wrong = "--card-out stores the card of --card";
    } else if (options->window &&
               (options->frames > 0 || options->hash || options->output != NULL)) {
        wrong = "--frames, --hash and -o do not go with --window";
    }
    if (wrong != NULL) {
        base_report(&base_diag_stderr, BASE_ERROR, NOWHERE, "froth board boot.bin --frames 100",
                    "%s", wrong);
        return -1;
    }
    if (options->network != NULL && !app_board_network_check(options->network, &base_diag_stderr)) {
        return -1;
    }
    return app_board_inputs_check(&options->at, &base_diag_stderr);
}

int app_board_command(const struct app_options *options)
{
    if (check_usage(options) != 0) {
        return APP_EXIT_USAGE;
    }
    if (options->output != NULL &&
        app_video_settle(options->output, options->overwrite, &base_diag_stderr) != 0) {
        return APP_EXIT_FAILED;
    }
    struct base_stop stop;
    base_stop_begin(&stop);
    base_stop_in_two_steps();
    struct session session = {.options = options, .sink = &base_diag_stderr};
    base_content_stream_begin(&session.all);
    const double began = base_clock_seconds();
    int result = prepare(&session);
    session.ready = result == 0;
    if (result == 0 && options->window) {
        if (session.audio != NULL) {
            session.live = app_live_play(session.audio, NULL, session.sink);
            session.sound.live = session.live;
        }
        result = show_in_window(session.board, session.network, last_cycle(options), session.sink);
        if (result == 0 && session.board->stop != BOARD_TWIN_RUNS) {
            result = explain_stop(&session);
        }
    } else if (result == 0) {
        result = run(&session);
    }
    if (options->account && session.board != NULL && session.board->cpu.cycles > 0) {
        const double seconds = base_clock_seconds() - began;
        if (options->json) {
            print_account_json(stdout, session.board);
        } else {
            print_account(stderr, session.board, seconds);
        }
    }
    print_profile(&session.profiler, stderr);
    result = result == 0 ? finish(&session) : result;
    if (session.ready && keep_memories(&session) != 0) {
        result = -1;
    }
    app_video_discard(session.video);
    app_wave_discard(session.line_out);
    if (session.console != NULL && session.console != stdout) {
        (void)fclose(session.console);
    }
    board_twin_free(session.board);
    app_board_network_close(session.network);
    board_twin_profile_free(&session.profiler.profile);
    base_file_free(&session.profiler.elf);
    app_live_close(session.live);
    app_audio_close(session.audio);
    base_file_free(&session.image);
    base_file_free(&session.card);
    base_file_free(&session.flash);
    free(session.pixels);
    free(session.row);
    base_stop_end(&stop);
    return result == 0 ? APP_EXIT_DONE : APP_EXIT_FAILED;
}
