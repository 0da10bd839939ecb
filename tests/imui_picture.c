/* Pictures of the interface, to look at, and what they cost.
 *   imui_picture NAME.png [PIXELS]   a window of 1280 x 800 and all widgets in their states, at a
 * text size of PIXELS (14); larger text gets a larger picture imui_picture --speed milliseconds for
 * that window, the best of some runs */
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "app/video/video.h"
#include "base/os/print.h"
#include "ui/toolkit/imui.h"

enum {
    WIDTH = 1280,
    WINDOW_HEIGHT = 800,
    STATES_HEIGHT = 400,
    USUAL = 14,
    ROWS = 400,
    VALUES = 300
};

struct sheet {
    struct ui_imui *ui;
    struct ui_surface surface;
    struct ui_surface preview;
    float values[VALUES];
    struct ui_scroll list;
    struct ui_scroll source;
    char wanted[64];
    int size; /* of the text */
};

static const char *const names[] = {"Amber tide",
                                    "Nine rooms of glass",
                                    "Slow comet (night cut)",
                                    "Paper lanterns",
                                    "Undertow",
                                    "Kelp forest at noon",
                                    "Radio static and rain on a tin roof, long version",
                                    "Fern spiral",
                                    "Basalt",
                                    "Whale road"};
static const char *const makers[] = {"ana", "field unit 7", "m. okafor", "kobold", "lys"};
static const char *const tabs[] = {"Library", "Queue", "Live", "Editor", "Sound"};
static const char *const source[] = {"[preset00]",
                                     "fRating=4.000000",
                                     "fDecay=0.965",
                                     "nWaveMode=6",
                                     "bWaveThick=1",
                                     "// slow breathing of the zoom",
                                     "per_frame_1=wave_r = 0.5 + 0.4*sin(time*1.13);",
                                     "per_frame_2=zoom = 1.02 + 0.03*bass_att;",
                                     "per_frame_3=rot = 0.02*sin(0.4*time);",
                                     "per_pixel_1=warp = 0.1 + 0.4*rad*treb;",
                                     "per_pixel_2=cx = 0.5 + 0.1*cos(ang*3);"};

static struct ui_rect whole(const struct sheet *sheet)
{
    return (struct ui_rect){0, 0, sheet->surface.width, sheet->surface.height};
}

static void draw_list(struct sheet *sheet, struct ui_rect rect)
{
    struct ui_imui *ui = sheet->ui;
    const struct ui_theme *theme = ui_imui_theme(ui);
    const int gap = ui_imui_gap(ui);
    const int row_height = ui_imui_row(ui);
    ui_fill(ui_imui_surface(ui), rect, theme->panel, 255);
    rect = ui_inset(rect, gap);
    struct ui_rect search = ui_cut_top(&rect, row_height);
    (void)ui_cut_right(&search, gap + gap / 2);
    struct ui_rect clear = ui_cut_right(&search, 5 * gap);
    (void)ui_cut_right(&search, gap);
    (void)ui_field(ui, ui_id("search", 0), search, sheet->wanted, sizeof sheet->wanted, "Search");
    (void)ui_button(ui, ui_id("clear", 0), clear, "\xE2\x9C\x95");
    (void)ui_cut_top(&rect, gap);
    const struct ui_rows rows =
        ui_rows_begin(ui, ui_id("list", 0), rect, ROWS, row_height, 40, &sheet->list);
    ui_clip_begin(ui, rows.rect);
    for (size_t i = rows.first; i < rows.end; i++) {
        struct ui_rect row = ui_rows_rect(&rows, i, row_height);
        ui_row_ground(ui, row, i == 40);
        (void)ui_cut_left(&row, gap);
        int stars = (int)(i * 7 % 6);
        struct ui_rect right = ui_cut_right(&row, 12 * gap);
        (void)ui_stars(ui, ui_id("stars", (uint32_t)i), right, &stars);
        ui_label(ui, ui_cut_right(&row, 12 * gap), makers[i % 5], UI_TONE_FAINT, UI_ALIGN_LEFT);
        ui_label(ui, row, names[i % 10], UI_TONE_TEXT, UI_ALIGN_LEFT);
    }
    ui_clip_end(ui);
}

static void draw_source(struct sheet *sheet, struct ui_rect rect)
{
    struct ui_imui *ui = sheet->ui;
    const struct ui_font *font = ui_imui_mono(ui);
    const struct ui_theme *theme = ui_imui_theme(ui);
    const int height = ui_font_line_height(font) + 1;
    ui_fill(ui_imui_surface(ui), rect, theme->panel, 255);
    rect = ui_inset(rect, ui_imui_gap(ui));
    const struct ui_rows rows = ui_rows_begin(ui, ui_id("source", 0), rect, 200,
                                              height > 1 ? height : 16, 0, &sheet->source);
    for (size_t i = rows.first; i < rows.end; i++) {
        const int y = rows.y - rows.rect.y + (int)(i - rows.first) * height;
        char number[24];
        const int size = snprintf(number, sizeof number, "%4zu", i + 1);
        ui_text_draw(font, &rows.surface, 0, y + ui_font_ascent(font),
                     (struct base_span){number, (size_t)size}, theme->faint, 160);
        ui_text_draw(font, &rows.surface, 6 * ui_imui_gap(ui), y + ui_font_ascent(font),
                     base_span_of(source[i % (sizeof source / sizeof source[0])]), theme->text,
                     255);
    }
}

static void draw_numbers(struct sheet *sheet, struct ui_rect rect)
{
    static const struct {
        const char *name;
        double value, low, high;
    } rows[] = {{"Decay", 0.965, 0.9, 1},     {"Zoom", 1.02, 0.5, 1.5}, {"Rotation", -0.12, -1, 1},
                {"Warp", 0.38, 0, 2},         {"Echo alpha", 0, 0, 1},  {"Gamma", 2, 0, 8},
                {"Blend seconds", 2.7, 0, 10}};
    struct ui_imui *ui = sheet->ui;
    const int gap = ui_imui_gap(ui);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct ui_rect row = ui_cut_top(&rect, ui_imui_row(ui));
        (void)ui_cut_top(&rect, gap / 2);
        double value = rows[i].value;
        ui_label(ui, ui_cut_left(&row, 16 * gap), rows[i].name, UI_TONE_FAINT, UI_ALIGN_LEFT);
        (void)ui_slider(ui, ui_id("slider", (uint32_t)i), row, &value, rows[i].low, rows[i].high);
    }
}

static void draw_switches(struct sheet *sheet, struct ui_rect rect)
{
    static const char *const texts[] = {"Shuffle", "Hold this preset", "Hard cuts on the beat",
                                        "Show the name"};
    struct ui_imui *ui = sheet->ui;
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        bool on = i % 2 == 0;
        (void)ui_toggle(ui, ui_id("switch", (uint32_t)i), ui_cut_top(&rect, ui_imui_row(ui)),
                        texts[i], &on);
    }
    (void)ui_cut_top(&rect, ui_imui_gap(ui));
    struct ui_rect row = ui_cut_top(&rect, ui_imui_row(ui));
    static const char *const buttons[] = {"\xE2\x97\x80", "Next \xE2\x96\xB6", "Cut",
                                          "\xE2\x8F\xB8"};
    const int widths[] = {5, 12, 8, 5};
    for (size_t i = 0; i < 4; i++) {
        (void)ui_button(ui, ui_id("go", (uint32_t)i),
                        ui_cut_left(&row, widths[i] * ui_imui_gap(ui)), buttons[i]);
        (void)ui_cut_left(&row, ui_imui_gap(ui) / 2);
    }
}

static void draw_sound(struct sheet *sheet, struct ui_rect rect)
{
    struct ui_imui *ui = sheet->ui;
    const struct ui_theme *theme = ui_imui_theme(ui);
    const int gap = ui_imui_gap(ui);
    static const char *const bands[] = {"bass", "mid", "treble"};
    for (size_t i = 0; i < 3; i++) {
        struct ui_rect row = ui_cut_top(&rect, ui_imui_row(ui));
        ui_label(ui, ui_cut_left(&row, 16 * gap), bands[i], UI_TONE_FAINT, UI_ALIGN_LEFT);
        row = (struct ui_rect){row.x, row.y + row.height / 3, row.width, row.height / 3};
        ui_bar(ui, row, 0.8 - 0.23 * (double)i, 0.9 - 0.2 * (double)i, theme->good);
    }
    (void)ui_cut_top(&rect, gap);
    ui_imui_fill(ui, rect, gap / 2, theme->panel, 255);
    ui_curve(ui, ui_inset(rect, gap / 2), sheet->values, VALUES, -1, 1, theme->accent);
}

static void draw_window(struct sheet *sheet, struct ui_rect rect)
{
    struct ui_imui *ui = sheet->ui;
    const struct ui_theme *theme = ui_imui_theme(ui);
    const int gap = ui_imui_gap(ui);
    ui_fill(ui_imui_surface(ui), rect, theme->ground, 255);
    struct ui_rect top = ui_cut_top(&rect, ui_imui_row(ui) + gap);
    struct ui_rect bottom = ui_cut_bottom(&rect, ui_imui_row(ui));
    (void)ui_tabs(ui, ui_id("tabs", 0), top, tabs, 5, 0);
    (void)ui_cut_left(&bottom, gap);
    (void)ui_cut_right(&bottom, gap);
    ui_label(ui, ui_cut_right(&bottom, 30 * gap), "60.0 fps  \xE2\x97\x8F live", UI_TONE_ACCENT,
             UI_ALIGN_RIGHT);
    ui_label(ui, bottom, "amber tide.milk:31:9: warning: unknown key; it is left out",
             UI_TONE_WARNING, UI_ALIGN_LEFT);
    struct ui_rect left = ui_cut_left(&rect, rect.width * 11 / 24);
    draw_list(sheet, left);
    rect = ui_inset(rect, gap);
    struct ui_rect upper = ui_cut_top(&rect, rect.height * 9 / 20);
    (void)ui_cut_top(&rect, gap);
    struct ui_rect picture = ui_cut_left(&upper, upper.width / 2);
    (void)ui_cut_left(&upper, gap);
    struct ui_rect switches = ui_cut_bottom(&picture, 5 * ui_imui_row(ui) + 2 * gap);
    ui_picture(ui_imui_surface(ui), picture, &sheet->preview);
    (void)ui_cut_top(&switches, gap);
    draw_switches(sheet, switches);
    struct ui_rect numbers = ui_cut_top(&upper, 7 * (ui_imui_row(ui) + gap / 2));
    draw_numbers(sheet, numbers);
    (void)ui_cut_top(&upper, gap);
    draw_sound(sheet, upper);
    draw_source(sheet, rect);
}

enum widget { BUTTON, TOGGLE_OFF, TOGGLE_ON, TABS, SLIDER, FIELD, FIELD_EMPTY, STARS, WIDGETS };

static void draw_widget(struct ui_imui *ui, enum widget widget, struct ui_rect rect, char *text)
{
    bool on = widget == TOGGLE_ON;
    double value = 0.3;
    int stars = 3;
    const uint32_t id = ui_id("state", (uint32_t)(rect.x * 4096 + rect.y));
    switch (widget) {
    case BUTTON:
        (void)ui_button(ui, id, rect, "Take over");
        break;
    case TOGGLE_OFF:
    case TOGGLE_ON:
        (void)ui_toggle(ui, id, rect, "Hold this preset", &on);
        break;
    case TABS:
        (void)ui_tabs(ui, id, rect, tabs, 3, 1);
        break;
    case SLIDER:
        (void)ui_slider(ui, id, rect, &value, -1, 1);
        break;
    case FIELD:
    case FIELD_EMPTY:
        (void)ui_field(ui, id, rect, text, 64, "Search");
        break;
    case STARS:
        (void)ui_stars(ui, id, rect, &stars);
        break;
    case WIDGETS:
        break;
    }
}

/* One widget through the frames that bring it into a state: idle, under the mouse, held, focused.
 */
static void draw_state(struct sheet *sheet, enum widget widget, int state, struct ui_rect rect)
{
    struct ui_imui_input input = {
        .mouse_x = rect.x + rect.width / 4, .mouse_y = rect.y + 5, .mouse_inside = state > 0};
    char text[64] = "";
    if (widget == FIELD) {
        (void)snprintf(text, sizeof text, "slow comet, the long night cut of the autumn");
    }
    for (int frame = 0; frame < 3; frame++) {
        input.pressed = frame == 0 && state >= 2;
        input.released = frame == 1 && state == 3;
        input.mouse_down = input.pressed || (state == 2 && frame > 0);
        input.double_click = input.pressed && state == 3 && widget == FIELD && sheet->size > USUAL;
        ui_imui_begin(sheet->ui, &sheet->surface, &input);
        ui_fill(&sheet->surface, ui_inset(rect, -ui_imui_gap(sheet->ui) / 2),
                ui_imui_theme(sheet->ui)->panel, 255);
        draw_widget(sheet->ui, widget, rect, text);
        ui_imui_end(sheet->ui);
    }
    input = (struct ui_imui_input){0};
    ui_imui_focus(sheet->ui, 0);
    ui_imui_begin(sheet->ui, &sheet->surface, &input);
    ui_imui_end(sheet->ui);
}

static void draw_states(struct sheet *sheet, struct ui_rect rect)
{
    const int gap = ui_imui_gap(sheet->ui);
    ui_fill(&sheet->surface, rect, ui_imui_theme(sheet->ui)->panel, 255);
    rect = ui_inset(rect, gap);
    for (int widget = 0; widget < WIDGETS; widget++) {
        struct ui_rect row = ui_cut_top(&rect, ui_imui_row(sheet->ui));
        (void)ui_cut_top(&rect, 2 * gap);
        for (int state = 0; state < 4; state++) {
            draw_state(sheet, (enum widget)widget, state, ui_cut_left(&row, 36 * gap));
            (void)ui_cut_left(&row, 2 * gap);
        }
    }
}

static int create(struct sheet *sheet, int size)
{
    sheet->size = size;
    const int width = WIDTH * size / USUAL;
    const int height = (WINDOW_HEIGHT + STATES_HEIGHT) * size / USUAL;
    sheet->surface = (struct ui_surface){NULL, width, height, (size_t)width};
    sheet->surface.pixels = calloc((size_t)width * (size_t)height, sizeof(uint32_t));
    sheet->preview = (struct ui_surface){NULL, 1280, 720, 1280};
    sheet->preview.pixels = calloc(1280 * 720, sizeof(uint32_t));
    sheet->ui = ui_imui_create(size, &base_diag_stderr);
    if (sheet->surface.pixels == NULL || sheet->preview.pixels == NULL || sheet->ui == NULL) {
        return -1;
    }
    for (int i = 0; i < 1280 * 720; i++) {
        const double x = i % 1280 / 720.0 - 0.89;
        const double y = i / 1280 / 720.0 - 0.5;
        const double wave = sin(24 * sqrt(x * x + y * y) + 3 * atan2(y, x));
        const uint32_t light = (uint32_t)(127 + 120 * wave);
        sheet->preview.pixels[i] = light << 16 | light / 3 << 8 | (255 - light) / 2;
    }
    for (size_t i = 0; i < VALUES; i++) {
        sheet->values[i] = (float)(sin((double)i * 0.11) * exp(-(double)i * 0.008));
    }
    return 0;
}

static void draw_frame(struct sheet *sheet, int mouse_x, int mouse_y)
{
    const int scale = sheet->size;
    const struct ui_imui_input input = {.mouse_x = mouse_x * scale / USUAL,
                                        .mouse_y = mouse_y * scale / USUAL,
                                        .mouse_inside = true};
    struct ui_rect rect = whole(sheet);
    ui_imui_begin(sheet->ui, &sheet->surface, &input);
    draw_window(sheet, ui_cut_top(&rect, WINDOW_HEIGHT * scale / USUAL));
    ui_imui_end(sheet->ui);
}

static double milliseconds_now(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return 1e3 * (double)now.tv_sec + 1e-6 * (double)now.tv_nsec;
}

static void measure(struct sheet *sheet)
{
    double best = 1e9;
    for (int run = 0; run < 200; run++) {
        const double start = milliseconds_now();
        draw_frame(sheet, 300, 300);
        const double took = milliseconds_now() - start;
        best = took < best ? took : best;
    }
    printf("%.2f ms\n", best);
}

static int write_picture(const struct sheet *sheet, const char *output)
{
    const struct app_video_format format = {.width = sheet->surface.width,
                                            .height = sheet->surface.height,
                                            .rate = {1, 1},
                                            .frames = 1};
    struct app_video *video = app_video_open(output, &format, &base_diag_stderr);
    if (video == NULL) {
        return -1;
    }
    if (app_video_frame(video, sheet->surface.pixels) != 0) {
        app_video_discard(video);
        return -1;
    }
    return app_video_finish(video);
}

int main(int count, char **arguments)
{
    (void)signal(SIGPIPE, SIG_IGN);
    if (count < 2) {
        fprintf(stderr, "usage: imui_picture NAME.png [PIXELS] | --speed\n");
        return 2;
    }
    struct sheet sheet = {0};
    int result = create(&sheet, count > 2 ? atoi(arguments[2]) : USUAL);
    if (result == 0 && strcmp(arguments[1], "--speed") == 0) {
        measure(&sheet);
    } else if (result == 0) {
        struct ui_rect rect = whole(&sheet);
        draw_frame(&sheet, 300, 300);
        draw_frame(&sheet, 300, 300);
        (void)ui_cut_top(&rect, WINDOW_HEIGHT * sheet.size / USUAL);
        draw_states(&sheet, rect);
        result = write_picture(&sheet, arguments[1]);
    }
    ui_imui_free(sheet.ui);
    free(sheet.surface.pixels);
    free(sheet.preview.pixels);
    return result == 0 ? 0 : 1;
}
