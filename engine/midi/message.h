/* MIDI 1.0: bytes of a cable to messages and back. Pure: no byte, whatever comes before it, makes
 * this read or write outside its own. Layouts: spec/control.md and the published specification. */
#ifndef ENGINE_MIDI_MESSAGE_H
#define ENGINE_MIDI_MESSAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    ENGINE_MIDI_CHANNELS = 16,
    ENGINE_MIDI_BYTES = 3,        /* of a message that is not exclusive, at most */
    ENGINE_MIDI_EXCLUSIVE = 1024, /* bytes that are kept of an exclusive one */
    ENGINE_MIDI_RATE = 3125,      /* bytes a second over a cable */
};

/* The first byte of a message; of those for a channel without it. */
enum engine_midi_kind {
    ENGINE_MIDI_NONE = 0,
    ENGINE_MIDI_NOTE_OFF = 0x80,
    ENGINE_MIDI_NOTE_ON = 0x90,
    ENGINE_MIDI_KEY_PRESSURE = 0xA0,
    ENGINE_MIDI_CONTROL = 0xB0,
    ENGINE_MIDI_PROGRAM = 0xC0,
    ENGINE_MIDI_PRESSURE = 0xD0,
    ENGINE_MIDI_BEND = 0xE0,
    ENGINE_MIDI_SYSEX = 0xF0,
    ENGINE_MIDI_QUARTER_FRAME = 0xF1,
    ENGINE_MIDI_POSITION = 0xF2, /* of the song, in sixteenths */
    ENGINE_MIDI_SONG = 0xF3,
    ENGINE_MIDI_TUNE = 0xF6,
    ENGINE_MIDI_PULSE = 0xF8, /* of the clock, 24 in a quarter note */
    ENGINE_MIDI_BEGIN = 0xFA,
    ENGINE_MIDI_RESUME = 0xFB,
    ENGINE_MIDI_HALT = 0xFC,
    ENGINE_MIDI_SENSING = 0xFE,
    ENGINE_MIDI_RESET = 0xFF,
};

struct engine_midi_message {
    enum engine_midi_kind kind;
    uint8_t channel;        /* 1..16; 0: of none */
    uint8_t data[2];        /* 0..127, as many as the kind has; else 0 */
    const uint8_t *content; /* of SYSEX, between F0 and F7; in the reader, until the next byte */
    size_t size;            /* at most ENGINE_MIDI_EXCLUSIVE */
};

/* What has come of a message. Zeroed, nothing has. */
struct engine_midi_reader {
    uint8_t status; /* of the message, also of one that goes on without saying it again; 0: none */
    uint8_t data[2];
    uint8_t count;
    bool exclusive; /* in one */
    bool cut;       /* it is longer than what is kept */
    size_t size;
    uint8_t content[ENGINE_MIDI_EXCLUSIVE];
};

/* The next byte. True: a message is whole. Those of one byte from F8 on may come inside another
 * one. A note that begins without force ends: NOTE_OFF. What is no message (a byte before any
 * status, an exclusive one that is too long or is broken off, F4, F5, F9, FD) gives none. */
bool engine_midi_read(struct engine_midi_reader *reader, uint8_t byte,
                      struct engine_midi_message *message);

/* Data bytes of a message of this kind: 0, 1 or 2. */
unsigned engine_midi_data(enum engine_midi_kind kind);

/* Writes a message other than SYSEX into `to`, which has room for ENGINE_MIDI_BYTES. Data are cut
 * to 7 bits. Returns its size. */
size_t engine_midi_write(uint8_t *to, const struct engine_midi_message *message);

/* Writes an exclusive message around its content, whose bytes are cut to 7 bits. Returns its size,
 * or 0 where there is not room for that and two bytes more. */
size_t engine_midi_write_exclusive(uint8_t *to, size_t room, const uint8_t *content, size_t size);

#endif
