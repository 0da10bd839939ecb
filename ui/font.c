#include "ui/font.h"

#include <fontconfig/fontconfig.h>
#include <ft2build.h>
#include FT_FREETYPE_H
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "ui/marks.h"
#include "ui/text.h"

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
