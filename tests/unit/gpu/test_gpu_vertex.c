/* Per-vertex equations and where vertices read, on a device beside the processor: all that presets
 * may write, random programs, what stays on the processor, what the last vertex leaves, and a
 * device that is lost before any of its runs. States are compared as they are saved: with all
 * vertices, variables and registers. */
#include "room.h"

#include "base/random.h"

enum { WIDTH = 64, HEIGHT = 48, FULL_X = 192, FULL_Y = 144 };

/* Compares, and gives how many meshes the device computed. */
static int moved_by(struct room *room, const char *numbers)
{
    struct rend_patch *patch = patch_of(numbers, NULL, NULL);
    room->moved = 0;
    compare(room, patch, WIDTH, HEIGHT, true);
    rend_patch_free(patch);
    return room->moved;
}

static bool is_ready(struct room *room, int mesh_x, int mesh_y)
{
    room->mesh_x = mesh_x;
    room->mesh_y = mesh_y;
    return room->gpu != NULL && gpu_doubles(room->gpu);
}

/* Long enough to be worth it. */
#define LONG                                                                                       \
    "per_pixel_1=worth=sin(x)+cos(y)+sin(rad*3)+cos(ang)+sin(x*y)+cos(time+x)+sin(y-time);\n"      \
    "per_pixel_2=dx=dx+0.001*worth;\n"

static void test_programs(void **state)
{
    static const char *const programs[] = {
        "warp=0.5\nfWarpScale=1.3\nfWarpAnimSpeed=2\n" LONG,
        "zoom=1.02\nfZoomExponent=1.3\nrot=0.1\n" LONG,
        "per_pixel_3=zoom=1+0.1*sin(rad*9-time);zoomexp=1+x*y;rot=0.3*sin(ang*3);\n" LONG,
        "per_pixel_3=warp=if(above(x,0.5),rad,0);cx=x*0.3;cy=0.5+y;sx=1+0.1*x;sy=0.9;\n" LONG,
        "per_pixel_3=zoom=x-0.5;sx=y-0.5;sy=0;\n" LONG,
        "per_pixel_3=zoom=if(below(rad,0.2),0,1e300*x);dx=dx+1e39*(x-0.5);dy=log(x-0.5);\n" LONG,
        "per_pixel_3=zoom=exp(x*2000-1000);zoomexp=exp(y*2000-1000);cx=1e-320*x;\n" LONG,
        "per_pixel_3=rot=1e9*x;warp=-2;zoom=pow(x,y*20-10);zoomexp=-1;\n" LONG,
        "per_frame_1=q1=sin(time);reg01=time;q2=3;\n"
        "per_pixel_3=zoom=1+0.01*q1*q2+0.01*reg01;reg02=x+y;last=rad*q1;dx=dx+0.01*(x%3);\n" LONG,
        "per_pixel_3=cell=int(x*8)+int(y*8);zoom=1+0.05*(cell&1)+0.01*(cell|2)-0.01*(cell%3);\n"
        "per_pixel_4=if(above(cell,7),assign(rot,0.1*sin(cell)*cos(x)*tan(y)),assign(cy,0.4));\n"
        "per_pixel_5=sy=1+0.1*sigmoid(x,y)*atan2(y,x)*asin(x)*acos(y)*invsqrt(rad)*sqrt(x);\n" LONG,
    };
    static const int meshes[][2] = {{FULL_X, FULL_Y}, {191, 143}, {189, 127}};
    struct room *room = *state;
    for (size_t k = 0; k < sizeof meshes / sizeof *meshes; k++) {
        if (!is_ready(room, meshes[k][0], meshes[k][1])) {
            skip();
        }
        for (size_t i = 0; i < sizeof programs / sizeof *programs; i++) {
            assert_int_equal(moved_by(room, programs[i]), FRAMES);
        }
    }
}

/* ---- random programs ---- */

struct text {
    char of[TEXT];
    size_t length;
    struct base_rng rng;
    unsigned known; /* own variables that have a value */
};

static unsigned any_below(struct text *text, unsigned end)
{
    return (unsigned)base_rng_next(&text->rng) % end;
}

static void put(struct text *text, const char *word)
{
    const size_t size = strlen(word);
    assert_true(text->length + size < TEXT);
    memcpy(text->of + text->length, word, size + 1);
    text->length += size;
}

static void put_leaf(struct text *text)
{
    static const char *const leaves[] = {"x",    "y",    "rad", "ang",  "time",  "q1",     "bass",
                                         "0",    "1",    "0.5", "-3",   "1e300", "1e-300", "40",
                                         "zoom", "-1.7", "x",   "y",    "rad",   "ang",    "1e6",
                                         "warp", "2",    "256", "reg01"};
    if (text->known > 0 && any_below(text, 3) == 0) {
        char name[2] = {(char)('a' + (int)any_below(text, text->known)), 0};
        put(text, name);
        return;
    }
    put(text, leaves[any_below(text, sizeof leaves / sizeof *leaves)]);
}

static void put_expression(struct text *text, int depth)
{
    static const char *const one[] = {"sin(",  "cos(",     "tan(", "asin(",  "acos(", "atan(",
                                      "sqrt(", "invsqrt(", "exp(", "log(",   "sqr(",  "log10(",
                                      "abs(",  "sign(",    "int(", "floor(", "ceil(", "bnot("};
    static const char *const two[] = {"atan2(", "pow(",   "min(",  "max(", "above(",
                                      "below(", "equal(", "band(", "bor(", "sigmoid("};
    static const char *const between[] = {"+", "-", "*", "/", "%", "&", "|", "+", "*"};
    const unsigned kind = depth == 0 ? 0 : any_below(text, 8);
    if (kind == 0) {
        put_leaf(text);
    } else if (kind < 3) {
        put(text, one[any_below(text, sizeof one / sizeof *one)]);
        put_expression(text, depth - 1);
        put(text, ")");
    } else if (kind < 4) {
        put(text, two[any_below(text, sizeof two / sizeof *two)]);
        put_expression(text, depth - 1);
        put(text, ",");
        put_expression(text, depth - 1);
        put(text, ")");
    } else if (kind < 5) {
        put(text, "if(");
        put_expression(text, depth - 1);
        put(text, ",");
        put_expression(text, depth - 1);
        put(text, ",");
        put_expression(text, depth - 1);
        put(text, ")");
    } else {
        put(text, "(");
        put_expression(text, depth - 1);
        put(text, between[any_below(text, sizeof between / sizeof *between)]);
        put_expression(text, depth - 1);
        put(text, ")");
    }
}

static void test_random_programs(void **state)
{
    static const char *const motions[] = {"zoom", "zoomexp", "rot", "warp", "cx",
                                          "cy",   "dx",      "dy",  "sx",   "sy"};
    enum { LINES = 8, OWN = 4, MOTIONS = sizeof motions / sizeof *motions };
    struct room *room = *state;
    struct text text = {.length = 0};
    int taken = 0;
    const int programs = 24 / one_in();
    if (!is_ready(room, FULL_X, FULL_Y)) {
        skip();
    }
    base_rng_seed(&text.rng, 9, 1);
    for (int i = 0; i < programs; i++) {
        text.length = 0;
        text.known = 0;
        put(&text, "per_frame_1=q1=sin(time*3)*2;reg01=bass;\n" LONG);
        for (int line = 1; line <= LINES; line++) {
            char head[32];
            char own[2] = {(char)('a' + line - 1), 0};
            (void)snprintf(head, sizeof head, "per_pixel_%d=%s=", line + 2,
                           line <= OWN ? own : motions[any_below(&text, MOTIONS)]);
            put(&text, head);
            put_expression(&text, 4);
            put(&text, ";\n");
            text.known += line <= OWN ? 1 : 0;
        }
        taken += moved_by(room, text.of) > 0 ? 1 : 0;
    }
    assert_true(taken > programs * 3 / 4);
}

/* ---- what stays on the processor, and a device that is lost ---- */

static void test_left(void **state)
{
    static const char *const programs[] = {
        "per_pixel_3=zoom=1+0.01*rand(10);\n" LONG,
        "per_pixel_3=n=n+0.001;zoom=1+0.1*sin(n);\n" LONG,
        "per_pixel_3=megabuf(x*100)=y;zoom=1+0.1*megabuf(y*100);\n" LONG,
        "per_pixel_3=zoom=1;loop(3,zoom=zoom+0.01*x);\n" LONG,
        "per_pixel_3=zoom=1+0.1*gmegabuf(y*100);\n" LONG,
    };
    struct room *room = *state;
    if (!is_ready(room, FULL_X, FULL_Y)) {
        skip();
    }
    for (size_t i = 0; i < sizeof programs / sizeof *programs; i++) {
        assert_int_equal(moved_by(room, programs[i]), 0);
    }
    /* Too little to be worth a way to the device. */
    room->mesh_x = 0;
    assert_int_equal(moved_by(room, LONG), 0);
}

static void test_lost_at_any_run(void **state)
{
    enum { RUNS = 7 * FRAMES }; /* the mesh and the warp begun, ended, and so on */
    struct room *room = *state;
    if (!is_ready(room, FULL_X, FULL_Y)) {
        skip();
    }
    struct rend_patch *patch = patch_of("warp=0.5\nper_pixel_3=reg02=reg01+x;last=q1*y;zoom=1+0.1*"
                                        "reg01;\nper_frame_1=reg01=reg02;\n" LONG,
                                        NULL, NULL);
    int lost = 0;
    for (int runs = 0; runs < RUNS; runs += stride()) {
        room->runs = runs;
        compare(room, patch, WIDTH, HEIGHT, true);
        lost += room->lost ? 1 : 0;
    }
    assert_true(lost > 2 * FRAMES / one_in());
    room->runs = -1;
    room->lost = false;
    rend_patch_free(patch);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_programs),
        cmocka_unit_test(test_random_programs),
        cmocka_unit_test(test_left),
        cmocka_unit_test(test_lost_at_any_run),
    };
    return cmocka_run_group_tests(tests, open_room, close_room);
}
