#include "engine/midi/message.h"

#include <string.h>

enum { STATUS = 0x80, DATA = 0x7F, SYSTEM = 0xF0, END = 0xF7, REALTIME = 0xF8 };

unsigned engine_midi_data(enum engine_midi_kind kind)
{
    switch (kind) {
    case ENGINE_MIDI_PROGRAM:
    case ENGINE_MIDI_PRESSURE:
    case ENGINE_MIDI_QUARTER_FRAME:
    case ENGINE_MIDI_SONG:
        return 1;
    case ENGINE_MIDI_NOTE_OFF:
    case ENGINE_MIDI_NOTE_ON:
    case ENGINE_MIDI_KEY_PRESSURE:
    case ENGINE_MIDI_CONTROL:
    case ENGINE_MIDI_BEND:
    case ENGINE_MIDI_POSITION:
        return 2;
    default:
        return 0;
    }
}

static enum engine_midi_kind kind_of(uint8_t status)
{
    switch (status) {
    case 0xF4:
    case 0xF5:
    case END:
    case 0xF9:
    case 0xFD:
        return ENGINE_MIDI_NONE;
    default:
        return (enum engine_midi_kind)(status < SYSTEM ? status & 0xF0 : status);
    }
}

static void give(const struct engine_midi_reader *reader, struct engine_midi_message *message)
{
    *message = (struct engine_midi_message){
        .kind = kind_of(reader->status),
        .channel = reader->status < SYSTEM ? (uint8_t)((reader->status & 0x0F) + 1) : 0,
        .data = {reader->data[0], reader->data[1]}};
    if (message->kind == ENGINE_MIDI_NOTE_ON && message->data[1] == 0) {
        message->kind = ENGINE_MIDI_NOTE_OFF;
    }
}

/* A status begins a message, and ends an exclusive one. */
static bool begin(struct engine_midi_reader *reader, uint8_t byte,
                  struct engine_midi_message *message)
{
    const bool whole = byte == END && reader->exclusive && !reader->cut;
    if (whole) {
        *message = (struct engine_midi_message){
            .kind = ENGINE_MIDI_SYSEX, .content = reader->content, .size = reader->size};
    }
    reader->exclusive = byte == ENGINE_MIDI_SYSEX;
    reader->cut = false;
    reader->size = 0;
    reader->count = 0;
    memset(reader->data, 0, sizeof reader->data);
    const enum engine_midi_kind kind = kind_of(byte);
    reader->status = kind == ENGINE_MIDI_NONE || kind == ENGINE_MIDI_SYSEX ? 0 : byte;
    if (reader->status != 0 && engine_midi_data(kind) == 0) {
        give(reader, message);
        reader->status = 0;
        return true;
    }
    return whole;
}

bool engine_midi_read(struct engine_midi_reader *reader, uint8_t byte,
                      struct engine_midi_message *message)
{
    if (byte >= REALTIME) {
        *message = (struct engine_midi_message){.kind = kind_of(byte)};
        return message->kind != ENGINE_MIDI_NONE;
    }
    if (byte >= STATUS) {
        return begin(reader, byte, message);
    }
    if (reader->exclusive) {
        reader->cut = reader->cut || reader->size == ENGINE_MIDI_EXCLUSIVE;
        if (!reader->cut) {
            reader->content[reader->size++] = byte;
        }
        return false;
    }
    if (reader->status == 0) {
        return false;
    }
    reader->data[reader->count++] = byte;
    if (reader->count < engine_midi_data(kind_of(reader->status))) {
        return false;
    }
    give(reader, message);
    reader->count = 0;
    /* Only messages for a channel go on without their status. */
    reader->status = reader->status < SYSTEM ? reader->status : 0;
    return true;
}

size_t engine_midi_write(uint8_t *to, const struct engine_midi_message *message)
{
    const unsigned count = engine_midi_data(message->kind);
    const bool of_channel = message->kind < ENGINE_MIDI_SYSEX;
    to[0] = (uint8_t)(message->kind | (of_channel ? (message->channel - 1) & 0x0F : 0));
    for (unsigned i = 0; i < count; i++) {
        to[1 + i] = message->data[i] & DATA;
    }
    return 1 + count;
}

size_t engine_midi_write_exclusive(uint8_t *to, size_t room, const uint8_t *content, size_t size)
{
    if (size + 2 > room || size + 2 < size) {
        return 0;
    }
    to[0] = ENGINE_MIDI_SYSEX;
    for (size_t i = 0; i < size; i++) {
        to[1 + i] = content[i] & DATA;
    }
    to[1 + size] = END;
    return size + 2;
}
