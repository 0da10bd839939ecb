/* The overlay in parts: the level meter, the list of keys, and the texts in the corners. */
#include "ui/overlay.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "renderer/renderer.h"
#include "ui/bindings.h"
#include "ui/toolkit/imui.h"
#include "ui/toolkit/text.h"

enum { BACKING = 170, KEYS_BACKING = 190 };

static const uint32_t ink = 0xFFFFFF;

/* ---- the level meter: three bands, the beat and the tempo ---- */

/* Zero at start. */
struct meter {
    struct rend_heard heard;
    int tempo;     /* that stands in the text */
    char text[32]; /* empty: no tempo is heard */
};

enum { BANDS = 3, BAR_LINES = 8 };

static const double level_at_end = 2; /* of a bar; 1, the usual loudness, is its middle */
static const double flash_phase = 0.25;
static const uint32_t dark = 0x404040;

static const struct {
    const char *name;
    uint32_t colour;
} bands[BANDS] = {{"bass", 0xFF6A4D}, {"mid", 0xFFD480}, {"treb", 0x6CC6FF}};

static int length_of(double level, int width)
{
    return level > 0 ? (int)(fmin(level / level_at_end, 1) * width) : 0;
}

/* (x, y): top left. Without a font it draws nothing. */
static void draw_meter(const struct meter *meter, const struct ui_font *font,
                       const struct ui_surface *surface, int x, int y)
{
    const struct rend_heard *heard = &meter->heard;
    const int line = ui_font_line_height(font);
    if (line == 0) {
        return;
    }
    const int names = 3 * line;
    const int thick = line / 2;
    const int inset = (line - thick) / 2;
    const struct ui_rect box = {x, y, names + BAR_LINES * line, (BANDS + 1) * line};
    ui_backing_draw(surface, box, line, BACKING);
    for (int band = 0; band < BANDS; band++, y += line) {
        ui_text_draw(font, surface, x, y + ui_font_ascent(font), base_span_of(bands[band].name),
                     ink, 255);
        const struct ui_rect bar = {x + names, y + inset, BAR_LINES * line, thick};
        const int length = length_of(heard->level[band], bar.width);
        const int mark = bar.height / 4 + 1; /* of the smoothed level */
        const int smoothed = length_of(heard->level_att[band], bar.width - mark);
        ui_fill(surface, bar, dark, 255);
        ui_fill(surface, (struct ui_rect){bar.x, bar.y, length, bar.height}, bands[band].colour,
                255);
        ui_fill(surface, (struct ui_rect){bar.x + smoothed, bar.y, mark, bar.height}, ink, 255);
    }
    /* Bright on the beat, dark a quarter of a beat later. */
    const double left = heard->bpm > 0 ? fmax(1 - heard->beat_phase / flash_phase, 0) : 0;
    const uint32_t grey = 0x40 + (uint32_t)(left * (0xFF - 0x40));
    ui_fill(surface, (struct ui_rect){x, y + inset, 2 * line, thick}, grey * 0x010101, 255);
    ui_text_draw(font, surface, x + names, y + ui_font_ascent(font), base_span_of(meter->text), ink,
                 255);
}

/* ---- the list of keys: what is bound, by group, in as many columns as read best ---- */

static const uint32_t key_ink = 0xFFD480;
static const uint32_t heading_ink = 0xA0C8FF;

enum {
    COLUMNS_MAX = 4,
    MEASURED = 16, /* font size in which columns are compared */
    KEYS_SIZE_MAX = 30,
    ROWS_MAX = UI_COMMAND_COUNT + UI_GROUP_COUNT,
};

struct row {
    struct base_span text;     /* beginning of the help, or the name of a group */
    char keys[28];             /* empty for a group */
    struct ui_line *keys_line; /* the same, ready to be drawn */
    int column;
    int line; /* in its column */
};

/* Pixels; without the gap between columns. */
struct widths {
    int keys;
    int texts;
};

struct key_list {
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

static void collect(struct key_list *list, const struct ui_bindings *bindings)
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
static int fill_columns(struct key_list *list, int lines)
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

static int lines_for(struct key_list *list, int columns)
{
    int lines = larger((list->count + columns - 1) / columns, 1);
    while (fill_columns(list, lines) > columns) {
        lines++;
    }
    return lines;
}

static struct widths measure(const struct key_list *list, const struct ui_font *font)
{
    struct widths widths = {0, 0};
    for (int i = 0; i < list->count; i++) {
        const struct row *row = &list->rows[i];
        widths.keys = larger(widths.keys, ui_text_width(font, base_span_of(row->keys)));
        widths.texts = larger(widths.texts, ui_text_width(font, row->text));
    }
    return widths;
}

/* Chooses the columns with which the font that fills the picture is largest; returns its size. */
static int choose_size(struct key_list *list, int width, int height)
{
    struct ui_font *font = ui_font_create(MEASURED, NULL);
    const struct widths widths = measure(list, font);
    const int line = ui_font_line_height(font);
    int best = 0;
    for (int columns = 1; columns <= COLUMNS_MAX; columns++) {
        const int wide = larger(columns * (widths.keys + widths.texts + 3 * line), 1);
        const int high = larger((lines_for(list, columns) + 3) * line, 1);
        const int size = smaller(MEASURED * width / wide, MEASURED * height / high);
        if (columns == 1 || size > best) {
            best = size;
            list->columns = columns;
        }
    }
    ui_font_free(font);
    return smaller(best, KEYS_SIZE_MAX);
}

/* Makes the list for pictures of this size; keeps nothing of the bindings. NULL without memory;
 * without a font the list draws nothing. */
static struct key_list *create_list(const struct ui_bindings *bindings, int width, int height,
                                    const struct base_diag_sink *sink)
{
    struct key_list *list = calloc(1, sizeof *list);
    if (list == NULL) {
        return NULL;
    }
    collect(list, bindings);
    list->font = ui_font_create(choose_size(list, width, height), sink);
    list->lines = lines_for(list, list->columns);
    list->step = ui_font_line_height(list->font);
    list->gap = list->step;
    list->widths = measure(list, list->font);
    const int room = larger((width - 2 * list->gap) / list->columns - 3 * list->gap, 0);
    list->widths.keys = smaller(list->widths.keys, room / 2);
    list->widths.texts = smaller(list->widths.texts, room - list->widths.keys);
    list->column = list->widths.keys + list->widths.texts + 3 * list->gap;
    for (int i = 0; i < list->count; i++) {
        struct row *row = &list->rows[i];
        struct base_span keys = base_span_of(row->keys);
        keys.size = ui_text_fit(list->font, keys, list->widths.keys);
        row->keys_line = ui_line_create(list->font, keys, list->widths.keys);
        row->text.size = ui_text_fit(list->font, row->text, list->widths.texts);
    }
    return list;
}

static void free_list(struct key_list *list)
{
    if (list != NULL) {
        for (int i = 0; i < list->count; i++) {
            ui_line_free(list->rows[i].keys_line);
        }
        ui_font_free(list->font);
        free(list);
    }
}

/* surface: of the size that was said; the list stands in its middle. */
static void draw_list(const struct key_list *list, const struct ui_surface *surface)
{
    if (list->font == NULL) {
        return;
    }
    const int wide = list->columns * list->column - 2 * list->gap;
    const int high = list->lines * list->step;
    const struct ui_rect box = {(surface->width - wide) / 2, (surface->height - high) / 2, wide,
                                high};
    ui_backing_draw(surface, box, list->gap, KEYS_BACKING);
    for (int i = 0; i < list->count; i++) {
        const struct row *row = &list->rows[i];
        const int x = box.x + row->column * list->column;
        const int y = box.y + row->line * list->step + ui_font_ascent(list->font);
        ui_line_draw(row->keys_line, surface, x, y, key_ink, 255);
        ui_text_draw(list->font, surface, x + list->widths.keys + list->gap, y, row->text,
                     row->keys[0] == '\0' ? heading_ink : ink, 255);
    }
}

/* ---- the overlay ---- */

static const double hold_seconds = 3.0;
static const double fade_seconds = 1.0;

struct ui_overlay {
    struct ui_font *font; /* the painter draws plain text with it, the loader makes names */
    int width;
    int height;
    int margin;
    int line;
    struct key_list *keys;
    const struct ui_line *name; /* not owned */
    double name_since;
    char fps[32];
    struct meter meter;
    enum ui_overlay_names names;
    bool help_shown;
    bool fps_shown;
    bool meter_shown;
};

struct ui_overlay *ui_overlay_create(int width, int height, const struct base_diag_sink *sink)
{
    struct ui_overlay *overlay = calloc(1, sizeof *overlay);
    if (overlay == NULL) {
        return NULL;
    }
    overlay->font = ui_font_create(smaller(width / 45, height / 28), sink);
    overlay->width = width;
    overlay->height = height;
    overlay->line = ui_font_line_height(overlay->font);
    overlay->margin = overlay->line;
    overlay->name_since = -INFINITY;
    return overlay;
}

void ui_overlay_free(struct ui_overlay *overlay)
{
    if (overlay != NULL) {
        free_list(overlay->keys);
        ui_font_free(overlay->font);
        free(overlay);
    }
}

struct ui_line *ui_overlay_name(const struct ui_overlay *overlay, const char *name)
{
    const int room = larger(overlay->width - 2 * overlay->margin, 0);
    return ui_line_create(overlay->font, base_span_of(name), room);
}

void ui_overlay_set_name(struct ui_overlay *overlay, const struct ui_line *name)
{
    overlay->name = name;
}

void ui_overlay_show_name(struct ui_overlay *overlay, double now)
{
    overlay->name_since = now;
}

void ui_overlay_set_names(struct ui_overlay *overlay, enum ui_overlay_names names)
{
    assert(names < UI_NAMES_COUNT);
    overlay->names = names;
}

void ui_overlay_set_bindings(struct ui_overlay *overlay, const struct ui_bindings *bindings,
                             const struct base_diag_sink *sink)
{
    free_list(overlay->keys);
    overlay->keys = create_list(bindings, overlay->width, overlay->height, sink);
}

void ui_overlay_set_help(struct ui_overlay *overlay, bool shown)
{
    overlay->help_shown = shown;
}

void ui_overlay_set_fps(struct ui_overlay *overlay, double fps)
{
    overlay->fps_shown = fps >= 0;
    if (overlay->fps_shown) {
        ui_text_number(overlay->fps, sizeof overlay->fps, fps, 1, " fps");
    }
}

void ui_overlay_set_meter(struct ui_overlay *overlay, const struct rend_heard *heard)
{
    overlay->meter_shown = heard != NULL;
    if (heard == NULL) {
        return;
    }
    struct meter *meter = &overlay->meter;
    const int tempo = (int)(heard->bpm + 0.5);
    meter->heard = *heard;
    if (tempo != meter->tempo) {
        meter->tempo = tempo;
        meter->text[0] = '\0';
        if (tempo > 0) {
            ui_text_number(meter->text, sizeof meter->text, tempo, 0, " bpm");
        }
    }
}

unsigned ui_overlay_fade(double age)
{
    if (!(age >= 0) || age >= hold_seconds + fade_seconds) {
        return 0;
    }
    if (age <= hold_seconds) {
        return 255;
    }
    const double t = (hold_seconds + fade_seconds - age) / fade_seconds;
    return (unsigned)(255 * t * t * (3 - 2 * t) + 0.5);
}

/* How much of the name is seen, 0..255. */
static unsigned name_alpha(const struct ui_overlay *overlay, double now)
{
    if (ui_line_width(overlay->name) <= 0) {
        return 0;
    }
    return overlay->names == UI_NAMES_ALWAYS     ? 255
           : overlay->names == UI_NAMES_AT_FIRST ? ui_overlay_fade(now - overlay->name_since)
                                                 : 0;
}

bool ui_overlay_is_seen(const struct ui_overlay *overlay, double now)
{
    return name_alpha(overlay, now) > 0 || overlay->fps_shown || overlay->meter_shown ||
           (overlay->help_shown && overlay->keys != NULL);
}

void ui_overlay_draw(const struct ui_overlay *overlay, const struct ui_surface *surface, double now)
{
    assert(surface->width == overlay->width && surface->height == overlay->height);
    const int margin = overlay->margin;
    const int line = overlay->line;
    const int ascent = ui_font_ascent(overlay->font);
    const unsigned alpha = name_alpha(overlay, now);
    const int name_width = ui_line_width(overlay->name);
    if (alpha > 0) {
        const struct ui_rect rect = {margin, overlay->height - margin - line, name_width, line};
        ui_backing_draw(surface, rect, line, BACKING * alpha / 255);
        ui_line_draw(overlay->name, surface, rect.x, rect.y + ascent, ink, alpha);
    }
    if (overlay->fps_shown && overlay->font != NULL) {
        const struct base_span fps = base_span_of(overlay->fps);
        const int width = ui_text_width(overlay->font, fps);
        const struct ui_rect rect = {overlay->width - margin - width, margin, width, line};
        ui_backing_draw(surface, rect, line, BACKING);
        ui_text_draw(overlay->font, surface, rect.x, rect.y + ascent, fps, ink, 255);
    }
    if (overlay->meter_shown) {
        draw_meter(&overlay->meter, overlay->font, surface, margin, margin);
    }
    if (overlay->help_shown && overlay->keys != NULL) {
        draw_list(overlay->keys, surface);
    }
}
