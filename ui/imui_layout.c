#include "ui/imui_parts.h"

enum { EDGE_MAX = 1 << 24 };

static int clamp_edge(int64_t edge)
{
    return (int)(edge < -EDGE_MAX ? -EDGE_MAX : edge > EDGE_MAX ? EDGE_MAX : edge);
}

struct ui_rect ui_rect_sane(struct ui_rect rect)
{
    const int left = clamp_edge(rect.x);
    const int top = clamp_edge(rect.y);
    const int right = clamp_edge((int64_t)rect.x + rect.width);
    const int bottom = clamp_edge((int64_t)rect.y + rect.height);
    return (struct ui_rect){left, top, right > left ? right - left : 0,
                            bottom > top ? bottom - top : 0};
}

static int larger(int a, int b)
{
    return a > b ? a : b;
}

static int smaller(int a, int b)
{
    return a < b ? a : b;
}

struct ui_rect ui_rect_common(struct ui_rect a, struct ui_rect b)
{
    a = ui_rect_sane(a);
    b = ui_rect_sane(b);
    const int left = larger(a.x, b.x);
    const int top = larger(a.y, b.y);
    const int right = smaller(a.x + a.width, b.x + b.width);
    const int bottom = smaller(a.y + a.height, b.y + b.height);
    return (struct ui_rect){left, top, larger(right - left, 0), larger(bottom - top, 0)};
}

bool ui_rect_holds(struct ui_rect rect, int x, int y)
{
    return x >= rect.x && y >= rect.y && (int64_t)x < (int64_t)rect.x + rect.width &&
           (int64_t)y < (int64_t)rect.y + rect.height;
}

static int within(int size, int room)
{
    return size < 0 ? 0 : smaller(size, room);
}

struct ui_rect ui_cut_left(struct ui_rect *rect, int width)
{
    *rect = ui_rect_sane(*rect);
    struct ui_rect piece = *rect;
    piece.width = within(width, rect->width);
    rect->x += piece.width;
    rect->width -= piece.width;
    return piece;
}

struct ui_rect ui_cut_right(struct ui_rect *rect, int width)
{
    *rect = ui_rect_sane(*rect);
    struct ui_rect piece = *rect;
    piece.width = within(width, rect->width);
    rect->width -= piece.width;
    piece.x += rect->width;
    return piece;
}

struct ui_rect ui_cut_top(struct ui_rect *rect, int height)
{
    *rect = ui_rect_sane(*rect);
    struct ui_rect piece = *rect;
    piece.height = within(height, rect->height);
    rect->y += piece.height;
    rect->height -= piece.height;
    return piece;
}

struct ui_rect ui_cut_bottom(struct ui_rect *rect, int height)
{
    *rect = ui_rect_sane(*rect);
    struct ui_rect piece = *rect;
    piece.height = within(height, rect->height);
    rect->height -= piece.height;
    piece.y += rect->height;
    return piece;
}

struct ui_rect ui_inset(struct ui_rect rect, int by)
{
    rect = ui_rect_sane(rect);
    const int most = larger(smaller(rect.width, rect.height), 0) / 2;
    by = smaller(larger(by, -EDGE_MAX), most);
    return ui_rect_sane(
        (struct ui_rect){rect.x + by, rect.y + by, rect.width - 2 * by, rect.height - 2 * by});
}
