/* Shared by the tests of presets/. */
#ifndef TEST_PRESETS_HELP_H
#define TEST_PRESETS_HELP_H

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "presets/milk/preset.h"
#include "presets/presets.h"

static inline int read_bytes(struct preset *preset, const void *data, size_t size,
                             struct base_diag_list *messages)
{
    *messages = (struct base_diag_list){0};
    const struct base_diag_sink sink = base_diag_list_sink(messages);
    return preset_read(preset, "set/Some Name.milk", data, size, &sink);
}

/* Reads a text that must be accepted. */
static inline void read_text(struct preset *preset, const char *text,
                             struct base_diag_list *messages)
{
    assert_int_equal(read_bytes(preset, text, strlen(text), messages), 0);
    assert_int_equal(messages->by_severity[BASE_ERROR], 0);
}

static inline void assert_span(struct base_span span, const char *text)
{
    assert_int_equal(span.size, strlen(text));
    assert_memory_equal(span.data, text, span.size);
}

/* The text of a source with a '|' behind each line. */
static inline void assert_source(const struct base_source *source, const char *wanted)
{
    char text[1024] = "";
    size_t used = 0;
    for (size_t i = 0; i < source->count; i++) {
        const struct base_span line = source->lines[i].text;
        assert_true(used + line.size + 2 < sizeof text);
        memcpy(text + used, line.data, line.size);
        used += line.size;
        text[used++] = '|';
    }
    assert_string_equal(text, wanted);
}

/* Writes, reads the text again and compares. */
static inline void assert_round_trip(const struct preset *preset)
{
    size_t size = 0;
    char *text = preset_write(preset, &size);
    assert_non_null(text);
    assert_int_equal(strlen(text), size);
    struct preset again;
    struct base_diag_list messages;
    assert_int_equal(read_bytes(&again, text, size, &messages), 0);
    assert_true(preset_equal(preset, &again));
    preset_free(&again);
    free(text);
}

#endif
