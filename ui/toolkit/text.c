/* Signs of the interface that are drawn rather than taken from a font, so that they look the same
 * with every font: arrows, triangles, stars, check mark, cross, pause, stop, dot. */
#include "ui/toolkit/text.h"

#include <assert.h>
#include <fontconfig/fontconfig.h>
#include <ft2build.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/text.h"
#include "ui/toolkit/parts.h"

enum { UI_MARKS_SIZE_MAX = 256 };

bool ui_marks_has(uint32_t code); /* a code point */

/* In a box of 1 x 1, y downwards. */
struct point {
    double x, y;
};

static const struct point star_full[] = {
    {0.500, 0.005}, {0.634, 0.351}, {1.004, 0.371}, {0.717, 0.605},  {0.812, 0.964},
    {0.500, 0.763}, {0.188, 0.964}, {0.283, 0.605}, {-0.004, 0.371}, {0.366, 0.351}};
static const struct point star_hollow[] = {
    {0.500, 0.005}, {0.634, 0.351}, {1.004, 0.371}, {0.717, 0.605},  {0.812, 0.964},
    {0.500, 0.763}, {0.188, 0.964}, {0.283, 0.605}, {-0.004, 0.371}, {0.366, 0.351},
    {0.500, 0.175}, {0.591, 0.410}, {0.843, 0.424}, {0.647, 0.583},  {0.712, 0.827},
    {0.500, 0.690}, {0.288, 0.827}, {0.353, 0.583}, {0.157, 0.424},  {0.409, 0.410}};
static const struct point circle[] = {
    {0.500, 0.140}, {0.570, 0.147}, {0.638, 0.167}, {0.700, 0.201}, {0.755, 0.245}, {0.799, 0.300},
    {0.833, 0.362}, {0.853, 0.430}, {0.860, 0.500}, {0.853, 0.570}, {0.833, 0.638}, {0.799, 0.700},
    {0.755, 0.755}, {0.700, 0.799}, {0.638, 0.833}, {0.570, 0.853}, {0.500, 0.860}, {0.430, 0.853},
    {0.362, 0.833}, {0.300, 0.799}, {0.245, 0.755}, {0.201, 0.700}, {0.167, 0.638}, {0.147, 0.570},
    {0.140, 0.500}, {0.147, 0.430}, {0.167, 0.362}, {0.201, 0.300}, {0.245, 0.245}, {0.300, 0.201},
    {0.362, 0.167}, {0.430, 0.147}};
static const struct point triangle_up[] = {{0.500, 0.180}, {0.920, 0.820}, {0.080, 0.820}};
static const struct point triangle_right[] = {{0.820, 0.500}, {0.180, 0.920}, {0.180, 0.080}};
static const struct point triangle_down[] = {{0.500, 0.820}, {0.080, 0.180}, {0.920, 0.180}};
static const struct point triangle_left[] = {{0.180, 0.500}, {0.820, 0.080}, {0.820, 0.920}};
static const struct point arrow_up[] = {{0.500, 0.060}, {0.860, 0.440}, {0.780, 0.520},
                                        {0.555, 0.270}, {0.555, 0.940}, {0.445, 0.940},
                                        {0.445, 0.270}, {0.220, 0.520}, {0.140, 0.440}};
static const struct point arrow_right[] = {{0.940, 0.500}, {0.560, 0.860}, {0.480, 0.780},
                                           {0.730, 0.555}, {0.060, 0.555}, {0.060, 0.445},
                                           {0.730, 0.445}, {0.480, 0.220}, {0.560, 0.140}};
static const struct point arrow_down[] = {{0.500, 0.940}, {0.140, 0.560}, {0.220, 0.480},
                                          {0.445, 0.730}, {0.445, 0.060}, {0.555, 0.060},
                                          {0.555, 0.730}, {0.780, 0.480}, {0.860, 0.560}};
static const struct point arrow_left[] = {{0.060, 0.500}, {0.440, 0.140}, {0.520, 0.220},
                                          {0.270, 0.445}, {0.940, 0.445}, {0.940, 0.555},
                                          {0.270, 0.555}, {0.520, 0.780}, {0.440, 0.860}};
static const struct point check[] = {{0.060, 0.560}, {0.170, 0.440}, {0.390, 0.650},
                                     {0.840, 0.150}, {0.950, 0.260}, {0.400, 0.870}};
static const struct point pause_sign[] = {{0.180, 0.120}, {0.410, 0.120}, {0.410, 0.880},
                                          {0.180, 0.880}, {0.590, 0.120}, {0.820, 0.120},
                                          {0.820, 0.880}, {0.590, 0.880}};
static const struct point square[] = {
    {0.150, 0.150}, {0.850, 0.150}, {0.850, 0.850}, {0.150, 0.850}};
static const struct point cross[] = {
    {0.224, 0.125}, {0.500, 0.401}, {0.776, 0.125}, {0.875, 0.224}, {0.599, 0.500}, {0.875, 0.776},
    {0.776, 0.875}, {0.500, 0.599}, {0.224, 0.875}, {0.125, 0.776}, {0.401, 0.500}, {0.125, 0.224}};

struct mark {
    uint32_t code;
    size_t first; /* points of the first outline; the others are the second */
    size_t count;
    const struct point *points;
};

#define MARK(code, points)                                                                         \
    {                                                                                              \
        code, sizeof points / sizeof points[0], sizeof points / sizeof points[0], points           \
    }
#define MARK_OF_TWO(code, points)                                                                  \
    {                                                                                              \
        code, sizeof points / sizeof points[0] / 2, sizeof points / sizeof points[0], points       \
    }
static const struct mark marks[] = {
    MARK(0x2190, arrow_left),     MARK(0x2191, arrow_up),      MARK(0x2192, arrow_right),
    MARK(0x2193, arrow_down),     MARK(0x25A0, square),        MARK(0x25B2, triangle_up),
    MARK(0x25B6, triangle_right), MARK(0x25BC, triangle_down), MARK(0x25C0, triangle_left),
    MARK(0x25CF, circle),         MARK(0x2605, star_full),     MARK_OF_TWO(0x2606, star_hollow),
    MARK(0x2713, check),          MARK(0x2715, cross),         MARK_OF_TWO(0x23F8, pause_sign),
};

enum { LINES = 8 /* per row of pixels */, CROSSINGS = 8 };

static const struct mark *find_mark(uint32_t code)
{
    for (size_t i = 0; i < sizeof marks / sizeof marks[0]; i++) {
        if (marks[i].code == code) {
            return &marks[i];
        }
    }
    return NULL;
}

bool ui_marks_has(uint32_t code)
{
    return find_mark(code) != NULL;
}

static size_t next_point(const struct mark *mark, size_t i)
{
    if (i + 1 == mark->first) {
        return 0;
    }
    return i + 1 == mark->count ? mark->first : i + 1;
}

/* Where the outlines cross a line, from left to right. Returns how many. */
static size_t find_crossings(const struct mark *mark, double y, double crossings[CROSSINGS])
{
    size_t count = 0;
    for (size_t i = 0; i < mark->count; i++) {
        const struct point a = mark->points[i];
        const struct point b = mark->points[next_point(mark, i)];
        if ((a.y <= y) == (b.y <= y) || count == CROSSINGS) {
            continue;
        }
        const double x = a.x + (y - a.y) * (b.x - a.x) / (b.y - a.y);
        size_t place = count++;
        for (; place > 0 && crossings[place - 1] > x; place--) {
            crossings[place] = crossings[place - 1];
        }
        crossings[place] = x;
    }
    return count;
}

/* Adds to each pixel how much of it lies between two places, in pixels. */
static void add_span(double *sums, int size, double from, double to)
{
    for (int x = from < 0 ? 0 : (int)from; x < size && x < to; x++) {
        const double left = from > x ? from : x;
        const double right = to < x + 1 ? to : x + 1;
        sums[x] += right > left ? right - left : 0;
    }
}

/* Fills size * size values, 255: inside. There is such a mark; 0 < size <= UI_MARKS_SIZE_MAX. */
static void ui_marks_draw(uint32_t code, int size, uint8_t *coverage)
{
    const struct mark *mark = find_mark(code);
    assert(mark != NULL && size > 0 && size <= UI_MARKS_SIZE_MAX);
    double sums[UI_MARKS_SIZE_MAX];
    for (int row = 0; row < size; row++) {
        memset(sums, 0, sizeof sums);
        for (int line = 0; line < LINES; line++) {
            double crossings[CROSSINGS];
            const size_t count =
                find_crossings(mark, (row + (line + 0.5) / LINES) / size, crossings);
            for (size_t i = 0; i + 1 < count; i += 2) {
                add_span(sums, size, crossings[i] * size, crossings[i + 1] * size);
            }
        }
        for (int x = 0; x < size; x++) {
            coverage[row * size + x] = (uint8_t)(sums[x] * 255 / LINES + 0.5);
        }
    }
}

#include FT_FREETYPE_H
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

const uint32_t ui_font_extras[UI_FONT_EXTRA_COUNT] = {
    0xFFFD, 0x2010, 0x2013, 0x2014, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2026,
    0x20AC, 0x2212, 0x2260, 0x221E, 0x2190, 0x2191, 0x2192, 0x2193, 0x23F8, 0x25A0,
    0x25B2, 0x25B6, 0x25BC, 0x25C0, 0x25CF, 0x2605, 0x2606, 0x2713, 0x2715};

enum { ATLAS_LIMIT = 64 * 1024 * 1024, PATH_SIZE = 4096 };

struct font_file {
    char path[PATH_SIZE];
    int index; /* of the face in its file */
};

static bool match_font(FcConfig *config, const char *name, struct font_file *file)
{
    FcPattern *wanted = FcNameParse((const FcChar8 *)name);
    if (wanted == NULL) {
        return false;
    }
    (void)FcPatternAddBool(wanted, FC_SCALABLE, FcTrue);
    FcConfigSubstitute(config, wanted, FcMatchPattern);
    FcDefaultSubstitute(wanted);
    FcResult result = FcResultNoMatch;
    FcPattern *found = FcFontMatch(config, wanted, &result);
    FcChar8 *path = NULL;
    bool good = found != NULL && FcPatternGetString(found, FC_FILE, 0, &path) == FcResultMatch;
    if (good) {
        const int length = snprintf(file->path, sizeof file->path, "%s", (const char *)path);
        good = length > 0 && (size_t)length < sizeof file->path;
        if (FcPatternGetInteger(found, FC_INDEX, 0, &file->index) != FcResultMatch) {
            file->index = 0;
        }
    }
    if (found != NULL) {
        FcPatternDestroy(found);
    }
    FcPatternDestroy(wanted);
    return good;
}

static bool find_font(const char *name, struct font_file *file)
{
    FcConfig *config = FcInitLoadConfigAndFonts();
    if (config == NULL) {
        return false;
    }
    const bool found = match_font(config, name, file);
    FcConfigDestroy(config);
    FcFini();
    return found;
}

/* A glyph that cannot be loaded stays empty. */
static void load_glyph(struct ui_font *font, FT_Face face, FT_UInt index, struct ui_glyph *glyph)
{
    if (FT_Load_Glyph(face, index, FT_LOAD_RENDER) != 0 ||
        face->glyph->bitmap.pixel_mode != FT_PIXEL_MODE_GRAY) {
        return;
    }
    const FT_Bitmap *bitmap = &face->glyph->bitmap;
    const size_t width = bitmap->width;
    uint8_t *coverage = base_arena_array(&font->arena, bitmap->rows, width);
    if (coverage == NULL) {
        return;
    }
    for (size_t row = 0; row < bitmap->rows; row++) {
        memcpy(coverage + row * width, bitmap->buffer + (ptrdiff_t)row * bitmap->pitch, width);
    }
    *glyph = (struct ui_glyph){.coverage = coverage,
                               .width = (int)width,
                               .height = (int)bitmap->rows,
                               .left = face->glyph->bitmap_left,
                               .top = face->glyph->bitmap_top,
                               .advance = (int)((face->glyph->advance.x + 32) >> 6)};
}

static uint32_t glyph_code(size_t index)
{
    const size_t range = UI_FONT_END - UI_FONT_FIRST;
    return index < range ? (uint32_t)(UI_FONT_FIRST + index) : ui_font_extras[index - range];
}

/* A mark stands around the middle of a capital letter. */
static void draw_mark(struct ui_font *font, uint32_t code, int pixel_size, struct ui_glyph *glyph)
{
    const int room = font->fixed_advance > 0 ? font->fixed_advance : pixel_size;
    const int wanted = (pixel_size * 4 + 2) / 5;
    const int size = wanted < room ? wanted : room;
    uint8_t *coverage = base_arena_array(&font->arena, (size_t)size, (size_t)size);
    if (coverage == NULL) {
        return;
    }
    ui_marks_draw(code, size, coverage);
    *glyph = (struct ui_glyph){.coverage = coverage,
                               .width = size,
                               .height = size,
                               .left = (room - size) / 2,
                               .top = (font->capital + size + 1) / 2,
                               .advance = room};
}

static void load_glyphs(struct ui_font *font, FT_Face face, int pixel_size)
{
    struct ui_glyph *stand_in = &font->glyphs[UI_FONT_END - UI_FONT_FIRST];
    const FT_UInt replacement = FT_Get_Char_Index(face, ui_font_extras[0]);
    load_glyph(font, face, replacement != 0 ? replacement : FT_Get_Char_Index(face, '?'), stand_in);
    for (size_t i = 0; i < UI_FONT_GLYPHS; i++) {
        const FT_UInt index = FT_Get_Char_Index(face, glyph_code(i));
        if (ui_marks_has(glyph_code(i))) {
            draw_mark(font, glyph_code(i), pixel_size, &font->glyphs[i]);
        } else if (index == 0) {
            font->glyphs[i] = *stand_in;
        } else {
            load_glyph(font, face, index, &font->glyphs[i]);
        }
    }
}

static void measure_face(struct ui_font *font, FT_Face face)
{
    font->ascent = (int)((face->size->metrics.ascender + 63) >> 6);
    font->line_height = (int)((face->size->metrics.height + 63) >> 6);
    if (FT_Load_Char(face, 'H', FT_LOAD_DEFAULT) == 0) {
        font->capital = (int)((face->glyph->metrics.horiBearingY + 32) >> 6);
        font->fixed_advance =
            FT_IS_FIXED_WIDTH(face) ? (int)((face->glyph->advance.x + 32) >> 6) : 0;
    }
}

static bool load_face(struct ui_font *font, const struct font_file *file, int pixel_size)
{
    FT_Library library = NULL;
    if (FT_Init_FreeType(&library) != 0) {
        return false;
    }
    FT_Face face = NULL;
    bool good = FT_New_Face(library, file->path, file->index, &face) == 0;
    good = good && FT_Set_Pixel_Sizes(face, 0, (FT_UInt)pixel_size) == 0;
    if (good) {
        measure_face(font, face);
        load_glyphs(font, face, pixel_size);
    }
    (void)FT_Done_FreeType(library); /* the face goes with it */
    return good && !font->arena.failed;
}

static struct ui_font *create(const char *name, int pixel_size, const struct base_diag_sink *sink)
{
    const int least = pixel_size < UI_FONT_SIZE_MIN ? UI_FONT_SIZE_MIN : pixel_size;
    const int size = least > UI_FONT_SIZE_MAX ? UI_FONT_SIZE_MAX : least;
    struct ui_font *font = calloc(1, sizeof *font);
    if (font != NULL) {
        base_arena_init(&font->arena, ATLAS_LIMIT);
        struct font_file file;
        if (find_font(name, &file) && load_face(font, &file, size)) {
            return font;
        }
    }
    ui_font_free(font);
    base_report(sink, BASE_WARNING, (struct base_place){0},
                "install one, for example the package fonts-dejavu-core",
                "no %s font was found: its text is not drawn", name);
    return NULL;
}

struct ui_font *ui_font_create(int pixel_size, const struct base_diag_sink *sink)
{
    return create("sans-serif", pixel_size, sink);
}

struct ui_font *ui_font_create_mono(int pixel_size, const struct base_diag_sink *sink)
{
    return create("monospace", pixel_size, sink);
}

void ui_font_free(struct ui_font *font)
{
    if (font != NULL) {
        base_arena_free(&font->arena);
        free(font);
    }
}

const struct ui_glyph *ui_font_glyph(const struct ui_font *font, uint32_t code)
{
    const size_t range = UI_FONT_END - UI_FONT_FIRST;
    if (code >= UI_FONT_FIRST && code < UI_FONT_END) {
        return &font->glyphs[code - UI_FONT_FIRST];
    }
    for (size_t i = 0; i < UI_FONT_EXTRA_COUNT; i++) {
        if (ui_font_extras[i] == code) {
            return &font->glyphs[range + i];
        }
    }
    return &font->glyphs[range];
}

int ui_font_ascent(const struct ui_font *font)
{
    return font == NULL ? 0 : font->ascent;
}

int ui_font_line_height(const struct ui_font *font)
{
    return font == NULL ? 0 : font->line_height;
}

enum { WIDTH_MAX = 1 << 28 }; /* keeps sums of positions inside int */

int ui_text_width(const struct ui_font *font, struct base_span text)
{
    int width = 0;
    while (font != NULL && text.size > 0 && width < WIDTH_MAX) {
        width += ui_font_glyph(font, base_utf8_next(&text))->advance;
    }
    return width;
}

size_t ui_text_fit(const struct ui_font *font, struct base_span text, int width)
{
    struct base_span rest = text;
    int used = 0;
    while (rest.size > 0) {
        struct base_span behind = rest;
        const uint32_t code = base_utf8_next(&behind);
        used += font == NULL ? 0 : ui_font_glyph(font, code)->advance;
        if (used > width) {
            break;
        }
        rest = behind;
    }
    return text.size - rest.size;
}

/* round(a * b / 255) for a and b in 0..255 */
static uint32_t scale_255(uint32_t a, uint32_t b)
{
    const uint32_t product = a * b + 128;
    return (product + (product >> 8)) >> 8;
}

/* The part of `size` steps from `start` that lies in 0..limit. */
struct clip {
    int64_t first; /* steps to leave out */
    int64_t end;
};

static struct clip clip_steps(int64_t start, int64_t size, int64_t limit)
{
    const int64_t end = start + size > limit ? limit - start : size;
    return (struct clip){start < 0 ? -start : 0, end};
}

static void draw_glyph(const struct ui_surface *surface, const struct ui_glyph *glyph, int64_t x,
                       int64_t y, uint32_t colour, unsigned alpha)
{
    const struct clip columns = clip_steps(x, glyph->width, surface->width);
    const struct clip rows = clip_steps(y, glyph->height, surface->height);
    if (columns.first >= columns.end) {
        return;
    }
    for (int64_t row = rows.first; row < rows.end; row++) {
        const uint8_t *coverage = glyph->coverage + row * glyph->width;
        uint32_t *pixels = surface->pixels + (size_t)(y + row) * surface->stride;
        for (int64_t column = columns.first; column < columns.end; column++) {
            if (coverage[column] != 0) {
                uint32_t *pixel = &pixels[x + column];
                *pixel = ui_blend(*pixel, colour, scale_255(coverage[column], alpha));
            }
        }
    }
}

void ui_text_draw(const struct ui_font *font, const struct ui_surface *surface, int x, int y,
                  struct base_span text, uint32_t colour, unsigned alpha)
{
    assert(alpha <= 255);
    if (font == NULL || alpha == 0) {
        return;
    }
    int64_t pen = x;
    while (text.size > 0 && pen < surface->width) {
        const struct ui_glyph *glyph = ui_font_glyph(font, base_utf8_next(&text));
        draw_glyph(surface, glyph, pen + glyph->left, (int64_t)y - glyph->top, colour, alpha);
        pen += glyph->advance;
    }
}

void ui_text_number(char *text, size_t size, double number, int decimals, const char *unit)
{
    enum { NUMBER_MAX = 99999, DIGITS_MAX = 8 };
    char digits[DIGITS_MAX];
    size_t count = 0;
    size_t used = 0;
    const double bounded = number > NUMBER_MAX ? NUMBER_MAX : number > 0 ? number : 0;
    unsigned rest = (unsigned)(bounded * (decimals > 0 ? 10 : 1) + 0.5);
    do {
        digits[count++] = (char)('0' + rest % 10);
        rest /= 10;
    } while (rest > 0 || count < (size_t)decimals + 1);
    while (count > 0 && used + 2 < size) {
        text[used++] = digits[--count];
        if (decimals > 0 && count == 1) {
            text[used++] = '.';
        }
    }
    for (; *unit != '\0' && used + 1 < size; unit++) {
        text[used++] = *unit;
    }
    text[used] = '\0';
}
