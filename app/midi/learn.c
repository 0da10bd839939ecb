#include <stdio.h>
#include <string.h>

#include "app/midi/state.h"
#include "ui/command.h"

static const struct base_place nowhere = {0};

static const char *kind_words(const struct engine_midi_learner *learner)
{
    switch (learner->mode) {
    case ENGINE_MIDI_MODE_TWOS:
    case ENGINE_MIDI_MODE_CENTRED:
    case ENGINE_MIDI_MODE_SIGN:
        return learner->both_ways ? "an encoder; turn it the other way too, then" : "an encoder;";
    case ENGINE_MIDI_MODE_TOGGLE:
        return "a button;";
    default:
        return "a knob or fader;";
    }
}

void app_midi_say_learning(struct app_midi *midi)
{
    char text[APP_MIDI_SAYS] = "move a knob or fader, or press a button, of a MIDI controller";
    char words[APP_MIDI_NAME];
    int state = atomic_load(&midi->learning);
    if (state == APP_MIDI_RESTS || state == APP_MIDI_TOUCHED) {
        text[0] = '\0';
    } else if (midi->learner.control.part != ENGINE_MIDI_IS_NOTHING) {
        app_midi_control_words(&midi->learner.control, words, sizeof words);
        (void)snprintf(text, sizeof text, "%.40s: %s, %s touch what it is to move",
                       midi->devices[midi->learner_device].name, words, kind_words(&midi->learner));
        /* The painter may have left this state meanwhile. */
        int expected = APP_MIDI_WAITS_FOR_MOVE;
        (void)atomic_compare_exchange_strong(&midi->learning, &expected, APP_MIDI_WAITS_FOR_TOUCH);
    }
    (void)pthread_mutex_lock(&midi->lock);
    midi->status.learns = text[0] != '\0';
    memcpy(midi->status.learning, text, sizeof text);
    (void)pthread_mutex_unlock(&midi->lock);
}

static void begin_learning(struct app_midi *midi)
{
    midi->watches = true;
    midi->learner = (struct engine_midi_learner){0};
    midi->learner_device = -1;
    midi->learn_due = base_clock_seconds() + APP_MIDI_LEARN_SECONDS;
    base_report(&midi->sink, BASE_NOTE, nowhere, NULL,
                "learning: move a control, then touch what "
                "it is to move");
    app_midi_say_learning(midi);
}

void app_midi_end_learning(struct app_midi *midi, const char *why)
{
    atomic_store(&midi->learning, APP_MIDI_RESTS);
    midi->watches = false;
    if (why != NULL) {
        base_report(&midi->sink, BASE_NOTE, nowhere, NULL, "%s", why);
    }
    app_midi_say_learning(midi);
}

/* The value that a call would set; 0: none. */
static unsigned value_of(const struct engine_call *call)
{
    struct app_value_row known;
    if (call->command == UI_COMMAND_SET) {
        struct base_span words = base_span_of(call->text);
        return app_value_by_name(base_span_next_word(&words));
    }
    return app_value_row(call->command, &known) ? call->command : 0;
}

/* What the control does from now on. */
static struct app_midi_row make_row(const struct app_midi *midi,
                                    const struct app_midi_request *touch)
{
    const struct engine_midi_learner *learner = &midi->learner;
    const bool button = learner->mode == ENGINE_MIDI_MODE_TOGGLE;
    const bool encoder = learner->mode == ENGINE_MIDI_MODE_TWOS ||
                         learner->mode == ENGINE_MIDI_MODE_CENTRED ||
                         learner->mode == ENGINE_MIDI_MODE_SIGN;
    struct app_midi_row row = {.control = learner->control, .call = touch->call};
    struct app_value_row known = {0};
    unsigned value = touch->number != 0 ? touch->number : value_of(&touch->call);
    (void)snprintf(row.device, sizeof row.device, "%s", midi->devices[midi->learner_device].name);
    (void)app_value_row(value, &known);
    /* A button that is to move what has more than two places does as was done. */
    const bool calls = button && !known.is_switch && touch->number == 0;
    row.value = calls ? 0 : value;
    app_midi_row_complete(&row);
    if (encoder && !known.is_switch) {
        row.mode = learner->mode;
    }
    return row;
}

static void learn_row(struct app_midi *midi, const struct app_midi_request *touch)
{
    char target[APP_MIDI_SAYS];
    char control[APP_MIDI_NAME];
    struct app_midi_source *learnt = &midi->sources[0];
    if (midi->learner.control.part == ENGINE_MIDI_IS_NOTHING || midi->learner_device < 0) {
        app_midi_end_learning(midi, "nothing was learnt");
        return;
    }
    const struct app_midi_row row = make_row(midi, touch);
    app_midi_control_words(&row.control, control, sizeof control);
    app_midi_target_words(&row, target, sizeof target);
    if (learnt->path[0] == '\0') {
        base_report(&midi->sink, BASE_WARNING, nowhere, "there is no folder for configurations",
                    "what was learnt cannot be kept");
    } else if (app_midi_learnt_add(learnt->path, &row, &midi->sink) == 0) {
        app_midi_look_at_maps(midi);
        base_report(&midi->sink, BASE_NOTE, nowhere, "the command forget takes it back",
                    "learnt: %s moves %s", control, target);
    }
    app_midi_end_learning(midi, NULL);
}

static void forget(struct app_midi *midi, unsigned which)
{
    struct app_midi_source *learnt = &midi->sources[0];
    const size_t count = learnt->good ? learnt->map.row_count : 0;
    const size_t at = which == 0 ? count : which;
    if (at == 0 || at > count) {
        base_report(&midi->sink, BASE_WARNING, nowhere, NULL,
                    count == 0 ? "nothing was learnt that could be forgotten"
                               : "%zu controls were learnt",
                    count);
        return;
    }
    const struct app_midi_row row = learnt->map.rows[at - 1];
    char control[APP_MIDI_NAME];
    app_midi_control_words(&row.control, control, sizeof control);
    if (app_midi_learnt_remove(learnt->path, &row, &midi->sink) == 0) {
        app_midi_look_at_maps(midi);
        base_report(&midi->sink, BASE_NOTE, nowhere, NULL, "forgotten: %s", control);
    }
}

void app_midi_obey(struct app_midi *midi, const struct app_midi_request *request)
{
    switch (request->kind) {
    case APP_MIDI_LEARN_ON:
        begin_learning(midi);
        break;
    case APP_MIDI_LEARN_OFF:
        app_midi_end_learning(midi, "nothing is learnt any more");
        break;
    case APP_MIDI_FORGET:
        forget(midi, request->number);
        break;
    default:
        learn_row(midi, request);
    }
}
