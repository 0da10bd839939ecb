/* A picture of the editor with a preset and what froth says of it, to look at, and what it costs.
 *   editor_picture NAME.png PRESET.milk PIXELS KEY...   after the keys; a KEY that begins with a
 *                                                       colon is typed, without the colon
 *   editor_picture --speed PRESET.milk PIXELS KEY...    milliseconds for a frame, the best of some
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "app/video/video.h"
#include "base/os/print.h"
#include "presets/presets.h"
#include "renderer/renderer.h"
#include "ui/editor/editor.h"

enum { WIDTH = 1000, HEIGHT = 640, USUAL = 14, FRAMES = 100 };

struct sheet {
    struct ui_imui *ui;
    struct ui_editor *editor;
    struct ui_surface surface;
    struct ui_imui_input input;
};

static int create(struct sheet *sheet, int pixels)
{
    sheet->ui = ui_imui_create(pixels, &base_diag_stderr);
    sheet->editor = ui_editor_create();
    sheet->surface.width = WIDTH * pixels / USUAL;
    sheet->surface.height = HEIGHT * pixels / USUAL;
    sheet->surface.stride = (size_t)sheet->surface.width;
    sheet->surface.pixels =
        calloc(sheet->surface.stride * (size_t)sheet->surface.height, sizeof(uint32_t));
    return sheet->ui == NULL || sheet->editor == NULL || sheet->surface.pixels == NULL ? -1 : 0;
}

static int load(struct ui_editor *editor, const char *path)
{
    static char text[UI_EDITOR_MAX];
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        perror(path);
        return -1;
    }
    const size_t size = fread(text, 1, sizeof text, file);
    (void)fclose(file);
    return ui_editor_load(editor, (struct base_span){text, size});
}

/* What froth says of the text as it stands now. */
static void judge(struct ui_editor *editor)
{
    static struct base_diag_list list;
    const struct base_diag_sink sink = base_diag_list_sink(&list);
    const struct base_span text = ui_editor_text(editor);
    struct preset preset;
    if (preset_read(&preset, "preset", text.data, text.size, &sink) == 0) {
        rend_patch_free(rend_patch_create(&preset, NULL, &sink));
        preset_free(&preset);
    }
    ui_editor_set_messages(editor, list.items, list.count);
}

static double draw_frame(struct sheet *sheet)
{
    struct timespec before;
    struct timespec after;
    (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &before);
    const int gap = ui_imui_gap(sheet->ui);
    const uint32_t id = ui_id("editor", 0);
    const struct ui_rect all = {0, 0, sheet->surface.width, sheet->surface.height};
    ui_imui_begin(sheet->ui, &sheet->surface, &sheet->input);
    ui_fill(&sheet->surface, all, ui_imui_theme(sheet->ui)->ground, 255);
    ui_imui_focus(sheet->ui, id);
    (void)ui_editor_draw(sheet->ui, id, ui_inset(all, gap), sheet->editor);
    ui_imui_end(sheet->ui);
    (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &after);
    return 1e3 * (double)(after.tv_sec - before.tv_sec) +
           1e-6 * (double)(after.tv_nsec - before.tv_nsec);
}

static void press(struct ui_editor *editor, const char *key)
{
    if (key[0] == ':') {
        ui_editor_type(editor, base_span_of(key + 1));
    } else if (!ui_editor_key(editor, key)) {
        fprintf(stderr, "no key of the editor: %s\n", key);
    }
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

static int show(struct sheet *sheet, const char *output)
{
    double best = draw_frame(sheet);
    for (int frame = 0; frame < FRAMES; frame++) {
        const double took = draw_frame(sheet);
        best = took < best ? took : best;
    }
    if (strcmp(output, "--speed") == 0) {
        printf("%.2f ms\n", best);
        return 0;
    }
    return write_picture(sheet, output);
}

int main(int count, char **arguments)
{
    (void)signal(SIGPIPE, SIG_IGN);
    if (count < 4) {
        fprintf(stderr, "usage: editor_picture NAME.png|--speed PRESET.milk PIXELS [KEY...]\n");
        return 2;
    }
    struct sheet sheet = {0};
    int result = create(&sheet, atoi(arguments[3]));
    if (result == 0 && (result = load(sheet.editor, arguments[2])) == 0) {
        (void)draw_frame(&sheet); /* the length of a page is known then */
        for (int i = 4; i < count; i++) {
            press(sheet.editor, arguments[i]);
        }
        judge(sheet.editor);
        result = show(&sheet, arguments[1]);
    }
    ui_editor_free(sheet.editor);
    ui_imui_free(sheet.ui);
    free(sheet.surface.pixels);
    return result == 0 ? 0 : 1;
}
