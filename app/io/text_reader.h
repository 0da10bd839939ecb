/* Reading the lab's text files: lines, words and fields with their places, and messages about them.
 * The files may hold any bytes. */
#ifndef APP_IO_TEXT_READER_H
#define APP_IO_TEXT_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/os/file.h"
#include "base/text.h"

enum { APP_TEXT_FILE_MAX = 64 * 1024 * 1024 };

/* Plain data: a copy taken earlier goes back to where it was. */
struct app_text_reader {
    const char *file;
    const struct base_diag_sink *sink;
    struct base_span rest;
    uint32_t line;
    const char *comments; /* bytes that begin one, up to the end of the line */
    size_t errors;
};

/* Passes over a byte order mark. */
void app_text_reader_begin(struct app_text_reader *reader, const char *file, struct base_span text,
                           const struct base_diag_sink *sink);

/* The next line that is not blank, without its comment and line end. False at the end. */
bool app_text_next_line(struct app_text_reader *reader, struct base_source_line *line);

/* Takes the next word off the line; words stand between blanks and bytes of `separators`. False if
 * there is none. */
bool app_text_next_word(struct base_source_line *line, const char *separators,
                        struct base_source_line *word);

/* Cuts a line at its commas; fields have no blanks at their ends. Returns how many there are, of
 * which the first `max` are kept. */
size_t app_text_split(struct base_source_line line, struct base_source_line *fields, size_t max);

/* 1 to 8 hex digits, 0x in front or not. False for anything else. */
bool app_text_hex(struct base_span text, uint32_t *value);

/* A whole number up to limit, in decimal digits only. False for anything else. */
bool app_text_decimal(struct base_span text, uint32_t limit, uint32_t *value);

/* Reports "'word' why; hint" as an error and counts it; only the first ones are shown. */
void app_text_refuse(struct app_text_reader *reader, const struct base_source_line *word,
                     const char *why, const char *hint);

/* Says how many errors were not shown. */
void app_text_reader_end(const struct app_text_reader *reader);

#endif
