/* Boots an image in the twin and sends it what comes to mind over all of its inputs: bytes and
 * commands on the console, MIDI, infrared, lights, buttons, a card that is pulled out, put in and
 * damaged, sound that stops. No exception may be on the console, memory may not run out, and
 * pictures go on. input_storm IMAGE CARD SECONDS SEED      seconds of the board's time */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/os/file.h"
#include "base/os/print.h"
#include "base/random.h"
#include "board/twin/machine.h"

enum {
    CARD_MAX = 64 * 1024 * 1024,
    LONGEST = BOARD_TWIN_CLOCK / 5, /* between two inputs */
    BEGINS = 4 * BOARD_TWIN_CLOCK,  /* by when the first picture has come */
    STILL = BOARD_TWIN_CLOCK,       /* without a new picture, at most */
    LINE = 512,
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
    storm->shown += begins(storm, "patch ") && strstr(storm->line, " cycles") != NULL ? 1 : 0;
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

static void make_noise(void *user, int16_t frame[2])
{
    struct storm *storm = user;
    const uint32_t bits = base_rng_next(&storm->rng);
    frame[0] = (int16_t)(bits >> 16);
    frame[1] = (int16_t)bits;
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
    static const char *const words[] = {"next", "previous",  "list", "status",
                                        "help", "load milk", "load", "load -"};
    char text[64];
    const uint32_t choice = below(storm, 12);
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

static void press(struct storm *storm)
{
    board_twin_press(storm->board, below(storm, 8));
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
        send_console, send_midi, send_program, send_command, send_infrared, send_light,
        press,        pull_card, insert_card,  damage_card,  mend_card,     set_sound};
    storm->inputs++;
    kinds[below(storm, sizeof kinds / sizeof kinds[0])](storm);
}

/* ---- the run ---- */

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

static void run(struct storm *storm, uint64_t end)
{
    struct board_twin *board = storm->board;
    while (board->cpu.cycles < end && storm->wrong == NULL) {
        const uint64_t next = board->cpu.cycles + 1 + below(storm, LONGEST);
        while (board->cpu.cycles < next && storm->wrong == NULL) {
            if (board_twin_run(board, next)) {
                storm->pictures++;
                storm->last_picture = board->cpu.cycles;
            }
            look_at_time(storm);
        }
        send_something(storm);
    }
}

static bool prepare(struct storm *storm, const char *image, const char *card)
{
    if (base_file_load(&storm->image, image, BOARD_TWIN_IMAGE_MAX, &base_diag_stderr) != 0 ||
        base_file_load(&storm->card, card, CARD_MAX, &base_diag_stderr) != 0) {
        return false;
    }
    storm->bytes = malloc(storm->card.size + 1);
    storm->board = board_twin_create(storm->image.data, storm->image.size, "patch=Tidal");
    if (storm->bytes == NULL || storm->board == NULL) {
        return false;
    }
    memcpy(storm->bytes, storm->card.data, storm->card.size);
    storm->board->tmu.quick = true;
    storm->board->card.bytes = storm->bytes;
    storm->board->card.size = storm->card.size;
    storm->board->host = (struct board_twin_host){
        .console = hear_console, .user = storm, .sound = {.record = make_noise, .user = storm}};
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
    if (argc != 5) {
        (void)fputs("input_storm IMAGE CARD SECONDS SEED\n", stderr);
        return 2;
    }
    struct storm storm = {0};
    base_rng_seed(&storm.rng, strtoull(argv[4], NULL, 10), 0);
    if (!prepare(&storm, argv[1], argv[2])) {
        release(&storm);
        return 1;
    }
    run(&storm, strtoull(argv[3], NULL, 10) * BOARD_TWIN_CLOCK);
    (void)printf("seed %s: %.1f s, %" PRIu64 " inputs, %" PRIu64 " pictures, %" PRIu64
                 " patches shown, %" PRIu64 " refused: %s\n",
                 argv[4], (double)storm.board->cpu.cycles / BOARD_TWIN_CLOCK, storm.inputs,
                 storm.pictures, storm.shown, storm.refused,
                 storm.wrong != NULL ? storm.wrong : "all is well");
    const int result = storm.wrong != NULL;
    if (storm.wrong != NULL) {
        (void)printf("the console's last line: %s\n", storm.line);
    }
    release(&storm);
    return result;
}
