#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cpu.h"
#include "board/host/host.h"
#include "board/step/program.h"
#include "pfpu/machine/machine.h"
#include "presets/presets.h"

enum { FPS = 24 };

/* A patch of the board's language in its step. */
struct stage {
    struct board_loaded *loaded;
    struct board_host *host;
    struct board *board;
    struct board_midi midi;
};

static void load(struct stage *stage, const char *text)
{
    struct preset preset;
    assert_int_equal(preset_read(&preset, "test.fnp", text, strlen(text), NULL), 0);
    struct board_loaded *loaded = board_patch_create(NULL, &preset, FPS, 0, NULL);
    preset_free(&preset);
    assert_non_null(loaded);
    assert_int_equal(board_host_take(stage->host, loaded), 0);
    assert_true(board_load(stage->board, &loaded->patch));
    board_midi_load(&stage->midi, &loaded->patch);
    board_patch_free(stage->loaded);
    stage->loaded = loaded;
}

static void start(struct stage *stage, const char *text)
{
    *stage = (struct stage){.host = board_host_create(BASE_CPU_PLAIN),
                            .board = calloc(1, sizeof *stage->board)};
    assert_true(stage->host != NULL && stage->board != NULL);
    board_init(stage->board, board_host_units(stage->host), FPS);
    board_midi_init(&stage->midi);
    load(stage, text);
}

static void stop(struct stage *stage)
{
    board_patch_free(stage->loaded);
    board_host_free(stage->host);
    free(stage->board);
}

static void step(struct stage *stage)
{
    const struct board_input input = {.settings = stage->midi.settings,
                                      .setting_count = stage->midi.setting_count};
    board_step(stage->board, &input);
}

static double value_of(const struct stage *stage, enum board_param param)
{
    return pfpu_number_of_word(stage->board->cells[stage->loaded->patch.params[param]]);
}

static void assert_value(const struct stage *stage, enum board_param param, double wanted)
{
    const double value = value_of(stage, param);
    if (fabs(value - wanted) > 1e-5 * fabs(wanted)) {
        fail_msg("%.9g, not %.9g", value, wanted);
    }
}

/* ---- what expressions are ---- */

static const struct {
    const char *expression;
    double value;
} expressions[] = {
    {"7 % 3", 1},
    {"7.5 % 2", 1.5},
    {"-7.5 % 2", -1.5},
    {"int(-1.5) + int(2.9)", 1},
    {"0.000001 == 0", 0}, /* by bits */
    {"equal(0.25, 0.25)", 1},
    {"0.000001 && 1", 1},
    {"0.000001 ? 2 : 3", 2},
    {"if(0, 2, 3)", 3},
    {"!0.000001", 0},
    {"1 || 0 && 0", 1},
    {"1 < 2 == 1", 1},
    {"3 >= 3", 1},
    {"-2*-3", 6},
    {"10 - 4 - 3", 3},
    {"tsign(2, -0.5)", -2},
    {"i2f(f2i(3.7))", 3},
    {"icos(f2i(4096))", -1},
    {"max(1, 2) - min(1, 2)", 1},
    {"sqr(3) + sqrt(16) + invsqrt(0.25)", 15},
    {"pow(2, 3)", 8},
};

static void test_expressions_on_the_board(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof expressions / sizeof *expressions; i++) {
        struct stage stage;
        char text[128];
        (void)snprintf(text, sizeof text, "per_frame: dmx1 = %s", expressions[i].expression);
        start(&stage, text);
        step(&stage);
        assert_value(&stage, BOARD_dmx1, expressions[i].value);
        stop(&stage);
    }
}

/* What no constant can be folded of: the same by way of variables. */
static void test_expressions_that_are_computed(void **state)
{
    (void)state;
    struct stage stage;
    start(&stage, "q1 = 0 q2 = 7.5 q3 = 2 q4 = 0.000001 q5 = -1.5\n"
                  "per_frame: dmx1 = q2 % q3 dmx2 = q4 == q1 dmx3 = q4 ? 2 : 3 dmx4 = int(q5)\n"
                  "dmx5 = q3/q1 dmx6 = !q4 dmx7 = q4 && q3 dmx8 = -q5 if q1 || q4");
    step(&stage);
    assert_value(&stage, BOARD_dmx1, 1.5);
    assert_value(&stage, BOARD_dmx2, 0);
    assert_value(&stage, BOARD_dmx3, 2);
    assert_value(&stage, BOARD_dmx4, -1);
    assert_true(value_of(&stage, BOARD_dmx5) > 1e19); /* large, and finite */
    assert_value(&stage, BOARD_dmx6, 0);
    assert_value(&stage, BOARD_dmx7, 1);
    assert_value(&stage, BOARD_dmx8, 1.5);
    stop(&stage);
}

static void test_variables_of_frames(void **state)
{
    (void)state;
    struct stage stage;
    start(&stage, "own = 0 dmx2 = 0.5 q1 = 3\nper_frame: own = own + 1 dmx1 = own q1 = q1 + 1\n"
                  "dmx2 = dmx2 + 1 dmx3 = q1\nper_vertex: own = own + 1 q1 = q1 + 1 zoom = q1");
    step(&stage);
    step(&stage);
    step(&stage);
    assert_value(&stage, BOARD_dmx1, 3);
    assert_value(&stage, BOARD_dmx2, 1.5);
    assert_value(&stage, BOARD_dmx3, 4);
    stop(&stage);
}

/* ---- controllers ---- */

static void hear(struct stage *stage, const char *hex)
{
    for (; hex[0] != '\0'; hex += 2) {
        const char digits[] = {hex[0], hex[1], '\0'};
        board_midi_hear(&stage->midi, (uint8_t)strtoul(digits, NULL, 16));
    }
    step(stage);
}

static const char controls[] = "midi \"any\" { f = fader(7) p = pot(2, 8) d = differential(9)\n"
                               "b = button(10) s = switch(11) }\n"
                               "dmx1 = 0.25 dmx1 = range(f) dmx2 = range(p) dmx3 = range(d)\n"
                               "dmx4 = unbounded(d) dmx5 = cyclic(d) dmx6 = button(b)\n"
                               "dmx7 = switch(b) own = switch(s)\n"
                               "per_frame: dmx8 = own own = own + 1";

static void test_controllers(void **state)
{
    (void)state;
    struct stage stage;
    start(&stage, controls);
    step(&stage);
    assert_value(&stage, BOARD_dmx1, 0.25);
    hear(&stage, "B0077F");
    assert_value(&stage, BOARD_dmx1, 1);
    hear(&stage, "0740F80700"); /* the status runs on, the clock between means nothing */
    assert_value(&stage, BOARD_dmx1, 0);
    hear(&stage, "B00840");
    assert_value(&stage, BOARD_dmx2, 0); /* another channel */
    hear(&stage, "B10840");
    assert_value(&stage, BOARD_dmx2, 64.0 / 127);
    hear(&stage, "B3090A");
    assert_value(&stage, BOARD_dmx3, 10.0 / 127);
    hear(&stage, "B3096C"); /* 20 steps back */
    assert_value(&stage, BOARD_dmx3, 0);
    assert_value(&stage, BOARD_dmx4, -10.0 / 127);
    assert_value(&stage, BOARD_dmx5, 117.0 / 127);
    hear(&stage, "B00A7F");
    assert_value(&stage, BOARD_dmx6, 1);
    assert_value(&stage, BOARD_dmx7, 1);
    hear(&stage, "B00A00");
    assert_value(&stage, BOARD_dmx6, 0);
    assert_value(&stage, BOARD_dmx7, 1);
    hear(&stage, "B00A7F");
    assert_value(&stage, BOARD_dmx7, 0);
    hear(&stage, "B00B7F");
    assert_value(&stage, BOARD_dmx8, 1);
    step(&stage);
    assert_value(&stage, BOARD_dmx8, 1); /* what is bound begins each frame with its control */
    stop(&stage);
}

static void test_controllers_of_the_next_patch(void **state)
{
    (void)state;
    struct stage stage;
    start(&stage, controls);
    hear(&stage, "B0077F"
                 "B3090A"
                 "B00A7F");
    load(&stage, controls);
    step(&stage);
    assert_value(&stage, BOARD_dmx1, 1);
    assert_value(&stage, BOARD_dmx3, 0);
    assert_value(&stage, BOARD_dmx6, 1);
    assert_value(&stage, BOARD_dmx7, 0);
    stop(&stage);
}

/* Whatever comes, values stay within what their ways say. */
static void test_garbage(void **state)
{
    (void)state;
    struct stage stage;
    uint32_t random = 1;
    start(&stage, controls);
    for (int i = 0; i < 300000; i++) {
        random = random * 1664525u + 1013904223u;
        uint8_t byte = (uint8_t)(random >> 24);
        byte = (random & 0x700) == 0   ? 0xB0
               : (random & 0x100) != 0 ? (uint8_t)(7 + byte % 5)
                                       : byte;
        board_midi_hear(&stage.midi, byte);
        for (uint32_t k = 0; i % 64 == 0 && k < stage.midi.setting_count; k++) {
            const double value = pfpu_number_of_word(stage.midi.settings[k].word);
            const bool endless = stage.loaded->patch.bindings[k].way == BOARD_WAY_UNBOUNDED;
            assert_true(endless ? fabs(value) < 8300 : value >= 0 && value <= 1);
        }
    }
    stop(&stage);
}

/* ---- how much a patch may hold: spec/flickernoise-patch-language.md section 3 ---- */

enum { TEXT = 64 * 1024, REGISTERS = 125, OPERATIONS = 2048 };

/* Grows a text; it has room for TEXT characters. */
static void put(char *text, const char *format, ...)
{
    const size_t used = strlen(text);
    va_list arguments;
    va_start(arguments, format);
    const int size = vsnprintf(text + used, TEXT - used, format, arguments);
    va_end(arguments);
    assert_true(size >= 0 && (size_t)size < TEXT - used);
}

/* A variable for each register, each set by a controller of its own. */
static void test_as_many_controllers_as_registers(void **state)
{
    (void)state;
    char *text = calloc(1, TEXT);
    assert_non_null(text);
    put(text, "midi \"all\" {");
    for (int i = 0; i < REGISTERS; i++) {
        put(text, " c%d = fader(%d)", i, i);
    }
    put(text, " }\n");
    for (int i = 0; i < REGISTERS; i++) {
        put(text, "v%d = range(c%d)\n", i, i);
    }
    put(text, "per_frame:\n dmx1 = 0");
    for (int i = 0; i < REGISTERS; i++) {
        put(text, " + v%d", i);
    }
    put(text, "\n v7 = v7 + 1\n dmx2 = v7\n");
    struct stage stage;
    start(&stage, text);
    step(&stage);
    assert_value(&stage, BOARD_dmx1, 0);
    assert_value(&stage, BOARD_dmx2, 1);
    const uint8_t bytes[] = {0xb0, 7, 127, 0xb0, REGISTERS - 1, 127};
    for (size_t i = 0; i < sizeof bytes; i++) {
        board_midi_hear(&stage.midi, bytes[i]);
    }
    for (int i = 0; i < 3; i++) {
        step(&stage);
        assert_value(&stage, BOARD_dmx1, 2);
        assert_value(&stage, BOARD_dmx2, 2);
    }
    stop(&stage);
    free(text);
}

/* Variables that last and constants, as many together as there are registers. */
static void test_as_many_variables_as_registers(void **state)
{
    (void)state;
    enum { VARIABLES = 90, CONSTANTS = REGISTERS - VARIABLES };
    char *text = calloc(1, TEXT);
    assert_non_null(text);
    put(text, "per_frame:\n");
    double sum = 0;
    for (int i = 0; i < VARIABLES; i++) {
        const int constant = i % CONSTANTS + 1;
        put(text, " v%d = v%d + %d.25\n", i, i, constant);
        sum += 2 * (constant + 0.25);
    }
    put(text, " dmx1 = 0");
    for (int i = 0; i < VARIABLES; i++) {
        put(text, " + v%d", i);
    }
    struct stage stage;
    start(&stage, text);
    step(&stage);
    step(&stage);
    assert_value(&stage, BOARD_dmx1, sum);
    stop(&stage);
    free(text);
}

/* As many operations as the coprocessor's program has words, a product and a sum in turns. */
static void test_as_many_operations_as_words(void **state)
{
    (void)state;
    char *text = calloc(1, TEXT);
    assert_non_null(text);
    put(text, "per_frame:\n a = 0\n");
    for (int i = 0; i < OPERATIONS / 2; i++) {
        put(text, "a=a*frame+1\n");
    }
    put(text, "dmx1 = a\n");
    struct stage stage;
    start(&stage, text);
    step(&stage);
    assert_value(&stage, BOARD_dmx1, OPERATIONS / 2);
    stop(&stage);
    free(text);
}

/* Six variables of their own may be assigned per vertex beside those of the motion. */
static void test_as_many_variables_per_vertex(void **state)
{
    (void)state;
    enum { OWN = 6, TERMS = 60 };
    static const char *const motion[] = {"sx", "sy", "cx", "cy", "rot", "dx", "dy", "zoom", "warp",
                                         "q1", "q2", "q3", "q4", "q5",  "q6", "q7", "q8"};
    char *text = calloc(1, TEXT);
    assert_non_null(text);
    put(text, "per_vertex:\n");
    for (int i = 0; i < OWN; i++) {
        put(text, " own%d = x", i);
        for (int k = 0; k < TERMS; k++) {
            put(text, " + %d.5*y*%s", i * TERMS + k, k % 2 == 0 ? "rad" : "x");
        }
        put(text, "\n");
    }
    for (size_t i = 0; i < sizeof motion / sizeof *motion; i++) {
        put(text, " %s = %s + 0.00001*own%d\n", motion[i], motion[i], (int)(i % OWN));
    }
    struct stage stage;
    start(&stage, text);
    step(&stage);
    stop(&stage);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_expressions_on_the_board),
        cmocka_unit_test(test_expressions_that_are_computed),
        cmocka_unit_test(test_variables_of_frames),
        cmocka_unit_test(test_controllers),
        cmocka_unit_test(test_controllers_of_the_next_patch),
        cmocka_unit_test(test_garbage),
        cmocka_unit_test(test_as_many_controllers_as_registers),
        cmocka_unit_test(test_as_many_variables_as_registers),
        cmocka_unit_test(test_as_many_operations_as_words),
        cmocka_unit_test(test_as_many_variables_per_vertex),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
