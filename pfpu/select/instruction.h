/* Instruction selection: one operation of the host's intermediate representation in operations of
 * the coprocessor. */
#ifndef PFPU_SELECT_INSTRUCTION_H
#define PFPU_SELECT_INSTRUCTION_H

#include "pfpu/select/build.h"

/* 8192 steps per turn, with the hardware's pi (spec/pfpu.md section 8). */
#define PFPU_STEPS_PER_RADIAN (8192.0 / (2 * 3.14159265358))

/* The value of the operation on values of the builder's program; PFPU_NO_VALUE if the coprocessor
 * cannot do it. A plain builder gets the forms of the hardware's papers, any other one ours. */
int32_t pfpu_select_operation(struct pfpu_builder *builder, enum pfpu_op op,
                              const int32_t arguments[3]);

/* Whether two values are equal, from their difference times `scale`, which is positive. size: of
 * one of them if it is known, else 0: the coprocessor's difference of equal values is no exact 0,
 * but up to 2^-30 of them. */
int32_t pfpu_select_close(struct pfpu_builder *builder, int32_t difference, double size,
                          double scale);

/* A value that is 1.0 or 0 as `value` is true or not, ready for IF. */
int32_t pfpu_select_condition(struct pfpu_builder *builder, int32_t value);

int32_t pfpu_select_not(struct pfpu_builder *builder, int32_t value);
int32_t pfpu_select_negative(struct pfpu_builder *builder, int32_t value);

/* Cannot be below 0, as far as its operations tell. */
bool pfpu_select_is_positive(const struct pfpu_builder *builder, int32_t value);

#endif
