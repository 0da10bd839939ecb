#include <math.h>
#include <stdio.h>

#include "ui/blend.h"
#include "ui/imui_parts.h"

static const double notches = 100; /* of the wheel from end to end */
static const double fine = 0.1;

static double clamp_unit(double at)
{
    return at > 0 ? at < 1 ? at : 1 : 0; /* no number: 0 */
}

/* Where the mouse has dragged the slider to, 0..1. With Shift it moves from where it is. */
static double dragged(struct ui_imui *ui, struct ui_rect rect, bool pressed, double at)
{
    const struct ui_imui_input *input = ui->input;
    const double width = rect.width > 1 ? rect.width - 1 : 1;
    if (pressed) {
        ui->drag = input->shift ? at : ((double)input->mouse_x - rect.x) / width;
    } else {
        const double steps = (double)input->mouse_x - ui->drag_x;
        ui->drag += steps / width * (input->shift ? fine : 1);
    }
    ui->drag_x = input->mouse_x;
    return clamp_unit(ui->drag);
}

/* Part of the slider's rounded shape. */
static void fill_part(struct ui_imui *ui, struct ui_rect rect, int x, int width, unsigned alpha)
{
    ui_clip_begin(ui, (struct ui_rect){rect.x + x, rect.y, width, rect.height});
    ui_imui_fill(ui, rect, ui->radius, ui_theme_dark.accent, alpha);
    ui_clip_end(ui);
}

static void draw(struct ui_imui *ui, struct ui_rect rect, double at, double origin, bool bright)
{
    const struct ui_theme *theme = &ui_theme_dark;
    const int mark = 2 * ui->hair;
    const int room = rect.width > mark ? rect.width - mark : 0;
    const int x = (int)(at * room + 0.5);
    const int from = (int)(origin * room + 0.5);
    ui_imui_fill(ui, rect, ui->radius, bright ? theme->hover : theme->raised, 255);
    fill_part(ui, rect, x < from ? x : from, x < from ? from - x : x - from, bright ? 80 : 56);
    fill_part(ui, rect, x, mark, 255);
}

static void draw_value(const struct ui_imui *ui, struct ui_rect rect, double value)
{
    char text[32];
    const int size = snprintf(text, sizeof text, "%.4g", value == 0 ? 0 : value);
    (void)ui_cut_right(&rect, ui->gap);
    ui_imui_text(ui, rect, (struct base_span){text, (size_t)size}, ui_theme_dark.text,
                 UI_ALIGN_RIGHT);
}

bool ui_slider(struct ui_imui *ui, uint32_t id, struct ui_rect rect, double *value, double low,
               double high)
{
    rect = ui_rect_sane(rect);
    const double range = high - low;
    const bool works = range > 0 && isfinite(range);
    const struct ui_imui_touch touch = ui_imui_touch(ui, id, rect);
    const double before = works ? clamp_unit((*value - low) / range) : 0;
    double at = before;
    if (touch.held) {
        at = dragged(ui, rect, touch.pressed, at);
    }
    if (touch.over) {
        const double wheel = ui_imui_wheel(ui, id);
        at = wheel != 0 ? clamp_unit(at + wheel / notches * (ui->input->shift ? fine : 1)) : at;
    }
    const bool changed = works && at != before;
    if (changed) {
        *value = at <= 0 ? low : at >= 1 ? high : low + at * range;
    }
    draw(ui, rect, at, works && low < 0 && high > 0 ? -low / range : 0, touch.over || touch.held);
    draw_value(ui, rect, *value);
    return changed;
}
