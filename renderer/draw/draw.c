#include "renderer/draw/draw.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "renderer/draw/list.h"

uint8_t rend_low_bits(float c)
{
    const float scaled = c * 255.0f;
    if (!(fabsf(scaled) < 1e18f)) {
        return 0;
    }
    return (uint8_t)((uint64_t)(int64_t)scaled & 255);
}

struct rend_colour rend_colour_low_bits(float r, float g, float b, float a)
{
    return (struct rend_colour){rend_low_bits(r), rend_low_bits(g), rend_low_bits(b),
                                rend_low_bits(a)};
}

/* Maps 0..255 to 0..whole, rounded. */
static int value_of(uint8_t number, int whole)
{
    return (number * whole + 127) / 255;
}

void rend_set_colours(struct rend_shade *shade, struct rend_colour from, struct rend_colour to,
                      bool textured)
{
    const uint8_t first[REND_SPAN_VALUES] = {from.b, from.g, from.r, from.a};
    const uint8_t last[REND_SPAN_VALUES] = {to.b, to.g, to.r, to.a};
    for (int k = 0; k < REND_SPAN_VALUES; k++) {
        const bool part = textured || k == REND_SPAN_ALPHA;
        const int whole = part ? REND_SPAN_WHOLE : 255 * REND_SPAN_LEVEL;
        shade->from[k] = (int16_t)value_of(first[k], whole);
        shade->more[k] = (int16_t)(value_of(last[k], whole) - shade->from[k]);
    }
}

static uint32_t packed(struct rend_colour colour)
{
    return (uint32_t)colour.r << 16 | (uint32_t)colour.g << 8 | colour.b;
}

static int clamp_int(int value, int low, int high)
{
    return value < low ? low : value > high ? high : value;
}

/* The whole number at or below a position that is not far from the canvas. */
static int floor_of(float position)
{
    const int whole = (int)position;
    return whole - ((float)whole > position ? 1 : 0);
}

static bool near_canvas(float position)
{
    return fabsf(position) < 1e6f;
}

void rend_draw_dot(const struct rend_canvas *canvas, struct rend_point at, int size,
                   struct rend_colour colour, enum rend_blend blend)
{
    if (!near_canvas(at.x) || !near_canvas(at.y)) {
        return;
    }
    const int x = floor_of(at.x);
    const int y = floor_of(at.y);
    const int x0 = clamp_int(x, 0, canvas->width);
    const int x1 = clamp_int(x + size, 0, canvas->width);
    const int y1 = clamp_int(y + size, canvas->top, canvas->bottom);
    const struct rend_tint tint = rend_tint_of(packed(colour), colour.a, blend);
    const int y0 = clamp_int(y, canvas->top, canvas->bottom);
    if (canvas->list != NULL) {
        rend_list_add_box(canvas->list, x0, y0, x1, y1, &tint);
        return;
    }
    for (int row = y0; row < y1; row++) {
        uint32_t *pixels = canvas->pixels + (size_t)row * canvas->stride;
        for (int column = x0; column < x1; column++) {
            pixels[column] = rend_tinted(pixels[column], &tint);
        }
    }
}

/* To find a row and its ends, and for a row of a dot, as REND_ROW_BAND_WORTH counts. */
enum { ROW_COST = 16, DOT_COST = 64 };

/* A frame in pixels: the outer rectangle, and the inner one, which may have none. */
struct frame {
    bool none;
    bool whole; /* there is no inner one */
    int out_x;
    int out_y;
    int in_x;
    int in_y;
};

static struct frame frame_of(const struct rend_canvas *canvas, float outer, float inner,
                             struct rend_colour colour)
{
    if (!isfinite(outer) || !isfinite(inner) || colour.a == 0) {
        return (struct frame){.none = true};
    }
    const int width = canvas->width;
    const double half_width = 0.5 * width;
    const double half_height = 0.5 * canvas->height;
    const double out = fmax((double)fmaxf(outer, inner), 0.0);
    const double in = fmax((double)fminf(outer, inner), 0.0);
    struct frame frame = {
        .whole = in == 0,
        .out_x = rend_pixel_from(half_width * (1 - out), width),
        .out_y = rend_pixel_from(half_height * (1 - out), canvas->height),
    };
    frame.in_x = clamp_int(rend_pixel_from(half_width * (1 - in), width), frame.out_x, width);
    frame.in_y = clamp_int(rend_pixel_from(half_height * (1 - in), canvas->height), frame.out_y,
                           canvas->height);
    return frame;
}

int64_t rend_draw_frame_cost(const struct rend_canvas *canvas, float outer, float inner,
                             struct rend_colour colour)
{
    const struct frame frame = frame_of(canvas, outer, inner, colour);
    const int64_t rows = canvas->height - 2 * frame.out_y;
    const int64_t pixels = frame.whole ? rows * canvas->width
                                       : (int64_t)(frame.in_y - frame.out_y) * canvas->width +
                                             (int64_t)(frame.in_x - frame.out_x) * rows;
    return frame.none ? 0 : rows * ROW_COST + pixels / 2;
}

static void list_frame(const struct rend_canvas *canvas, const struct frame *frame,
                       struct rend_colour colour)
{
    const struct rend_tint tint = rend_tint_of(packed(colour), colour.a, REND_BLEND_ALPHA);
    const int right = canvas->width - frame->out_x;
    const int bottom = canvas->height - frame->out_y;
    if (frame->whole || frame->in_x * 2 >= canvas->width || frame->in_y * 2 >= canvas->height) {
        rend_list_add_box(canvas->list, frame->out_x, frame->out_y, right, bottom, &tint);
        return;
    }
    const int lower = canvas->height - frame->in_y;
    rend_list_add_box(canvas->list, frame->out_x, frame->out_y, right, frame->in_y, &tint);
    rend_list_add_box(canvas->list, frame->out_x, frame->in_y, frame->in_x, lower, &tint);
    rend_list_add_box(canvas->list, canvas->width - frame->in_x, frame->in_y, right, lower, &tint);
    rend_list_add_box(canvas->list, frame->out_x, lower, right, bottom, &tint);
}

void rend_draw_frame(const struct rend_canvas *canvas, float outer, float inner,
                     struct rend_colour colour)
{
    const struct frame frame = frame_of(canvas, outer, inner, colour);
    if (canvas->list != NULL) {
        if (!frame.none) {
            list_frame(canvas, &frame, colour);
        }
        return;
    }
    const struct rend_span_kernels *kernels = rend_span_kernels_for(canvas->cpu);
    const int first = canvas->top > frame.out_y ? canvas->top : frame.out_y;
    const int last = canvas->height - frame.out_y;
    const int end = frame.none ? first : canvas->bottom < last ? canvas->bottom : last;
    for (int y = first; y < end; y++) {
        uint32_t *row = canvas->pixels + (size_t)y * canvas->stride;
        if (frame.whole || y < frame.in_y || y >= canvas->height - frame.in_y ||
            frame.in_x * 2 >= canvas->width) {
            const int count = canvas->width - 2 * frame.out_x;
            kernels->tint(packed(colour), colour.a, REND_BLEND_ALPHA, row + frame.out_x,
                          (size_t)(count > 0 ? count : 0));
        } else {
            const size_t count = (size_t)(frame.in_x - frame.out_x);
            kernels->tint(packed(colour), colour.a, REND_BLEND_ALPHA, row + frame.out_x, count);
            kernels->tint(packed(colour), colour.a, REND_BLEND_ALPHA,
                          row + canvas->width - frame.in_x, count);
        }
    }
}

/* Lines and strips. */

struct line {
    struct rend_stroke stroke;
    double length; /* along the major axis, signed */
    int low;       /* of minor: low..limit - 1 is drawn */
    int limit;
};

/* floor(position - 0.5) + 1, bounded by 0 and limit */
static int pixel_after(double position, int limit)
{
    const double last = position - 0.5;
    return last < 0 ? 0 : last >= limit ? limit : (int)last + 1;
}

/* The line through the whole canvas. */
static struct line line_of(const struct rend_canvas *canvas, struct rend_point from,
                           struct rend_point to)
{
    const double dx = (double)to.x - (double)from.x;
    const double dy = (double)to.y - (double)from.y;
    const bool steep = fabs(dy) > fabs(dx);
    const int32_t stride = (int32_t)canvas->stride;
    struct line line = {
        .stroke = {.major = steep ? (double)from.y : (double)from.x,
                   .minor = steep ? (double)from.x : (double)from.y,
                   .major_step = steep ? stride : 1,
                   .minor_step = steep ? 1 : stride},
        .length = steep ? dy : dx,
        .limit = steep ? canvas->width : canvas->height,
    };
    const double end = line.stroke.major + line.length;
    const int limit = steep ? canvas->height : canvas->width;
    line.stroke.slope = line.length == 0 ? 0 : (steep ? dx : dy) / line.length;
    /* pixel centres from `from` inclusive to `to` exclusive, in either direction */
    if (line.length < 0) {
        line.stroke.first = pixel_after(end, limit);
        line.stroke.stop = pixel_after(line.stroke.major, limit);
    } else {
        line.stroke.first = rend_pixel_from(line.stroke.major, limit);
        line.stroke.stop = rend_pixel_from(end, limit);
    }
    return line;
}

/* The first major from which on the line is beyond the bound, in the direction in which it goes. */
static int first_beyond(const struct rend_stroke *stroke, double bound)
{
    int low = stroke->first;
    int high = stroke->stop;
    while (low < high) {
        const int middle = low + (high - low) / 2;
        if ((rend_minor_at(stroke, middle) >= bound) == (stroke->slope >= 0)) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    return low;
}

static bool inside(const struct line *line, int major)
{
    const double minor = rend_minor_at(&line->stroke, major);
    return minor >= line->low && minor < line->limit;
}

/* Pixels of a line that are looked at one by one sooner than by halves. */
enum { SHORT = 8 };

/* Leaves the part that lies in the canvas's row band. Rounding keeps `minor` going in one
 * direction. */
static void clip(struct line *line, const struct rend_canvas *canvas)
{
    struct rend_stroke *stroke = &line->stroke;
    if (stroke->major_step == 1) {
        line->low = canvas->top;
        line->limit = canvas->bottom;
    } else {
        stroke->first = stroke->first > canvas->top ? stroke->first : canvas->top;
        stroke->stop = stroke->stop < canvas->bottom ? stroke->stop : canvas->bottom;
    }
    if (stroke->first >= stroke->stop ||
        (inside(line, stroke->first) && inside(line, stroke->stop - 1))) {
        return;
    }
    if (stroke->stop - stroke->first <= SHORT) {
        while (stroke->first < stroke->stop && !inside(line, stroke->first)) {
            stroke->first++;
        }
        while (stroke->first < stroke->stop && !inside(line, stroke->stop - 1)) {
            stroke->stop--;
        }
        return;
    }
    const bool rising = stroke->slope >= 0;
    const int first = first_beyond(stroke, rising ? line->low : line->limit);
    stroke->stop = first_beyond(stroke, rising ? line->limit : line->low);
    stroke->first = first;
}

/* ---- lines ---- */

struct piece {
    struct rend_point from;
    struct rend_point to;
    struct rend_colour from_colour;
    struct rend_colour to_colour;
};

int64_t rend_line_cost(const struct rend_canvas *canvas, struct rend_point from,
                       struct rend_point to)
{
    const float x = fabsf(to.x - from.x);
    const float y = fabsf(to.y - from.y);
    const float pixels = fminf(fmaxf(x, y), (float)(canvas->width + canvas->height));
    return REND_LINE_COST + REND_LINE_PIXEL_COST * (int64_t)pixels;
}

static void draw_piece(const struct rend_canvas *canvas, const struct piece *piece,
                       enum rend_blend blend)
{
    /* Most pieces of other row bands are told by their ends. */
    const float top = (float)canvas->top - 1;
    const float bottom = (float)canvas->bottom + 1;
    if (!rend_finite_point(piece->from) || !rend_finite_point(piece->to) ||
        (piece->from.y < top && piece->to.y < top) ||
        (piece->from.y > bottom && piece->to.y > bottom)) {
        return;
    }
    struct line line = line_of(canvas, piece->from, piece->to);
    const struct rend_stroke *stroke = &line.stroke;
    const int from = stroke->first; /* where the line comes onto the canvas */
    clip(&line, canvas);
    if (stroke->stop <= stroke->first) {
        return;
    }
    const struct rend_colour colour = piece->from_colour;
    const struct rend_span_kernels *kernels = rend_span_kernels_for(canvas->cpu);
    if (memcmp(&colour, &piece->to_colour, sizeof colour) != 0) {
        const double at = (0.5 - stroke->major) / line.length;
        const double per_place = 1 / line.length;
        const struct rend_ramp ramp = {from, (uint32_t)rend_fixed(at + from * per_place),
                                       (uint32_t)rend_fixed(per_place)};
        struct rend_shade shade = {.blend = blend};
        rend_set_colours(&shade, colour, piece->to_colour, false);
        if (canvas->list != NULL) {
            rend_list_add_stroke(canvas->list, stroke, NULL, &shade, &ramp);
            return;
        }
        kernels->shaded_stroke(stroke, &shade, &ramp, canvas->pixels);
    } else if (colour.a > 0) {
        const struct rend_tint tint = rend_tint_of(packed(colour), colour.a, blend);
        if (canvas->list != NULL) {
            rend_list_add_stroke(canvas->list, stroke, &tint, NULL, NULL);
            return;
        }
        kernels->stroke(stroke, &tint, canvas->pixels);
    }
}

void rend_draw_line(const struct rend_canvas *canvas, struct rend_point from, struct rend_point to,
                    struct rend_colour from_colour, struct rend_colour to_colour,
                    enum rend_blend blend)
{
    const struct piece piece = {from, to, from_colour, to_colour};
    if (rend_may_fill(canvas, rend_line_cost(canvas, from, to))) {
        draw_piece(canvas, &piece, blend);
    }
}

/* ---- strips ---- */

static const struct rend_point pen_shifts[4] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}};

static size_t pens_of(const struct rend_strip *strip)
{
    return strip->pen.four ? 4 : 1;
}

static struct rend_point point_of(const struct rend_strip *strip, size_t pen, size_t i)
{
    const struct rend_point p = strip->points[i];
    return (struct rend_point){p.x + pen_shifts[pen].x, p.y + pen_shifts[pen].y};
}

static struct piece piece_of(const struct rend_strip *strip, size_t pen, size_t i)
{
    return (struct piece){point_of(strip, pen, i), point_of(strip, pen, i + 1), strip->colours[i],
                          strip->colours[i + 1]};
}

int64_t rend_strip_cost(const struct rend_canvas *canvas, const struct rend_strip *strip)
{
    int64_t cost = 0;
    if (strip->pen.dots) {
        return (int64_t)(strip->count * pens_of(strip)) * DOT_COST * strip->pen.dot_size;
    }
    for (size_t pen = 0; pen < pens_of(strip); pen++) {
        for (size_t i = 0; i + 1 < strip->count; i++) {
            const struct piece piece = piece_of(strip, pen, i);
            cost += rend_line_cost(canvas, piece.from, piece.to);
        }
    }
    return cost;
}

/* Takes off what the lines cost, as far as they may be drawn. Returns how many these are. */
static size_t pay_lines(const struct rend_canvas *canvas, const struct rend_strip *strip)
{
    size_t lines = 0;
    if (strip->count < 2) {
        return lines;
    }
    if (canvas->fill_left == NULL || *canvas->fill_left >= strip->cost) {
        (void)rend_may_fill(canvas, strip->cost);
        return pens_of(strip) * (strip->count - 1);
    }
    for (size_t pen = 0; pen < pens_of(strip); pen++) {
        for (size_t i = 0; i + 1 < strip->count; i++) {
            const struct piece piece = piece_of(strip, pen, i);
            if (!rend_may_fill(canvas, rend_line_cost(canvas, piece.from, piece.to))) {
                return lines;
            }
            lines++;
        }
    }
    return lines;
}

void rend_find_parts(struct rend_reach *parts, const struct rend_point *points, size_t count)
{
    for (size_t first = 0; first < count; first += REND_PART) {
        /* The line from its last point on belongs to a part. */
        const size_t end = first + REND_PART < count ? first + REND_PART + 1 : count;
        struct rend_reach reach = {INFINITY, -INFINITY};
        for (size_t i = first; i < end; i++) {
            /* What is no number draws nothing. */
            reach.top = points[i].y < reach.top ? points[i].y : reach.top;
            reach.bottom = points[i].y > reach.bottom ? points[i].y : reach.bottom;
        }
        *parts++ = reach;
    }
}

/* Finds out of which parts lines or dots, moved pens' too, may lie in the row band. Returns whether
 * there are any. */
static bool find_near(const struct rend_canvas *band, const struct rend_strip *strip,
                      bool near[static REND_PARTS_MAX])
{
    const float above = (float)(strip->pen.dots ? strip->pen.dot_size : 1) + 2;
    const float top = (float)band->top - above;
    const float bottom = (float)band->bottom + 1;
    const size_t count = rend_part_count(strip->count);
    bool any = false;
    assert(count <= REND_PARTS_MAX);
    for (size_t i = 0; i < count; i++) {
        const struct rend_reach *part = strip->parts == NULL ? NULL : &strip->parts[i];
        near[i] = part == NULL || (part->top <= bottom && part->bottom >= top);
        any |= near[i];
    }
    return any;
}

static void draw_dots(const struct rend_canvas *band, const struct rend_strip *strip, size_t pen,
                      size_t first)
{
    const size_t end = first + REND_PART < strip->count ? first + REND_PART : strip->count;
    for (size_t i = first; i < end; i++) {
        rend_draw_dot(band, point_of(strip, pen, i), strip->pen.dot_size, strip->colours[i],
                      strip->pen.blend);
    }
}

/* lines: of all pens, that may be drawn. */
static void draw_strip(const struct rend_canvas *band, const struct rend_strip *strip, size_t lines)
{
    bool near[REND_PARTS_MAX];
    if (!find_near(band, strip, near)) {
        return;
    }
    for (size_t pen = 0; pen < pens_of(strip) && strip->pen.dots; pen++) {
        for (size_t part = 0; part < rend_part_count(strip->count); part++) {
            if (near[part]) {
                draw_dots(band, strip, pen, part * REND_PART);
            }
        }
    }
    for (size_t pen = 0; pen < pens_of(strip) && lines > 0; pen++) {
        for (size_t first = 0; first + 1 < strip->count && lines > 0; first += REND_PART) {
            const size_t here = strip->count - 1 - first;
            const size_t some = here < REND_PART ? here : REND_PART;
            const size_t end = first + (some < lines ? some : lines);
            lines -= end - first;
            for (size_t i = near[first / REND_PART] ? first : end; i < end; i++) {
                const struct piece piece = piece_of(strip, pen, i);
                draw_piece(band, &piece, strip->pen.blend);
            }
        }
    }
}

struct rend_strips rend_pay_strips(const struct rend_canvas *canvas,
                                   const struct rend_strip *strips, size_t count)
{
    struct rend_strips paid = {.strips = strips, .count = count};
    assert(count <= REND_STRIPS);
    for (size_t i = 0; i < count; i++) {
        paid.cost += strips[i].cost;
        paid.lines[i] = strips[i].pen.dots ? 0 : pay_lines(canvas, &strips[i]);
    }
    return paid;
}

void rend_draw_strips(const struct rend_canvas *canvas, const struct rend_strips *strips)
{
    for (size_t i = 0; i < strips->count; i++) {
        draw_strip(canvas, &strips->strips[i], strips->lines[i]);
    }
}
