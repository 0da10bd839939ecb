/* Arithmetic waits, so that it stands together. */
#include "renderer/shader/code/order.h"

#include <string.h>

/* Operations that wait, and numbers that are kept for what comes, at most. Each of them takes a
 * kibibyte of the processor's first cache. */
enum { WAITING_MOST = 256, NUMBERS_MOST = 40 };

#define NOBODY UINT32_MAX

struct number {
    uint32_t makers; /* instructions that write the register */
    uint32_t asked;  /* how often it is still to be read */
    uint32_t maker;  /* its place among those that wait, or NOBODY */
    bool kept;       /* it is there, and still to be read */
};

struct order {
    struct number *numbers;
    struct shader_code waiting[WAITING_MOST];
    bool needed[WAITING_MOST];
    size_t waiting_count;
    size_t kept; /* registers that are written and still to be read */
    struct shader_code *out;
    size_t out_count;
};

static void set_kept(struct order *order, struct number *number, bool kept)
{
    order->kept += (size_t)kept - (size_t)number->kept;
    number->kept = kept;
}

static void put(struct order *order, const struct shader_code *code)
{
    for (size_t k = 0; k < 4; k++) {
        if (shader_is_register(code->argument[k])) {
            struct number *number = &order->numbers[code->argument[k]];
            set_kept(order, number, --number->asked > 0);
        }
        if (shader_is_register(code->result[k])) {
            struct number *number = &order->numbers[code->result[k]];
            set_kept(order, number, number->asked > 0);
            number->maker = NOBODY;
        }
    }
    order->out[order->out_count++] = *code;
}

/* Whether what it works on is there. */
static bool is_ready(const struct order *order, const struct shader_code *code)
{
    for (size_t k = 0; k < 4; k++) {
        if (shader_is_register(code->argument[k]) &&
            order->numbers[code->argument[k]].maker != NOBODY) {
            return false;
        }
    }
    return true;
}

/* Of those that wait and are needed, what is ready: arithmetic or functions, in their order. */
static bool put_ready(struct order *order, bool arithmetic)
{
    bool done = true;
    for (size_t i = 0; i < order->waiting_count; i++) {
        const struct shader_code *code = &order->waiting[i];
        if (order->needed[i] && shader_is_arithmetic((enum shader_code_op)code->op) == arithmetic &&
            is_ready(order, code)) {
            put(order, code);
            order->needed[i] = false;
            order->waiting[i].op = SHADER_CODE_COUNT;
        }
        done = done && !order->needed[i];
    }
    return done;
}

static void close_ranks(struct order *order)
{
    size_t kept = 0;
    for (size_t i = 0; i < order->waiting_count; i++) {
        if (order->waiting[i].op != SHADER_CODE_COUNT) {
            order->numbers[order->waiting[i].result[0]].maker = (uint32_t)kept;
            order->waiting[kept++] = order->waiting[i];
        }
    }
    order->waiting_count = kept;
}

/* Puts those that are needed, arithmetic and functions in turns. */
static void put_needed(struct order *order)
{
    for (bool arithmetic = true; !put_ready(order, arithmetic); arithmetic = !arithmetic) {
    }
    close_ranks(order);
}

static void put_all(struct order *order)
{
    memset(order->needed, true, order->waiting_count * sizeof *order->needed);
    put_needed(order);
}

static void need_arguments(struct order *order, const struct shader_code *code)
{
    for (size_t k = 0; k < 4; k++) {
        if (shader_is_register(code->argument[k])) {
            const uint32_t maker = order->numbers[code->argument[k]].maker;
            if (maker != NOBODY) {
                order->needed[maker] = true;
            }
        }
    }
}

/* Puts what the instruction needs, and that. */
static void put_with_needs(struct order *order, const struct shader_code *code)
{
    memset(order->needed, false, order->waiting_count * sizeof *order->needed);
    need_arguments(order, code);
    for (size_t i = order->waiting_count; i-- > 0;) {
        if (order->needed[i]) {
            need_arguments(order, &order->waiting[i]);
        }
    }
    put_needed(order);
    put(order, code);
}

/* Whether a register that is written more than once has to do with it: a carry, a mask. */
static bool is_bound(const struct order *order, const struct shader_code *code)
{
    for (size_t k = 0; k < 4; k++) {
        if ((shader_is_register(code->argument[k]) &&
             order->numbers[code->argument[k]].makers > 1) ||
            (shader_is_register(code->result[k]) && order->numbers[code->result[k]].makers > 1)) {
            return true;
        }
    }
    return false;
}

static void place(struct order *order, const struct shader_code *code)
{
    if (code->op >= SHADER_CODE_JUMP_NONE || is_bound(order, code)) {
        put_all(order);
        put(order, code);
    } else if (code->op >= SHADER_CODE_READ2) {
        put_with_needs(order, code);
        if (order->kept > NUMBERS_MOST) {
            put_all(order);
        }
    } else {
        if (order->waiting_count == WAITING_MOST) {
            put_all(order);
        }
        order->numbers[code->result[0]].maker = (uint32_t)order->waiting_count;
        order->waiting[order->waiting_count++] = *code;
    }
}

static void count_uses(struct order *order, const struct shader_code *code, size_t count,
                       const shader_place ret[3])
{
    for (size_t i = 0; i < count; i++) {
        for (size_t k = 0; k < 4; k++) {
            if (shader_is_register(code[i].argument[k])) {
                order->numbers[code[i].argument[k]].asked++;
            }
            if (shader_is_register(code[i].result[k])) {
                order->numbers[code[i].result[k]].makers++;
            }
        }
    }
    for (size_t k = 0; k < 3; k++) {
        order->numbers[ret[k]].asked++;
    }
}

bool shader_order(struct base_arena *arena, struct shader_code *code, size_t count,
                  uint32_t registers, const shader_place ret[3])
{
    struct order *order = base_arena_alloc(arena, sizeof *order);
    bool *targets = base_arena_array(arena, count + 1, sizeof *targets);
    if (order == NULL || targets == NULL) {
        return false;
    }
    order->numbers = base_arena_array(arena, registers, sizeof *order->numbers);
    order->out = base_arena_array(arena, count, sizeof *order->out);
    if (order->numbers == NULL || order->out == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < registers; i++) {
        order->numbers[i].maker = NOBODY;
    }
    count_uses(order, code, count, ret);
    for (size_t i = 0; i < count; i++) {
        if (code[i].op >= SHADER_CODE_JUMP_NONE) {
            targets[code[i].target] = true;
        }
    }
    for (size_t i = 0; i < count; i++) {
        if (targets[i]) {
            put_all(order);
        }
        place(order, &code[i]);
    }
    put_all(order);
    if (count > 0) {
        memcpy(code, order->out, count * sizeof *code);
    }
    return true;
}
