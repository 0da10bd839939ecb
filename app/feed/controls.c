#include "app/feed/controls.h"

#include <stdlib.h>

#include "base/os/stop.h"

static const struct app_control *const rows[] = {
#define APP_CONTROL(name) &app_control_##name,
#include "app/feed/controls.def"
};

enum { ROWS = sizeof rows / sizeof *rows };

struct app_controls {
    void *states[ROWS]; /* NULL: not asked for */
};

static int report_memory(const struct base_diag_sink *sink)
{
    base_report(sink, BASE_ERROR, (struct base_place){0}, NULL, "not enough memory");
    return -1;
}

struct app_controls *app_controls_open(const struct app_options *options,
                                       const struct base_diag_sink *sink)
{
    struct app_controls *controls = calloc(1, sizeof *controls);
    if (controls == NULL) {
        (void)report_memory(sink);
        return NULL;
    }
    for (int i = 0; i < ROWS; i++) {
        if (rows[i]->open(&controls->states[i], options, sink) != 0) {
            app_controls_close(controls);
            return NULL;
        }
    }
    return controls;
}

bool app_controls_poll(struct app_controls *controls, struct ui_call *call)
{
    for (int i = 0; controls != NULL && i < ROWS; i++) {
        if (controls->states[i] != NULL && rows[i]->poll(controls->states[i], call)) {
            return true;
        }
    }
    return false;
}

void app_controls_close(struct app_controls *controls)
{
    for (int i = ROWS - 1; controls != NULL && i >= 0; i--) {
        if (controls->states[i] != NULL) {
            rows[i]->close(controls->states[i]);
        }
    }
    free(controls);
}

/* Ctrl-C, or a terminal that is closed, ends the show as the command quit does: nothing of the
 * operator's is lost. */
struct signals {
    struct base_stop stop;
    bool told;
};

static int open_signals(void **state, const struct app_options *options,
                        const struct base_diag_sink *sink)
{
    (void)options;
    struct signals *signals = calloc(1, sizeof *signals);
    if (signals == NULL) {
        return report_memory(sink);
    }
    base_stop_begin(&signals->stop);
    *state = signals;
    return 0;
}

static bool poll_signals(void *state, struct ui_call *call)
{
    struct signals *signals = state;
    if (signals->told || !base_stop_wanted()) {
        return false;
    }
    signals->told = true;
    *call = (struct ui_call){.command = UI_COMMAND_QUIT};
    return true;
}

static void close_signals(void *state)
{
    const struct signals *signals = state;
    base_stop_end(&signals->stop);
    free(state);
}

const struct app_control app_control_signals = {open_signals, poll_signals, close_signals};

/* --do */
struct first_commands {
    struct ui_call calls[APP_LIST_MAX];
    size_t count;
    size_t given;
};

static int open_first(void **state, const struct app_options *options,
                      const struct base_diag_sink *sink)
{
    const struct app_list *words = &options->first_commands;
    struct first_commands *first = words->count > 0 ? calloc(1, sizeof *first) : NULL;
    if (words->count > 0 && first == NULL) {
        return report_memory(sink);
    }
    for (size_t i = 0; i < words->count; i++) {
        if (ui_call_parse(&first->calls[first->count], base_span_of(words->items[i]),
                          (struct base_place){0}, sink) == 0) {
            first->count++;
        }
    }
    *state = first;
    return 0;
}

static bool poll_first(void *state, struct ui_call *call)
{
    struct first_commands *first = state;
    if (first->given == first->count) {
        return false;
    }
    *call = first->calls[first->given++];
    return true;
}

const struct app_control app_control_first_commands = {open_first, poll_first, free};
