#include "renderer/board_word.h"

#include "pfpu/alu.h"

enum { MANTISSA_BITS = 23, EXPONENT_MASK = 255, WHOLE = 150, BIAS = 127, ROOM = 7 };

static const uint32_t hidden_bit = 1u << MANTISSA_BITS;
static const uint32_t sign_bit = 1u << 31;

int32_t rend_board_fixed(uint32_t word, unsigned bits)
{
    const int exponent = (int)((word >> MANTISSA_BITS) & EXPONENT_MASK);
    const uint32_t mantissa = hidden_bit | (word & (hidden_bit - 1));
    const int shift = exponent - WHOLE + (int)bits;
    int32_t size = 0;
    if (exponent == 0 || shift < -MANTISSA_BITS) {
        return 0;
    }
    if (shift > ROOM) {
        size = INT32_MAX;
    } else {
        size = (int32_t)(shift >= 0 ? mantissa << shift : mantissa >> -shift);
    }
    return (word & sign_bit) != 0 ? -size : size;
}

uint32_t rend_board_word(int64_t value, unsigned bits)
{
    const uint64_t size = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
    unsigned top = 0;
    if (size == 0) {
        return 0;
    }
    while (size >> top > 1) {
        top++;
    }
    const uint64_t mantissa =
        top > MANTISSA_BITS ? size >> (top - MANTISSA_BITS) : size << (MANTISSA_BITS - top);
    const uint32_t exponent = BIAS + top - bits;
    return (value < 0 ? sign_bit : 0) | exponent << MANTISSA_BITS |
           ((uint32_t)mantissa & (hidden_bit - 1));
}

int32_t rend_board_sine(uint32_t angle)
{
    const uint32_t word = pfpu_alu(pfpu_opcode_of_op(PFPU_OP_WORD_SIN), angle & 8191, 0, false);
    return rend_board_fixed(word, 16);
}

int32_t rend_board_cosine(uint32_t angle)
{
    const uint32_t word = pfpu_alu(pfpu_opcode_of_op(PFPU_OP_WORD_COS), angle & 8191, 0, false);
    return rend_board_fixed(word, 16);
}
