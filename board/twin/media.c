#include "board/twin/media.h"

#include <stdlib.h>
#include <string.h>

#include "board/mapper/mapper.h"
#include "board/twin/system.h"

enum {
    PENDING = 1, /* codec control */
    WRITES = 2,
    RUNS = 1, /* stream control */
    FRAME = 4,
    BYTES_MASK = 0x3FFFC,
    CODEC_MASK = 0x7F,
    CODEC_ID = 0x0D50, /* LM4550 */
    MUTED = 0x8000,
    RECORD_GAIN = 0x1C, /* a register of the codec: steps of 1.5 dB, the greatest is 15 */
    GAINS = 16,
    GAIN_BITS = 15,
};

/* Cycles within a frame of sound, from the rise of SYNC: requests are taken and a sample is fetched
 * before it, and what has come is there behind it. */
enum {
    FRAMES_BEGIN = 12,
    REQUEST = 424, /* before SYNC */
    FRAME_IN = 641,
    ARMED = 9,  /* from the length until a frame that waited is in memory */
    RAISED = 2, /* from a write until its interrupt */
    LATE = 10,  /* before SYNC, from when on recording goes on too late for that frame */
    RESUMED = 15,
    ANSWER_FRAMES = 2,
};

/* The rise of SYNC of a frame; 80 MHz is 1666 2/3 cycles for each. */
static uint64_t sync_time(const struct board_twin_ac97 *ac97, uint64_t frame)
{
    return ac97->origin + (frame * (BOARD_TWIN_CLOCK / (BOARD_TWIN_AC97_RATE / 3)) + 1) / 3;
}

static uint64_t least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static void find_due(struct board_twin_ac97 *ac97)
{
    const uint64_t sync = sync_time(ac97, ac97->frame);
    uint64_t due = ac97->inside ? sync + FRAME_IN : sync - REQUEST;
    if (!ac97->inside && ac97->slips) {
        due = ac97->origin - RESUMED + RAISED;
    }
    due = least(due, ac97->raised != 0 ? ac97->raised_at : UINT64_MAX);
    ac97->due = least(due, ac97->armed_at);
}

void board_twin_ac97_reset(struct board_twin_ac97 *ac97, uint64_t now)
{
    memset(ac97, 0, sizeof *ac97);
    ac97->codec[0] = CODEC_ID;
    ac97->codec[1] = MUTED;
    ac97->gain[0] = ac97->gain[1] = 1 << GAIN_BITS;
    ac97->origin = now + FRAMES_BEGIN;
    ac97->frame = 1;
    ac97->armed_at = UINT64_MAX;
    find_due(ac97);
}

static uint32_t read_stream(const struct board_twin_ac97_stream *stream, uint32_t offset)
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

/* True: the rest of a stream was taken away, which interrupts. */
static bool write_stream(struct board_twin_ac97_stream *stream, uint32_t offset, uint32_t value)
{
    const bool had = stream->bytes != 0;
    switch (offset) {
    case 0:
        stream->runs = (value & RUNS) != 0;
        break;
    case 4:
        stream->address = value & ~3u;
        break;
    case 8:
        stream->bytes = value & BYTES_MASK;
        return had && stream->bytes == 0;
    default:
        break;
    }
    return false;
}

static bool is_out_of_work(const struct board_twin_ac97_stream *stream)
{
    return stream->runs && stream->bytes == 0;
}

uint32_t board_twin_ac97_read(const struct board_twin_ac97 *ac97, uint32_t offset)
{
    if (offset >= BOARD_TWIN_ac97_record_control) {
        return read_stream(&ac97->record, offset - BOARD_TWIN_ac97_record_control);
    }
    if (offset >= BOARD_TWIN_ac97_play_control) {
        return read_stream(&ac97->play, offset - BOARD_TWIN_ac97_play_control);
    }
    switch (offset) {
    case BOARD_TWIN_ac97_codec_control:
        return ac97->access;
    case BOARD_TWIN_ac97_codec_address:
        return ac97->address;
    case BOARD_TWIN_ac97_codec_out:
        return ac97->out;
    case BOARD_TWIN_ac97_codec_in:
        return ac97->in;
    default:
        return 0;
    }
}

/* The link goes on at once when the playback no longer keeps it; its clock did not wait, so frames
 * come at other times now, and the first one a bit late. */
static void write_play(struct board_twin_ac97 *ac97, uint64_t now, uint32_t offset, uint32_t value)
{
    if (write_stream(&ac97->play, offset, value)) {
        ac97->raised |= BOARD_TWIN_IRQ_play_done;
        ac97->raised_at = now + RAISED;
    }
    if (ac97->stands && !is_out_of_work(&ac97->play)) {
        ac97->stands = false;
        ac97->slips = true;
        ac97->origin = now + RESUMED;
        ac97->frame = 0;
    }
}

static void write_record(struct board_twin_ac97 *ac97, uint64_t now, uint32_t offset,
                         uint32_t value)
{
    if (write_stream(&ac97->record, offset, value)) {
        ac97->raised |= BOARD_TWIN_IRQ_record_done;
        ac97->raised_at = now + RAISED;
    }
    if (!ac97->waits) {
        return;
    }
    if (!ac97->record.runs) {
        ac97->waits = false;
        ac97->released = now;
        ac97->armed_at = UINT64_MAX;
    } else if (ac97->record.bytes > 0 && ac97->armed_at == UINT64_MAX) {
        ac97->armed_at = now + ARMED;
    }
}

void board_twin_ac97_write(struct board_twin_ac97 *ac97, uint64_t now, uint32_t offset,
                           uint32_t value)
{
    if (offset >= BOARD_TWIN_ac97_record_control) {
        write_record(ac97, now, offset - BOARD_TWIN_ac97_record_control, value);
    } else if (offset >= BOARD_TWIN_ac97_play_control) {
        write_play(ac97, now, offset - BOARD_TWIN_ac97_play_control, value);
    } else if (offset == BOARD_TWIN_ac97_codec_control) {
        ac97->access = value & (PENDING | WRITES);
    } else if (offset == BOARD_TWIN_ac97_codec_address) {
        ac97->address = value & CODEC_MASK;
    } else if (offset == BOARD_TWIN_ac97_codec_out) {
        ac97->out = value & UINT16_MAX;
    }
    find_due(ac97);
}

/* Goes one frame further; true at the end. */
static bool advance(struct board_twin_ac97_stream *stream)
{
    stream->address += FRAME;
    stream->bytes -= FRAME;
    return stream->bytes == 0;
}

/* 16 bits become 20 by repeating those below the sign. */
static uint32_t widen(uint32_t sample)
{
    return sample << 4 | (sample >> 11 & 15);
}

static void set_gain(struct board_twin_ac97 *ac97, uint32_t number)
{
    static const int32_t gains[GAINS] = {2457, 2920,  3471,  4125,  4903,  5827,  6925,  8231,
                                         9783, 11627, 13818, 16423, 19519, 23198, 27571, 32768};
    const uint32_t value = ac97->codec[number];
    if (number == RECORD_GAIN / 2) {
        const bool muted = (value & MUTED) != 0;
        ac97->gain[0] = muted ? 0 : gains[value >> 8 & (GAINS - 1)];
        ac97->gain[1] = muted ? 0 : gains[value & (GAINS - 1)];
    }
}

/* A frame goes to the codec, with a request if there is one. In a frame that is a bit late the
 * codec finds none. */
static uint32_t begin_frame(struct board_twin_ac97 *ac97, struct board_twin_memory *memory,
                            const struct board_twin_jacks *sound)
{
    enum { TAG, ADDRESS, DATA, LEFT, RIGHT };
    struct board_twin_ac97_stream *stream = &ac97->play;
    uint32_t slots[BOARD_TWIN_AC97_SLOTS] = {0x8000};
    uint32_t lines = 0;
    if ((ac97->access & PENDING) != 0) {
        const uint32_t number = ac97->address / 2;
        const bool writes = (ac97->access & WRITES) != 0;
        ac97->access &= ~(uint32_t)PENDING;
        lines = BOARD_TWIN_IRQ_codec_request;
        slots[TAG] |= writes ? 0x6000u : 0x4000u;
        slots[ADDRESS] = (writes ? 0u : 0x80000u) | ac97->address << 12;
        slots[DATA] = writes ? ac97->out << 4 : 0;
        if (writes && number > 0 && !ac97->slips) {
            ac97->codec[number] = (uint16_t)ac97->out;
            set_gain(ac97, number);
        }
        ac97->answers = writes || ac97->slips ? ac97->answers : ANSWER_FRAMES;
    }
    if (stream->runs && stream->bytes > 0) {
        uint32_t cycles;
        const uint32_t word = board_twin_memory_read(memory, ac97->due, stream->address, &cycles);
        slots[TAG] |= 0x1800;
        slots[LEFT] = widen(word >> 16);
        slots[RIGHT] = widen(word & UINT16_MAX);
        lines |= advance(stream) ? (uint32_t)BOARD_TWIN_IRQ_play_done : 0;
    }
    for (unsigned i = BOARD_TWIN_AC97_SLOTS; ac97->slips && i-- > 0;) {
        slots[i] = slots[i] >> 1 | (i > 0 ? (slots[i - 1] & 1) << 19 : 0);
    }
    ac97->slips = false;
    if (sound->link != NULL) {
        sound->link(sound->user, slots);
    }
    if (sound->play != NULL) {
        const int16_t frame[2] = {(int16_t)(slots[LEFT] >> 4), (int16_t)(slots[RIGHT] >> 4)};
        sound->play(sound->user, frame);
    }
    return lines;
}

/* A frame goes to memory; true at the end of the recording. */
static bool take(struct board_twin_ac97 *ac97, struct board_twin_memory *memory, uint32_t word)
{
    struct board_twin_ac97_stream *stream = &ac97->record;
    uint32_t cycles;
    board_twin_memory_write(memory, ac97->due, stream->address, word, UINT32_MAX, &cycles);
    if (!advance(stream)) {
        return false;
    }
    ac97->blocks++;
    return true;
}

static uint32_t pack(const int16_t frame[2])
{
    return (uint32_t)(uint16_t)frame[0] << 16 | (uint16_t)frame[1];
}

/* With nothing left the next frame waits within the input side; those behind it are missing, and
 * the one in whose middle it goes on again has its bits at other places. */
static uint32_t record(struct board_twin_ac97 *ac97, struct board_twin_memory *memory,
                       const int16_t frame[2])
{
    const struct board_twin_ac97_stream *stream = &ac97->record;
    if (!stream->runs || ac97->waits) {
        return 0;
    }
    if (stream->bytes == 0) {
        if (ac97->hears) {
            memcpy(ac97->waiting, frame, sizeof ac97->waiting);
            ac97->waits = true;
        }
        return 0;
    }
    uint32_t word = pack(frame);
    if (ac97->released + FRAME_IN + LATE > ac97->due) {
        const uint64_t bits = (ac97->released + FRAME_IN + LATE - ac97->due) / 7 + 1;
        word = bits < 32 ? word << bits : 0;
    }
    return take(ac97, memory, word) ? BOARD_TWIN_IRQ_record_done : 0;
}

/* A frame from the codec has come, with its answer if it owes one. While a frame waits, nobody
 * hears that. */
static uint32_t end_frame(struct board_twin_ac97 *ac97, struct board_twin_memory *memory,
                          const int16_t frame[2])
{
    uint32_t lines = 0;
    if (ac97->answers > 0 && --ac97->answers == 0 && !ac97->waits) {
        ac97->in = ac97->codec[ac97->address / 2];
        lines = BOARD_TWIN_IRQ_codec_reply;
    }
    return lines | record(ac97, memory, frame);
}

/* The sound that comes in goes on, whether somebody takes it or not. */
static void hear(struct board_twin_ac97 *ac97, const struct board_twin_jacks *sound,
                 int16_t frame[2])
{
    ac97->hears = ac97->hears || (ac97->record.runs && ac97->record.bytes > 0);
    if (sound->record != NULL && ac97->hears && ac97->state == BOARD_TWIN_AC97_ON) {
        sound->record(sound->user, frame);
        for (int i = 0; i < 2; i++) {
            frame[i] = (int16_t)(frame[i] * ac97->gain[i] / (1 << GAIN_BITS));
        }
    }
}

static uint32_t do_next(struct board_twin_ac97 *ac97, struct board_twin_memory *memory,
                        const struct board_twin_jacks *sound)
{
    static const int16_t silence[2];
    int16_t frame[2] = {0, 0};
    uint32_t lines = 0;
    if (ac97->raised != 0 && ac97->raised_at == ac97->due) {
        lines = ac97->raised;
        ac97->raised = 0;
    } else if (ac97->armed_at == ac97->due) {
        ac97->released = ac97->due - ARMED;
        ac97->armed_at = UINT64_MAX;
        ac97->waits = false;
        if (ac97->record.bytes > 0 && take(ac97, memory, pack(ac97->waiting))) {
            lines = BOARD_TWIN_IRQ_record_done;
        }
    } else if (ac97->inside) {
        hear(ac97, sound, frame);
        ac97->inside = false;
        ac97->frame++;
        lines = end_frame(ac97, memory, frame);
    } else if (ac97->state == BOARD_TWIN_AC97_OFF || is_out_of_work(&ac97->play)) {
        ac97->stands = ac97->state != BOARD_TWIN_AC97_OFF;
        ac97->slips = false;
        ac97->frame++;
        if (ac97->stands) {
            hear(ac97, sound, frame);
            if (sound->play != NULL) {
                sound->play(sound->user, silence);
            }
        }
    } else {
        ac97->stands = false;
        ac97->inside = true;
        ac97->frames++;
        lines = begin_frame(ac97, memory, sound);
    }
    return lines;
}

uint32_t board_twin_ac97_event(struct board_twin_ac97 *ac97, struct board_twin_memory *memory,
                               const struct board_twin_jacks *sound)
{
    const uint32_t lines = do_next(ac97, memory, sound);
    find_due(ac97);
    return lines;
}

enum {
    SIZE_MASK = 2047,
    BASE_LOW = 31,
    BLANK = 1,
    PIXEL = 2,
    CLOCKS = 4,
    AHEAD = 1200, /* pixels that are read ahead of the beam */
    PIN_IN = 1,   /* monitor data pins */
    PIN_OUT = 2,
    PIN_DRIVEN = 4,
};

static const uint64_t PIXEL_CLOCKS[CLOCKS] = {25000000, 50000000, 65000000, 65000000};

static uint32_t reg(const struct board_twin_vga *vga, enum board_twin_register offset)
{
    return vga->registers[offset / 4];
}

bool board_twin_vga_create(struct board_twin_vga *vga)
{
    static const struct {
        enum board_twin_register offset;
        uint32_t value;
    } rows[] = {
        {BOARD_TWIN_vga_reset, BLANK},     {BOARD_TWIN_vga_hres, 640},
        {BOARD_TWIN_vga_hsync_start, 656}, {BOARD_TWIN_vga_hsync_end, 752},
        {BOARD_TWIN_vga_hscan, 799},       {BOARD_TWIN_vga_vres, 480},
        {BOARD_TWIN_vga_vsync_start, 492}, {BOARD_TWIN_vga_vsync_end, 494},
        {BOARD_TWIN_vga_vscan, 524},       {BOARD_TWIN_vga_bursts, 640 * 480 / 16},
    };
    memset(vga, 0, sizeof *vga);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        vga->registers[rows[i].offset / 4] = rows[i].value;
    }
    vga->due = UINT64_MAX;
    vga->pixels = calloc((size_t)BOARD_TWIN_VGA_SIDE * BOARD_TWIN_VGA_SIDE, sizeof(uint16_t));
    return vga->pixels != NULL;
}

void board_twin_vga_free(struct board_twin_vga *vga)
{
    free(vga->pixels);
    vga->pixels = NULL;
}

uint32_t board_twin_vga_read(const struct board_twin_vga *vga, uint32_t offset)
{
    if (offset == BOARD_TWIN_vga_shown) {
        return vga->shown;
    }
    if (offset == BOARD_TWIN_vga_ddc) {
        const uint32_t pins = reg(vga, BOARD_TWIN_vga_ddc);
        return pins | ((pins & (PIN_DRIVEN | PIN_OUT)) == PIN_DRIVEN ? 0u : PIN_IN);
    }
    return offset / 4 < BOARD_TWIN_VGA_REGISTERS ? vga->registers[offset / 4] : 0;
}

static bool is_blank(const struct board_twin_vga *vga)
{
    return (reg(vga, BOARD_TWIN_vga_reset) & BLANK) != 0 || reg(vga, BOARD_TWIN_vga_hres) == 0 ||
           reg(vga, BOARD_TWIN_vga_vres) == 0;
}

/* Totals are never less than what is shown: a picture takes time. */
static uint64_t total(const struct board_twin_vga *vga, enum board_twin_register scan,
                      enum board_twin_register shown)
{
    const uint64_t whole = (uint64_t)reg(vga, scan) + 1;
    return whole > reg(vga, shown) ? whole : (uint64_t)reg(vga, shown) + 1;
}

static uint64_t pixel_time(const struct board_twin_vga *vga, uint64_t pixels)
{
    return pixels * BOARD_TWIN_CLOCK / PIXEL_CLOCKS[reg(vga, BOARD_TWIN_vga_clock) % CLOCKS];
}

/* When line `line` of the picture begins, in cycles from the start of the scan. */
static uint64_t line_time(const struct board_twin_vga *vga, uint64_t line)
{
    return pixel_time(vga, line * total(vga, BOARD_TWIN_vga_hscan, BOARD_TWIN_vga_hres));
}

uint64_t board_twin_vga_cycles(const struct board_twin_vga *vga)
{
    return is_blank(vga) ? 0
                         : line_time(vga, total(vga, BOARD_TWIN_vga_vscan, BOARD_TWIN_vga_vres));
}

/* Reading is ahead of the beam, but not of the picture's beginning. */
static void next_lines(struct board_twin_vga *vga)
{
    const uint32_t end = vga->line + BOARD_TWIN_VGA_LINES;
    const uint64_t ends = line_time(vga, end < vga->height ? end : vga->height);
    const uint64_t ahead = pixel_time(vga, AHEAD);
    vga->due = vga->began + (ends > 2 * ahead ? ends - ahead : ends / 2);
}

static void take_base(struct board_twin_vga *vga)
{
    vga->fresh = vga->asked;
    vga->asked = false;
    vga->shown = reg(vga, BOARD_TWIN_vga_base);
}

static void begin_picture(struct board_twin_vga *vga, uint64_t now)
{
    vga->counts = vga->fresh;
    vga->width = reg(vga, BOARD_TWIN_vga_hres);
    vga->height = reg(vga, BOARD_TWIN_vga_vres);
    vga->line = 0;
    vga->began = now;
    next_lines(vga);
}

void board_twin_vga_write(struct board_twin_vga *vga, struct board_twin_memory *memory,
                          uint64_t now, uint32_t offset, uint32_t value)
{
    if (offset / 4 >= BOARD_TWIN_VGA_REGISTERS || offset == BOARD_TWIN_vga_shown) {
        return;
    }
    const uint32_t before = vga->registers[offset / 4];
    uint32_t kept = value & SIZE_MASK;
    switch (offset) {
    case BOARD_TWIN_vga_base:
        kept = value & (BOARD_TWIN_SDRAM - 1);
        break;
    case BOARD_TWIN_vga_clock:
        kept = value % CLOCKS;
        break;
    case BOARD_TWIN_vga_reset:
        kept = value & BLANK;
        break;
    case BOARD_TWIN_vga_bursts:
        kept = value & 0x3FFFF;
        break;
    case BOARD_TWIN_vga_ddc:
        kept = value & 0xE;
        break;
    default:
        break;
    }
    vga->registers[offset / 4] = kept;
    if (offset == BOARD_TWIN_vga_base) {
        vga->replaced += vga->asked;
        vga->asked = true;
    } else if (before != kept && offset != BOARD_TWIN_vga_ddc && offset != BOARD_TWIN_vga_bursts) {
        /* The bus reads the screen's bytes evenly over its time. Leaving the blank, or another size
         * in the middle of a picture, begins a new one. */
        const uint64_t bursts = (uint64_t)reg(vga, BOARD_TWIN_vga_hres) *
                                reg(vga, BOARD_TWIN_vga_vres) * PIXEL / BOARD_TWIN_L2_BYTES;
        const uint64_t cycles = board_twin_vga_cycles(vga);
        memory->bus.scan_period = cycles > 0 && bursts > 0 ? (double)cycles / (double)bursts : 0;
        memory->bus.scan_due = (double)now;
        vga->due = UINT64_MAX;
        if (!is_blank(vga)) {
            vga->asked = true;
            take_base(vga);
            begin_picture(vga, now);
        }
    }
}

bool board_twin_vga_event(struct board_twin_vga *vga, const struct board_twin_memory *memory)
{
    if (vga->line == vga->height) {
        begin_picture(vga, vga->due);
        return false;
    }
    for (uint32_t i = 0; i < BOARD_TWIN_VGA_LINES && vga->line < vga->height; i++) {
        const uint32_t line = vga->line++;
        uint16_t *pixels = &vga->pixels[(size_t)line * vga->width];
        uint32_t address = (vga->shown & ~(uint32_t)BASE_LOW) + line * vga->width * PIXEL;
        uint32_t x = 0;
        while (x < vga->width) {
            const uint32_t inside = address % BOARD_TWIN_L2_BYTES;
            const uint8_t *bytes = board_twin_memory_snoop(memory, address) + inside;
            const uint32_t here = (BOARD_TWIN_L2_BYTES - inside) / PIXEL;
            const uint32_t count = here < vga->width - x ? here : vga->width - x;
            for (uint32_t end = x + count; x < end; x++, bytes += PIXEL) {
                pixels[x] = (uint16_t)(bytes[0] << 8 | bytes[1]);
            }
            address += count * PIXEL;
        }
    }
    if (vga->line < vga->height) {
        next_lines(vga);
        return false;
    }
    vga->due = vga->began + board_twin_vga_cycles(vga);
    take_base(vga);
    vga->scans++;
    vga->number += vga->counts;
    return vga->counts;
}

void board_twin_vga_picture(const struct board_twin_vga *vga, uint32_t *pixels)
{
    const size_t count = (size_t)vga->width * vga->height;
    for (size_t i = 0; i < count; i++) {
        pixels[i] = board_mapper_rgb(vga->pixels[i]);
    }
}
