/* The editor beside a model that is as plain as can be: a flat string, looked over anew after each
 * edit, and a cursor. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <regex.h>
#include <stdio.h>
#include <string.h>

#include "base/random.h"
#include "base/text.h"
#include "ui/editor/editor.h"
#include "ui/editor/model.h"
#include "ui/toolkit/text.h"

enum { ROOM = 8192, GROWN = 1500, HISTORY = 300, STEPS = 100000, PAGE = 20 };

struct naive {
    char text[ROOM];
    size_t size;
    size_t cursor;
    size_t anchor;
    size_t goal;
    char clipboard[ROOM];
    size_t clipboard_size;
    const char *line_end;
    regex_t program;
    /* Looked over: of each byte and of the end. */
    bool proper[ROOM + 1];
    size_t line[ROOM + 1];
    size_t point[ROOM + 1];
    size_t column[ROOM + 1];
};

static void look_over(struct naive *naive)
{
    memset(naive->proper, 0, naive->size + 1);
    struct base_span rest = {naive->text, naive->size};
    size_t line = 0;
    size_t point = 0;
    size_t column = 0;
    while (rest.size > 0) {
        const size_t at = (size_t)(rest.data - naive->text);
        naive->proper[at] = true;
        const bool pair = rest.size > 1 && rest.data[0] == '\r' && rest.data[1] == '\n';
        const uint32_t code = base_utf8_next(&rest);
        if (pair) {
            (void)base_utf8_next(&rest);
        }
        for (size_t i = at; i < (size_t)(rest.data - naive->text); i++) {
            naive->line[i] = line;
            naive->point[i] = point;
            naive->column[i] = column;
        }
        const bool ends = code == '\n' || code == '\r';
        line += ends ? 1 : 0;
        point = ends ? 0 : point + 1;
        column = ends           ? 0
                 : code == '\t' ? (column / 4 + 1) * 4
                                : column + (size_t)ui_text_cells(code);
    }
    naive->proper[naive->size] = true;
    naive->line[naive->size] = line;
    naive->point[naive->size] = point;
    naive->column[naive->size] = column;
}

static size_t previous(const struct naive *naive, size_t at)
{
    do {
        at -= at > 0 ? 1 : 0;
    } while (!naive->proper[at]);
    return at;
}

static size_t next(const struct naive *naive, size_t at)
{
    do {
        at += at < naive->size ? 1 : 0;
    } while (!naive->proper[at]);
    return at;
}

static size_t pulled(const struct naive *naive, size_t at)
{
    at = at < naive->size ? at : naive->size;
    while (!naive->proper[at]) {
        at--;
    }
    return at;
}

static size_t from(const struct naive *naive)
{
    return naive->cursor < naive->anchor ? naive->cursor : naive->anchor;
}

static size_t to(const struct naive *naive)
{
    return naive->cursor > naive->anchor ? naive->cursor : naive->anchor;
}

static const char *line_end(const struct naive *naive)
{
    for (size_t i = 0; i < naive->size; i++) {
        if (naive->text[i] == '\n') {
            return "\n";
        }
        if (naive->text[i] == '\r') {
            return i + 1 < naive->size && naive->text[i + 1] == '\n' ? "\r\n" : "\r";
        }
    }
    return naive->line_end;
}

static void change(struct naive *naive, size_t first, size_t end, const char *bytes, size_t size)
{
    char tail[ROOM];
    const size_t rest = naive->size - end;
    memcpy(tail, naive->text + end, rest);
    assert_true(first + size + rest < ROOM);
    if (size > 0) {
        memmove(naive->text + first, bytes, size);
    }
    memcpy(naive->text + first + size, tail, rest);
    naive->size = first + size + rest;
    look_over(naive);
    naive->cursor = pulled(naive, first + size);
    naive->anchor = naive->cursor;
    naive->goal = SIZE_MAX;
}

static void insert(struct naive *naive, const char *bytes, size_t size)
{
    char converted[2 * ROOM];
    size_t length = 0;
    for (size_t i = 0; i < size; i++) {
        if (bytes[i] != '\r' && bytes[i] != '\n') {
            converted[length++] = bytes[i];
            continue;
        }
        for (const char *c = line_end(naive); *c != '\0'; c++) {
            converted[length++] = *c;
        }
        i += bytes[i] == '\r' && i + 1 < size && bytes[i + 1] == '\n' ? 1 : 0;
    }
    if (length > 0 || naive->cursor != naive->anchor) {
        change(naive, from(naive), to(naive), converted, length);
    }
}

static size_t line_first(const struct naive *naive, size_t line)
{
    size_t at = 0;
    while (naive->line[at] != line) {
        at++;
    }
    return at;
}

/* The last proper place of a line. */
static size_t line_last(const struct naive *naive, size_t line)
{
    size_t at = naive->size;
    while (naive->line[at] != line || !naive->proper[at]) {
        at--;
    }
    return at;
}

static size_t vertical(const struct naive *naive, long lines)
{
    const long last = (long)naive->line[naive->size];
    const long line = (long)naive->line[naive->cursor];
    if (line == 0 && lines < 0) {
        return 0;
    }
    if (line == last && lines > 0) {
        return naive->size;
    }
    long wanted = line + lines;
    wanted = wanted < 0 ? 0 : wanted > last ? last : wanted;
    size_t best = line_first(naive, (size_t)wanted);
    for (size_t at = best; at <= line_last(naive, (size_t)wanted); at++) {
        if (naive->proper[at] && naive->column[at] <= naive->goal) {
            best = at;
        }
    }
    return best;
}

/* 'b' blank, 'w' word, 's' sign, 'e' line end, '-' nothing */
static char kind_of(const struct naive *naive, size_t at)
{
    if (at >= naive->size) {
        return '-';
    }
    const unsigned char c = (unsigned char)naive->text[at];
    if (c == '\n' || c == '\r') {
        return 'e';
    }
    if (c == ' ' || c == '\t') {
        return 'b';
    }
    static const char word[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";
    return c >= 0x80 || (c != 0 && strchr(word, c) != NULL) ? 'w' : 's';
}

static size_t word_left(const struct naive *naive)
{
    size_t at = naive->cursor;
    while (at > 0 && kind_of(naive, previous(naive, at)) == 'b') {
        at = previous(naive, at);
    }
    if (at == 0) {
        return 0;
    }
    const char kind = kind_of(naive, previous(naive, at));
    do {
        at = previous(naive, at);
    } while (kind != 'e' && at > 0 && kind_of(naive, previous(naive, at)) == kind);
    return at;
}

static size_t word_right(const struct naive *naive)
{
    size_t at = naive->cursor;
    const char kind = kind_of(naive, at);
    if (kind == 'e') {
        return next(naive, at);
    }
    while (kind_of(naive, at) == kind && at < naive->size) {
        at = next(naive, at);
    }
    while (kind_of(naive, at) == 'b') {
        at = next(naive, at);
    }
    return at;
}

static bool is_key(const char *key, const char *name)
{
    return strcmp(key, name) == 0;
}

/* Where a move leads; false if the key is none. */
static bool move_to(struct naive *naive, const char *key, bool selects, size_t *place)
{
    const bool selection = naive->cursor != naive->anchor && !selects;
    const size_t line = naive->line[naive->cursor];
    if (naive->goal == SIZE_MAX) {
        naive->goal = naive->column[naive->cursor];
    }
    if (is_key(key, "Left")) {
        *place = selection ? from(naive) : previous(naive, naive->cursor);
    } else if (is_key(key, "Right")) {
        *place = selection ? to(naive) : next(naive, naive->cursor);
    } else if (is_key(key, "Up")) {
        *place = vertical(naive, -1);
    } else if (is_key(key, "Down")) {
        *place = vertical(naive, 1);
    } else if (is_key(key, "PageUp")) {
        *place = vertical(naive, -PAGE);
    } else if (is_key(key, "PageDown")) {
        *place = vertical(naive, PAGE);
    } else if (is_key(key, "Ctrl+Left")) {
        *place = word_left(naive);
    } else if (is_key(key, "Ctrl+Right")) {
        *place = word_right(naive);
    } else if (is_key(key, "Home")) {
        *place = line_first(naive, line);
    } else if (is_key(key, "End")) {
        *place = line_last(naive, line);
    } else if (is_key(key, "Ctrl+Home")) {
        *place = 0;
    } else if (is_key(key, "Ctrl+End")) {
        *place = naive->size;
    } else {
        naive->goal = SIZE_MAX;
        return false;
    }
    const bool keeps = strstr(key, "Up") != NULL || strstr(key, "Down") != NULL;
    naive->goal = keeps ? naive->goal : SIZE_MAX;
    return true;
}

/* In a program the key without its number begins the next line; one with nothing behind its key
 * ends the program. */
static void enter(struct naive *naive)
{
    char bytes[ROOM];
    size_t size = (size_t)snprintf(bytes, sizeof bytes, "%s", line_end(naive));
    const size_t line = naive->line[from(naive)];
    size_t at = line_first(naive, line);
    const struct base_span whole = {naive->text + at, line_last(naive, line) - at};
    const struct ui_editor_tokens words = ui_editor_tokens_of(whole);
    const size_t behind = from(naive) - at;
    if (words.is_program && behind == whole.size && words.value == whole.size &&
        from(naive) == to(naive)) {
        change(naive, at, at + behind, NULL, 0);
        return;
    }
    if (words.is_program && behind >= words.value && words.value <= 256) {
        bool number = true; /* what is looked at may be a part of it */
        size_t key = 0;
        char turned[ROOM];
        for (size_t i = words.value; i > 0; i--) {
            const char c = whole.data[i - 1];
            const bool digit = c >= '0' && c <= '9';
            number = number && (digit || c == '=' || c == ' ' || c == '`');
            if (!(number && digit)) {
                turned[key++] = c;
            }
        }
        while (key > 0) {
            bytes[size++] = turned[--key];
        }
    } else {
        while (at < from(naive) && kind_of(naive, at) == 'b') {
            bytes[size++] = naive->text[at++];
        }
    }
    change(naive, from(naive), to(naive), bytes, size);
}

static void erase(struct naive *naive, size_t first, size_t end)
{
    if (naive->cursor != naive->anchor) {
        change(naive, from(naive), to(naive), NULL, 0);
    } else if (first < end) {
        change(naive, first, end, NULL, 0);
    }
}

static void copy(struct naive *naive)
{
    if (from(naive) < to(naive)) {
        naive->clipboard_size = to(naive) - from(naive);
        memcpy(naive->clipboard, naive->text + from(naive), naive->clipboard_size);
    }
}

static size_t behind_line(const struct naive *naive, size_t line)
{
    return line == naive->line[naive->size] ? naive->size : line_first(naive, line + 1);
}

static void double_line(struct naive *naive)
{
    char bytes[ROOM];
    const size_t line = naive->line[naive->cursor];
    const size_t first = line_first(naive, line);
    const size_t last = line_last(naive, line);
    const size_t behind = behind_line(naive, line);
    const size_t cursor = naive->cursor;
    size_t size = 0;
    if (line == naive->line[naive->size]) {
        size = (size_t)snprintf(bytes, sizeof bytes, "%s", line_end(naive));
        memcpy(bytes + size, naive->text + first, last - first);
        size += last - first;
    } else {
        size = behind - first;
        memcpy(bytes, naive->text + first, size);
    }
    change(naive, behind, behind, bytes, size);
    naive->cursor = pulled(naive, cursor + size);
    naive->anchor = naive->cursor;
}

static void lines_of(const struct naive *naive, size_t *first, size_t *last)
{
    *first = naive->line[from(naive)];
    *last = naive->line[to(naive)];
    if (*last > *first && line_first(naive, *last) == to(naive)) {
        (*last)--;
    }
}

static void move_lines(struct naive *naive, bool up)
{
    size_t first = 0;
    size_t last = 0;
    lines_of(naive, &first, &last);
    if (up ? first == 0 : last == naive->line[naive->size]) {
        return;
    }
    /* one: the upper lines, other: the lower */
    const size_t one = line_first(naive, up ? first - 1 : first);
    const size_t one_end = line_last(naive, up ? first - 1 : last);
    const size_t other = line_first(naive, up ? first : last + 1);
    const size_t other_end = line_last(naive, up ? last : last + 1);
    char bytes[ROOM];
    size_t size = 0;
    const size_t parts[3][2] = {{other, other_end}, {one_end, other}, {one, one_end}};
    for (size_t i = 0; i < 3; i++) {
        memcpy(bytes + size, naive->text + parts[i][0], parts[i][1] - parts[i][0]);
        size += parts[i][1] - parts[i][0];
    }
    const size_t cursor = naive->cursor;
    const size_t anchor = naive->anchor;
    change(naive, one, other_end, bytes, size);
    naive->cursor = pulled(naive, up ? cursor - (other - one) : cursor + (other_end - one_end));
    naive->anchor = pulled(naive, up ? anchor - (other - one) : anchor + (other_end - one_end));
}

static size_t comment_at(const struct naive *naive, size_t line)
{
    char bytes[ROOM];
    const size_t first = line_first(naive, line);
    const size_t last = line_last(naive, line);
    memcpy(bytes, naive->text + first, last - first);
    bytes[last - first] = '\0';
    regmatch_t match = {0, 0};
    size_t at = first;
    if (regexec(&naive->program, bytes, 1, &match, 0) == 0) {
        at += (size_t)match.rm_eo;
    }
    while (at < last && kind_of(naive, at) == 'b') {
        at++;
    }
    return at;
}

static bool has_sign(const struct naive *naive, size_t at)
{
    return naive->size - at >= 2 && naive->text[at] == '/' && naive->text[at + 1] == '/';
}

static void shift_places(size_t places[2], size_t at, size_t removed, size_t inserted)
{
    for (size_t i = 0; i < 2; i++) {
        if (places[i] >= at) {
            const size_t inside = places[i] - at;
            places[i] = at + inserted + (inside < removed ? 0 : inside - removed);
        }
    }
}

/* From the last line to the first, each by itself. */
static void comment(struct naive *naive)
{
    size_t first = 0;
    size_t last = 0;
    lines_of(naive, &first, &last);
    bool off = false;
    bool all = true;
    for (size_t line = first; line <= last; line++) {
        const size_t at = comment_at(naive, line);
        const bool empty = at == line_last(naive, line);
        off = off || (!empty && has_sign(naive, at));
        all = all && (empty || has_sign(naive, at));
    }
    off = off && all;
    size_t places[2] = {naive->cursor, naive->anchor};
    bool changed = false;
    for (size_t line = last + 1; line-- > first;) {
        const size_t at = comment_at(naive, line);
        if (at == line_last(naive, line)) {
            continue;
        }
        const size_t removed = !off                                                 ? 0
                               : naive->size - at > 2 && naive->text[at + 2] == ' ' ? 3
                                                                                    : 2;
        change(naive, at, at + removed, "// ", off ? 0 : 3);
        shift_places(places, at, removed, off ? 0 : 3);
        changed = true;
    }
    if (changed) {
        naive->cursor = pulled(naive, places[0]);
        naive->anchor = pulled(naive, places[1]);
    }
}

static void act(struct naive *naive, const char *key)
{
    const size_t cursor = naive->cursor;
    if (is_key(key, "Enter") || is_key(key, "Shift+Enter")) {
        enter(naive);
    } else if (is_key(key, "Tab")) {
        insert(naive, "    ", 4);
    } else if (strstr(key, "Ctrl+Backspace") != NULL) {
        erase(naive, word_left(naive), cursor);
    } else if (strstr(key, "Backspace") != NULL) {
        erase(naive, previous(naive, cursor), cursor);
    } else if (is_key(key, "Delete")) {
        erase(naive, cursor, next(naive, cursor));
    } else if (is_key(key, "Ctrl+A")) {
        naive->anchor = 0;
        naive->cursor = naive->size;
    } else if (is_key(key, "Ctrl+C")) {
        copy(naive);
    } else if (is_key(key, "Ctrl+X")) {
        copy(naive);
        erase(naive, cursor, cursor);
    } else if (is_key(key, "Ctrl+V")) {
        if (naive->clipboard_size > 0) {
            insert(naive, naive->clipboard, naive->clipboard_size);
        }
    } else if (is_key(key, "Ctrl+D")) {
        double_line(naive);
    } else if (is_key(key, "Ctrl+/")) {
        comment(naive);
    } else if (is_key(key, "Alt+Up") || is_key(key, "Alt+Down")) {
        move_lines(naive, is_key(key, "Alt+Up"));
    } else {
        fail_msg("the model does not know %s", key);
    }
}

static void press(struct naive *naive, const char *key)
{
    const char *shift = strstr(key, "Shift+");
    char plain[128];
    const size_t before = shift == NULL ? 0 : (size_t)(shift - key);
    memcpy(plain, key, before);
    (void)snprintf(plain + before, sizeof plain - before, "%s", shift == NULL ? key : shift + 6);
    size_t place = 0;
    if (move_to(naive, plain, shift != NULL, &place)) {
        naive->anchor = shift != NULL ? naive->anchor : place;
        naive->cursor = place;
    } else {
        act(naive, key);
    }
}

/* Texts that undo and redo may lead to. */
struct history {
    struct {
        char text[ROOM];
        size_t size;
    } texts[HISTORY];
    size_t count;
    size_t at;
    bool lost; /* older ones were dropped, or it is not known where in them we are */
};

static void remember(struct history *history, const struct naive *naive)
{
    if (history->lost) {
        history->count = 0;
    } else {
        history->count = history->count == 0 ? 0 : history->at + 1;
    }
    if (history->count == HISTORY) {
        const size_t dropped = HISTORY / 2;
        memmove(history->texts, history->texts + dropped,
                (HISTORY - dropped) * sizeof history->texts[0]);
        history->count -= dropped;
    }
    history->at = history->count++;
    history->lost = false;
    memcpy(history->texts[history->at].text, naive->text, naive->size);
    history->texts[history->at].size = naive->size;
}

static bool is_at(const struct history *history, size_t at, struct base_span text)
{
    return base_span_equal((struct base_span){history->texts[at].text, history->texts[at].size},
                           text);
}

/* The text is one of the history's, before or behind; whether it was known is returned. */
static bool travel(struct history *history, struct base_span text, bool back)
{
    size_t at = history->at;
    while (!history->lost && (back ? at > 0 : at + 1 < history->count)) {
        at = back ? at - 1 : at + 1;
        if (is_at(history, at, text)) {
            history->at = at;
            return true;
        }
    }
    return false;
}

static void assert_same(const struct naive *naive, struct ui_editor *editor)
{
    const struct base_span text = ui_editor_text(editor);
    assert_int_equal(text.size, naive->size);
    assert_memory_equal(text.data, naive->text, naive->size);
    assert_int_equal(text.data[text.size], 0);
    assert_int_equal(editor->state.cursor, naive->cursor);
    assert_int_equal(editor->state.anchor, naive->anchor);
    assert_true(naive->proper[naive->cursor] && naive->proper[naive->anchor]);
    size_t line = 0;
    size_t column = 0;
    ui_editor_cursor(editor, &line, &column);
    assert_int_equal(line, naive->line[naive->cursor] + 1);
    assert_int_equal(column, naive->point[naive->cursor] + 1);
    assert_int_equal(editor->text.count, naive->line[naive->size] + 1);
    for (size_t i = 0; i < editor->text.count; i++) {
        const size_t start = ui_editor_text_start(&editor->text, i);
        assert_int_equal(naive->line[start], i);
        assert_true(start == 0 || naive->line[start - 1] == i - 1);
    }
}

static void load(struct naive *naive, struct ui_editor *editor, const char *text)
{
    naive->size = strlen(text);
    memcpy(naive->text, text, naive->size);
    look_over(naive);
    naive->cursor = 0;
    naive->anchor = 0;
    naive->goal = SIZE_MAX;
    naive->line_end = "\n";
    naive->line_end = line_end(naive);
    assert_int_equal(ui_editor_load(editor, base_span_of(text)), 0);
}

static const char *const texts[] = {
    "",
    "[preset00]\nfRating=4\nper_frame_1=zoom = 1.01;\nper_frame_2=rot = 0.1*sin(time); // turns\n",
    "[preset00]\r\n\tzoom=1\r\n\r\nwarp_1=`shader_body {\r\nwarp_2=`  ret = tex2D(s, uv);\r\nend",
    "a\rb\r\rc\r\n\n\n\r x",
    "gr\xC3\xBC\xC3\x9F \xE2\x82\xAC \xF0\x9F\x8C\x8A\n\xFF\xC3\xC3\xA4\x80\xE2\x82\n\t\ttab\tx\n",
};

static const char *const pieces[] = {"x",
                                     " ",
                                     "0.5",
                                     "(",
                                     "\t",
                                     "\n",
                                     "\r",
                                     "\r\n",
                                     "\xC3",
                                     "\xA4",
                                     "\xC3\xA4",
                                     "\xE2",
                                     "\x82",
                                     "\xAC",
                                     "per_frame_3=",
                                     "// ",
                                     "a\nb\n",
                                     "comp_12=`ret",
                                     "\xE6\x97\xA5\xCC\x81",
                                     "=",
                                     "\x80\x80"};

enum { TEXTS = sizeof texts / sizeof texts[0], PIECES = sizeof pieces / sizeof pieces[0] };

/* Any key of the table, moves half of the time with Shift. */
static void random_key(struct base_rng *rng, char key[64])
{
    struct base_span keys = {"", 0};
    const size_t row = base_rng_next(rng) % UI_EDITOR_ACTION_ROWS;
    keys = base_span_of(ui_editor_action_rows[row].keys);
    const size_t size = strcspn(keys.data, " ");
    const bool moves = row <= UI_EDITOR_ACTION_text_end;
    const bool shift = moves && base_rng_next(rng) % 2 == 0;
    const char *ctrl = strncmp(keys.data, "Ctrl+", 5) == 0 && shift ? "Ctrl+" : "";
    (void)snprintf(key, 64, "%s%s%.*s", ctrl, shift ? "Shift+" : "", (int)(size - strlen(ctrl)),
                   keys.data + strlen(ctrl));
}

static void take_over(struct naive *naive, struct ui_editor *editor)
{
    const struct base_span text = ui_editor_text(editor);
    memcpy(naive->text, text.data, text.size);
    naive->size = text.size;
    look_over(naive);
    naive->cursor = editor->state.cursor;
    naive->anchor = editor->state.anchor;
    naive->goal = SIZE_MAX;
}

static void undo_or_redo(struct naive *naive, struct history *history, struct ui_editor *editor,
                         bool back)
{
    const uint64_t revision = ui_editor_revision(editor);
    assert_true(ui_editor_key(editor, back ? "Ctrl+Z" : "Ctrl+Y"));
    if (ui_editor_revision(editor) == revision) {
        assert_true(history->lost || history->at == 0 || !back);
        naive->goal = SIZE_MAX;
        return;
    }
    if (!travel(history, ui_editor_text(editor), back)) {
        history->lost = true;
    }
    take_over(naive, editor);
}

static void step(struct naive *naive, struct history *history, struct ui_editor *editor,
                 struct base_rng *rng)
{
    char key[64];
    const uint64_t revision = ui_editor_revision(editor);
    if (base_rng_next(rng) % 3 == 0) {
        const char *piece = pieces[base_rng_next(rng) % PIECES];
        insert(naive, piece, strlen(piece));
        ui_editor_type(editor, base_span_of(piece));
    } else {
        random_key(rng, key);
        if (is_key(key, "Ctrl+Z") || is_key(key, "Ctrl+Y")) {
            undo_or_redo(naive, history, editor, is_key(key, "Ctrl+Z"));
            return;
        }
        press(naive, key);
        assert_true(ui_editor_key(editor, key));
    }
    if (ui_editor_revision(editor) != revision) {
        remember(history, naive);
    }
}

static void walk_beside_the_model(void **state)
{
    (void)state;
    static struct naive naive;
    static struct history history;
    assert_int_equal(regcomp(&naive.program,
                             "^[ \t]*((warp_|comp_)[A-Za-z0-9_]*|"
                             "[A-Za-z0-9_]*(per_|init)[A-Za-z0-9_]*)[ \t]*=`?",
                             REG_EXTENDED | REG_ICASE),
                     0);
    struct base_rng rng;
    base_rng_seed(&rng, 7, 0);
    struct ui_editor *editor = ui_editor_create();
    load(&naive, editor, "");
    history.lost = true;
    size_t lost = 0;
    size_t travelled = 0;
    for (int i = 0; i < STEPS; i++) {
        if (naive.size > GROWN || base_rng_next(&rng) % 100 == 0) {
            load(&naive, editor, texts[base_rng_next(&rng) % TEXTS]);
            history.lost = true;
            remember(&history, &naive);
        }
        const size_t at = history.at;
        step(&naive, &history, editor, &rng);
        assert_same(&naive, editor);
        lost += history.lost ? 1 : 0;
        travelled += history.at < at ? 1 : 0;
    }
    assert_true(lost < STEPS / 100);
    assert_true(travelled > STEPS / 100);
    regfree(&naive.program);
    ui_editor_free(editor);
}

static void all_of_it_comes_back(void **state)
{
    (void)state;
    struct base_rng rng;
    base_rng_seed(&rng, 11, 0);
    for (size_t i = 0; i < 5 * TEXTS; i++) {
        const struct base_span original = base_span_of(texts[i % TEXTS]);
        struct ui_editor *editor = ui_editor_create();
        assert_int_equal(ui_editor_load(editor, original), 0);
        for (int steps = 0; steps < 2000 && editor->text.size < GROWN; steps++) {
            char key[64];
            random_key(&rng, key);
            if (base_rng_next(&rng) % 3 == 0) {
                ui_editor_type(editor, base_span_of(pieces[base_rng_next(&rng) % PIECES]));
            } else {
                (void)ui_editor_key(editor, key);
            }
        }
        static char last[ROOM];
        while (ui_editor_redo(editor)) {
        }
        const size_t size = editor->text.size;
        memcpy(last, editor->text.data, size < ROOM ? size : ROOM);
        while (ui_editor_undo(editor)) {
        }
        assert_true(base_span_equal(ui_editor_text(editor), original));
        while (ui_editor_redo(editor)) {
        }
        assert_int_equal(editor->text.size, size);
        assert_memory_equal(editor->text.data, last, size < ROOM ? size : ROOM);
        ui_editor_free(editor);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(walk_beside_the_model),
        cmocka_unit_test(all_of_it_comes_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
