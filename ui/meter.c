#include "ui/meter.h"

#include <math.h>

enum { BANDS = 3, BACKING_STRENGTH = 170, BAR_LINES = 8 };

static const double level_at_end = 2; /* of a bar; 1, the usual loudness, is its middle */
static const double flash_phase = 0.25;
static const uint32_t ink = 0xFFFFFF;
static const uint32_t dark = 0x404040;

static const struct {
    const char *name;
    uint32_t colour;
} bands[BANDS] = {{"bass", 0xFF6A4D}, {"mid", 0xFFD480}, {"treb", 0x6CC6FF}};

void ui_meter_set(struct ui_meter *meter, const struct rend_heard *heard)
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
    fill(surface, (struct ui_rect){bar.x + smoothed, bar.y, mark, bar.height}, ink);
}

/* Bright on the beat, dark a quarter of a beat later. */
static uint32_t flash_colour(const struct rend_heard *heard)
{
    const double left = heard->bpm > 0 ? fmax(1 - heard->beat_phase / flash_phase, 0) : 0;
    const uint32_t grey = 0x40 + (uint32_t)(left * (0xFF - 0x40));
    return grey << 16 | grey << 8 | grey;
}

void ui_meter_draw(const struct ui_meter *meter, const struct ui_font *font,
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
    ui_backing_draw(surface, box, line, BACKING_STRENGTH);
    for (int band = 0; band < BANDS; band++, y += line) {
        ui_text_draw(font, surface, x, y + ui_font_ascent(font), base_span_of(bands[band].name),
                     ink, 255);
        draw_band(meter, surface, band,
                  (struct ui_rect){x + names, y + inset, BAR_LINES * line, thick});
    }
    fill(surface, (struct ui_rect){x, y + inset, 2 * line, thick}, flash_colour(&meter->heard));
    ui_text_draw(font, surface, x + names, y + ui_font_ascent(font), base_span_of(meter->text), ink,
                 255);
}
