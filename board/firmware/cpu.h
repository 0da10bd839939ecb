/* The processor, its interrupts and caches, and the registers of what is around it. */
#ifndef BOARD_FIRMWARE_CPU_H
#define BOARD_FIRMWARE_CPU_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The registers' places, as rows of registers.def, and words read and written there. */

/* Past every cache. */
#define BOARD_CSR_BASE 0xE0000000u

enum board_csr_block {
#define BOARD_BLOCK(block, number, help) BOARD_CSR_BLOCK_##block = (number)*0x1000,
#include "board/twin/registers.def"
};

/* Places of the registers above BOARD_CSR_BASE; of several side by side, of the first. */
enum board_csr {
#define BOARD_REGISTER(block, name, offset, words, help)                                           \
    BOARD_CSR_##block##_##name = BOARD_CSR_BLOCK_##block + (offset),
#include "board/twin/registers.def"
};

/* Bits of the processor's IM and IP. */
enum board_interrupt {
#define BOARD_INTERRUPT(name, bit, help) BOARD_INTERRUPT_##name = (bit),
#include "board/twin/registers.def"
};

static inline uint32_t board_read(enum board_csr csr)
{
    return *(const volatile uint32_t *)(BOARD_CSR_BASE + (uint32_t)csr);
}

static inline void board_write(enum board_csr csr, uint32_t value)
{
    *(volatile uint32_t *)(BOARD_CSR_BASE + (uint32_t)csr) = value;
}

/* The processor. */

/* Interrupts are taken from now on, or not; returns how it was before. Within a trap, too: what was
 * interrupted goes on with them as it had them. */
bool board_interrupts_on(bool on);

/* Within a trap: further interrupts are taken, or no longer. What was interrupted goes on with
 * interrupts on. */
void board_interrupts_nest(bool on);

/* Bits of the interrupts that are taken (enum board_interrupt). */
void board_interrupt_mask_set(uint32_t mask);
uint32_t board_interrupt_mask(void);

/* Bits of the interrupts that wait, and taking some back. */
uint32_t board_interrupts_pending(void);
void board_interrupts_acknowledge(uint32_t bits);

/* Forgets what the processor's own caches hold: before it reads what others have written to memory,
 * and before it runs what it has written itself. Both write through, nothing is lost. */
void board_data_cache_forget(void);
void board_instruction_cache_forget(void);

/* Writes back and forgets what the cache of the memory bus holds: before the texture mapper reads
 * what the processor wrote, and before the processor reads or changes what the texture mapper
 * wrote. The second takes the lines of size bytes from address on, and others at the same place in
 * the cache. */
void board_memory_cache_flush(void);
void board_memory_cache_flush_range(const void *address, size_t size);

#endif
