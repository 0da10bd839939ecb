#include "whole.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

/* Of nudges: how many last bits a place may be off. */
enum { PLACE_BITS = 4 };

/* ---- lists ---- */

void whole_figures_free(struct whole_figures *figures)
{
    free(figures->figures);
    free(figures->corners);
    *figures = (struct whole_figures){0};
}

/* A longer copy of an array that is full. */
static void *grown(void *old, size_t *capacity, size_t size)
{
    const size_t more = *capacity * 2 + 64;
    void *memory = whole_memory(more, size);
    if (*capacity > 0) {
        memcpy(memory, old, *capacity * size);
    }
    free(old);
    *capacity = more;
    return memory;
}

static struct whole_figure *add_figure(struct whole_figures *figures, enum whole_kind kind)
{
    if (figures->count == figures->capacity) {
        figures->figures = grown(figures->figures, &figures->capacity, sizeof *figures->figures);
    }
    struct whole_figure *figure = &figures->figures[figures->count++];
    *figure = (struct whole_figure){.kind = kind, .first = figures->corner_count, .dot_size = 1};
    return figure;
}

/* To the newest figure. */
static void add_corner(struct whole_figures *figures, struct whole_corner corner)
{
    if (figures->corner_count == figures->corner_capacity) {
        figures->corners =
            grown(figures->corners, &figures->corner_capacity, sizeof *figures->corners);
    }
    figures->corners[figures->corner_count++] = corner;
    figures->figures[figures->count - 1].count++;
}

static struct whole_corner at_ndc(const struct whole_frame *frame, double x, double y)
{
    const double right = (0.5 + 0.5 * x) * frame->width;
    const double down = (0.5 - 0.5 * y) * frame->height;
    return (struct whole_corner){.x = whole_nudged(right, PLACE_BITS, frame->nudge),
                                 .y = whole_nudged(down, PLACE_BITS, frame->nudge)};
}

/* ---- colours: section 1 ---- */

static double low_bits(double c)
{
    const double scaled = trunc((double)((float)c * 255.0F));
    return fabs(scaled) < 1e18 ? (double)((uint64_t)(int64_t)scaled & 255) : 0;
}

static void set_colour(struct whole_corner *corner, const double *rgba)
{
    for (int k = 0; k < WHOLE_COLOURS; k++) {
        corner->colour[k] = low_bits(rgba[k]);
    }
}

/* ---- motion vectors: section 5 ---- */

static int lines_of(double wanted, int most, double *fraction)
{
    const int count = wanted > 1e6 ? 1000000 : wanted < 0 ? 0 : (int)wanted;
    *fraction = count > most ? 0 : fmin(fmax(wanted - count, 0), 1);
    return count > most ? most : count;
}

static double between(const double *row, size_t pitch, double fx, double fy)
{
    const double low = row[0] * (1 - fx) + row[1] * fx;
    const double high = row[pitch] * (1 - fx) + row[pitch + 1] * fx;
    return low * (1 - fy) + high * fy;
}

static void add_vector(struct whole_figures *figures, const struct whole_frame *frame,
                       const struct whole_mesh *mesh, double px, double py, const double *rgba)
{
    const size_t pitch = (size_t)frame->mesh_x + 1;
    const double x = px * frame->mesh_x;
    const double y = py * frame->mesh_y;
    const size_t at = (size_t)y * pitch + (size_t)x;
    const double qx = between(mesh->u + at, pitch, x - floor(x), y - floor(y));
    const double qy = 1 - between(mesh->v + at, pitch, x - floor(x), y - floor(y));
    double dx = (qx - px) * frame->value[PRESET_KEY_mv_l];
    double dy = (qy - py) * frame->value[PRESET_KEY_mv_l];
    const double length = sqrt(dx * dx + dy * dy);
    const double least = 1.0 / frame->width;
    if (length < 1e-8) {
        dx = dy = least;
    } else if (length < least) {
        dx *= least / length;
        dy *= least / length;
    }
    struct whole_corner from = {.x = px * frame->width, .y = py * frame->height};
    struct whole_corner to = {.x = (px + dx) * frame->width, .y = (py + dy) * frame->height};
    set_colour(&from, rgba);
    set_colour(&to, rgba);
    /* The specification does not say which pixels a line covers; one that is as short as the
     * shortest is the pixel that holds its start. */
    const double longest = fmax(fabs(to.x - from.x), fabs(to.y - from.y));
    (void)add_figure(figures, longest < 1.01 ? WHOLE_DOTS : WHOLE_STRIP);
    add_corner(figures, from);
    if (longest >= 1.01) {
        add_corner(figures, to);
    }
}

void whole_add_vectors(struct whole_figures *figures, const struct whole_frame *frame,
                       const struct whole_mesh *mesh)
{
    const double *value = frame->value;
    if (!mesh->drawn || value[PRESET_KEY_mv_a] < 0.001) {
        return;
    }
    const double rgba[] = {value[PRESET_KEY_mv_r], value[PRESET_KEY_mv_g], value[PRESET_KEY_mv_b],
                           value[PRESET_KEY_mv_a]};
    double fx;
    double fy;
    const int columns = lines_of(value[PRESET_KEY_mv_x], 64, &fx);
    const int rows = lines_of(value[PRESET_KEY_mv_y], 48, &fy);
    if (columns < 1 || rows < 1) {
        return;
    }
    for (int y = 0; y < rows; y++) {
        const double py = (y + 0.25) / (rows + fy - 0.75) - value[PRESET_KEY_mv_dy];
        for (int x = 0; x < columns; x++) {
            const double px = (x + 0.25) / (columns + fx - 0.75) + value[PRESET_KEY_mv_dx];
            if (px > 0.0001 && px < 0.9999 && py > 0.0001 && py < 0.9999) {
                add_vector(figures, frame, mesh, px, py, rgba);
            }
        }
    }
}

/* ---- the mesh: section 3 ---- */

enum { ZOOM, ZOOMEXP, ROT, WARP, CX, CY, DX, DY, SX, SY };

static double limited(double value, double rest)
{
    return isfinite(value) ? fmin(fmax(value, -1e4), 1e4) : rest;
}

static void move_vertex(const struct whole_frame *frame, const double *m, double x, double y,
                        double *u_out, double *v_out)
{
    const double ax = frame->aspect_x;
    const double ay = frame->aspect_y;
    const double rad = sqrt(x * ax * x * ax + y * ay * y * ay);
    const double zoom = pow(m[ZOOM], pow(m[ZOOMEXP], 2 * rad - 1));
    double u = 0.5 + 0.5 * x * ax / zoom;
    double v = 0.5 - 0.5 * y * ay / zoom;
    u = (u - m[CX]) / m[SX] + m[CX];
    v = (v - m[CY]) / m[SY] + m[CY];
    if (m[WARP] != 0) {
        const double t = frame->time * frame->value[PRESET_KEY_warp_speed];
        const double s = 1 / frame->value[PRESET_KEY_warp_scale];
        const double f0 = 11.68 + 4 * cos(1.413 * t + 10);
        const double f1 = 8.77 + 3 * cos(1.113 * t + 7);
        const double f2 = 10.54 + 3 * cos(1.233 * t + 3);
        const double f3 = 11.49 + 4 * cos(0.933 * t + 5);
        const double w = m[WARP] * 0.0035;
        u += w * sin(0.333 * t + s * (x * f0 - y * f3));
        v += w * cos(0.375 * t - s * (x * f2 + y * f1));
        u += w * cos(0.753 * t - s * (x * f1 - y * f2));
        v += w * sin(0.825 * t + s * (x * f0 + y * f3));
    }
    const double a = u - m[CX];
    const double b = v - m[CY];
    u = a * cos(m[ROT]) - b * sin(m[ROT]) + m[CX];
    v = a * sin(m[ROT]) + b * cos(m[ROT]) + m[CY];
    u -= m[DX];
    v -= m[DY];
    u = limited((u - 0.5) / ax + 0.5, 0.5 + 0.5 * x);
    v = limited((v - 0.5) / ay + 0.5, 0.5 - 0.5 * y);
    *u_out = whole_nudged(u, PLACE_BITS, frame->nudge);
    *v_out = whole_nudged(v, PLACE_BITS, frame->nudge);
}

void whole_mesh_move(struct whole_mesh *mesh, const struct whole_frame *frame,
                     struct whole_equations *equations)
{
    size_t at = 0;
    whole_equations_vertices(equations, frame);
    for (int j = 0; j <= frame->mesh_y; j++) {
        for (int i = 0; i <= frame->mesh_x; i++, at++) {
            const double x = 2.0 * i / frame->mesh_x - 1;
            const double y = 2.0 * j / frame->mesh_y - 1;
            double motion[WHOLE_MOTIONS];
            whole_equations_vertex(equations, frame, x, y, motion);
            move_vertex(frame, motion, x, y, &mesh->u[at], &mesh->v[at]);
        }
    }
    mesh->drawn = true;
}

/* ---- lines through points, smoothed once ---- */

static double blended(double a, double b, double c, double d)
{
    return 0.5 * (-0.15 * a + 1.15 * b + 1.15 * c - 0.15 * d);
}

/* Corners for the newest figure. */
static void add_smoothed(struct whole_figures *figures, const struct whole_corner *points,
                         size_t count)
{
    for (size_t k = 0; k < count; k++) {
        add_corner(figures, points[k]);
        if (k + 1 < count) {
            const struct whole_corner *before = &points[k > 0 ? k - 1 : 0];
            const struct whole_corner *after = &points[k + 2 < count ? k + 2 : count - 1];
            struct whole_corner between = points[k];
            between.x = blended(before->x, points[k].x, points[k + 1].x, after->x);
            between.y = blended(before->y, points[k].y, points[k + 1].y, after->y);
            add_corner(figures, between);
        }
    }
}

/* ---- shapes: section 8.2 ---- */

static void add_shape(struct whole_figures *figures, const struct whole_frame *frame,
                      const double *field)
{
    const int sides =
        (int)fmin(fmax(isnan(field[PRESET_SHAPE_sides]) ? 0 : field[PRESET_SHAPE_sides], 3), 100);
    const double cx = 2 * field[PRESET_SHAPE_x] - 1;
    const double cy = 2 * field[PRESET_SHAPE_y] - 1;
    const bool additive = fabs(field[PRESET_SHAPE_additive]) >= 1;
    struct whole_corner rim[100];
    struct whole_figure *fan = add_figure(figures, WHOLE_FAN);
    fan->additive = additive;
    fan->textured = fabs(field[PRESET_SHAPE_textured]) >= 1;
    struct whole_corner centre = at_ndc(frame, cx, cy);
    centre.u = centre.v = 0.5;
    set_colour(&centre, field + PRESET_SHAPE_r);
    add_corner(figures, centre);
    for (int j = 0; j < sides; j++) {
        const double theta = 2 * pi * j / sides + field[PRESET_SHAPE_ang] + pi / 4;
        const double phi = 2 * pi * j / sides + field[PRESET_SHAPE_tex_ang] + pi / 4;
        const double zoom = field[PRESET_SHAPE_tex_zoom];
        rim[j] = at_ndc(frame, cx + field[PRESET_SHAPE_rad] * frame->aspect_y * cos(theta),
                        cy - field[PRESET_SHAPE_rad] * sin(theta));
        rim[j].u = 0.5 + 0.5 * frame->aspect_y * cos(phi) / zoom;
        rim[j].v = 0.5 + 0.5 * sin(phi) / zoom;
        set_colour(&rim[j], field + PRESET_SHAPE_r2);
        add_corner(figures, rim[j]);
    }
    if (field[PRESET_SHAPE_border_a] > 0) {
        struct whole_figure *line = add_figure(figures, WHOLE_STRIP);
        line->additive = additive;
        line->four = fabs(field[PRESET_SHAPE_thick]) >= 1;
        for (int j = 0; j <= sides; j++) {
            set_colour(&rim[j % sides], field + PRESET_SHAPE_border_r);
            add_corner(figures, rim[j % sides]);
        }
    }
}

static void add_shapes(struct whole_figures *figures, const struct whole_frame *frame,
                       const struct preset *preset, struct whole_equations *equations)
{
    for (size_t i = 0; i < PRESET_SHAPES; i++) {
        const int wanted = preset->shapes[i].num_inst;
        for (int k = 0; preset->shapes[i].enabled != 0 && k < wanted && k < 1024; k++) {
            double field[PRESET_SHAPE_KEYS];
            whole_equations_shape(equations, frame, i, k, field);
            add_shape(figures, frame, field);
        }
    }
}

/* ---- custom waves: section 8.1 ---- */

static void add_custom_wave(struct whole_figures *figures, const struct whole_frame *frame,
                            const struct preset_wave *wave, const struct whole_wave_points *points)
{
    struct whole_corner corners[WHOLE_POINTS_MAX];
    const bool dots = wave->use_dots != 0;
    const bool thick = wave->draw_thick != 0;
    for (int j = 0; j < points->count; j++) {
        corners[j] = at_ndc(frame, (2 * points->x[j] - 1) / frame->aspect_x,
                            (2 * points->y[j] - 1) / frame->aspect_y);
        set_colour(&corners[j], points->colour[j]);
    }
    struct whole_figure *figure = add_figure(figures, dots ? WHOLE_DOTS : WHOLE_STRIP);
    figure->additive = wave->additive != 0;
    figure->four = thick && !dots;
    figure->dot_size = (frame->width >= 1024 ? 2 : 1) + (thick ? 1 : 0);
    if (!dots) {
        add_smoothed(figures, corners, (size_t)points->count);
    }
    for (int j = 0; dots && j < points->count; j++) {
        add_corner(figures, corners[j]);
    }
}

/* ---- the built-in wave: section 7 ---- */

enum { WAVE_POINTS = 480 };

struct wave {
    const struct whole_frame *frame;
    double left[WHOLE_WAVEFORM];
    double right[WHOLE_WAVEFORM];
    double x;
    double y;
    double param;
    double alpha;
    struct whole_corner points[2][WAVE_POINTS + 1]; /* of two lines */
    int count[2];
};

static void add_point(struct wave *wave, int line, double x, double y)
{
    wave->points[line][wave->count[line]++] = at_ndc(wave->frame, x, y);
}

static void add_polar(struct wave *wave, double rad, double ang)
{
    add_point(wave, 0, rad * cos(ang) * wave->frame->aspect_y + wave->x,
              rad * sin(ang) * wave->frame->aspect_x + wave->y);
}

/* By the longer side of the canvas. */
static double by_size(const struct wave *wave, const double values[5])
{
    const struct whole_frame *frame = wave->frame;
    const int side = frame->width > frame->height ? frame->width : frame->height;
    int k = 0;
    while (k < 4 && side > 256 << k) {
        k++;
    }
    return values[k];
}

static void points_circle(struct wave *wave)
{
    const int n = 240;
    const int o = 120;
    for (int i = 0; i < n; i++) {
        double rad = 0.5 + 0.4 * wave->right[i + o] + wave->param;
        if (i < n / 10) {
            const double mix = 0.5 - 0.5 * cos(pi * i / (0.1 * n));
            const double other = 0.5 + 0.4 * wave->right[i + n + o] + wave->param;
            rad = mix * rad + (1 - mix) * other;
        }
        add_polar(wave, rad, 6.28 * i / (n - 1) + 0.2 * wave->frame->time);
    }
    wave->points[0][wave->count[0]++] = wave->points[0][0];
}

static void points_spiral(struct wave *wave)
{
    wave->alpha *= 1.25;
    for (int i = 0; i < 240; i++) {
        add_polar(wave, 0.53 + 0.43 * wave->right[i] + wave->param,
                  1.57 * wave->left[i + 32] + 2.3 * wave->frame->time);
    }
}

static void points_spiro(struct wave *wave)
{
    for (int i = 0; i < WAVE_POINTS; i++) {
        add_point(wave, 0, wave->right[i] * wave->frame->aspect_y + wave->x,
                  wave->left[i + 32] * wave->frame->aspect_x + wave->y);
    }
}

static void points_hash(struct wave *wave)
{
    const double c = cos(0.3 * wave->frame->time);
    const double s = sin(0.3 * wave->frame->time);
    for (int i = 0; i < WAVE_POINTS; i++) {
        const double a = wave->right[i] * wave->left[i + 32] + wave->left[i] * wave->right[i + 32];
        const double b = wave->right[i] * wave->right[i] - wave->left[i + 32] * wave->left[i + 32];
        add_point(wave, 0, (a * c - b * s) * wave->frame->aspect_y + wave->x,
                  (a * s + b * c) * wave->frame->aspect_x + wave->y);
    }
}

static int across(const struct wave *wave, int most)
{
    return wave->frame->width / 3 < most ? wave->frame->width / 3 : most;
}

static void points_script(struct wave *wave)
{
    const int n = across(wave, 480);
    const int o = (480 - n) / 2;
    const double w1 = 0.45 + 0.5 * (0.5 * wave->param + 0.5);
    const double w2 = 1 - w1;
    double x[WAVE_POINTS];
    double y[WAVE_POINTS];
    for (int i = 0; i < n; i++) {
        x[i] = -1 + 2.0 * i / n + wave->x + 0.44 * wave->right[i + 25 + o];
        y[i] = 0.47 * wave->left[i + o] + wave->y;
        if (i > 1) {
            x[i] = w2 * x[i] + w1 * (2 * x[i - 1] - x[i - 2]);
            y[i] = w2 * y[i] + w1 * (2 * y[i - 1] - y[i - 2]);
        }
        add_point(wave, 0, x[i], y[i]);
    }
}

/* Moves end a towards b, first to |x| <= 1.1, then to |y| <= 1.1. */
static void clip(double a[2], const double b[2])
{
    for (int axis = 0; axis < 2; axis++) {
        for (int sign = 1; sign >= -1; sign -= 2) {
            if (sign * a[axis] > 1.1) {
                const double t = (sign * 1.1 - b[axis]) / (a[axis] - b[axis]);
                a[0] = b[0] + t * (a[0] - b[0]);
                a[1] = b[1] + t * (a[1] - b[1]);
            }
        }
    }
}

static void points_lines(struct wave *wave, bool both)
{
    const int n = across(wave, 240);
    const int o = (480 - n) / 2;
    const double ang = 1.57 * wave->param;
    const double middle[2] = {wave->x * cos(ang + 1.57), wave->x * sin(ang + 1.57)};
    double e0[2] = {middle[0] - 3 * cos(ang), middle[1] - 3 * sin(ang)};
    double e1[2] = {middle[0] + 3 * cos(ang), middle[1] + 3 * sin(ang)};
    clip(e0, e1);
    clip(e1, e0);
    const double dx = (e1[0] - e0[0]) / n;
    const double dy = (e1[1] - e0[1]) / n;
    const double turn = atan2(dy, dx) + 1.57;
    const double half = 0.5 * wave->y + 0.5;
    for (int line = 0; line < (both ? 2 : 1); line++) {
        const double *samples = line == 0 ? wave->left : wave->right;
        const double shift = both ? (line == 0 ? half * half : -half * half) : 0;
        for (int i = 0; i < n; i++) {
            const double height = 0.25 * samples[i + o] + shift;
            add_point(wave, line, e0[0] + i * dx + cos(turn) * height,
                      e0[1] + i * dy + sin(turn) * height);
        }
    }
}

static void set_samples(double *out, const double *waveform, const double *value)
{
    const double scale = value[PRESET_KEY_wave_scale] / 128;
    const double keep = value[PRESET_KEY_wave_smoothing];
    for (int i = 0; i < WHOLE_WAVEFORM; i++) {
        out[i] =
            i == 0 ? scale * waveform[0] : scale * (1 - keep) * waveform[i] + keep * out[i - 1];
    }
}

static double unit(double value)
{
    return value > 0 ? fmin(value, 1) : 0;
}

/* Of mode 3: four widths have an alpha of their own. */
static double loud_alpha(int width, double alpha)
{
    switch (width) {
    case 256:
        return 0.075;
    case 512:
        return 0.15;
    case 1024:
        return 0.22;
    case 2048:
        return 0.33;
    default:
        return alpha;
    }
}

static void set_points(struct wave *wave, int mode)
{
    static const double faint[5] = {0.07, 0.09, 0.11, 0.13, 0.15};
    const double treble = wave->frame->sound->absolute[2];
    switch (mode) {
    case 0:
        points_circle(wave);
        break;
    case 1:
        points_spiral(wave);
        break;
    case 2:
        wave->alpha *= by_size(wave, faint);
        points_spiro(wave);
        break;
    case 3:
        wave->alpha = loud_alpha(wave->frame->width, wave->alpha) * 1.3 * treble * treble;
        points_spiro(wave);
        break;
    case 4:
        points_script(wave);
        break;
    case 5:
        wave->alpha *= by_size(wave, faint);
        points_hash(wave);
        break;
    default:
        points_lines(wave, mode == 7);
        break;
    }
}

static void add_wave(struct whole_figures *figures, const struct whole_frame *frame)
{
    const double *value = frame->value;
    const int mode = (((int)fmod(value[PRESET_KEY_wave_mode], 8)) + 8) % 8;
    struct wave *wave = whole_memory(1, sizeof *wave);
    wave->frame = frame;
    wave->x = 2 * value[PRESET_KEY_wave_x] - 1;
    wave->y = 2 * value[PRESET_KEY_wave_y] - 1;
    wave->param = value[PRESET_KEY_wave_mystery];
    wave->alpha = value[PRESET_KEY_wave_a];
    if ((mode == 0 || mode == 1 || mode == 4) && fabs(wave->param) > 1) {
        const double t = 0.5 * wave->param + 0.5;
        wave->param = 2 * (t - floor(t)) - 1;
    }
    set_samples(wave->left, frame->sound->waveform[0], value);
    set_samples(wave->right, frame->sound->waveform[1], value);
    set_points(wave, mode);
    if (value[PRESET_KEY_wave_alpha_by_volume] != 0) {
        const double *level = frame->sound->level;
        const double start = value[PRESET_KEY_wave_alpha_start];
        wave->alpha *= ((level[0] + level[1] + level[2]) / 3 - start) /
                       (value[PRESET_KEY_wave_alpha_end] - start);
    }
    double rgba[WHOLE_COLOURS] = {unit(value[PRESET_KEY_wave_r]), unit(value[PRESET_KEY_wave_g]),
                                  unit(value[PRESET_KEY_wave_b]), unit(wave->alpha)};
    const double most = fmax(rgba[0], fmax(rgba[1], rgba[2]));
    for (int k = 0; k < 3 && value[PRESET_KEY_wave_brighten] != 0 && most > 0.01; k++) {
        rgba[k] /= most;
    }
    const bool dots = value[PRESET_KEY_wave_usedots] != 0;
    for (int line = 0; line < 2 && rgba[WHOLE_ALPHA] >= 0.004; line++) {
        for (int i = 0; i < wave->count[line]; i++) {
            set_colour(&wave->points[line][i], rgba);
        }
        if (wave->count[line] > 0) {
            struct whole_figure *figure = add_figure(figures, dots ? WHOLE_DOTS : WHOLE_STRIP);
            figure->additive = value[PRESET_KEY_wave_additive] != 0;
            figure->four = (dots || value[PRESET_KEY_wave_thick] != 0) && frame->width >= 512;
            add_smoothed(figures, wave->points[line], (size_t)wave->count[line]);
        }
    }
    free(wave);
}

/* ---- centre and borders: sections 8.3 and 8.4 ---- */

static void add_darkness(struct whole_figures *figures, const struct whole_frame *frame)
{
    static const double corners[4][2] = {{-0.05, 0}, {0, -0.05}, {0.05, 0}, {0, 0.05}};
    if (frame->value[PRESET_KEY_darken_center] == 0) {
        return;
    }
    (void)add_figure(figures, WHOLE_FAN);
    struct whole_corner centre = at_ndc(frame, 0, 0);
    centre.colour[WHOLE_ALPHA] = low_bits(3.0 / 32);
    add_corner(figures, centre);
    for (int j = 0; j < 4; j++) {
        add_corner(figures, at_ndc(frame, corners[j][0] * frame->aspect_y, corners[j][1]));
    }
}

static void add_border(struct whole_figures *figures, double outer, double inner,
                       const double *rgba)
{
    if (!(rgba[WHOLE_ALPHA] > 0.001)) {
        return;
    }
    struct whole_figure *figure = add_figure(figures, WHOLE_FRAME);
    figure->outer = outer;
    figure->inner = inner;
    struct whole_corner corner = {0};
    set_colour(&corner, rgba);
    add_corner(figures, corner);
}

void whole_add_overlay(struct whole_figures *figures, const struct whole_frame *frame,
                       const struct preset *preset, struct whole_equations *equations)
{
    const double *value = frame->value;
    add_shapes(figures, frame, preset, equations);
    for (size_t i = 0; i < PRESET_WAVES; i++) {
        struct whole_wave_points points = {0};
        if (preset->waves[i].enabled != 0) {
            whole_equations_wave(equations, frame, i, &points);
        }
        if (points.count > 0) {
            add_custom_wave(figures, frame, &preset->waves[i], &points);
        }
    }
    add_wave(figures, frame);
    add_darkness(figures, frame);
    const double edge = 1 - value[PRESET_KEY_ob_size];
    add_border(figures, 1, edge, value + PRESET_KEY_ob_r);
    add_border(figures, edge, edge - value[PRESET_KEY_ib_size], value + PRESET_KEY_ib_r);
}
