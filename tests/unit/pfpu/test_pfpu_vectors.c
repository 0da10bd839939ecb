#include "test_pfpu.h"

#include <math.h>
#include <stdio.h>

/* spec/milk-expressions.md section 10. */
static const struct vector {
    const char *text;
    double a;
} vectors[] = {
    {"a=1+2*3", 7},
    {"a=-2^2", -4},
    {"a=2^-1", 0.5},
    {"a=2^3^2", 64},
    {"a=7%3", 1},
    {"a=-7%3", -1},
    {"b=-7;a=b%3", 1},
    {"a=7.9%3.9", 1},
    {"a=5%0", 0},
    {"a=5%0.9", 0},
    {"a=1/0", 0},
    {"a=3;a=a+1/0", 0},
    {"a=min(1/0,5)", 5},
    {"a=log(0)", 0},
    {"a=log(-1)", 0},
    {"a=sqrt(-4)", 2},
    {"a=pow(-8,1/3)", 0},
    {"a=pow(0,0)", 1},
    {"a=asin(2)", 0},
    {"a=int(-1.5)", -2},
    {"a=int(2.999)", 2},
    {"a=sign(-3)+sign(0)*10+sign(9)*100", 99},
    {"a=equal(1,1.000001)", 1},
    {"a=equal(1,1.0001)", 0},
    {"a=above(1,1)", 0},
    {"a=if(0.000001,5,6)", 6},
    {"a=if(-0.5,5,6)", 5},
    {"a=bnot(0.000001)", 1},
    {"a=band(0.5,0.00001)", 0},
    {"b=0;c=band(0,b=1);a=b", 1},
    {"b=0;c=0&&(b=1);a=b", 0},
    {"b=0;c=1||(b=1);a=b", 0},
    {"a=0||1&&0", 0},
    {"a=1||1&&0", 0},
    {"a=1<2==1", 0},
    {"a=6&3", 2},
    {"a=6|3", 7},
    {"a=6.9&3.9", 2},
    {"a=3==3&&2==2", 1},
    {"a=!0+1", 2},
    {"b=5;a=b=c", 0},
    {"a=1;a+=2;a*=3", 9},
    {"a=(b=2;c=3;b*c)", 6},
    {"b=0;loop(5,b=b+1);a=b", 5},
    {"b=0;loop(2.9,b+=1);a=b", 2},
    {"b=0;loop(-1,b=7);a=b", 0},
    {"b=0;while(b=b+1;below(b,10));a=b", 10},
    {"megabuf(3)=4;a=megabuf(3)", 4},
    {"megabuf(3)=4;a=megabuf(2.999995)", 4},
    {"megabuf(-2)=4;a=megabuf(-2)", 0},
    {"megabuf(-1)=4;a=megabuf(0)", 4},
    {"gmegabuf(1048577)=8;a=gmegabuf(1)", 8},
    {"a=exec3(b=1,c=2,b+c)", 3},
    {"reg07=3;a=reg07", 3},
    {"A=4;a=a+A", 8},
    {"a=$PI", 3.141592653589793},
    {"a=$xFF", 255},
    {"a=sigmoid(0,5)", 0.5},
    {"a=1.5e1", 15},
    {"if(1,a,b)=3", 3},
    {"a=3 // x", 3},
    {"a=/*x*/3", 3},
    {";;;a=1;;", 1},
    /* Lexical rules, section 3. */
    {"a=12.", 12},
    {"a=.5", 0.5},
    {"a=.", 0},
    {"a=1e3", 1000},
    {"a=2.5e-3", 0.0025},
    {"a=0Fh", 15},
    {"a=10h+1", 17},
    {"a=$x1f+$X2", 33},
    {"a=$'A'", 65},
    {"a=$pi-$PI", 0},
    {"a=$e", 2.71828183},
    {"a=$Phi", 1.61803399},
    {"a=0.1+0.2", 0.30000000000000004},
    {"a=123456789012345678901234567890", 123456789012345678901234567890.0},
    {"a=0.000000000000000000000000000000000001e36", 1},
    {"a=1e400", 0},
    {"\ta\v=\f1\r+ 1", 2},
    {"_x1=3;a=_X1", 3},
    {"a_name_longer_than_sixteen=2;a=a_name_longer_than_sixteen", 2},
    {"a=1 \\\\ +1", 1},
    {"a=1 /* no end", 1},
    {"a=1/\n/ 2\n", 1},
    /* Lines join without separator, then with line ends. */
    {"a=1\n2", 12},
    {"a=si\ngn(-4)", -1},
    {"a=2 // one\n*3; // two\nb=4", 6},
    {"b=2;\na=b\n", 2},
    /* Values, section 5. */
    {"b=1/0;a=b", 0},
    {"a=5;a/=0", 0},
    {"a=5;a-=1/0", 0},
    {"a=0-1e-310", 0},
    {"a=assign(b,1/0)+1", 1},
    {"a=(1/0)==(1/0)", 1},
    {"a=(1/0-1/0)!=0", 0},
    {"a=(1/0-1/0)<0", 1},
    {"a=(1/0-1/0)>0", 1},
    {"a=(1/0-1/0)<=0", 0},
    {"a=(1/0-1/0)>=0", 0},
    {"a=if(1/0-1/0,1,2)", 2},
    {"a=if(0.00001,1,2)", 1},
    {"a=band(0.00002,-3)", 1},
    {"a=bor(0.00001,0)", 0},
    {"a=bor(0,-0.1)", 1},
    {"a=0.00001&&1", 1},
    {"a=5==5.000009", 1},
    {"a=5!=5.000011", 1},
    {"a=2>=2", 1},
    {"a=below(1,2)*10+above(1,2)", 10},
    {"a=_aboeq(2,2)*100+_beleq(1,2)*10+_noteq(1,1)", 110},
    {"a=5;_addop(a,2);_mulop(a,3);_subop(a,1);_divop(a,4)", 5},
    {"a=9;_modop(a,5);_orop(a,3);_andop(a,6);_powop(a,2)", 36},
    {"_set(a,_if(_and(1,_not(0)),_mod(7,4),9)+_or(0,0)+_equal(1,1)+_below(1,2)+_above(1,2))", 5},
    {"_mem(3)=2;_gmem(3)=5;a=megabuf(3)*10+gmegabuf(3)", 25},
    {"a=-5%3", -2},
    {"a=(-5)%3", 2},
    {"a=1e20%7", 3},
    {"a=7%1e20", 7},
    {"a=(1/0-1/0)%7", 0},
    {"a=(-1)&255", 255},
    {"a=1e300|1", 9223372036854775807.0},
    {"a=sqr(-3)", 9},
    {"a=invsqrt(4)", 0.5},
    {"a=exp(0)+log10(100)+abs(-1)+max(2,3)+ceil(0.2)+floor(0.8)", 8},
    {"a=atan2(1,0)*2-$PI+atan(1)*4-$PI", 0},
    {"a=acos(0)*2-$pi+sin(0)+cos(0)+tan(0)", 1},
    {"a=freembuf(7)", 7},
    {"a=exec2(b=2,b*b)", 4},
    {"a=loop(3,b+=2)", 6},
    {"a=loop(0,5)", 0},
    {"a=loop(1/0-1/0,5)", 0},
    {"b=3;a=while(b-=1)", 0},
    {"a=loop(3,loop(4,b+=1))", 12},
    {"a=memset(5,7,3);a=a*100+megabuf(4)+megabuf(5)*10+megabuf(8)", 570},
    {"megabuf(1)=1;megabuf(2)=2;megabuf(3)=3;memcpy(2,1,3);a=megabuf(2)*100+megabuf(3)*10+"
     "megabuf(4)",
     123},
    {"x=10;x[2]=5;a=megabuf(12)+x[]+megabuf(10)", 5},
    {"gmem[3]=4;a=gmegabuf(3)+gmem[2.999995]", 8},
    {"gmem=3;a=gmem", 3},
    {"a=gmegabuf(-2)+(gmegabuf(1048575)=3)", 3},
    {"a=reg00+reg99;reg99=2;reg00=reg99*2;a=reg00", 4},
    {"reg100=2;a=REG100", 2},
    /* Places, section 4. */
    {"if(0,a,b)=3;a=a*10+b", 3},
    {"b=1;c=2;min(b,c)=7;a=b*10+c", 72},
    {"b=1;c=2;max(b,c)=7;a=b*10+c", 17},
    {"(a=2)+=3", 5},
    {"(b;a)=4", 4},
    {"(a+b)=3", 0},
    {"b=if(1,3,a)+=4;a=a*10+b", 7},
    {"b=(if(1,megabuf(4),c)+=3)+(if(0,b,max(megabuf(4),c))*=2);a=b*10+megabuf(4)", 96},
    {"if(b==0,c,d)=(b=1;5);a=c*10+d", 50},
    {"min(megabuf(1),max(b,1))-=4;a=megabuf(1)", -4},
    {"i=1;megabuf(i)=(i=2);a=megabuf(1)*10+megabuf(2)", 20},
    {"a=3;a+=(a=5)", 10},
    {"if(1,if(0,b,c),d)=6;a=c", 6},
    {"a=1;b=2;c=a;a=b;b=c;a=a*10+b", 21},
    {"loop(3,c=a;a=b+1;b=c);a=a*10+b", 21},
    {"a=1;if(a,b=a;a=5;c=b+a,0);a=a*100+b*10+c", 516},
};

static void test_vectors(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof vectors / sizeof vectors[0]; i++) {
        struct patch patch;
        patch_open(&patch, vectors[i].text);
        if (patch.status == PFPU_OK) {
            patch_run(&patch);
        }
        const double a = patch.instance.values[0];
        const double tolerance = 1e-9 * fmax(1.0, fabs(vectors[i].a));
        if (patch.status != PFPU_OK || !(fabs(a - vectors[i].a) <= tolerance)) {
            fail_msg("'%s': status %d, a = %.17g, expected %.17g; %s", vectors[i].text,
                     (int)patch.status, a, vectors[i].a, patch.messages.items[0].what);
        }
        assert_int_equal(patch.messages.count, 0);
        patch_close(&patch);
    }
}

static void test_random_range(void **state)
{
    (void)state;
    static const struct range {
        const char *text;
        double most;
    } ranges[] = {{"a=rand(0)", 1}, {"a=rand(5)", 5}, {"a=rand(5.9)", 5}, {"a=rand(-3)", 1}};
    for (size_t i = 0; i < sizeof ranges / sizeof ranges[0]; i++) {
        struct patch patch;
        double largest = 0.0;
        patch_open(&patch, ranges[i].text);
        for (int n = 0; n < 1000; n++) {
            patch_run(&patch);
            const double a = patch_value(&patch, "a");
            assert_true(a >= 0.0 && a <= ranges[i].most);
            largest = fmax(largest, a);
        }
        assert_true(largest > 0.95 * ranges[i].most);
        patch_close(&patch);
    }
}

static void test_random_is_seeded(void **state)
{
    (void)state;
    struct patch one;
    struct patch two;
    patch_open(&one, "a=rand(1000)+rand(1000)*1000");
    patch_open(&two, "a=rand(1000)+rand(1000)*1000");
    patch_run(&one);
    patch_run(&two);
    assert_true(patch_value(&one, "a") == patch_value(&two, "a"));
    patch_run(&two);
    assert_true(patch_value(&one, "a") != patch_value(&two, "a"));
    patch_close(&one);
    patch_close(&two);
}

static void test_variables_last(void **state)
{
    (void)state;
    struct patch patch;
    patch_open(&patch, "a=a+1;b=b+a");
    for (int i = 0; i < 4; i++) {
        patch_run(&patch);
    }
    assert_true(patch_value(&patch, "a") == 4.0);
    assert_true(patch_value(&patch, "b") == 10.0);
    patch_close(&patch);
}

static void test_names(void **state)
{
    (void)state;
    struct base_arena arena = {0};
    struct pfpu_scope *scope = pfpu_scope_create(&arena);
    char name[32];
    for (int i = 0; i < PFPU_VARIABLES_MAX; i++) {
        (void)snprintf(name, sizeof name, "Name_%d", i);
        assert_int_equal(pfpu_scope_declare(scope, name), i);
    }
    assert_int_equal(pfpu_scope_declare(scope, "one_more"), -1);
    assert_int_equal(pfpu_scope_declare(scope, "NAME_77"), 77);
    assert_string_equal(pfpu_scope_name(scope, 77), "name_77");
    assert_int_equal(pfpu_scope_size(scope), PFPU_VARIABLES_MAX);
    base_arena_free(&arena);
}

static void test_two_programs_share_variables(void **state)
{
    (void)state;
    struct patch patch;
    struct pfpu_program *second = NULL;
    patch_open(&patch, "a=1.5;b=a*2.5;reg05=9");
    assert_int_equal(patch_compile(&patch, "c=b+a+7.25;late=c+reg05", &second), PFPU_OK);
    assert_int_equal(pfpu_instance_init(&patch.instance, patch.scope, &patch.arena), 0);
    patch_run(&patch);
    pfpu_run(second, &patch.instance, &patch.globals);
    assert_true(patch_value(&patch, "c") == 12.5);
    assert_true(patch_value(&patch, "late") == 21.5);
    patch_close(&patch);
}

static void test_scopes_share_registers_and_gmegabuf_only(void **state)
{
    (void)state;
    struct patch one;
    struct patch two;
    patch_open(&one, "b=5;megabuf(0)=6;reg03=7;gmegabuf(4)=8");
    patch_open(&two, "a=b+megabuf(0)+reg03*10+gmegabuf(4)");
    pfpu_run(one.program, &one.instance, &two.globals);
    patch_run(&two);
    assert_true(patch_value(&two, "a") == 78.0);
    assert_true(pfpu_scope_declare(one.scope, "reg03") == (int)pfpu_scope_size(one.scope) - 1);
    patch_close(&one);
    patch_close(&two);
}

static void test_reads_and_writes(void **state)
{
    (void)state;
    struct patch patch;
    patch_open(&patch, "b=a+1;a=2;if(c,loop(3,d=e),0);unused=0*f;g=if(0,h,1)");
    static const struct use {
        const char *name;
        bool reads;
        bool writes;
    } uses[] = {{"a", true, true},  {"b", false, true},  {"c", true, false},
                {"d", false, true}, {"e", true, false},  {"unused", false, true},
                {"g", false, true}, {"h", false, false}, {"not_there", false, false}};
    for (size_t i = 0; i < sizeof uses / sizeof uses[0]; i++) {
        const int variable = pfpu_scope_declare(patch.scope, uses[i].name);
        assert_int_equal(pfpu_program_reads(patch.program, variable), uses[i].reads);
        assert_int_equal(pfpu_program_writes(patch.program, variable), uses[i].writes);
    }
    assert_false(pfpu_program_reads(patch.program, -1));
    patch_close(&patch);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_vectors),
        cmocka_unit_test(test_random_range),
        cmocka_unit_test(test_random_is_seeded),
        cmocka_unit_test(test_variables_last),
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_two_programs_share_variables),
        cmocka_unit_test(test_scopes_share_registers_and_gmegabuf_only),
        cmocka_unit_test(test_reads_and_writes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
