#include "app/board_inputs.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* An item taken apart; what is behind the name. */
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

static bool set_buttons(struct app_board *board, const char *value)
{
    unsigned long number;
    if (!read_number(&value, '\0', APP_BOARD_BUTTONS, &number)) {
        return false;
    }
    if (board != NULL) {
        app_board_press(board, (uint32_t)number);
    }
    return true;
}

static bool send_infrared(struct app_board *board, const char *value)
{
    unsigned long number;
    if (!read_number(&value, '\0', 0x1FFF, &number)) {
        return false;
    }
    if (board != NULL) {
        app_board_infrared(board, (uint32_t)number);
    }
    return true;
}

static bool set_dmx(struct app_board *board, const char *value)
{
    unsigned long channel;
    unsigned long level;
    if (!read_number(&value, '/', APP_BOARD_DMX - 1, &channel) ||
        !read_number(&value, '\0', 255, &level)) {
        return false;
    }
    if (board != NULL) {
        app_board_dmx(board, (unsigned)channel, (uint8_t)level);
    }
    return true;
}

static bool send_midi(struct app_board *board, const char *value)
{
    for (; *value != '\0'; value += 2) {
        const char digits[] = {value[0], value[1], '\0'};
        if (!isxdigit((unsigned char)digits[0]) || !isxdigit((unsigned char)digits[1])) {
            return false;
        }
        if (board != NULL) {
            (void)app_board_midi(board, (uint8_t)strtoul(digits, NULL, 16));
        }
    }
    return true;
}

static bool type(struct app_board *board, const char *value)
{
    for (; board != NULL && *value != '\0'; value++) {
        (void)app_board_type(board, (uint8_t)*value);
    }
    return true;
}

/* board NULL: only checks. */
static bool apply(const struct input *input, struct app_board *board)
{
    static const struct {
        const char *name;
        bool (*apply)(struct app_board *board, const char *value);
    } kinds[] = {
        {"buttons", set_buttons}, {"infrared", send_infrared},
        {"dmx", set_dmx},         {"midi", send_midi},
        {"type", type},
    };
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        if (strlen(kinds[i].name) == input->name_size &&
            memcmp(kinds[i].name, input->name, input->name_size) == 0) {
            return kinds[i].apply(board, input->value);
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

void app_board_inputs_apply(const struct app_list *at, struct app_board *board, uint64_t pictures)
{
    for (size_t i = 0; i < at->count; i++) {
        struct input input;
        if (split(at->items[i], &input) && input.picture == pictures) {
            (void)apply(&input, board);
        }
    }
}
