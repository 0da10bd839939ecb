#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/lab/lab.h"
#include "app/lab/programs.h"
#include "base/os/print.h"
#include "pfpu/pfpu.h"

typedef int (*check_function)(const char *file, struct base_span text, FILE *out, bool json,
                              const struct base_diag_sink *sink);

/* What a comparison said. */
struct outcome {
    int code;
    char *printed;
    struct base_diag_list messages;
};

static struct outcome check_span(check_function check, struct base_span text, bool json)
{
    struct outcome outcome = {0};
    size_t size = 0;
    FILE *out = open_memstream(&outcome.printed, &size);
    assert_non_null(out);
    const struct base_diag_sink sink = base_diag_list_sink(&outcome.messages);
    outcome.code = check("t", text, out, json, &sink);
    assert_int_equal(fclose(out), 0);
    return outcome;
}

static struct outcome check_text(check_function check, const char *text, bool json)
{
    return check_span(check, base_span_of(text), json);
}

#define ALU_HEADING "opcode_name,a_hex,b_hex,r2_flag,result_hex,care_hex\n"
#define ALU_ROW     "FADD,3f800000,3f800000,0,40000000,ffffffff\n"

static void tables_in_many_shapes(void **state)
{
    static const struct {
        const char *text;
        int code;
        const char *printed;
    } cases[] = {
        {ALU_HEADING ALU_ROW, 0, "alu: 1 rows, 0 mismatches\n"},
        {ALU_ROW ALU_ROW, 0, "alu: 2 rows, 0 mismatches\n"},
        {"\xEF\xBB\xBF" ALU_HEADING "\n  \n" ALU_ROW "\n", 0, "alu: 1 rows, 0 mismatches\n"},
        {"name,x,y,flag,result,mask\r\n" ALU_ROW, 0, "alu: 1 rows, 0 mismatches\n"},
        {"fadd,0x3f800000, 3F800000 ,0,40000000,ffffffff", 0, "alu: 1 rows, 0 mismatches\n"},
        {"FADD,3f800000,3f800000,0,40000000,ffffffff\r\n\r\n", 0, "alu: 1 rows, 0 mismatches\n"},
        {"fif,1,2,1,1,ffffffff\nIF,1,2,0,2,ffffffff\n", 0, "alu: 2 rows, 0 mismatches\n"},
        {"vectout,1,2,1,0,ffffffff\nNOP,1,2,0,0,ffffffff\n", 0, "alu: 2 rows, 0 mismatches\n"},
        {"COPY,12345678,0,0,12345670,fffffff0\n", 0, "alu: 1 rows, 0 mismatches\n"},
        {"COPY,12345678,0,0,12345670,ffffffff\n", 1,
         "line 1: COPY 12345678 00000000 flag 0: expected 12345670, got 12345678\n"
         "alu: 1 rows, 1 mismatches\n"},
        {"\nCOPY,12345678,0,0,12345670,0000000f\n", 1,
         "line 2: COPY 12345678 00000000 flag 0: expected 12345670, got 12345678 (compared in "
         "0000000f)\nalu: 1 rows, 1 mismatches\n"},
        {"index,sin_hex,cos_hex\n0,00000000,3f800000\n", 0, "sincos: 1 rows, 0 mismatches\n"},
        {"0,00000000,3f800000\n4096,80000000,bf800000\n", 0, "sincos: 2 rows, 0 mismatches\n"},
        {"0,00000001,3f800001\n1,3a490fda,0\n", 1,
         "line 1: sine of 0: expected 00000001, got 00000000\n"
         "line 2: cosine of 1: expected 00000000, got 3f7ffffb\n"
         "sincos: 2 rows, 2 mismatches\n"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct outcome outcome = check_text(app_lab_check_alu, cases[i].text, false);
        assert_int_equal(outcome.code, cases[i].code);
        assert_string_equal(outcome.printed, cases[i].printed);
        assert_int_equal(outcome.messages.count, 0);
        free(outcome.printed);
    }
}

/* r4 takes r3; each vertex writes r4 and x. */
#define FIVE     "program 7 words 5 hmeshlast 1 vmeshlast 0\n"
#define INIT     "init 00000000 3f800000\n"
#define CODE     "code 00c0600 0000000 0000004 0000000 0100380\n"
#define DMA      "dma 40100000:3f800000 40100004:00000000 40100008:3f800000 4010000c:00000001\n"
#define COUNTERS "counters vertices 2 collisions 0 stray 0\n"
#define FINAL    "final 00000000 3f800000 3f800000\n"

static void programs_in_many_shapes(void **state)
{
    static const struct {
        const char *text;
        int code;
        const char *printed;
    } cases[] = {
        {FIVE INIT CODE DMA COUNTERS FINAL, 0, "pfpu: 1 programs, 0 mismatches\n"},
        {"\r\nprogram 7 words 5 hmeshlast 1 vmeshlast 0\r\n\r\n" CODE INIT COUNTERS "\n"
         "program 8 words 1 hmeshlast 0 vmeshlast 0\ncode 0000380\ndma 40100000:0 40100004:0",
         0, "pfpu: 2 programs, 0 mismatches\n"},
        {"program 7 words 1 hmeshlast 0 vmeshlast 0\ncode 0000380\ndma 40100000:1 40100008:0\n"
         "counters vertices 1 collisions 2 stray 3\nfinal 00000004\n",
         1,
         "line 3: program 7 dma 40100000: expected 00000001, got 00000000\n"
         "line 3: program 7 address of write 1: expected 40100008, got 40100004\n"
         "line 4: program 7 collisions: expected 00000002, got 00000000\n"
         "line 4: program 7 stray: expected 00000003, got 00000000\n"
         "line 5: program 7 r2: expected 00000004, got 00000000\n"
         "pfpu: 1 programs, 5 mismatches\n"},
        {"program 7 words 1 hmeshlast 0 vmeshlast 0\ncode 0000380\ndma 40100000:0\n", 1,
         "line 3: program 7 dma 40100004: expected nothing, got 00000000\n"
         "pfpu: 1 programs, 1 mismatches\n"},
        {"program 7 words 1 hmeshlast 0 vmeshlast 0\ncode 0000380\n"
         "dma 40100000:0 40100004:0 40100008:5\n",
         1,
         "line 3: program 7 dma 40100008: expected 00000005, got nothing\n"
         "pfpu: 1 programs, 1 mismatches\n"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct outcome outcome = check_text(app_lab_check_programs, cases[i].text, false);
        assert_string_equal(outcome.printed, cases[i].printed);
        assert_int_equal(outcome.code, cases[i].code);
        assert_int_equal(outcome.messages.count, 0);
        free(outcome.printed);
    }
}

/* A text that is refused, and the first message about it. */
struct wrong {
    const char *text;
    uint32_t line;
    uint32_t column;
    const char *what;
};

static void refuse_all(check_function check, const struct wrong *cases, size_t count,
                       const char *sum)
{
    for (size_t i = 0; i < count; i++) {
        struct outcome outcome = check_text(check, cases[i].text, false);
        assert_int_equal(outcome.code, APP_EXIT_FAILED);
        assert_true(outcome.messages.by_severity[BASE_ERROR] >= 1);
        const struct base_diag *diag = &outcome.messages.items[0];
        if (diag->place.line != cases[i].line || diag->place.column != cases[i].column ||
            strstr(diag->what, cases[i].what) == NULL) {
            fail_msg("%s: %u:%u: %s", cases[i].text, diag->place.line, diag->place.column,
                     diag->what);
        }
        assert_non_null(strstr(outcome.printed, sum));
        free(outcome.printed);
    }
}

static void wrong_rows_are_explained(void **state)
{
    static const struct wrong cases[] = {
        {"", 0, 0, "no rows"},
        {ALU_HEADING, 0, 0, "no rows"},
        {ALU_ROW "FADX,0,0,0,0,0\n", 2, 1, "'FADX' is no operation"},
        {"FADX,0,0,0,0,0\n", 1, 1, "'FADX' is no operation"},
        {"FADD,zz,0,0,0,0\n", 1, 6, "'zz' is no word"},
        {ALU_ROW " FADD,0, 123456789,0,0,0\n", 2, 10, "'123456789' is no word"},
        {ALU_ROW "FADD,0,0,2,0,0\n", 2, 10, "'2' is no flag"},
        {ALU_ROW "FADD,0,0,,0,0\n", 2, 10, "'' is no flag"},
        {ALU_ROW "FADD,0,0,0,0x,0\n", 2, 12, "'0x' is no word"},
        {ALU_ROW "FADD,0,0,0,0,-1\n", 2, 14, "'-1' is no word"},
        {ALU_ROW "FADD,0,0,0,0\n", 2, 1, "number of fields"},
        {ALU_ROW "FADD,0,0,0,0,0,0\n", 2, 1, "number of fields"},
        {ALU_ROW ALU_HEADING, 2, 1, "'opcode_name' is no operation"},
        {"what is this?\n" ALU_ROW, 1, 1, "number of fields"},
        {"0,0\n", 1, 1, "number of fields"},
        {"0,0,3f800000\n-1,0,0\n", 2, 1, "'-1' is no index"},
        {"0,0,3f800000\n4294967296,0,0\n", 2, 1, "'4294967296' is no index"},
    };
    (void)state;
    refuse_all(app_lab_check_alu, cases, sizeof cases / sizeof cases[0], " rows, 0 mismatches\n");
}

#define SMALL "program 1 words 1 hmeshlast 0 vmeshlast 0\n"

static void wrong_programs_are_explained(void **state)
{
    static const struct wrong cases[] = {
        {"", 0, 0, "no programs"},
        {"init 0\n", 1, 1, "'init' belongs to no program"},
        {"hello\n", 1, 1, "'hello' begins no line"},
        {"program x\n", 1, 9, "'x' is no number"},
        {"program 1 words 2049 hmeshlast 0 vmeshlast 0\n", 1, 17, "'2049' is no number or too"},
        {"program 1 words 1 hmeshlast 128 vmeshlast 0\n", 1, 29, "'128' is no number or too"},
        {"program 1 words 1 vmeshlast 0\n", 1, 19, "'vmeshlast' is not expected"},
        {"program 1 words 1 hmeshlast 0\n", 1, 30, "'' is not expected"},
        {SMALL SMALL, 1, 1, "has not as many words"},
        {SMALL "code 380\n", 1, 1, "has nothing to compare"},
        {SMALL "code 380 380\nfinal 0\n", 1, 1, "has not as many words"},
        {SMALL "code 380\ncode 380\nfinal 0\n", 3, 1, "'code' stands here a second time"},
        {SMALL "code 0 2000000\nfinal 0\n", 2, 8, "'2000000' is no word"},
        {SMALL "code 0\nfinal 0\n", 2, 1, "'code' never comes to VECTOUT"},
        {SMALL "code 380\ndma 40100000\n", 3, 5, "'40100000' is no word written"},
        {SMALL "code 380\ndma 40100000:0:0\n", 3, 5, "is no word written"},
        {SMALL "code 380\ncounters vertices 1 collisions x stray 0\n", 3, 32, "'x' is no number"},
        {SMALL "code 380\ncounters vertices 1 collisions 0 stray 0 5\n", 3, 42,
         "'5' is not expected"},
        {SMALL "code 380\nfinal 0 0x\n", 3, 9, "'0x' is no word"},
    };
    (void)state;
    refuse_all(app_lab_check_programs, cases, sizeof cases / sizeof cases[0], " 0 mismatches\n");
}

/* A wrong program does not take the next one with it. */
static void the_next_program_is_run(void **state)
{
    (void)state;
    struct outcome outcome =
        check_text(app_lab_check_programs,
                   SMALL "code x\ninit 0\nfinal 0\n" SMALL "code 380\nfinal 1\n", false);
    assert_int_equal(outcome.code, APP_EXIT_FAILED);
    assert_int_equal(outcome.messages.count, 1);
    assert_string_equal(outcome.printed, "line 7: program 1 r2: expected 00000001, got 00000000\n"
                                         "pfpu: 1 programs, 1 mismatches\n");
    free(outcome.printed);
}

/* count times the row. */
static char *repeat(const char *row, size_t count)
{
    const size_t size = strlen(row);
    char *text = calloc(count, size + 1);
    assert_non_null(text);
    for (size_t i = 0; i < count; i++) {
        memcpy(text + i * size, row, size);
    }
    return text;
}

static size_t count_lines(const char *text)
{
    size_t lines = 0;
    for (; *text != '\0'; text++) {
        lines += *text == '\n';
    }
    return lines;
}

static void long_lists_are_cut(void **state)
{
    (void)state;
    char *rows = repeat("COPY,1,0,0,2,ffffffff\n", 50);
    struct outcome outcome = check_text(app_lab_check_alu, rows, false);
    assert_int_equal(count_lines(outcome.printed), 22);
    assert_non_null(strstr(outcome.printed, "\nand 30 more\nalu: 50 rows, 50 mismatches\n"));
    free(outcome.printed);
    free(rows);

    rows = repeat("COPY,1,0,0,2\n", 50);
    outcome = check_text(app_lab_check_alu, rows, false);
    assert_int_equal(outcome.messages.by_severity[BASE_ERROR], 20);
    assert_non_null(strstr(outcome.messages.items[20].what, "30 more errors"));
    free(outcome.printed);
    free(rows);
}

static void json_is_one_object(void **state)
{
    static const struct {
        check_function check;
        const char *text;
        const char *json;
    } cases[] = {
        {app_lab_check_alu, ALU_ROW, "{\"rows\":1,\"mismatches\":0,\"list\":[]}\n"},
        {app_lab_check_alu, "COPY,1,0,1,2,0f\nCOPY,1,0,0,2,ffffffff\n",
         "{\"rows\":2,\"mismatches\":2,\"list\":["
         "{\"line\":1,\"what\":\"COPY 00000001 00000000 flag 1\",\"expected\":\"00000002\","
         "\"got\":\"00000001\",\"care\":\"0000000f\"},"
         "{\"line\":2,\"what\":\"COPY 00000001 00000000 flag 0\",\"expected\":\"00000002\","
         "\"got\":\"00000001\",\"care\":\"ffffffff\"}]}\n"},
        {app_lab_check_programs, SMALL "code 380\ndma 40100000:0\n",
         "{\"programs\":1,\"mismatches\":1,\"list\":["
         "{\"line\":3,\"what\":\"program 1 dma 40100004\",\"expected\":null,"
         "\"got\":\"00000000\",\"care\":\"ffffffff\"}]}\n"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct outcome outcome = check_text(cases[i].check, cases[i].text, true);
        assert_string_equal(outcome.printed, cases[i].json);
        free(outcome.printed);
    }
}

static void any_bytes_are_refused(void **state)
{
    char bytes[1024];
    (void)state;
    for (size_t i = 0; i < sizeof bytes; i++) {
        bytes[i] = (char)(i * 7 + i / 256);
    }
    for (int json = 0; json < 2; json++) {
        const struct base_span text = {bytes, sizeof bytes};
        struct outcome outcome = check_span(app_lab_check_alu, text, json != 0);
        assert_int_equal(outcome.code, APP_EXIT_FAILED);
        assert_true(outcome.messages.by_severity[BASE_ERROR] > 0);
        free(outcome.printed);
        outcome = check_span(app_lab_check_programs, text, json != 0);
        assert_int_equal(outcome.code, APP_EXIT_FAILED);
        assert_true(outcome.messages.by_severity[BASE_ERROR] > 0);
        free(outcome.printed);
    }
}

static struct app_text_reader reader_of(const char *text, struct base_diag_list *messages,
                                        struct base_diag_sink *sink)
{
    struct app_text_reader reader;
    *messages = (struct base_diag_list){0};
    *sink = base_diag_list_sink(messages);
    app_text_reader_begin(&reader, "t", base_span_of(text), sink);
    reader.comments = ";#";
    return reader;
}

static void microcode(void **state)
{
    static const struct {
        const char *text;
        size_t count; /* 0: refused */
        uint32_t last;
    } cases[] = {
        {"0\n", 1, 0},     {"0x1ffffff 380 ; 5\n# 6\n\t7#8\r\n", 3, 7},
        {"", 0, 0},        {"; nothing\n", 0, 0},
        {"2000000", 0, 0}, {"0 x 0", 0, 0},
        {"0x", 0, 0},
    };
    (void)state;
    uint32_t code[PFPU_MACHINE_WORDS];
    struct base_diag_list messages;
    struct base_diag_sink sink;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct app_text_reader reader = reader_of(cases[i].text, &messages, &sink);
        assert_int_equal(app_lab_read_code(&reader, code), cases[i].count);
        assert_int_equal(messages.count, cases[i].count == 0);
        if (cases[i].count > 0) {
            assert_int_equal(code[cases[i].count - 1], cases[i].last);
        }
    }
    for (size_t count = PFPU_MACHINE_WORDS; count <= PFPU_MACHINE_WORDS + 1; count++) {
        char *words = repeat("380\n", count);
        struct app_text_reader reader = reader_of(words, &messages, &sink);
        const size_t read = app_lab_read_code(&reader, code);
        assert_int_equal(read, count == PFPU_MACHINE_WORDS ? count : 0);
        free(words);
    }
}

static void registers(void **state)
{
    static const struct {
        const char *text;
        uint32_t number; /* 0: refused */
        uint32_t value;
    } cases[] = {
        {"r5 3f800000\n", 5, 0x3F800000},
        {"5 3f800000\n", 5, 0x3F800000},
        {"r5=3f800000\nR127 = 0x1", 127, 1},
        {"r5=3f800000\n", 5, 0x3F800000},
        {"3f800000 3f800001\n3f800002 ; more\n", 4, 0x3F800002},
        {"00000001\n7 00000007\n00000003\n", 3, 3},
        {"", 2, 0},
        {"r0 1", 0, 0},
        {"r1 1", 0, 0},
        {"r128 1", 0, 0},
        {"r5", 0, 0},
        {"r5 3f800000 3f800000", 0, 0},
        {"r5 123456789", 0, 0},
        {"rx 1", 0, 0},
        {"3f800000 1", 0, 0},
    };
    (void)state;
    struct base_diag_list messages;
    struct base_diag_sink sink;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct pfpu_machine machine;
        pfpu_machine_init(&machine, &pfpu_target_milkymist_one);
        struct app_text_reader reader = reader_of(cases[i].text, &messages, &sink);
        assert_int_equal(app_lab_read_registers(&reader, &machine), cases[i].number != 0);
        assert_int_equal(messages.count, cases[i].number == 0);
        if (cases[i].number != 0) {
            assert_int_equal(machine.registers[cases[i].number], cases[i].value);
        }
    }
    for (size_t count = APP_LAB_FREE; count <= APP_LAB_FREE + 1; count++) {
        struct pfpu_machine machine;
        pfpu_machine_init(&machine, &pfpu_target_milkymist_one);
        char *words = repeat("000000ff ", count);
        struct app_text_reader reader = reader_of(words, &messages, &sink);
        assert_int_equal(app_lab_read_registers(&reader, &machine), count == APP_LAB_FREE);
        assert_int_equal(machine.registers[127], 0xFF);
        assert_true(machine.flag);
        free(words);
    }
}

static void files_that_cannot_be_read(void **state)
{
    static const char *const paths[] = {"/", "/dev/zero", TEST_DATA "/pfpu/missing.csv", ""};
    (void)state;
    for (size_t i = 0; i < sizeof paths / sizeof paths[0]; i++) {
        struct base_diag_list messages = {0};
        const struct base_diag_sink sink = base_diag_list_sink(&messages);
        struct base_file file;
        assert_int_equal(base_file_load(&file, paths[i], APP_TEXT_FILE_MAX, &sink), -1);
        assert_int_equal(messages.count, 1);
        assert_null(file.data);
    }
}

static void a_file_may_be_so_large(void **state)
{
    (void)state;
    char path[] = "/tmp/test_app_lab_XXXXXX";
    const int descriptor = mkstemp(path);
    assert_true(descriptor >= 0);
    for (long beyond = 0; beyond < 2; beyond++) {
        assert_int_equal(ftruncate(descriptor, APP_TEXT_FILE_MAX + beyond), 0);
        struct base_file file;
        assert_int_equal(base_file_load(&file, path, APP_TEXT_FILE_MAX, NULL),
                         beyond == 0 ? 0 : -1);
        base_file_free(&file);
    }
    (void)close(descriptor);
    (void)unlink(path);
}

static void recorded_files_agree(void **state)
{
    static const struct {
        const char *path;
        check_function check;
        const char *printed;
    } cases[] = {
        {TEST_DATA "/pfpu/pfpu_alu.csv", app_lab_check_alu, "alu: 6068 rows, 0 mismatches\n"},
        {TEST_DATA "/pfpu/pfpu_sincos.csv", app_lab_check_alu, "sincos: 8192 rows, 0 mismatches\n"},
        {TEST_DATA "/pfpu/pfpu_programs.txt", app_lab_check_programs,
         "pfpu: 36 programs, 0 mismatches\n"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct base_file file;
        assert_int_equal(base_file_load(&file, cases[i].path, APP_TEXT_FILE_MAX, &base_diag_stderr),
                         0);
        struct outcome outcome =
            check_span(cases[i].check, (struct base_span){file.data, file.size}, false);
        assert_int_equal(outcome.code, APP_EXIT_DONE);
        assert_string_equal(outcome.printed, cases[i].printed);
        free(outcome.printed);
        base_file_free(&file);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tables_in_many_shapes),
        cmocka_unit_test(programs_in_many_shapes),
        cmocka_unit_test(wrong_rows_are_explained),
        cmocka_unit_test(wrong_programs_are_explained),
        cmocka_unit_test(the_next_program_is_run),
        cmocka_unit_test(long_lists_are_cut),
        cmocka_unit_test(json_is_one_object),
        cmocka_unit_test(any_bytes_are_refused),
        cmocka_unit_test(microcode),
        cmocka_unit_test(registers),
        cmocka_unit_test(files_that_cannot_be_read),
        cmocka_unit_test(a_file_may_be_so_large),
        cmocka_unit_test(recorded_files_agree),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
