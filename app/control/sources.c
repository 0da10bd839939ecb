/* Sources without a device: signals of the system, and the commands of --do. */
#include <assert.h>
#include <stdlib.h>

#include "app/control/control.h"
#include "base/os/thread.h"

static int report_memory(const struct base_diag_sink *sink)
{
    base_report(sink, BASE_ERROR, (struct base_place){0}, NULL, "not enough memory");
    return -1;
}

/* Ctrl-C, or a terminal that is closed, ends the show as the command quit does: nothing of the
 * operator's is lost. */
struct signals {
    struct base_stop stop;
    struct app_inlet *inlet;
    bool told;
};

static int start_signals(void **state, struct app_inlet *inlet, const struct app_options *options,
                         const struct base_diag_sink *sink)
{
    (void)options;
    struct signals *signals = calloc(1, sizeof *signals);
    if (signals == NULL) {
        return report_memory(sink);
    }
    base_stop_begin(&signals->stop);
    signals->inlet = inlet;
    *state = signals;
    return 0;
}

static void poll_signals(void *state)
{
    static const struct engine_call quit = {.command = UI_COMMAND_QUIT};
    struct signals *signals = state;
    if (!signals->told && base_stop_wanted()) {
        signals->told = true;
        (void)app_inlet_call(signals->inlet, &quit);
    }
}

static void stop_signals(void *state)
{
    const struct signals *signals = state;
    base_stop_end(&signals->stop);
    free(state);
}

const struct app_source_way app_source_signals = {start_signals, poll_signals, stop_signals};

/* --do: in their order, so that what needs a preset lets the others wait with it. They all fit into
 * the inlet. */
static_assert((int)APP_LIST_MAX <= (int)APP_INLET_CALLS, "all of --do fit");

static int start_first(void **state, struct app_inlet *inlet, const struct app_options *options,
                       const struct base_diag_sink *sink)
{
    (void)state;
    const struct app_list *words = &options->first_commands;
    struct engine_call call;
    for (size_t i = 0; i < words->count; i++) {
        if (ui_call_parse(&call, base_span_of(words->items[i]), (struct base_place){0}, sink) ==
            0) {
            (void)app_inlet_call(inlet, &call);
        }
    }
    return 0;
}

const struct app_source_way app_source_first_commands = {start_first, NULL, NULL};
