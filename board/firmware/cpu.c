#include "board/firmware/cpu.h"

enum { LINE = 32, LINES = 512 };
enum { TAKEN = 1, TAKEN_BEHIND_THE_TRAP = 2 };

/* An access here writes back and forgets the line at the same place in the cache. */
#define FLUSH_WINDOW 0xC8000000u

bool board_interrupts_on(bool on)
{
    /* The other bits say whether interrupts are taken behind a trap: within one they must stay. */
    uint32_t before = 0;
    __asm__ volatile("rcsr %0, IE" : "=r"(before));
    const uint32_t after = on ? before | TAKEN : before & ~(uint32_t)TAKEN;
    __asm__ volatile("wcsr IE, %0" : : "r"(after) : "memory");
    return (before & TAKEN) != 0;
}

void board_interrupts_nest(bool on)
{
    __asm__ volatile("wcsr IE, %0" : : "r"(on ? TAKEN : TAKEN_BEHIND_THE_TRAP) : "memory");
}

void board_interrupt_mask_set(uint32_t mask)
{
    __asm__ volatile("wcsr IM, %0" : : "r"(mask) : "memory");
}

uint32_t board_interrupt_mask(void)
{
    uint32_t mask = 0;
    __asm__ volatile("rcsr %0, IM" : "=r"(mask));
    return mask;
}

uint32_t board_interrupts_pending(void)
{
    uint32_t pending = 0;
    __asm__ volatile("rcsr %0, IP" : "=r"(pending));
    return pending;
}

void board_interrupts_acknowledge(uint32_t bits)
{
    __asm__ volatile("wcsr IP, %0" : : "r"(bits) : "memory");
}

void board_data_cache_forget(void)
{
    __asm__ volatile("wcsr DCC, r0\n\tnop" : : : "memory");
}

void board_instruction_cache_forget(void)
{
    __asm__ volatile("wcsr ICC, r0\n\tnop\n\tnop\n\tnop\n\tnop" : : : "memory");
}

static void flush_lines(uint32_t first, uint32_t count)
{
    __asm__ volatile("" : : : "memory");
    for (uint32_t line = first; line < first + count; line++) {
        (void)*(const volatile uint32_t *)(FLUSH_WINDOW + line % LINES * LINE);
    }
    __asm__ volatile("" : : : "memory");
}

void board_memory_cache_flush(void)
{
    flush_lines(0, LINES);
}

void board_memory_cache_flush_range(const void *address, size_t size)
{
    if (size == 0) {
        return;
    }
    const uint32_t begin = (uint32_t)address / LINE;
    const uint32_t end = ((uint32_t)address + (uint32_t)size - 1) / LINE + 1;
    flush_lines(begin, end - begin < LINES ? end - begin : LINES);
}
