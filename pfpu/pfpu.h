/* The patch compiler and its executor: equations (spec/milk-expressions.md) in, programs out.
 *
 *   text -> tree (language) -> IR -> passes, schedule, code (compile: the table) -> run (host)
 *
 * pfpu/compile/board.h is the way for the Milkymist One. */
#ifndef PFPU_PFPU_H
#define PFPU_PFPU_H

#include "pfpu/compile/compile.h" /* pfpu_compile, pfpu_program_dump */
#include "pfpu/host/run.h"        /* programs, instances, globals, pfpu_run */
#include "pfpu/language/scope.h"  /* namespaces */
#include "pfpu/machine/machine.h" /* the board's targets; the host's is in run.h */

#endif
