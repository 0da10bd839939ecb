/* What a program for the coprocessor (ir.h) computes, operation by operation in the order of
 * the IR: the meaning that schedules are proved against, and what the board's CPU uses. */
#ifndef PFPU_MICROCODE_WORDS_H
#define PFPU_MICROCODE_WORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/cpu.h"
#include "pfpu/ir/ir.h"

/* One vertex. keys: words by pfpu_ir_key_index; SETs change them at the end of the run, GETs of
 * column and row are keys as well. values: one word per instruction, for the caller to look at.
 * out: the two words of the VECTOUT, unchanged if there is none. */
void pfpu_words_run(const struct pfpu_ir *ir, uint32_t *keys, uint32_t *values, uint32_t out[2]);

/* A program for the coprocessor (ir.h) over many vertices at once. What comes out is what
 * pfpu_words_run gives vertex after vertex, bit for bit, on every level of processor.
 *
 * Operations on nothing that varies are done once a run, those that depend on the column or the row
 * alone once per column or row. Programs that carry a value from vertex to vertex (a key with GET
 * and SET) go over a mesh one vertex at a time. */

/* Holds the memory that a run works in: one run at a time. */
struct pfpu_word_lanes;

/* Makes ready for runs over a mesh of columns x rows, both at least 1. The program must outlive the
 * result, which lives in the arena. NULL without memory. */
struct pfpu_word_lanes *pfpu_word_lanes_for_mesh(const struct pfpu_ir *ir,
                                                 enum base_cpu_level level, uint32_t columns,
                                                 uint32_t rows, struct base_arena *arena);

/* Makes ready for runs over register files: column and row are keys like any other. */
struct pfpu_word_lanes *pfpu_word_lanes_for_files(const struct pfpu_ir *ir,
                                                  enum base_cpu_level level,
                                                  struct base_arena *arena);

/* Whether the mesh is walked one vertex at a time. */
bool pfpu_word_lanes_one_by_one(const struct pfpu_word_lanes *lanes);

/* Runs over the mesh, rows outside. keys: words by pfpu_ir_key_index; afterwards as the last vertex
 * leaves them, column and row included. out: two words for each vertex, row_words from one row to
 * the next; untouched, and may be NULL, without a VECTOUT. Does not allocate. */
void pfpu_word_lanes_run_mesh(struct pfpu_word_lanes *lanes, uint32_t *keys, uint32_t *out,
                              size_t row_words);

/* Runs once for each of `count` files of pfpu_ir_key_count words; SETs change their own file.
 * out: two words for each file; untouched, and may be NULL, without a VECTOUT. Does not allocate.
 */
void pfpu_word_lanes_run_files(struct pfpu_word_lanes *lanes, uint32_t *files, size_t count,
                               uint32_t *out);

#endif
