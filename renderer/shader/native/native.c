/* Runs of a program's operations, what of them is asked for behind them, and memory for their
 * functions. */
#include "renderer/shader/native/native.h"

#include <stdlib.h>
#include <string.h>

#include "base/os/memory.h"
#include "renderer/shader/native/steps.h"

/* Operations: longer runs are cut, shorter ones left to the kernels. */
enum { RUN_MOST = 32, RUN_LEAST = 2 };

/* Where numbers stand: a register of the code or a scalar. */
struct place {
    bool wanted; /* behind what is looked at, if `age` is the maker's; else it may be */
    uint32_t age;
    uint16_t value; /* in the run that is taken apart: the step that has it, or NATIVE_NONE */
};

struct maker {
    struct base_arena arena;
    struct shader_program *program;
    struct place *places;
    uint32_t age;
    struct native_list list;
    struct native_numbers numbers;
    struct x86_text text;
};

static size_t arguments_of(enum shader_code_op op)
{
    static const uint8_t counts[SHADER_CODE_COUNT] = {
#define SHADER_CODE(NAME, name, arguments, cost) arguments,
#include "renderer/shader/code/code.def"
    };
    return counts[op];
}

static shader_place scalars_of(const struct maker *maker)
{
    return (shader_place)(maker->program->registers * SHADER_REGISTER_SIZE);
}

static struct place *place_of(const struct maker *maker, shader_place at)
{
    const shader_place scalars = scalars_of(maker);
    return &maker->places[at < scalars
                              ? at / SHADER_REGISTER_SIZE
                              : maker->program->registers + (at - scalars) / SHADER_SCALAR_SIZE];
}

static void set_wanted(const struct maker *maker, struct place *place, bool wanted)
{
    place->age = maker->age;
    place->wanted = wanted;
}

/* ---- a run ---- */

static uint16_t argument_step(struct maker *maker, shader_place at)
{
    struct place *place = place_of(maker, at);
    if (place->value == NATIVE_NONE) {
        const struct native_step step = {
            .op = NATIVE_PLACE,
            .place = at,
            .operand = {NATIVE_NONE, NATIVE_NONE, NATIVE_NONE},
        };
        place->value = native_add(&maker->list, &step);
        set_wanted(maker, place, true);
    }
    return place->value;
}

static void take_apart(struct maker *maker, const struct shader_code *code, bool kept)
{
    struct native_list *list = &maker->list;
    uint16_t arguments[4] = {0, 0, 0, 0};
    for (size_t k = 0; k < arguments_of(code->op); k++) {
        arguments[k] = argument_step(maker, code->argument[k]);
    }
    const size_t before = list->count;
    uint16_t result = native_trace(list, code->op, arguments);
    if (result < before) { /* a copy */
        const struct native_step step = {.op = X86_LOAD,
                                         .operand = {NATIVE_NONE, result, NATIVE_NONE}};
        result = native_add(list, &step);
    }
    list->step[result].kept = kept;
    list->step[result].place = code->result[0];
    place_of(maker, code->result[0])->value = result;
}

/* The places' `wanted` go from what holds behind the run to what holds before. */
static void make_list(struct maker *maker, const struct shader_code *code, size_t count)
{
    bool kept[RUN_MOST];
    maker->list.count = 0;
    maker->list.failed = false;
    for (size_t i = count; i-- > 0;) {
        struct place *result = place_of(maker, code[i].result[0]);
        kept[i] = result->age != maker->age || result->wanted;
        set_wanted(maker, result, false);
    }
    for (size_t i = 0; i < count; i++) {
        take_apart(maker, &code[i], kept[i]);
    }
    for (size_t i = 0; i < count; i++) {
        place_of(maker, code[i].result[0])->value = NATIVE_NONE;
        for (size_t k = 0; k < arguments_of(code[i].op); k++) {
            place_of(maker, code[i].argument[k])->value = NATIVE_NONE;
        }
    }
    native_look_ahead(&maker->list);
}

/* Writes the function of a run; returns where it begins. */
static size_t write_run(struct maker *maker, const struct shader_code *code)
{
    struct x86_text *text = &maker->text;
    const size_t start = text->count;
    make_list(maker, code, code->run);
    bool done = false;
    for (unsigned vectors = NATIVE_VECTORS_MOST; vectors > 0 && !done; vectors--) {
        text->count = start;
        const size_t body = x86_begin(text, SHADER_REGISTER_SIZE);
        done = !maker->list.failed &&
               native_write(&maker->list, text, &maker->numbers, scalars_of(maker), vectors);
        x86_end(text, body, (int32_t)(vectors * x86_vector_size(text->wide)));
    }
    text->failed |= !done;
    return start;
}

/* ---- the whole ---- */

/* What is known of an instruction. */
enum { TARGET = 1, IN_RUN = 2 };

static void find_targets(const struct shader_program *program, uint8_t *marks)
{
    for (size_t i = 0; i < program->pixel_count; i++) {
        if (program->pixel[i].op >= SHADER_CODE_JUMP_NONE) {
            marks[program->pixel[i].target] |= TARGET;
        }
    }
}

/* Numbers the runs from 0 on; returns how many there are. */
static uint32_t find_runs(const struct shader_program *program, uint8_t *marks)
{
    struct shader_code *const code = program->pixel;
    uint32_t runs = 0;
    for (size_t i = 0; i < program->pixel_count;) {
        size_t end = i;
        while (end < program->pixel_count && end - i < RUN_MOST &&
               shader_is_arithmetic((enum shader_code_op)code[end].op) &&
               (end == i || (marks[end] & TARGET) == 0)) {
            end++;
        }
        if (end - i >= RUN_LEAST) {
            code[i].run = (uint16_t)(end - i);
            code[i].target = runs++;
            for (size_t k = i; k < end; k++) {
                marks[k] |= IN_RUN;
            }
        }
        i = end > i ? end : i + 1;
    }
    return runs;
}

/* One that is in no run, from behind it to before. */
static void pass_instruction(struct maker *maker, const struct shader_code *code)
{
    if (code->op >= SHADER_CODE_JUMP_NONE) {
        maker->age++; /* whatever may be asked for where it leads */
        return;
    }
    for (size_t k = 0; k < 4; k++) {
        if (code->result[k] != SHADER_PLACE_NONE) {
            set_wanted(maker, place_of(maker, code->result[k]), false);
        }
    }
    for (size_t k = 0; k < arguments_of(code->op); k++) {
        set_wanted(maker, place_of(maker, code->argument[k]), true);
    }
}

/* All functions of a level, from the last run to the first; `starts` are where they begin. */
static void write_runs(struct maker *maker, const uint8_t *marks, size_t *starts)
{
    const struct shader_program *program = maker->program;
    maker->age++;
    for (size_t i = 0; i < program->registers + program->scalars; i++) {
        maker->places[i] = (struct place){false, maker->age, NATIVE_NONE};
    }
    for (int i = 0; i < 3; i++) {
        set_wanted(maker, place_of(maker, program->ret[i]), true);
    }
    for (size_t i = program->pixel_count; i-- > 0;) {
        const struct shader_code *code = &program->pixel[i];
        if ((marks[i] & IN_RUN) == 0) {
            pass_instruction(maker, code);
        } else if (code->run > 0) {
            starts[code->target] = write_run(maker, code);
        }
    }
}

/* A vector for each number, behind the functions; returns where they begin. */
static size_t write_numbers(struct maker *maker)
{
    struct x86_text *text = &maker->text;
    const size_t size = x86_vector_size(text->wide);
    x86_align(text, size);
    const size_t start = text->count;
    for (size_t i = 0; i < maker->numbers.count; i++) {
        for (size_t at = 0; at < size; at += sizeof(uint32_t)) {
            x86_word(text, maker->numbers.bits[i]);
        }
    }
    return start;
}

/* The functions of a level as memory that can be run. */
static void make_level(struct maker *maker, enum base_cpu_level level, const uint8_t *marks,
                       size_t *starts, uint32_t runs)
{
    struct shader_native *native = &maker->program->native[level];
    maker->text = (struct x86_text){.wide = level == BASE_CPU_AVX512};
    maker->numbers.count = 0;
    write_runs(maker, marks, starts);
    const size_t numbers = write_numbers(maker);
    shader_native_run *run = base_arena_array(&maker->program->arena, runs, sizeof *run);
    void *memory = !maker->text.failed && run != NULL
                       ? base_memory_load_code(maker->text.bytes, maker->text.count)
                       : NULL;
    for (uint32_t i = 0; i < runs && memory != NULL; i++) {
        run[i] = (shader_native_run)(void *)((unsigned char *)memory + starts[i]);
    }
    if (memory != NULL) {
        *native = (struct shader_native){run, (unsigned char *)memory + numbers, memory,
                                         maker->text.count};
    }
    x86_free(&maker->text);
}

void shader_native_make(struct shader_program *program)
{
    const enum base_cpu_level best = FROTH_NATIVE ? base_cpu_best() : BASE_CPU_PLAIN;
    struct maker *maker = best >= BASE_CPU_AVX2 ? calloc(1, sizeof *maker) : NULL;
    if (maker == NULL) {
        return;
    }
    struct base_arena *arena = &maker->arena;
    const size_t count = program->pixel_count;
    const size_t places = program->registers + program->scalars;
    maker->program = program;
    maker->places = base_arena_array(arena, places, sizeof *maker->places);
    uint8_t *marks = base_arena_array(arena, count + 1, sizeof *marks);
    size_t *starts = base_arena_array(arena, count, sizeof *starts);
    if (!arena->failed) {
        find_targets(program, marks);
        const uint32_t runs = find_runs(program, marks);
        for (enum base_cpu_level level = BASE_CPU_AVX2; runs > 0 && level <= best; level++) {
            make_level(maker, level, marks, starts, runs);
        }
    }
    base_arena_free(arena);
    free(maker);
}

void shader_native_free(struct shader_program *program)
{
    for (size_t i = 0; i < BASE_CPU_LEVEL_COUNT; i++) {
        base_memory_unload_code(program->native[i].memory, program->native[i].bytes);
        program->native[i] = (struct shader_native){.run = NULL};
    }
}
