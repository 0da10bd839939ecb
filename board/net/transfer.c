#include "board/net/transfer.h"

#include <assert.h>
#include <string.h>

#include "base/random.h"

enum {
    RETRY = 250, /* milliseconds until a packet is sent again */
    TRIES = 40,  /* of a packet without an answer */
    BEGIN = -1,  /* in the place of a block's number */
};

static bool is(const struct board_osc_message *message, const char *address, const char *types)
{
    bool same = strcmp(message->address, address) == 0 && message->count == strlen(types);
    for (size_t i = 0; same && i < message->count; i++) {
        same = message->values[i].type == types[i];
    }
    return same;
}

static int32_t number_of(const struct board_osc_value *value)
{
    return (int32_t)value->word;
}

static uint32_t blocks_of(size_t size)
{
    return (uint32_t)((size + BOARD_TRANSFER_BLOCK - 1) / BOARD_TRANSFER_BLOCK);
}

static size_t block_size(size_t size, uint32_t number)
{
    const size_t left = size - (size_t)number * BOARD_TRANSFER_BLOCK;
    return left < BOARD_TRANSFER_BLOCK ? left : BOARD_TRANSFER_BLOCK;
}

/* Copies what fits, cut behind a whole character of UTF-8. */
static void copy_text(char *to, size_t room, const char *from)
{
    size_t size = strlen(from);
    if (size >= room) {
        size = room - 1;
        while (size > 0 && ((uint8_t)from[size] & 0xC0) == 0x80) {
            size--;
        }
    }
    memcpy(to, from, size);
    to[size] = '\0';
}

/* ---- the board's end ---- */

static size_t say_got(uint8_t *reply, int32_t id, int32_t number)
{
    const struct board_osc_value values[] = {board_osc_int(id), board_osc_int(number)};
    return board_osc_write(reply, BOARD_OSC_PACKET, "/send/got", values, 2);
}

static size_t say_done(uint8_t *reply, int32_t id, enum board_transfer_result result,
                       const char *text)
{
    const struct board_osc_value values[] = {board_osc_int(id), board_osc_int((int32_t)result),
                                             board_osc_text(text)};
    return board_osc_write(reply, BOARD_OSC_PACKET, "/send/done", values, 3);
}

static size_t refuse(uint8_t *reply, int32_t id, const char *text)
{
    return say_done(reply, id, BOARD_TRANSFER_REFUSED, text);
}

/* Names of files: no folders, nothing that steers a terminal. */
static bool is_name(const struct board_osc_value *value)
{
    bool good = value->size > 0 && value->size < BOARD_TRANSFER_NAME && value->bytes[0] != '.';
    for (size_t i = 0; good && i < value->size; i++) {
        const uint8_t letter = value->bytes[i];
        good = letter >= ' ' && letter != 0x7F && strchr("/\\:*?\"<>|", letter) == NULL;
    }
    return good;
}

static bool is_of(const struct board_receiver *receiver, struct board_peer peer, int32_t id)
{
    return receiver->state != BOARD_RECEIVER_IDLE && receiver->id == id &&
           receiver->peer.address == peer.address && receiver->peer.port == peer.port;
}

static size_t begin(struct board_receiver *receiver, struct board_peer peer,
                    const struct board_osc_message *message, uint8_t *reply)
{
    const struct board_osc_value *values = message->values;
    const int32_t id = number_of(&values[0]);
    const uint32_t size = values[3].word;
    if (is_of(receiver, peer, id)) {
        receiver->quiet = 0;
        return say_got(reply, id, BEGIN);
    }
    if (!receiver->open) {
        return refuse(reply, id,
                      "the board takes no patches; receive=on in its command line lets it");
    }
    if (receiver->state == BOARD_RECEIVER_RECEIVES || receiver->state == BOARD_RECEIVER_READY) {
        return refuse(reply, id, "the board is receiving another patch; try again");
    }
    if (size == 0 || size > BOARD_TRANSFER_MAX) {
        return refuse(reply, id, "a patch has 1 to 1048576 bytes");
    }
    if (!is_name(&values[2])) {
        return refuse(reply, id, "that is no name for a patch");
    }
    receiver->peer = peer;
    receiver->id = id;
    receiver->flags = values[1].word;
    receiver->size = size;
    receiver->crc = values[4].word;
    receiver->missing = blocks_of(size);
    receiver->quiet = 0;
    memcpy(receiver->name, values[2].bytes, values[2].size + 1);
    memset(receiver->there, 0, sizeof receiver->there);
    receiver->state = BOARD_RECEIVER_RECEIVES;
    return say_got(reply, id, BEGIN);
}

static size_t take_block(struct board_receiver *receiver, const struct board_osc_message *message,
                         uint8_t *reply)
{
    const struct board_osc_value *values = message->values;
    const uint32_t number = values[1].word;
    const struct board_osc_value *blob = &values[3];
    if (receiver->state != BOARD_RECEIVER_RECEIVES) {
        return say_got(reply, receiver->id, (int32_t)number);
    }
    if (number >= blocks_of(receiver->size) || blob->size != block_size(receiver->size, number) ||
        base_crc32(BASE_CRC32_START, blob->bytes, blob->size) != values[2].word) {
        return 0;
    }
    uint8_t *there = &receiver->there[number / 8];
    const uint8_t bit = (uint8_t)(1u << number % 8);
    if ((*there & bit) == 0) {
        memcpy(receiver->bytes + (size_t)number * BOARD_TRANSFER_BLOCK, blob->bytes, blob->size);
        *there |= bit;
        receiver->missing--;
    }
    return say_got(reply, receiver->id, (int32_t)number);
}

static size_t end(struct board_receiver *receiver, uint8_t *reply)
{
    const struct board_osc_value id = board_osc_int(receiver->id);
    if (receiver->state == BOARD_RECEIVER_ANSWERED) {
        return say_done(reply, receiver->id, receiver->result, receiver->text);
    }
    if (receiver->state == BOARD_RECEIVER_RECEIVES) {
        if (receiver->missing > 0 ||
            base_crc32(BASE_CRC32_START, receiver->bytes, receiver->size) != receiver->crc) {
            board_receiver_answer(receiver, BOARD_TRANSFER_REFUSED,
                                  "the patch has not come whole; try again");
            return say_done(reply, receiver->id, receiver->result, receiver->text);
        }
        receiver->state = BOARD_RECEIVER_READY;
    }
    return board_osc_write(reply, BOARD_OSC_PACKET, "/send/wait", &id, 1);
}

size_t board_receiver_hear(struct board_receiver *receiver, struct board_peer peer,
                           const struct board_osc_message *message, uint8_t *reply)
{
    if (is(message, "/send/begin", "iisii")) {
        return begin(receiver, peer, message, reply);
    }
    const bool data = is(message, "/send/data", "iiib");
    if ((!data && !is(message, "/send/end", "i")) ||
        !is_of(receiver, peer, number_of(&message->values[0]))) {
        return 0;
    }
    receiver->quiet = 0;
    return data ? take_block(receiver, message, reply) : end(receiver, reply);
}

void board_receiver_tick(struct board_receiver *receiver)
{
    if (receiver->state == BOARD_RECEIVER_RECEIVES && ++receiver->quiet > receiver->silence) {
        receiver->state = BOARD_RECEIVER_IDLE;
    }
}

void board_receiver_answer(struct board_receiver *receiver, enum board_transfer_result result,
                           const char *text)
{
    receiver->result = result;
    copy_text(receiver->text, sizeof receiver->text, text);
    receiver->state = BOARD_RECEIVER_ANSWERED;
}

/* ---- the computer's end ---- */

void board_sender_begin(struct board_sender *sender, const char *name, const uint8_t *bytes,
                        size_t size, uint32_t flags, int32_t id)
{
    assert(size > 0 && size <= BOARD_TRANSFER_MAX && strlen(name) < BOARD_TRANSFER_NAME);
    *sender = (struct board_sender){
        .name = name, .bytes = bytes, .size = size, .flags = flags, .id = id, .next = BEGIN};
}

size_t board_sender_packet(struct board_sender *sender, uint64_t now,
                           uint8_t packet[BOARD_OSC_PACKET])
{
    if (sender->state != BOARD_SENDER_RUNS || now < sender->due) {
        return 0;
    }
    if (sender->tries == TRIES) {
        sender->state = BOARD_SENDER_SILENT;
        return 0;
    }
    sender->again += sender->tries > 0;
    sender->tries++;
    sender->due = now + RETRY;
    const struct board_osc_value id = board_osc_int(sender->id);
    if (sender->next == BEGIN) {
        const struct board_osc_value values[] = {
            id, board_osc_int((int32_t)sender->flags), board_osc_text(sender->name),
            board_osc_int((int32_t)sender->size),
            board_osc_int((int32_t)base_crc32(BASE_CRC32_START, sender->bytes, sender->size))};
        return board_osc_write(packet, BOARD_OSC_PACKET, "/send/begin", values, 5);
    }
    const uint32_t number = (uint32_t)sender->next;
    if (number < blocks_of(sender->size)) {
        const uint8_t *bytes = sender->bytes + (size_t)number * BOARD_TRANSFER_BLOCK;
        const size_t size = block_size(sender->size, number);
        const struct board_osc_value values[] = {
            id, board_osc_int(sender->next),
            board_osc_int((int32_t)base_crc32(BASE_CRC32_START, bytes, size)),
            board_osc_blob(bytes, size)};
        return board_osc_write(packet, BOARD_OSC_PACKET, "/send/data", values, 4);
    }
    return board_osc_write(packet, BOARD_OSC_PACKET, "/send/end", &id, 1);
}

struct heard {
    struct board_sender *sender;
    uint64_t now;
};

static void hear(void *user, const struct board_osc_message *message)
{
    const struct heard *heard = user;
    struct board_sender *sender = heard->sender;
    if (sender->state != BOARD_SENDER_RUNS || message->count == 0 ||
        message->values[0].type != 'i' || number_of(&message->values[0]) != sender->id) {
        return;
    }
    if (is(message, "/send/got", "ii") && number_of(&message->values[1]) == sender->next &&
        sender->next < (int32_t)blocks_of(sender->size)) {
        sender->next++;
        sender->tries = 0;
        sender->due = heard->now;
    } else if (is(message, "/send/wait", "i")) {
        /* It lives, and looks at the packet that says so once more when it has compiled. */
        sender->tries = 1;
    } else if (is(message, "/send/done", "iis")) {
        const uint32_t result = message->values[1].word;
        sender->result = result <= BOARD_TRANSFER_REFUSED ? (enum board_transfer_result)result
                                                          : BOARD_TRANSFER_REFUSED;
        copy_text(sender->text, sizeof sender->text, (const char *)message->values[2].bytes);
        sender->state = BOARD_SENDER_DONE;
    }
}

void board_sender_hear(struct board_sender *sender, uint64_t now, const uint8_t *bytes, size_t size)
{
    struct heard heard = {sender, now};
    (void)board_osc_read(bytes, size, hear, &heard);
}
