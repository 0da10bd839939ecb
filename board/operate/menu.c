#include "board/operate/menu.h"

#include <stdio.h>
#include <string.h>

enum {
    SEEN = BOARD_PANEL_LINES - 2, /* lines between title and help */
    FIRST_LINE = 1,
    LAST_LINE = BOARD_PANEL_LINES - 1,
    INDENT = 1, /* columns of letters in a row */
    BEHIND_BAR = BOARD_PANEL_BAR_AT + BOARD_PANEL_BAR_COLUMNS,
};

static const struct board_menu_request nothing = {BOARD_MENU_NOTHING, 0};

/* ---- the rows ---- */

/* Each writes the value of a setting into BOARD_SETTING_VALUE bytes. True: a bar stands beside it.
 */

static bool show_percent(int32_t number, char *text)
{
    (void)snprintf(text, BOARD_SETTING_VALUE, "%d%%", (int)number);
    return true;
}

static bool show_decibels(int32_t number, char *text)
{
    (void)snprintf(text, BOARD_SETTING_VALUE, "%d.%dDB", (int)(number * 3 / 2),
                   (int)(number * 15 % 10));
    return true;
}

static bool show_seconds(int32_t number, char *text)
{
    enum { MINUTE = 60 };
    if (number == 0) {
        (void)snprintf(text, BOARD_SETTING_VALUE, "OFF");
    } else if (number < MINUTE) {
        (void)snprintf(text, BOARD_SETTING_VALUE, "%d SECONDS", (int)number);
    } else {
        (void)snprintf(text, BOARD_SETTING_VALUE, "%d:%02d MINUTES", (int)(number / MINUTE),
                       (int)(number % MINUTE));
    }
    return false;
}

static bool show_beats(int32_t number, char *text)
{
    (void)snprintf(text, BOARD_SETTING_VALUE, number == 0 ? "OFF" : "%d BEATS", (int)number);
    return false;
}

/* Its word is there already. */
static bool show_choice(int32_t number, char *text)
{
    (void)number;
    (void)text;
    return false;
}

static struct board_menu_request open_patches(struct board_menu *menu,
                                              const struct board_menu_facts *facts)
{
    menu->page = BOARD_MENU_PATCHES;
    menu->patch = facts->current;
    return nothing;
}

static struct board_menu_request open_status(struct board_menu *menu,
                                             const struct board_menu_facts *facts)
{
    (void)facts;
    menu->page = BOARD_MENU_STATUS;
    return nothing;
}

static struct board_menu_request save(struct board_menu *menu, const struct board_menu_facts *facts)
{
    (void)menu;
    (void)facts;
    return (struct board_menu_request){BOARD_MENU_SAVE, 0};
}

/* Not by a press that was meant for another row. */
static struct board_menu_request ask_update(struct board_menu *menu,
                                            const struct board_menu_facts *facts)
{
    (void)facts;
    menu->editing = !menu->editing;
    return menu->editing ? nothing : (struct board_menu_request){BOARD_MENU_UPDATE, 0};
}

static const struct row {
    const char *title;
    const char *help;
    struct board_menu_request (*choose)(struct board_menu *menu,
                                        const struct board_menu_facts *facts); /* NULL: a value */
    enum board_setting setting;
    bool (*show)(int32_t number, char *text);
} rows[] = {
#define BOARD_MENU_VALUE(key, text, writer, about)                                                 \
    {.title = (text), .help = (about), .setting = BOARD_SETTING_##key, .show = (writer)},
#define BOARD_MENU_ACTION(name, text, handler, about)                                              \
    {.title = (text), .help = (about), .choose = (handler)},
#include "board/operate/menu.def"
};

enum { ROWS = sizeof rows / sizeof rows[0] };

static int32_t within(int32_t number, int32_t least, int32_t most)
{
    return number < least ? least : number > most ? most : number;
}

/* Of a number or choice. */
static int32_t number_of(const struct board_settings *settings, enum board_setting setting)
{
    int32_t number;
    memcpy(&number, (const char *)settings + board_setting_rows[setting].place, sizeof number);
    return number;
}

/* ---- presses ---- */

/* A key that is held goes faster through long ranges. */
static struct board_menu_request change(struct board_settings *settings, enum board_setting setting,
                                        int32_t steps, bool held)
{
    enum { LONG = 100, FASTER = 4 };
    const struct board_setting_row *row = &board_setting_rows[setting];
    const int32_t before = number_of(settings, setting);
    const bool is_long = (row->most - row->least) / row->step > LONG;
    board_settings_step(settings, setting, held && is_long ? steps * FASTER : steps);
    return number_of(settings, setting) == before
               ? nothing
               : (struct board_menu_request){BOARD_MENU_CHANGED, (int32_t)setting};
}

/* Moves `at` around a list of `count`, which a held key does not leave. */
static int32_t move(int32_t at, int32_t by, int32_t count, bool held)
{
    const int32_t next = at + by;
    return next >= 0 && next < count ? next : held ? at : next < 0 ? count - 1 : 0;
}

/* The first of `count` that is seen, such that `at` is. */
static int32_t scroll(int32_t top, int32_t at, int32_t count)
{
    top = within(top, at - SEEN + 1, at);
    return within(top, 0, count > SEEN ? count - SEEN : 0);
}

static struct board_menu_request press_closed(struct board_menu *menu, struct board_press press,
                                              uint32_t now)
{
    const bool fresh = !press.repeated;
    switch (press.key) {
    case BOARD_KEY_UP:
    case BOARD_KEY_PREVIOUS:
        return fresh ? (struct board_menu_request){BOARD_MENU_STEP, -1} : nothing;
    case BOARD_KEY_DOWN:
    case BOARD_KEY_NEXT:
        return fresh ? (struct board_menu_request){BOARD_MENU_STEP, 1} : nothing;
    case BOARD_KEY_CHOOSE:
        return fresh ? (struct board_menu_request){BOARD_MENU_NAME, 0} : nothing;
    case BOARD_KEY_MENU:
        if (fresh && !menu->locked) {
            menu->page = BOARD_MENU_ROWS;
            menu->touched = now;
        }
        return nothing;
    default:
        return nothing;
    }
}

static struct board_menu_request press_rows(struct board_menu *menu, struct board_press press,
                                            struct board_settings *settings,
                                            const struct board_menu_facts *facts)
{
    const struct row *row = &rows[menu->row];
    const bool is_value = row->choose == NULL;
    const int32_t onward = press.key == BOARD_KEY_DOWN ? 1 : -1;
    switch (press.key) {
    case BOARD_KEY_UP:
    case BOARD_KEY_DOWN:
        if (menu->editing && is_value) {
            return change(settings, row->setting, -onward, press.repeated);
        }
        menu->editing = false;
        menu->row = (uint32_t)move((int32_t)menu->row, onward, ROWS, press.repeated);
        menu->rows_top =
            (uint32_t)scroll((int32_t)menu->rows_top, (int32_t)menu->row, (int32_t)ROWS);
        return nothing;
    case BOARD_KEY_LEFT:
    case BOARD_KEY_RIGHT:
        return is_value ? change(settings, row->setting, press.key == BOARD_KEY_RIGHT ? 1 : -1,
                                 press.repeated)
                        : nothing;
    case BOARD_KEY_CHOOSE:
        if (press.repeated) {
            return nothing;
        }
        if (!is_value) {
            return row->choose(menu, facts);
        }
        if (board_setting_rows[row->setting].kind == BOARD_SETTING_IS_CHOICE) {
            return change(settings, row->setting, 1, false);
        }
        menu->editing = !menu->editing;
        return nothing;
    default:
        return nothing;
    }
}

static struct board_menu_request press_patches(struct board_menu *menu, struct board_press press,
                                               const struct board_menu_facts *facts)
{
    switch (press.key) {
    case BOARD_KEY_UP:
    case BOARD_KEY_DOWN:
        menu->patch =
            move(menu->patch, press.key == BOARD_KEY_DOWN ? 1 : -1, facts->patches, press.repeated);
        return nothing;
    case BOARD_KEY_LEFT:
    case BOARD_KEY_RIGHT:
        menu->patch += press.key == BOARD_KEY_RIGHT ? SEEN : -SEEN;
        return nothing;
    case BOARD_KEY_CHOOSE:
        return press.repeated ? nothing : (struct board_menu_request){BOARD_MENU_LOAD, menu->patch};
    default:
        return nothing;
    }
}

static void leave(struct board_menu *menu)
{
    if (menu->editing) {
        menu->editing = false;
    } else {
        menu->page = menu->page == BOARD_MENU_ROWS ? BOARD_MENU_CLOSED : BOARD_MENU_ROWS;
    }
}

static struct board_menu_request press_open(struct board_menu *menu, struct board_press press,
                                            struct board_settings *settings,
                                            const struct board_menu_facts *facts)
{
    press.key = press.key == BOARD_KEY_NEXT       ? BOARD_KEY_UP
                : press.key == BOARD_KEY_PREVIOUS ? BOARD_KEY_DOWN
                                                  : press.key;
    if (press.key == BOARD_KEY_MENU) {
        if (!press.repeated) {
            leave(menu);
        }
        return nothing;
    }
    switch (menu->page) {
    case BOARD_MENU_ROWS:
        return press_rows(menu, press, settings, facts);
    case BOARD_MENU_PATCHES:
        return press_patches(menu, press, facts);
    default:
        if (press.key == BOARD_KEY_CHOOSE) {
            leave(menu);
        }
        return nothing;
    }
}

/* Of which there may be fewer now. */
static void keep_in_list(struct board_menu *menu, const struct board_menu_facts *facts)
{
    menu->patch = within(menu->patch, 0, facts->patches - 1);
    menu->patches_top = scroll(menu->patches_top, menu->patch, facts->patches);
}

struct board_menu_request board_menu_press(struct board_menu *menu, struct board_press press,
                                           struct board_settings *settings,
                                           const struct board_menu_facts *facts, uint32_t now)
{
    struct board_menu_request request = nothing;
    board_menu_pass(menu, now);
    keep_in_list(menu, facts);
    if (press.key >= BOARD_KEY_DIGIT && press.key <= BOARD_KEY_DIGIT_LAST) {
        request = press.repeated
                      ? nothing
                      : (struct board_menu_request){BOARD_MENU_LOAD, press.key - BOARD_KEY_DIGIT};
    } else if (press.key == BOARD_KEY_LOUDER || press.key == BOARD_KEY_SOFTER) {
        request =
            change(settings, BOARD_SETTING_gain, press.key == BOARD_KEY_LOUDER ? 1 : -1, false);
    } else if (press.key == BOARD_KEY_BRIGHTER || press.key == BOARD_KEY_DARKER) {
        request = change(settings, BOARD_SETTING_brightness,
                         press.key == BOARD_KEY_BRIGHTER ? 1 : -1, false);
    } else if (menu->page == BOARD_MENU_CLOSED) {
        return press_closed(menu, press, now);
    } else {
        request = press_open(menu, press, settings, facts);
    }
    menu->touched = now;
    keep_in_list(menu, facts);
    return request;
}

void board_menu_pass(struct board_menu *menu, uint32_t now)
{
    if (menu->page != BOARD_MENU_CLOSED && now - menu->touched >= BOARD_MENU_STAYS) {
        menu->page = BOARD_MENU_CLOSED;
        menu->editing = false;
    }
}

/* ---- what is seen ---- */

static void put(struct board_panel_line *line, size_t column, const char *text)
{
    for (; *text != '\0' && column < BOARD_PANEL_COLUMNS; text++, column++) {
        line->text[column] = *text;
    }
}

static void put_right(struct board_panel_line *line, const char *text)
{
    const size_t size = strlen(text);
    const size_t room = BOARD_PANEL_COLUMNS - INDENT;
    put(line, size < room ? room - size : 0, text);
}

static void write_row(const struct row *row, const struct board_settings *settings,
                      struct board_panel_line *line)
{
    char text[BOARD_SETTING_VALUE];
    put(line, INDENT, row->title);
    if (row->choose != NULL) {
        put_right(line, ">");
        return;
    }
    const struct board_setting_row *about = &board_setting_rows[row->setting];
    const int32_t number = number_of(settings, row->setting);
    board_settings_value(settings, row->setting, text, sizeof text);
    if (row->show(number, text)) {
        line->bar =
            (uint8_t)((number - about->least) * BOARD_PANEL_BAR / (about->most - about->least));
    }
    put_right(line, text);
}

static void write_rows(const struct board_menu *menu, const struct board_settings *settings,
                       const struct board_menu_facts *facts, struct board_panel_line *lines)
{
    const struct row *selected = &rows[menu->row];
    put(&lines[0], INDENT, facts->program);
    for (uint32_t i = 0; i < SEEN && menu->rows_top + i < ROWS; i++) {
        struct board_panel_line *line = &lines[FIRST_LINE + i];
        write_row(&rows[menu->rows_top + i], settings, line);
        if (&rows[menu->rows_top + i] == selected) {
            line->look = menu->editing ? BOARD_PANEL_EDITED : BOARD_PANEL_SELECTED;
        }
    }
    put(&lines[LAST_LINE], INDENT,
        !menu->editing             ? selected->help
        : selected->choose == NULL ? "1 MORE, 3 LESS, 2 DONE"
                                   : "2 AGAIN DOES IT");
}

/* Without the ending. */
static void put_name(struct board_panel_line *line, size_t column, const char *from)
{
    enum { ROOM = BOARD_PANEL_COLUMNS };
    char name[ROOM + 1];
    size_t size = 0;
    while (size < ROOM && from[size] != '\0') {
        name[size] = from[size];
        size++;
    }
    const size_t room = ROOM - INDENT - column;
    size_t end = size;
    while (end > 0 && name[end - 1] != '.') {
        end--;
    }
    if (end > 1 && size - end <= 4 && size < ROOM) {
        size = end - 1;
    }
    name[size < room ? size : room] = '\0';
    put(line, column, name);
}

static void write_patches(const struct board_menu *menu, const struct board_menu_facts *facts,
                          struct board_panel_line *lines)
{
    char text[BOARD_PANEL_COLUMNS + 1];
    put(&lines[0], INDENT, "PATCHES");
    (void)snprintf(text, sizeof text, "%d OF %d", (int)(menu->patch + 1), (int)facts->patches);
    put_right(&lines[0], text);
    for (int32_t i = 0; i < SEEN && menu->patches_top + i < facts->patches; i++) {
        struct board_panel_line *line = &lines[FIRST_LINE + i];
        const int32_t number = menu->patches_top + i;
        put(line, 0, number == facts->current ? ">" : " ");
        put_name(line, INDENT, facts->name(facts->user, number));
        line->look = number == menu->patch ? BOARD_PANEL_SELECTED : BOARD_PANEL_PLAIN;
    }
    put(&lines[LAST_LINE], INDENT, "2 SHOWS IT, HELD IT GOES BACK");
}

static void write_status(const struct board_menu_facts *facts, struct board_panel_line *lines)
{
    enum { MINUTE = 60, HOUR = 3600 };
    char text[BOARD_PANEL_COLUMNS + 1];
    struct board_panel_line *line = lines;
    put(line, INDENT, facts->program);
    put_name(++line, INDENT, facts->shown);
    put(++line, INDENT, "PATCH");
    (void)snprintf(text, sizeof text, "%d OF %d", (int)(facts->current + 1), (int)facts->patches);
    put_right(line, facts->current >= 0 ? text : "NOT IN THE LIST");
    put(++line, INDENT, "GIVES WAY");
    if (facts->next_seconds >= 0) {
        (void)snprintf(text, sizeof text, "IN %d SECONDS", (int)facts->next_seconds);
    }
    put_right(line, facts->next_seconds >= 0 ? text : "NOT BY TIME");
    put(++line, INDENT, "RUNS SINCE");
    (void)snprintf(text, sizeof text, "%u:%02u:%02u", (unsigned)(facts->seconds / HOUR),
                   (unsigned)(facts->seconds / MINUTE % MINUTE),
                   (unsigned)(facts->seconds % MINUTE));
    put_right(line, text);
    put(++line, INDENT, "PICTURES A SECOND");
    (void)snprintf(text, sizeof text, "%u.%u", (unsigned)(facts->tenths / 10),
                   (unsigned)(facts->tenths % 10));
    put_right(line, text);
    put(++line, INDENT, "LEFT OUT");
    (void)snprintf(text, sizeof text, "%u", (unsigned)facts->left_out);
    put_right(line, text);
    put(++line, INDENT, "SOUND");
    line->bar = facts->level < BOARD_PANEL_BAR ? facts->level : BOARD_PANEL_BAR;
    put(++line, INDENT, "BEATS");
    (void)snprintf(text, sizeof text, "%u", (unsigned)facts->beats);
    put_right(line, text);
    put(++line, INDENT, "NETWORK");
    (void)snprintf(text, sizeof text, "%u.%u.%u.%u", (unsigned)(facts->address >> 24),
                   (unsigned)(facts->address >> 16 & UINT8_MAX),
                   (unsigned)(facts->address >> 8 & UINT8_MAX),
                   (unsigned)(facts->address & UINT8_MAX));
    put_right(line, facts->address != 0 ? text : "NONE");
    put(&lines[LAST_LINE], INDENT, "2 GOES BACK");
}

void board_menu_write(const struct board_menu *menu, const struct board_settings *settings,
                      const struct board_menu_facts *facts,
                      struct board_panel_line lines[static BOARD_PANEL_LINES])
{
    for (size_t i = 0; i < BOARD_PANEL_LINES; i++) {
        memset(lines[i].text, ' ', BOARD_PANEL_COLUMNS);
        lines[i].text[BOARD_PANEL_COLUMNS] = '\0';
        lines[i].look = BOARD_PANEL_PLAIN;
        lines[i].bar = BOARD_PANEL_NO_BAR;
    }
    lines[0].look = BOARD_PANEL_TITLE;
    lines[LAST_LINE].look = BOARD_PANEL_FAINT;
    switch (menu->page) {
    case BOARD_MENU_ROWS:
        write_rows(menu, settings, facts, lines);
        break;
    case BOARD_MENU_PATCHES:
        write_patches(menu, facts, lines);
        break;
    default:
        write_status(facts, lines);
        break;
    }
}

void board_menu_write_setting(enum board_setting setting, const struct board_settings *settings,
                              char *text, size_t size)
{
    char shown[BOARD_SETTING_VALUE];
    text[0] = '\0';
    for (size_t i = 0; i < ROWS; i++) {
        if (rows[i].choose == NULL && rows[i].setting == setting) {
            board_settings_value(settings, setting, shown, sizeof shown);
            (void)rows[i].show(number_of(settings, setting), shown);
            (void)snprintf(text, size, "%s %s", rows[i].title, shown);
        }
    }
}
