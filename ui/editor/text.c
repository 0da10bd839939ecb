#include "ui/editor/text.h"

#include <assert.h>
#include <stdint.h>
#include <stdlib.h>

#include "base/text.h"
#include "ui/toolkit/text.h"

enum { FIRST_BYTES = 4096, FIRST_LINES = 256, SEQUENCE_MAX = 4, BLOCK = 32 };

bool ui_editor_text_init(struct ui_editor_text *text)
{
    *text = (struct ui_editor_text){
        .data = malloc(FIRST_BYTES + 1),
        .capacity = FIRST_BYTES,
        .starts = malloc(FIRST_LINES * sizeof(uint32_t)),
        .count = 1,
        .line_capacity = FIRST_LINES,
    };
    if (text->data == NULL || text->starts == NULL) {
        ui_editor_text_free(text);
        return false;
    }
    text->data[0] = '\0';
    text->starts[0] = 0;
    return true;
}

void ui_editor_text_free(struct ui_editor_text *text)
{
    free(text->data);
    free(text->starts);
    *text = (struct ui_editor_text){0};
}

bool ui_editor_text_reserve(struct ui_editor_text *text, struct base_span inserted)
{
    /* One more at either edge: a CR LF that is split, a CR that now stands alone. */
    size_t lines = text->count + 2;
    for (size_t i = 0; i < inserted.size; i++) {
        lines += inserted.data[i] == '\n' || inserted.data[i] == '\r' ? 1 : 0;
    }
    const size_t bytes = text->size + inserted.size;
    if (bytes > text->capacity) {
        const size_t capacity = bytes + bytes / 2;
        char *data = realloc(text->data, capacity + 1);
        if (data == NULL) {
            return false;
        }
        text->data = data;
        text->capacity = capacity;
    }
    if (lines > text->line_capacity) {
        const size_t capacity = lines + lines / 2;
        uint32_t *starts = realloc(text->starts, capacity * sizeof *starts);
        if (starts == NULL) {
            return false;
        }
        text->starts = starts;
        text->line_capacity = capacity;
    }
    return true;
}

static bool starts_line(const struct ui_editor_text *text, size_t at)
{
    if (at == 0) {
        return true;
    }
    const char before = text->data[at - 1];
    return before == '\n' || (before == '\r' && (at == text->size || text->data[at] != '\n'));
}

/* Index of the first line that starts at `at` or behind it. */
static size_t first_start(const struct ui_editor_text *text, size_t at)
{
    size_t low = 0;
    size_t high = text->count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (text->starts[middle] < at) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

void ui_editor_text_splice(struct ui_editor_text *text, size_t at, size_t removed,
                           struct base_span inserted)
{
    assert(at <= text->size && removed <= text->size - at);
    assert(text->size + inserted.size <= text->capacity);
    memmove(text->data + at + inserted.size, text->data + at + removed, text->size - at - removed);
    if (inserted.size > 0) {
        memcpy(text->data + at, inserted.data, inserted.size);
    }
    text->size = text->size - removed + inserted.size;
    text->data[text->size] = '\0';
    /* Whether a line starts somewhere depends on the bytes on both sides of it, so the starts from
     * the first to the last edge of the splice are found anew; those behind it move. */
    const size_t first = first_start(text, at);
    const size_t kept = first_start(text, at + removed + 1);
    size_t found = 0;
    for (size_t place = at; place <= at + inserted.size; place++) {
        found += starts_line(text, place) ? 1 : 0;
    }
    const size_t rest = text->count - kept;
    assert(first + found + rest <= text->line_capacity);
    uint32_t *moved = text->starts + first + found;
    memmove(moved, text->starts + kept, rest * sizeof *moved);
    const uint32_t shift = (uint32_t)inserted.size - (uint32_t)removed; /* wraps as it should */
    for (size_t i = 0; i < rest && shift != 0; i++) {
        moved[i] += shift;
    }
    uint32_t *next = text->starts + first;
    for (size_t place = at; place <= at + inserted.size; place++) {
        if (starts_line(text, place)) {
            *next++ = (uint32_t)place;
        }
    }
    text->count = first + found + rest;
}

size_t ui_editor_text_line_of(const struct ui_editor_text *text, size_t at)
{
    return first_start(text, at + 1) - 1;
}

size_t ui_editor_text_start(const struct ui_editor_text *text, size_t line)
{
    assert(line < text->count);
    return text->starts[line];
}

size_t ui_editor_text_next_start(const struct ui_editor_text *text, size_t line)
{
    return line + 1 < text->count ? text->starts[line + 1] : text->size;
}

size_t ui_editor_text_end(const struct ui_editor_text *text, size_t line)
{
    if (line + 1 >= text->count) {
        return text->size;
    }
    const size_t end = text->starts[line + 1] - 1;
    const bool pair =
        end > text->starts[line] && text->data[end] == '\n' && text->data[end - 1] == '\r';
    return pair ? end - 1 : end;
}

struct base_span ui_editor_text_part(const struct ui_editor_text *text, size_t from, size_t to)
{
    assert(from <= to && to <= text->size);
    return (struct base_span){text->data + from, to - from};
}

struct base_span ui_editor_text_line(const struct ui_editor_text *text, size_t line)
{
    return ui_editor_text_part(text, ui_editor_text_start(text, line),
                               ui_editor_text_end(text, line));
}

/* Bytes of the code point at `at`, which is not the end. */
static size_t point_size(const struct ui_editor_text *text, size_t at)
{
    struct base_span rest = {text->data + at, text->size - at};
    (void)base_utf8_next(&rest);
    return text->size - at - rest.size;
}

/* A byte that leads a sequence is never inside another, so looking back a sequence is enough. */
size_t ui_editor_text_snap(const struct ui_editor_text *text, size_t at)
{
    if (at > 0 && at < text->size && text->data[at] == '\n' && text->data[at - 1] == '\r') {
        return at - 1;
    }
    for (size_t back = 1; back < SEQUENCE_MAX && back <= at && at < text->size; back++) {
        if (point_size(text, at - back) > back) {
            return at - back;
        }
    }
    return at;
}

size_t ui_editor_text_after(const struct ui_editor_text *text, size_t at)
{
    if (at >= text->size) {
        return text->size;
    }
    const bool pair = text->data[at] == '\r' && at + 1 < text->size && text->data[at + 1] == '\n';
    return at + (pair ? 2 : point_size(text, at));
}

size_t ui_editor_text_before(const struct ui_editor_text *text, size_t at)
{
    return at == 0 ? 0 : ui_editor_text_snap(text, at - 1);
}

/* Whether the next BLOCK bytes are code points that take a column each: ASCII and no tab. */
static bool is_plain(const char *data)
{
    static const uint64_t ones = UINT64_C(0x0101010101010101);
    uint64_t odd = 0;
    for (size_t i = 0; i < BLOCK; i += sizeof(uint64_t)) {
        uint64_t bytes = 0;
        memcpy(&bytes, data + i, sizeof bytes);
        const uint64_t tabs = bytes ^ ones * '\t'; /* bytes that are 0 here */
        odd |= bytes | ((tabs - ones) & ~tabs);
    }
    return (odd & ones << 7) == 0;
}

size_t ui_editor_text_points(const struct ui_editor_text *text, size_t from, size_t to)
{
    size_t points = 0;
    while (from < to) {
        const bool plain = to - from >= BLOCK && is_plain(text->data + from);
        from += plain ? BLOCK : point_size(text, from);
        points += plain ? BLOCK : 1;
    }
    return points;
}

size_t ui_editor_text_skip(const struct ui_editor_text *text, size_t from, size_t points,
                           size_t end)
{
    for (; from < end && points > 0; points--) {
        from += point_size(text, from);
    }
    return from;
}

size_t ui_editor_column_behind(size_t column, uint32_t code)
{
    return code == '\t'   ? column + UI_EDITOR_TAB - column % UI_EDITOR_TAB
           : code < 0x300 ? column + 1
                          : column + (size_t)ui_text_cells(code);
}

size_t ui_editor_at_column(struct base_span line, size_t column, size_t *reached)
{
    struct base_span rest = line;
    size_t at = 0;
    while (rest.size > 0 && at <= column) {
        if (rest.size >= BLOCK && column - at >= BLOCK && is_plain(rest.data)) {
            rest = (struct base_span){rest.data + BLOCK, rest.size - BLOCK};
            at += BLOCK;
            continue;
        }
        struct base_span behind = rest;
        const size_t next = ui_editor_column_behind(at, base_utf8_next(&behind));
        if (next > column) {
            break;
        }
        rest = behind;
        at = next;
    }
    if (reached != NULL) {
        *reached = at;
    }
    return line.size - rest.size;
}

size_t ui_editor_columns(struct base_span beginning)
{
    size_t column = 0;
    (void)ui_editor_at_column(beginning, SIZE_MAX, &column);
    return column;
}

/* What the pieces of a line are. */

const uint32_t ui_editor_token_colours[UI_EDITOR_TOKEN_KINDS] = {
#define UI_EDITOR_TOKEN(kind, colour, help) colour,
#include "ui/editor/tokens.def"
};

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_name(char c)
{
    return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static size_t skip_blanks(struct base_span line, size_t at)
{
    while (at < line.size && (line.data[at] == ' ' || line.data[at] == '\t')) {
        at++;
    }
    return at;
}

static size_t skip_name(struct base_span line, size_t at)
{
    while (at < line.size && is_name(line.data[at])) {
        at++;
    }
    return at;
}

static bool stands_at(struct base_span line, size_t at, const char *text)
{
    const size_t size = strlen(text);
    return at <= line.size && size <= line.size - at &&
           base_span_equal_nocase((struct base_span){line.data + at, size},
                                  (struct base_span){text, size});
}

struct ui_editor_tokens ui_editor_tokens_of(struct base_span line)
{
    struct ui_editor_tokens words = {line, 0, 0, false};
    const size_t start = skip_blanks(line, 0);
    const size_t end = skip_name(line, start);
    const size_t sign = skip_blanks(line, end);
    if (end > start && sign < line.size && line.data[sign] == '=') {
        words.value = sign + 1;
        /* "per_frame_12", "wave_0_per_point3", "shape_1_init2", "warp_7" */
        const struct base_span key = {line.data + start, end - start};
        bool program = stands_at(key, 0, "warp_") || stands_at(key, 0, "comp_");
        for (size_t at = 0; at < key.size && !program; at++) {
            program = stands_at(key, at, "per_") || stands_at(key, at, "init");
        }
        words.is_program = program; /* its number may still be missing */
        words.value += words.is_program && stands_at(line, words.value, "`") ? 1 : 0;
    }
    return words;
}

static size_t skip_number(struct base_span line, size_t at)
{
    for (; at < line.size; at++) {
        const char c = line.data[at];
        const char before = line.data[at - (at > 0 ? 1 : 0)];
        const bool exponent_sign = (c == '-' || c == '+') && (before == 'e' || before == 'E');
        if (!is_name(c) && c != '.' && !exponent_sign) {
            break;
        }
    }
    return at;
}

static bool starts_number(struct base_span line, size_t at)
{
    return is_digit(line.data[at]) ||
           (line.data[at] == '.' && at + 1 < line.size && is_digit(line.data[at + 1]));
}

static struct ui_editor_token program_token(struct base_span line, size_t at)
{
    if (stands_at(line, at, "//")) {
        return (struct ui_editor_token){UI_EDITOR_COMMENT, at, line.size};
    }
    if (stands_at(line, at, "/*")) {
        size_t end = at + 2;
        while (end < line.size && !stands_at(line, end, "*/")) {
            end++;
        }
        end = end + 2 < line.size ? end + 2 : line.size;
        return (struct ui_editor_token){UI_EDITOR_COMMENT, at, end};
    }
    if (starts_number(line, at)) {
        return (struct ui_editor_token){UI_EDITOR_NUMBER, at, skip_number(line, at)};
    }
    const size_t end = skip_name(line, at);
    if (end > at) {
        const bool is_called = stands_at(line, skip_blanks(line, end), "(");
        return (struct ui_editor_token){is_called ? UI_EDITOR_FUNCTION : UI_EDITOR_EQUATION, at,
                                        end};
    }
    return (struct ui_editor_token){UI_EDITOR_EQUATION, at, at + 1};
}

bool ui_editor_tokens_next(struct ui_editor_tokens *words, struct ui_editor_token *word)
{
    const struct base_span line = words->line;
    const size_t at = words->at;
    if (at >= line.size) {
        return false;
    }
    if (words->value == 0) {
        const size_t start = skip_blanks(line, 0);
        const enum ui_editor_token_kind kind = stands_at(line, start, "//")  ? UI_EDITOR_COMMENT
                                               : stands_at(line, start, "[") ? UI_EDITOR_HEADER
                                                                             : UI_EDITOR_PLAIN;
        *word = (struct ui_editor_token){kind, 0, line.size};
    } else if (at < words->value) {
        *word = (struct ui_editor_token){UI_EDITOR_KEY, 0, words->value};
    } else if (!words->is_program) {
        /* The value of a key that is no program: a number, or something else. */
        size_t digits = skip_blanks(line, at);
        digits += stands_at(line, digits, "-") || stands_at(line, digits, "+") ? 1 : 0;
        const bool number = digits < line.size && starts_number(line, digits) &&
                            skip_blanks(line, skip_number(line, digits)) == line.size;
        *word =
            (struct ui_editor_token){number ? UI_EDITOR_NUMBER : UI_EDITOR_PLAIN, at, line.size};
    } else {
        /* A run of plain words and signs is one piece, so that no code point is split. */
        *word = program_token(line, at);
        while (word->kind == UI_EDITOR_EQUATION && word->end < line.size) {
            const struct ui_editor_token next = program_token(line, word->end);
            if (next.kind != UI_EDITOR_EQUATION) {
                break;
            }
            word->end = next.end;
        }
    }
    words->at = word->end;
    return true;
}

/* What was done to a text. */

enum { FIRST_STEPS = 64, JOINED_MAX = 1024 /* bytes of a step that still grows */ };

static size_t step_bytes(const struct ui_editor_step *step)
{
    return step->removed + step->inserted;
}

static void drop_newest(struct ui_editor_undo *undo)
{
    struct ui_editor_step *step = &undo->steps[--undo->count];
    undo->bytes -= step_bytes(step);
    free(step->bytes);
}

void ui_editor_undo_clear(struct ui_editor_undo *undo)
{
    while (undo->count > 0) {
        drop_newest(undo);
    }
    free(undo->steps);
    *undo = (struct ui_editor_undo){0};
}

/* Drops as many of the oldest steps as the bounds ask for, in one move. */
static void make_room(struct ui_editor_undo *undo, size_t bytes)
{
    size_t dropped = undo->count < UI_EDITOR_UNDO_STEPS ? 0 : UI_EDITOR_UNDO_STEPS / 16;
    size_t held = undo->bytes;
    for (size_t i = 0; i < undo->count; i++) {
        if (i >= dropped && held + bytes <= UI_EDITOR_UNDO_BYTES) {
            break;
        }
        held -= step_bytes(&undo->steps[i]);
        free(undo->steps[i].bytes);
        dropped = i + 1 > dropped ? i + 1 : dropped;
    }
    undo->bytes = held;
    undo->count -= dropped;
    undo->done = undo->count;
    if (dropped > 0) {
        memmove(undo->steps, undo->steps + dropped, undo->count * sizeof *undo->steps);
    }
}

static void copy_bytes(char *to, struct base_span from)
{
    if (from.size > 0) {
        memcpy(to, from.data, from.size);
    }
}

static struct ui_editor_step *append(struct ui_editor_undo *undo, size_t at,
                                     struct base_span removed, struct base_span inserted,
                                     struct ui_editor_state before)
{
    const size_t size = removed.size + inserted.size;
    if (undo->count == undo->capacity) {
        const size_t capacity = undo->capacity == 0 ? FIRST_STEPS : undo->capacity * 2;
        struct ui_editor_step *steps = realloc(undo->steps, capacity * sizeof *steps);
        if (steps == NULL) {
            return NULL;
        }
        undo->steps = steps;
        undo->capacity = capacity;
    }
    char *bytes = malloc(size > 0 ? size : 1);
    if (bytes == NULL) {
        return NULL;
    }
    copy_bytes(bytes, removed);
    copy_bytes(bytes + removed.size, inserted);
    while (undo->count > undo->done) { /* what was taken back cannot be done again */
        drop_newest(undo);
    }
    make_room(undo, size);
    struct ui_editor_step *step = &undo->steps[undo->count++];
    *step = (struct ui_editor_step){at,    removed.size,     inserted.size,
                                    bytes, .before = before, .after = before};
    undo->done = undo->count;
    undo->bytes += size;
    return step;
}

static bool continues(const struct ui_editor_step *step, size_t at, size_t removed,
                      enum ui_editor_run run)
{
    switch (run) {
    case UI_EDITOR_TYPING:
        return removed == 0 && at == step->at + step->inserted;
    case UI_EDITOR_ERASING:
        return at + removed == step->at;
    case UI_EDITOR_DELETING:
        return at == step->at;
    case UI_EDITOR_ALONE:
        break;
    }
    return false;
}

/* The newest step, grown; NULL if the edit does not continue it, or without memory. */
static struct ui_editor_step *join(struct ui_editor_undo *undo, size_t at, struct base_span removed,
                                   struct base_span inserted, enum ui_editor_run run)
{
    if (run == UI_EDITOR_ALONE || run != undo->run || undo->done == 0 ||
        undo->done != undo->count) {
        return NULL;
    }
    struct ui_editor_step *step = &undo->steps[undo->done - 1];
    const size_t more = removed.size + inserted.size;
    const size_t held = step_bytes(step);
    if (!continues(step, at, removed.size, run) || held + more > JOINED_MAX ||
        undo->bytes + more > UI_EDITOR_UNDO_BYTES) {
        return NULL;
    }
    char *bytes = realloc(step->bytes, held + more);
    if (bytes == NULL) {
        return NULL;
    }
    step->bytes = bytes;
    if (run == UI_EDITOR_ERASING) {
        memmove(bytes + removed.size, bytes, held);
        copy_bytes(bytes, removed);
        step->at = at;
    } else {
        copy_bytes(bytes + held, run == UI_EDITOR_TYPING ? inserted : removed);
    }
    step->removed += removed.size;
    step->inserted += inserted.size;
    undo->bytes += more;
    return step;
}

struct ui_editor_step *ui_editor_undo_note(struct ui_editor_undo *undo, size_t at,
                                           struct base_span removed, struct base_span inserted,
                                           enum ui_editor_run run, struct ui_editor_state before)
{
    struct ui_editor_step *step = join(undo, at, removed, inserted, run);
    if (step == NULL) {
        step = append(undo, at, removed, inserted, before);
    }
    if (step != NULL) {
        undo->run = run;
    }
    return step;
}

void ui_editor_undo_break(struct ui_editor_undo *undo)
{
    undo->run = UI_EDITOR_ALONE;
}

const struct ui_editor_step *ui_editor_undo_back(struct ui_editor_undo *undo)
{
    undo->run = UI_EDITOR_ALONE;
    return undo->done > 0 ? &undo->steps[--undo->done] : NULL;
}

const struct ui_editor_step *ui_editor_undo_again(struct ui_editor_undo *undo)
{
    undo->run = UI_EDITOR_ALONE;
    return undo->done < undo->count ? &undo->steps[undo->done++] : NULL;
}
