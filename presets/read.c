#include <assert.h>
#include <stdlib.h>

#include "board/language/language.h"
#include "presets/presets.h"
#include "presets/milk/reader.h"

/* A reader's data and a preset stay far below this, whatever a file holds. */
static const size_t memory_limit = 64u * 1024 * 1024;

/* The reason given for a preset whose reader has already reported why it is refused. */
static const char reported[] = "";

/* Returns why the preset is refused, NULL if it is not. */
static const char *read_text(struct preset_reader *reader, struct base_span data)
{
    struct preset *preset = reader->preset;
    /* A preset's name has no folders and no ending; a point before a blank begins no ending. */
    const char *slash = strrchr(reader->path, '/');
    const char *name = slash == NULL ? reader->path : slash + 1;
    const char *dot = strrchr(name, '.');
    const bool ends = dot != NULL && dot != name && strchr(dot, ' ') == NULL;
    const char *copy = base_arena_text(&preset->arena, data.data, data.size);
    preset->path = base_arena_text(&preset->arena, reader->path, strlen(reader->path));
    preset->name =
        base_arena_text(&preset->arena, name, ends ? (size_t)(dot - name) : strlen(name));
    if (copy == NULL || preset->path == NULL || preset->name == NULL) {
        return "not enough memory";
    }
    const struct base_span text = preset_scan_skip_mark((struct base_span){copy, data.size});
    if (board_fnp_is(reader->path, text)) {
        return board_fnp_read(preset, reader->path, text, &reader->scratch, reader->sink)
                   ? NULL
                   : reported;
    }
    preset_reader_collect(reader, text);
    if (reader->known == 0) {
        for (size_t i = 0; i < data.size; i++) {
            if (strchr(" \t\r\n", data.data[i]) == NULL) {
                return "no known key, so this is no preset";
            }
        }
        base_report(reader->sink, BASE_NOTE, (struct base_place){reader->path, 0, 0}, NULL,
                    "a blank preset: every key has its default");
    }
    preset_reader_numbers(reader);
    preset_reader_blocks(reader);
    size_t left_out = 0;
    for (size_t i = 0; i < PRESET_WARN_COUNT; i++) {
        left_out +=
            reader->warned[i] > PRESET_WARN_LIMIT ? reader->warned[i] - PRESET_WARN_LIMIT : 0;
    }
    if (left_out > 0) {
        base_report(reader->sink, BASE_NOTE, (struct base_place){reader->path, 0, 0}, NULL,
                    "%zu more warnings of the same kinds are not shown", left_out);
    }
    return preset->arena.failed || reader->scratch.failed ? "not enough memory" : NULL;
}

static int refuse(const char *path, const struct base_diag_sink *sink, struct preset_refusal why)
{
    if (why.what != reported) {
        base_report(sink, BASE_ERROR, (struct base_place){path, 0, 0}, why.hint, "%s", why.what);
    }
    return -1;
}

int preset_read(struct preset *preset, const char *path, const void *data, size_t size,
                const struct base_diag_sink *sink)
{
    assert(path != NULL && (data != NULL || size == 0));
    *preset = (struct preset){0};
    struct preset_refusal why = preset_scan_refusal((struct base_span){data, size});
    if (why.what != NULL) {
        return refuse(path, sink, why);
    }
    struct preset_reader *reader = calloc(1, sizeof *reader);
    if (reader == NULL) {
        return refuse(path, sink, (struct preset_refusal){"not enough memory", NULL});
    }
    reader->path = path;
    reader->sink = sink;
    reader->preset = preset;
    base_arena_init(&reader->scratch, memory_limit);
    base_arena_init(&preset->arena, memory_limit);
    why.what = read_text(reader, (struct base_span){data, size});
    base_arena_free(&reader->scratch);
    free(reader);
    if (why.what == NULL) {
        return 0;
    }
    preset_free(preset);
    return refuse(path, sink, why);
}

void preset_free(struct preset *preset)
{
    base_arena_free(&preset->arena);
    *preset = (struct preset){0};
}
