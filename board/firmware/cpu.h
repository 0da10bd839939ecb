/* The processor: interrupts and caches. */
#ifndef BOARD_FIRMWARE_CPU_H
#define BOARD_FIRMWARE_CPU_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Interrupts are taken from now on, or not; returns how it was before. */
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
