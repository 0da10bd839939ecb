/* The level meter: three bands, the beat and the tempo. Drawing neither allocates nor formats text.
 */
#include "ui/overlay.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "renderer/renderer.h"
#include "ui/bindings.h"
#include "ui/toolkit/text.h"

enum { UI_METER_TEXT = 32 };

/* Zero at start. */
struct ui_meter {
    struct rend_heard heard;
    int tempo;                /* that stands in the text */
    char text[UI_METER_TEXT]; /* empty: no tempo is heard */
};

enum { BANDS = 3, METER_BACKING = 170, BAR_LINES = 8 };

static const double level_at_end = 2; /* of a bar; 1, the usual loudness, is its middle */
static const double flash_phase = 0.25;
static const uint32_t meter_ink = 0xFFFFFF;
static const uint32_t dark = 0x404040;

static const struct {
    const char *name;
    uint32_t colour;
} bands[BANDS] = {{"bass", 0xFF6A4D}, {"mid", 0xFFD480}, {"treb", 0x6CC6FF}};

static void ui_meter_set(struct ui_meter *meter, const struct rend_heard *heard)
{
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

static void fill(const struct ui_surface *surface, struct ui_rect rect, uint32_t colour)
{
    const int left = rect.x > 0 ? rect.x : 0;
    const int top = rect.y > 0 ? rect.y : 0;
    const int right = rect.x + rect.width < surface->width ? rect.x + rect.width : surface->width;
    const int bottom =
        rect.y + rect.height < surface->height ? rect.y + rect.height : surface->height;
    for (int y = top; y < bottom; y++) {
        for (int x = left; x < right; x++) {
            surface->pixels[(size_t)y * surface->stride + (size_t)x] = colour;
        }
    }
}

static int length_of(double level, int width)
{
    return level > 0 ? (int)(fmin(level / level_at_end, 1) * width) : 0;
}

static void draw_band(const struct ui_meter *meter, const struct ui_surface *surface, int band,
                      struct ui_rect bar)
{
    const int mark = bar.height / 4 + 1;
    const int smoothed = length_of(meter->heard.level_att[band], bar.width - mark);
    fill(surface, bar, dark);
    fill(surface,
         (struct ui_rect){bar.x, bar.y, length_of(meter->heard.level[band], bar.width), bar.height},
         bands[band].colour);
    fill(surface, (struct ui_rect){bar.x + smoothed, bar.y, mark, bar.height}, meter_ink);
}

/* Bright on the beat, dark a quarter of a beat later. */
static uint32_t flash_colour(const struct rend_heard *heard)
{
    const double left = heard->bpm > 0 ? fmax(1 - heard->beat_phase / flash_phase, 0) : 0;
    const uint32_t grey = 0x40 + (uint32_t)(left * (0xFF - 0x40));
    return grey << 16 | grey << 8 | grey;
}

/* (x, y): top left. Without a font it draws nothing. */
static void ui_meter_draw(const struct ui_meter *meter, const struct ui_font *font,
                          const struct ui_surface *surface, int x, int y)
{
    const int line = ui_font_line_height(font);
    if (line == 0) {
        return;
    }
    const int names = 3 * line;
    const int thick = line / 2;
    const int inset = (line - thick) / 2;
    const struct ui_rect box = {x, y, names + BAR_LINES * line, (BANDS + 1) * line};
    ui_backing_draw(surface, box, line, METER_BACKING);
    for (int band = 0; band < BANDS; band++, y += line) {
        ui_text_draw(font, surface, x, y + ui_font_ascent(font), base_span_of(bands[band].name),
                     meter_ink, 255);
        draw_band(meter, surface, band,
                  (struct ui_rect){x + names, y + inset, BAR_LINES * line, thick});
    }
    fill(surface, (struct ui_rect){x, y + inset, 2 * line, thick}, flash_colour(&meter->heard));
    ui_text_draw(font, surface, x + names, y + ui_font_ascent(font), base_span_of(meter->text),
                 meter_ink, 255);
}

/* The list of keys over the picture: what is bound, by group, in as many columns as read best. */

struct ui_key_list;

/* Makes the list for pictures of this size; keeps nothing of the bindings. NULL without memory;
 * without a font the list draws nothing. */
static struct ui_key_list *ui_key_list_create(const struct ui_bindings *bindings, int width,
                                              int height, const struct base_diag_sink *sink);
void ui_key_list_free(struct ui_key_list *list); /* NULL is fine */

static const uint32_t text_ink = 0xFFFFFF;
static const uint32_t key_ink = 0xFFD480;
static const uint32_t heading_ink = 0xA0C8FF;

enum {
    COLUMNS_MAX = 4,
    MEASURED = 16, /* font size in which columns are compared */
    SIZE_MAX_LIST = 30,
    ROWS_MAX = UI_COMMAND_COUNT + UI_GROUP_COUNT,
    LIST_BACKING = 190,
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

static struct ui_key_list *ui_key_list_create(const struct ui_bindings *bindings, int width,
                                              int height, const struct base_diag_sink *sink)
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

/* surface: of the size that was said; the list stands in its middle. Does not allocate. */
static void ui_key_list_draw(const struct ui_key_list *list, const struct ui_surface *surface)
{
    if (list->font == NULL) {
        return;
    }
    const int wide = list->columns * list->column - 2 * list->gap;
    const int high = list->lines * list->step;
    const struct ui_rect box = {(surface->width - wide) / 2, (surface->height - high) / 2, wide,
                                high};
    ui_backing_draw(surface, box, list->gap, LIST_BACKING);
    for (int i = 0; i < list->count; i++) {
        const struct row *row = &list->rows[i];
        const int x = box.x + row->column * list->column;
        const int y = box.y + row->line * list->step + ui_font_ascent(list->font);
        const int text_x = x + list->widths.keys + list->gap;
        if (row->keys[0] == '\0') {
            draw_cut(list, surface, text_x, y, row->text, list->widths.texts, heading_ink);
        } else {
            draw_cut(list, surface, x, y, base_span_of(row->keys), list->widths.keys, key_ink);
            draw_cut(list, surface, text_x, y, row->text, list->widths.texts, text_ink);
        }
    }
}

static const uint32_t ink = 0xFFFFFF;
static const double hold_seconds = 3.0;
static const double fade_seconds = 1.0;

enum { TEXT_SIZE = 256, BACKING_STRENGTH = 170 };

struct label {
    char text[TEXT_SIZE];
    int width; /* pixels */
    double since;
};

struct ui_overlay {
    struct ui_font *font;
    int width;
    int height;
    int margin;
    int line;
    struct ui_key_list *keys;
    struct label name;
    struct label fps;
    struct ui_meter meter;
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
    const int by_width = width / 45;
    const int by_height = height / 28;
    overlay->font = ui_font_create(by_width < by_height ? by_width : by_height, sink);
    overlay->width = width;
    overlay->height = height;
    overlay->line = ui_font_line_height(overlay->font);
    overlay->margin = overlay->line;
    overlay->name.since = -INFINITY;
    return overlay;
}

void ui_overlay_free(struct ui_overlay *overlay)
{
    if (overlay != NULL) {
        ui_key_list_free(overlay->keys);
        ui_font_free(overlay->font);
        free(overlay);
    }
}

/* Both together fit. */
static void put(struct label *label, struct base_span text, struct base_span more)
{
    memcpy(label->text, text.data, text.size);
    memcpy(label->text + text.size, more.data, more.size);
    label->text[text.size + more.size] = '\0';
}

static void set_label(const struct ui_overlay *overlay, struct label *label, const char *text,
                      double now)
{
    static const char ellipsis[] = "\xE2\x80\xA6";
    const struct base_span dots = base_span_of(ellipsis);
    const struct base_span whole = base_span_of(text);
    const int room = larger(overlay->width - 2 * overlay->margin, 0);
    const size_t fits = ui_text_fit(overlay->font, whole, room);
    if (fits == whole.size && fits < sizeof label->text) {
        put(label, whole, (struct base_span){"", 0});
    } else {
        const struct base_span bytes = {text,
                                        whole.size < TEXT_SIZE / 2 ? whole.size : TEXT_SIZE / 2};
        const size_t kept =
            ui_text_fit(overlay->font, bytes, larger(room - ui_text_width(overlay->font, dots), 0));
        put(label, (struct base_span){text, kept}, dots);
    }
    label->width = ui_text_width(overlay->font, base_span_of(label->text));
    label->since = now;
}

void ui_overlay_set_name(struct ui_overlay *overlay, const char *name, double now)
{
    set_label(overlay, &overlay->name, name, now);
}

void ui_overlay_set_names(struct ui_overlay *overlay, enum ui_overlay_names names)
{
    assert(names < UI_NAMES_COUNT);
    overlay->names = names;
}

void ui_overlay_set_bindings(struct ui_overlay *overlay, const struct ui_bindings *bindings,
                             const struct base_diag_sink *sink)
{
    ui_key_list_free(overlay->keys);
    overlay->keys = ui_key_list_create(bindings, overlay->width, overlay->height, sink);
}

void ui_overlay_set_help(struct ui_overlay *overlay, bool shown)
{
    overlay->help_shown = shown;
}

void ui_overlay_set_fps(struct ui_overlay *overlay, double fps)
{
    overlay->fps_shown = fps >= 0;
    if (overlay->fps_shown) {
        char text[32];
        ui_text_number(text, sizeof text, fps, 1, " fps");
        set_label(overlay, &overlay->fps, text, 0);
    }
}

void ui_overlay_set_meter(struct ui_overlay *overlay, const struct rend_heard *heard)
{
    overlay->meter_shown = heard != NULL;
    if (heard != NULL) {
        ui_meter_set(&overlay->meter, heard);
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

/* (x, y): top left of the text. */
static void draw_label(const struct ui_overlay *overlay, const struct ui_surface *surface,
                       const struct label *label, int x, int y, unsigned alpha)
{
    if (alpha == 0 || label->text[0] == '\0' || overlay->font == NULL) {
        return;
    }
    const struct ui_rect rect = {x, y, label->width, overlay->line};
    ui_backing_draw(surface, rect, overlay->line, BACKING_STRENGTH * alpha / 255);
    ui_text_draw(overlay->font, surface, x, y + ui_font_ascent(overlay->font),
                 base_span_of(label->text), ink, alpha);
}

static unsigned name_alpha(const struct ui_overlay *overlay, double now)
{
    switch (overlay->names) {
    case UI_NAMES_ALWAYS:
        return 255;
    case UI_NAMES_AT_FIRST:
        return ui_overlay_fade(now - overlay->name.since);
    default:
        return 0;
    }
}

void ui_overlay_draw(const struct ui_overlay *overlay, const struct ui_surface *surface, double now)
{
    assert(surface->width == overlay->width && surface->height == overlay->height);
    const int margin = overlay->margin;
    draw_label(overlay, surface, &overlay->name, margin, overlay->height - margin - overlay->line,
               name_alpha(overlay, now));
    if (overlay->fps_shown) {
        draw_label(overlay, surface, &overlay->fps, overlay->width - margin - overlay->fps.width,
                   margin, 255);
    }
    if (overlay->meter_shown) {
        ui_meter_draw(&overlay->meter, overlay->font, surface, margin, margin);
    }
    if (overlay->help_shown && overlay->keys != NULL) {
        ui_key_list_draw(overlay->keys, surface);
    }
}
