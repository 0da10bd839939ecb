#include "pfpu/pfpu.h"
#include "pfpu/target.h"

/* spec/pfpu.md section 3. A SET takes no slot: the result that it stores is committed where it
 * belongs. */
#define BOUND                                                                                      \
    [PFPU_OP_NUMBER] = {true, true, 0}, [PFPU_OP_GET] = {true, true, 0},                           \
    [PFPU_OP_SET] = {true, true, 0}
#define COMMON                                                                                     \
    .issue_width = 1, .commit_ports = 1, .read_delay = 1, .registers = 128, .first_register = 3,   \
    .program_size = 2048, .columns = 33, .rows = 33

const struct pfpu_target pfpu_target_milkymist_one = {
    .name = "milkymist-one",
    .ops =
        {
            BOUND,
#define PFPU_OPCODE(name, text, operands, arity, chip, thesis)                                     \
    [PFPU_OP_##name] = {true, false, chip},
#include "pfpu/opcodes.def"
        },
    .hertz = 80000000,
    COMMON,
};

const struct pfpu_target pfpu_target_thesis = {
    .name = "thesis",
    .ops =
        {
            BOUND,
#define PFPU_OPCODE(name, text, operands, arity, chip, thesis)                                     \
    [PFPU_OP_##name] = {true, false, thesis},
#include "pfpu/opcodes.def"
        },
    .hertz = 100000000,
    COMMON,
};
