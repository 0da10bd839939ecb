#include "app/remote/lines.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/os/print.h"

/* ---- what a phone may do ---- */

enum takes { ANY, NUMBER };

struct permission {
    bool has;        /* a row */
    const char *why; /* not; NULL: it may */
    enum takes takes;
};

static const struct permission permissions[UI_COMMAND_COUNT - UI_COMMAND_OWN_FIRST] = {
#define ROW(id)                     [UI_COMMAND_##id - UI_COMMAND_OWN_FIRST]
#define APP_REMOTE_MAY(id, takes)   ROW(id) = {true, NULL, takes},
#define APP_REMOTE_MAY_NOT(id, why) ROW(id) = {true, why, ANY},
#include "app/remote/commands.def"
#undef ROW
};

static struct permission permission_of(unsigned command)
{
    if (command == UI_COMMAND_NONE || command >= UI_COMMAND_COUNT) {
        return (struct permission){false, NULL, ANY};
    }
    return command < UI_COMMAND_OWN_FIRST ? (struct permission){true, NULL, ANY}
                                          : permissions[command - UI_COMMAND_OWN_FIRST];
}

const char *app_remote_refuses(unsigned command)
{
    const struct permission permission = permission_of(command);
    return permission.has ? permission.why : "it is not for a phone";
}

bool app_remote_sets(unsigned value)
{
    struct app_value_row row;
    return app_value_row(value, &row) &&
           (value >= APP_VALUE_KEYS || app_remote_refuses(value) == NULL);
}

/* ---- lines ---- */

/* "=12", and what may stand behind the number. */
static bool is_number(const char *text)
{
    static const char digits[] = "0123456789";
    enum { DIGITS = 9 };
    const size_t size = text[0] == '=' ? strspn(text + 1, digits) : 0;
    return size > 0 && size <= DIGITS &&
           (text[1 + size] == '\0' || strcmp(text + 1 + size, "!") == 0);
}

static const char *read_call(struct app_remote_line *line, struct base_span words)
{
    if (ui_call_parse(&line->call, words, (struct base_place){0}, NULL) != 0) {
        return "there is no such command, or it does not take this argument";
    }
    const char *why = app_remote_refuses(line->call.command);
    if (why == NULL && permission_of(line->call.command).takes == NUMBER &&
        !is_number(line->call.text)) {
        return "it takes = and a number";
    }
    line->kind = APP_REMOTE_CALL;
    return why;
}

static bool read_number(struct base_span text, double *number)
{
    char copy[32];
    char *end = NULL;
    if (text.size == 0 || text.size >= sizeof copy) {
        return false;
    }
    memcpy(copy, text.data, text.size);
    copy[text.size] = '\0';
    *number = strspn(copy, "+-.0123456789eE") == text.size ? strtod(copy, &end) : NAN;
    return end == copy + text.size && isfinite(*number);
}

static const char *read_value(struct app_remote_line *line, struct base_span rest)
{
    const struct base_span name = base_span_next_word(&rest);
    const struct base_span number = base_span_next_word(&rest);
    line->kind = APP_REMOTE_VALUE;
    line->value = app_value_by_name(name);
    if (line->value == 0) {
        return "there is no such value";
    }
    if (!app_remote_sets(line->value)) {
        return app_remote_refuses(line->value);
    }
    return read_number(number, &line->number) && rest.size == 0 ? NULL : "it takes a number";
}

static const char *read_search(struct app_remote_line *line, struct base_span rest)
{
    while (rest.size > 0 && rest.data[0] == ' ') {
        rest.data++;
        rest.size--;
    }
    if (rest.size >= sizeof line->ask.search) {
        return "the search is too long";
    }
    memcpy(line->ask.search, rest.size > 0 ? rest.data : "", rest.size);
    line->ask.search[rest.size] = '\0';
    return NULL;
}

static const char *read_list(struct app_remote_line *line, struct base_span rest)
{
    double from;
    double count;
    if (!read_number(base_span_next_word(&rest), &from) ||
        !read_number(base_span_next_word(&rest), &count) || !(from >= 0 && count >= 1)) {
        return "it takes two numbers";
    }
    line->kind = APP_REMOTE_LIST;
    line->ask.from = (uint32_t)fmin(from, APP_REMOTE_FROM);
    line->ask.count = (uint32_t)fmin(count, APP_REMOTE_ENTRIES);
    return read_search(line, rest);
}

const char *app_remote_read(struct app_remote_line *line, struct base_span text)
{
    line->call = (struct engine_call){0};
    line->dated = false;
    line->ask.search[0] = '\0';
    if (text.size > APP_REMOTE_LINE) {
        return "the line is too long";
    }
    for (size_t i = 0; i < text.size; i++) {
        if ((unsigned char)text.data[i] < ' ') {
            return "the line has control characters";
        }
    }
    struct base_span what = base_span_next_word(&text);
    if (what.size > 0 && what.data[0] == '@') {
        line->dated = true;
        if (!read_number((struct base_span){what.data + 1, what.size - 1}, &line->seen)) {
            return "it takes a number behind @";
        }
        what = base_span_next_word(&text);
    }
    if (base_span_equal(what, base_span_of("call"))) {
        return read_call(line, text);
    }
    if (base_span_equal(what, base_span_of("value"))) {
        return read_value(line, text);
    }
    if (base_span_equal(what, base_span_of("list"))) {
        return read_list(line, text);
    }
    if (base_span_equal(what, base_span_of("where"))) {
        line->kind = APP_REMOTE_WHERE;
        return read_search(line, text);
    }
    if (base_span_equal(what, base_span_of("values")) && text.size == 0) {
        line->kind = APP_REMOTE_VALUES;
        return NULL;
    }
    if (base_span_equal(what, base_span_of("watch"))) {
        const struct base_span on = base_span_next_word(&text);
        line->kind = APP_REMOTE_WATCH;
        line->on = base_span_equal(on, base_span_of("1"));
        return line->on || base_span_equal(on, base_span_of("0")) ? NULL : "it takes 1 or 0";
    }
    return "there is no such line";
}

/* ---- what the page is told ---- */

static void write_key(FILE *out, const char *name)
{
    (void)fprintf(out, ",\"%s\":", name);
}

static void write_number(FILE *out, const char *name, double number)
{
    write_key(out, name);
    base_json_number(out, number);
}

static void write_bool(FILE *out, const char *name, bool is)
{
    write_key(out, name);
    base_json_bool(out, is);
}

void app_remote_write_hello(FILE *out, int width, int height)
{
    (void)fputs("{\"hello\":{\"version\":", out);
    base_json_string(out, FROTH_VERSION);
    (void)fprintf(out, ",\"size\":[%d,%d]}}", width, height);
}

static void write_told(FILE *out, const struct app_seen *seen, struct app_remote_told *told)
{
    const char *between = "";
    (void)fputs(",\"values\":{", out);
    for (unsigned i = 1; i < APP_VALUE_COUNT; i++) {
        struct app_value_row row;
        const double value = seen->values[i];
        if ((told->any && value == told->values[i]) || !app_remote_sets(i) ||
            !app_value_row(i, &row)) {
            continue;
        }
        (void)fputs(between, out);
        base_json_string(out, row.name);
        (void)fputc(':', out);
        base_json_real(out, value);
        told->values[i] = value;
        between = ",";
    }
    told->any = true;
    (void)fputc('}', out);
}

void app_remote_write_state(FILE *out, const struct app_seen *seen, struct app_remote_told *told,
                            double now)
{
    (void)fputs("{\"state\":{\"now\":", out);
    base_json_number(out, now);
    write_key(out, "preset");
    if (seen->name[0] != '\0') {
        base_json_count(out, seen->preset);
    } else {
        (void)fputs("null", out);
    }
    write_key(out, "name");
    base_json_string(out, seen->name);
    write_bool(out, "changes", seen->changes);
    write_number(out, "fps", seen->fps);
    write_number(out, "bass", seen->level[0]);
    write_number(out, "mid", seen->level[1]);
    write_number(out, "treb", seen->level[2]);
    write_number(out, "bpm", seen->bpm);
    write_number(out, "phase", seen->beat_phase);
    write_number(out, "bar", seen->bar_phase);
    write_key(out, "beats");
    base_json_count(out, seen->beats);
    write_number(out, "blackout", seen->values[UI_COMMAND_BLACKOUT]);
    write_number(out, "frozen", seen->values[UI_COMMAND_FREEZE]);
    write_number(out, "locked", seen->values[UI_COMMAND_LOCK]);
    write_number(out, "favourite", seen->values[UI_COMMAND_FAVOURITE]);
    write_number(out, "stars", seen->values[UI_COMMAND_RATE]);
    write_told(out, seen, told);
    (void)fputs("}}", out);
}

void app_remote_write_values(FILE *out)
{
    const char *between = "";
    (void)fputs("{\"values\":[", out);
    for (unsigned i = 1; i < APP_VALUE_COUNT; i++) {
        struct app_value_row row;
        if (!app_remote_sets(i) || !app_value_row(i, &row)) {
            continue;
        }
        (void)fprintf(out, "%s{\"name\":", between);
        base_json_string(out, row.name);
        write_key(out, "help");
        base_json_string(out, row.help);
        write_key(out, "low");
        base_json_real(out, row.low);
        write_key(out, "high");
        base_json_real(out, row.high);
        write_bool(out, "switch", row.is_switch);
        write_bool(out, "preset", row.of_preset);
        (void)fputc('}', out);
        between = ",";
    }
    (void)fputs("]}", out);
}

static void write_entry(FILE *out, struct app_library *library, uint32_t number)
{
    uint32_t pixels[APP_THUMBNAIL_WIDTH * APP_THUMBNAIL_HEIGHT];
    struct app_library_entry entry = {.name = ""};
    const bool there = number != APP_LIBRARY_NONE && app_library_entry(library, number, &entry);
    (void)fputs("{\"id\":", out);
    if (there) {
        base_json_count(out, number);
    } else {
        (void)fputs("null", out);
    }
    write_key(out, "name");
    base_json_string(out, entry.name);
    write_key(out, "stars");
    base_json_count(out, (uint64_t)entry.stars);
    write_bool(out, "favourite", entry.favourite);
    /* What is asked for here is painted before others. */
    write_bool(out, "thumb", there && app_library_thumbnail(library, number, pixels));
    (void)fputc('}', out);
}

bool app_remote_write_list(FILE *out, struct app_library *library, const struct app_remote_ask *ask)
{
    const size_t most = (size_t)ask->from + ask->count;
    uint32_t *found = calloc(most, sizeof *found);
    if (found == NULL) {
        return false;
    }
    const size_t total = app_library_search(library, ask->search, found, most);
    (void)fputs("{\"list\":{\"from\":", out);
    base_json_count(out, ask->from);
    write_key(out, "total");
    base_json_count(out, total);
    write_key(out, "search");
    base_json_string(out, ask->search);
    (void)fputs(",\"entries\":[", out);
    for (size_t i = ask->from; i < most && i < total; i++) {
        (void)fputs(i > ask->from ? "," : "", out);
        write_entry(out, library, found[i]);
    }
    (void)fputs("]}}", out);
    free(found);
    return true;
}

bool app_remote_write_where(FILE *out, struct app_library *library, const char *search,
                            uint32_t preset)
{
    uint32_t *found = calloc(APP_REMOTE_FROM, sizeof *found);
    if (found == NULL) {
        return false;
    }
    const size_t total = app_library_search(library, search, found, APP_REMOTE_FROM);
    const size_t count = total < APP_REMOTE_FROM ? total : APP_REMOTE_FROM;
    size_t at = 0;
    while (at < count && found[at] != preset) {
        at++;
    }
    (void)fprintf(out, "{\"where\":{\"preset\":%lu,\"at\":%ld,\"search\":", (unsigned long)preset,
                  at < count ? (long)at : -1L);
    base_json_string(out, search);
    (void)fputs("}}", out);
    free(found);
    return true;
}

void app_remote_write_note(FILE *out, const char *text)
{
    (void)fputs("{\"note\":", out);
    base_json_string(out, text);
    (void)fputc('}', out);
}

void app_remote_write_changed(FILE *out)
{
    (void)fputs("{\"changed\":true}", out);
}
