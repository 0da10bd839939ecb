#include <math.h>

#include "ui/imui_parts.h"

static double clamp_unit(double at)
{
    return at > 0 ? at < 1 ? at : 1 : 0; /* no number: 0 */
}

void ui_bar(struct ui_imui *ui, struct ui_rect rect, double value, double peak, uint32_t colour)
{
    const struct ui_theme *theme = &ui_theme_dark;
    rect = ui_rect_sane(rect);
    const bool lies = rect.width >= rect.height;
    const int length = lies ? rect.width : rect.height;
    const int filled = (int)(clamp_unit(value) * length + 0.5);
    const int line = 2 * ui->hair < length ? 2 * ui->hair : length;
    const int top = (int)(clamp_unit(peak) * (length - line) + 0.5);
    struct ui_rect bar = rect;
    struct ui_rect mark = rect;
    if (lies) {
        bar.width = filled;
        mark = (struct ui_rect){rect.x + top, rect.y, line, rect.height};
    } else {
        bar = ui_cut_bottom(&bar, filled);
        mark = (struct ui_rect){rect.x, rect.y + length - line - top, rect.width, line};
    }
    ui_imui_fill(ui, rect, ui->hair, theme->raised, 255);
    ui_imui_fill(ui, bar, ui->hair, colour, 255);
    if (peak > 0) {
        ui_imui_fill(ui, mark, 0, theme->text, 255);
    }
}

struct curve {
    const float *values;
    size_t count;
    double low;
    double range;
    double height;
};

/* Rows from the top, fractional, of the value at a place between two. */
static double curve_row(const struct curve *curve, double place)
{
    const double last = (double)(curve->count - 1);
    place = place > 0 ? place < last ? place : last : 0;
    const size_t i = (size_t)place;
    const size_t next = i + 1 < curve->count ? i + 1 : i;
    const double share = place - (double)i;
    const double value =
        (double)curve->values[i] * (1 - share) + (double)curve->values[next] * share;
    return (1 - clamp_unit((value - curve->low) / curve->range)) * curve->height;
}

struct reach {
    double top;
    double bottom;
};

/* The rows the curve passes through between two places. */
static struct reach curve_reach(const struct curve *curve, double from, double to)
{
    const double a = curve_row(curve, from);
    const double b = curve_row(curve, to);
    struct reach reach = {a < b ? a : b, a > b ? a : b};
    for (double i = floor(from) + 1; i < to && i < (double)curve->count; i++) {
        const double row = curve_row(curve, i);
        reach.top = row < reach.top ? row : reach.top;
        reach.bottom = row > reach.bottom ? row : reach.bottom;
    }
    return reach;
}

/* A column of pixels between two fractional rows, smooth at both ends, of which `seen` is drawn. */
static void draw_column(const struct ui_imui *ui, struct ui_rect seen, int x, struct reach reach,
                        uint32_t colour)
{
    const int last = seen.y + seen.height;
    for (int y = reach.top > seen.y ? (int)reach.top : seen.y; y < reach.bottom && y < last; y++) {
        const double top = reach.top > y ? reach.top : y;
        const double bottom = reach.bottom < y + 1 ? reach.bottom : y + 1;
        const struct ui_rect pixel = {x, y, 1, 1};
        ui_imui_fill(ui, pixel, 0, colour, (unsigned)((bottom - top) * 255 + 0.5));
    }
}

void ui_curve(struct ui_imui *ui, struct ui_rect rect, const float *values, size_t count,
              double low, double high, uint32_t colour)
{
    rect = ui_rect_sane(rect);
    const struct ui_rect seen = ui_rect_common(rect, ui->clips[ui->clip_count - 1]);
    if (count == 0 || !(high > low) || !isfinite(high - low)) {
        return;
    }
    const double thick = 1.5 * ui->hair < rect.height ? 1.5 * ui->hair : rect.height;
    const struct curve curve = {values, count, low, high - low, rect.height - thick};
    const double step = (double)(count - 1) / rect.width;
    for (int x = seen.x; x < seen.x + seen.width && seen.height > 0; x++) {
        const double from = (double)(x - rect.x) * step;
        struct reach reach = curve_reach(&curve, from, from + step);
        reach.top += rect.y;
        reach.bottom += rect.y + thick;
        const int ground = (int)reach.bottom;
        ui_imui_fill(ui, (struct ui_rect){x, ground, 1, rect.y + rect.height - ground}, 0, colour,
                     28);
        draw_column(ui, seen, x, reach, colour);
    }
}
