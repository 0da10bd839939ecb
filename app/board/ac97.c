#include "app/board/ac97.h"

#include <string.h>

#include "app/board/registers.h"
#include "app/board/system.h"

enum {
    PENDING = 1, /* codec control */
    WRITES = 2,
    RUNS = 1, /* stream control */
    FRAME = 4,
    BYTES_MASK = 0x3FFFC,
    CODEC_MASK = 0x7F,
    CODEC_ID = 0x0D50, /* LM4550 */
    MUTED = 0x8000,
};

void app_board_ac97_reset(struct app_board_ac97 *ac97, uint64_t now)
{
    memset(ac97, 0, sizeof *ac97);
    ac97->codec[0] = CODEC_ID;
    ac97->codec[1] = MUTED;
    ac97->due = now + APP_BOARD_CLOCK / APP_BOARD_AC97_RATE;
}

static uint32_t read_stream(const struct app_board_ac97_stream *stream, uint32_t offset)
{
    switch (offset) {
    case 0:
        return stream->runs;
    case 4:
        return stream->address;
    case 8:
        return stream->bytes;
    default:
        return 0;
    }
}

static void write_stream(struct app_board_ac97_stream *stream, uint32_t offset, uint32_t value)
{
    switch (offset) {
    case 0:
        stream->runs = (value & RUNS) != 0;
        break;
    case 4:
        stream->address = value & ~3u;
        break;
    case 8:
        stream->bytes = value & BYTES_MASK;
        break;
    default:
        break;
    }
}

uint32_t app_board_ac97_read(const struct app_board_ac97 *ac97, uint32_t offset)
{
    if (offset >= APP_BOARD_ac97_record_control) {
        return read_stream(&ac97->record, offset - APP_BOARD_ac97_record_control);
    }
    if (offset >= APP_BOARD_ac97_play_control) {
        return read_stream(&ac97->play, offset - APP_BOARD_ac97_play_control);
    }
    switch (offset) {
    case APP_BOARD_ac97_codec_control:
        return ac97->access;
    case APP_BOARD_ac97_codec_address:
        return ac97->address;
    case APP_BOARD_ac97_codec_out:
        return ac97->out;
    case APP_BOARD_ac97_codec_in:
        return ac97->in;
    default:
        return 0;
    }
}

void app_board_ac97_write(struct app_board_ac97 *ac97, uint32_t offset, uint32_t value)
{
    if (offset >= APP_BOARD_ac97_record_control) {
        write_stream(&ac97->record, offset - APP_BOARD_ac97_record_control, value);
    } else if (offset >= APP_BOARD_ac97_play_control) {
        write_stream(&ac97->play, offset - APP_BOARD_ac97_play_control, value);
    } else if (offset == APP_BOARD_ac97_codec_control) {
        ac97->access = value & (PENDING | WRITES);
    } else if (offset == APP_BOARD_ac97_codec_address) {
        ac97->address = value & CODEC_MASK;
    } else if (offset == APP_BOARD_ac97_codec_out) {
        ac97->out = value & UINT16_MAX;
    }
}

/* A request goes to the codec with a frame of sound, and its answer comes with it. */
static uint32_t access_codec(struct app_board_ac97 *ac97)
{
    if ((ac97->access & PENDING) == 0) {
        return 0;
    }
    const uint32_t number = ac97->address / 2;
    ac97->access &= ~(uint32_t)PENDING;
    if ((ac97->access & WRITES) == 0) {
        ac97->in = ac97->codec[number];
        return (uint32_t)APP_BOARD_IRQ_codec_request | APP_BOARD_IRQ_codec_reply;
    }
    if (number > 0) {
        ac97->codec[number] = (uint16_t)ac97->out;
    }
    return APP_BOARD_IRQ_codec_request;
}

/* Goes one frame further; true at the end. */
static bool advance(struct app_board_ac97_stream *stream)
{
    stream->address += FRAME;
    stream->bytes -= FRAME;
    return stream->bytes == 0;
}

static uint32_t play(struct app_board_ac97 *ac97, struct app_board_memory *memory,
                     const struct app_board_jacks *sound)
{
    struct app_board_ac97_stream *stream = &ac97->play;
    const bool goes = stream->runs && stream->bytes > 0;
    int16_t frame[2] = {0, 0};
    if (goes) {
        uint32_t cycles;
        const uint32_t word = app_board_memory_read(memory, ac97->due, stream->address, &cycles);
        frame[0] = (int16_t)(word >> 16);
        frame[1] = (int16_t)word;
    }
    if (sound->play != NULL) {
        sound->play(sound->user, frame);
    }
    return goes && advance(stream) ? APP_BOARD_IRQ_play_done : 0;
}

static uint32_t record(struct app_board_ac97 *ac97, struct app_board_memory *memory,
                       const struct app_board_jacks *sound)
{
    struct app_board_ac97_stream *stream = &ac97->record;
    const bool goes = stream->runs && stream->bytes > 0;
    int16_t frame[2] = {0, 0};
    ac97->hears = ac97->hears || goes;
    if (sound->record != NULL && ac97->hears && ac97->state == APP_BOARD_AC97_ON) {
        sound->record(sound->user, frame);
    }
    if (!goes) {
        return 0;
    }
    const uint32_t word = (uint32_t)(uint16_t)frame[0] << 16 | (uint16_t)frame[1];
    uint32_t cycles;
    app_board_memory_write(memory, ac97->due, stream->address, word, UINT32_MAX, &cycles);
    if (!advance(stream)) {
        return 0;
    }
    ac97->blocks++;
    return APP_BOARD_IRQ_record_done;
}

uint32_t app_board_ac97_event(struct app_board_ac97 *ac97, struct app_board_memory *memory,
                              const struct app_board_jacks *sound)
{
    uint32_t lines = 0;
    if (ac97->state != APP_BOARD_AC97_OFF) {
        lines = access_codec(ac97);
        lines |= play(ac97, memory, sound);
        lines |= record(ac97, memory, sound);
    }
    ac97->frames++;
    /* 80 MHz is 1666 2/3 cycles for each frame. */
    ac97->due += (uint64_t)APP_BOARD_CLOCK * (ac97->frames + 1) / APP_BOARD_AC97_RATE -
                 (uint64_t)APP_BOARD_CLOCK * ac97->frames / APP_BOARD_AC97_RATE;
    return lines;
}
