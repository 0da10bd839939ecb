#include "board/firmware/net/net.h"

#include <stdlib.h>
#include <string.h>

#include "board/firmware/console.h"
#include "board/firmware/cpu.h"
#include "board/firmware/net/ip.h"
#include "board/net/osc.h"
#include "board/step/program.h"

enum {
    SHARES = 16,     /* of the processor's time the network has one */
    RESET_TICKS = 2, /* at most 30 a second: more than 30 milliseconds */
    LISTEN_SECONDS = 60,
    SILENCE_SECONDS = 10,
    PLACES = 32, /* of a network chip on its bus */
    OSC_VALUES = 4,
    CAPABILITY = 4,
};

/* A message that is being carried out. */
struct call {
    struct board_net *net;
    struct board_peer peer;
};

struct row {
    const char *address;
    const char *types;
    /* False: the arguments make no sense. */
    bool (*call)(const struct call *call, const struct board_osc_message *message);
    const char *help;
};

/* ---- settings ---- */

static bool is(const char *text, size_t size, const char *word)
{
    return strlen(word) == size && memcmp(text, word, size) == 0;
}

/* A number from 0 to most; *at is behind it. */
static bool read_number(const char **at, const char *end, uint32_t most, uint32_t *number)
{
    const char *begin = *at;
    for (*number = 0; *at < end && **at >= '0' && **at <= '9' && *number <= most; (*at)++) {
        *number = *number * 10 + (uint32_t)(**at - '0');
    }
    return *at != begin && *number <= most;
}

bool board_net_read(struct board_net_place *place, const char *text)
{
    const size_t size = strlen(text);
    const char *end = text + size;
    uint32_t address = 0;
    uint32_t bits = BOARD_NET_BITS;
    if (is(text, size, "off") || is(text, size, "dhcp")) {
        place->off = text[0] == 'o';
        place->dhcp = !place->off;
        return true;
    }
    for (unsigned i = 0; i < 4; i++) {
        uint32_t byte = 0;
        if ((i > 0 && (text == end || *text++ != '.')) ||
            !read_number(&text, end, UINT8_MAX, &byte)) {
            return false;
        }
        address = address << 8 | byte;
    }
    if (text < end && (*text++ != '/' || !read_number(&text, end, 30, &bits) || bits == 0)) {
        return false;
    }
    const uint32_t host = UINT32_MAX >> bits;
    if (text != end || (address & host) == 0 || (address & host) == host || address >> 29 == 7) {
        return false;
    }
    place->off = false;
    place->dhcp = false;
    place->address = address;
    place->bits = bits;
    return true;
}

/* ---- answers ---- */

static void send(struct board_net *net, struct board_peer peer, const char *address,
                 const struct board_osc_value *values, size_t count)
{
    const size_t size = board_osc_write(net->packet, sizeof net->packet, address, values, count);
    if (size > 0) {
        board_ip_send(net->ip, peer, net->packet, size);
    }
}

/* Once a second, to whoever sends the first one that is no good. */
static void complain(struct board_net *net, struct board_peer peer, const char *what,
                     const char *address)
{
    const struct board_osc_value values[] = {board_osc_text(what), board_osc_text(address)};
    net->faults++;
    if (net->age - net->fault_told >= net->rate) {
        net->fault_told = net->age;
        send(net, peer, "/error", values, 2);
    }
}

/* ---- values ---- */

static struct board_osc_value whole(uint32_t number)
{
    return board_osc_float(board_word(number, 0));
}

static struct board_osc_value level(const struct board_net *net, unsigned band)
{
    return board_osc_float(board_word(net->show->ready.level[band], 16));
}

#define BOARD_NET_VALUE(id, name, value, help)                                                     \
    static struct board_osc_value get_##id(const struct board_net *net)                            \
    {                                                                                              \
        return value;                                                                              \
    }
#include "board/firmware/net/addresses.def"

static const struct {
    const char *name;
    struct board_osc_value (*get)(const struct board_net *net);
    const char *help;
} values[] = {
#define BOARD_NET_VALUE(id, name, value, help) {name, get_##id, help},
#include "board/firmware/net/addresses.def"
};

enum { VALUES = sizeof values / sizeof *values };

static uint32_t find_value(const char *name)
{
    uint32_t i = 0;
    while (i < VALUES && strcmp(values[i].name, name) != 0) {
        i++;
    }
    return i;
}

static void tell(struct board_net *net, struct board_peer peer, uint32_t number)
{
    char address[BOARD_OSC_ADDRESS] = "/is/";
    const struct board_osc_value value = values[number].get(net);
    memcpy(address + 4, values[number].name, strlen(values[number].name) + 1);
    send(net, peer, address, &value, 1);
}

/* ---- what messages do ---- */

/* The word of an argument that is a number. */
static bool read_word(const struct board_osc_value *value, uint32_t *word)
{
    enum { EXPONENT = 0x7F800000 };
    if (value->type == 'i') {
        *word = board_word((int32_t)value->word, 0);
        return true;
    }
    const uint32_t exponent = value->word & EXPONENT;
    *word = exponent == 0 ? 0 : value->word;
    return exponent != EXPONENT;
}

static bool set_variable(const struct call *call, const struct board_osc_message *message)
{
    const uint32_t number = message->values[0].word - 1;
    uint32_t word = 0;
    if (number >= OSC_VALUES || !read_word(&message->values[1], &word)) {
        return false;
    }
    call->net->inputs->osc[number] = word;
    return true;
}

static bool set_value(const struct call *call, const struct board_osc_message *message)
{
    uint32_t word = 0;
    if (!read_word(&message->values[0], &word)) {
        return false;
    }
    call->net->inputs->osc[message->address[strlen(message->address) - 1] - '1'] = word;
    return true;
}

static bool hear_midi(const struct call *call, const struct board_osc_message *message)
{
    const struct board_osc_value *given = message->values;
    uint8_t bytes[3];
    for (unsigned i = 0; i < 3; i++) {
        const uint32_t byte = given->type == 'm' ? given->bytes[1 + i] : given[i].word;
        if (byte > (i == 0 ? UINT8_MAX : INT8_MAX)) {
            return false;
        }
        bytes[i] = (uint8_t)byte;
    }
    if (bytes[0] < 0x80 || bytes[0] >= 0xF0) {
        return false;
    }
    const uint32_t kind = bytes[0] & 0xF0;
    const unsigned count = kind == 0xC0 || kind == 0xD0 ? 2 : 3;
    for (unsigned i = 0; i < count; i++) {
        board_inputs_hear_midi(call->net->inputs, bytes[i]);
    }
    return true;
}

static struct board_net_request *new_request(struct board_net *net, enum board_net_kind kind)
{
    if (net->asked - net->taken == BOARD_NET_LINES) {
        return NULL;
    }
    struct board_net_request *request = &net->requests[net->asked % BOARD_NET_LINES];
    *request = (struct board_net_request){.kind = kind};
    return request;
}

/* A line of words that can be printed, for the program: `word`, and `text` behind a blank. */
static bool ask(struct board_net *net, enum board_net_kind kind, const char *word, const char *text)
{
    struct board_net_request *request = new_request(net, kind);
    const size_t first = strlen(word);
    const size_t second = strlen(text);
    const size_t blank = first > 0 && second > 0;
    if (request == NULL || first + blank + second > BOARD_NET_LINE) {
        return false;
    }
    memcpy(request->line, word, first);
    memcpy(request->line + first, " ", blank);
    memcpy(request->line + first + blank, text, second);
    for (char *at = request->line; *at != '\0'; at++) {
        *at = *at < ' ' || *at > '~' ? '?' : *at;
    }
    net->asked = net->asked + 1;
    return true;
}

/* Writes the number before the end of the room; returns where it begins. */
static const char *write_digits(char *end, uint32_t number)
{
    *--end = '\0';
    do {
        *--end = (char)('0' + number % 10);
        number /= 10;
    } while (number > 0);
    return end;
}

static bool ask_number(const struct call *call, const char *word, uint32_t number)
{
    char digits[11];
    return ask(call->net, BOARD_NET_COMMAND, word, write_digits(digits + sizeof digits, number));
}

/* /value/KEY; whether the setting takes the value, the program finds out. */
static bool set_setting(const struct call *call, const struct board_osc_message *message)
{
    char line[BOARD_OSC_ADDRESS];
    char digits[11];
    const char *key = strrchr(message->address, '/') + 1;
    const char *number = write_digits(digits + sizeof digits, message->values[0].word);
    const size_t size = strlen(key);
    memcpy(line, key, size);
    line[size] = '=';
    memcpy(line + size + 1, number, strlen(number) + 1);
    return ask(call->net, BOARD_NET_SETTING, "", line);
}

static bool load_number(const struct call *call, const struct board_osc_message *message)
{
    return ask_number(call, "load", message->values[0].word);
}

static bool load_name(const struct call *call, const struct board_osc_message *message)
{
    return ask(call->net, BOARD_NET_COMMAND, "load", (const char *)message->values[0].bytes);
}

static bool show_text(const struct call *call, const struct board_osc_message *message)
{
    return ask(call->net, BOARD_NET_CAPTION, "", (const char *)message->values[0].bytes);
}

static const char *name_of(const struct board_osc_message *message)
{
    return strchr(message->address + 1, '/') + 1;
}

static bool command(const struct call *call, const struct board_osc_message *message)
{
    const struct board_osc_value *given = message->values;
    if (message->count > 0 && given->type == 'i') {
        return ask_number(call, name_of(message), given->word);
    }
    return ask(call->net, BOARD_NET_COMMAND, name_of(message),
               message->count > 0 ? (const char *)given->bytes : "");
}

static bool get(const struct call *call, const struct board_osc_message *message)
{
    const uint32_t number = find_value(name_of(message));
    if (number < VALUES) {
        tell(call->net, call->peer, number);
    }
    return number < VALUES;
}

static bool is_peer(struct board_peer a, struct board_peer b)
{
    return a.address == b.address && a.port == b.port;
}

static bool subscribe(const struct call *call, const struct board_osc_message *message)
{
    struct board_net *net = call->net;
    const uint32_t number = find_value(name_of(message));
    uint32_t word = 0;
    if (number == VALUES || !read_word(&message->values[0], &word)) {
        return false;
    }
    struct board_net_listener *row = NULL;
    for (size_t i = 0; i < BOARD_NET_LISTENERS; i++) {
        struct board_net_listener *at = &net->listeners[i];
        const bool same = at->each > 0 && at->value == number && is_peer(at->peer, call->peer);
        row = same || (row == NULL && at->each == 0) ? at : row;
        if (same) {
            break;
        }
    }
    const int32_t rate = board_fixed(word, 16); /* a second, 16 bits of fraction */
    if (row == NULL) {
        return false;
    }
    *row = (struct board_net_listener){.peer = call->peer, .value = number};
    if (rate > 0) {
        const uint32_t each = (net->rate << 16) / (uint32_t)rate;
        row->left = LISTEN_SECONDS * net->rate;
        row->each = each == 0 ? 1 : each < row->left ? each : row->left;
    }
    return true;
}

static bool list(const struct call *call, const struct board_osc_message *message);

static const struct row rows[] = {
#define BOARD_NET_ADDRESS(address, types, function, help) {address, types, function, help},
#include "board/firmware/net/addresses.def"
};

static bool list(const struct call *call, const struct board_osc_message *message)
{
    (void)message;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct board_osc_value row[] = {board_osc_text(rows[i].address),
                                              board_osc_text(rows[i].types),
                                              board_osc_text(rows[i].help)};
        send(call->net, call->peer, "/is/list", row, 3);
    }
    for (size_t i = 0; i < VALUES; i++) {
        const struct board_osc_value row[] = {board_osc_text(values[i].name), board_osc_text(""),
                                              board_osc_text(values[i].help)};
        send(call->net, call->peer, "/is/list", row, 3);
    }
    return true;
}

static bool begins(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

static bool is_row(const struct row *row, const char *address)
{
    const bool open = row->address[strlen(row->address) - 1] == '/';
    return open ? begins(address, row->address) : strcmp(row->address, address) == 0;
}

/* i and f take each other only where a number is meant. */
static bool has_types(const struct row *row, const struct board_osc_message *message)
{
    bool good = strlen(row->types) == message->count;
    for (size_t i = 0; good && i < message->count; i++) {
        const char type = message->values[i].type;
        good = row->types[i] == type || (row->types[i] == 'v' && (type == 'i' || type == 'f'));
    }
    return good;
}

static void carry_out(void *user, const struct board_osc_message *message)
{
    const struct call *call = user;
    struct board_net *net = call->net;
    bool known = false;
    if (begins(message->address, "/send/")) {
        const size_t size = board_receiver_hear(&net->receiver, call->peer, message, net->packet);
        if (size > 0) {
            board_ip_send(net->ip, call->peer, net->packet, size);
        }
        return;
    }
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const bool is_it = is_row(&rows[i], message->address);
        known = known || is_it;
        if (is_it && has_types(&rows[i], message)) {
            if (!rows[i].call(call, message)) {
                complain(net, call->peer, "out of range, too long, or too many", message->address);
            }
            return;
        }
    }
    complain(net, call->peer, known ? "other arguments are wanted" : "no such address",
             message->address);
}

static void hear(void *user, struct board_peer peer, const uint8_t *bytes, size_t size)
{
    struct call call = {user, peer};
    if (!board_osc_read(bytes, size, carry_out, &call)) {
        complain(call.net, peer, "no message of Open Sound Control", "");
    }
}

/* ---- the task ---- */

static void send_frame(void *user, size_t size)
{
    struct board_net *net = user;
    (void)board_minimac_send(&net->mac, size);
}

static void tell_listeners(struct board_net *net)
{
    for (size_t i = 0; i < BOARD_NET_LISTENERS; i++) {
        struct board_net_listener *row = &net->listeners[i];
        if (row->each > 0) {
            row->left--;
            if (row->left % row->each == 0) {
                tell(net, row->peer, row->value);
            }
            row->each = row->left > 0 ? row->each : 0;
        }
    }
}

static void tick(struct board_net *net)
{
    const uint32_t half = net->rate / 2;
    net->ticks++;
    net->age++;
    net->spent = 0;
    if (net->age == RESET_TICKS) {
        board_minimac_start(&net->mac, net->handlers);
    }
    if (net->age > RESET_TICKS && net->age <= RESET_TICKS + PLACES && net->mac.phy < 0) {
        (void)board_minimac_look(&net->mac, net->age - RESET_TICKS - 1);
    }
    if (net->age > RESET_TICKS + PLACES && net->age % half == 0) {
        net->link = board_minimac_link(&net->mac);
        board_ip_half_second(net->ip, net->link);
    }
    if (net->age % net->rate == 0) {
        net->fps = net->show->account.frames - net->frames;
        net->frames = net->show->account.frames;
    }
    net->receiver.open = net->settings->receive != 0 && net->receiver.bytes != NULL;
    board_receiver_tick(&net->receiver);
    tell_listeners(net);
}

static bool has_work(const void *user)
{
    const struct board_net *net = user;
    return net->timer->ticks != net->ticks ||
           (board_minimac_has_frames(&net->mac) && net->spent < net->share);
}

/* Frames are taken until the share of this tick is spent. */
void board_net_run(void *user)
{
    struct board_net *net = user;
    for (;;) {
        board_tasks_wait(net->tasks, has_work, net);
        uint32_t before = board_cycles();
        if (net->timer->ticks != net->ticks) {
            tick(net);
        }
        struct board_minimac_frame *frame = NULL;
        while (net->spent < net->share && (frame = board_minimac_frame(&net->mac)) != NULL) {
            board_ip_frame(net->ip, frame->bytes + BOARD_MINIMAC_PAD, frame->size);
            board_minimac_drop(&net->mac);
            net->heard++;
            const uint32_t now = board_cycles();
            const uint32_t interrupts = net->mac.cycles;
            net->spent += now - before + interrupts - net->interrupts;
            net->interrupts = interrupts;
            before = now;
        }
        if (net->age >= RESET_TICKS && net->spent >= net->share) {
            board_minimac_pause(&net->mac);
        } else if (net->age >= RESET_TICKS) {
            board_minimac_resume(&net->mac);
        }
    }
}

bool board_net_begin(struct board_net *net)
{
    struct board_net_place place = {.address = BOARD_NET_FIXED, .bits = BOARD_NET_BITS};
    if (!board_net_read(&place, net->settings->network)) {
        board_print("network: '");
        board_print(net->settings->network);
        board_print("' is no address; 192.168.0.42 is taken\n");
    }
    if (place.off || (board_read(BOARD_CSR_system_capabilities) >> CAPABILITY & 1) == 0) {
        return false;
    }
    net->nameless = !board_minimac_begin(&net->mac);
    net->receiver.bytes = malloc(BOARD_TRANSFER_MAX);
    net->receiver.silence = SILENCE_SECONDS * net->rate;
    net->share = board_read(BOARD_CSR_system_frequency) / net->rate / SHARES;
    net->ticks = net->timer->ticks;
    const struct board_ip_setup setup = {
        .address = net->mac.address,
        .dhcp = place.dhcp,
        .fixed = place.address,
        .bits = place.bits,
        .port = BOARD_OSC_PORT,
        .out = board_minimac_out(&net->mac) + BOARD_MINIMAC_PAD,
        .send = send_frame,
        .hear = hear,
        .user = net,
    };
    const char *problem = NULL;
    net->ip = board_ip_create(&setup, &problem);
    if (net->ip == NULL) {
        board_print("network: ");
        board_print(problem);
        board_print("\n");
    }
    return net->ip != NULL;
}

/* ---- the program's side ---- */

struct board_net_request board_net_take(struct board_net *net)
{
    struct board_net_request request = {.kind = BOARD_NET_NOTHING};
    if (net->taken != net->asked) {
        request = net->requests[net->taken % BOARD_NET_LINES];
        net->taken = net->taken + 1;
    } else if (net->receiver.state == BOARD_RECEIVER_READY) {
        request.kind = BOARD_NET_PATCH;
    }
    return request;
}

void board_net_answer(struct board_net *net, enum board_transfer_result result, const char *text)
{
    const bool were_on = board_interrupts_on(false);
    board_receiver_answer(&net->receiver, result, text);
    (void)board_interrupts_on(were_on);
}

void board_net_tell(struct board_net *net, int32_t number, const char *name)
{
    const bool were_on = board_interrupts_on(false);
    const size_t length = strlen(name);
    const size_t size = length < BOARD_NET_NAME ? length : BOARD_NET_NAME - 1;
    net->number = number;
    memcpy(net->name, name, size);
    net->name[size] = '\0';
    (void)board_interrupts_on(were_on);
}

void board_net_print(struct board_net *net)
{
    const uint32_t address = net->ip != NULL ? board_ip_address(net->ip) : 0;
    if (address == net->address || !net->link) {
        return;
    }
    net->address = address;
    if (net->nameless) {
        board_print(
            "network: the flash memory holds no address of Ethernet; of such boards a network "
            "can have one\n");
        net->nameless = false;
    }
    board_print("network: ");
    for (unsigned shift = 32; shift > 0; shift -= 8) {
        board_print_number(address >> (shift - 8) & UINT8_MAX);
        board_print(shift > 8 ? "." : "\n");
    }
}

void board_net_print_counts(const struct board_net *net)
{
    const struct {
        const char *what;
        uint32_t count;
    } counts[] = {
        {"network: frames taken ", net->heard},
        {", sent ", net->mac.sent},
        {", damaged ", net->mac.damaged},
        {", stuck ", net->mac.stuck},
        {"; messages that were no good ", net->faults},
    };
    for (size_t i = 0; net->ip != NULL && i < sizeof counts / sizeof *counts; i++) {
        board_print(counts[i].what);
        board_print_number(counts[i].count);
    }
    board_print(net->ip != NULL ? "\n" : "");
}
