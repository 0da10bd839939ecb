#include "pfpu/machine/alu.h"

#include <assert.h>
#include <string.h>

#include "pfpu/machine/word_kernels.h"

enum {
    SINE_STEPS = 2048, /* in a quarter of a turn */
    SINE_INDEX = 4 * SINE_STEPS - 1,
    SUM_BITS = 26,     /* of a sum of two mantissas, one guard bit included */
    INTEGER_BITS = 31, /* of a magnitude */
    EXPONENT_BIAS = 127,
    EXPONENT_WHOLE = 150, /* of a float whose mantissa is the integer itself */
    EXPONENT_MAX = 255,
    DOUBLE_BIAS = 1023,
};

static const uint32_t sign_bit = 0x80000000u;
static const uint32_t one = 0x3F800000u;
static const uint32_t largest = 0x7F7FFFFFu;
static const uint32_t quake_magic = 0x5F3759DFu;
static const uint32_t hidden_bit = 1u << 23;

static const uint32_t sine_table[SINE_STEPS] = {
#include "pfpu/machine/sine_table.inc"
};

const struct pfpu_opcode_row pfpu_opcodes[PFPU_OPCODE_COUNT] = {
#define PFPU_OPCODE(name, text, operands, arity, latency, thesis)                                  \
    [PFPU_OP_##name - PFPU_OP_WORD_NOP] = {text, operands, latency, thesis},
#include "pfpu/ir/opcodes.def"
};

static uint32_t sign_of(uint32_t x)
{
    return x & sign_bit;
}

static uint32_t exponent_of(uint32_t x)
{
    return (x >> 23) & EXPONENT_MAX;
}

static uint32_t mantissa_of(uint32_t x)
{
    return x & (hidden_bit - 1);
}

/* The exponent wraps. */
static uint32_t float_make(uint32_t sign, uint32_t exponent, uint32_t mantissa)
{
    return sign | (exponent & EXPONENT_MAX) << 23 | mantissa;
}

/* Of a number of so many bits; 31 for 0, as the adder and the conversion want it. */
static uint32_t leading_zeros(uint32_t value, uint32_t bits)
{
    uint32_t zeros = 0;
    value <<= 32 - bits;
    for (uint32_t step = 16; step > 0; step /= 2) {
        if (value >> (32 - step) == 0) {
            value <<= step;
            zeros += step;
        }
    }
    return zeros;
}

static uint32_t guarded(uint32_t x)
{
    return (hidden_bit + mantissa_of(x)) << 1;
}

static uint32_t sum(uint32_t a, uint32_t b)
{
    const bool a_is_bigger = (a & ~sign_bit) > (b & ~sign_bit);
    const uint32_t big = a_is_bigger ? a : b;
    const uint32_t small = a_is_bigger ? b : a;
    const uint32_t distance = exponent_of(big) - exponent_of(small);
    uint32_t result = guarded(big);
    if (exponent_of(small) != 0) {
        const uint32_t shifted = distance < SUM_BITS ? guarded(small) >> distance : 0;
        result = sign_of(a) == sign_of(b) ? result + shifted : result - shifted;
    }
    const uint32_t zeros = leading_zeros(result, SUM_BITS);
    /* 31 zeros are more than there are bits: nothing is left of the mantissa then. */
    const uint32_t normal = zeros < SUM_BITS ? result << zeros : 0;
    return float_make(sign_of(big), exponent_of(big) - zeros + 1, mantissa_of(normal >> 2));
}

static uint32_t product(uint32_t a, uint32_t b)
{
    if (exponent_of(a) == 0 || exponent_of(b) == 0) {
        return 0;
    }
    const uint64_t p = (uint64_t)(hidden_bit + mantissa_of(a)) * (hidden_bit + mantissa_of(b));
    const uint32_t carry = (uint32_t)(p >> 47);
    return float_make(sign_of(a ^ b), exponent_of(a) + exponent_of(b) - EXPONENT_BIAS + carry,
                      mantissa_of((uint32_t)(p >> (23 + carry))));
}

static uint32_t integer_of(uint32_t a)
{
    const uint32_t exponent = exponent_of(a);
    const uint32_t whole = hidden_bit + mantissa_of(a);
    uint32_t value = 0;
    if (exponent >= EXPONENT_WHOLE && exponent < EXPONENT_WHOLE + 32) {
        value = whole << (exponent - EXPONENT_WHOLE);
    } else if (exponent < EXPONENT_WHOLE && exponent > EXPONENT_WHOLE - 32) {
        value = whole >> (EXPONENT_WHOLE - exponent);
    }
    value &= ~sign_bit;
    return sign_of(a) != 0 ? 0 - value : value;
}

static uint32_t float_of(uint32_t a)
{
    if (a == 0) {
        return 0;
    }
    const uint32_t value = (sign_of(a) != 0 ? 0 - a : a) & ~sign_bit;
    const uint32_t zeros = leading_zeros(value, INTEGER_BITS);
    return float_make(sign_of(a), EXPONENT_BIAS + INTEGER_BITS - 1 - zeros,
                      mantissa_of((value << zeros) >> 7));
}

/* The first quarter of a turn, or from its end backwards. */
static uint32_t quarter(uint32_t index, bool backwards)
{
    const uint32_t step = index & (SINE_STEPS - 1);
    if (!backwards) {
        return sine_table[step];
    }
    return step == 0 ? one : sine_table[SINE_STEPS - step];
}

static uint32_t cosine(uint32_t a)
{
    const uint32_t index = (sign_of(a) != 0 ? 0 - a : a) & SINE_INDEX;
    const uint32_t sign = (index >> 12 ^ index >> 11) << 31;
    return sign | quarter(index, (index & SINE_STEPS) == 0);
}

static bool is_above(uint32_t a, uint32_t b)
{
    if (sign_of(a) != sign_of(b)) {
        return sign_of(a) == 0;
    }
    return sign_of(a) == 0 ? a > b : a < b;
}

uint32_t pfpu_alu(unsigned opcode, uint32_t a, uint32_t b, bool flag)
{
    switch (pfpu_op_of_opcode(opcode)) {
    case PFPU_OP_WORD_FADD:
        return sum(a, b);
    case PFPU_OP_WORD_FSUB:
        return sum(a, b ^ sign_bit);
    case PFPU_OP_WORD_FMUL:
        return product(a, b);
    case PFPU_OP_WORD_FABS:
        return a & ~sign_bit;
    case PFPU_OP_WORD_F2I:
        return integer_of(a);
    case PFPU_OP_WORD_I2F:
        return float_of(a);
    case PFPU_OP_WORD_SIN: {
        const uint32_t index = (sign_of(a) != 0 ? 2 * SINE_STEPS - a : a) & SINE_INDEX;
        const uint32_t sign = index >> 12 << 31;
        return sign | quarter(index, (index & SINE_STEPS) != 0);
    }
    case PFPU_OP_WORD_COS:
        return cosine(a);
    case PFPU_OP_WORD_ABOVE:
        return is_above(a, b) ? one : 0;
    case PFPU_OP_WORD_EQUAL:
        return a == b ? one : 0;
    case PFPU_OP_WORD_COPY:
        return a;
    case PFPU_OP_WORD_IF:
        return flag ? a : b;
    case PFPU_OP_WORD_TSIGN:
        return (a & ~sign_bit) | sign_of(a ^ b);
    case PFPU_OP_WORD_QUAKE:
        return quake_magic - ((a & ~sign_bit) >> 1);
    default:
        return 0;
    }
}

uint32_t pfpu_word_of_number(double number)
{
    if (number != number) {
        return 0;
    }
    const float single = (float)number;
    uint32_t word = 0;
    memcpy(&word, &single, sizeof word);
    if (exponent_of(word) == 0) {
        return sign_of(word);
    }
    return exponent_of(word) == EXPONENT_MAX ? sign_of(word) | largest : word;
}

double pfpu_number_of_word(uint32_t word)
{
    uint64_t bits = (uint64_t)sign_of(word) << 32;
    if (exponent_of(word) != 0) {
        bits |= (uint64_t)(exponent_of(word) + DOUBLE_BIAS - EXPONENT_BIAS) << 52;
        bits |= (uint64_t)mantissa_of(word) << 29;
    }
    double number = 0;
    memcpy(&number, &bits, sizeof number);
    return number;
}

static uint32_t lane(const struct pfpu_word_operand *operand, size_t index)
{
    return operand->words[index / PFPU_WORD_GROUP * operand->step + index % PFPU_WORD_GROUP];
}

static void run_plain(const struct pfpu_word_step *step, size_t groups)
{
    const struct pfpu_word_operand *operands = step->operands;
    for (size_t i = 0; i < groups * PFPU_WORD_GROUP; i++) {
        step->result[i] =
            pfpu_alu(step->opcode, lane(&operands[0], i), lane(&operands[1], i), false);
    }
}

static void run_if_plain(const struct pfpu_word_step *step, size_t groups)
{
    const struct pfpu_word_operand *operands = step->operands;
    for (size_t i = 0; i < groups * PFPU_WORD_GROUP; i++) {
        step->result[i] = pfpu_alu(step->opcode, lane(&operands[1], i), lane(&operands[2], i),
                                   lane(&operands[0], i) != 0);
    }
}

pfpu_word_kernel *pfpu_word_kernel_for(enum base_cpu_level level, unsigned opcode)
{
    assert(opcode < PFPU_OPCODE_COUNT);
#if defined(__x86_64__)
    if (level >= BASE_CPU_AVX2 && pfpu_word_kernels_avx2[opcode] != NULL) {
        return pfpu_word_kernels_avx2[opcode];
    }
#endif
    (void)level;
    return opcode == PFPU_OPCODE_IF ? run_if_plain : run_plain;
}
