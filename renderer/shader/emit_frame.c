#include <string.h>

#include "renderer/shader/emit.h"

static shader_place new_scalar(struct shader_emission *emission)
{
    return SHADER_PLACE_SCALAR | emission->scalars++;
}

static bool is_number(const struct shader_instruction *instruction)
{
    return instruction->op == SHADER_OP_CONST || instruction->op == SHADER_OP_TRUTH;
}

/* Numbers by their bits, equal ones once. */
struct pool {
    uint32_t *bits;
    uint32_t *slots; /* 1 + index into bits; a power of two of them */
    size_t mask;
    size_t count;
};

static bool open_pool(struct pool *pool, struct base_arena *arena, size_t count)
{
    size_t slots = 16;
    while (slots < 2 * count) {
        slots *= 2;
    }
    *pool = (struct pool){
        .bits = base_arena_array(arena, count, sizeof *pool->bits),
        .slots = base_arena_array(arena, slots, sizeof *pool->slots),
        .mask = slots - 1,
    };
    return pool->bits != NULL && pool->slots != NULL;
}

static uint32_t add_number(struct pool *pool, uint32_t bits)
{
    size_t at = (bits * UINT32_C(2654435769) >> 8) & pool->mask;
    while (pool->slots[at] != 0 && pool->bits[pool->slots[at] - 1] != bits) {
        at = (at + 1) & pool->mask;
    }
    if (pool->slots[at] == 0) {
        pool->bits[pool->count] = bits;
        pool->slots[at] = (uint32_t)++pool->count;
    }
    return pool->slots[at] - 1;
}

static uint32_t bits_of(const struct shader_instruction *instruction)
{
    uint32_t bits;
    if (instruction->op == SHADER_OP_TRUTH) {
        return instruction->number != 0 ? UINT32_MAX : 0;
    }
    memcpy(&bits, &instruction->number, sizeof bits);
    return bits;
}

static bool emit_numbers(struct shader_emission *emission)
{
    const struct shader_ir *ir = emission->ir;
    struct shader_program *program = emission->program;
    size_t count = 0;
    for (size_t i = 0; i < ir->count; i++) {
        count += is_number(&ir->list[i]) ? 1 : 0;
    }
    struct pool pool;
    if (!open_pool(&pool, &emission->arena, count)) {
        return false;
    }
    for (size_t i = 0; i < ir->count; i++) {
        if (is_number(&ir->list[i])) {
            emission->place[i] = SHADER_PLACE_SCALAR | add_number(&pool, bits_of(&ir->list[i]));
        }
    }
    float *numbers = base_arena_array(&program->arena, pool.count, sizeof *numbers);
    if (numbers == NULL) {
        return false;
    }
    if (pool.count > 0) {
        memcpy(numbers, pool.bits, pool.count * sizeof *numbers);
    }
    program->numbers = numbers;
    program->number_count = pool.count;
    emission->scalars = (uint32_t)pool.count;
    return true;
}

static bool emit_uniforms(struct shader_emission *emission)
{
    enum { INDICES = SHADER_SLOTS + 4 * SHADER_TEXTURES_MAX };
    const struct shader_ir *ir = emission->ir;
    struct shader_program *program = emission->program;
    shader_place places[INDICES];
    memset(places, 0xFF, sizeof places); /* SHADER_PLACE_NONE */
    program->uniforms = base_arena_array(&program->arena, INDICES, sizeof *program->uniforms);
    if (program->uniforms == NULL) {
        return false;
    }
    for (size_t i = 0; i < ir->count; i++) {
        if (ir->list[i].op != SHADER_OP_UNIFORM) {
            continue;
        }
        const uint16_t index = ir->list[i].index;
        if (places[index] == SHADER_PLACE_NONE) {
            places[index] = new_scalar(emission);
            const uint32_t scalar = places[index] & ~SHADER_PLACE_SCALAR;
            program->uniforms[program->uniform_count++] =
                (struct shader_uniform_place){index, scalar};
        }
        emission->place[i] = places[index];
    }
    return true;
}

bool shader_emit_frame(struct shader_emission *emission)
{
    const struct shader_ir *ir = emission->ir;
    if (!emit_numbers(emission) || !emit_uniforms(emission)) {
        return false;
    }
    for (size_t i = 0; i < ir->count; i++) {
        const struct shader_instruction *instruction = &ir->list[i];
        if (!shader_emit_is_scalar(instruction) || emission->place[i] != SHADER_PLACE_NONE) {
            continue;
        }
        if (instruction->op == SHADER_OP_PART) {
            emission->place[i] = emission->parts[instruction->argument[0]][instruction->index];
        } else if (!shader_emit_value(emission, &emission->frame, (shader_value)i, new_scalar)) {
            return false;
        }
    }
    return true;
}
