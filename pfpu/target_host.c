#include "pfpu/pfpu.h"
#include "pfpu/target.h"

/* The executor of exec_f64.c: one instruction after the other. */
const struct pfpu_target pfpu_target_host = {
    .name = "host",
    .ops =
        {
#define ROW_NUMBER                                {true, true, 0},
#define ROW_GET                                   {true, true, 0},
#define ROW_SET                                   {true, false, 1},
#define ROW_READ                                  {true, false, 1},
#define ROW_EFFECT                                {true, false, 1},
#define PFPU_PURE(name, text, arity, cost, value) {true, false, 1},
#define PFPU_OTHER(name, text, arity, cost, kind) ROW_##kind
#include "pfpu/ops.def"
#undef PFPU_PURE
#undef PFPU_OTHER
        },
    .issue_width = 1,
    .branches = true,
    .fuses = true,
};
