/* Packets of Open Sound Control in a stream of bytes: however it is cut, what comes of it is the
 * same, within its bounds. The data: a byte for where the stream is cut, then the stream. */
#include <stdlib.h>
#include <string.h>

#include "app/osc/framing.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* What came of a stream. */
struct found {
    size_t packets;
    size_t bytes;
    uint32_t sum;
    bool wrong;
};

/* Each packet goes out again, and is read back as it was. */
static void look(const uint8_t *packet, size_t size, bool is_slip)
{
    struct app_osc_framing *back = malloc(sizeof *back);
    uint8_t *again = malloc(APP_OSC_PACKET);
    uint8_t *out = malloc(app_osc_framing_size(is_slip, size));
    size_t room;
    if (back != NULL && again != NULL && out != NULL) {
        const size_t written = app_osc_framing_write(is_slip, packet, size, out);
        app_osc_framing_begin(back);
        uint8_t *to = app_osc_framing_room(back, &room);
        if (written > app_osc_framing_size(is_slip, size) || written > room) {
            abort();
        }
        memcpy(to, out, written);
        app_osc_framing_came(back, written);
        if (app_osc_framing_next(back, again) != size || memcmp(packet, again, size) != 0) {
            abort();
        }
    }
    free(out);
    free(again);
    free(back);
}

/* piece: bytes that come at once. */
static struct found read_stream(const uint8_t *data, size_t size, size_t piece)
{
    struct found found = {0};
    struct app_osc_framing *framing = malloc(sizeof *framing);
    uint8_t *packet = malloc(APP_OSC_PACKET);
    if (framing != NULL && packet != NULL) {
        app_osc_framing_begin(framing);
    }
    while (framing != NULL && packet != NULL && size > 0 && !framing->wrong) {
        size_t room;
        uint8_t *to = app_osc_framing_room(framing, &room);
        size_t part = piece < size ? piece : size;
        part = part < room ? part : room;
        if (room == 0) {
            abort();
        }
        memcpy(to, data, part);
        app_osc_framing_came(framing, part);
        data += part;
        size -= part;
        for (size_t got; (got = app_osc_framing_next(framing, packet)) > 0;) {
            if (got > APP_OSC_PACKET || (!framing->is_slip && got % 4 != 0)) {
                abort();
            }
            found.packets++;
            found.bytes += got;
            for (size_t i = 0; i < got; i++) {
                found.sum = found.sum * 31 + packet[i];
            }
            if (found.packets <= 4) {
                look(packet, got, framing->is_slip);
            }
        }
        found.wrong = framing->wrong;
    }
    free(packet);
    free(framing);
    return found;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size > 1) {
        const struct found whole = read_stream(data + 1, size - 1, size);
        const struct found cut = read_stream(data + 1, size - 1, 1 + data[0]);
        if (whole.packets != cut.packets || whole.bytes != cut.bytes || whole.sum != cut.sum ||
            whole.wrong != cut.wrong) {
            abort();
        }
    }
    return 0;
}
