/* Patches for the board: what they compute, against the equations in double precision; how small
 * they get; what does not fit. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/os/print.h"
#include "pfpu/compile/board.h"
#include "pfpu/host/run.h"
#include "pfpu/machine/machine.h"
#include "pfpu/microcode/words.h"

enum { SIDE = 33, SHARED = 17 };

static const struct {
    const char *name;
    double value;
} shared[SHARED] = {
    {"time", 12.34},     {"bass", 1.2},  {"treb", 0.9},  {"q1", 0.3},
    {"q2", 1.7},         {"zoom", 1.05}, {"rot", 0.1},   {"warp", 0.8},
    {"cx", 0.5},         {"cy", 0.45},   {"dx", 0.01},   {"dy", -0.02},
    {"sx", 1.01},        {"sy", 0.98},   {"zoomexp", 1}, {"fwarpanimspeed", 1.1},
    {"fwarpscale", 1.3},
};

struct patch {
    const char *name;
    const char *per_frame;
    const char *per_vertex;
    unsigned most;    /* operations of the vertex program when it is small, VECTOUT among them */
    double tolerance; /* in 1/64 pixel; a step of the sine table turns the corner by 9 of them */
};

static const struct patch patches[] = {
    {"empty", "", "", 43, 10},
    {"per frame", "zoom=zoom+0.1*sin(time); q1=bass*0.2; rot=rot*q1;", "", 43, 10},
    {"zoom by row", "", "zoom = 1 + 0.2*y + q1*x;", 60, 16},
    {"uniform choice", "q2=above(bass,1);",
     "zoom = "
     "if(below(q1,0),0.5*x,if(equal(q2,0),0.9*(1-x),if(above(q1,0.2),0.9*y,0.9*(1-y))))+0.6;",
     61, 16},
    {"choice of the vertex", "", "rot = if(above(x,0.5),0.1,-0.1); zoom=if(below(y+x,1),1.1,0.9);",
     71, 12},
    {"assignments in arms", "", "if(above(x,y),rot=0.2,zoom=1.2); if(q1,exec2(dx=0.03,a=1),dy=a);",
     73, 16},
    {"and, or", "",
     "dx=0.1*band(above(x,0.3),below(y,0.6)); dy=0.1*bor(above(x,0.5),below(y,0.2));", 56, 10},
    {"loop", "", "loop(4, a=a*0.5+x); zoom=1+0.05*a;", 0, 20},
    {"rad and ang", "", "zoom=1+0.1*rad; rot=0.05*sin(ang*4);", 0, 30},
    {"functions", "",
     "dx=0.02*pow(x+0.1,2.5); dy=0.01*exp(y)+0.01*log(x+1); zoom=1+0.1*sigmoid(x,2);", 0, 30},
    {"floor and modulo", "", "dx=0.01*int(x*8); dy=0.01*((y*10)%3); rot=0.1*sign(x-0.51);", 0, 10},
    {"division", "", "zoom = 1 + 0.1/(x+0.5); sx=1+0.1*y/(1.5-x);", 0, 20},
    {"old value handed over", "q2=old; old=bass*0.5;", "dx=0.1*min(x,q2);", 0, 10},
    {"negative carried", "", "m=-0.5; dx=0.1*k; k=m;", 0, 10},
    {"angle", "", "zoom=1+0.1*ang;", 0, 30},
    {"large and equal", "q1=20000;", "if(equal(q1,20000),dx=0.2,dx=0.1);", 0, 10},
    {"high powers", "", "f=1+0.001*x; dx=0.1*sqr(sqr(sqr(sqr(f)))); dy=0.1*sqr(sqr(sqr(sqr(x))));",
     0, 10},
    {"no minus zero", "q1=0;", "if(if(above(x,0.5),1,-q1),dx=0.2,dx=0.1);", 0, 10},
    {"modulo below 1", "", "dx=0.01*((x*10)%q1);", 0, 10},
    {"root of a negative", "", "dx=0.1*sqrt(x-2);", 0, 10},
    {"vanishing factor", "", "c=if(above(q1,1),x*1e-200*1e-200,x); dx=0.1*c;", 0, 10},
    {"names of the motion", "", "_x=0.5; _i=3; dx=0.01*_i*_x;", 0, 10},
    {"minimum", "", "zoom=1+0.1*min(x,y)+0.1*max(x,0.3); dx=0.02*abs(x-0.5);", 0, 16},
};

/* ---- the equations in double precision ---- */

struct host {
    struct pfpu_scope *frame_scope;
    struct pfpu_scope *vertex_scope;
    struct pfpu_instance frame;
    struct pfpu_instance vertex;
    struct pfpu_program *per_frame;
    struct pfpu_program *per_vertex;
    struct pfpu_globals globals;
};

static struct pfpu_scope *make_scope(struct base_arena *arena)
{
    struct pfpu_scope *scope = pfpu_scope_create(arena);
    for (int i = 0; i < SHARED; i++) {
        assert_int_equal(pfpu_scope_declare(scope, shared[i].name), i);
    }
    return scope;
}

static struct base_source source_of(const char *text, struct base_source_line *line)
{
    *line = (struct base_source_line){base_span_of(text), 7, 11};
    return (struct base_source){"test.milk", line, 1};
}

static struct pfpu_program *host_compile(struct pfpu_scope *scope, const char *text,
                                         struct base_arena *arena)
{
    struct base_source_line line;
    const struct base_source source = source_of(text, &line);
    struct pfpu_program *program = NULL;
    (void)pfpu_compile(&pfpu_target_host, scope, &source, arena, &base_diag_stderr, &program);
    return program;
}

static void host_open(struct host *host, const struct patch *patch, struct base_arena *arena)
{
    host->frame_scope = make_scope(arena);
    host->vertex_scope = make_scope(arena);
    host->per_frame = host_compile(host->frame_scope, patch->per_frame, arena);
    host->per_vertex = host_compile(host->vertex_scope, patch->per_vertex, arena);
    (void)pfpu_scope_declare(host->vertex_scope, "x");
    (void)pfpu_scope_declare(host->vertex_scope, "y");
    (void)pfpu_scope_declare(host->vertex_scope, "rad");
    (void)pfpu_scope_declare(host->vertex_scope, "ang");
    assert_int_equal(pfpu_globals_init(&host->globals, 0), 0);
    assert_int_equal(pfpu_instance_init(&host->frame, host->frame_scope, arena), 0);
    assert_int_equal(pfpu_instance_init(&host->vertex, host->vertex_scope, arena), 0);
    for (int i = 0; i < SHARED; i++) {
        host->frame.values[i] = shared[i].value;
    }
    pfpu_run(host->per_frame, &host->frame, &host->globals);
}

static double *cell(struct host *host, const char *name)
{
    return &host->vertex.values[pfpu_scope_declare(host->vertex_scope, name)];
}

/* spec/flickernoise-patch-language.md section 6 */
static void motion(struct host *host, double x, double y, double at[2])
{
    const double t = *cell(host, "time") * *cell(host, "fwarpanimspeed");
    const double is = 1 / *cell(host, "fwarpscale");
    const double w = 0.0035 * *cell(host, "warp");
    const double f0 = 11.68 + 4 * cos(1.413 * t + 10);
    const double f1 = 8.77 + 3 * cos(1.113 * t + 7);
    const double f2 = 10.54 + 3 * cos(1.233 * t + 3);
    const double f3 = 11.49 + 4 * cos(0.933 * t + 5);
    const double xx = 2 * x - 1;
    const double yy = 2 * y - 1;
    const double cx = *cell(host, "cx");
    const double cy = *cell(host, "cy");
    double u = ((x - 0.5) / *cell(host, "zoom") + 0.5 - cx) / *cell(host, "sx") + cx;
    double v = ((y - 0.5) / *cell(host, "zoom") + 0.5 - cy) / *cell(host, "sy") + cy;
    u +=
        w * (sin(0.333 * t + is * (xx * f0 - yy * f3)) + cos(0.753 * t - is * (xx * f1 - yy * f2)));
    v +=
        w * (cos(0.375 * t - is * (xx * f2 + yy * f1)) + sin(0.825 * t + is * (xx * f0 + yy * f3)));
    const double c = cos(*cell(host, "rot"));
    const double s = sin(-*cell(host, "rot"));
    at[0] = ((u - cx) * c - (v - cy) * s + cx - *cell(host, "dx")) * 32768;
    at[1] = ((u - cx) * s + (v - cy) * c + cy - *cell(host, "dy")) * 32768;
}

static void host_vertex(struct host *host, int column, int row, double at[2])
{
    const double x = column / 32.0;
    const double y = row / 32.0;
    memcpy(host->vertex.values, host->frame.values, SHARED * sizeof *host->vertex.values);
    *cell(host, "x") = x;
    *cell(host, "y") = y;
    *cell(host, "rad") = hypot(x - 0.5, y - 0.5);
    *cell(host, "ang") = atan2(0.5 - y, x - 0.5);
    pfpu_run(host->per_vertex, &host->vertex, &host->globals);
    motion(host, x, y, at);
}

/* ---- the board's programs, as the intermediate representation has them ---- */

struct unit {
    struct pfpu_board *board;
    enum pfpu_status status;
    struct base_diag_list messages;
    uint32_t *frame_keys;
    uint32_t *vertex_keys;
    uint32_t *values;
};

static void compile_for(const struct pfpu_target *target, struct unit *unit, const char *per_frame,
                        const char *per_vertex, enum pfpu_board_scheduler scheduler,
                        struct base_arena *arena)
{
    struct base_source_line lines[2];
    const struct base_source frame = source_of(per_frame, &lines[0]);
    const struct base_source vertex = source_of(per_vertex, &lines[1]);
    const struct pfpu_board_request request = {.target = target,
                                               .scheduler = scheduler,
                                               .frame_scope = make_scope(arena),
                                               .vertex_scope = make_scope(arena),
                                               .per_frame = &frame,
                                               .per_vertex = &vertex};
    memset(&unit->messages, 0, sizeof unit->messages);
    const struct base_diag_sink sink = base_diag_list_sink(&unit->messages);
    unit->status = pfpu_board_compile(&request, arena, &sink, &unit->board);
}

static void unit_compile(struct unit *unit, const char *per_frame, const char *per_vertex,
                         enum pfpu_board_scheduler scheduler, struct base_arena *arena)
{
    compile_for(&pfpu_target_milkymist_one, unit, per_frame, per_vertex, scheduler, arena);
}

static uint32_t *keys_of(const struct pfpu_ir *ir, struct base_arena *arena)
{
    return base_arena_array(arena, pfpu_ir_key_count(ir) + 1, sizeof(uint32_t));
}

static bool has_key(const struct pfpu_ir *ir, int32_t key)
{
    return key < ir->key_end;
}

/* Runs the frame program; `values` are the variables of the frame scope before it. */
static void run_frame(struct unit *unit, const double *values, struct base_arena *arena)
{
    const struct pfpu_ir *ir = &unit->board->frame.ir;
    uint32_t out[2];
    unit->frame_keys = keys_of(ir, arena);
    unit->values = base_arena_array(arena, ir->count + unit->board->vertex.ir.count, 4);
    for (int i = 0; i < SHARED && has_key(ir, pfpu_key_of_variable(i)); i++) {
        unit->frame_keys[pfpu_ir_key_index(ir, pfpu_key_of_variable(i))] =
            pfpu_word_of_number(values[i]);
    }
    pfpu_words_run(ir, unit->frame_keys, unit->values, out);
}

/* Hands over what the frame program, or the frame before it, left. */
static void hand_over(struct unit *unit, const double *values, struct base_arena *arena)
{
    const struct pfpu_ir *from = &unit->board->frame.ir;
    const struct pfpu_ir *to = &unit->board->vertex.ir;
    unit->vertex_keys = keys_of(to, arena);
    for (int32_t key = PFPU_REGISTERS_GLOBAL; key < to->key_end; key++) {
        const int32_t variable = key - PFPU_REGISTERS_GLOBAL;
        uint32_t word = variable < SHARED ? pfpu_word_of_number(values[variable]) : 0;
        if (has_key(from, key)) {
            word = unit->frame_keys[pfpu_ir_key_index(from, key)];
        }
        unit->vertex_keys[pfpu_ir_key_index(to, key)] = word;
    }
}

static void unit_vertex(struct unit *unit, int column, int row, int32_t at[2])
{
    const struct pfpu_ir *ir = &unit->board->vertex.ir;
    uint32_t out[2] = {0, 0};
    unit->vertex_keys[pfpu_ir_key_index(ir, PFPU_KEY_COLUMN)] = (uint32_t)column;
    unit->vertex_keys[pfpu_ir_key_index(ir, PFPU_KEY_ROW)] = (uint32_t)row;
    pfpu_words_run(ir, unit->vertex_keys, unit->values, out);
    memcpy(at, out, sizeof out);
}

static void compare(const struct patch *patch, enum pfpu_board_scheduler scheduler)
{
    struct base_arena arena = {0};
    struct host host;
    struct unit unit;
    double values[SHARED];
    double worst = 0;
    for (int i = 0; i < SHARED; i++) {
        values[i] = shared[i].value;
    }
    host_open(&host, patch, &arena);
    unit_compile(&unit, patch->per_frame, patch->per_vertex, scheduler, &arena);
    assert_int_equal(unit.status, PFPU_OK);
    run_frame(&unit, values, &arena);
    hand_over(&unit, values, &arena);
    for (int row = 0; row < SIDE; row++) {
        for (int column = 0; column < SIDE; column++) {
            double expected[2];
            int32_t at[2];
            host_vertex(&host, column, row, expected);
            unit_vertex(&unit, column, row, at);
            worst = fmax(worst, fabs(at[0] - expected[0]));
            worst = fmax(worst, fabs(at[1] - expected[1]));
        }
    }
    if (worst > patch->tolerance) {
        fail_msg("%s, %s: %g of 1/64 pixel apart", patch->name,
                 pfpu_board_scheduler_names[scheduler], worst);
    }
    pfpu_globals_free(&host.globals);
    base_arena_free(&arena);
}

static void test_programs_compute_the_equations(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof patches / sizeof *patches; i++) {
        for (int scheduler = 0; scheduler < PFPU_BOARD_SCHEDULERS; scheduler++) {
            compare(&patches[i], (enum pfpu_board_scheduler)scheduler);
        }
    }
}

enum { SPREADING = 2 }; /* operations more, where that makes the way shorter */

static void test_programs_are_small(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof patches / sizeof *patches; i++) {
        struct base_arena arena = {0};
        struct unit unit;
        unit_compile(&unit, patches[i].per_frame, patches[i].per_vertex, PFPU_BOARD_CRITICAL,
                     &arena);
        const unsigned operations = unit.board->vertex.microcode.operations;
        if (patches[i].most != 0 && operations > patches[i].most + SPREADING) {
            fail_msg("%s: %u operations, not %u", patches[i].name, operations, patches[i].most);
        }
        base_arena_free(&arena);
    }
}

/* The thesis counts 192 operations, VECTOUT among them, and 259 cycles with its latencies. */
static void test_plain_program_is_the_thesis(void **state)
{
    (void)state;
    struct base_arena arena = {0};
    struct unit unit;
    unit_compile(&unit, "", "", PFPU_BOARD_GREEDY, &arena);
    assert_int_equal(unit.board->vertex.microcode.operations, 192);
    const struct pfpu_board *board = unit.board;
    assert_int_equal(pfpu_critical_path(board->target, &board->vertex.ir, &arena) + 1, 176);
    assert_true(unit.board->vertex.microcode.vectout + 1 <= 280);
    base_arena_free(&arena);
}

static void test_what_does_not_fit(void **state)
{
    (void)state;
    static const struct {
        const char *per_vertex;
        const char *what;
        uint32_t column;
    } cases[] = {
        {"zoom=1; rot=x+megabuf(3);", "lacks megabuf", 25},
        {"gmegabuf(x)=3;", "lacks gmegabuf", 22},
        {"while(a=a+1;below(a,3));", "cannot loop as long", 11},
        {"loop(x,a=a+1); dx=a;", "cannot loop", 11},
        {"rot=reg07;", "reg00 to reg99", 15},
        {"rot=x&3;", "lacks &", 16},
        {"if(x,a,b)=3; dx=a;", "cannot choose what is assigned to", 11},
        {"reg00=x;", "reg00 to reg99", 19},
        {"loop(64,loop(64,loop(64,x;x;x)))", "too long to write out", 39},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct base_arena arena = {0};
        struct unit unit;
        unit_compile(&unit, "", cases[i].per_vertex, PFPU_BOARD_CRITICAL, &arena);
        assert_int_equal(unit.status, PFPU_REFUSED);
        assert_null(unit.board);
        assert_int_equal(unit.messages.by_severity[BASE_ERROR], 1);
        const struct base_diag *message = &unit.messages.items[0];
        if (strstr(message->what, cases[i].what) == NULL || message->place.line != 7 ||
            message->place.column != cases[i].column) {
            fail_msg("%s: %u:%u: %s", cases[i].per_vertex, message->place.line,
                     message->place.column, message->what);
        }
        base_arena_free(&arena);
    }
}

/* The coprocessor has no &, and needs none where one side is 0. */
static void test_and_with_nothing(void **state)
{
    (void)state;
    struct base_arena arena = {0};
    struct unit unit;
    unit_compile(&unit, "", "cx=((0&(x*q1-q2))+q1)*4; dx=0.1*(int(y*9)&0);", PFPU_BOARD_QUICK,
                 &arena);
    assert_int_equal(unit.status, PFPU_OK);
    base_arena_free(&arena);
}

/* A program of so many different constants that the registers do not suffice. */
static void test_too_many_registers(void **state)
{
    (void)state;
    static char text[8192];
    size_t used = 0;
    for (int i = 0; i < 150; i++) {
        used += (size_t)snprintf(text + used, sizeof text - used, "dx=dx+%d.5*sin(x*%d.25);", i, i);
    }
    struct base_arena arena = {0};
    struct unit unit;
    unit_compile(&unit, "", text, PFPU_BOARD_CRITICAL, &arena);
    assert_int_equal(unit.status, PFPU_REFUSED);
    assert_non_null(strstr(unit.messages.items[0].what, "more registers"));
    assert_int_equal(unit.messages.items[0].place.line, 7);
    base_arena_free(&arena);
}

/* Where registers are short, the built-in motion takes the form with fewer operations. */
static void test_spreading_needs_registers(void **state)
{
    (void)state;
    struct base_arena arena = {0};
    struct pfpu_target target = pfpu_target_milkymist_one;
    struct unit unit;
    compile_for(&target, &unit, "", "", PFPU_BOARD_CRITICAL, &arena);
    assert_int_equal(unit.board->vertex.microcode.operations, 45);
    assert_true(unit.board->vertex.microcode.vectout + 1 <= 69);
    unsigned fewest = 0;
    while (unit.status == PFPU_OK && target.registers > 0) {
        fewest = unit.board->vertex.microcode.operations;
        target.registers--;
        compile_for(&target, &unit, "", "", PFPU_BOARD_CRITICAL, &arena);
    }
    assert_int_equal(unit.status, PFPU_REFUSED);
    assert_int_equal(fewest, 43);
    base_arena_free(&arena);
}

static void test_the_cpu_takes_over(void **state)
{
    (void)state;
    struct base_arena arena = {0};
    struct unit unit;
    unit_compile(&unit, "q1=megabuf(10);", "zoom=q1;", PFPU_BOARD_CRITICAL, &arena);
    assert_int_equal(unit.status, PFPU_OK);
    assert_non_null(unit.board->frame_host);
    assert_int_equal(unit.messages.by_severity[BASE_NOTE], 1);
    assert_int_equal(unit.messages.items[0].place.column, 14);
    unit_compile(&unit, "loop(q1,q2=q2+1);", "", PFPU_BOARD_CRITICAL, &arena);
    assert_non_null(unit.board->frame_host);
    unit_compile(&unit, "", "zoom=1+(time&3)*x;", PFPU_BOARD_CRITICAL, &arena);
    assert_int_equal(unit.status, PFPU_OK);
    assert_null(unit.board->frame_host);
    assert_non_null(unit.board->cpu_part);
    base_arena_free(&arena);
}

/* What a variable of the patch holds goes from vertex to vertex, as in MilkDrop. */
static void test_variables_carry(void **state)
{
    (void)state;
    static const struct patch counter = {"counter", "", "n=n+0.001; dx=n;", 0, 10};
    for (int scheduler = 0; scheduler < PFPU_BOARD_SCHEDULERS; scheduler++) {
        compare(&counter, (enum pfpu_board_scheduler)scheduler);
    }
    struct base_arena arena = {0};
    struct unit unit;
    unit_compile(&unit, "", counter.per_vertex, PFPU_BOARD_PIPELINED, &arena);
    assert_int_equal(unit.board->vertex.microcode.stages, 1);
    base_arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_programs_compute_the_equations),
        cmocka_unit_test(test_programs_are_small),
        cmocka_unit_test(test_plain_program_is_the_thesis),
        cmocka_unit_test(test_what_does_not_fit),
        cmocka_unit_test(test_and_with_nothing),
        cmocka_unit_test(test_too_many_registers),
        cmocka_unit_test(test_spreading_needs_registers),
        cmocka_unit_test(test_the_cpu_takes_over),
        cmocka_unit_test(test_variables_carry),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
