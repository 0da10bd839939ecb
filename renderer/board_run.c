#include "renderer/board_run.h"

#include "pfpu/alu.h"

static uint32_t compute(const struct rend_board_operation *operation, const uint32_t *values)
{
    const uint16_t *arguments = operation->arguments;
    if (operation->opcode == PFPU_OPCODE_IF) {
        return pfpu_alu(PFPU_OPCODE_IF, values[arguments[1]], values[arguments[2]],
                        values[arguments[0]] != 0);
    }
    return pfpu_alu(operation->opcode, values[arguments[0]], values[arguments[1]], false);
}

static uint32_t result_of(const struct rend_board_operation *operation, const uint32_t *cells,
                          const uint32_t *values)
{
    switch ((enum rend_board_kind)operation->kind) {
    case REND_BOARD_NUMBER:
        return operation->word;
    case REND_BOARD_GET:
        return cells[operation->word];
    case REND_BOARD_SET:
        return values[operation->arguments[0]];
    case REND_BOARD_ALU:
        return compute(operation, values);
    case REND_BOARD_OUT:
        break;
    }
    return 0;
}

void rend_board_run(const struct rend_board_program *program, uint32_t *cells, uint32_t *values,
                    uint32_t out[2])
{
    for (size_t i = 0; i < program->operation_count; i++) {
        const struct rend_board_operation *operation = &program->operations[i];
        if (operation->kind == REND_BOARD_OUT) {
            out[0] = values[operation->arguments[0]];
            out[1] = values[operation->arguments[1]];
        }
        values[i] = result_of(operation, cells, values);
    }
    for (size_t i = 0; i < program->operation_count; i++) {
        if (program->operations[i].kind == REND_BOARD_SET) {
            cells[program->operations[i].word] = values[i];
        }
    }
}
