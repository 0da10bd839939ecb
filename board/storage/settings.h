/* The settings of the board, and the text that they are kept as:
 *     froth settings 1
 *     patch=Tidal
 *     gain=12
 * The number is that of the format; a later one has other keys besides. Lines that are empty or
 * begin with # mean nothing. Pure: where the text is kept is the firmware's business. */
#ifndef BOARD_STORAGE_SETTINGS_H
#define BOARD_STORAGE_SETTINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"

/* One value for each row of settings.def, always within the row's range. */
struct board_settings {
#define BOARD_SETTING_NUMBER(key, value, least, most, step, unit, help) int32_t key;
#define BOARD_SETTING_CHOICE(key, value, most, words, help)             int32_t key;
#define BOARD_SETTING_TEXT(key, room, value, help)                      char key[room];
#include "board/storage/settings.def"
};

/* BOARD_SETTING_gain and so on: numbers of the rows. */
enum board_setting {
#define BOARD_SETTING_NUMBER(key, value, least, most, step, unit, help) BOARD_SETTING_##key,
#define BOARD_SETTING_CHOICE(key, value, most, words, help)             BOARD_SETTING_##key,
#define BOARD_SETTING_TEXT(key, room, value, help)                      BOARD_SETTING_##key,
#include "board/storage/settings.def"
    BOARD_SETTINGS
};

enum board_setting_kind { BOARD_SETTING_IS_NUMBER, BOARD_SETTING_IS_CHOICE, BOARD_SETTING_IS_TEXT };

struct board_setting_row {
    const char *key;
    enum board_setting_kind kind;
    size_t place; /* in struct board_settings */
    size_t room;  /* bytes there */
    int32_t least;
    int32_t most; /* of a choice: its last word */
    int32_t step;
    const char *words; /* of a choice, with | between; of a number its unit; of a text "" */
    const char *help;
};

extern const struct board_setting_row board_setting_rows[BOARD_SETTINGS];

/* Room for the text of all settings, and of one value, with their NUL. */
enum { BOARD_SETTINGS_TEXT = 2048, BOARD_SETTING_VALUE = 128 };

/* The defaults. */
void board_settings_init(struct board_settings *settings);

/* BOARD_SETTINGS if no row has this key. */
enum board_setting board_setting_find(struct base_span key);

/* Takes a value as it stands in the text. False, and nothing has changed, if the row does not allow
 * it. */
bool board_settings_set(struct board_settings *settings, enum board_setting setting,
                        struct base_span value);

/* So many steps up or down, ending at the range's ends; a choice goes round. Texts stay. */
void board_settings_step(struct board_settings *settings, enum board_setting setting,
                         int32_t steps);

/* A value as it stands in the text. room: at least BOARD_SETTING_VALUE. */
void board_settings_value(const struct board_settings *settings, enum board_setting setting,
                          char *text, size_t room);

bool board_settings_equal(const struct board_settings *a, const struct board_settings *b,
                          enum board_setting setting);

/* Takes the value of one setting from another one's. */
void board_settings_take(struct board_settings *settings, const struct board_settings *from,
                         enum board_setting setting);

/* Takes what the text says; what it does not say stays. Lines that mean nothing are reported as
 * warnings with file and line, and passed over. False with an error if it is no text of settings.
 */
bool board_settings_read(struct board_settings *settings, const char *file, struct base_span text,
                         const struct base_diag_sink *sink);

/* All of them as text with a NUL; returns its length. room: at least BOARD_SETTINGS_TEXT. */
size_t board_settings_write(const struct board_settings *settings, char *text, size_t room);

#endif
