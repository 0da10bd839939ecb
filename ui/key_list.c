#include "ui/key_list.h"

#include <stdlib.h>
#include <string.h>

static const uint32_t ink = 0xFFFFFF;
static const uint32_t key_ink = 0xFFD480;
static const uint32_t heading_ink = 0xA0C8FF;

enum {
    COLUMNS_MAX = 4,
    MEASURED = 16, /* font size in which columns are compared */
    SIZE_MAX_LIST = 30,
    ROWS_MAX = UI_COMMAND_COUNT + UI_GROUP_COUNT,
    BACKING_STRENGTH = 190,
};

struct row {
    struct base_span text; /* beginning of the help, or the name of a group */
    char keys[28];         /* empty for a group */
    int column;
    int line; /* in its column */
};

/* Pixels; without the gap between columns. */
struct widths {
    int keys;
    int texts;
};

struct ui_key_list {
    struct ui_font *font;
    struct row rows[ROWS_MAX];
    int count;
    int columns;
    int lines;  /* of the longest column */
    int step;   /* pixels from line to line */
    int gap;    /* between keys and text; twice that between columns */
    int column; /* pixels from column to column */
    struct widths widths;
};

static int smaller(int a, int b)
{
    return a < b ? a : b;
}

static int larger(int a, int b)
{
    return a > b ? a : b;
}

/* Up to what explains it further: there is room for a few words. */
static struct base_span begin_of(const char *help)
{
    static const char *const ends[] = {"; ", ": ", " (", ", or "};
    struct base_span text = base_span_of(help);
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        const char *end = strstr(help, ends[i]);
        const size_t size = end != NULL ? (size_t)(end - help) : text.size;
        text.size = size < text.size ? size : text.size;
    }
    return text;
}

static void collect(struct ui_key_list *list, const struct ui_bindings *bindings)
{
    for (int group = 0; group < UI_GROUP_COUNT; group++) {
        const int heading = list->count++;
        list->rows[heading].text = base_span_of(ui_command_group_names[group]);
        for (int i = UI_COMMAND_NONE + 1; i < UI_COMMAND_COUNT; i++) {
            struct row *row = &list->rows[list->count];
            if ((int)ui_command_rows[i].group == group) {
                ui_bindings_keys(bindings, (enum ui_command)i, row->keys, sizeof row->keys);
                row->text = begin_of(ui_command_rows[i].help);
                list->count += row->keys[0] != '\0';
            }
        }
        list->count = list->count == heading + 1 ? heading : list->count;
    }
}

/* Fills columns of so many lines; no group's name stands last in one. Returns the columns. */
static int fill_columns(struct ui_key_list *list, int lines)
{
    int column = 0;
    int line = 0;
    for (int i = 0; i < list->count; i++) {
        const bool heading = list->rows[i].keys[0] == '\0';
        if (line >= lines || (heading && line > 0 && line >= lines - 1)) {
            column++;
            line = 0;
        }
        list->rows[i].column = column;
        list->rows[i].line = line++;
    }
    return column + 1;
}

static int lines_for(struct ui_key_list *list, int columns)
{
    int lines = larger((list->count + columns - 1) / columns, 1);
    while (fill_columns(list, lines) > columns) {
        lines++;
    }
    return lines;
}

static struct widths measure(const struct ui_key_list *list, const struct ui_font *font)
{
    struct widths widths = {0, 0};
    for (int i = 0; i < list->count; i++) {
        const struct row *row = &list->rows[i];
        widths.keys = larger(widths.keys, ui_text_width(font, base_span_of(row->keys)));
        widths.texts = larger(widths.texts, ui_text_width(font, row->text));
    }
    return widths;
}

/* The font size in which so many columns fill the picture. */
static int size_for(struct ui_key_list *list, int columns, const struct ui_font *font, int width,
                    int height)
{
    const struct widths widths = measure(list, font);
    const int line = ui_font_line_height(font);
    const int wide = larger(columns * (widths.keys + widths.texts + 3 * line), 1);
    const int high = larger((lines_for(list, columns) + 3) * line, 1);
    return smaller(MEASURED * width / wide, MEASURED * height / high);
}

static int choose_size(struct ui_key_list *list, int width, int height)
{
    struct ui_font *font = ui_font_create(MEASURED, NULL);
    int best = 0;
    for (int columns = 1; columns <= COLUMNS_MAX; columns++) {
        const int size = size_for(list, columns, font, width, height);
        if (columns == 1 || size > best) {
            best = size;
            list->columns = columns;
        }
    }
    ui_font_free(font);
    return smaller(best, SIZE_MAX_LIST);
}

struct ui_key_list *ui_key_list_create(const struct ui_bindings *bindings, int width, int height,
                                       const struct base_diag_sink *sink)
{
    struct ui_key_list *list = calloc(1, sizeof *list);
    if (list == NULL) {
        return NULL;
    }
    collect(list, bindings);
    list->font = ui_font_create(choose_size(list, width, height), sink);
    list->lines = lines_for(list, list->columns);
    list->step = ui_font_line_height(list->font);
    list->gap = list->step;
    list->widths = measure(list, list->font);
    const int room = larger(width / list->columns - 3 * list->gap, 0);
    list->widths.keys = smaller(list->widths.keys, room / 2);
    list->widths.texts = smaller(list->widths.texts, room - list->widths.keys);
    list->column = list->widths.keys + list->widths.texts + 3 * list->gap;
    return list;
}

void ui_key_list_free(struct ui_key_list *list)
{
    if (list != NULL) {
        ui_font_free(list->font);
        free(list);
    }
}

static void draw_cut(const struct ui_key_list *list, const struct ui_surface *surface, int x, int y,
                     struct base_span text, int width, uint32_t colour)
{
    text.size = ui_text_fit(list->font, text, width);
    ui_text_draw(list->font, surface, x, y, text, colour, 255);
}

void ui_key_list_draw(const struct ui_key_list *list, const struct ui_surface *surface)
{
    if (list->font == NULL) {
        return;
    }
    const int wide = list->columns * list->column - 2 * list->gap;
    const int high = list->lines * list->step;
    const struct ui_rect box = {(surface->width - wide) / 2, (surface->height - high) / 2, wide,
                                high};
    ui_backing_draw(surface, box, list->gap, BACKING_STRENGTH);
    for (int i = 0; i < list->count; i++) {
        const struct row *row = &list->rows[i];
        const int x = box.x + row->column * list->column;
        const int y = box.y + row->line * list->step + ui_font_ascent(list->font);
        const int text_x = x + list->widths.keys + list->gap;
        if (row->keys[0] == '\0') {
            draw_cut(list, surface, text_x, y, row->text, list->widths.texts, heading_ink);
        } else {
            draw_cut(list, surface, x, y, base_span_of(row->keys), list->widths.keys, key_ink);
            draw_cut(list, surface, text_x, y, row->text, list->widths.texts, ink);
        }
    }
}
