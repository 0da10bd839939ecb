#include "app/milkymist_one/screen.h"

#include <assert.h>
#include <string.h>

#include "app/milkymist_one/cpu.h"
#include "app/milkymist_one/csr.h"

/* Registers keep the place within SDRAM, whichever of its windows was given. */
static uint32_t place(uint32_t address)
{
    return address & 0x07FFFFFF;
}

static void set_mode(void)
{
    static const struct {
        enum board_csr csr;
        uint32_t value;
    } mode[] = {
        {BOARD_CSR_vga_hres, BOARD_SCREEN_WIDTH},
        {BOARD_CSR_vga_hsync_start, 656},
        {BOARD_CSR_vga_hsync_end, 752},
        {BOARD_CSR_vga_hscan, 799},
        {BOARD_CSR_vga_vres, BOARD_SCREEN_HEIGHT},
        {BOARD_CSR_vga_vsync_start, 492},
        {BOARD_CSR_vga_vsync_end, 494},
        {BOARD_CSR_vga_vscan, 524},
        {BOARD_CSR_vga_bursts, BOARD_SCREEN_WIDTH * BOARD_SCREEN_HEIGHT / 16},
        {BOARD_CSR_vga_clock, 0},
    };
    for (size_t i = 0; i < sizeof mode / sizeof mode[0]; i++) {
        board_write(mode[i].csr, mode[i].value);
    }
}

void board_screen_begin(struct board_screen *screen, uint16_t *memory)
{
    assert((uintptr_t)memory % 32 == 0);
    memset(memory, 0, (size_t)BOARD_SCREEN_FRAMES * BOARD_SCREEN_BYTES);
    for (size_t i = 0; i < BOARD_SCREEN_FRAMES; i++) {
        screen->frames[i] = memory + i * (BOARD_SCREEN_BYTES / 2);
    }
    board_write(BOARD_CSR_vga_reset, 1);
    set_mode();
    board_screen_show(screen->frames[0]);
    board_write(BOARD_CSR_vga_reset, 0);
}

uint16_t *board_screen_draw(const struct board_screen *screen)
{
    /* The picture may change from the shown to the waiting one in between: both are left alone. */
    const uint32_t shown = place(board_read(BOARD_CSR_vga_shown));
    const uint32_t waiting = place(board_read(BOARD_CSR_vga_base));
    size_t i = 0;
    while (i + 1 < BOARD_SCREEN_FRAMES && (place((uint32_t)screen->frames[i]) == shown ||
                                           place((uint32_t)screen->frames[i]) == waiting)) {
        i++;
    }
    return screen->frames[i];
}

void board_screen_show(const uint16_t *frame)
{
    board_memory_cache_flush_range(frame, BOARD_SCREEN_BYTES);
    board_screen_present(frame);
}

void board_screen_present(const uint16_t *frame)
{
    board_write(BOARD_CSR_vga_base, (uint32_t)frame);
}

bool board_screen_is_shown(void)
{
    return place(board_read(BOARD_CSR_vga_shown)) == place(board_read(BOARD_CSR_vga_base));
}
