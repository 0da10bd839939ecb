#include "ui/overlay.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ui/key_list.h"
#include "ui/meter.h"

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

static int larger(int a, int b)
{
    return a > b ? a : b;
}

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
