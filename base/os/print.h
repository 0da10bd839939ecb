/* What froth prints: texts from outside and messages for a terminal, a log of messages, JSON. */
#ifndef BASE_OS_PRINT_H
#define BASE_OS_PRINT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/text.h"

/* Prints a text in which control characters, which could steer a terminal (below 0x20, 0x7F to
 * 0x9F, and such bytes outside UTF-8), become '?': file names and the texts of presets may hold
 * any. */
void base_plain(FILE *out, const char *text);

/* The same in exactly `columns` columns, one for each code point: cut, or filled up with blanks. */
void base_plain_cell(FILE *out, const char *text, size_t columns);

/* Prints each message as one line in one write on standard error, its characters as base_plain
 * does. */
extern const struct base_diag_sink base_diag_stderr;

/* The same on another file descriptor; *descriptor outlives the sink. */
struct base_diag_sink base_diag_descriptor_sink(int *descriptor);

/* Where messages go while froth plays: those that are important enough to standard error, and to a
 * file if there is one. */

struct base_logger {
    const struct base_diag_sink *next; /* gets what is important enough */
    enum base_severity least;
    int file; /* a descriptor, or -1 */
};

/* Messages of `level`, the name of a severity (NULL or another word: BASE_NOTE), and above go to
 * `next`, which outlives the log, and into the file at `path` (NULL: none), which is made or added
 * to. Returns 0, or -1 with a message on `next` if the file cannot be opened: the log then works
 * without it. */
int base_logger_open(struct base_logger *log, const char *path, const char *level,
                     const struct base_diag_sink *next);
void base_logger_close(struct base_logger *log);

/* log must outlive the sink. Any thread may report to it if any may to `next`; lines of the file
 * are whole. */
struct base_diag_sink base_logger_sink(struct base_logger *log);

/* JSON values. The caller writes the punctuation around them. */

/* A string in quotes, its control characters escaped. What is not valid UTF-8 (file names may hold
 * anything) becomes U+FFFD, so that the output is always valid JSON and valid UTF-8. NULL writes
 * null. */
void base_json_string(FILE *out, const char *text);

/* A number with three decimals, the same in every locale; magnitudes above 1e12 are cut to that,
 * NaN writes null. */
void base_json_number(FILE *out, double value);

/* A number with the nine digits of it that count, the same in every locale; NaN and infinity write
 * null. */
void base_json_real(FILE *out, double value);

/* A whole number. */
void base_json_count(FILE *out, uint64_t value);

/* true or false. */
void base_json_bool(FILE *out, bool value);

/* What a noun has behind it when there are so many: "1 thread", "2 threads". */
const char *base_plural(uint64_t count);

#endif
