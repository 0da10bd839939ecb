#include <assert.h>

#include "ui/imui_parts.h"

static const double notch_rows = 3;

enum { COUNT_MAX = 1 << 30, HEIGHT_MAX = 1 << 20 };

struct extent {
    double whole; /* pixels of all rows */
    double seen;
    double most; /* the scroll position of the end */
};

static double clamp_scroll(double at, double most)
{
    return at > 0 ? at < most ? at : most : 0; /* no number: 0 */
}

static double keep_in_sight(double at, double seen, double row, double row_height)
{
    if (row * row_height < at) {
        return row * row_height;
    }
    return (row + 1) * row_height > at + seen ? (row + 1) * row_height - seen : at;
}

/* The scroll bar: draws it and answers the dragged position. */
static double scroll_bar(struct ui_imui *ui, uint32_t id, struct ui_rect rect,
                         const struct extent *extent, double at)
{
    const struct ui_theme *theme = &ui_theme_dark;
    if (extent->most <= 0 || rect.height < 1) {
        return at;
    }
    const double least = ui->row < rect.height ? ui->row : rect.height;
    const double share = rect.height * extent->seen / extent->whole;
    const double length = share > least ? share : least;
    const double room = rect.height - length > 0.5 ? rect.height - length : 0.5;
    const struct ui_imui_touch touch = ui_imui_touch(ui, id, rect);
    const double top = at / extent->most * room;
    if (touch.pressed) {
        const double grip = (double)ui->input->mouse_y - rect.y - top;
        ui->drag = grip >= 0 && grip < length ? grip : length / 2;
    }
    if (touch.held) {
        const double wanted = (double)ui->input->mouse_y - rect.y - ui->drag;
        at = clamp_scroll(wanted / room * extent->most, extent->most);
    }
    const int y = rect.y + (int)(at / extent->most * room + 0.5);
    const struct ui_rect thumb = {rect.x, y, rect.width, (int)(length + 0.5)};
    ui_imui_fill(ui, thumb, rect.width / 2,
                 touch.held   ? theme->accent
                 : touch.over ? theme->faint
                              : theme->line,
                 255);
    return at;
}

static struct ui_rows visible_rows(const struct ui_imui *ui, struct ui_rect room, size_t count,
                                   int row_height, double at)
{
    struct ui_rows rows = {.rect = room, .surface = ui_surface_part(ui->surface, room)};
    const int whole = (int)(at - (double)(size_t)(at / row_height) * row_height + 0.5);
    rows.first = (size_t)(at / row_height);
    rows.first = rows.first < count ? rows.first : count;
    rows.y = room.y - whole;
    const size_t most = (size_t)((room.height + whole + row_height - 1) / row_height);
    rows.end = count - rows.first < most ? count : rows.first + most;
    return rows;
}

struct ui_rows ui_rows_begin(struct ui_imui *ui, uint32_t id, struct ui_rect rect, size_t count,
                             int row_height, size_t wanted, struct ui_scroll *scroll)
{
    row_height = row_height < 1 ? 1 : row_height < HEIGHT_MAX ? row_height : HEIGHT_MAX;
    count = count < COUNT_MAX ? count : COUNT_MAX;
    struct ui_rect room = ui_rect_sane(rect);
    const struct ui_rect all = room;
    const struct ui_rect bar = ui_cut_right(&room, ui->gap);
    (void)ui_cut_right(&room, ui->gap / 2);
    struct extent extent = {.whole = (double)count * row_height, .seen = room.height};
    extent.most = extent.whole > extent.seen ? extent.whole - extent.seen : 0;
    if (wanted != scroll->wanted && wanted < count) {
        scroll->at = keep_in_sight(scroll->at, extent.seen, (double)wanted, row_height);
    }
    scroll->wanted = wanted;
    if (ui_hovers(ui, all)) {
        scroll->at -= ui_imui_wheel(ui, id) * notch_rows * row_height;
    }
    scroll->at = clamp_scroll(scroll->at, extent.most);
    scroll->at = scroll_bar(ui, id, ui_inset(bar, ui->hair), &extent, scroll->at);
    return visible_rows(ui, room, count, row_height, scroll->at);
}

struct ui_rect ui_rows_rect(const struct ui_rows *rows, size_t row, int row_height)
{
    const double y = rows->y + ((double)row - (double)rows->first) * row_height;
    const double limit = 1 << 24;
    const double bounded = y < -limit ? -limit : y > limit ? limit : y;
    return ui_rect_sane((struct ui_rect){rows->rect.x, (int)bounded, rows->rect.width, row_height});
}

void ui_row_ground(struct ui_imui *ui, struct ui_rect rect, bool chosen)
{
    const struct ui_theme *theme = &ui_theme_dark;
    if (ui_hovers(ui, rect)) {
        ui_imui_fill(ui, rect, ui->radius, theme->raised, 255);
    }
    if (chosen) {
        ui_imui_fill(ui, rect, ui->radius, theme->accent, 44);
        ui_imui_fill(ui, ui_cut_left(&rect, 3 * ui->hair), 0, theme->accent, 255);
    }
}
