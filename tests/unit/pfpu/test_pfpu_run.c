#include "test_pfpu.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "pfpu/ir/arith.h"

/* ---- budget ---- */

static const char *const endless[] = {
    "a=7;while(1)",
    "a=7;while(a=a+1)",
    "a=7;loop(1e9,loop(1e9,a=a+1))",
    "a=7;while(loop(1e9,while(1)))",
    "a=7;loop(1e6,memset(0,0,8388608))",
    "a=7;loop(1e6,memcpy(0,1,8388608))",
    "a=7;while(memset(100,1,8388607);1)",
};

static void test_endless_programs_end(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof endless / sizeof endless[0]; i++) {
        struct patch patch;
        patch_open(&patch, endless[i]);
        patch.globals.budget = 1000000;
        patch_run(&patch);
        assert_true(patch.globals.exhausted);
        assert_true(patch.globals.budget < 0);
        assert_true(patch_value(&patch, "a") >= 7.0);
        patch_close(&patch);
    }
}

static void test_turns_are_limited(void **state)
{
    (void)state;
    struct patch patch;
    patch_open(&patch, "a=0;loop(1e9,a+=1);b=0;while(b+=1);c=loop(1/0,d+=1)");
    patch.globals.budget = 1000000000;
    patch_run(&patch);
    assert_false(patch.globals.exhausted);
    assert_true(patch_value(&patch, "a") == PFPU_LOOP_MAX);
    assert_true(patch_value(&patch, "b") == PFPU_LOOP_MAX);
    assert_true(patch_value(&patch, "d") == PFPU_LOOP_MAX);
    patch_close(&patch);
}

static void test_budget_is_charged(void **state)
{
    (void)state;
    struct patch patch;
    patch_open(&patch, "a=a+1;loop(3,a=a*2;b=b+sin(a))");
    patch.globals.budget = 1000;
    patch_run(&patch);
    const int64_t price = 1000 - patch.globals.budget;
    /* Two turns back over a body with a sine, which is worth twelve simple operations. */
    assert_true(price >= 2 * (12 + 2) && price <= 2 * (12 + 9));
    patch.globals.budget = price;
    patch_run(&patch);
    assert_false(patch.globals.exhausted);
    assert_true(patch.globals.budget == 0);
    patch_close(&patch);
}

static void test_after_the_budget_straight_code_runs(void **state)
{
    (void)state;
    struct patch patch;
    struct pfpu_program *straight = NULL;
    patch_open(&patch, "b=1;loop(10,a+=1);c=1");
    assert_int_equal(patch_compile(&patch, "d=5;e=if(d,sin(d),cos(d))", &straight), PFPU_OK);
    assert_int_equal(pfpu_instance_init(&patch.instance, patch.scope, &patch.arena), 0);
    patch.globals.budget = 0;
    patch_run(&patch);
    assert_true(patch.globals.exhausted);
    assert_true(patch_value(&patch, "a") == 1.0);
    assert_true(patch_value(&patch, "b") == 1.0);
    assert_true(patch_value(&patch, "c") == 0.0);
    pfpu_run(straight, &patch.instance, &patch.globals);
    assert_true(patch_value(&patch, "d") == 5.0);
    patch_run(&patch);
    assert_true(patch_value(&patch, "a") == 2.0);
    patch_close(&patch);
}

/* ---- memory ---- */

static double run_for_a(const char *text)
{
    struct patch patch;
    patch_open(&patch, text);
    assert_int_equal(patch.status, PFPU_OK);
    patch.globals.budget = INT64_MAX;
    patch_run(&patch);
    const double a = patch_value(&patch, "a");
    patch_close(&patch);
    return a;
}

static const struct memory_case {
    const char *text;
    double a;
} memory_cases[] = {
    {"megabuf(8388607)=3;a=megabuf(8388607)", 3},
    {"megabuf(8388608)=3;a=megabuf(8388608)", 0},
    {"megabuf(1e300)=3;megabuf(-1e300)=3;a=megabuf(1e300)+megabuf(-1e300)", 0},
    {"megabuf(1/0-1/0)=3;a=megabuf(0)", 3},
    {"gmegabuf(1e300)=3;gmegabuf(1/0)=4;a=gmegabuf(1048575)", 4},
    {"gmegabuf(-1048576)=2;a=gmegabuf(1)", 2},
    {"gmegabuf(3*1048576+9)=2;a=gmegabuf(9)", 2},
    {"megabuf(65535)=1;megabuf(65536)=2;a=megabuf(65535)*10+megabuf(65536)", 12},
    {"memset(65530,4,12);a=megabuf(65529)+megabuf(65530)+megabuf(65541)*10+megabuf(65542)", 44},
    {"memset(-5,4,8);a=megabuf(0)+megabuf(2)*10+megabuf(4)", 44},
    {"memset(8388600,4,1e300);a=megabuf(8388607)", 4},
    {"memset(-1e300,4,1e300);memset(1e300,4,5);memset(0,4,-3);memset(0,4,0.9);a=megabuf(0)", 0},
    {"memset(2.9,4,2.9);a=megabuf(1)+megabuf(2)*10+megabuf(3)*100+megabuf(4)", 440},
    {"memset(0,1/0,4);a=megabuf(2)", 0},
    {"memset(0,5,9);memset(3,0,3);a=megabuf(2)*100+megabuf(4)*10+megabuf(6)", 505},
    {"i=0;loop(70000,megabuf(65000+i)=i;i+=1);memcpy(65003,65000,69990);"
     "a=megabuf(65003)+megabuf(66003)+megabuf(134992)",
     0 + 1000 + 69989},
    {"i=0;loop(70000,megabuf(65000+i)=i;i+=1);memcpy(64000,65000,70000);"
     "a=megabuf(64000)+megabuf(65001)+megabuf(133999)",
     0 + 1001 + 69999},
    {"megabuf(0)=5;memcpy(-2,-2,3);memcpy(3,-2,3);a=megabuf(0)+megabuf(4)*10", 55},
    {"megabuf(0)=7;memcpy(0,100000,5);a=megabuf(0)", 0},
    {"megabuf(8388606)=3;memcpy(8388607,8388606,9);a=megabuf(8388607)", 3},
    {"memcpy(0,1e300,5);memcpy(1e300,0,5);memcpy(0,-1e300,1e300);memcpy(5,6,-1);a=9", 9},
    {"megabuf(1)=3;freembuf(0);a=megabuf(1)", 3},
    {"b=megabuf(2);megabuf(2)=5;a=megabuf(2)*10+b", 50},
    {"megabuf(2)=1;b=megabuf(2);megabuf(2)=megabuf(2)+b;a=megabuf(2)", 2},
};

static void test_memory(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof memory_cases / sizeof memory_cases[0]; i++) {
        const double a = run_for_a(memory_cases[i].text);
        if (a < memory_cases[i].a || a > memory_cases[i].a) {
            fail_msg("'%s': %.17g", memory_cases[i].text, a);
        }
    }
}

static void test_pool_is_limited(void **state)
{
    (void)state;
    struct patch one;
    struct patch two;
    patch_open(&one, "i=0;loop(100,megabuf(i*65536)=1;i+=1)");
    patch_open(&two, "i=0;loop(100,megabuf(i*65536)=2;i+=1);a=megabuf(27*65536);"
                     "b=megabuf(28*65536);memcpy(40*65536,0,1);memset(50*65536,0,1)");
    pfpu_run(one.program, &one.instance, &two.globals);
    assert_int_equal(two.globals.pool_used, 100);
    assert_false(two.globals.pool_exhausted);
    pfpu_run(two.program, &two.instance, &two.globals);
    assert_true(two.globals.pool_exhausted);
    assert_int_equal(two.globals.pool_used, PFPU_POOL_BLOCKS);
    assert_true(patch_value(&two, "a") == 2.0);
    assert_true(patch_value(&two, "b") == 0.0);
    patch_close(&one);
    patch_close(&two);
}

static void test_reading_takes_no_block(void **state)
{
    (void)state;
    struct patch patch;
    patch_open(&patch, "a=megabuf(5)+megabuf(1e6);memset(0,0,8388608)");
    patch_run(&patch);
    assert_int_equal(patch.globals.pool_used, 0);
    patch_close(&patch);
}

/* As on the board, where what was never written holds anything. */
static void test_unwritten_pages_read_as_zero(void **state)
{
    (void)state;
    struct patch patch;
    patch_open(&patch, "a=gmegabuf(7);gmegabuf(8)=1;b=gmegabuf(7)+gmegabuf(8);"
                       "megabuf(2000)=2;c=megabuf(1999)+megabuf(2000);d=megabuf(5000);"
                       "memcpy(3000,1000,2000);e=megabuf(4000);f=megabuf(3999)+megabuf(4999);"
                       "memset(9000,3,2500);g=megabuf(8999)+megabuf(9000)+megabuf(11499);"
                       "h=megabuf(11500);memcpy(2000,7000,10);i=megabuf(2000);");
    struct pfpu_globals *globals = &patch.globals;
    memset(globals->gmegabuf, 0x41, 4 * PFPU_PAGE * sizeof *globals->gmegabuf);
    memset(globals->pool, 0x41, 32 * PFPU_PAGE * sizeof *globals->pool);
    patch_run(&patch);
    static const struct {
        const char *name;
        double value;
    } rows[] = {{"a", 0}, {"b", 1}, {"c", 2}, {"d", 0}, {"e", 2},
                {"f", 0}, {"g", 6}, {"h", 0}, {"i", 0}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        assert_true(patch_value(&patch, rows[i].name) == rows[i].value);
    }
    patch_close(&patch);
}

/* ---- the rest ---- */

static void test_null_program(void **state)
{
    (void)state;
    pfpu_run(NULL, NULL, NULL);
}

static void test_hosts_values_reach_the_program(void **state)
{
    (void)state;
    struct patch patch;
    patch_open(&patch, "b=a;c=a+1;d=a*0;e=min(a,3)");
    const double hostile[] = {NAN, INFINITY, -INFINITY, 1e-310, 1e308};
    for (size_t i = 0; i < sizeof hostile / sizeof hostile[0]; i++) {
        patch.instance.values[0] = hostile[i];
        patch_run(&patch);
        assert_true(isfinite(patch_value(&patch, "b")));
        assert_true(isfinite(patch_value(&patch, "c")));
        assert_true(isfinite(patch_value(&patch, "d")));
        assert_true(isfinite(patch_value(&patch, "e")));
    }
    patch_close(&patch);
}

static void test_instances_are_independent(void **state)
{
    (void)state;
    struct patch patch;
    struct pfpu_instance other;
    patch_open(&patch, "a=a+2.5;megabuf(0)=a");
    assert_int_equal(pfpu_instance_init(&other, patch.scope, &patch.arena), 0);
    patch_run(&patch);
    patch_run(&patch);
    pfpu_run(patch.program, &other, &patch.globals);
    assert_true(patch.instance.values[0] == 5.0);
    assert_true(other.values[0] == 2.5);
    assert_int_equal(patch.globals.pool_used, 2);
    patch_close(&patch);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_endless_programs_end),
        cmocka_unit_test(test_turns_are_limited),
        cmocka_unit_test(test_budget_is_charged),
        cmocka_unit_test(test_after_the_budget_straight_code_runs),
        cmocka_unit_test(test_memory),
        cmocka_unit_test(test_pool_is_limited),
        cmocka_unit_test(test_reading_takes_no_block),
        cmocka_unit_test(test_unwritten_pages_read_as_zero),
        cmocka_unit_test(test_null_program),
        cmocka_unit_test(test_hosts_values_reach_the_program),
        cmocka_unit_test(test_instances_are_independent),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
