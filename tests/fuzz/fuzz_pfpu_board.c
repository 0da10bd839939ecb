/* Bytes choose a scheduler and a random valid patch, which it compiles for the board: the prover,
 * the machine, both executors and the intermediate representation must agree. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pfpu/compile/board.h"
#include "pfpu/microcode/microcode.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { TEXT_MAX = 6000, DEPTH_MAX = 6, TRIALS = 2 };

struct writer {
    const uint8_t *data;
    size_t size;
    size_t at;
    char text[TEXT_MAX + 1];
    size_t length;
};

static unsigned choose(struct writer *writer, unsigned count)
{
    return writer->at < writer->size ? writer->data[writer->at++] % count : 0;
}

static void put(struct writer *writer, const char *text)
{
    const size_t size = strlen(text);
    if (writer->length + size <= TEXT_MAX) {
        memcpy(writer->text + writer->length, text, size + 1);
        writer->length += size;
    }
}

static const char *const names[] = {"x",  "y",  "rad", "q1", "q2",   "a",    "b",   "c",
                                    "d",  "t1", "cx",  "cy", "zoom", "rot",  "dx",  "dy",
                                    "sx", "sy", "ang", "e",  "bass", "time", "warp"};
static const char *const unary[] = {"sin",  "cos", "sqrt", "invsqrt", "abs",  "int",
                                    "bnot", "sqr", "-",    "isin",    "icos", "quake"};
static const char *const binary[] = {"above", "below", "equal", "min",   "max",
                                     "band",  "bor",   "tsign", "atan2", "pow"};
static const char *const infix[] = {"+", "-", "*", "/", "+", "*", "<", ">=", "==", "&&", "||", "%"};

static void put_expression(struct writer *writer, int depth)
{
    char number[16];
    const unsigned kind =
        depth >= DEPTH_MAX || writer->at >= writer->size ? choose(writer, 2) : choose(writer, 8);
    switch (kind) {
    case 0:
        put(writer, names[choose(writer, sizeof names / sizeof *names)]);
        return;
    case 1:
        (void)snprintf(number, sizeof number, "%.2f", choose(writer, 64) * 0.125);
        put(writer, number);
        return;
    case 2:
        put(writer, unary[choose(writer, sizeof unary / sizeof *unary)]);
        put(writer, "(");
        put_expression(writer, depth + 1);
        break;
    case 3:
        put(writer, binary[choose(writer, sizeof binary / sizeof *binary)]);
        put(writer, "(");
        put_expression(writer, depth + 1);
        put(writer, ",");
        put_expression(writer, depth + 1);
        break;
    case 4:
        put(writer, "if(");
        put_expression(writer, depth + 1);
        put(writer, ",");
        put_expression(writer, depth + 1);
        put(writer, ",");
        put_expression(writer, depth + 1);
        break;
    default:
        put(writer, "(");
        put_expression(writer, depth + 1);
        put(writer, infix[choose(writer, sizeof infix / sizeof *infix)]);
        put_expression(writer, depth + 1);
        break;
    }
    put(writer, ")");
}

static void put_program(struct writer *writer)
{
    const unsigned statements = choose(writer, 8);
    writer->length = 0;
    writer->text[0] = '\0';
    for (unsigned i = 0; i < statements; i++) {
        const size_t start = writer->length;
        const unsigned target = choose(writer, sizeof names / sizeof *names);
        put(writer, names[target]);
        put(writer, "=");
        put_expression(writer, 0);
        put(writer, ";");
        if (writer->length + 64 > TEXT_MAX) {
            writer->length = start; /* may be cut in the middle */
            writer->text[start] = '\0';
            return;
        }
    }
}

static struct pfpu_scope *make_scope(struct base_arena *arena)
{
    static const char *const shared[] = {
        "time", "bass", "q1", "q2", "zoom",           "rot",       "warp", "cx", "cy",
        "dx",   "dy",   "sx", "sy", "fwarpanimspeed", "fwarpscale"};
    struct pfpu_scope *scope = pfpu_scope_create(arena);
    for (size_t i = 0; i < sizeof shared / sizeof *shared; i++) {
        (void)pfpu_scope_declare(scope, shared[i]);
    }
    return scope;
}

static void check(const struct pfpu_board *board, const struct pfpu_board_program *program,
                  uint64_t seed)
{
    struct base_arena scratch = {0};
    const char *wrong =
        program->fit == PFPU_FITS
            ? pfpu_prove(board->target, &program->ir, &program->microcode, seed, TRIALS, &scratch)
            : NULL;
    wrong = wrong != NULL ? wrong : pfpu_prove_lanes(&program->ir, seed, TRIALS, &scratch);
    if (wrong != NULL) {
        (void)fprintf(stderr, "%s: %s\n", pfpu_board_scheduler_names[board->scheduler], wrong);
        abort();
    }
    base_arena_free(&scratch);
}

static void compile(const char *frame, const char *vertex, enum pfpu_board_scheduler scheduler)
{
    struct base_diag_list messages = {.count = 0};
    const struct base_diag_sink sink = base_diag_list_sink(&messages);
    const struct base_source_line lines[2] = {{base_span_of(frame), 1, 1},
                                              {base_span_of(vertex), 2, 1}};
    const struct base_source sources[2] = {{"fuzz", &lines[0], 1}, {"fuzz", &lines[1], 1}};
    struct base_arena arena = {0};
    const struct pfpu_board_request request = {.target = &pfpu_target_milkymist_one,
                                               .scheduler = scheduler,
                                               .frame_scope = make_scope(&arena),
                                               .vertex_scope = make_scope(&arena),
                                               .per_frame = &sources[0],
                                               .per_vertex = &sources[1]};
    struct pfpu_board *board = NULL;
    const enum pfpu_status status = pfpu_board_compile(&request, &arena, &sink, &board);
    if ((status == PFPU_OK) != (board != NULL) || status == PFPU_EMPTY ||
        (status == PFPU_REFUSED) != (messages.by_severity[BASE_ERROR] > 0)) {
        abort();
    }
    if (board != NULL) {
        check(board, &board->frame, 1);
        check(board, &board->vertex, 2);
    }
    base_arena_free(&arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct writer frame;
    static struct writer vertex;
    frame.data = vertex.data = data;
    frame.size = vertex.size = size;
    frame.at = 0;
    const unsigned scheduler = choose(&frame, PFPU_BOARD_SCHEDULERS);
    put_program(&frame);
    vertex.at = frame.at;
    put_program(&vertex);
    if (getenv("FROTH_FUZZ_PRINT") != NULL) {
        (void)fprintf(stderr, "%s\n%s\n", frame.text, vertex.text);
    }
    compile(frame.text, vertex.text, (enum pfpu_board_scheduler)scheduler);
    return 0;
}
