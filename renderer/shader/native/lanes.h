/* The operations of base/simd.h as steps of a list, so that the texts of the executor's operations
 * (run/kernels_body.h, math/terms.h) need no second one here. A number or word is a step of a list,
 * or a constant as long as nothing is made of it. Takes the place of base/simd.h and
 * base/simd_one.h. */
#ifndef RENDERER_SHADER_NATIVE_LANES_H
#define RENDERER_SHADER_NATIVE_LANES_H

#ifdef BASE_SIMD_H
#error "base/simd.h is included"
#endif
#define BASE_SIMD_H

#include <assert.h>
#include <string.h>

#include "base/cpu.h"
#include "renderer/shader/native/steps.h"

struct lane_value {
    struct native_list *to; /* NULL: a constant */
    uint32_t name;          /* a step, or a constant's bits */
};
typedef struct lane_value simd_floats;
typedef struct lane_value simd_words;

BASE_INLINE uint16_t lane_name(struct native_list *to, struct lane_value a)
{
    return a.to != NULL ? (uint16_t)a.name : native_number(to, a.name);
}

BASE_INLINE struct lane_value lane_added(struct native_list *to, struct native_step step)
{
    step.place = SHADER_PLACE_NONE;
    return (struct lane_value){to, native_add(to, &step)};
}

BASE_INLINE struct lane_value lane_two(enum x86_op op, struct lane_value from,
                                       struct lane_value with)
{
    struct native_list *to = from.to != NULL ? from.to : with.to;
    assert(to != NULL);
    return lane_added(to, (struct native_step){
                              .op = (uint8_t)op,
                              .operand = {lane_name(to, from), lane_name(to, with), NATIVE_NONE},
                          });
}

BASE_INLINE struct lane_value lane_one(enum x86_op op, struct lane_value with, int bits)
{
    assert(with.to != NULL);
    return lane_added(with.to, (struct native_step){
                                   .op = (uint8_t)op,
                                   .bits = (uint8_t)bits,
                                   .operand = {NATIVE_NONE, (uint16_t)with.name, NATIVE_NONE},
                               });
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
    return x;
}

BASE_INLINE simd_floats simd_as_number(simd_words word)
{
    return word;
}

BASE_INLINE simd_floats simd_add(simd_floats a, simd_floats b)
{
    return lane_two(X86_ADD, a, b);
}

BASE_INLINE simd_floats simd_sub(simd_floats a, simd_floats b)
{
    return lane_two(X86_SUB, a, b);
}

BASE_INLINE simd_floats simd_mul(simd_floats a, simd_floats b)
{
    return lane_two(X86_MUL, a, b);
}

BASE_INLINE simd_floats simd_div(simd_floats a, simd_floats b)
{
    return lane_two(X86_DIV, a, b);
}

BASE_INLINE simd_floats simd_min(simd_floats a, simd_floats b)
{
    return lane_two(X86_MIN, b, a);
}

BASE_INLINE simd_floats simd_max(simd_floats a, simd_floats b)
{
    return lane_two(X86_MAX, b, a);
}

BASE_INLINE simd_floats simd_root(simd_floats a)
{
    return lane_one(X86_ROOT, a, 0);
}

BASE_INLINE simd_floats simd_floor(simd_floats a)
{
    return lane_one(X86_FLOOR, a, 0);
}

BASE_INLINE simd_floats simd_ceil(simd_floats a)
{
    return lane_one(X86_CEIL, a, 0);
}

BASE_INLINE simd_floats simd_trunc(simd_floats a)
{
    return lane_one(X86_TRUNC, a, 0);
}

BASE_INLINE simd_floats simd_round(simd_floats a)
{
    return lane_one(X86_ROUND, a, 0);
}

BASE_INLINE simd_words simd_lt(simd_floats a, simd_floats b)
{
    return lane_two(X86_LT, a, b);
}

BASE_INLINE simd_words simd_le(simd_floats a, simd_floats b)
{
    return lane_two(X86_LE, a, b);
}

BASE_INLINE simd_words simd_eq(simd_floats a, simd_floats b)
{
    return lane_two(X86_EQ, a, b);
}

BASE_INLINE simd_words simd_ne(simd_floats a, simd_floats b)
{
    return lane_two(X86_NE, a, b);
}

BASE_INLINE simd_words simd_and(simd_words a, simd_words b)
{
    return lane_two(X86_AND, a, b);
}

BASE_INLINE simd_words simd_or(simd_words a, simd_words b)
{
    return lane_two(X86_OR, a, b);
}

BASE_INLINE simd_words simd_xor(simd_words a, simd_words b)
{
    return lane_two(X86_XOR, a, b);
}

BASE_INLINE simd_words simd_and_not(simd_words a, simd_words b)
{
    return lane_two(X86_AND_NOT, a, b);
}

BASE_INLINE simd_floats simd_select(simd_words truth, simd_floats yes, simd_floats no)
{
    struct native_list *to = truth.to;
    assert(to != NULL);
    return lane_added(to,
                      (struct native_step){
                          .op = NATIVE_CHOOSE,
                          .operand = {lane_name(to, no), lane_name(to, yes), (uint16_t)truth.name},
                      });
}

BASE_INLINE simd_words simd_plus(simd_words a, simd_words b)
{
    return lane_two(X86_PLUS, a, b);
}

BASE_INLINE simd_words simd_left(simd_words a, int bits)
{
    return lane_one(X86_LEFT, a, bits);
}

BASE_INLINE simd_words simd_right_signed(simd_words a, int bits)
{
    return lane_one(X86_RIGHT_SIGNED, a, bits);
}

BASE_INLINE simd_floats simd_signed_whole(simd_words a)
{
    return lane_one(X86_SIGNED_WHOLE, a, 0);
}

#endif
