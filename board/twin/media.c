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
};

void board_twin_ac97_reset(struct board_twin_ac97 *ac97, uint64_t now)
{
    memset(ac97, 0, sizeof *ac97);
    ac97->codec[0] = CODEC_ID;
    ac97->codec[1] = MUTED;
    ac97->due = now + BOARD_TWIN_CLOCK / BOARD_TWIN_AC97_RATE;
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

static void write_stream(struct board_twin_ac97_stream *stream, uint32_t offset, uint32_t value)
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

void board_twin_ac97_write(struct board_twin_ac97 *ac97, uint32_t offset, uint32_t value)
{
    if (offset >= BOARD_TWIN_ac97_record_control) {
        write_stream(&ac97->record, offset - BOARD_TWIN_ac97_record_control, value);
    } else if (offset >= BOARD_TWIN_ac97_play_control) {
        write_stream(&ac97->play, offset - BOARD_TWIN_ac97_play_control, value);
    } else if (offset == BOARD_TWIN_ac97_codec_control) {
        ac97->access = value & (PENDING | WRITES);
    } else if (offset == BOARD_TWIN_ac97_codec_address) {
        ac97->address = value & CODEC_MASK;
    } else if (offset == BOARD_TWIN_ac97_codec_out) {
        ac97->out = value & UINT16_MAX;
    }
}

/* Goes one frame further; true at the end. */
static bool advance(struct board_twin_ac97_stream *stream)
{
    stream->address += FRAME;
    stream->bytes -= FRAME;
    return stream->bytes == 0;
}

static uint32_t play(struct board_twin_ac97 *ac97, struct board_twin_memory *memory,
                     const struct board_twin_jacks *sound)
{
    struct board_twin_ac97_stream *stream = &ac97->play;
    const bool goes = stream->runs && stream->bytes > 0;
    int16_t frame[2] = {0, 0};
    if (goes) {
        uint32_t cycles;
        const uint32_t word = board_twin_memory_read(memory, ac97->due, stream->address, &cycles);
        frame[0] = (int16_t)(word >> 16);
        frame[1] = (int16_t)word;
    }
    if (sound->play != NULL) {
        sound->play(sound->user, frame);
    }
    return goes && advance(stream) ? BOARD_TWIN_IRQ_play_done : 0;
}

static bool take(struct board_twin_ac97 *ac97, struct board_twin_memory *memory,
                 const int16_t frame[2])
{
    struct board_twin_ac97_stream *stream = &ac97->record;
    const uint32_t word = (uint32_t)(uint16_t)frame[0] << 16 | (uint16_t)frame[1];
    uint32_t cycles;
    board_twin_memory_write(memory, ac97->due, stream->address, word, UINT32_MAX, &cycles);
    return advance(stream);
}

/* With nothing left the next frame waits within the input side; those behind it are missing. */
static uint32_t record(struct board_twin_ac97 *ac97, struct board_twin_memory *memory,
                       const struct board_twin_jacks *sound)
{
    const struct board_twin_ac97_stream *stream = &ac97->record;
    int16_t frame[2] = {0, 0};
    ac97->hears = ac97->hears || (stream->runs && stream->bytes > 0);
    if (sound->record != NULL && ac97->hears && ac97->state == BOARD_TWIN_AC97_ON) {
        sound->record(sound->user, frame);
    }
    if (!stream->runs) {
        ac97->waits = false;
        return 0;
    }
    if (stream->bytes == 0) {
        if (ac97->hears && !ac97->waits) {
            memcpy(ac97->waiting, frame, sizeof frame);
            ac97->waits = true;
        }
        return 0;
    }
    bool ends = ac97->waits && take(ac97, memory, ac97->waiting);
    ac97->waits = ends;
    if (ends) {
        memcpy(ac97->waiting, frame, sizeof frame);
    } else {
        ends = take(ac97, memory, frame);
    }
    if (!ends) {
        return 0;
    }
    ac97->blocks++;
    return BOARD_TWIN_IRQ_record_done;
}

uint32_t board_twin_ac97_event(struct board_twin_ac97 *ac97, struct board_twin_memory *memory,
                               const struct board_twin_jacks *sound)
{
    uint32_t lines = 0;
    if (ac97->state != BOARD_TWIN_AC97_OFF) {
        /* A request goes to the codec with a frame of sound, and its answer comes with it. */
        const uint32_t number = ac97->address / 2;
        const bool writes = (ac97->access & WRITES) != 0;
        if ((ac97->access & PENDING) != 0) {
            ac97->access &= ~(uint32_t)PENDING;
            lines = BOARD_TWIN_IRQ_codec_request;
            lines |= writes ? 0 : (uint32_t)BOARD_TWIN_IRQ_codec_reply;
            if (!writes) {
                ac97->in = ac97->codec[number];
            } else if (number > 0) {
                ac97->codec[number] = (uint16_t)ac97->out;
            }
        }
        lines |= play(ac97, memory, sound);
        lines |= record(ac97, memory, sound);
    }
    ac97->frames++;
    /* 80 MHz is 1666 2/3 cycles for each frame. */
    ac97->due += (uint64_t)BOARD_TWIN_CLOCK * (ac97->frames + 1) / BOARD_TWIN_AC97_RATE -
                 (uint64_t)BOARD_TWIN_CLOCK * ac97->frames / BOARD_TWIN_AC97_RATE;
    return lines;
}

enum { SIZE_MASK = 2047, BASE_LOW = 31, BLANK = 1, PIXEL = 2, CLOCKS = 4 };

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

/* When line `line` of the picture begins, in cycles from the start of the scan. */
static uint64_t line_time(const struct board_twin_vga *vga, uint64_t line)
{
    const uint64_t pixels = line * total(vga, BOARD_TWIN_vga_hscan, BOARD_TWIN_vga_hres);
    return pixels * BOARD_TWIN_CLOCK / PIXEL_CLOCKS[reg(vga, BOARD_TWIN_vga_clock) % CLOCKS];
}

uint64_t board_twin_vga_cycles(const struct board_twin_vga *vga)
{
    return is_blank(vga) ? 0
                         : line_time(vga, total(vga, BOARD_TWIN_vga_vscan, BOARD_TWIN_vga_vres));
}

static void next_lines(struct board_twin_vga *vga)
{
    const uint32_t end = vga->line + BOARD_TWIN_VGA_LINES;
    vga->due = vga->began + line_time(vga, end < vga->height ? end : vga->height);
}

static void begin_picture(struct board_twin_vga *vga, uint64_t now)
{
    vga->counts = vga->asked;
    vga->asked = false;
    vga->shown = reg(vga, BOARD_TWIN_vga_base);
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
        kept = value & (BOARD_TWIN_SDRAM - 1) & ~(uint32_t)BASE_LOW;
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
        uint32_t address = vga->shown + line * vga->width * PIXEL;
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
