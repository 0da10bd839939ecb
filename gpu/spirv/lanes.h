/* The operations of base/simd.h as instructions of a SPIR-V module, for the four pixels of a quad,
 * so that texts written on them, as renderer/shader/math/terms.h, need no second one. A number or
 * word is an identifier of a module, or a constant as long as nothing is made of it. Takes the
 * place of base/simd.h and base/simd_one.h. */
#ifndef GPU_SPIRV_LANES_H
#define GPU_SPIRV_LANES_H

#ifdef BASE_SIMD_H
#error "base/simd.h is included"
#endif
#define BASE_SIMD_H

#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/cpu.h"
#include "gpu/spirv/words.h"

typedef struct {
    struct spirv *to; /* NULL: a constant */
    uint32_t name;    /* or its bits */
} simd_floats;
typedef struct {
    struct spirv *to;
    uint32_t name;
} simd_words;

/* Quotient and root, correctly rounded from any estimate that the standard allows; arithmetic.c. */
simd_floats simd_div(simd_floats a, simd_floats b);
simd_floats simd_root(simd_floats a);

BASE_INLINE uint32_t lane_float(struct spirv *to, simd_floats a)
{
    return a.to != NULL ? a.name : spirv_constant(to, SPIRV_FLOATS, a.name);
}

BASE_INLINE uint32_t lane_word(struct spirv *to, simd_words a)
{
    return a.to != NULL ? a.name : spirv_constant(to, SPIRV_UINTS, a.name);
}

BASE_INLINE simd_floats simd_all(float x)
{
    simd_floats all = {NULL, 0};
    memcpy(&all.name, &x, sizeof x);
    return all;
}

BASE_INLINE simd_words simd_all_words(uint32_t word)
{
    return (simd_words){NULL, word};
}

BASE_INLINE simd_words simd_as_word(simd_floats x)
{
    if (x.to == NULL) {
        return (simd_words){NULL, x.name};
    }
    return (simd_words){x.to, SPIRV_MAKE(x.to, SPIRV_BITCAST, SPIRV_UINTS, x.name)};
}

BASE_INLINE simd_floats simd_as_number(simd_words word)
{
    if (word.to == NULL) {
        return (simd_floats){NULL, word.name};
    }
    return (simd_floats){word.to, SPIRV_MAKE(word.to, SPIRV_BITCAST, SPIRV_FLOATS, word.name)};
}

BASE_INLINE simd_floats lane_floats(enum spirv_op op, simd_floats a, simd_floats b)
{
    struct spirv *to = a.to != NULL ? a.to : b.to;
    assert(to != NULL);
    return (simd_floats){to,
                         SPIRV_MAKE(to, op, SPIRV_FLOATS, lane_float(to, a), lane_float(to, b))};
}

BASE_INLINE simd_words lane_words(enum spirv_op op, simd_words a, simd_words b)
{
    struct spirv *to = a.to != NULL ? a.to : b.to;
    assert(to != NULL);
    return (simd_words){to, SPIRV_MAKE(to, op, SPIRV_UINTS, lane_word(to, a), lane_word(to, b))};
}

/* ---- truths: a vector of them, one for each pixel ---- */

#define LANE_SIGN_BIT   UINT32_C(0x80000000)
#define LANE_NOT_FINITE UINT32_C(0x7f800000) /* the bits of infinity */

BASE_INLINE uint32_t lane_words_compared(enum spirv_op op, simd_words a, simd_words b)
{
    struct spirv *to = a.to != NULL ? a.to : b.to;
    assert(to != NULL);
    return SPIRV_MAKE(to, op, SPIRV_BOOLS, lane_word(to, a), lane_word(to, b));
}

/* Whether one of them is true. */
BASE_INLINE uint32_t lane_any(struct spirv *to, uint32_t truths)
{
    return to->single ? truths : SPIRV_MAKE(to, SPIRV_ANY, SPIRV_BOOL, truths);
}

/* Whether a word is above `least` and at most `most`, as numbers without sign. */
BASE_INLINE uint32_t lane_within(simd_words word, uint32_t least, uint32_t most)
{
    return lane_words_compared(SPIRV_UNSIGNED_LESS,
                               lane_words(SPIRV_INTEGER_SUB, word, simd_all_words(least + 1)),
                               simd_all_words(most - least));
}

/* a < b by whole numbers: from the difference, which is below 0 and a number, and with a constant
 * without that where the numbers beyond it follow each other. */
BASE_INLINE uint32_t lane_less(simd_floats a, simd_floats b)
{
    if (a.to == NULL && (a.name << 1 == 0 || a.name < LANE_SIGN_BIT)) {
        return lane_within(simd_as_word(b), a.name & ~LANE_SIGN_BIT, LANE_NOT_FINITE);
    }
    if (b.to == NULL && (b.name << 1 == 0 || b.name >= LANE_SIGN_BIT)) {
        return lane_within(simd_as_word(a), b.name | LANE_SIGN_BIT,
                           LANE_SIGN_BIT | LANE_NOT_FINITE);
    }
    return lane_within(simd_as_word(lane_floats(SPIRV_FLOAT_SUB, a, b)), LANE_SIGN_BIT,
                       LANE_SIGN_BIT | LANE_NOT_FINITE);
}

/* What numbers that are taken for equal are if they are. */
BASE_INLINE uint32_t lane_neither_less(struct spirv *to, simd_floats a, simd_floats b)
{
    const uint32_t less =
        SPIRV_MAKE(to, SPIRV_LOGICAL_OR, SPIRV_BOOLS, lane_less(a, b), lane_less(b, a));
    return SPIRV_MAKE(to, SPIRV_LOGICAL_NOT, SPIRV_BOOLS, less);
}

/* Devices that do not promise to keep denormal numbers may keep them in arithmetic, but take them
 * for 0 in comparisons and in what they make of a comparison with a choice: least and greatest.
 * Whole numbers put that right. */
BASE_INLINE uint32_t lane_compared(enum spirv_op op, simd_floats a, simd_floats b)
{
    struct spirv *to = a.to != NULL ? a.to : b.to;
    assert(to != NULL);
    if (op == SPIRV_FLOAT_LESS && to->mends_comparisons) {
        return lane_less(a, b);
    }
    const uint32_t truths = SPIRV_MAKE(to, op, SPIRV_BOOLS, lane_float(to, a), lane_float(to, b));
    if (!to->mends_comparisons) {
        return truths;
    }
    const uint32_t mended = op == SPIRV_FLOAT_EQUAL
                                ? lane_neither_less(to, a, b)
                                : SPIRV_MAKE(to, SPIRV_LOGICAL_NOT, SPIRV_BOOLS, lane_less(b, a));
    return SPIRV_MAKE(to, SPIRV_LOGICAL_AND, SPIRV_BOOLS, truths, mended);
}

BASE_INLINE simd_words lane_truth(struct spirv *to, uint32_t truths)
{
    return (simd_words){to, SPIRV_MAKE(to, SPIRV_SELECT, SPIRV_UINTS, truths,
                                       spirv_constant(to, SPIRV_UINTS, UINT32_MAX),
                                       spirv_constant(to, SPIRV_UINTS, 0))};
}

BASE_INLINE simd_floats lane_chosen(uint32_t truths, simd_floats yes, simd_floats no)
{
    struct spirv *to = yes.to != NULL ? yes.to : no.to;
    assert(to != NULL);
    return (simd_floats){to, SPIRV_MAKE(to, SPIRV_SELECT, SPIRV_FLOATS, truths, lane_float(to, yes),
                                        lane_float(to, no))};
}

BASE_INLINE simd_floats lane_extended(enum spirv_extended op, simd_floats a)
{
    assert(a.to != NULL);
    return (simd_floats){a.to, SPIRV_EXTEND(a.to, op, SPIRV_FLOATS, a.name)};
}

BASE_INLINE simd_floats simd_add(simd_floats a, simd_floats b)
{
    return lane_floats(SPIRV_FLOAT_ADD, a, b);
}

BASE_INLINE simd_floats simd_sub(simd_floats a, simd_floats b)
{
    return lane_floats(SPIRV_FLOAT_SUB, a, b);
}

BASE_INLINE simd_floats simd_mul(simd_floats a, simd_floats b)
{
    return lane_floats(SPIRV_FLOAT_MUL, a, b);
}

BASE_INLINE simd_floats simd_min(simd_floats a, simd_floats b)
{
    return lane_chosen(lane_compared(SPIRV_FLOAT_LESS, b, a), b, a);
}

BASE_INLINE simd_floats simd_max(simd_floats a, simd_floats b)
{
    return lane_chosen(lane_compared(SPIRV_FLOAT_LESS, a, b), b, a);
}

BASE_INLINE simd_floats simd_floor(simd_floats a)
{
    return lane_extended(SPIRV_EXTENDED_FLOOR, a);
}

BASE_INLINE simd_floats simd_ceil(simd_floats a)
{
    return lane_extended(SPIRV_EXTENDED_CEIL, a);
}

BASE_INLINE simd_floats simd_trunc(simd_floats a)
{
    return lane_extended(SPIRV_EXTENDED_TRUNC, a);
}

BASE_INLINE simd_floats simd_round(simd_floats a)
{
    return lane_extended(SPIRV_EXTENDED_ROUND_EVEN, a);
}

BASE_INLINE simd_words simd_lt(simd_floats a, simd_floats b)
{
    return lane_truth(a.to != NULL ? a.to : b.to, lane_compared(SPIRV_FLOAT_LESS, a, b));
}

BASE_INLINE simd_words simd_le(simd_floats a, simd_floats b)
{
    return lane_truth(a.to != NULL ? a.to : b.to, lane_compared(SPIRV_FLOAT_LESS_EQUAL, a, b));
}

BASE_INLINE simd_words simd_eq(simd_floats a, simd_floats b)
{
    return lane_truth(a.to != NULL ? a.to : b.to, lane_compared(SPIRV_FLOAT_EQUAL, a, b));
}

BASE_INLINE simd_words simd_and(simd_words a, simd_words b)
{
    return lane_words(SPIRV_BIT_AND, a, b);
}

BASE_INLINE simd_words simd_or(simd_words a, simd_words b)
{
    return lane_words(SPIRV_BIT_OR, a, b);
}

BASE_INLINE simd_words simd_xor(simd_words a, simd_words b)
{
    return lane_words(SPIRV_BIT_XOR, a, b);
}

/* The bits of b that a has not. */
BASE_INLINE simd_words simd_and_not(simd_words a, simd_words b)
{
    assert(a.to != NULL);
    const simd_words rest = {a.to, SPIRV_MAKE(a.to, SPIRV_BIT_NOT, SPIRV_UINTS, a.name)};
    return simd_and(rest, b);
}

BASE_INLINE simd_floats simd_select(simd_words truth, simd_floats yes, simd_floats no)
{
    return simd_as_number(
        simd_or(simd_and(truth, simd_as_word(yes)), simd_and_not(truth, simd_as_word(no))));
}

BASE_INLINE simd_words simd_plus(simd_words a, simd_words b)
{
    return lane_words(SPIRV_INTEGER_ADD, a, b);
}

BASE_INLINE simd_words simd_left(simd_words a, int bits)
{
    return lane_words(SPIRV_SHIFT_LEFT, a, simd_all_words((uint32_t)bits));
}

/* Copies of the uppermost bit come in. */
BASE_INLINE simd_words simd_right_signed(simd_words a, int bits)
{
    return lane_words(SPIRV_SHIFT_RIGHT_SIGNED, a, simd_all_words((uint32_t)bits));
}

/* The number that a word of two's complement stands for, rounded. */
BASE_INLINE simd_floats lane_from_signed(simd_words a)
{
    assert(a.to != NULL);
    return (simd_floats){a.to, SPIRV_MAKE(a.to, SPIRV_SIGNED_TO_FLOAT, SPIRV_FLOATS,
                                          SPIRV_MAKE(a.to, SPIRV_BITCAST, SPIRV_INTS, a.name))};
}

/* The same of one whose size is below 2^24. */
BASE_INLINE simd_floats simd_signed_whole(simd_words a)
{
    return lane_from_signed(a);
}

/* ---- whole numbers modulo 2^32 ---- */

BASE_INLINE simd_words lane_minus(simd_words a, simd_words b)
{
    return lane_words(SPIRV_INTEGER_SUB, a, b);
}

BASE_INLINE simd_words lane_times(simd_words a, simd_words b)
{
    return lane_words(SPIRV_INTEGER_MUL, a, b);
}

BASE_INLINE simd_words lane_left(simd_words a, simd_words bits)
{
    return lane_words(SPIRV_SHIFT_LEFT, a, bits);
}

BASE_INLINE simd_words lane_right(simd_words a, simd_words bits)
{
    return lane_words(SPIRV_SHIFT_RIGHT, a, bits);
}

BASE_INLINE simd_words lane_least(simd_words a, simd_words b)
{
    struct spirv *to = a.to != NULL ? a.to : b.to;
    assert(to != NULL);
    return (simd_words){to, SPIRV_EXTEND(to, SPIRV_EXTENDED_UNSIGNED_MIN, SPIRV_UINTS,
                                         lane_word(to, a), lane_word(to, b))};
}

BASE_INLINE simd_words lane_most(simd_words a, simd_words b)
{
    struct spirv *to = a.to != NULL ? a.to : b.to;
    assert(to != NULL);
    return (simd_words){to, SPIRV_EXTEND(to, SPIRV_EXTENDED_UNSIGNED_MAX, SPIRV_UINTS,
                                         lane_word(to, a), lane_word(to, b))};
}

/* As two's complement. */
BASE_INLINE uint32_t lane_signed_greater(simd_words a, simd_words b)
{
    return lane_words_compared(SPIRV_SIGNED_GREATER, a, b);
}

BASE_INLINE simd_words lane_words_chosen(struct spirv *to, uint32_t truths, simd_words yes,
                                         simd_words no)
{
    return (simd_words){to, SPIRV_MAKE(to, SPIRV_SELECT, SPIRV_UINTS, truths, lane_word(to, yes),
                                       lane_word(to, no))};
}

BASE_INLINE simd_floats lane_from_words(simd_words a)
{
    assert(a.to != NULL);
    return (simd_floats){a.to, SPIRV_MAKE(a.to, SPIRV_UNSIGNED_TO_FLOAT, SPIRV_FLOATS, a.name)};
}

/* A number within 0..1; one above as 1, but if its bits are beyond these as 0, as what is below, or
 * no number. */
BASE_INLINE simd_floats lane_within_one(simd_floats a, uint32_t most)
{
    assert(a.to != NULL);
    const simd_words bits = simd_as_word(a);
    const uint32_t kept = lane_words_compared(SPIRV_UNSIGNED_LESS, bits, simd_all_words(most + 1));
    return simd_as_number(lane_words_chosen(
        a.to, kept, lane_least(bits, simd_as_word(simd_all(1.0f))), simd_all_words(0)));
}

/* ---- words of buffers ---- */

/* One word for all pixels; the word itself where single ones are made. */
BASE_INLINE simd_words lane_spread(struct spirv *to, uint32_t word)
{
    if (to->single) {
        return (simd_words){to, word};
    }
    return (simd_words){
        to, SPIRV_MAKE(to, SPIRV_COMPOSITE_CONSTRUCT, SPIRV_UINTS, word, word, word, word)};
}

/* What was made as a single one, for all pixels. */
BASE_INLINE simd_words lane_spread_words(simd_words a)
{
    return lane_spread(a.to, a.name);
}

BASE_INLINE simd_floats lane_spread_floats(simd_floats a)
{
    return (simd_floats){a.to, SPIRV_MAKE(a.to, SPIRV_COMPOSITE_CONSTRUCT, SPIRV_FLOATS, a.name,
                                          a.name, a.name, a.name)};
}

/* The words of a buffer at these places, one for each pixel. */
BASE_INLINE simd_words lane_gathered(struct spirv *to, unsigned buffer, simd_words index)
{
    enum { LANES = 4 };
    uint32_t word[LANES];
    if (to->single) {
        return (simd_words){to, spirv_read(to, buffer, index.name)};
    }
    for (uint32_t lane = 0; lane < LANES; lane++) {
        word[lane] = spirv_read(
            to, buffer, SPIRV_MAKE(to, SPIRV_COMPOSITE_EXTRACT, SPIRV_UINT, index.name, lane));
    }
    return (simd_words){to, spirv_make(to, SPIRV_COMPOSITE_CONSTRUCT, SPIRV_UINTS, word, LANES)};
}

/* The whole part of numbers from 0 to below 2^32. */
BASE_INLINE simd_words lane_cut(simd_floats a)
{
    assert(a.to != NULL);
    return (simd_words){a.to, SPIRV_MAKE(a.to, SPIRV_FLOAT_TO_UNSIGNED, SPIRV_UINTS, a.name)};
}

/* ---- channels of one pixel as lanes: blue, green, red, and one that counts for nothing ---- */

BASE_INLINE simd_words lane_channels(struct spirv *to, uint32_t pixel)
{
    enum { LANES = 4 };
    uint32_t bits[LANES];
    for (uint32_t k = 0; k < LANES; k++) {
        bits[k] = spirv_constant(to, SPIRV_UINT, 8 * k);
    }
    const simd_words places = {to,
                               spirv_make(to, SPIRV_COMPOSITE_CONSTRUCT, SPIRV_UINTS, bits, LANES)};
    return simd_and(lane_right(lane_spread(to, pixel), places), simd_all_words(255));
}

/* 0x00RRGGBB of channels 0..255. */
BASE_INLINE uint32_t lane_pixel(struct spirv *to, simd_words channels)
{
    uint32_t pixel = spirv_constant(to, SPIRV_UINT, 0);
    for (uint32_t k = 0; k < 3; k++) {
        const uint32_t channel =
            SPIRV_MAKE(to, SPIRV_COMPOSITE_EXTRACT, SPIRV_UINT, channels.name, k);
        pixel = SPIRV_MAKE(to, SPIRV_BIT_OR, SPIRV_UINT, pixel,
                           SPIRV_MAKE(to, SPIRV_SHIFT_LEFT, SPIRV_UINT, channel,
                                      spirv_constant(to, SPIRV_UINT, 8 * k)));
    }
    return pixel;
}

#endif
