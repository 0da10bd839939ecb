/* Cases of the TMU: recorded runs of the chip, the reader's messages, and that differences are
 * seen. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../../turns.h"
#include "app/lab/cases.h"
#include "app/lab/lab.h"
#include "base/os/print.h"

enum { PATH_SIZE = 256, GOLDEN = 18 };

#define SMALL                                                                                      \
    "hmeshlast 1\nvmeshlast 1\ntexhres 16\ntexvres 16\ndsthres 16\ndstvres 2\ndstfbuf 0x400\n"     \
    "vertex 0 0 0 0\nvertex 1 0 1024 0\nvertex 0 1 0 1024\nvertex 1 1 1024 1024\n"

static const char *const golden[GOLDEN] = {
    "additive40_rotozoom",
    "alpha20_zoomin",
    "chromakey_copy",
    "clamp_rotozoom",
    "copy",
    "decay0_zoomin",
    "decay60_rotozoom",
    "echo3_alpha31_640x480",
    "nofilter_rotozoom",
    "oddtex_unaligned",
    "offscreen_odd",
    "overflow_18bit",
    "random_wrap",
    "rotozoom",
    "scale_640x480",
    "smalltex_wrap",
    "zoomin",
    "zoomout",
};

/* What `froth lab tmu` said. */
struct outcome {
    int code;
    char *printed;
    struct base_diag_list messages;
};

static struct outcome check(const char *const *paths, size_t count, bool json)
{
    struct outcome outcome = {0};
    size_t size = 0;
    FILE *out = open_memstream(&outcome.printed, &size);
    assert_non_null(out);
    const struct base_diag_sink sink = base_diag_list_sink(&outcome.messages);
    outcome.code = app_lab_check_tmu(paths, count, out, json, &sink);
    assert_int_equal(fclose(out), 0);
    return outcome;
}

static void recorded_runs(void **state)
{
    static char names[GOLDEN][PATH_SIZE];
    const char *paths[GOLDEN];
    char expected[64];
    size_t count = 0;
    (void)state;
    for (size_t i = 0; i < GOLDEN; i += EACH(4)) {
        (void)snprintf(names[i], PATH_SIZE, "%s/tmu/tmu_%s.case", TEST_DATA, golden[i]);
        paths[count++] = names[i];
    }
    struct outcome outcome = check(paths, count, false);
    (void)snprintf(expected, sizeof expected, "tmu: %zu cases, 0 mismatches\n", count);
    assert_int_equal(outcome.messages.count, 0);
    assert_non_null(strstr(outcome.printed, expected));
    assert_null(strstr(outcome.printed, "channels conflict"));
    assert_int_equal(outcome.code, APP_EXIT_DONE);
    free(outcome.printed);
}

/* A case and its expectations in a folder of their own. */
struct files {
    char folder[PATH_SIZE];
    char paths[2][PATH_SIZE + 16];
};

static void write_file(const char *path, const char *text)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, strlen(text), file), strlen(text));
    assert_int_equal(fclose(file), 0);
}

static int make_folder(void **state)
{
    struct files *files = calloc(1, sizeof *files);
    assert_non_null(files);
    const char *root = getenv("TMPDIR");
    (void)snprintf(files->folder, sizeof files->folder, "%s/froth_tmu_XXXXXX",
                   root != NULL ? root : "/tmp");
    assert_non_null(mkdtemp(files->folder));
    (void)snprintf(files->paths[0], sizeof files->paths[0], "%s/small.case", files->folder);
    (void)snprintf(files->paths[1], sizeof files->paths[1], "%s/small.expect", files->folder);
    *state = files;
    return 0;
}

static int remove_folder(void **state)
{
    struct files *files = *state;
    for (size_t i = 0; i < 2; i++) {
        (void)unlink(files->paths[i]);
    }
    assert_int_equal(rmdir(files->folder), 0);
    free(files);
    return 0;
}

/* The case's own result as expectations. */
static char *expectations(const struct app_tmu_outcome *outcome,
                          const struct app_tmu_case *tmu_case)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    for (size_t i = 0; i < APP_TMU_NUMBER_COUNT; i++) {
        (void)fprintf(out, app_tmu_numbers[i].kind == APP_TMU_IS_HEX ? "%s %08x\n" : "%s %u\n",
                      app_tmu_numbers[i].name, outcome->numbers[i]);
    }
    const struct app_tmu_cache *cache = &outcome->caches[0];
    (void)fprintf(out, "thesis_2k refills %u req_hit", cache->refills);
    for (size_t i = 0; i < TMU_SIM_CHANNELS; i++) {
        (void)fprintf(out, " %u %u", cache->requests[i], cache->hits[i]);
    }
    (void)fprintf(out, "\nrow 1 %04x %04x\nrowcrc %08x %08x\n",
                  app_tmu_pixel(&tmu_case->registers, &outcome->memory, 0, 1),
                  app_tmu_pixel(&tmu_case->registers, &outcome->memory, 1, 1),
                  app_tmu_row_crc(&tmu_case->registers, &outcome->memory, 0, 0),
                  app_tmu_row_crc(&tmu_case->registers, &outcome->memory, 1, 0));
    assert_int_equal(fclose(out), 0);
    return text;
}

static char *small_expectations(void)
{
    static struct app_tmu_case tmu_case;
    struct app_tmu_outcome outcome;
    assert_true(app_tmu_case_read(&tmu_case, "small", base_span_of(SMALL), &base_diag_stderr));
    assert_true(app_tmu_outcome_make(&outcome, &tmu_case, "small", &base_diag_stderr));
    char *text = expectations(&outcome, &tmu_case);
    app_tmu_outcome_free(&outcome);
    return text;
}

/* As if a processor level's rows were wrong, in each revision and level. */
static void fast_rows_that_differ(void **state)
{
    static struct app_tmu_case tmu_case;
    struct app_tmu_outcome outcome;
    (void)state;
    assert_true(app_tmu_case_read(&tmu_case, "small", base_span_of(SMALL), &base_diag_stderr));
    assert_true(app_tmu_outcome_make(&outcome, &tmu_case, "small", &base_diag_stderr));
    for (size_t revision = 0; revision < APP_TMU_REVISIONS; revision++) {
        for (size_t level = 0; level < outcome.levels; level++) {
            struct app_lab_report report = {0};
            char what[64];
            outcome.fast[revision][level] ^= 1;
            app_tmu_outcome_compare_fast(&outcome, "small", &report);
            outcome.fast[revision][level] ^= 1;
            (void)snprintf(what, sizeof what, "small %s rows%s",
                           base_cpu_level_name((enum base_cpu_level)level),
                           revision == BOARD_MAPPER_THESIS ? " thesis" : "");
            assert_int_equal(report.mismatches, 1);
            assert_string_equal(report.shown[0].what, what);
        }
    }
    app_tmu_outcome_free(&outcome);
}

static void small_case_agrees(void **state)
{
    struct files *files = *state;
    const char *const path = files->paths[0];
    char *text = small_expectations();
    write_file(path, SMALL);
    struct outcome outcome = check(&path, 1, false);
    assert_int_equal(outcome.code, APP_EXIT_DONE);
    assert_non_null(strstr(outcome.printed, "    pixels 32, crc32 "));
    assert_non_null(strstr(outcome.printed, "tmu: 1 cases, 0 mismatches\n"));
    free(outcome.printed);
    write_file(files->paths[1], text);
    outcome = check(&path, 1, true);
    assert_int_equal(outcome.code, APP_EXIT_DONE);
    assert_non_null(strstr(outcome.printed, ",\"pixels\":32,\"crc32\":\""));
    assert_non_null(strstr(outcome.printed, "{\"size\":2048,\"conflict\":false,\"refills\":"));
    assert_non_null(strstr(outcome.printed, "\n{\"cases\":1,\"mismatches\":0,\"list\":[]}\n"));
    free(outcome.printed);
    free(text);
}

/* Where word `word` of line `line` of a text begins, counted from 0. */
static char *begin_of(char *text, int line, int word)
{
    for (; line > 0; line--) {
        text = strchr(text, '\n') + 1;
    }
    for (; word > 0; word--) {
        text = strchr(text, ' ') + 1;
    }
    return text;
}

static char *end_of(char *text, int line, int word)
{
    char *begin = begin_of(text, line, word);
    return begin + strcspn(begin, " \n") - 1;
}

static void each_difference_is_seen(void **state)
{
    static const struct {
        int line;
        int first; /* words */
        int last;
        bool about; /* its last digit does not count */
    } values[] = {{0, 1, 1, false}, {1, 1, 1, false}, {2, 1, 1, false},  {3, 1, 1, false},
                  {4, 1, 1, false}, {5, 1, 1, true},  {6, 1, 1, true},   {7, 1, 1, true},
                  {8, 1, 1, true},  {9, 2, 2, false}, {9, 4, 11, false}, {10, 2, 3, false},
                  {11, 1, 2, false}};
    struct files *files = *state;
    const char *const path = files->paths[0];
    char *text = small_expectations();
    write_file(path, SMALL);
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
        for (int word = values[i].first; word <= values[i].last; word++) {
            char *at = values[i].about ? begin_of(text, values[i].line, word)
                                       : end_of(text, values[i].line, word);
            const char old = *at;
            char expected[32];
            *at = old == '1' ? '2' : '1';
            write_file(files->paths[1], text);
            struct outcome outcome = check(&path, 1, false);
            (void)snprintf(expected, sizeof expected, "\nline %d: small ", values[i].line + 1);
            assert_int_equal(outcome.code, APP_EXIT_FAILED);
            assert_int_equal(outcome.messages.count, 0);
            assert_non_null(strstr(outcome.printed, expected));
            assert_non_null(strstr(outcome.printed, "tmu: 1 cases, 1 mismatches\n"));
            free(outcome.printed);
            *at = old;
        }
    }
    free(text);
}

static void what_is_not_there_differs(void **state)
{
    static const struct {
        const char *text;
        const char *printed;
    } cases[] = {
        {"row 2 0\n", "line 1: small row 2 pixel 0: expected 00000000, got nothing\n"},
        {"row 2 5\n", "line 1: small row 2 pixel 0: expected 00000005, got nothing\n"},
        {"row 0 1 2 3 4 5 6 7 8 9 a b c d e f 0 9\n",
         "line 1: small row 0 pixel 16: expected 00000009, got nothing\n"},
        {"rowcrc 0 0 7\n", "line 1: small rowcrc 2: expected 00000007, got nothing\n"},
    };
    struct files *files = *state;
    const char *const path = files->paths[0];
    write_file(path, SMALL);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        write_file(files->paths[1], cases[i].text);
        struct outcome outcome = check(&path, 1, false);
        assert_int_equal(outcome.code, APP_EXIT_FAILED);
        assert_non_null(strstr(outcome.printed, cases[i].printed));
        free(outcome.printed);
    }
}

/* A texture 1024 wide: a texel and the one below meet at one place of a cache of 2 KB. */
static void conflicts_are_told(void **state)
{
    struct files *files = *state;
    const char *const path = files->paths[0];
    write_file(path, "texhres 1024\nhmeshlast 1\nvmeshlast 1\nvertex 0 0 0 0\nvertex 1 0 1 1\n"
                     "vertex 0 1 0 9\nvertex 1 1 9 9\ndstfbuf 0x100000\n");
    write_file(files->paths[1], "thesis_2k refills 1 req_hit 1 2 3 4 5 6 7 8\n");
    struct outcome outcome = check(&path, 1, false);
    assert_int_equal(outcome.code, APP_EXIT_FAILED);
    assert_non_null(strstr(outcome.printed, "      2K  channels conflict\n"));
    assert_non_null(strstr(outcome.printed,
                           "line 1: small thesis_2k refills: expected 00000001, got nothing\n"));
    assert_non_null(strstr(outcome.printed, "tmu: 1 cases, 1 mismatches\n"));
    free(outcome.printed);
    outcome = check(&path, 1, true);
    assert_non_null(strstr(outcome.printed, "{\"size\":2048,\"conflict\":true}"));
    free(outcome.printed);
}

static void unreadable_files_fail(void **state)
{
    struct files *files = *state;
    const char *const paths[] = {files->paths[0], files->paths[1]};
    struct outcome outcome = check(paths, 1, false);
    assert_int_equal(outcome.code, APP_EXIT_FAILED);
    assert_int_equal(outcome.messages.count, 1);
    assert_string_equal(outcome.printed, "tmu: 0 cases, 0 mismatches\n");
    free(outcome.printed);
    write_file(paths[0], SMALL);
    write_file(paths[1], "crc32 0\nnothing\n");
    outcome = check(paths, 1, false);
    assert_int_equal(outcome.code, APP_EXIT_FAILED);
    assert_int_equal(outcome.messages.count, 1);
    assert_string_equal(outcome.messages.items[0].what, "'nothing' is nothing to expect");
    assert_non_null(strstr(outcome.printed, "tmu: 1 cases, 0 mismatches\n"));
    free(outcome.printed);
}

/* The first message about a text: "line:column: what". */
static void assert_message(const struct base_diag_list *messages, const char *expected)
{
    char text[32 + sizeof messages->items[0].what];
    assert_true(messages->count >= 1);
    (void)snprintf(text, sizeof text, "%u:%u: %s", messages->items[0].place.line,
                   messages->items[0].place.column, messages->items[0].what);
    assert_string_equal(text, expected);
}

static void cases_that_are_wrong(void **state)
{
    static const struct {
        const char *text;
        const char *message;
    } cases[] = {
        {"", "0:0: vertex 0 0 is missing"},
        {"hmeshlast 0\n", "0:0: there is nothing to draw"},
        {"hmeshlast 1\nvmeshlast 1\nvertex 0 0 0 0\n", "0:0: vertex 1 0 is missing"},
        {"dstsquareh 0\n", "0:0: there is nothing to draw"},
        {"hmeshlast 127\nvmeshlast 127\ndstsquarew 1000\n",
         "0:0: the squares have too many pixels"},
        {"hmeshlast 64\nvmeshlast 64\ndstsquarew 64\ndstsquareh 64\n",
         "0:0: vertex 0 0 is missing"},
        {"hmeshlast 109\nvmeshlast 107\ndstsquarew 17\ndstsquareh 85\n",
         "0:0: the squares have too many pixels"},
        {"hmeshlast 128\n", "1:11: '128' is no such number"},
        {"alpha -1\n", "1:7: '-1' is no such number"},
        {"alpha\n", "1:6: '' is no such number"},
        {"alpha 0x\n", "1:7: '0x' is no such number"},
        {"alpha 5x\n", "1:7: '5x' is no such number"},
        {"alpha 5 6\n", "1:9: '6' is not expected here"},
        {"alpha 5\n\nalpha 5\n", "3:1: 'alpha' stands twice"},
        {"dsthoffset -2049\n", "1:12: '-2049' is no such number"},
        {"dsthoffset 4096\n", "1:12: '4096' is no such number"},
        {"texfbuf 0x8000000\n", "1:9: '0x8000000' is no such number"},
        {"flags 8\n", "1:7: '8' is no such number"},
        {"flags 1\n", "1:1: 'flags' have a bit too many"},
        {"flags 2\nflags 2\n", "2:1: 'flags' stands twice"},
        {" Alpha 5\n", "1:2: 'Alpha' is no register"},
        {"vertex 128 0 0 0\n", "1:8: '128' is no such number"},
        {"vertex 0 0 0\n", "1:13: '' is no such number"},
        {"vertex 0 0 0 4294967296\n", "1:14: '4294967296' is no such number"},
        {"vertex 0 0 0 -2147483649\n", "1:14: '-2147483649' is no such number"},
        {"vertex 0 0 1 2\nvertex 0 0 1 2\n", "2:1: 'vertex' stands twice for the same place"},
    };
    static struct app_tmu_case tmu_case;
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct base_diag_list messages = {0};
        const struct base_diag_sink sink = base_diag_list_sink(&messages);
        assert_false(app_tmu_case_read(&tmu_case, "t", base_span_of(cases[i].text), &sink));
        assert_message(&messages, cases[i].message);
    }
}

static void expectations_that_are_wrong(void **state)
{
    static const struct {
        const char *text;
        const char *message;
    } cases[] = {
        {"", "0:0: there is nothing to compare"},
        {"crc32\n", "1:6: '' is no CRC"},
        {"crc32 123456789\n", "1:7: '123456789' is no CRC"},
        {"crc32 1 2\n", "1:9: '2' is not expected here"},
        {"crc32 1\ncrc32 1\n", "2:1: 'crc32' stands twice"},
        {"refills_32k ff\n", "1:13: 'ff' is no number or too large"},
        {"dst_read_bursts 4294967296\n", "1:17: '4294967296' is no number or too large"},
        {"thesis_1k refills 1\n", "1:1: 'thesis_1k' is nothing to expect"},
        {"thesis_2k fills 1\n", "1:11: 'fills' is not expected here"},
        {"thesis_2k refills 1 req_hit 1 2 3 4 5 6 7\n", "1:42: '' is no number or too large"},
        {"thesis_128k refills 1 req_hit 1 2 3 4 5 6 7 8 9\n", "1:47: '9' is not expected here"},
        {"row 2047 1\n", "1:5: '2047' is no number or too large"},
        {"row 1 10000\n", "1:7: '10000' is no pixel"},
        {"rowcrc 1 z\n", "1:10: 'z' is no CRC"},
        {"rowcrc 1\nrowcrc 1\n", "2:1: 'rowcrc' stands twice"},
    };
    static struct app_tmu_expect expect;
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct base_diag_list messages = {0};
        const struct base_diag_sink sink = base_diag_list_sink(&messages);
        assert_false(app_tmu_expect_read(&expect, "t", base_span_of(cases[i].text), &sink));
        assert_message(&messages, cases[i].message);
    }
}

/* Full to the limit, and one more. */
static void expectations_that_are_long(void **state)
{
    static const struct {
        const char *first;
        const char *repeated;
        size_t most;
        const char *message;
    } cases[] = {
        {"", "row 1 2\n", APP_TMU_ROWS, "65:1: 'row' stands too often"},
        {"row 1", " 2", APP_TMU_ROW_PIXELS, "1:135: '2' is one pixel too many"},
        {"rowcrc", " 2", APP_TMU_HEIGHT_MAX, "1:4102: '2' is one row too many"},
    };
    static struct app_tmu_expect expect;
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        for (size_t count = cases[i].most; count <= cases[i].most + 1; count++) {
            struct base_diag_list messages = {0};
            const struct base_diag_sink sink = base_diag_list_sink(&messages);
            char *text = NULL;
            size_t size = 0;
            FILE *out = open_memstream(&text, &size);
            assert_non_null(out);
            (void)fputs(cases[i].first, out);
            for (size_t k = 0; k < count; k++) {
                (void)fputs(cases[i].repeated, out);
            }
            assert_int_equal(fclose(out), 0);
            const bool read = app_tmu_expect_read(&expect, "t", base_span_of(text), &sink);
            assert_int_equal(read, count == cases[i].most);
            if (!read) {
                assert_message(&messages, cases[i].message);
            }
            free(text);
        }
    }
}

static void what_a_case_says(void **state)
{
    static struct app_tmu_case tmu_case;
    static const char text[] = "\xEF\xBB\xBFhmeshlast 0x1\r\nvmeshlast 1\r\n\r\nflags 6\n"
                               "dsthoffset 4059\ndstvoffset -37\nvertex 0 0 -1 0xffffffff\n"
                               "vertex 1 0 4294967295 -2147483648\nvertex 0 1 1 2\n"
                               "\tvertex  1 1 3 4  \nvertex 127 127 5 6";
    (void)state;
    assert_true(app_tmu_case_read(&tmu_case, "t", base_span_of(text), &base_diag_stderr));
    assert_int_equal(tmu_case.registers.hmeshlast, 1);
    assert_int_equal(tmu_case.registers.flags, 6);
    assert_int_equal(tmu_case.registers.dsthoffset, -37);
    assert_int_equal(tmu_case.registers.dstvoffset, -37);
    assert_int_equal(tmu_case.registers.alpha, 63);
    assert_int_equal(tmu_case.vertices[0].x, -1);
    assert_int_equal(tmu_case.vertices[0].y, -1);
    assert_int_equal(tmu_case.vertices[1].x, -1);
    assert_int_equal(tmu_case.vertices[1].y, INT32_MIN);
    assert_int_equal(tmu_case.vertices[BOARD_MAPPER_PITCH + 1].y, 4);
    assert_int_equal(tmu_case.vertices[APP_TMU_VERTICES - 1].x, 5);
}

static void memory_that_a_case_needs(void **state)
{
    static const struct {
        int32_t texture;
        int32_t texture_side;
        int32_t target;
        int32_t target_side;
        uint32_t size;
    } cases[] = {
        {0, 1, 0, 1, 32},
        {0, 4, 0, 4, 32},
        {2, 4, 0, 1, 64},
        {0, 512, 0x80000, 512, 0x100000},
        {0, 512, 0x80002, 512, 0x200000},
        {0x7fffffe, 2047, 0, 0, 0x8000000},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const struct board_mapper_registers registers = {
            .texfbuf = cases[i].texture,
            .texhres = cases[i].texture_side,
            .texvres = cases[i].texture_side,
            .dstfbuf = cases[i].target,
            .dsthres = cases[i].target_side,
            .dstvres = cases[i].target_side,
        };
        assert_int_equal(app_tmu_memory_size(&registers), cases[i].size);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cases_that_are_wrong),
        cmocka_unit_test(expectations_that_are_wrong),
        cmocka_unit_test(expectations_that_are_long),
        cmocka_unit_test(what_a_case_says),
        cmocka_unit_test(memory_that_a_case_needs),
        cmocka_unit_test(recorded_runs),
        cmocka_unit_test(fast_rows_that_differ),
        cmocka_unit_test_setup_teardown(small_case_agrees, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(each_difference_is_seen, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(what_is_not_there_differs, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(conflicts_are_told, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(unreadable_files_fail, make_folder, remove_folder),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
