/* A random preset for the board, valid as a text: numbers for some keys, equations for init, frames
 * and vertices over the functions, operators and variables of the language. Most fit the
 * coprocessor and move what is drawn; some need the processor, and some do not fit. random_preset
 * SEED */
#include <ctype.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pfpu/language/lex.h"
#include "presets/milk/preset.h"

#define COUNT(list) (sizeof(list) / sizeof(list)[0])

enum { DEPTH = 4, VARIABLES = 6, CELLS = 500 };

enum place { INIT, FRAME, VERTEX };

struct maker {
    uint64_t state;
    enum place place;
    bool cpu; /* what only the processor does may be used */
};

static const char *const operators[] = {
#define PFPU_OPERATOR(text, level, associativity, function) [PFPU_FUNCTION_##function] = text,
#include "pfpu/language/operators.def"
};

static const char *const inputs[] = {
#define BOARD_INPUT(name)   #name,
#define BOARD_CONTROL(name) #name,
#include "board/step/inputs.def"
    "x",
    "y",
    "rad",
    "ang",
};
enum { VERTEX_INPUTS = 4 };

static const struct {
    const char *name;
    double rest;
    double span;
    bool vertex;
} targets[] = {
    {"zoom", 1, 0.2, true},       {"rot", 0, 0.3, true},       {"cx", 0.5, 0.3, true},
    {"cy", 0.5, 0.3, true},       {"dx", 0, 0.05, true},       {"dy", 0, 0.05, true},
    {"sx", 1, 0.1, true},         {"sy", 1, 0.1, true},        {"warp", 0.5, 1, true},
    {"zoomexp", 1, 0.5, true},
#define BOARD_KEY(name, variable) {variable, 0.5, 0.5, false},
#define BOARD_OWN(name, value)    {#name, 0.5, 0.5, false},
#include "board/language/params.def"
    {"wave_mode", 4, 3, false},   {"wave_r", 0.5, 0.5, false}, {"ob_size", 0.02, 0.02, false},
    {"decay", 0.95, 0.06, false},
};
enum { MOTIONS = 10 };

static uint32_t chance(struct maker *maker, size_t below)
{
    maker->state = maker->state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(maker->state >> 33) % (uint32_t)below;
}

static bool one_in(struct maker *maker, uint32_t many)
{
    return chance(maker, many) == 0;
}

static double between(struct maker *maker, double low, double high)
{
    return low + (high - low) * chance(maker, 1001) / 1000;
}

static void put(const char *text)
{
    (void)fputs(text, stdout);
}

static void put_number(struct maker *maker)
{
    static const char *const edges[] = {"0", "1",       "-1",      "0.5",
                                        "2", "1000000", "-0.0001", "0.00001"};
    if (one_in(maker, 4)) {
        put(edges[chance(maker, COUNT(edges))]);
    } else {
        printf("%.3f", between(maker, -3, 3));
    }
}

static void put_variable(struct maker *maker)
{
    const bool vertex = maker->place == VERTEX;
    switch (chance(maker, 5)) {
    case 0:
        printf("v%c", 'a' + chance(maker, VARIABLES));
        break;
    case 1:
        printf("q%u", 1 + chance(maker, 8));
        break;
    case 2:
        put(targets[chance(maker, vertex ? MOTIONS : COUNT(targets))].name);
        break;
    default:
        if (vertex && one_in(maker, 2)) {
            put(inputs[COUNT(inputs) - 1 - chance(maker, VERTEX_INPUTS)]);
        } else {
            put(inputs[chance(maker, COUNT(inputs) - VERTEX_INPUTS)]);
        }
        break;
    }
}

static void put_expression(struct maker *maker, int depth);

/* Between -1 and 1, mostly. */
static void put_bounded(struct maker *maker, int depth)
{
    static const char *const ways[] = {"sin(", "cos(", "sin(3*", "cos(time*", "sigmoid(2,"};
    put(ways[chance(maker, COUNT(ways))]);
    put_expression(maker, depth);
    put(")");
}

static void put_cell(struct maker *maker)
{
    printf("megabuf(%d+%d*", CELLS, CELLS / 2);
    put_bounded(maker, 1);
    put(")");
}

static bool is_for_cpu(enum pfpu_op op)
{
    return op == PFPU_OP_RAND || op == PFPU_OP_BIT_AND || op == PFPU_OP_BIT_OR ||
           op == PFPU_OP_MEMORY_COPY || op == PFPU_OP_MEMORY_FILL;
}

/* Functions that need no room of their own; an operator is called by name where it has one. */
static bool can_call(const struct maker *maker, const struct pfpu_function *function)
{
    const enum pfpu_function_kind kind = function->kind;
    return (isalpha((unsigned char)function->name[0]) || function->name[0] == '_') &&
           (kind == PFPU_KIND_OPERATION || kind == PFPU_KIND_IF || kind == PFPU_KIND_AND ||
            kind == PFPU_KIND_OR || kind == PFPU_KIND_EXEC || kind == PFPU_KIND_VALUE) &&
           function->op != PFPU_OP_MEMORY_COPY && function->op != PFPU_OP_MEMORY_FILL &&
           (maker->cpu || !is_for_cpu(function->op));
}

static void put_call(struct maker *maker, int depth)
{
    const struct pfpu_function *function;
    do {
        function = &pfpu_functions[chance(maker, PFPU_FUNCTION_COUNT)];
    } while (!can_call(maker, function));
    put(function->name);
    for (unsigned i = 0; i < function->arity; i++) {
        put(i == 0 ? "(" : ",");
        put_expression(maker, depth - 1);
    }
    put(")");
}

static void put_operator(struct maker *maker, int depth)
{
    size_t sign;
    do {
        sign = chance(maker, COUNT(operators));
    } while (operators[sign] == NULL || pfpu_functions[sign].kind == PFPU_KIND_ASSIGN ||
             (!maker->cpu && is_for_cpu(pfpu_functions[sign].op)));
    put("(");
    put_expression(maker, depth - 1);
    put(operators[sign]);
    put_expression(maker, depth - 1);
    put(")");
}

static void put_expression(struct maker *maker, int depth)
{
    const uint32_t way = depth <= 0 ? chance(maker, 4) : chance(maker, 14);
    if (way == 0) {
        put_number(maker);
    } else if (way <= 4) {
        put_variable(maker);
    } else if (way <= 6) {
        put_bounded(maker, depth - 1);
    } else if (way == 7 && maker->cpu) {
        put_cell(maker);
    } else if (way <= 10) {
        put_call(maker, depth);
    } else {
        put_operator(maker, depth);
    }
}

/* Something that is drawn, near where it rests. */
static void put_motion(struct maker *maker)
{
    const size_t i = maker->place == VERTEX || one_in(maker, 2) ? chance(maker, MOTIONS)
                                                                : chance(maker, COUNT(targets));
    if (one_in(maker, 6)) {
        static const char *const ways[] = {"=", "+=", "-=", "*=", "/=", "%="};
        printf("%s%s", targets[i].name, ways[chance(maker, COUNT(ways))]);
        put_expression(maker, DEPTH);
    } else {
        printf("%s=%g+%g*", targets[i].name, targets[i].rest, targets[i].span);
        put_bounded(maker, DEPTH - 1);
    }
}

static void put_own(struct maker *maker)
{
    const bool is_q = one_in(maker, 2);
    printf(is_q ? "q%c=" : "v%c=", (is_q ? '1' : 'a') + chance(maker, VARIABLES));
    put_expression(maker, DEPTH);
}

static void put_statement(struct maker *maker, int depth)
{
    switch (chance(maker, maker->cpu ? 12 : 8)) {
    case 0:
        put_own(maker);
        break;
    case 1:
        put("if(");
        put_expression(maker, 2);
        put(",");
        put_motion(maker);
        put(",");
        put_own(maker);
        put(")");
        break;
    case 2:
        if (depth > 0 && one_in(maker, 2)) {
            printf("loop(%u,", chance(maker, 4));
            put_statement(maker, depth - 1);
            put(")");
            break;
        }
        put_motion(maker);
        break;
    case 8:
        put_cell(maker);
        put("=");
        put_expression(maker, DEPTH);
        break;
    case 9:
        printf("vz=%u;while(exec2(", 1 + chance(maker, 5));
        put_own(maker);
        put(",vz=vz-1))");
        break;
    case 10:
        printf("memset(%u,", chance(maker, CELLS));
        put_expression(maker, 2);
        printf(",%u)", chance(maker, CELLS));
        break;
    case 11:
        printf("memcpy(%u,%u,%u)", chance(maker, CELLS), chance(maker, CELLS),
               chance(maker, CELLS));
        break;
    default:
        put_motion(maker);
        break;
    }
}

static void put_program(struct maker *maker, enum place place, const char *name, uint32_t most)
{
    maker->place = place;
    const uint32_t lines = chance(maker, most + 1);
    for (uint32_t i = 1; i <= lines; i++) {
        printf("%s%u=", name, (unsigned)i);
        put_statement(maker, 1);
        put(";\n");
    }
}

/* In the editor's range, mostly near what the key is without a value. */
static void put_key(struct maker *maker, const char *name, double usual, double low, double high)
{
    const double width = high - low > 10 ? 1 : (high - low) / 4;
    const double value =
        one_in(maker, 5) ? between(maker, low, high) : between(maker, usual - width, usual + width);
    if (one_in(maker, 2)) {
        printf("%s=%.4f\n", name, value < low ? low : value > high ? high : value);
    }
}

static void put_keys(struct maker *maker)
{
#define PRESET_KEY(field, type, key, usual, low, high, variable)                                   \
    put_key(maker, key, usual, low, high);
#include "presets/milk/keys.def"
}

int main(int argc, char **argv)
{
    if (argc != 2) {
        (void)fputs("usage: random_preset SEED\n", stderr);
        return 2;
    }
    struct maker maker = {.state = strtoull(argv[1], NULL, 10) * 2654435761u + 1};
    (void)chance(&maker, 2);
    put("[preset00]\n");
    /* Something is drawn, whatever the keys say: of two lines the first counts. */
    printf("nWaveMode=%u\nfWaveAlpha=%.2f\nfDecay=%.3f\n", 2 + chance(&maker, 5),
           between(&maker, 0.5, 3), between(&maker, 0.9, 1));
    printf("ob_a=%.2f\nib_a=%.2f\nib_b=%.2f\nbMotionVectorsOn=%u\n", between(&maker, -0.5, 1),
           between(&maker, -0.5, 1), between(&maker, 0, 1), chance(&maker, 2));
    put_keys(&maker);
    maker.cpu = one_in(&maker, 3);
    put_program(&maker, INIT, "per_frame_init_", 4);
    put_program(&maker, FRAME, "per_frame_", 10);
    maker.cpu = one_in(&maker, 40);
    put_program(&maker, VERTEX, "per_pixel_", one_in(&maker, 16) ? 200 : 8);
    return fflush(stdout) == 0 ? 0 : 1;
}
