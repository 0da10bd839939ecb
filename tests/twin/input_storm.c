/* Boots an image in the twin and sends it what comes to mind over all of its inputs: bytes and
 * commands on the console, MIDI, infrared, lights, buttons, packets, a card that is pulled out, put
 * in and damaged, sound that stops, while patches change by themselves. No exception may be on the
 * console, memory may not run out, and pictures go on. With PATCHES, the first ones of the list are
 * loaded in turn when it has become calm again, and must be shown 30 times per second.
 *     input_storm IMAGE CARD SECONDS SEED [PATCHES]      seconds of the board's time */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/board/network.h"
#include "base/os/file.h"
#include "base/os/print.h"
#include "base/random.h"
#include "board/net/osc.h"
#include "board/twin/machine.h"

enum {
    CARD_MAX = 64 * 1024 * 1024,
    LONGEST = BOARD_TWIN_CLOCK / 5, /* between two inputs */
    BEGINS = 4 * BOARD_TWIN_CLOCK,  /* by when the first picture has come */
    STILL = BOARD_TWIN_CLOCK,       /* without a new picture, at most */
    LINE = 512,
    REPORTS = 60, /* seconds between two lines of what has been so far */
    HELD = 60,    /* of a button or key, in 100ths of a second */
    CALM = 12,    /* seconds until a menu and a caption are gone */
    LOADS = 8,    /* seconds in which a patch is loaded and compiled */
    SHOWN = 3,    /* half seconds in which it is measured, before the next one is compiled */
    RATE_TENTHS =
        293 /* pictures per second, at least: one may lie on the edge of what is measured */
};

static const uint32_t BYTES = 40; /* of one input */
static const uint32_t FLIPS = 20;

struct storm {
    struct board_twin *board;
    struct base_rng rng;
    struct base_file image;
    struct base_file card; /* as it was */
    uint8_t *bytes;        /* as it is */
    char line[LINE + 1];   /* of the console */
    size_t line_size;
    const char *wrong; /* what was found; NULL: nothing */
    uint64_t pictures;
    uint64_t last_picture; /* cycle */
    uint64_t inputs;
    uint64_t shown; /* patches */
    uint64_t refused;
    uint64_t packets; /* that it has sent */
    uint32_t loaded;  /* the number of the last patch that was shown */
    bool calm;        /* the sound is as loud as music, no louder */
};

static uint32_t below(struct storm *storm, uint32_t count)
{
    return (uint32_t)(((uint64_t)base_rng_next(&storm->rng) * count) >> 32);
}

/* ---- what the board says ---- */

static bool begins(const struct storm *storm, const char *with)
{
    return strncmp(storm->line, with, strlen(with)) == 0;
}

static void look_at_line(struct storm *storm)
{
    storm->line[storm->line_size] = '\0';
    storm->line_size = 0;
    if (begins(storm, "patch ") && strstr(storm->line, " cycles") != NULL) {
        storm->shown++;
        storm->loaded = (uint32_t)strtoul(storm->line + strlen("patch "), NULL, 10);
    }
    storm->refused += begins(storm, "refused: ") ? 1 : 0;
    if (strstr(storm->line, "froth: stopped") != NULL) {
        storm->wrong = "an exception";
    } else if (strstr(storm->line, "not enough memory") != NULL) {
        storm->wrong = "no memory is left";
    }
}

static void hear_console(void *user, uint8_t byte)
{
    struct storm *storm = user;
    if (storm->wrong != NULL) {
        return;
    }
    if (byte == '\n' || storm->line_size == LINE) {
        look_at_line(storm);
    } else if (byte != '\r') {
        storm->line[storm->line_size++] = (char)byte;
    }
}

static void count_packet(void *user, const uint8_t *bytes, size_t size)
{
    struct storm *storm = user;
    (void)bytes;
    storm->packets += size > 0 ? 1 : 0;
}

/* Noise that swells twice a second, so that there are beats. */
static void make_noise(void *user, int16_t frame[2])
{
    struct storm *storm = user;
    const uint32_t bits = base_rng_next(&storm->rng);
    const unsigned swell = (unsigned)(storm->board->cpu.cycles / (BOARD_TWIN_CLOCK / 8) % 4) * 2;
    const unsigned quiet = swell + (storm->calm ? 4 : 0);
    frame[0] = (int16_t)((int16_t)(bits >> 16) / (1 << quiet));
    frame[1] = (int16_t)((int16_t)bits / (1 << quiet));
}

/* ---- the board's time ---- */

static void look_at_time(struct storm *storm)
{
    const uint64_t now = storm->board->cpu.cycles;
    const uint64_t most = storm->pictures == 0 ? BEGINS : STILL;
    if (storm->board->stop != BOARD_TWIN_RUNS) {
        storm->wrong = "the machine stands still";
    } else if (now - storm->last_picture > most) {
        storm->wrong = "no new picture for a second";
    }
}

static void pass(struct storm *storm, uint64_t cycles)
{
    struct board_twin *board = storm->board;
    const uint64_t end = board->cpu.cycles + cycles;
    while (board->cpu.cycles < end && storm->wrong == NULL) {
        if (board_twin_run(board, end)) {
            storm->pictures++;
            storm->last_picture = board->cpu.cycles;
        }
        look_at_time(storm);
    }
}

/* ---- what it is sent ---- */

static void send_bytes(struct storm *storm, bool (*send)(struct board_twin *board, uint8_t byte))
{
    for (uint32_t count = below(storm, BYTES); count > 0; count--) {
        (void)send(storm->board, (uint8_t)base_rng_next(&storm->rng));
    }
}

static void send_console(struct storm *storm)
{
    send_bytes(storm, board_twin_type);
}

static void send_midi(struct storm *storm)
{
    send_bytes(storm, board_twin_midi);
}

static void send_program(struct storm *storm)
{
    (void)board_twin_midi(storm->board, (uint8_t)(0xC0 + below(storm, 16)));
    (void)board_twin_midi(storm->board, (uint8_t)below(storm, 128));
}

static void send_command(struct storm *storm)
{
    static const char *const words[] = {"next",   "previous",  "list", "status", "help",
                                        "update", "load milk", "load", "load -", "save"};
    char text[64];
    const uint32_t choice = below(storm, 15);
    if (choice < sizeof words / sizeof words[0]) {
        (void)snprintf(text, sizeof text, "\r%s\r", words[choice]);
    } else {
        (void)snprintf(text, sizeof text, "\rload %" PRIu32 "\r", below(storm, 90));
    }
    for (const char *byte = text; *byte != '\0'; byte++) {
        (void)board_twin_type(storm->board, (uint8_t)*byte);
    }
}

static void send_infrared(struct storm *storm)
{
    (void)board_twin_infrared(storm->board, base_rng_next(&storm->rng),
                              below(storm, 2) == 0 ? BOARD_TWIN_INFRARED_HALF
                                                   : BOARD_TWIN_INFRARED_NORM);
}

static void send_light(struct storm *storm)
{
    board_twin_dmx(storm->board, below(storm, 12), (uint8_t)base_rng_next(&storm->rng));
}

/* A key of the menu, on a remote control; held for some time, it comes again. */
static void send_key(struct storm *storm)
{
    static const uint32_t keys[] = {0x1020, 0x1021, 0x1010, 0x1011, 0x1012, 0x1013, 0x0010,
                                    0x0010, 0x0011, 0x0011, 0x0011, 0x0012, 0x0012, 0x0015,
                                    0x0016, 0x0017, 0x0017, 0x0017, 0x1003, 0x1035};
    enum { EVERY = BOARD_TWIN_CLOCK / 9 };
    const uint32_t toggle = below(storm, 2) << 11;
    const uint32_t half =
        below(storm, 2) == 0 ? BOARD_TWIN_INFRARED_HALF : BOARD_TWIN_INFRARED_NORM;
    const uint32_t key = keys[below(storm, sizeof keys / sizeof keys[0])];
    for (uint32_t count = below(storm, 4) == 0 ? below(storm, 12) : 1; count > 0; count--) {
        (void)board_twin_infrared(storm->board, key | toggle, half);
        pass(storm, EVERY);
    }
}

static void press(struct storm *storm)
{
    board_twin_press(storm->board, below(storm, 8));
}

/* One button, as an operator presses it, which bounces. */
static void press_and_release(struct storm *storm)
{
    const uint32_t button = 1u << below(storm, 3);
    const uint64_t held = below(storm, 3) == 0 ? below(storm, 2 * HELD) : below(storm, HELD / 4);
    for (uint32_t i = 0; i < 6; i++) {
        board_twin_press(storm->board, i % 2 == 0 ? button : 0);
        pass(storm, below(storm, BOARD_TWIN_CLOCK / 1000));
    }
    board_twin_press(storm->board, button);
    pass(storm, held * (BOARD_TWIN_CLOCK / 100));
    board_twin_press(storm->board, 0);
}

/* Rubbish of any length, or the beginning of something that a board might look at: frames to it, or
 * to all, of Ethernet, ARP, IP and UDP; most with the right checksum. */
static size_t make_frame(struct storm *storm, uint8_t wire[APP_BOARD_WIRE])
{
    enum { HEADER = 14 };
    static const uint8_t kinds[][2] = {{8, 0}, {8, 6}, {0x86, 0xDD}, {0x88, 0xCC}};
    uint8_t frame[APP_BOARD_FRAME];
    const size_t size = 1 + below(storm, APP_BOARD_FRAME);
    for (size_t i = 0; i < size; i++) {
        frame[i] = (uint8_t)base_rng_next(&storm->rng);
    }
    if (size > HEADER + 20 && below(storm, 4) != 0) {
        memset(frame, 0xFF, 6);
        memcpy(frame + HEADER - 2, kinds[below(storm, 4)], 2);
        frame[HEADER] = 0x45;
        frame[HEADER + 9] = below(storm, 2) == 0 ? 17 : 1;
    }
    const size_t whole = app_board_wire(wire, frame, size);
    if (below(storm, 4) == 0) {
        wire[below(storm, (uint32_t)whole)] ^= 1;
    }
    return whole;
}

/* What programs send, now and then with a byte that is another one. */
static size_t make_message(struct storm *storm, uint8_t wire[APP_BOARD_WIRE])
{
    static const uint8_t everyone[6] = {0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF};
    static const char *const texts[] = {"/cmd/next", "/cmd/previous", "/list",    "/get/patch",
                                        "/get/fps",  "/sub/osc1",     "/preset",  "/osd",
                                        "/variable", "/value/osc2",   "/patch",   "/midi",
                                        "/nothing",  "/send/end",     "/cmd/help"};
    uint8_t bytes[BOARD_OSC_PACKET];
    uint8_t frame[APP_BOARD_FRAME];
    struct board_osc_value values[3];
    const uint32_t count = below(storm, 4);
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t kind = below(storm, 3);
        values[i] = kind == 0   ? board_osc_int((int32_t)below(storm, 300) - 5)
                    : kind == 1 ? board_osc_float(base_rng_next(&storm->rng))
                                : board_osc_text("Tidal");
    }
    const char *address = texts[below(storm, sizeof texts / sizeof *texts)];
    const size_t size = board_osc_write(bytes, sizeof bytes, address, values, count);
    if (below(storm, 3) == 0) {
        bytes[below(storm, (uint32_t)size)] = (uint8_t)base_rng_next(&storm->rng);
    }
    return app_board_wire(wire, frame,
                          app_board_datagram(frame, everyone, UINT32_MAX,
                                             0xC0A80001 + below(storm, 40),
                                             (uint16_t)base_rng_next(&storm->rng), bytes, size));
}

static void send_packet(struct storm *storm)
{
    uint8_t wire[APP_BOARD_WIRE];
    board_twin_ethernet_plug(&storm->board->ethernet, below(storm, 8) != 0);
    for (uint32_t count = 1 + below(storm, 8); count > 0; count--) {
        const size_t size =
            below(storm, 2) == 0 ? make_frame(storm, wire) : make_message(storm, wire);
        (void)board_twin_packet(storm->board, wire, size);
        pass(storm, below(storm, BOARD_TWIN_CLOCK / 10000));
    }
}

static void pull_card(struct storm *storm)
{
    if (below(storm, 2) == 0) {
        board_twin_card_in(storm->board, false);
    } else {
        board_twin_card_pull_later(&storm->board->card, below(storm, 300));
    }
}

/* Of another kind each time: how fast it answers, when its data come, how it counts. */
static void insert_card(struct storm *storm)
{
    struct board_twin_card_kind *kind = &storm->board->card.kind;
    kind->high_capacity = below(storm, 2) != 0;
    kind->busy = below(storm, 5);
    kind->answer_delay = 2 + below(storm, 62);
    kind->data_delay = 1 + below(storm, below(storm, 2) == 0 ? 100 : 10000);
    board_twin_card_in(storm->board, true);
}

/* Bytes of the card change while it is in; mostly where something is. */
static void damage_card(struct storm *storm)
{
    const uint32_t size = (uint32_t)storm->card.size;
    const uint32_t used = size < (1u << 20) ? size : 1u << 20;
    for (uint32_t count = below(storm, FLIPS); count > 0 && size > 0; count--) {
        const uint32_t most = below(storm, 4) == 0 ? 512 : used;
        storm->bytes[below(storm, most < size ? most : size)] = (uint8_t)base_rng_next(&storm->rng);
    }
}

static void mend_card(struct storm *storm)
{
    memcpy(storm->bytes, storm->card.data, storm->card.size);
    board_twin_card_in(storm->board, true);
}

static void set_sound(struct storm *storm)
{
    storm->board->ac97.state = (enum board_twin_ac97_state)below(storm, 3);
}

static void send_something(struct storm *storm)
{
    static void (*const kinds[])(struct storm *) = {
        send_console, send_midi,  send_program, send_command,      send_infrared, send_key,
        send_key,     send_light, press,        press_and_release, press,         press_and_release,
        send_packet,  pull_card,  insert_card,  damage_card,       mend_card,     set_sound};
    storm->inputs++;
    kinds[below(storm, sizeof kinds / sizeof kinds[0])](storm);
}

/* ---- the run ---- */

static double seconds_of(const struct storm *storm)
{
    return (double)storm->board->cpu.cycles / BOARD_TWIN_CLOCK;
}

static void report(const struct storm *storm, const char *seed, const char *what)
{
    (void)printf("seed %s: %.1f s, %" PRIu64 " inputs, %" PRIu64 " pictures, %" PRIu64
                 " patches shown, %" PRIu64 " refused, %" PRIu64 " packets sent: %s\n",
                 seed, seconds_of(storm), storm->inputs, storm->pictures, storm->shown,
                 storm->refused, storm->packets, what);
    (void)fflush(stdout);
}

static void run(struct storm *storm, uint64_t end, const char *seed)
{
    uint64_t next = (uint64_t)REPORTS * BOARD_TWIN_CLOCK;
    while (storm->board->cpu.cycles < end && storm->wrong == NULL) {
        pass(storm, 1 + below(storm, LONGEST));
        send_something(storm);
        if (storm->board->cpu.cycles >= next) {
            report(storm, seed, "so far");
            next += (uint64_t)REPORTS * BOARD_TWIN_CLOCK;
        }
    }
}

/* All is as it should be: nothing is pressed, there is sound and no card. */
static void calm_down(struct storm *storm)
{
    board_twin_press(storm->board, 0);
    board_twin_card_in(storm->board, false);
    storm->board->ac97.state = BOARD_TWIN_AC97_ON;
    storm->calm = true;
    pass(storm, (uint64_t)CALM * BOARD_TWIN_CLOCK);
}

static void load(struct storm *storm, uint32_t number)
{
    char text[32];
    (void)snprintf(text, sizeof text, "\rload %" PRIu32 "\r", number);
    for (const char *byte = text; *byte != '\0'; byte++) {
        (void)board_twin_type(storm->board, (uint8_t)*byte);
    }
    const uint64_t before = storm->shown;
    for (int i = 0; i < LOADS * 10 && storm->wrong == NULL; i++) {
        if (storm->shown > before && storm->loaded == number) {
            return;
        }
        pass(storm, BOARD_TWIN_CLOCK / 10);
    }
    storm->wrong = storm->wrong != NULL ? storm->wrong : "a patch of the image is not loaded";
}

/* Each of the image's patches: pictures per second that it is handed to the screen. */
static void measure(struct storm *storm, uint32_t patches)
{
    uint32_t slow = 0;
    calm_down(storm);
    for (uint32_t i = 0; i < patches && storm->wrong == NULL; i++) {
        load(storm, i);
        pass(storm, BOARD_TWIN_CLOCK / 8);
        const uint64_t presented = storm->board->account.presented;
        const uint64_t begin = storm->board->cpu.cycles;
        pass(storm, (uint64_t)SHOWN * (BOARD_TWIN_CLOCK / 2));
        const double seconds = (double)(storm->board->cpu.cycles - begin) / BOARD_TWIN_CLOCK;
        const double rate = (double)(storm->board->account.presented - presented) / seconds;
        (void)printf("patch %" PRIu32 ": %.2f pictures per second\n", i, rate);
        slow += rate * 10 < RATE_TENTHS ? 1 : 0;
    }
    if (slow > 0 && storm->wrong == NULL) {
        storm->wrong = "a patch of the image is too slow";
    }
}

static bool prepare(struct storm *storm, const char *image, const char *card)
{
    if (base_file_load(&storm->image, image, BOARD_TWIN_IMAGE_MAX, &base_diag_stderr) != 0 ||
        base_file_load(&storm->card, card, CARD_MAX, &base_diag_stderr) != 0) {
        return false;
    }
    storm->bytes = malloc(storm->card.size + 1);
    storm->board = board_twin_create(storm->image.data, storm->image.size,
                                     "patch=Tidal fps=30 next_seconds=15 next_beats=64 "
                                     "order=random auto_gain=on");
    if (storm->bytes == NULL || storm->board == NULL) {
        return false;
    }
    memcpy(storm->bytes, storm->card.data, storm->card.size);
    storm->board->tmu.quick = true;
    storm->board->card.bytes = storm->bytes;
    storm->board->card.writable = storm->bytes;
    storm->board->card.size = storm->card.size;
    storm->board->host = (struct board_twin_host){.console = hear_console,
                                                  .packet = count_packet,
                                                  .user = storm,
                                                  .sound = {.record = make_noise, .user = storm}};
    return true;
}

static void release(struct storm *storm)
{
    board_twin_free(storm->board);
    base_file_free(&storm->image);
    base_file_free(&storm->card);
    free(storm->bytes);
}

int main(int argc, char **argv)
{
    if (argc < 5 || argc > 6) {
        (void)fputs("input_storm IMAGE CARD SECONDS SEED [PATCHES]\n", stderr);
        return 2;
    }
    struct storm storm = {0};
    base_rng_seed(&storm.rng, strtoull(argv[4], NULL, 10), 0);
    if (!prepare(&storm, argv[1], argv[2])) {
        release(&storm);
        return 1;
    }
    run(&storm, strtoull(argv[3], NULL, 10) * BOARD_TWIN_CLOCK, argv[4]);
    if (argc == 6) {
        measure(&storm, (uint32_t)strtoul(argv[5], NULL, 10));
    }
    report(&storm, argv[4], storm.wrong != NULL ? storm.wrong : "all is well");
    const int result = storm.wrong != NULL;
    if (storm.wrong != NULL) {
        (void)printf("the console's last line: %s\n", storm.line);
    }
    release(&storm);
    return result;
}
