#include "ui/toolkit/imui.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ui/toolkit/parts.h"

const struct ui_theme ui_theme_dark = {
#define UI_THEME(name, colour, help) .name = colour,
#include "ui/toolkit/theme.def"
};

static const double wheel_rest = 0.4; /* seconds after which another widget may take the wheel */

static int larger(int a, int b)
{
    return a > b ? a : b;
}

static int clamp_size(int pixel_size)
{
    pixel_size = larger(pixel_size, UI_FONT_SIZE_MIN);
    return pixel_size < UI_FONT_SIZE_MAX ? pixel_size : UI_FONT_SIZE_MAX;
}

static void measure(struct ui_imui *ui)
{
    const int size = ui->pixel_size;
    ui->line = ui->font != NULL ? ui_font_line_height(ui->font) : size * 6 / 5;
    ui->row = ui->line + 2 * larger(size / 3, 2);
    ui->gap = larger(size / 2, 3);
    ui->hair = larger((size + 6) / 14, 1);
    ui->radius = larger(size / 4, 2);
}

struct ui_imui *ui_imui_create(int pixel_size, const struct base_diag_sink *sink)
{
    struct ui_imui *ui = calloc(1, sizeof *ui);
    if (ui != NULL) {
        ui->pixel_size = clamp_size(pixel_size);
        ui->font = ui_font_create(ui->pixel_size, sink);
        ui->mono = ui->font != NULL ? ui_font_create_mono(ui->pixel_size, sink) : NULL;
        measure(ui);
    }
    return ui;
}

void ui_imui_free(struct ui_imui *ui)
{
    if (ui != NULL) {
        ui_font_free(ui->font);
        ui_font_free(ui->mono);
        free(ui);
    }
}

int ui_imui_resize(struct ui_imui *ui, int pixel_size, const struct base_diag_sink *sink)
{
    pixel_size = clamp_size(pixel_size);
    if (pixel_size == ui->pixel_size) {
        return 0;
    }
    struct ui_font *font = ui->font == NULL ? NULL : ui_font_create(pixel_size, sink);
    struct ui_font *mono = ui->mono == NULL ? NULL : ui_font_create_mono(pixel_size, sink);
    if ((font == NULL) != (ui->font == NULL) || (mono == NULL) != (ui->mono == NULL)) {
        ui_font_free(font);
        ui_font_free(mono);
        return -1;
    }
    ui_font_free(ui->font);
    ui_font_free(ui->mono);
    ui->font = font;
    ui->mono = mono;
    ui->pixel_size = pixel_size;
    measure(ui);
    return 0;
}

static void use_clip(struct ui_imui *ui)
{
    ui->part = ui_surface_part(ui->surface, ui->clips[ui->clip_count - 1]);
}

void ui_imui_begin(struct ui_imui *ui, const struct ui_surface *surface,
                   const struct ui_imui_input *input)
{
    assert(ui->surface == NULL);
    ui->surface = surface;
    ui->input = input;
    ui->clips[0] = (struct ui_rect){0, 0, surface->width, surface->height};
    ui->clip_count = 1;
    ui->clip_lost = 0;
    use_clip(ui);
    /* The mouse let a widget go before it was pressed again within this frame. */
    ui->let_go = input->pressed ? ui->active : 0;
    ui->active = input->pressed ? 0 : ui->active;
    ui->had_mouse = ui->active;
    ui->focus = ui->next_focus;
    ui->focus_chosen = false;
    ui->focus_seen = false;
    ui->field_count = 0;
    /* The wheel turns one widget until the mouse moves or the wheel has rested. */
    const bool moved = input->mouse_x != ui->mouse_x || input->mouse_y != ui->mouse_y;
    if (moved || input->time - ui->wheel_time > wheel_rest || input->time < ui->wheel_time) {
        ui->wheel_owner = ui->wheel_over;
    }
    if (input->wheel != 0) {
        ui->wheel_time = input->time;
    }
    ui->wheel_over = 0;
    ui->mouse_x = input->mouse_x;
    ui->mouse_y = input->mouse_y;
}

static void move_focus(struct ui_imui *ui, size_t steps)
{
    for (size_t i = 0; i < ui->field_count; i++) {
        if (ui->fields[i] == ui->focus) {
            ui->next_focus = ui->fields[(i + steps) % ui->field_count];
            return;
        }
    }
}

/* Ends the keyboard's focus if its widget is no longer drawn, if the mouse was pressed elsewhere,
 * or by Escape; Tab moves it to another field. A focus that no widget claims with ui_imui_keyboard
 * stays until the caller that has set it ends it. */
static void end_focus(struct ui_imui *ui)
{
    const bool lost = ui->focus_was_seen && !ui->focus_seen;
    ui->focus_was_seen = ui->focus_seen;
    if (ui->focus == 0 || ui->focus_chosen || ui->next_focus != ui->focus) {
        ui->focus_was_seen = false;
    } else if (lost || (ui->focus_seen && (ui->input->pressed || ui_imui_key(ui, "Escape")))) {
        ui->next_focus = 0;
        ui->focus_was_seen = false;
    } else if (ui->focus_seen && !ui->focus_keeps_tab && ui->field_count > 0) {
        if (ui_imui_key(ui, "Tab")) {
            move_focus(ui, 1);
        } else if (ui_imui_key(ui, "Shift+Tab")) {
            move_focus(ui, ui->field_count - 1);
        }
    }
}

void ui_imui_end(struct ui_imui *ui)
{
    assert(ui->surface != NULL && ui->clip_count == 1 && ui->clip_lost == 0);
    if (ui->input->released || !ui->input->mouse_down) {
        ui->active = 0;
    }
    end_focus(ui);
    ui->surface = NULL;
    ui->input = NULL;
}

bool ui_imui_wants_keys(const struct ui_imui *ui)
{
    return ui->next_focus != 0;
}

bool ui_imui_has_keyboard(const struct ui_imui *ui, uint32_t id)
{
    return id != 0 && ui->next_focus == id;
}

void ui_imui_focus(struct ui_imui *ui, uint32_t id)
{
    if (id != ui->next_focus) {
        ui->cursor.id = 0; /* it is entered anew */
    }
    ui->next_focus = id;
    ui->focus_chosen = true;
}

bool ui_imui_keyboard(struct ui_imui *ui, uint32_t id, struct ui_rect rect, bool keeps_tab)
{
    if (!keeps_tab && ui->field_count < UI_IMUI_FIELDS) {
        ui->fields[ui->field_count++] = id;
    }
    const bool mine = ui->active == 0 || ui->active == id;
    const struct ui_rect seen = ui_rect_intersect(rect, ui->clips[ui->clip_count - 1]);
    if (ui->input->pressed && ui->input->mouse_inside && mine &&
        ui_rect_contains(seen, ui->input->mouse_x, ui->input->mouse_y)) {
        ui->focus = id;
        ui_imui_focus(ui, id);
    }
    if (ui->focus == id) {
        ui->focus_seen = true;
        ui->focus_keeps_tab = keeps_tab;
    }
    return ui->focus == id;
}

bool ui_imui_key(const struct ui_imui *ui, const char *name)
{
    const struct ui_imui_input *input = ui->input;
    for (size_t i = 0; i < input->key_count && i < UI_IMUI_KEYS; i++) {
        if (strncmp(input->keys[i], name, sizeof input->keys[i]) == 0) {
            return true;
        }
    }
    return false;
}

const struct ui_surface *ui_imui_surface(const struct ui_imui *ui)
{
    return ui->surface;
}

const struct ui_imui_input *ui_imui_input(const struct ui_imui *ui)
{
    return ui->input;
}

const struct ui_theme *ui_imui_theme(const struct ui_imui *ui)
{
    (void)ui;
    return &ui_theme_dark;
}

const struct ui_font *ui_imui_font(const struct ui_imui *ui)
{
    return ui->font;
}

const struct ui_font *ui_imui_mono(const struct ui_imui *ui)
{
    return ui->mono != NULL ? ui->mono : ui->font;
}

int ui_imui_row(const struct ui_imui *ui)
{
    return ui->row;
}

int ui_imui_gap(const struct ui_imui *ui)
{
    return ui->gap;
}

void ui_clip_begin(struct ui_imui *ui, struct ui_rect rect)
{
    if (ui->clip_count == UI_IMUI_CLIPS) {
        ui->clip_lost++;
        return;
    }
    ui->clips[ui->clip_count] = ui_rect_intersect(rect, ui->clips[ui->clip_count - 1]);
    ui->clip_count++;
    use_clip(ui);
}

void ui_clip_end(struct ui_imui *ui)
{
    if (ui->clip_lost > 0) {
        ui->clip_lost--;
        return;
    }
    assert(ui->clip_count > 1);
    ui->clip_count--;
    use_clip(ui);
}

static bool over(const struct ui_imui *ui, struct ui_rect rect)
{
    const struct ui_rect seen = ui_rect_intersect(rect, ui->clips[ui->clip_count - 1]);
    return ui->input->mouse_inside &&
           ui_rect_contains(seen, ui->input->mouse_x, ui->input->mouse_y);
}

bool ui_hovers(const struct ui_imui *ui, struct ui_rect rect)
{
    return ui->had_mouse == 0 && over(ui, rect);
}

bool ui_clicked(const struct ui_imui *ui, struct ui_rect rect)
{
    return ui->input->pressed && ui->active == 0 && ui_hovers(ui, rect);
}

bool ui_double_clicked(const struct ui_imui *ui, struct ui_rect rect)
{
    return ui->input->double_click && ui_clicked(ui, rect);
}

struct ui_imui_touch ui_imui_touch(struct ui_imui *ui, uint32_t id, struct ui_rect rect)
{
    assert(id != 0);
    struct ui_imui_touch touch = {0};
    touch.over = (ui->active == 0 || ui->active == id) && over(ui, rect);
    if (ui->input->pressed && touch.over && ui->active == 0) {
        ui->active = id;
        touch.pressed = true;
    }
    touch.held = ui->active == id;
    touch.clicked = (touch.held || ui->let_go == id) && touch.over && ui->input->released;
    return touch;
}

double ui_imui_wheel(struct ui_imui *ui, uint32_t id)
{
    ui->wheel_over = id;
    if (ui->wheel_owner == 0 && ui->input->wheel != 0) {
        ui->wheel_owner = id;
    }
    return ui->wheel_owner == id && isfinite(ui->input->wheel) ? ui->input->wheel : 0;
}
