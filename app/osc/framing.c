#include "app/osc/framing.h"

#include <string.h>

enum { SLIP_END = 0xC0, SLIP_ESCAPE = 0xDB, SLIP_ESCAPED_END = 0xDC, SLIP_ESCAPED_ESCAPE = 0xDD };

enum { SIZE_BYTES = 4 };

void app_osc_framing_begin(struct app_osc_framing *framing)
{
    framing->begun = framing->is_slip = framing->wrong = false;
    framing->read = 0;
}

/* ---- what comes in ---- */

uint8_t *app_osc_framing_room(struct app_osc_framing *framing, size_t *room)
{
    *room = APP_OSC_FRAMED - framing->read;
    return framing->in + framing->read;
}

void app_osc_framing_came(struct app_osc_framing *framing, size_t size)
{
    if (size > 0 && !framing->begun) {
        framing->begun = true;
        framing->is_slip = framing->in[0] == SLIP_END;
    }
    framing->read += size;
}

/* Takes the first so many bytes off what was read. */
static void take_off(struct app_osc_framing *framing, size_t size)
{
    framing->read -= size;
    memmove(framing->in, framing->in + size, framing->read);
}

static size_t next_sized(struct app_osc_framing *framing, uint8_t *packet)
{
    const uint8_t *in = framing->in;
    size_t size = 0;
    if (framing->read < SIZE_BYTES) {
        return 0;
    }
    for (int i = 0; i < SIZE_BYTES; i++) {
        size = size << 8 | in[i];
    }
    if (size == 0 || size > APP_OSC_PACKET || size % 4 != 0) {
        framing->wrong = true;
        return 0;
    }
    if (framing->read < SIZE_BYTES + size) {
        return 0;
    }
    memcpy(packet, in + SIZE_BYTES, size);
    take_off(framing, SIZE_BYTES + size);
    return size;
}

static size_t next_slip(struct app_osc_framing *framing, uint8_t *packet)
{
    const uint8_t *in = framing->in;
    size_t begin = 0;
    while (begin < framing->read && in[begin] == SLIP_END) {
        begin++;
    }
    const uint8_t *close = memchr(in + begin, SLIP_END, framing->read - begin);
    size_t size = 0;
    if (close == NULL) {
        take_off(framing, begin);
        framing->wrong = framing->read == APP_OSC_FRAMED;
        return 0;
    }
    for (const uint8_t *from = in + begin; from < close && !framing->wrong; from++) {
        const bool escaped = *from == SLIP_ESCAPE;
        from += escaped;
        const uint8_t byte = !escaped                       ? *from
                             : *from == SLIP_ESCAPED_END    ? SLIP_END
                             : *from == SLIP_ESCAPED_ESCAPE ? SLIP_ESCAPE
                                                            : 0;
        framing->wrong = size == APP_OSC_PACKET || (escaped && byte == 0);
        if (!framing->wrong) {
            packet[size++] = byte;
        }
    }
    take_off(framing, (size_t)(close - in));
    return framing->wrong ? 0 : size;
}

size_t app_osc_framing_next(struct app_osc_framing *framing, uint8_t packet[static APP_OSC_PACKET])
{
    if (framing->wrong) {
        return 0;
    }
    return framing->is_slip ? next_slip(framing, packet) : next_sized(framing, packet);
}

/* ---- what goes out ---- */

size_t app_osc_framing_size(bool is_slip, size_t size)
{
    return is_slip ? 2 * size + 2 : SIZE_BYTES + size;
}

static size_t write_slip(const uint8_t *packet, size_t size, uint8_t *to)
{
    size_t used = 0;
    to[used++] = SLIP_END;
    for (size_t i = 0; i < size; i++) {
        const bool is_end = packet[i] == SLIP_END;
        if (is_end || packet[i] == SLIP_ESCAPE) {
            to[used++] = SLIP_ESCAPE;
            to[used++] = is_end ? SLIP_ESCAPED_END : SLIP_ESCAPED_ESCAPE;
        } else {
            to[used++] = packet[i];
        }
    }
    to[used++] = SLIP_END;
    return used;
}

size_t app_osc_framing_write(bool is_slip, const uint8_t *packet, size_t size, uint8_t *to)
{
    if (is_slip) {
        return write_slip(packet, size, to);
    }
    for (size_t i = 0; i < SIZE_BYTES; i++) {
        to[i] = (uint8_t)(size >> (8 * (SIZE_BYTES - 1 - i)));
    }
    memcpy(to + SIZE_BYTES, packet, size);
    return SIZE_BYTES + size;
}
