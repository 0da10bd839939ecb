/* Words of the coprocessor and numbers with a fixed point: whole arithmetic, for the board's CPU.
 */
#ifndef RENDERER_BOARD_WORD_H
#define RENDERER_BOARD_WORD_H

#include <stdint.h>

/* A number with 16 bits of fraction. */
enum { REND_BOARD_ONE = 1 << 16 };

/* The word's number times 2^bits, cut toward zero and kept within an int32_t. bits: 0..24. */
int32_t rend_board_fixed(uint32_t word, unsigned bits);

/* value / 2^bits as a word, cut toward zero. bits: 0..63. */
uint32_t rend_board_word(int64_t value, unsigned bits);

/* Sine and cosine by the coprocessor's table, with 16 bits of fraction. angle: in steps of 1/8192
 * turn. */
int32_t rend_board_sine(uint32_t angle);
int32_t rend_board_cosine(uint32_t angle);

/* The product of two numbers with 16 bits of fraction, rounded down; it must fit. In halves, for
 * the board has no product of 64 bits. */
static inline int32_t rend_board_times(int32_t a, int32_t b)
{
    const uint32_t low_a = (uint32_t)a & UINT16_MAX;
    const uint32_t low_b = (uint32_t)b & UINT16_MAX;
    return (int32_t)((uint32_t)(a >> 16) * (uint32_t)b + low_a * (uint32_t)(b >> 16) +
                     (low_a * low_b >> 16));
}

static inline int32_t rend_board_within(int32_t value, int32_t low, int32_t high)
{
    return value < low ? low : value > high ? high : value;
}

#endif
