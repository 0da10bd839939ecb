/* Scheduled program to the executor's code. */
#ifndef PFPU_HOST_EMIT_H
#define PFPU_HOST_EMIT_H

#include "pfpu/ir/code.h"
#include "pfpu/ir/ir.h"
#include "pfpu/schedule/schedule.h"

/* first_cell: see struct pfpu_code_list. The code lives in the arena. False without memory. */
bool pfpu_emit(const struct pfpu_ir *ir, const struct pfpu_schedule *schedule, int32_t first_cell,
               struct base_arena *arena, struct base_arena *scratch, struct pfpu_code_list *code);

#endif
