#include "app/board/inputs.h"

#include "app/board/network.h"
#include "board/net/osc.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* An item of --at, PICTURE:NAME=VALUE, taken apart. */
struct input {
    uint64_t picture;
    const char *name;
    size_t name_size;
    const char *value;
};

static bool split(const char *item, struct input *input)
{
    char *end;
    if (!isdigit((unsigned char)item[0])) {
        return false;
    }
    errno = 0;
    input->picture = strtoull(item, &end, 10);
    if (errno != 0 || *end != ':') {
        return false;
    }
    input->name = end + 1;
    input->name_size = strcspn(input->name, "=");
    input->value = input->name + input->name_size;
    if (*input->value != '=') {
        return false;
    }
    input->value++;
    return true;
}

/* A number up to `most`, which ends where `behind` stands. */
static bool read_number(const char **text, char behind, unsigned long most, unsigned long *number)
{
    char *end;
    if (!isdigit((unsigned char)**text)) {
        return false;
    }
    errno = 0;
    *number = strtoul(*text, &end, 0);
    const bool good = errno == 0 && *end == behind && *number <= most;
    *text = end + (behind != '\0');
    return good;
}

static bool set_buttons(struct board_twin *board, const char *value)
{
    unsigned long number;
    if (!read_number(&value, '\0', BOARD_TWIN_BUTTONS, &number)) {
        return false;
    }
    if (board != NULL) {
        board_twin_press(board, (uint32_t)number);
    }
    return true;
}

static bool set_infrared(struct board_twin *board, const char *value)
{
    static const char norm[] = "/36";
    unsigned long number;
    const bool slow = strchr(value, '/') != NULL;
    if (!read_number(&value, slow ? '/' : '\0', 0x1FFF, &number) ||
        (slow && strcmp(value, norm + 1) != 0)) {
        return false;
    }
    if (board != NULL) {
        (void)board_twin_infrared(board, (uint32_t)number,
                                  slow ? BOARD_TWIN_INFRARED_NORM : BOARD_TWIN_INFRARED_HALF);
    }
    return true;
}

static bool set_dmx(struct board_twin *board, const char *value)
{
    unsigned long channel;
    unsigned long level;
    if (!read_number(&value, '/', BOARD_TWIN_DMX - 1, &channel) ||
        !read_number(&value, '\0', 255, &level)) {
        return false;
    }
    if (board != NULL) {
        board_twin_dmx(board, (unsigned)channel, (uint8_t)level);
    }
    return true;
}

/* The next two hexadecimal digits. */
static bool read_byte(const char **text, uint8_t *byte)
{
    const char digits[] = {(*text)[0], (*text)[0] == '\0' ? '\0' : (*text)[1], '\0'};
    if (!isxdigit((unsigned char)digits[0]) || !isxdigit((unsigned char)digits[1])) {
        return false;
    }
    *byte = (uint8_t)strtoul(digits, NULL, 16);
    *text += 2;
    return true;
}

/* Bytes in hex; take NULL: only checks. */
static bool send_bytes(struct board_twin *board, const char *value,
                       bool (*take)(struct board_twin *board, uint8_t byte))
{
    uint8_t byte;
    while (*value != '\0') {
        if (!read_byte(&value, &byte)) {
            return false;
        }
        if (board != NULL) {
            (void)take(board, byte);
        }
    }
    return true;
}

static bool set_midi(struct board_twin *board, const char *value)
{
    return send_bytes(board, value, board_twin_midi);
}

static bool set_uart(struct board_twin *board, const char *value)
{
    return send_bytes(board, value, board_twin_type);
}

enum { OSC_VALUES = 4, OSC_NUMBERS = 16 /* in one item */ };

/* The next N/VALUE: number from 0, the value's bits. Not finite ones are no values; what is nearly
 * nothing is nothing, as the coprocessor has it. */
static bool read_osc(const char **text, unsigned *number, uint32_t *word)
{
    unsigned long given;
    char *end;
    if (!read_number(text, '/', OSC_VALUES, &given) || given == 0 ||
        strchr("+-.0123456789", **text) == NULL || **text == '\0') {
        return false;
    }
    float value = strtof(*text, &end);
    if (end == *text || !isfinite(value) || (*end != '\0' && *end != ',')) {
        return false;
    }
    value = fpclassify(value) == FP_SUBNORMAL ? 0 : value;
    *text = end + (*end == ',' && end[1] != '\0');
    *number = (unsigned)given - 1;
    memcpy(word, &value, sizeof *word);
    return true;
}

static void put_word(uint8_t *to, size_t word)
{
    for (unsigned i = 0; i < 4; i++) {
        to[i] = (uint8_t)(word >> (24 - 8 * i));
    }
}

/* A bundle, as whoever sends several values at once does it, to all that are there. */
static bool set_osc(struct board_twin *board, const char *value)
{
    enum { SIZE = 4, TIME_AT = 15 };
    static const uint8_t everyone[6] = {0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF};
    uint8_t bundle[BOARD_OSC_PACKET] = "#bundle";
    size_t size = TIME_AT + 1;
    bundle[TIME_AT] = 1; /* at once */
    for (unsigned count = 0; *value != '\0' && count < OSC_NUMBERS; count++) {
        unsigned number;
        uint32_t word;
        if (!read_osc(&value, &number, &word)) {
            return false;
        }
        const struct board_osc_value values[] = {board_osc_int((int32_t)number + 1),
                                                 board_osc_float(word)};
        const size_t message = board_osc_write(bundle + size + SIZE, sizeof bundle - size - SIZE,
                                               "/variable", values, 2);
        put_word(bundle + size, message);
        size += SIZE + message;
    }
    if (*value != '\0' || size == TIME_AT + 1) {
        return false;
    }
    if (board != NULL) {
        uint8_t frame[APP_BOARD_FRAME];
        uint8_t wire[APP_BOARD_WIRE];
        const size_t length =
            app_board_datagram(frame, everyone, UINT32_MAX, 0xC0A8000E, 50000, bundle, size);
        board_twin_ethernet_plug(&board->ethernet, true);
        (void)board_twin_packet(board, wire, app_board_wire(wire, frame, length));
    }
    return true;
}

static bool set_type(struct board_twin *board, const char *value)
{
    for (; board != NULL && *value != '\0'; value++) {
        (void)board_twin_type(board, (uint8_t)*value);
    }
    return true;
}

static bool set_card(struct board_twin *board, const char *value)
{
    static const char later[] = "out/";
    unsigned long blocks = 0;
    const bool high = strcmp(value, "sdhc") == 0;
    const bool locked = strcmp(value, "locked") == 0;
    const bool in = high || locked || strcmp(value, "in") == 0;
    const bool waits = strncmp(value, later, sizeof later - 1) == 0;
    value += waits ? sizeof later - 1 : 0;
    if (!in &&
        (waits ? !read_number(&value, '\0', UINT32_MAX, &blocks) : strcmp(value, "out") != 0)) {
        return false;
    }
    if (board != NULL && in) {
        board->card.kind.high_capacity = high;
        board->card.kind.locked = locked;
        board_twin_card_in(board, true);
    } else if (board != NULL && waits) {
        board_twin_card_pull_later(&board->card, (uint32_t)blocks);
    } else if (board != NULL) {
        board_twin_card_in(board, false);
    }
    return true;
}

static bool set_power(struct board_twin *board, const char *value)
{
    const bool flash = strncmp(value, "flash/", 6) == 0;
    unsigned long count = 0;
    if (!flash && strncmp(value, "card/", 5) != 0) {
        return false;
    }
    value += flash ? 6 : 5;
    if (!read_number(&value, '/', UINT32_MAX, &count) || count == 0) {
        return false;
    }
    for (int kind = 0; kind < BOARD_TWIN_CUT_KINDS; kind++) {
        if (strcmp(value, board_twin_cut_names[kind]) == 0) {
            if (board != NULL) {
                struct board_twin_cut *cut = flash ? &board->flash.cut : &board->card.cut;
                cut->in = (uint32_t)count;
                cut->kind = (enum board_twin_cut_kind)kind;
            }
            return true;
        }
    }
    return false;
}

static bool set_sound(struct board_twin *board, const char *value)
{
    static const char *const states[] = {
        [BOARD_TWIN_AC97_ON] = "on",
        [BOARD_TWIN_AC97_OFF] = "off",
        [BOARD_TWIN_AC97_SILENT] = "silent",
    };
    for (size_t i = 0; i < sizeof states / sizeof states[0]; i++) {
        if (strcmp(value, states[i]) == 0) {
            if (board != NULL) {
                board->ac97.state = (enum board_twin_ac97_state)i;
            }
            return true;
        }
    }
    return false;
}

const struct app_board_input_row app_board_input_rows[] = {
#define APP_BOARD_INPUT(name, value, help) {#name, value, help, set_##name},
#include "app/board/inputs.def"
};

const size_t app_board_input_row_count =
    sizeof app_board_input_rows / sizeof app_board_input_rows[0];

/* board NULL: only checks. */
static bool apply(const struct input *input, struct board_twin *board)
{
    for (size_t i = 0; i < app_board_input_row_count; i++) {
        const struct app_board_input_row *row = &app_board_input_rows[i];
        if (strlen(row->name) == input->name_size &&
            memcmp(row->name, input->name, input->name_size) == 0) {
            return row->apply(board, input->value);
        }
    }
    return false;
}

int app_board_inputs_check(const struct app_list *at, const struct base_diag_sink *sink)
{
    for (size_t i = 0; i < at->count; i++) {
        struct input input;
        if (!split(at->items[i], &input) || !apply(&input, NULL)) {
            base_report(sink, BASE_ERROR, (struct base_place){0},
                        "write it like 12:buttons=1; see 'froth help board'",
                        "--at: '%.60s' is no input", at->items[i]);
            return -1;
        }
    }
    return 0;
}

static bool is(const struct input *input, const char *name)
{
    return strlen(name) == input->name_size && memcmp(name, input->name, input->name_size) == 0;
}

static bool hear(const struct input *input, const struct app_board_listener *listener)
{
    const char *value = input->value;
    unsigned long channel;
    unsigned long level;
    uint8_t byte;
    if (is(input, "dmx")) {
        if (!read_number(&value, '/', BOARD_TWIN_DMX - 1, &channel) ||
            !read_number(&value, '\0', 255, &level)) {
            return false;
        }
        if (listener != NULL) {
            listener->dmx(listener->user, (unsigned)channel, (uint8_t)level);
        }
        return true;
    }
    if (is(input, "osc")) {
        bool good = *value != '\0';
        while (good && *value != '\0') {
            unsigned number;
            uint32_t word;
            good = read_osc(&value, &number, &word);
            if (good && listener != NULL) {
                listener->osc(listener->user, number, word);
            }
        }
        return good;
    }
    while (is(input, "midi") && *value != '\0' && read_byte(&value, &byte)) {
        if (listener != NULL) {
            listener->midi(listener->user, byte);
        }
    }
    return is(input, "midi") && *value == '\0';
}

int app_board_inputs_check_heard(const struct app_list *at, const struct base_diag_sink *sink)
{
    for (size_t i = 0; i < at->count; i++) {
        struct input input;
        if (!split(at->items[i], &input) || !hear(&input, NULL)) {
            base_report(sink, BASE_ERROR, (struct base_place){0},
                        "write it like 12:midi=B00740, 12:dmx=0/255 or 12:osc=1/0.5",
                        "--at: '%.60s' is no input of the equations", at->items[i]);
            return -1;
        }
    }
    return 0;
}

void app_board_inputs_hear(const struct app_list *at, const struct app_board_listener *listener,
                           uint64_t pictures)
{
    for (size_t i = 0; i < at->count; i++) {
        struct input input;
        if (split(at->items[i], &input) && input.picture == pictures) {
            (void)hear(&input, listener);
        }
    }
}

void app_board_inputs_apply(const struct app_list *at, struct board_twin *board, uint64_t pictures)
{
    for (size_t i = 0; i < at->count; i++) {
        struct input input;
        if (split(at->items[i], &input) && input.picture == pictures) {
            (void)apply(&input, board);
        }
    }
}

enum { UP = 160, DOWN = 147, LOUDEST = 32767 }; /* 48000 / 44100 */

static int32_t whole(float sample)
{
    const float kept = isfinite(sample) ? fminf(fmaxf(sample, -1.0f), 1.0f) : 0.0f;
    return (int32_t)(kept * (float)LOUDEST);
}

void app_board_sound_read(struct app_board_sound *sound, int16_t *samples, size_t count)
{
    for (size_t i = 0; i < count; i++, sound->written++) {
        const uint64_t at = sound->written * DOWN;
        const int32_t share = (int32_t)(at % UP);
        while (sound->read < at / UP + 2) {
            if (sound->chunk_at == sound->chunk_count) {
                sound->chunk_at = 0;
                sound->chunk_count =
                    sound->live != NULL
                        ? app_live_read(sound->live, sound->chunk, APP_BOARD_CHUNK)
                        : app_audio_read(sound->audio, sound->chunk, APP_BOARD_CHUNK);
            }
            const bool any = sound->chunk_at < sound->chunk_count;
            for (int side = 0; side < 2; side++) {
                sound->pair[0][side] = sound->pair[1][side];
                sound->pair[1][side] =
                    any ? whole(sound->chunk[2 * sound->chunk_at + (size_t)side]) : 0;
            }
            sound->chunk_at += any ? 1 : 0;
            sound->read++;
        }
        for (size_t side = 0; side < 2; side++) {
            const int32_t from = sound->pair[0][side];
            samples[2 * i + side] = (int16_t)(from + (sound->pair[1][side] - from) * share / UP);
        }
    }
}
