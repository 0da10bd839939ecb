/* Text by Pango and Cairo: which font has a glyph, how letters join, in which direction they run.
 * Plain text, of the Latin letters and signs that nearly all of it consists of, is drawn from
 * glyphs that are made with the font, without asking them again; all other text is shaped, drawn
 * once and kept as a picture. */
#include "ui/toolkit/text.h"

#include <assert.h>
#include <limits.h>
#include "late/pango.h"
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "ui/toolkit/parts.h"

/* Plain code points beyond UI_FONT_END; the first is drawn in place of what no font has. */
static const uint32_t extras[UI_FONT_EXTRA_COUNT] = {
    0xFFFD, 0x2010, 0x2013, 0x2014, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2026,
    0x20AC, 0x2212, 0x2260, 0x221E, 0x2190, 0x2191, 0x2192, 0x2193, 0x23F8, 0x25A0,
    0x25B2, 0x25B6, 0x25BC, 0x25C0, 0x25CF, 0x2605, 0x2606, 0x2713, 0x2715};

enum {
    ATLAS_LIMIT = 64 * 1024 * 1024,
    NO_LIMIT = INT_MAX,
    SHAPED_MAX = 1024, /* bytes of a text that are shaped; the rest of a longer one is cut off */
    PIXELS_MAX = 8192, /* pixels */
    KEPT_SETS = 128,
    KEPT_WAYS = 8,
    KEPT_BYTES = 8 * 1024 * 1024,
};

#if defined(__SANITIZE_ADDRESS__)
/* Fontconfig's patterns hold distances in place of pointers, which looks like a leak. The sanitizer
 * sees no hidden names. */
__attribute__((visibility("default"))) const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void)
{
    return "leak:libfontconfig\n";
}

__attribute__((visibility("default"))) const char *__lsan_default_options(void);
const char *__lsan_default_options(void)
{
    return "print_suppressions=0";
}
#endif

static const char ellipsis[] = "\xE2\x80\xA6";

struct ui_line {
    const struct ui_font *font;
    struct ui_glyph picture; /* of shaped text; its advance is the width of any */
    const uint32_t *colours; /* instead of coverage: 0xAARRGGBB, multiplied by alpha; NULL: none */
    size_t bytes;            /* of all this */
    int limit;               /* pixels that were asked for */
    size_t size;             /* of the text; that of plain text is cut already */
    const char *text;
};

/* A text that was shaped lately. */
struct kept {
    uint64_t hash;
    uint64_t used; /* the greater, the later */
    struct ui_line *line;
};

struct ui_shaper {
    PangoContext *context;
    PangoLayout *layout;
    uint32_t codes[SHAPED_MAX + 1]; /* of the text in the layout */
    size_t count;
    char text[4 * (SHAPED_MAX + 1)]; /* the same in UTF-8 */
    struct kept kept[KEPT_SETS][KEPT_WAYS];
    uint64_t uses;
    size_t bytes; /* of all lines kept */
};

/* ---- plain text ---- */

static size_t find_extra(uint32_t code)
{
    size_t i = 0;
    while (i < UI_FONT_EXTRA_COUNT && extras[i] != code) {
        i++;
    }
    return i;
}

const struct ui_glyph *ui_font_glyph(const struct ui_font *font, uint32_t code)
{
    const size_t range = UI_FONT_END - UI_FONT_FIRST;
    if (code >= UI_FONT_FIRST && code < UI_FONT_END) {
        return &font->glyphs[code - UI_FONT_FIRST];
    }
    const size_t extra = find_extra(code);
    return &font->glyphs[range + (extra < UI_FONT_EXTRA_COUNT ? extra : 0)];
}

/* Control characters count as plain: U+FFFD is drawn in their place. */
static bool is_plain(struct base_span text)
{
    while (text.size > 0) {
        if ((unsigned char)text.data[0] < 0x80) {
            text.data++;
            text.size--;
            continue;
        }
        const uint32_t code = base_utf8_next(&text);
        if (code >= UI_FONT_END && find_extra(code) == UI_FONT_EXTRA_COUNT) {
            return false;
        }
    }
    return true;
}

enum { WIDTH_MAX = 1 << 28 }; /* keeps sums of positions inside int */

static int plain_width(const struct ui_font *font, struct base_span text)
{
    int width = 0;
    while (text.size > 0 && width < WIDTH_MAX) {
        width += ui_font_glyph(font, base_utf8_next(&text))->advance;
    }
    return width;
}

static size_t plain_fit(const struct ui_font *font, struct base_span text, int width)
{
    struct base_span rest = text;
    int used = 0;
    while (rest.size > 0) {
        struct base_span behind = rest;
        used += ui_font_glyph(font, base_utf8_next(&behind))->advance;
        if (used > width) {
            break;
        }
        rest = behind;
    }
    return text.size - rest.size;
}

/* A beginning of plain text, and whether dots follow since there is more. */
struct cut {
    struct base_span text;
    bool dots;
    int width; /* with the dots */
};

static struct cut cut_plain(const struct ui_font *font, struct base_span text, int limit)
{
    struct cut cut = {text, limit != NO_LIMIT && plain_fit(font, text, limit) < text.size, 0};
    if (cut.dots) {
        cut.width = plain_width(font, base_span_of(ellipsis));
        cut.text.size = plain_fit(font, text, limit - cut.width);
    }
    cut.width += plain_width(font, cut.text);
    return cut;
}

/* round(a * b / 255) for a and b in 0..255 */
static uint32_t scale_255(uint32_t a, uint32_t b)
{
    const uint32_t product = a * b + 128;
    return (product + (product >> 8)) >> 8;
}

/* One pixel of a colour glyph; white is ink, which takes the colour of the text. */
static uint32_t blend_colours(uint32_t below, uint32_t over, uint32_t colour, unsigned alpha)
{
    const uint32_t keep = 255 - scale_255(over >> 24, alpha);
    uint32_t sum = 0;
    for (int shift = 0; shift < 24; shift += 8) {
        const uint32_t ink =
            scale_255(scale_255(over >> shift & 255, colour >> shift & 255), alpha);
        const uint32_t channel = scale_255(below >> shift & 255, keep) + ink;
        sum |= (channel < 255 ? channel : 255) << shift;
    }
    return sum;
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

/* (pen, y): on the baseline. colours: as in struct ui_line. */
static void draw_glyph(const struct ui_surface *surface, const struct ui_glyph *glyph,
                       const uint32_t *colours, int64_t pen, int64_t baseline, uint32_t colour,
                       unsigned alpha)
{
    const int64_t x = pen + glyph->left;
    const int64_t y = baseline - glyph->top;
    const struct clip columns = clip_steps(x, glyph->width, surface->width);
    const struct clip rows = clip_steps(y, glyph->height, surface->height);
    if (columns.first >= columns.end) {
        return;
    }
    for (int64_t row = rows.first; row < rows.end; row++) {
        uint32_t *pixels = surface->pixels + (size_t)(y + row) * surface->stride;
        if (colours != NULL) {
            const uint32_t *over = colours + row * glyph->width;
            for (int64_t column = columns.first; column < columns.end; column++) {
                uint32_t *pixel = &pixels[x + column];
                *pixel = blend_colours(*pixel, over[column], colour, alpha);
            }
            continue;
        }
        const uint8_t *coverage = glyph->coverage + row * glyph->width;
        for (int64_t column = columns.first; column < columns.end; column++) {
            if (coverage[column] != 0) {
                uint32_t *pixel = &pixels[x + column];
                *pixel = ui_blend(*pixel, colour, scale_255(coverage[column], alpha));
            }
        }
    }
}

static void draw_plain(const struct ui_font *font, const struct ui_surface *surface, int x, int y,
                       struct base_span text, uint32_t colour, unsigned alpha)
{
    int64_t pen = x;
    while (text.size > 0 && pen < surface->width) {
        const struct ui_glyph *glyph = ui_font_glyph(font, base_utf8_next(&text));
        draw_glyph(surface, glyph, NULL, pen, y, colour, alpha);
        pen += glyph->advance;
    }
}

/* ---- shaping ---- */

/* Draws one of our own marks where the layout has left room for it. */
static void show_mark(cairo_t *cairo, PangoAttrShape *shape, gboolean as_path, gpointer user)
{
    (void)as_path;
    (void)user;
    const struct ui_glyph *glyph = shape->data;
    cairo_surface_t *mask =
        cairo_image_surface_create(CAIRO_FORMAT_A8, glyph->width, glyph->height);
    uint8_t *pixels = cairo_image_surface_get_data(mask);
    if (pixels != NULL) {
        const size_t stride = (size_t)cairo_image_surface_get_stride(mask);
        for (int row = 0; row < glyph->height; row++) {
            memcpy(pixels + (size_t)row * stride, glyph->coverage + row * glyph->width,
                   (size_t)glyph->width);
        }
        cairo_surface_mark_dirty(mask);
        double x = 0;
        double y = 0;
        cairo_get_current_point(cairo, &x, &y);
        cairo_mask_surface(cairo, mask, x + glyph->left, y - glyph->top);
    }
    cairo_surface_destroy(mask);
}

/* Glyphs are always fitted to the pixels; their widths and those of lines only with METRICS_ON. */
static void set_hinting(PangoContext *context, cairo_hint_metrics_t metrics)
{
    cairo_font_options_t *options = cairo_font_options_create();
    cairo_font_options_set_antialias(options, CAIRO_ANTIALIAS_GRAY);
    cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_FULL);
    cairo_font_options_set_hint_metrics(options, metrics);
    pango_cairo_context_set_font_options(context, options);
    pango_context_set_round_glyph_positions(context, metrics == CAIRO_HINT_METRICS_ON);
    cairo_font_options_destroy(options);
}

static struct ui_shaper *open_shaper(const char *family, int pixel_size)
{
    struct ui_shaper *shaper = calloc(1, sizeof *shaper);
    if (shaper == NULL) {
        return NULL;
    }
    /* A map of its own: maps may not be shared by threads. */
    PangoFontMap *map = pango_cairo_font_map_new();
    shaper->context = pango_font_map_create_context(map);
    g_object_unref(map);
    PangoFontDescription *wanted = pango_font_description_new();
    pango_font_description_set_family(wanted, family);
    pango_font_description_set_absolute_size(wanted, (double)pixel_size * PANGO_SCALE);
    pango_context_set_font_description(shaper->context, wanted);
    pango_font_description_free(wanted);
    pango_cairo_context_set_shape_renderer(shaper->context, show_mark, NULL, NULL);
    set_hinting(shaper->context, CAIRO_HINT_METRICS_OFF);
    shaper->layout = pango_layout_new(shaper->context);
    pango_layout_set_single_paragraph_mode(shaper->layout, TRUE);
    pango_layout_set_ellipsize(shaper->layout, PANGO_ELLIPSIZE_END);
    return shaper;
}

static void set_layout(const struct ui_font *font)
{
    struct ui_shaper *shaper = font->shaper;
    PangoAttrList *marks = pango_attr_list_new();
    size_t size = 0;
    for (size_t i = 0; i < shaper->count; i++) {
        const uint32_t code = shaper->codes[i];
        const size_t end = size + (size_t)g_unichar_to_utf8(code, shaper->text + size);
        const struct ui_glyph *glyph = ui_marks_has(code) ? ui_font_glyph(font, code) : NULL;
        if (glyph != NULL && glyph->coverage != NULL) {
            const PangoRectangle ink = {glyph->left * PANGO_SCALE, -glyph->top * PANGO_SCALE,
                                        glyph->width * PANGO_SCALE, glyph->height * PANGO_SCALE};
            const PangoRectangle room = {0, -font->ascent * PANGO_SCALE,
                                         glyph->advance * PANGO_SCALE,
                                         font->line_height * PANGO_SCALE};
            PangoAttribute *mark =
                pango_attr_shape_new_with_data(&ink, &room, (gpointer)glyph, NULL, NULL);
            mark->start_index = (guint)size;
            mark->end_index = (guint)end;
            pango_attr_list_insert(marks, mark);
        }
        size = end;
    }
    pango_layout_set_attributes(shaper->layout, marks);
    pango_attr_list_unref(marks);
    pango_layout_set_text(shaper->layout, shaper->text, (int)size);
}

/* The code point of the layout's text that begins at a byte. */
static size_t code_at(const struct ui_shaper *shaper, int byte)
{
    return (size_t)g_utf8_pointer_to_offset(shaper->text, shaper->text + byte);
}

/* Puts U+FFFD in place of what no font has: that is no glyph, but a box with a number in it. */
static void leave_out_unknown(struct ui_shaper *shaper)
{
    PangoLayoutIter *iter = pango_layout_get_iter(shaper->layout);
    do {
        const PangoGlyphItem *run = pango_layout_iter_get_run_readonly(iter);
        for (int i = 0; run != NULL && i < run->glyphs->num_glyphs; i++) {
            const PangoGlyph glyph = run->glyphs->glyphs[i].glyph;
            const size_t code = code_at(shaper, run->item->offset + run->glyphs->log_clusters[i]);
            if (glyph != PANGO_GLYPH_EMPTY && (glyph & PANGO_GLYPH_UNKNOWN_FLAG) != 0 &&
                code < shaper->count) {
                shaper->codes[code] = BASE_UTF8_REPLACEMENT;
            }
        }
    } while (pango_layout_iter_next_run(iter));
    pango_layout_iter_free(iter);
}

/* Lays a text out in one line, cut with an ellipsis where it is wider than `limit`. Its code points
 * stay as many as in `text`, up to SHAPED_MAX bytes. */
static PangoLayout *lay_out(const struct ui_font *font, struct base_span text, int limit)
{
    struct ui_shaper *shaper = font->shaper;
    const size_t size = text.size;
    shaper->count = 0;
    while (text.size > 0) {
        const uint32_t code = base_utf8_next(&text);
        if (size - text.size > SHAPED_MAX) {
            shaper->codes[shaper->count++] = 0x2026;
            break;
        }
        const bool control = code < 0x20 || (code >= 0x7F && code < 0xA0);
        shaper->codes[shaper->count++] = control ? BASE_UTF8_REPLACEMENT : code;
    }
    pango_layout_set_width(shaper->layout, -1);
    set_layout(font);
    if (pango_layout_get_unknown_glyphs_count(shaper->layout) > 0) {
        leave_out_unknown(shaper);
        set_layout(font);
    }
    int width = 0;
    pango_layout_get_pixel_size(shaper->layout, &width, NULL);
    const int most = limit < PIXELS_MAX ? limit : PIXELS_MAX;
    if (width > most) {
        pango_layout_set_width(shaper->layout, (most > 0 ? most : 0) * PANGO_SCALE);
    }
    return shaper->layout;
}

/* One block of memory that holds all of a line, zero but for the text. */
static struct ui_line *make_line(const struct ui_font *font, struct base_span text, size_t more)
{
    const size_t head = (sizeof(struct ui_line) + text.size + 15) & ~(size_t)15;
    struct ui_line *line = calloc(1, head + more);
    if (line != NULL) {
        char *copy = (char *)(line + 1);
        memcpy(copy, text.data, text.size);
        *line =
            (struct ui_line){.font = font, .bytes = head + more, .size = text.size, .text = copy};
    }
    return line;
}

/* Shapes a text and draws it. NULL without memory. */
static struct ui_line *shape(const struct ui_font *font, struct base_span text, int limit)
{
    PangoLayoutLine *shaped = pango_layout_get_line_readonly(lay_out(font, text, limit), 0);
    PangoRectangle ink; /* from the baseline */
    PangoRectangle room;
    pango_layout_line_get_pixel_extents(shaped, &ink, &room);
    /* Piled up accents may not reach over the lines beside. */
    const int above = font->ascent + font->line_height / 2;
    const int top = -ink.y < above ? -ink.y : above;
    const int below = ink.y + ink.height;
    const int height = top + (below < font->line_height ? below : font->line_height);
    const int side = 2 * font->line_height; /* glyphs may reach over their room so far */
    const int left = ink.x > room.x - side ? ink.x : room.x - side;
    const int right = ink.x + ink.width < room.x + PIXELS_MAX + side ? ink.x + ink.width
                                                                     : room.x + PIXELS_MAX + side;
    const bool blank = right <= left || height <= 0;
    cairo_surface_t *surface = cairo_image_surface_create(
        CAIRO_FORMAT_ARGB32, blank ? 1 : right - left, blank ? 1 : height);
    cairo_t *cairo = cairo_create(surface);
    cairo_set_source_rgb(cairo, 1, 1, 1);
    cairo_move_to(cairo, -left, top);
    pango_cairo_show_layout_line(cairo, shaped);
    cairo_destroy(cairo);
    cairo_surface_flush(surface);
    /* The rows of such a surface follow each other without gaps. */
    const uint32_t *pixels = (const uint32_t *)(const void *)cairo_image_surface_get_data(surface);
    const size_t count = blank || pixels == NULL ? 0 : (size_t)(right - left) * (size_t)height;
    bool coloured = false;
    for (size_t i = 0; i < count && !coloured; i++) {
        coloured = pixels[i] != (pixels[i] >> 24) * 0x01010101;
    }
    struct ui_line *line = make_line(font, text, coloured ? count * sizeof *pixels : count);
    if (line != NULL) {
        void *copy = (char *)line + line->bytes - (coloured ? count * sizeof *pixels : count);
        line->limit = limit;
        line->picture.advance = room.width;
        if (count > 0) {
            line->picture.width = right - left;
            line->picture.height = height;
            line->picture.left = left - room.x;
            line->picture.top = top;
        }
        if (coloured) {
            memcpy(copy, pixels, count * sizeof *pixels);
            line->colours = copy;
        } else {
            uint8_t *coverage = copy;
            for (size_t i = 0; i < count; i++) {
                coverage[i] = (uint8_t)(pixels[i] >> 24);
            }
            line->picture.coverage = coverage;
        }
    }
    cairo_surface_destroy(surface);
    return line;
}

/* Frees what was not used for the longest time, but not `line`, until the rest is small enough. */
static void forget_old(struct ui_shaper *shaper, const struct ui_line *line)
{
    while (shaper->bytes > KEPT_BYTES) {
        struct kept *oldest = NULL;
        for (size_t i = 0; i < KEPT_SETS * KEPT_WAYS; i++) {
            struct kept *kept = &shaper->kept[i / KEPT_WAYS][i % KEPT_WAYS];
            if (kept->line != NULL && kept->line != line &&
                (oldest == NULL || kept->used < oldest->used)) {
                oldest = kept;
            }
        }
        if (oldest == NULL) {
            return;
        }
        shaper->bytes -= oldest->line->bytes;
        free(oldest->line);
        *oldest = (struct kept){0};
    }
}

/* The text shaped, from what is kept where it is there; valid until the next call. NULL without
 * memory. */
static const struct ui_line *find_line(const struct ui_font *font, struct base_span text, int limit)
{
    struct ui_shaper *shaper = font->shaper;
    const uint64_t hash =
        base_hash(base_hash(BASE_HASH_START, text.data, text.size), &limit, sizeof limit);
    struct kept *set = shaper->kept[hash % KEPT_SETS];
    struct kept *oldest = set;
    for (size_t way = 0; way < KEPT_WAYS; way++) {
        const struct ui_line *line = set[way].line;
        if (line != NULL && set[way].hash == hash && line->limit == limit &&
            base_span_equal(text, (struct base_span){line->text, line->size})) {
            set[way].used = ++shaper->uses;
            return line;
        }
        oldest = set[way].used < oldest->used ? &set[way] : oldest;
    }
    struct ui_line *line = shape(font, text, limit);
    if (line != NULL) {
        shaper->bytes += line->bytes - (oldest->line != NULL ? oldest->line->bytes : 0);
        free(oldest->line);
        *oldest = (struct kept){hash, ++shaper->uses, line};
        forget_old(shaper, line);
    }
    return line;
}

/* ---- the font ---- */

static uint32_t glyph_code(size_t index)
{
    const size_t range = UI_FONT_END - UI_FONT_FIRST;
    return index < range ? (uint32_t)(UI_FONT_FIRST + index) : extras[index - range];
}

/* A glyph that cannot be made stays empty. */
static void load_glyph(struct ui_font *font, uint32_t code, struct ui_glyph *glyph)
{
    char text[8];
    struct ui_line *line =
        shape(font, (struct base_span){text, (size_t)g_unichar_to_utf8(code, text)}, NO_LIMIT);
    if (line != NULL && line->colours == NULL) {
        const struct ui_glyph *picture = &line->picture;
        uint8_t *coverage =
            base_arena_array(&font->arena, (size_t)picture->height, (size_t)picture->width);
        if (coverage != NULL) {
            memcpy(coverage, picture->coverage, (size_t)picture->height * (size_t)picture->width);
            const int advance = glyph->advance;
            *glyph = *picture;
            glyph->coverage = coverage;
            glyph->advance = advance;
        }
    }
    free(line);
}

/* Widths are rounded once from the font's own, as FreeType does: to 1/64 of a pixel, then to
 * pixels. Pango rounds in one step, which is another pixel now and then. */
static void measure(struct ui_font *font, PangoFont *face)
{
    PangoFontMetrics *metrics = pango_font_get_metrics(face, NULL);
    font->ascent = PANGO_PIXELS_CEIL(pango_font_metrics_get_ascent(metrics));
    font->line_height = PANGO_PIXELS(pango_font_metrics_get_height(metrics));
    pango_font_metrics_unref(metrics);
    for (size_t i = 0; i < UI_FONT_GLYPHS; i++) {
        char text[8];
        const int size = g_unichar_to_utf8(glyph_code(i), text);
        PangoRectangle room;
        pango_layout_set_text(font->shaper->layout, text, size);
        pango_layout_get_extents(font->shaper->layout, NULL, &room);
        font->glyphs[i].advance = ((room.width + PANGO_SCALE / 128) / (PANGO_SCALE / 64) + 32) / 64;
    }
}

static void load_glyphs(struct ui_font *font, int pixel_size)
{
    struct ui_glyph *stand_in = &font->glyphs[UI_FONT_END - UI_FONT_FIRST];
    load_glyph(font, BASE_UTF8_REPLACEMENT, stand_in);
    for (size_t i = 0; i < UI_FONT_GLYPHS; i++) {
        const uint32_t code = glyph_code(i);
        if (code >= 0x7F && code < 0xA0) {
            font->glyphs[i] = *stand_in;
        } else if (code == 0xAD) { /* seen, as it ends no line here */
            font->glyphs[i] = *ui_font_glyph(font, '-');
        } else if (!ui_marks_has(code)) {
            load_glyph(font, code, &font->glyphs[i]);
        }
    }
    const struct ui_glyph *narrow = ui_font_glyph(font, 'i');
    font->capital = ui_font_glyph(font, 'H')->top;
    font->fixed_advance =
        narrow->advance == ui_font_glyph(font, 'W')->advance ? narrow->advance : 0;
    /* Our own marks stand around the middle of the height of a capital letter. */
    const int room = font->fixed_advance > 0 ? font->fixed_advance : pixel_size;
    const int wanted = (pixel_size * 4 + 2) / 5;
    const int size = wanted < room ? wanted : room;
    for (size_t i = 0; i < UI_FONT_GLYPHS; i++) {
        uint8_t *coverage = ui_marks_has(glyph_code(i))
                                ? base_arena_array(&font->arena, (size_t)size, (size_t)size)
                                : NULL;
        if (coverage != NULL) {
            ui_marks_draw(glyph_code(i), size, coverage);
            font->glyphs[i] = (struct ui_glyph){.coverage = coverage,
                                                .width = size,
                                                .height = size,
                                                .left = (room - size) / 2,
                                                .top = (font->capital + size + 1) / 2,
                                                .advance = room};
        }
    }
}

static struct ui_font *create(const char *family, int pixel_size, const struct base_diag_sink *sink)
{
    const char *lacks = base_late_load(&late_pango);
    if (lacks != NULL) {
        base_report(sink, BASE_WARNING, (struct base_place){0}, NULL, "no text is drawn: %s",
                    lacks);
        return NULL;
    }
    const int least = pixel_size < UI_FONT_SIZE_MIN ? UI_FONT_SIZE_MIN : pixel_size;
    const int size = least > UI_FONT_SIZE_MAX ? UI_FONT_SIZE_MAX : least;
    struct ui_font *font = calloc(1, sizeof *font);
    if (font != NULL) {
        base_arena_init(&font->arena, ATLAS_LIMIT);
        font->shaper = open_shaper(family, size);
    }
    PangoFont *face =
        font != NULL && font->shaper != NULL
            ? pango_context_load_font(font->shaper->context,
                                      pango_context_get_font_description(font->shaper->context))
            : NULL;
    if (face != NULL) {
        measure(font, face);
        g_object_unref(face);
        set_hinting(font->shaper->context, CAIRO_HINT_METRICS_ON);
        pango_layout_context_changed(font->shaper->layout);
        load_glyphs(font, size);
        if (!font->arena.failed) {
            return font;
        }
    }
    ui_font_free(font);
    base_report(sink, BASE_WARNING, (struct base_place){0},
                "install one, for example the package fonts-dejavu-core",
                "no %s font was found: its text is not drawn", family);
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
        struct ui_shaper *shaper = font->shaper;
        for (size_t i = 0; shaper != NULL && i < KEPT_SETS * KEPT_WAYS; i++) {
            free(shaper->kept[i / KEPT_WAYS][i % KEPT_WAYS].line);
        }
        if (shaper != NULL) {
            g_object_unref(shaper->layout);
            g_object_unref(shaper->context);
            free(shaper);
        }
        base_arena_free(&font->arena);
        free(font);
    }
}

int ui_font_ascent(const struct ui_font *font)
{
    return font == NULL ? 0 : font->ascent;
}

int ui_font_line_height(const struct ui_font *font)
{
    return font == NULL ? 0 : font->line_height;
}

/* ---- measuring and drawing ---- */

int ui_text_width(const struct ui_font *font, struct base_span text)
{
    if (font == NULL) {
        return 0;
    }
    if (is_plain(text)) {
        return plain_width(font, text);
    }
    const struct ui_line *line = find_line(font, text, NO_LIMIT);
    return line != NULL ? line->picture.advance : 0;
}

/* Bytes of so many code points. */
static size_t bytes_of(struct base_span text, size_t codes)
{
    struct base_span rest = text;
    while (codes-- > 0 && rest.size > 0) {
        (void)base_utf8_next(&rest);
    }
    return text.size - rest.size;
}

size_t ui_text_fit(const struct ui_font *font, struct base_span text, int width)
{
    if (font == NULL) {
        return text.size;
    }
    if (is_plain(text)) {
        return plain_fit(font, text, width);
    }
    int widths[SHAPED_MAX + 1]; /* of what a cluster of glyphs draws, at its first code point */
    PangoLayout *layout = lay_out(font, text, NO_LIMIT);
    for (size_t i = 0; i <= SHAPED_MAX; i++) {
        widths[i] = -1;
    }
    PangoLayoutIter *iter = pango_layout_get_iter(layout);
    do {
        PangoRectangle room;
        pango_layout_iter_get_cluster_extents(iter, NULL, &room);
        const size_t code = code_at(font->shaper, pango_layout_iter_get_index(iter));
        if (code <= SHAPED_MAX) {
            widths[code] = room.width + (widths[code] > 0 ? widths[code] : 0);
        }
    } while (pango_layout_iter_next_cluster(iter));
    pango_layout_iter_free(iter);
    int64_t used = 0;
    size_t fits = 0;
    for (size_t i = 0; i < font->shaper->count; i++) {
        fits = widths[i] >= 0 ? i : fits;
        used += widths[i] > 0 ? widths[i] : 0;
        if (used > (int64_t)width * PANGO_SCALE) {
            return bytes_of(text, fits);
        }
    }
    return bytes_of(text, font->shaper->count);
}

int ui_text_x(const struct ui_font *font, struct base_span text, size_t at)
{
    const struct base_span before = {text.data, at};
    if (font == NULL || is_plain(text)) {
        return ui_text_width(font, before);
    }
    PangoLayout *layout = lay_out(font, text, NO_LIMIT);
    size_t codes = 0;
    for (struct base_span rest = before; rest.size > 0; codes++) {
        (void)base_utf8_next(&rest);
    }
    codes = codes < font->shaper->count ? codes : font->shaper->count;
    const char *start = font->shaper->text;
    PangoRectangle cursor;
    pango_layout_get_cursor_pos(
        layout, (int)(g_utf8_offset_to_pointer(start, (glong)codes) - start), &cursor, NULL);
    return PANGO_PIXELS(cursor.x);
}

size_t ui_text_at(const struct ui_font *font, struct base_span text, int x)
{
    if (font == NULL || is_plain(text)) {
        const size_t before = ui_text_fit(font, text, x > 0 ? x : 0);
        struct base_span rest = {text.data + before, text.size - before};
        if (rest.size > 0) {
            (void)base_utf8_next(&rest);
        }
        const size_t behind = text.size - rest.size;
        const int a = ui_text_width(font, (struct base_span){text.data, before});
        const int b = ui_text_width(font, (struct base_span){text.data, behind});
        return x > (a + b) / 2 ? behind : before;
    }
    int byte = 0;
    int trailing = 0;
    const int inside = x < -PIXELS_MAX ? -PIXELS_MAX : x > 2 * PIXELS_MAX ? 2 * PIXELS_MAX : x;
    (void)pango_layout_xy_to_index(lay_out(font, text, NO_LIMIT), inside * PANGO_SCALE, 0, &byte,
                                   &trailing);
    return bytes_of(text, code_at(font->shaper, byte) + (size_t)trailing);
}

void ui_text_draw(const struct ui_font *font, const struct ui_surface *surface, int x, int y,
                  struct base_span text, uint32_t colour, unsigned alpha)
{
    assert(alpha <= 255);
    if (font == NULL || alpha == 0) {
        return;
    }
    if (is_plain(text)) {
        draw_plain(font, surface, x, y, text, colour, alpha);
        return;
    }
    ui_line_draw(find_line(font, text, NO_LIMIT), surface, x, y, colour, alpha);
}

void ui_text_draw_cut(const struct ui_font *font, const struct ui_surface *surface,
                      struct ui_rect rect, struct base_span text, uint32_t colour,
                      enum ui_align align)
{
    if (font == NULL) {
        return;
    }
    const int y = rect.y + (rect.height + font->capital) / 2;
    if (is_plain(text)) {
        const struct cut cut = cut_plain(font, text, rect.width);
        if (cut.width <= rect.width) {
            const int x = rect.x + (rect.width - cut.width) * (int)align / 2;
            draw_plain(font, surface, x, y, cut.text, colour, 255);
            if (cut.dots) {
                const struct base_span dots = base_span_of(ellipsis);
                draw_plain(font, surface, x + cut.width - plain_width(font, dots), y, dots, colour,
                           255);
            }
        }
        return;
    }
    const struct ui_line *line = find_line(font, text, NO_LIMIT);
    if (line != NULL && line->picture.advance > rect.width) {
        line = find_line(font, text, rect.width);
    }
    if (line != NULL && line->picture.advance <= rect.width) {
        const int x = rect.x + (rect.width - line->picture.advance) * (int)align / 2;
        ui_line_draw(line, surface, x, y, colour, 255);
    }
}

struct ui_line *ui_line_create(const struct ui_font *font, struct base_span text, int width)
{
    if (font == NULL) {
        return NULL;
    }
    if (!is_plain(text)) {
        return shape(font, text, width);
    }
    const struct cut cut = cut_plain(font, text, width);
    const size_t dots = cut.dots ? strlen(ellipsis) : 0;
    struct ui_line *line = make_line(font, cut.text, dots);
    if (line != NULL) {
        memcpy((char *)(line + 1) + cut.text.size, ellipsis, dots);
        line->size += dots;
        line->picture.advance = cut.width;
    }
    return line;
}

void ui_line_free(struct ui_line *line)
{
    free(line);
}

int ui_line_width(const struct ui_line *line)
{
    return line == NULL ? 0 : line->picture.advance;
}

void ui_line_draw(const struct ui_line *line, const struct ui_surface *surface, int x, int y,
                  uint32_t colour, unsigned alpha)
{
    assert(alpha <= 255);
    if (line == NULL || alpha == 0) {
        return;
    }
    if (line->picture.coverage == NULL && line->colours == NULL) {
        draw_plain(line->font, surface, x, y, (struct base_span){line->text, line->size}, colour,
                   alpha);
    } else {
        draw_glyph(surface, &line->picture, line->colours, x, y, colour, alpha);
    }
}

int ui_text_cells(uint32_t code)
{
    if (base_late_load(&late_pango) != NULL) {
        return 1; /* no text is drawn then */
    }
    return g_unichar_iszerowidth(code) ? 0 : g_unichar_iswide(code) ? 2 : 1;
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
