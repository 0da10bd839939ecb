/* Shared by the tests of the shaders' front end: text to lines, and strings that grow. */
#ifndef TEST_RENDERER_SHADER_TEXT_H
#define TEST_RENDERER_SHADER_TEXT_H

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

/* A text of lines as a preset's stage: line k of it is line 10 + k of the file, column 8. */
struct stage_text {
    struct base_source_line *lines;
    struct base_source source;
    struct base_diag_list messages;
    struct base_diag_sink sink;
};

static inline void open_text(struct stage_text *stage, const char *text)
{
    size_t count = 1;
    for (const char *c = text; *c != '\0'; c++) {
        count += *c == '\n' ? 1 : 0;
    }
    *stage = (struct stage_text){.lines = calloc(count, sizeof *stage->lines)};
    assert_non_null(stage->lines);
    for (size_t i = 0; i < count; i++) {
        const size_t size = strcspn(text, "\n");
        stage->lines[i] = (struct base_source_line){{text, size}, (uint32_t)i + 10, 8};
        text += size + 1;
    }
    stage->source = (struct base_source){"stage.milk", stage->lines, count};
    stage->sink = base_diag_list_sink(&stage->messages);
}

static inline void close_text(struct stage_text *stage)
{
    free(stage->lines);
}

/* The messages, each as a line. */
static inline const char *messages_of(const struct stage_text *stage, char *text, size_t size)
{
    size_t used = 0;
    text[0] = '\0';
    for (size_t i = 0; i < stage->messages.count && used + 1 < size; i++) {
        used += base_diag_format(&stage->messages.items[i], text + used, size - used);
        if (i + 1 < stage->messages.count && used + 1 < size) {
            text[used++] = '\n';
            text[used] = '\0';
        }
    }
    return text;
}

/* `count` times the part, between a start and an end; the caller frees it. */
static inline char *repeated(const char *start, const char *part, size_t count, const char *end)
{
    char *text = malloc(strlen(start) + count * strlen(part) + strlen(end) + 1);
    assert_non_null(text);
    char *at = text + sprintf(text, "%s", start);
    for (size_t i = 0; i < count; i++) {
        at += sprintf(at, "%s", part);
    }
    (void)sprintf(at, "%s", end);
    return text;
}

#endif
