/* Whatever comes over a cable of MIDI ends in messages that are written and read as the same, in
 * moves within their ranges and values within theirs, and is recognised as something that is there.
 */
#include <stdlib.h>
#include <string.h>

#include "engine/midi/control.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void ensure(bool holds)
{
    if (!holds) {
        abort();
    }
}

static void check_written(const struct engine_midi_message *message)
{
    static uint8_t bytes[ENGINE_MIDI_EXCLUSIVE + 2];
    struct engine_midi_reader *reader = calloc(1, sizeof *reader);
    struct engine_midi_message again = {0};
    bool whole = false;
    const size_t size =
        message->kind == ENGINE_MIDI_SYSEX
            ? engine_midi_write_exclusive(bytes, sizeof bytes, message->content, message->size)
            : engine_midi_write(bytes, message);
    for (size_t i = 0; reader != NULL && i < size; i++) {
        ensure(!whole);
        whole = engine_midi_read(reader, bytes[i], &again);
    }
    ensure(reader == NULL || (whole && again.kind == message->kind &&
                              again.channel == message->channel && again.size == message->size &&
                              memcmp(again.data, message->data, sizeof again.data) == 0));
    free(reader);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct engine_midi_reader *reader = calloc(1, sizeof *reader);
    struct engine_midi_device device = {0};
    struct engine_midi_learner learner = {0};
    struct engine_midi_taker takers[ENGINE_MIDI_MODES] = {0};
    for (size_t i = 0; reader != NULL && i < size; i++) {
        struct engine_midi_message message;
        struct engine_midi_move moves[ENGINE_MIDI_MOVES];
        if (!engine_midi_read(reader, data[i], &message)) {
            continue;
        }
        ensure(message.kind != ENGINE_MIDI_NONE && message.channel <= ENGINE_MIDI_CHANNELS);
        ensure(message.size <= ENGINE_MIDI_EXCLUSIVE);
        check_written(&message);
        const size_t count = engine_midi_moves(&device, &message, moves);
        ensure(count <= ENGINE_MIDI_MOVES);
        engine_midi_learn(&learner, moves, count);
        ensure(learner.mode < ENGINE_MIDI_MODES);
        for (size_t k = 0; k < count; k++) {
            const struct engine_midi_stand stand = {.turn = i / 8, .place = (double)(i % 5) / 4};
            ensure(moves[k].control.number < 16384 && moves[k].control.channel > 0);
            ensure(moves[k].place >= 0 && moves[k].place <= 1);
            for (unsigned mode = 0; mode < ENGINE_MIDI_MODES; mode++) {
                double place = 0;
                (void)engine_midi_take(&takers[mode], (enum engine_midi_mode)mode, 0.01, &moves[k],
                                       &stand, &place);
                ensure(place >= 0 && place <= 1);
                const int presses =
                    engine_midi_presses(&takers[mode], (enum engine_midi_mode)mode, &moves[k]);
                ensure(presses >= -64 && presses <= 64);
            }
        }
    }
    free(reader);
    return 0;
}
