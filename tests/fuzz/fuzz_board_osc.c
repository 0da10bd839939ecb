/* Whatever comes over the network: packets of Open Sound Control, and among them those of a
 * transfer, end within their buffers; what a transfer makes of them is within its bounds. The first
 * byte says into how many packets the rest is divided. */
#include <stdlib.h>
#include <string.h>

#include "board/net/transfer.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { PACKETS = 8 };

struct ends {
    struct board_receiver receiver;
    struct board_sender sender;
    uint64_t now;
};

static void hear(void *user, const struct board_osc_message *message)
{
    struct ends *ends = user;
    uint8_t reply[BOARD_OSC_PACKET];
    const size_t length = strlen(message->address);
    volatile uint8_t last = 0;
    for (size_t i = 0; i < message->count; i++) {
        const struct board_osc_value *value = &message->values[i];
        for (size_t k = 0; k < value->size; k++) {
            last = value->bytes[k]; /* all can be read */
        }
    }
    (void)last;
    const size_t size =
        board_receiver_hear(&ends->receiver, (struct board_peer){1, 2}, message, reply);
    const struct board_receiver *receiver = &ends->receiver;
    if (length == 0 || length >= BOARD_OSC_ADDRESS || message->count > BOARD_OSC_ARGUMENTS ||
        size > sizeof reply || receiver->size > BOARD_TRANSFER_MAX ||
        receiver->missing > BOARD_TRANSFER_BLOCKS ||
        strlen(receiver->name) >= sizeof receiver->name) {
        abort();
    }
    if (size > 0 && !board_osc_read(reply, size, NULL, NULL)) {
        abort();
    }
    if (receiver->state == BOARD_RECEIVER_READY) {
        board_receiver_answer(&ends->receiver, BOARD_TRANSFER_SHOWN, receiver->name);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const uint8_t patch[3000];
    struct ends ends = {.receiver = {.open = true, .silence = 2}};
    const size_t count = size > 0 ? 1 + data[0] % PACKETS : 0;
    ends.receiver.bytes = malloc(BOARD_TRANSFER_MAX);
    if (ends.receiver.bytes == NULL) {
        return 0;
    }
    board_sender_begin(&ends.sender, "a.milk", patch, sizeof patch, 0, 1);
    for (size_t i = 0; i < count; i++) {
        const size_t part = (size - 1) / count;
        uint8_t packet[BOARD_OSC_PACKET];
        /* In memory of its own, so that a read behind its end is seen. */
        uint8_t *bytes = malloc(part + 1);
        if (bytes != NULL) {
            memcpy(bytes, data + 1 + i * part, part);
            (void)board_osc_read(bytes, part, hear, &ends);
            (void)board_sender_packet(&ends.sender, ends.now, packet);
            board_sender_hear(&ends.sender, ends.now, bytes, part);
        }
        free(bytes);
        board_receiver_tick(&ends.receiver);
        ends.now += 100;
    }
    free(ends.receiver.bytes);
    return 0;
}
