/* What messages of Open Sound Control mean: whatever their addresses, arguments and times are, they
 * end within their bounds. Each message of the data: a byte for what it has, its address up to a
 * NUL, and for each argument a type, then a number or a text up to a NUL. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "app/osc/address.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct input {
    const uint8_t *bytes;
    size_t size;
};

static uint8_t byte_of(struct input *input)
{
    if (input->size == 0) {
        return 0;
    }
    input->size--;
    return *input->bytes++;
}

/* A text in memory of its own, so that a read behind its end is seen. */
static char *text_of(struct input *input)
{
    size_t length = 0;
    while (length < input->size && input->bytes[length] != 0) {
        length++;
    }
    char *text = malloc(length + 1);
    if (text != NULL) {
        memcpy(text, input->bytes, length);
        text[length] = '\0';
    }
    const size_t taken = length < input->size ? length + 1 : length;
    input->bytes += taken;
    input->size -= taken;
    return text;
}

static double number_of(struct input *input)
{
    float number = 0;
    uint8_t bytes[sizeof number];
    for (size_t i = 0; i < sizeof bytes; i++) {
        bytes[i] = byte_of(input);
    }
    memcpy(&number, bytes, sizeof number);
    return (double)number;
}

static bool take_answer(void *user, unsigned client, const char *address,
                        const struct app_osc_value *values, size_t count)
{
    (void)user;
    volatile size_t length = strlen(address);
    if (client >= APP_OSC_CLIENTS || length >= APP_OSC_ADDRESS) {
        abort();
    }
    for (size_t i = 0; i < count; i++) {
        length = length + (values[i].type == 's' ? strlen(values[i].text) : 0);
    }
    return true;
}

static void take_text(void *user, const char *text)
{
    (void)user;
    if (strlen(text) >= ENGINE_CALL_TEXT) {
        abort();
    }
}

static void obey(void *user, enum app_source source, const struct engine_call *call)
{
    (void)user;
    (void)source;
    if (call->command == UI_COMMAND_NONE || call->command >= UI_COMMAND_COUNT ||
        memchr(call->text, '\0', sizeof call->text) == NULL || !isfinite(call->number)) {
        abort();
    }
}

static void set(void *user, unsigned value, double number)
{
    struct app_value_row row;
    (void)user;
    if (!app_value_row(value, &row) || !isfinite(number)) {
        abort();
    }
}

static bool ready(void *user)
{
    (void)user;
    return true;
}

static void hear(struct app_osc *osc, struct input *input, double now)
{
    enum { ARGUMENTS = 3 };
    static const char types[] = "ifsTFmbN";
    const uint8_t what = byte_of(input);
    char *texts[ARGUMENTS] = {NULL};
    struct app_osc_value values[ARGUMENTS];
    char *address = text_of(input);
    const size_t count = what % (ARGUMENTS + 1);
    for (size_t i = 0; i < count; i++) {
        values[i] = (struct app_osc_value){.type = types[byte_of(input) % (sizeof types - 1)]};
        if (values[i].type == 's') {
            values[i].text = texts[i] = text_of(input);
        } else if (values[i].type == 'i' || values[i].type == 'f') {
            values[i].number = number_of(input);
        }
        values[i].type = values[i].type == 's' && texts[i] == NULL ? 'N' : values[i].type;
    }
    const bool later = (what & 0x80) != 0;
    if (address != NULL) {
        app_osc_hear(osc, what / 4 % APP_OSC_CLIENTS, address, values, count, now,
                     later ? now + number_of(input) : now);
    }
    for (size_t i = 0; i < ARGUMENTS; i++) {
        free(texts[i]);
    }
    free(address);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const struct app_source_way *const ways[APP_SOURCE_COUNT] = {NULL};
    static const struct app_seen seen = {.frame = 1, .name = "preset"};
    const struct app_taker taker = {NULL, obey, set, ready};
    struct app_options options;
    struct input input = {data, size};
    app_options_default(&options);
    struct app_door *door = app_door_open(ways, &options, NULL);
    const struct app_osc_out out = {NULL, take_answer, take_text};
    struct app_osc *osc =
        door != NULL ? app_osc_create(app_door_inlet(door, APP_SOURCE_OSC), &out) : NULL;
    double now = 0;
    while (osc != NULL && input.size > 0) {
        hear(osc, &input, now);
        now += 0.1;
        app_osc_tick(osc, now);
        app_door_take(door, true, &taker);
        app_door_show(door, &seen);
    }
    app_osc_free(osc);
    app_door_close(door);
    return 0;
}
