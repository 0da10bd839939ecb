#include "app/board_window.h"

#include <stdlib.h>
#include <string.h>

#include "app/clock.h"
#include "ui/window.h"

enum {
    WIDTH = 640, /* of the window; another picture is put into its upper left corner */
    HEIGHT = 480,
    STEP = APP_BOARD_CLOCK / 60,
    PRESS = APP_BOARD_CLOCK / 10, /* cycles for which a button is down */
    BUTTONS = 3,
    LATE = 4, /* steps behind the clock from which on they are given up */
};

struct view {
    struct app_board *board;
    struct ui_window *window;
    uint32_t *picture;          /* of the board */
    uint32_t *shown;            /* WIDTH * HEIGHT */
    uint64_t released[BUTTONS]; /* cycle */
    bool closed;
};

static void hold_buttons(struct view *view)
{
    uint32_t buttons = 0;
    for (unsigned i = 0; i < BUTTONS; i++) {
        buttons |= (view->board->cpu.cycles < view->released[i] ? 1u : 0u) << i;
    }
    app_board_press(view->board, buttons);
}

static void type(struct view *view, const struct ui_event *event)
{
    if (event->kind == UI_EVENT_KEY && strcmp(event->key, "Enter") == 0) {
        (void)app_board_type(view->board, '\r');
    }
    for (const char *byte = event->text; event->kind == UI_EVENT_TEXT && *byte != '\0'; byte++) {
        if (*byte >= '1' && *byte < '1' + BUTTONS) {
            view->released[*byte - '1'] = view->board->cpu.cycles + PRESS;
        } else {
            (void)app_board_type(view->board, (uint8_t)*byte);
        }
    }
}

static void take_events(struct view *view)
{
    struct ui_event event;
    while (ui_window_poll(view->window, &event)) {
        view->closed |= event.kind == UI_EVENT_QUIT ||
                        (event.kind == UI_EVENT_KEY && strcmp(event.key, "Escape") == 0);
        type(view, &event);
    }
    hold_buttons(view);
}

static void show(struct view *view)
{
    const struct app_board_vga *vga = &view->board->vga;
    const uint32_t width = vga->width < WIDTH ? vga->width : WIDTH;
    const uint32_t height = vga->height < HEIGHT ? vga->height : HEIGHT;
    app_board_vga_picture(vga, view->picture);
    memset(view->shown, 0, sizeof(uint32_t) * WIDTH * HEIGHT);
    for (uint32_t y = 0; y < height; y++) {
        memcpy(&view->shown[(size_t)y * WIDTH], &view->picture[(size_t)y * vga->width],
               width * sizeof(uint32_t));
    }
    const struct ui_surface surface = {view->shown, WIDTH, HEIGHT, WIDTH};
    ui_window_present(view->window, &surface, NULL);
}

static void run(struct view *view, uint64_t last)
{
    struct app_board *board = view->board;
    const double step = (double)STEP / APP_BOARD_CLOCK;
    double due = app_clock_seconds();
    while (!view->closed && board->stop == APP_BOARD_RUNS && board->cpu.cycles < last) {
        take_events(view);
        const uint64_t end = board->cpu.cycles + STEP;
        while (board->cpu.cycles < end && board->stop == APP_BOARD_RUNS) {
            (void)app_board_run(board, end);
        }
        show(view);
        due += step;
        const double now = app_clock_seconds();
        due = due < now - LATE * step ? now : due;
        app_clock_sleep_until(due);
    }
}

int app_board_window(struct app_board *board, uint64_t last, const struct base_diag_sink *sink)
{
    const struct ui_window_config config = {
        .title = "froth board", .width = WIDTH, .height = HEIGHT};
    struct view view = {
        .board = board,
        .picture = calloc((size_t)APP_BOARD_VGA_SIDE * APP_BOARD_VGA_SIDE, sizeof(uint32_t)),
        .shown = calloc((size_t)WIDTH * HEIGHT, sizeof(uint32_t)),
    };
    int result = -1;
    if (view.picture == NULL || view.shown == NULL) {
        base_report(sink, BASE_ERROR, (struct base_place){0}, NULL, "not enough memory");
    } else if (ui_window_open(&view.window, &config, sink) == UI_WINDOW_OPEN) {
        run(&view, last);
        result = 0;
    }
    ui_window_close(view.window);
    free(view.picture);
    free(view.shown);
    return result;
}
