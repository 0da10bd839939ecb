#include "app/osc/address.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "app/osc/pattern.h"

/* Seconds between two answers of the same kind to one client: errors, and all addresses. */
static const double seldom = 1;

enum { SAYS = 160, BOARD_VARIABLES = 4 };

/* ---- readings ---- */

static const struct {
    const char *name;
    const char *type;
    const char *help;
} readings[] = {
#define APP_OSC_READING(name, type, of, help) {name, #type, help},
#include "app/osc/readings.def"
};

static const struct {
    const char *address;
    const char *arguments;
    const char *help;
} messages[] = {
#define APP_OSC_MESSAGE(address, arguments, help) {address, arguments, help},
#include "app/osc/messages.def"
};

enum { MESSAGES = sizeof messages / sizeof *messages };

enum { READINGS = sizeof readings / sizeof *readings };

static struct app_osc_value reading_of(const struct app_seen *seen, size_t index)
{
    const struct app_osc_value all[READINGS] = {
#define VALUE_f(of)                                                                                \
    {                                                                                              \
        'f', of, NULL                                                                              \
    }
#define VALUE_i(of)                                                                                \
    {                                                                                              \
        'i', of, NULL                                                                              \
    }
#define VALUE_s(of)                                                                                \
    {                                                                                              \
        's', 0, of                                                                                 \
    }
#define APP_OSC_READING(name, type, of, help) VALUE_##type(of),
#include "app/osc/readings.def"
    };
    return all[index];
}

/* ---- state ---- */

/* What a message asks for, once it is understood. */
struct action {
    double due;
    bool says;      /* the text of `call` to the operator */
    unsigned value; /* else; 0: it is the call */
    double number;
    struct engine_call call;
};

/* What is read: a value of the door; from FIRST_TEXT on one of its texts; and from FIRST_READING
 * on a reading. 0: nothing. */
enum { FIRST_TEXT = APP_VALUE_COUNT, FIRST_READING = FIRST_TEXT + APP_TEXT_COUNT };

struct subscription {
    unsigned what; /* 0: free */
    unsigned client;
    double apart; /* seconds */
    double next;
    double ends;
    uint64_t frame; /* that was told last */
};

struct app_osc {
    struct app_inlet *inlet;
    struct app_osc_out out;
    struct app_seen seen;
    struct subscription subscriptions[APP_OSC_SUBSCRIPTIONS];
    struct action later[APP_OSC_LATER];
    size_t later_count;
    double told[APP_OSC_CLIENTS];  /* when the next error may be told to a client, */
    double lists[APP_OSC_CLIENTS]; /* and the next list */
    double second;                 /* that began then, */
    unsigned patterns;             /* what came in it */
    unsigned said;
};

struct app_osc *app_osc_create(struct app_inlet *inlet, const struct app_osc_out *out)
{
    struct app_osc *osc = calloc(1, sizeof *osc);
    if (osc != NULL) {
        osc->inlet = inlet;
        osc->out = *out;
        osc->second = -INFINITY;
        for (unsigned i = 0; i < APP_OSC_CLIENTS; i++) {
            app_osc_forget(osc, i);
        }
    }
    return osc;
}

void app_osc_free(struct app_osc *osc)
{
    free(osc);
}

void app_osc_forget(struct app_osc *osc, unsigned client)
{
    for (size_t i = 0; i < APP_OSC_SUBSCRIPTIONS; i++) {
        if (osc->subscriptions[i].client == client) {
            osc->subscriptions[i].what = 0;
        }
    }
    osc->told[client] = osc->lists[client] = -INFINITY;
}

bool app_osc_subscribes(const struct app_osc *osc, unsigned client)
{
    for (size_t i = 0; i < APP_OSC_SUBSCRIPTIONS; i++) {
        const struct subscription *one = &osc->subscriptions[i];
        if (one->what != 0 && one->client == client) {
            return true;
        }
    }
    return false;
}

bool app_osc_waits(const struct app_osc *osc)
{
    bool waits = osc->later_count > 0;
    for (size_t i = 0; i < APP_OSC_SUBSCRIPTIONS; i++) {
        waits = waits || osc->subscriptions[i].what != 0;
    }
    return waits;
}

/* ---- answers ---- */

static unsigned find_what(const char *name)
{
    for (unsigned i = 0; i < READINGS; i++) {
        if (strcmp(readings[i].name, name) == 0) {
            return FIRST_READING + i;
        }
    }
    const enum app_text text = app_text_by_name(base_span_of(name));
    return text < APP_TEXT_COUNT ? FIRST_TEXT + text : app_value_by_name(base_span_of(name));
}

static const char *text_name(enum app_text text)
{
    return ui_command_rows[app_text_rows[text].command].name;
}

static const char *name_of(unsigned what)
{
    struct app_value_row row;
    (void)app_value_row(what, &row);
    return what >= FIRST_READING ? readings[what - FIRST_READING].name
           : what >= FIRST_TEXT  ? text_name((enum app_text)(what - FIRST_TEXT))
                                 : row.name;
}

/* Answers at the address "/is/NAME", or with another beginning. */
static bool answer(struct app_osc *osc, unsigned client, const char *before, unsigned what)
{
    char address[APP_OSC_ADDRESS];
    const int size = snprintf(address, sizeof address, "%s%s", before, name_of(what));
    const struct app_osc_value value =
        what >= FIRST_READING ? reading_of(&osc->seen, what - FIRST_READING)
        : what >= FIRST_TEXT  ? (struct app_osc_value){'s', 0, osc->seen.texts[what - FIRST_TEXT]}
                              : (struct app_osc_value){'f', osc->seen.values[what], NULL};
    return size < (int)sizeof address && osc->out.send(osc->out.user, client, address, &value, 1);
}

static const char *answer_now(struct app_osc *osc, unsigned client, const char *before,
                              const char *name)
{
    const unsigned what = find_what(name);
    if (what == 0) {
        return "nothing of this name can be read; /list names all";
    }
    (void)app_door_look(app_inlet_door(osc->inlet), &osc->seen);
    (void)answer(osc, client, before, what);
    return NULL;
}

static const char *subscribe(struct app_osc *osc, unsigned client, const char *name,
                             const struct app_osc_value *values, size_t count, double now)
{
    const unsigned what = find_what(name);
    struct subscription *to = NULL;
    if (what == 0) {
        return "nothing of this name can be read; /list names all";
    }
    if (count != 1 || values[0].text != NULL || !isfinite(values[0].number)) {
        return "it takes a number, how many answers a second";
    }
    for (size_t i = 0; i < APP_OSC_SUBSCRIPTIONS; i++) {
        struct subscription *one = &osc->subscriptions[i];
        if (one->what == what && one->client == client) {
            to = one;
            break;
        }
        to = to == NULL && one->what == 0 ? one : to;
    }
    if (to != NULL && values[0].number <= 0) {
        to->what = to->what == what && to->client == client ? 0 : to->what;
        return NULL;
    }
    if (to == NULL) {
        return "there are too many subscriptions";
    }
    const bool renews = to->what == what && to->client == client;
    *to = (struct subscription){.what = what,
                                .client = client,
                                .apart = 1 / fmin(values[0].number, APP_OSC_RATE),
                                .next = renews ? to->next : now,
                                .ends = now + APP_OSC_SUBSCRIBED,
                                .frame = renews ? to->frame : 0};
    return NULL;
}

static void list_one(struct app_osc *osc, unsigned client, const char *before, const char *name,
                     const char *argument, double low, double high, const char *help)
{
    char address[APP_OSC_ADDRESS];
    (void)snprintf(address, sizeof address, "%s%s", before, name);
    const struct app_osc_value values[] = {
        {'s', 0, address}, {'s', 0, argument}, {'f', low, NULL}, {'f', high, NULL}, {'s', 0, help}};
    (void)osc->out.send(osc->out.user, client, "/is/list", values, sizeof values / sizeof *values);
}

static void command_range(unsigned command, double *low, double *high)
{
    const bool of_show = command < ENGINE_COMMAND_COUNT;
    const enum engine_argument argument = ui_command_rows[command].argument;
    *low = of_show ? engine_command_rows[command].low : 0;
    *high = argument == ENGINE_ARGUMENT_SWITCH ? 1
            : of_show                          ? engine_command_rows[command].high
                                               : 0;
}

static const char *list(struct app_osc *osc, unsigned client, double now)
{
    struct app_value_row row;
    double low = 0;
    double high = 0;
    if (now - osc->lists[client] < seldom) {
        return "it is answered once a second";
    }
    osc->lists[client] = now;
    for (size_t i = 0; i < MESSAGES; i++) {
        list_one(osc, client, "", messages[i].address, messages[i].arguments, 0, 0,
                 messages[i].help);
    }
    for (unsigned i = 1; i < UI_COMMAND_COUNT; i++) {
        const struct ui_command_row *command = &ui_command_rows[i];
        command_range(i, &low, &high);
        list_one(osc, client, "/cmd/", command->name, engine_argument_names[command->argument], low,
                 high, command->help);
    }
    for (unsigned i = 0; i < APP_VALUE_COUNT; i++) {
        if (app_value_row(i, &row)) {
            list_one(osc, client, "/value/", row.name, "N", row.low, row.high, row.help);
        }
    }
    for (unsigned i = 0; i < APP_TEXT_COUNT; i++) {
        list_one(osc, client, "/value/", text_name((enum app_text)i), "WORDS", 0, 0,
                 app_text_rows[i].help);
    }
    for (size_t i = 0; i < READINGS; i++) {
        list_one(osc, client, "/get/", readings[i].name, "", 0, 0, readings[i].help);
    }
    return NULL;
}

/* ---- what a message asks for ---- */

/* Commands whose text may be the path of a file, which is not for the network. */
static const unsigned with_paths[] = {UI_COMMAND_LOAD, UI_COMMAND_SAVE, UI_COMMAND_PLAYLIST,
                                      UI_COMMAND_PLAYLIST_ADD};

/* Reads the argument of a command as the command line would. *idle: the button that gives this
 * command was let go. */
static const char *read_call(struct engine_call *call, bool *idle, unsigned command,
                             const struct app_osc_value *values, size_t count)
{
    enum { WORDS = ENGINE_CALL_TEXT + 64 };
    const enum engine_argument argument = ui_command_rows[command].argument;
    const bool number = count == 1 && values[0].text == NULL;
    const bool on = number && values[0].number >= 0.5;
    char words[WORDS];
    if (count > 1) {
        return "it takes one argument at most";
    }
    const bool pressed = argument == ENGINE_ARGUMENT_NONE || argument == ENGINE_ARGUMENT_STEP;
    *idle = number && pressed && values[0].number == 0;
    if (count == 0 || (number && argument == ENGINE_ARGUMENT_NONE)) {
        (void)snprintf(words, sizeof words, "%s", ui_command_rows[command].name);
    } else if (number && argument == ENGINE_ARGUMENT_SWITCH) {
        (void)snprintf(words, sizeof words, "%s %s", ui_command_rows[command].name,
                       on ? "on" : "off");
    } else if (number) {
        (void)snprintf(words, sizeof words, "%s %s%.9g", ui_command_rows[command].name,
                       command == UI_COMMAND_LOAD ? "=" : "", values[0].number);
    } else {
        const size_t size = strnlen(values[0].text, ENGINE_CALL_TEXT);
        for (size_t i = 0; i < sizeof with_paths / sizeof *with_paths; i++) {
            if (with_paths[i] == command && memchr(values[0].text, '/', size) != NULL) {
                return "it takes no path over the network";
            }
        }
        if (size >= ENGINE_CALL_TEXT) {
            return "the text is too long";
        }
        (void)snprintf(words, sizeof words, "%s %s", ui_command_rows[command].name, values[0].text);
    }
    return ui_call_parse(call, base_span_of(words), (struct base_place){0}, NULL) == 0
               ? NULL
               : "it does not take this argument";
}

/* What is left of the address behind this beginning; NULL: it begins with something else. */
static const char *behind(const char *address, const char *beginning)
{
    const size_t size = strlen(beginning);
    return strncmp(address, beginning, size) == 0 ? address + size : NULL;
}

/* /var/NAME NUMBER and /free/NAME are the commands hold and free; /var/NAME is answered. */
static const char *hold(struct app_osc *osc, unsigned client, const char *name,
                        const struct app_osc_value *values, size_t count, struct action *action,
                        bool *acts)
{
    char address[APP_OSC_ADDRESS];
    const bool is_name = name[0] != '\0' && strpbrk(name, " \t") == NULL;
    *acts = count > 0;
    if (count == 0) {
        (void)app_door_look(app_inlet_door(osc->inlet), &osc->seen);
        for (size_t i = 0; i < osc->seen.held_count; i++) {
            if (base_span_equal_nocase(base_span_of(osc->seen.held[i].name), base_span_of(name))) {
                const struct app_osc_value value = {'f', osc->seen.held[i].value, NULL};
                (void)snprintf(address, sizeof address, "/var/%s", name);
                (void)osc->out.send(osc->out.user, client, address, &value, 1);
                return NULL;
            }
        }
        return "no variable of this name is held";
    }
    if (!is_name || count > 1 || values[0].text != NULL || !isfinite(values[0].number)) {
        return "it takes one number";
    }
    action->call.command = UI_COMMAND_HOLD;
    (void)snprintf(action->call.text, sizeof action->call.text, "%s %.9g", name, values[0].number);
    return NULL;
}

static const char *load_number(struct engine_call *call, const struct app_osc_value *values,
                               size_t count)
{
    bool idle = false;
    if (count != 1 || values[0].text != NULL || !(values[0].number >= 0)) {
        return "it takes a number, from 0 on";
    }
    return read_call(call, &idle, UI_COMMAND_LOAD, values, count);
}

/* A message of MIDI: three numbers, or one that holds them. */
static const char *give_midi(struct engine_call *call, const struct app_osc_value *values,
                             size_t count)
{
    const bool packed = count == 1 && values[0].type == 'm';
    const unsigned all = packed ? (unsigned)values[0].number : 0;
    unsigned bytes[3] = {all >> 16 & 255, all >> 8 & 255, all & 255};
    for (size_t i = 0; i < 3 && count == 3; i++) {
        const bool is_number = values[i].type == 'i' || values[i].type == 'f';
        const double number = is_number ? values[i].number : -1;
        if (!(number >= 0 && number <= 255)) {
            return "it takes bytes";
        }
        bytes[i] = (unsigned)number;
    }
    if ((!packed && count != 3) || bytes[0] < 128) {
        return "it takes three bytes, the first from 128 to 255";
    }
    /* Programs and pressure have two bytes, clocks one. */
    const bool has_two = (bytes[0] & 0xE0) == 0xC0;
    char *text = call->text;
    call->command = UI_COMMAND_MIDI;
    if (bytes[0] >= 0xF8) {
        (void)snprintf(text, sizeof call->text, "%u", bytes[0]);
    } else if (has_two) {
        (void)snprintf(text, sizeof call->text, "%u %u", bytes[0], bytes[1]);
    } else {
        (void)snprintf(text, sizeof call->text, "%u %u %u", bytes[0], bytes[1], bytes[2]);
    }
    return NULL;
}

static const char *say(struct app_osc *osc, const struct app_osc_value *values, size_t count,
                       struct action *action)
{
    if (count != 1 || values[0].text == NULL) {
        return "it takes a text";
    }
    if (osc->said++ >= APP_OSC_SAID) {
        return "it is taken ten times a second";
    }
    action->says = true;
    (void)snprintf(action->call.text, sizeof action->call.text, "%s", values[0].text);
    return NULL;
}

/* Understands a message: answers it at once, or stores what it asks for in *action and sets *acts.
 * Returns what is wrong with it, or NULL. */
static const char *understand(struct app_osc *osc, unsigned client, const char *address,
                              const struct app_osc_value *values, size_t count, double now,
                              struct action *action, bool *acts)
{
    const char *name = NULL;
    const char *wrong = NULL;
    bool idle = false;
    *acts = true;
    if (strcmp(address, "/midi") == 0) {
        return give_midi(&action->call, values, count);
    }
    for (size_t i = 0; i < count; i++) {
        if (values[i].type == '\0' || strchr("ifsTF", values[i].type) == NULL) {
            return "it has an argument of another type than i, f, s, T and F";
        }
    }
    if ((name = behind(address, "/cmd/")) != NULL) {
        const unsigned command = ui_command_by_name(base_span_of(name));
        if (command == UI_COMMAND_NONE) {
            return "there is no such command; /list names all";
        }
        wrong = read_call(&action->call, &idle, command, values, count);
        *acts = !idle;
        return wrong;
    }
    if ((name = behind(address, "/value/")) != NULL && count > 0) {
        const enum app_text text = app_text_by_name(base_span_of(name));
        if (text < APP_TEXT_COUNT) {
            return values[0].text == NULL ? "it takes a text"
                                          : read_call(&action->call, &idle,
                                                      app_text_rows[text].command, values, count);
        }
        action->value = app_value_by_name(base_span_of(name));
        action->number = values[0].number;
        if (action->value == 0) {
            return "there is no such value; /list names all";
        }
        return count > 1 || values[0].text != NULL || !isfinite(action->number)
                   ? "it takes one number"
                   : NULL;
    }
    if ((name = behind(address, "/var/")) != NULL) {
        return hold(osc, client, name, values, count, action, acts);
    }
    if (strcmp(address, "/free") == 0 || (name = behind(address, "/free/")) != NULL) {
        action->call.command = UI_COMMAND_FREE;
        (void)snprintf(action->call.text, sizeof action->call.text, "%s", name != NULL ? name : "");
        return count > 0 ? "it takes no argument" : NULL;
    }
    if (strcmp(address, "/variable") == 0) {
        const bool is_one = count == 2 && values[0].type == 'i' && values[0].number >= 1 &&
                            values[0].number <= BOARD_VARIABLES;
        char variable[] = "osc1";
        variable[3] = (char)(variable[3] + (is_one ? (int)values[0].number - 1 : 0));
        return is_one ? hold(osc, client, variable, values + 1, 1, action, acts)
                      : "it takes 1 to 4, and a number";
    }
    if (strcmp(address, "/preset") == 0 && count > 0) {
        return values[0].text == NULL
                   ? "it takes a text"
                   : read_call(&action->call, &idle, UI_COMMAND_LOAD, values, count);
    }
    if (strcmp(address, "/patch") == 0 || (strcmp(address, "/preset/index") == 0 && count > 0)) {
        return load_number(&action->call, values, count);
    }
    if (strcmp(address, "/osd") == 0) {
        return say(osc, values, count, action);
    }
    *acts = false;
    if (strcmp(address, "/list") == 0) {
        return list(osc, client, now);
    }
    if ((name = behind(address, "/sub/")) != NULL) {
        return subscribe(osc, client, name, values, count, now);
    }
    if (count > 0) {
        return find_what(address + 1) != 0 ? "it takes no argument"
                                           : "there is no such address; /list names all";
    }
    if ((name = behind(address, "/get/")) != NULL) {
        return answer_now(osc, client, "/is/", name);
    }
    if ((name = behind(address, "/value/")) != NULL && find_what(name) < FIRST_READING) {
        return answer_now(osc, client, "/value/", name);
    }
    if (find_what(address + 1) >= FIRST_READING) {
        return answer_now(osc, client, "/", address + 1);
    }
    return "there is no such address; /list names all";
}

/* ---- messages ---- */

/* What the command sets does not depend on what stood there: it is a value by another address, so
 * that of the two the newer one counts. */
static bool says_all(const struct engine_call *call)
{
    const enum engine_argument argument = ui_command_rows[call->command].argument;
    return argument == ENGINE_ARGUMENT_NUMBER || call->absolute ||
           (argument == ENGINE_ARGUMENT_SWITCH && call->to != ENGINE_SWITCH_OTHER);
}

static void act(struct app_osc *osc, const struct action *action)
{
    const struct engine_call *call = &action->call;
    struct app_value_row row;
    if (action->says) {
        osc->out.say(osc->out.user, call->text);
    } else if (action->value != 0) {
        (void)app_inlet_value(osc->inlet, action->value, action->number);
    } else if (says_all(call) && app_value_row(call->command, &row)) {
        const double number = row.is_switch ? call->to == ENGINE_SWITCH_ON : call->number;
        (void)app_inlet_value(osc->inlet, call->command, number);
    } else {
        (void)app_inlet_call(osc->inlet, &action->call);
    }
}

/* A message to one address. Returns what is wrong with it, or NULL. */
static const char *hear_one(struct app_osc *osc, unsigned client, const char *address,
                            const struct app_osc_value *values, size_t count, double now,
                            double due)
{
    struct action action = {.due = due};
    bool acts = false;
    const char *wrong = understand(osc, client, address, values, count, now, &action, &acts);
    if (wrong != NULL || !acts) {
        return wrong;
    }
    if (!(due > now)) {
        act(osc, &action);
    } else if (due - now > APP_OSC_AHEAD) {
        return "its time is too far ahead";
    } else if (osc->later_count == APP_OSC_LATER) {
        return "too many messages wait for their time";
    } else {
        osc->later[osc->later_count++] = action;
    }
    return NULL;
}

/* Addresses that a pattern fits. */
struct fitting {
    struct app_osc_pattern pattern;
    size_t count; /* of those found, of which APP_OSC_FITS are kept */
    char addresses[APP_OSC_FITS][APP_OSC_ADDRESS];
};

static void fit(struct fitting *fitting, const char *before, const char *name)
{
    char address[APP_OSC_ADDRESS];
    const int size = snprintf(address, sizeof address, "%s%s", before, name);
    if (size < APP_OSC_ADDRESS && app_osc_pattern_fits(&fitting->pattern, address)) {
        if (fitting->count < APP_OSC_FITS) {
            memcpy(fitting->addresses[fitting->count], address, sizeof address);
        }
        fitting->count++;
    }
}

/* Of everything that is read, from `first` up to `end`. */
static void fit_read(struct fitting *fitting, const char *before, unsigned first, unsigned end)
{
    for (unsigned i = first; i < end && app_osc_pattern_may_fit(&fitting->pattern, before); i++) {
        if (name_of(i)[0] != '\0') {
            fit(fitting, before, name_of(i));
        }
    }
}

static void find_fitting(struct app_osc *osc, struct fitting *fitting)
{
    enum { READ_END = FIRST_READING + READINGS };
    for (unsigned i = 1;
         i < UI_COMMAND_COUNT && app_osc_pattern_may_fit(&fitting->pattern, "/cmd/"); i++) {
        fit(fitting, "/cmd/", ui_command_rows[i].name);
    }
    fit_read(fitting, "/value/", 1, FIRST_READING);
    fit_read(fitting, "/get/", 1, READ_END);
    fit_read(fitting, "/sub/", 1, READ_END);
    fit_read(fitting, "/", FIRST_READING, READ_END);
    for (size_t i = 0; i < MESSAGES; i++) {
        if (strstr(messages[i].address, "NAME") == NULL &&
            find_what(messages[i].address + 1) == 0) {
            fit(fitting, "", messages[i].address);
        }
    }
    (void)app_door_look(app_inlet_door(osc->inlet), &osc->seen);
    for (size_t i = 0; i < osc->seen.held_count; i++) {
        fit(fitting, "/var/", osc->seen.held[i].name);
        fit(fitting, "/free/", osc->seen.held[i].name);
    }
}

/* A message to each address that the pattern fits. What is wrong with one of them is counted, and
 * the last of it returned. */
static const char *hear_all(struct app_osc *osc, unsigned client, const char *pattern,
                            const struct app_osc_value *values, size_t count, double now,
                            double due)
{
    struct fitting fitting;
    const char *wrong = NULL;
    if (osc->patterns++ >= APP_OSC_PATTERNS) {
        return "there are too many patterns";
    }
    if (!app_osc_pattern_read(&fitting.pattern, pattern)) {
        return "a [ or { does not end";
    }
    fitting.count = 0;
    find_fitting(osc, &fitting);
    if (fitting.count == 0) {
        return "no address fits; /list names all";
    }
    if (fitting.count > APP_OSC_FITS) {
        return "it fits too many addresses";
    }
    for (size_t i = 0; i < fitting.count; i++) {
        const char *this_wrong =
            hear_one(osc, client, fitting.addresses[i], values, count, now, due);
        if (this_wrong != NULL && wrong != NULL) {
            app_inlet_refuse(osc->inlet);
        }
        wrong = this_wrong != NULL ? this_wrong : wrong;
    }
    return wrong;
}

void app_osc_hear(struct app_osc *osc, unsigned client, const char *address,
                  const struct app_osc_value *values, size_t count, double now, double due)
{
    const size_t looked = count < APP_OSC_ARGUMENTS ? count : APP_OSC_ARGUMENTS;
    const bool is_address =
        address[0] == '/' && strnlen(address, APP_OSC_ADDRESS) < APP_OSC_ADDRESS;
    if (now - osc->second >= 1) {
        osc->second = now;
        osc->patterns = osc->said = 0;
    }
    const char *wrong = !is_address ? "this is no address"
                        : app_osc_is_pattern(address)
                            ? hear_all(osc, client, address, values, looked, now, due)
                            : hear_one(osc, client, address, values, looked, now, due);
    if (wrong != NULL) {
        app_inlet_refuse(osc->inlet);
        if (now - osc->told[client] >= seldom) {
            char text[SAYS];
            (void)snprintf(text, sizeof text, "%.*s: %s", APP_OSC_ADDRESS - 1, address, wrong);
            const struct app_osc_value value = {'s', 0, text};
            osc->told[client] = now;
            (void)osc->out.send(osc->out.user, client, "/error", &value, 1);
        }
    }
}

/* Messages of one time are carried out in the order in which they came. */
static void act_in_time(struct app_osc *osc, double now)
{
    for (;;) {
        size_t first = osc->later_count;
        for (size_t i = 0; i < osc->later_count; i++) {
            const double due = osc->later[i].due;
            if (due <= now && (first == osc->later_count || due < osc->later[first].due)) {
                first = i;
            }
        }
        if (first == osc->later_count) {
            return;
        }
        act(osc, &osc->later[first]);
        osc->later_count--;
        memmove(&osc->later[first], &osc->later[first + 1],
                (osc->later_count - first) * sizeof *osc->later);
    }
}

void app_osc_tick(struct app_osc *osc, double now)
{
    bool looked = false;
    act_in_time(osc, now);
    for (size_t i = 0; i < APP_OSC_SUBSCRIPTIONS; i++) {
        struct subscription *one = &osc->subscriptions[i];
        if (one->what == 0 || now < one->next) {
            continue;
        }
        if (!looked) {
            (void)app_door_look(app_inlet_door(osc->inlet), &osc->seen);
            looked = true;
        }
        if (now >= one->ends) {
            one->what = 0;
        } else if (one->frame != osc->seen.frame) {
            one->frame = osc->seen.frame;
            one->next = fmax(one->next + one->apart, now);
            if (!answer(osc, one->client, "/is/", one->what)) {
                app_osc_forget(osc, one->client);
            }
        }
    }
}

/* ---- the reference ---- */

static void print_text(FILE *out, const char *text)
{
    for (; *text != '\0'; text++) {
        (void)fprintf(out, *text == '|' ? "\\|" : "%c", *text);
    }
}

static void print_row(FILE *out, const char *before, const char *name, const char *argument,
                      const char *help)
{
    (void)fprintf(out, "| `%s%s` | ", before, name);
    print_text(out, argument);
    (void)fputs(" | ", out);
    print_text(out, help);
    (void)fputs(" |\n", out);
}

void app_osc_print(FILE *out)
{
    enum { RANGE = 64 };
    static const char *const arguments[ENGINE_ARGUMENT_COUNT] = {
        [ENGINE_ARGUMENT_NONE] = "none",
        [ENGINE_ARGUMENT_SWITCH] = "1 or 0, or none for the other way",
        [ENGINE_ARGUMENT_STEP] = "a number, s \"=N\", or none for 1",
        [ENGINE_ARGUMENT_NUMBER] = "a number",
        [ENGINE_ARGUMENT_TEXT] = "s",
        [ENGINE_ARGUMENT_MAYBE] = "s, or none",
    };
    struct app_value_row row;
    char range[RANGE];
    (void)fputs("| message | argument | what it does |\n|---|---|---|\n", out);
    for (size_t i = 0; i < MESSAGES; i++) {
        print_row(out, "", messages[i].address, messages[i].arguments, messages[i].help);
    }
    (void)fputs("\n| command | argument | what it does |\n|---|---|---|\n", out);
    for (unsigned i = 1; i < UI_COMMAND_COUNT; i++) {
        print_row(out, "/cmd/", ui_command_rows[i].name, arguments[ui_command_rows[i].argument],
                  ui_command_rows[i].help);
    }
    (void)fputs("\n| value | from, to | what it is |\n|---|---|---|\n", out);
    for (unsigned i = 0; i < APP_VALUE_COUNT; i++) {
        if (app_value_row(i, &row)) {
            (void)snprintf(range, sizeof range, "%g, %g", row.low, row.high);
            print_row(out, "/value/", row.name, range, row.help);
        }
    }
    for (unsigned i = 0; i < APP_TEXT_COUNT; i++) {
        print_row(out, "/value/", text_name((enum app_text)i), "s", app_text_rows[i].help);
    }
    (void)fputs("\n| reading | type | what it is |\n|---|---|---|\n", out);
    for (size_t i = 0; i < READINGS; i++) {
        print_row(out, "/get/", readings[i].name, readings[i].type, readings[i].help);
    }
}
