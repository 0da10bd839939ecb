#include "ui/editor/tokens.h"

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

/* "per_frame_12", "wave_0_per_point3", "shape_1_init2", "warp_7" */
static bool names_program(struct base_span key)
{
    if (key.size == 0 || !is_digit(key.data[key.size - 1])) {
        return false;
    }
    bool found = stands_at(key, 0, "warp_") || stands_at(key, 0, "comp_");
    for (size_t at = 0; at < key.size && !found; at++) {
        found = stands_at(key, at, "per_") || stands_at(key, at, "init");
    }
    return found;
}

struct ui_editor_tokens ui_editor_tokens_of(struct base_span line)
{
    struct ui_editor_tokens words = {line, 0, 0, false};
    const size_t start = skip_blanks(line, 0);
    const size_t end = skip_name(line, start);
    const size_t sign = skip_blanks(line, end);
    if (end > start && sign < line.size && line.data[sign] == '=') {
        words.value = sign + 1;
        words.is_program = names_program((struct base_span){line.data + start, end - start});
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

/* The value of a key that is no program: a number, or something else. */
static struct ui_editor_token value_token(struct base_span line, size_t at)
{
    size_t digits = skip_blanks(line, at);
    digits += stands_at(line, digits, "-") || stands_at(line, digits, "+") ? 1 : 0;
    const bool number = digits < line.size && starts_number(line, digits) &&
                        skip_blanks(line, skip_number(line, digits)) == line.size;
    return (struct ui_editor_token){number ? UI_EDITOR_NUMBER : UI_EDITOR_PLAIN, at, line.size};
}

/* A run of plain words and signs is one piece, so that no code point is split. */
static struct ui_editor_token program_run(struct base_span line, size_t at)
{
    struct ui_editor_token piece = program_token(line, at);
    while (piece.kind == UI_EDITOR_EQUATION && piece.end < line.size) {
        const struct ui_editor_token next = program_token(line, piece.end);
        if (next.kind != UI_EDITOR_EQUATION) {
            break;
        }
        piece.end = next.end;
    }
    return piece;
}

bool ui_editor_tokens_next(struct ui_editor_tokens *words, struct ui_editor_token *word)
{
    const struct base_span line = words->line;
    if (words->at >= line.size) {
        return false;
    }
    if (words->value == 0) {
        const size_t start = skip_blanks(line, 0);
        const enum ui_editor_token_kind kind = stands_at(line, start, "//")  ? UI_EDITOR_COMMENT
                                               : stands_at(line, start, "[") ? UI_EDITOR_HEADER
                                                                             : UI_EDITOR_PLAIN;
        *word = (struct ui_editor_token){kind, 0, line.size};
    } else if (words->at < words->value) {
        *word = (struct ui_editor_token){UI_EDITOR_KEY, 0, words->value};
    } else if (!words->is_program) {
        *word = value_token(line, words->at);
    } else {
        *word = program_run(line, words->at);
    }
    words->at = word->end;
    return true;
}
