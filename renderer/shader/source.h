/* The text of a stage as one piece: lines joined, comments gone, split at shader_body and cut at
 * the last brace (spec/milk-rendering.md 9.1). Everything lies in the arena given to
 * shader_text_make. */
#ifndef RENDERER_SHADER_SOURCE_H
#define RENDERER_SHADER_SOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/span.h"

enum { SHADER_TEXT_MAX = 1 << 20 }; /* characters of a stage */

struct shader_text {
    const struct base_source *source;
    const struct base_diag_sink *sink;
    bool failed;            /* there was an error message; it stays the only one */
    char *data;             /* comments are blanks, their line ends too */
    size_t size;            /* up to the last brace, which is not in it */
    size_t body;            /* of the word shader_body */
    size_t inside;          /* behind the brace that opens it */
    const uint32_t *starts; /* of the source's lines in data */
};

/* 0, or -1 after an error message. The source must outlive the text. */
int shader_text_make(struct shader_text *text, const struct base_source *source,
                     struct base_arena *arena, const struct base_diag_sink *sink);

/* Where a character stands in the file; offset up to size. */
struct base_place shader_text_place(const struct shader_text *text, size_t offset);

/* An error message; dropped if there was one before. hint: static text or NULL. */
void shader_text_complain(struct shader_text *text, size_t offset, const char *hint,
                          const char *format, ...) __attribute__((format(printf, 4, 5)));

/* As above, where memory ran out. */
void shader_text_no_memory(struct shader_text *text);

#endif
