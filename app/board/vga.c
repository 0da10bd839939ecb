#include "app/board/vga.h"

#include <stdlib.h>
#include <string.h>

#include "app/board/registers.h"
#include "app/board/system.h"
#include "tmu/chip.h"

enum { SIZE_MASK = 2047, BASE_LOW = 31, BLANK = 1, PIXEL = 2, CLOCKS = 4 };

static const uint64_t PIXEL_CLOCKS[CLOCKS] = {25000000, 50000000, 65000000, 65000000};

static uint32_t reg(const struct app_board_vga *vga, enum app_board_register offset)
{
    return vga->registers[offset / 4];
}

bool app_board_vga_create(struct app_board_vga *vga)
{
    static const struct {
        enum app_board_register offset;
        uint32_t value;
    } rows[] = {
        {APP_BOARD_vga_reset, BLANK},     {APP_BOARD_vga_hres, 640},
        {APP_BOARD_vga_hsync_start, 656}, {APP_BOARD_vga_hsync_end, 752},
        {APP_BOARD_vga_hscan, 799},       {APP_BOARD_vga_vres, 480},
        {APP_BOARD_vga_vsync_start, 492}, {APP_BOARD_vga_vsync_end, 494},
        {APP_BOARD_vga_vscan, 524},       {APP_BOARD_vga_bursts, 640 * 480 / 16},
    };
    memset(vga, 0, sizeof *vga);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        vga->registers[rows[i].offset / 4] = rows[i].value;
    }
    vga->due = UINT64_MAX;
    vga->pixels = calloc((size_t)APP_BOARD_VGA_SIDE * APP_BOARD_VGA_SIDE, sizeof(uint16_t));
    return vga->pixels != NULL;
}

void app_board_vga_free(struct app_board_vga *vga)
{
    free(vga->pixels);
    vga->pixels = NULL;
}

uint32_t app_board_vga_read(const struct app_board_vga *vga, uint32_t offset)
{
    if (offset == APP_BOARD_vga_shown) {
        return vga->shown;
    }
    return offset / 4 < APP_BOARD_VGA_REGISTERS ? vga->registers[offset / 4] : 0;
}

static bool is_blank(const struct app_board_vga *vga)
{
    return (reg(vga, APP_BOARD_vga_reset) & BLANK) != 0 || reg(vga, APP_BOARD_vga_hres) == 0 ||
           reg(vga, APP_BOARD_vga_vres) == 0;
}

/* Totals are never less than what is shown: a picture takes time. */
static uint64_t total(const struct app_board_vga *vga, enum app_board_register scan,
                      enum app_board_register shown)
{
    const uint64_t whole = (uint64_t)reg(vga, scan) + 1;
    return whole > reg(vga, shown) ? whole : (uint64_t)reg(vga, shown) + 1;
}

/* When line `line` of the picture begins, in cycles from the start of the scan. */
static uint64_t line_time(const struct app_board_vga *vga, uint64_t line)
{
    const uint64_t pixels = line * total(vga, APP_BOARD_vga_hscan, APP_BOARD_vga_hres);
    return pixels * APP_BOARD_CLOCK / PIXEL_CLOCKS[reg(vga, APP_BOARD_vga_clock) % CLOCKS];
}

uint64_t app_board_vga_cycles(const struct app_board_vga *vga)
{
    return is_blank(vga) ? 0 : line_time(vga, total(vga, APP_BOARD_vga_vscan, APP_BOARD_vga_vres));
}

/* The bus reads the screen's bytes evenly over its time. */
static void set_scan(struct app_board_vga *vga, struct app_board_memory *memory, uint64_t now)
{
    const uint64_t bursts = (uint64_t)reg(vga, APP_BOARD_vga_hres) * reg(vga, APP_BOARD_vga_vres) *
                            PIXEL / APP_BOARD_L2_BYTES;
    const uint64_t cycles = app_board_vga_cycles(vga);
    memory->bus.scan_period = cycles > 0 && bursts > 0 ? (double)cycles / (double)bursts : 0;
    memory->bus.scan_due = (double)now;
}

static void next_lines(struct app_board_vga *vga)
{
    const uint32_t end = vga->line + APP_BOARD_VGA_LINES;
    vga->due = vga->began + line_time(vga, end < vga->height ? end : vga->height);
}

static void begin_picture(struct app_board_vga *vga, uint64_t now)
{
    vga->counts = vga->asked;
    vga->asked = false;
    vga->shown = reg(vga, APP_BOARD_vga_base);
    vga->width = reg(vga, APP_BOARD_vga_hres);
    vga->height = reg(vga, APP_BOARD_vga_vres);
    vga->line = 0;
    vga->began = now;
    next_lines(vga);
}

/* Leaving the blank, or another size in the middle of a picture, begins a new one. */
static void restart(struct app_board_vga *vga, struct app_board_memory *memory, uint64_t now)
{
    set_scan(vga, memory, now);
    vga->due = UINT64_MAX;
    if (!is_blank(vga)) {
        vga->asked = true;
        begin_picture(vga, now);
    }
}

static uint32_t kept(uint32_t offset, uint32_t value)
{
    switch (offset) {
    case APP_BOARD_vga_base:
        return value & (APP_BOARD_SDRAM - 1) & ~(uint32_t)BASE_LOW;
    case APP_BOARD_vga_clock:
        return value % CLOCKS;
    case APP_BOARD_vga_reset:
        return value & BLANK;
    case APP_BOARD_vga_bursts:
        return value & 0x3FFFF;
    case APP_BOARD_vga_ddc:
        return value & 0xE;
    default:
        return value & SIZE_MASK;
    }
}

void app_board_vga_write(struct app_board_vga *vga, struct app_board_memory *memory, uint64_t now,
                         uint32_t offset, uint32_t value)
{
    if (offset / 4 >= APP_BOARD_VGA_REGISTERS || offset == APP_BOARD_vga_shown) {
        return;
    }
    const uint32_t before = vga->registers[offset / 4];
    vga->registers[offset / 4] = kept(offset, value);
    if (offset == APP_BOARD_vga_base) {
        vga->replaced += vga->asked;
        vga->asked = true;
    } else if (before != vga->registers[offset / 4] && offset != APP_BOARD_vga_ddc &&
               offset != APP_BOARD_vga_bursts) {
        restart(vga, memory, now);
    }
}

static void scan_line(struct app_board_vga *vga, const struct app_board_memory *memory,
                      uint32_t line)
{
    uint16_t *pixels = &vga->pixels[(size_t)line * vga->width];
    uint32_t address = vga->shown + line * vga->width * PIXEL;
    uint32_t x = 0;
    while (x < vga->width) {
        const uint32_t inside = address % APP_BOARD_L2_BYTES;
        const uint8_t *bytes = app_board_memory_snoop(memory, address) + inside;
        const uint32_t here = (APP_BOARD_L2_BYTES - inside) / PIXEL;
        const uint32_t count = here < vga->width - x ? here : vga->width - x;
        for (uint32_t i = 0; i < count; i++) {
            pixels[x + i] = (uint16_t)(bytes[PIXEL * i] << 8 | bytes[PIXEL * i + 1]);
        }
        x += count;
        address += count * PIXEL;
    }
}

bool app_board_vga_event(struct app_board_vga *vga, const struct app_board_memory *memory)
{
    if (vga->line == vga->height) {
        begin_picture(vga, vga->due);
        return false;
    }
    for (uint32_t i = 0; i < APP_BOARD_VGA_LINES && vga->line < vga->height; i++) {
        scan_line(vga, memory, vga->line++);
    }
    if (vga->line < vga->height) {
        next_lines(vga);
        return false;
    }
    vga->due = vga->began + app_board_vga_cycles(vga);
    vga->scans++;
    vga->number += vga->counts;
    return vga->counts;
}

void app_board_vga_picture(const struct app_board_vga *vga, uint32_t *pixels)
{
    const size_t count = (size_t)vga->width * vga->height;
    for (size_t i = 0; i < count; i++) {
        pixels[i] = tmu_chip_rgb(vga->pixels[i]);
    }
}
