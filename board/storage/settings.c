#include "board/storage/settings.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

enum { FORMAT = 1, DIGITS_MAX = 9 };

static const char heading[] = "froth settings ";

static const struct board_settings defaults = {
#define BOARD_SETTING_NUMBER(key, value, least, most, step, unit, help) .key = (value),
#define BOARD_SETTING_CHOICE(key, value, most, words, help)             .key = (value),
#define BOARD_SETTING_TEXT(key, room, value, help)                      .key = value,
#include "board/storage/settings.def"
};

const struct board_setting_row board_setting_rows[BOARD_SETTINGS] = {
#define PLACE(key) offsetof(struct board_settings, key), sizeof defaults.key
#define BOARD_SETTING_NUMBER(key, value, least, most, step, unit, help)                            \
    {#key, BOARD_SETTING_IS_NUMBER, PLACE(key), least, most, step, unit, help},
#define BOARD_SETTING_CHOICE(key, value, most, words, help)                                        \
    {#key, BOARD_SETTING_IS_CHOICE, PLACE(key), 0, most, 1, words, help},
#define BOARD_SETTING_TEXT(key, room, value, help)                                                 \
    {#key, BOARD_SETTING_IS_TEXT, PLACE(key), 0, 0, 0, "", help},
#include "board/storage/settings.def"
};

void board_settings_init(struct board_settings *settings)
{
    *settings = defaults;
}

static const struct board_setting_row *row_of(enum board_setting setting)
{
    assert(setting < BOARD_SETTINGS);
    return &board_setting_rows[setting];
}

static int32_t number_of(const struct board_settings *settings, const struct board_setting_row *row)
{
    int32_t number;
    memcpy(&number, (const char *)settings + row->place, sizeof number);
    return number;
}

static void put_number(struct board_settings *settings, const struct board_setting_row *row,
                       int32_t number)
{
    memcpy((char *)settings + row->place, &number, sizeof number);
}

enum board_setting board_setting_find(struct base_span key)
{
    int i = 0;
    while (i < BOARD_SETTINGS && !base_span_equal(key, base_span_of(board_setting_rows[i].key))) {
        i++;
    }
    return (enum board_setting)i;
}

static size_t length_of_word(const char *words)
{
    size_t length = 0;
    while (words[length] != '\0' && words[length] != '|') {
        length++;
    }
    return length;
}

/* The word of a choice; empty behind the last one. */
static struct base_span word_at(const char *words, int32_t number)
{
    for (; number > 0; number--) {
        words += length_of_word(words);
        words += *words == '|';
    }
    return (struct base_span){words, length_of_word(words)};
}

static bool read_number(struct base_span text, int32_t *number)
{
    *number = 0;
    for (size_t i = 0; i < text.size; i++) {
        if (text.data[i] < '0' || text.data[i] > '9') {
            return false;
        }
        *number = 10 * *number + (text.data[i] - '0');
    }
    return text.size > 0;
}

static bool is_printable(struct base_span text)
{
    bool is = true;
    for (size_t i = 0; i < text.size; i++) {
        is = is && text.data[i] >= ' ' && text.data[i] < 0x7F;
    }
    return is;
}

bool board_settings_set(struct board_settings *settings, enum board_setting setting,
                        struct base_span value)
{
    const struct board_setting_row *row = row_of(setting);
    int32_t number = 0;
    if (row->kind == BOARD_SETTING_IS_TEXT) {
        if (value.size >= row->room || !is_printable(value)) {
            return false;
        }
        char *text = (char *)settings + row->place;
        memset(text, 0, row->room);
        memcpy(text, value.data, value.size);
        return true;
    }
    if (row->kind == BOARD_SETTING_IS_CHOICE) {
        while (number <= row->most && !base_span_equal(value, word_at(row->words, number))) {
            number++;
        }
    } else if (value.size > DIGITS_MAX || !read_number(value, &number) ||
               (number - row->least) % row->step != 0) {
        return false;
    }
    if (number < row->least || number > row->most) {
        return false;
    }
    put_number(settings, row, number);
    return true;
}

void board_settings_step(struct board_settings *settings, enum board_setting setting, int32_t steps)
{
    const struct board_setting_row *row = row_of(setting);
    const int64_t before = number_of(settings, row);
    const int64_t count = (int64_t)row->most - row->least + 1;
    int64_t number = before + (int64_t)steps * row->step;
    if (row->kind == BOARD_SETTING_IS_TEXT) {
        return;
    }
    if (row->kind == BOARD_SETTING_IS_CHOICE) {
        number = (number % count + count) % count;
    }
    number = number < row->least ? row->least : number > row->most ? row->most : number;
    put_number(settings, row, (int32_t)number);
}

void board_settings_value(const struct board_settings *settings, enum board_setting setting,
                          char *text, size_t room)
{
    const struct board_setting_row *row = row_of(setting);
    assert(room >= BOARD_SETTING_VALUE);
    if (row->kind == BOARD_SETTING_IS_TEXT) {
        (void)snprintf(text, room, "%s", (const char *)settings + row->place);
    } else if (row->kind == BOARD_SETTING_IS_CHOICE) {
        const struct base_span word = word_at(row->words, number_of(settings, row));
        (void)snprintf(text, room, "%.*s", (int)word.size, word.data);
    } else {
        (void)snprintf(text, room, "%d", (int)number_of(settings, row));
    }
}

bool board_settings_equal(const struct board_settings *a, const struct board_settings *b,
                          enum board_setting setting)
{
    const struct board_setting_row *row = row_of(setting);
    return memcmp((const char *)a + row->place, (const char *)b + row->place, row->room) == 0;
}

void board_settings_take(struct board_settings *settings, const struct board_settings *from,
                         enum board_setting setting)
{
    const struct board_setting_row *row = row_of(setting);
    memcpy((char *)settings + row->place, (const char *)from + row->place, row->room);
}

/* Takes the next line off the text, without the blanks around it. */
static struct base_span next_line(struct base_span *text)
{
    struct base_span line = {text->data, 0};
    while (line.size < text->size && text->data[line.size] != '\n') {
        line.size++;
    }
    const size_t taken = line.size + (line.size < text->size);
    text->data += taken;
    text->size -= taken;
    while (line.size > 0 && (uint8_t)line.data[line.size - 1] <= ' ') {
        line.size--;
    }
    while (line.size > 0 && (uint8_t)line.data[0] <= ' ') {
        line.data++;
        line.size--;
    }
    return line;
}

static void take_line(struct board_settings *settings, struct base_place place,
                      struct base_span line, const struct base_diag_sink *sink)
{
    struct base_span key = {line.data, 0};
    while (key.size < line.size && line.data[key.size] != '=') {
        key.size++;
    }
    const enum board_setting setting = board_setting_find(key);
    if (setting == BOARD_SETTINGS || key.size == line.size) {
        base_report(sink, BASE_WARNING, place, NULL, "'%.*s' is no setting",
                    (int)(key.size < 40 ? key.size : 40), key.data);
        return;
    }
    const struct base_span value = {line.data + key.size + 1, line.size - key.size - 1};
    if (!board_settings_set(settings, setting, value)) {
        base_report(sink, BASE_WARNING, place, NULL, "%s cannot be '%.*s'",
                    board_setting_rows[setting].key, (int)(value.size < 40 ? value.size : 40),
                    value.data);
    }
}

bool board_settings_read(struct board_settings *settings, const char *file, struct base_span text,
                         const struct base_diag_sink *sink)
{
    struct base_place place = {.file = file, .line = 1, .column = 1};
    const size_t before = sizeof heading - 1;
    struct base_span line = next_line(&text);
    int32_t format = 0;
    if (line.size <= before || memcmp(line.data, heading, before) != 0 ||
        line.size - before > DIGITS_MAX ||
        !read_number((struct base_span){line.data + before, line.size - before}, &format) ||
        format < FORMAT) {
        base_report(sink, BASE_ERROR, place, "its first line is 'froth settings 1'",
                    "this is no file of settings");
        return false;
    }
    while (text.size > 0) {
        place.line++;
        line = next_line(&text);
        if (line.size > 0 && line.data[0] != '#') {
            take_line(settings, place, line, sink);
        }
    }
    return true;
}

size_t board_settings_write(const struct board_settings *settings, char *text, size_t room)
{
    assert(room >= BOARD_SETTINGS_TEXT);
    size_t size = (size_t)snprintf(text, room, "%s%d\n", heading, FORMAT);
    for (int i = 0; i < BOARD_SETTINGS; i++) {
        char value[BOARD_SETTING_VALUE];
        board_settings_value(settings, (enum board_setting)i, value, sizeof value);
        size +=
            (size_t)snprintf(text + size, room - size, "%s=%s\n", board_setting_rows[i].key, value);
        assert(size < room);
    }
    return size;
}
