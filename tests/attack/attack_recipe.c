/* Hostile files: lines of "what is said" : recipe. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "attack.h"

enum { PATH = 4096, DEPTH = 8 };

struct cook {
    const char *source;
    const char *at;
    const char *end;
    int depth;
};

static bool cook_terms(struct cook *cook, struct attack_bytes *out);

static void skip_blanks(struct cook *cook)
{
    while (cook->at < cook->end && (*cook->at == ' ' || *cook->at == '\t')) {
        cook->at++;
    }
}

static bool is_next(struct cook *cook, char letter)
{
    skip_blanks(cook);
    if (cook->at < cook->end && *cook->at == letter) {
        cook->at++;
        return true;
    }
    return false;
}

/* A whole number; below 0 with a sign. */
static bool take_number(struct cook *cook, long *number)
{
    skip_blanks(cook);
    const char *at = cook->at;
    const bool minus = at < cook->end && *at == '-';
    at += minus;
    if (at == cook->end || !isdigit((unsigned char)*at)) {
        return false;
    }
    for (*number = 0; at < cook->end && isdigit((unsigned char)*at); at++) {
        *number = *number < ATTACK_BYTES_MAX ? *number * 10 + (*at - '0') : *number;
    }
    *number = minus ? -*number : *number;
    cook->at = at;
    return true;
}

static int hex_of(char letter)
{
    static const char digits[] = "0123456789abcdef";
    const char *at = memchr(digits, letter, 16);
    return at != NULL ? (int)(at - digits) : -1;
}

/* Behind the first quote: up to the last, with \n, \r, \t, \\, \" and \xHH. */
static bool cook_text(struct cook *cook, struct attack_bytes *out)
{
    while (cook->at < cook->end && *cook->at != '"') {
        char letter = *cook->at++;
        if (letter == '\\' && cook->at < cook->end) {
            const char code = *cook->at++;
            const char *known = strchr("n\nr\rt\t\\\\\"\"", code);
            if (code == 'x' && cook->end - cook->at >= 2) {
                letter = (char)(hex_of(cook->at[0]) * 16 + hex_of(cook->at[1]));
                cook->at += 2;
            } else if (known != NULL) {
                letter = known[1];
            } else {
                return false;
            }
        }
        if (!attack_bytes_add(out, &letter, 1)) {
            return false;
        }
    }
    return cook->at < cook->end && *cook->at++ == '"';
}

static bool cook_file(struct cook *cook, struct attack_bytes *out)
{
    char path[PATH];
    const char *end = memchr(cook->at, '>', (size_t)(cook->end - cook->at));
    if (end == NULL || end - cook->at >= PATH) {
        return false;
    }
    (void)snprintf(path, sizeof path, "%.*s", (int)(end - cook->at), cook->at);
    cook->at = end + 1;
    return attack_bytes_add_file(out, cook->source, path);
}

/* [FROM:TO], the ends that count from the back below 0. */
static bool cut_part(struct cook *cook, struct attack_bytes *made)
{
    long from = 0;
    long to = (long)made->size;
    (void)take_number(cook, &from);
    if (!is_next(cook, ':')) {
        return false;
    }
    (void)take_number(cook, &to);
    from += from < 0 ? (long)made->size : 0;
    to += to < 0 ? (long)made->size : 0;
    if (!is_next(cook, ']') || from < 0 || to < from || to > (long)made->size) {
        return false;
    }
    if (made->data != NULL) {
        memmove(made->data, made->data + from, (size_t)(to - from));
    }
    made->size = (size_t)(to - from);
    return true;
}

/* @PLACE "BYTES": they stand there in place of others. */
static bool put_in(struct cook *cook, struct attack_bytes *made)
{
    long at = 0;
    struct attack_bytes text = {0};
    bool good = take_number(cook, &at) && is_next(cook, '"') && cook_text(cook, &text);
    at += at < 0 ? (long)made->size : 0;
    good = good && at >= 0 && (size_t)at + text.size <= made->size;
    if (good && text.size > 0) {
        memcpy(made->data + at, text.data, text.size);
    }
    attack_bytes_free(&text);
    return good;
}

/* [COUNT *] ("text" | <file> | (terms)) and what is done to it. */
static bool cook_term(struct cook *cook, struct attack_bytes *out)
{
    long count = 1;
    struct attack_bytes made = {0};
    bool good = !take_number(cook, &count) || is_next(cook, '*');
    if (good && is_next(cook, '"')) {
        good = cook_text(cook, &made);
    } else if (good && is_next(cook, '<')) {
        good = cook_file(cook, &made);
    } else {
        good = good && is_next(cook, '(') && cook->depth < DEPTH;
        cook->depth++;
        good = good && cook_terms(cook, &made) && is_next(cook, ')');
        cook->depth--;
    }
    for (bool more = good; more;) {
        more = true;
        if (is_next(cook, '[')) {
            good = cut_part(cook, &made);
        } else if (is_next(cook, '@')) {
            good = put_in(cook, &made);
        } else {
            more = false;
        }
        more = more && good;
    }
    for (; good && count > 0; count--) {
        good = attack_bytes_add(out, made.data, made.size);
    }
    attack_bytes_free(&made);
    return good;
}

static bool cook_terms(struct cook *cook, struct attack_bytes *out)
{
    for (;;) {
        skip_blanks(cook);
        if (cook->at == cook->end || *cook->at == ')') {
            return true;
        }
        if (!cook_term(cook, out)) {
            return false;
        }
    }
}

bool attack_cook(const struct attack_hostile *hostile, const struct attack_row *row,
                 struct attack_bytes *input)
{
    struct cook cook = {hostile->source, row->recipe.data, row->recipe.data + row->recipe.size, 0};
    return attack_bytes_add(input, row->reader->prefix, strlen(row->reader->prefix)) &&
           cook_terms(&cook, input) && cook.at == cook.end;
}

/* ---- the lists ---- */

/* Takes what is expected and how much, up to the colon. The text of a message has no quotes. */
static bool read_row(struct base_span line, struct attack_row *row)
{
    struct cook cook = {NULL, line.data, line.data + line.size, 0};
    long number = 0;
    if (is_next(&cook, '"')) {
        const char *end = memchr(cook.at, '"', (size_t)(cook.end - cook.at));
        if (end == NULL || end == cook.at) {
            return false;
        }
        row->expected = (struct base_span){cook.at, (size_t)(end - cook.at)};
        cook.at = end + 1;
    } else if (is_next(&cook, '?')) {
        row->unknown = true;
    } else if (!is_next(&cook, '-')) {
        return false;
    }
    while (take_number(&cook, &number)) {
        if (is_next(&cook, 'M')) {
            row->mebibytes = (unsigned)number;
        } else if (is_next(&cook, 'm')) {
            row->milliseconds = (unsigned)number;
        } else {
            return false;
        }
    }
    if (!is_next(&cook, ':')) {
        return false;
    }
    row->recipe = (struct base_span){cook.at, (size_t)(cook.end - cook.at)};
    return true;
}

static bool load_reader(struct attack_hostile *hostile, const struct attack_reader *reader)
{
    char path[PATH];
    struct attack_bytes text = {0};
    unsigned line = 0;
    (void)snprintf(path, sizeof path, "tests/attack/hostile/%s.txt", reader->name);
    char **texts = realloc(hostile->texts, (hostile->text_count + 1) * sizeof *texts);
    if (texts == NULL || !attack_bytes_add_file(&text, hostile->source, path)) {
        hostile->texts = texts != NULL ? texts : hostile->texts;
        (void)fprintf(stderr, "%s: cannot be read\n", path);
        return false;
    }
    hostile->texts = texts;
    texts[hostile->text_count++] = (char *)text.data;
    const char *at = (const char *)text.data;
    const char *const end = at + text.size;
    while (at < end) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        stop = stop != NULL ? stop : end;
        struct attack_row row = {.reader = reader,
                                 .line = ++line,
                                 .mebibytes = reader->mebibytes,
                                 .milliseconds = reader->milliseconds};
        const bool wanted = at < stop && *at != '#';
        struct attack_row *rows =
            wanted ? realloc(hostile->rows, (hostile->count + 1) * sizeof *rows) : hostile->rows;
        if (wanted &&
            (rows == NULL || !read_row((struct base_span){at, (size_t)(stop - at)}, &row))) {
            (void)fprintf(stderr, "%s:%u: this is no row\n", path, line);
            return false;
        }
        hostile->rows = rows;
        if (wanted) {
            rows[hostile->count++] = row;
        }
        at = stop + 1;
    }
    return true;
}

bool attack_hostile_load(struct attack_hostile *hostile, const char *source,
                         const struct attack_reader *only)
{
    *hostile = (struct attack_hostile){.source = source};
    for (size_t i = 0; i < attack_reader_count; i++) {
        if ((only == NULL || only == &attack_readers[i]) &&
            !load_reader(hostile, &attack_readers[i])) {
            attack_hostile_free(hostile);
            return false;
        }
    }
    return true;
}

void attack_hostile_free(struct attack_hostile *hostile)
{
    for (size_t i = 0; i < hostile->text_count; i++) {
        free(hostile->texts[i]);
    }
    free(hostile->texts);
    free(hostile->rows);
    *hostile = (struct attack_hostile){0};
}
