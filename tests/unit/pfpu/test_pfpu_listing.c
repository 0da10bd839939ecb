/* Microcode as text: assembler both ways, hexadecimal, registers, the picture of a schedule,
 * messages. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "pfpu/microcode/listing.h"
#include "pfpu/machine/machine.h"
#include "pfpu/pfpu.h"

/* Names */

static const char *const names[] = {"zoom", "rot", "_x9", "q1", "reg05"};
enum { NAMES = 5, FIRST_KEY = 100 };

static const char *name_of(const void *user, int32_t key)
{
    (void)user;
    return key >= FIRST_KEY && key < FIRST_KEY + NAMES ? names[key - FIRST_KEY] : NULL;
}

static bool key_of(void *user, struct base_span name, int32_t *key)
{
    (void)user;
    for (int32_t i = 0; i < NAMES; i++) {
        if (base_span_equal_nocase(name, base_span_of(names[i]))) {
            *key = FIRST_KEY + i;
            return true;
        }
    }
    return false;
}

static const struct pfpu_key_names key_names = {name_of, NULL};
static const struct pfpu_key_table key_table = {key_of, NULL};

/* Texts */

static const char example[] = "; 13 words, 5 operations, 19 cycles per vertex, 8 registers\n"
                              "; -> is what commits in this word, not the result of the operation "
                              "beside it\n"
                              ".stages 1\n"
                              ".input  r5   1.5\n"
                              ".input  r6   zoom\n"
                              ".input  r7   $0000002a\n"
                              ".output r9   zoom\n"
                              "   0: i2f     r0\n"
                              "   1: i2f     r1\n"
                              "   2: nop\n"
                              "   3: nop                  -> r8\n"
                              "   4: fmul    r8, r5       -> r10\n"
                              "   5: nop\n"
                              "   6: fadd    r8, r6\n"
                              "   7: nop\n"
                              "   8: nop\n"
                              "   9: nop\n"
                              "  10: nop\n"
                              "  11: nop                  -> r9\n"
                              "  12: vectout r10, r9\n"
                              "  13: nop\n";

static const char example_hex[] = "00000300\n00040300\n00000000\n00000008\n0020298a\n00000000\n"
                                  "00203080\n00000000\n00000000\n00000000\n00000000\n00000009\n"
                                  "00284b80\n00000000\n";

static const char example_schedule[] =
    "; L5: what is under way for 5 words, by the last digit of its own; at the right end it "
    "commits\n"
    "; an fadd in word 6 is a 6 in L5 from word 7 on, and commits in word 11\n"
    "word  issue                L2 L3  L4   L5    L7       commit\n"
    "   0  i2f     r0           .. ... .... ..... .......\n"
    "   1  i2f     r1           .. 0.. .... ..... .......\n"
    "   2                       .. 10. .... ..... .......\n"
    "   3                       .. .10 .... ..... .......  r8 = i2f of 0\n"
    "   4  fmul    r8, r5       .. ..1 .... ..... .......  r10 = i2f of 1\n"
    "   5                       .. ... .... ..... 4......\n"
    "   6  fadd    r8, r6       .. ... .... ..... .4.....\n"
    "   7                       .. ... .... 6.... ..4....\n"
    "   8                       .. ... .... .6... ...4...\n"
    "   9                       .. ... .... ..6.. ....4..\n"
    "  10                       .. ... .... ...6. .....4.\n"
    "  11                       .. ... .... ....6 ......4  r9 = fadd of 6 | fmul of 4  collision\n"
    "  12  vectout r10, r9      .. ... .... ..... .......\n"
    "  13                       .. ... .... ..... .......\n"
    "; 13 words, 5 operations, 19 cycles per vertex\n"
    "; 38 % of the issue slots used, longest idle stretch 5 words from 7\n"
    "; collisions: 1, stray writes: 0, results lost at the end: 0\n";

static int assemble(const char *text, const struct pfpu_key_table *table, struct base_arena *arena,
                    struct base_diag_list *messages, struct pfpu_microcode *microcode)
{
    const struct base_diag_sink sink = base_diag_list_sink(messages);
    return pfpu_assemble(base_span_of(text), "a.asm", table, arena, &sink, microcode);
}

static void assert_same(const struct pfpu_microcode *a, const struct pfpu_microcode *b)
{
    assert_int_equal(a->length, b->length);
    assert_memory_equal(a->words, b->words, a->length * sizeof *a->words);
    assert_int_equal(a->vectout, b->vectout);
    assert_int_equal(a->stages, b->stages);
    assert_int_equal(a->input_count, b->input_count);
    assert_int_equal(a->output_count, b->output_count);
    for (size_t i = 0; i < a->input_count + a->output_count; i++) {
        const struct pfpu_binding *x =
            i < a->input_count ? &a->inputs[i] : &a->outputs[i - a->input_count];
        const struct pfpu_binding *y =
            i < a->input_count ? &b->inputs[i] : &b->outputs[i - a->input_count];
        assert_int_equal(x->number, y->number);
        assert_int_equal(x->constant, y->constant);
        assert_int_equal(x->word, y->word);
        assert_int_equal(x->key, y->key);
    }
}

static void example_goes_both_ways(void **state)
{
    (void)state;
    struct base_arena arena = {0};
    struct base_diag_list messages = {.count = 0};
    struct pfpu_microcode microcode;
    assert_int_equal(assemble(example, &key_table, &arena, &messages, &microcode), 0);
    assert_int_equal(messages.count, 0);
    assert_int_equal(microcode.length, 14);
    assert_int_equal(microcode.vectout, 12);
    assert_int_equal(microcode.operations, 5);
    assert_int_equal(microcode.registers, 8);
    assert_int_equal(microcode.words[4], pfpu_word_make(8, 5, 3, 10));
    assert_int_equal(microcode.inputs[0].word, 0x3fc00000);
    assert_int_equal(microcode.inputs[1].key, FIRST_KEY);
    assert_int_equal(microcode.inputs[2].word, 42);
    assert_string_equal(pfpu_listing_asm(&microcode, &key_names, &arena), example);
    assert_string_equal(pfpu_listing_hex(&microcode, &arena), example_hex);
    assert_string_equal(pfpu_listing_schedule(&pfpu_target_milkymist_one, &microcode, &arena),
                        example_schedule);
    assert_string_equal(pfpu_listing_registers(&microcode, &key_names, &arena),
                        "r5 3fc00000\nr6 00000000 # zoom\nr7 0000002a\n");
    base_arena_free(&arena);
}

/* Column and row cannot be loaded. */
static void column_and_row_are_left_out(void **state)
{
    (void)state;
    struct base_arena arena = {0};
    struct pfpu_binding inputs[] = {{.number = 0}, {.number = 1}, {.number = 2, .constant = true}};
    const struct pfpu_microcode microcode = {.inputs = inputs, .input_count = 3};
    assert_string_equal(pfpu_listing_registers(&microcode, NULL, &arena), "r2 00000000\n");
    base_arena_free(&arena);
}

static void loose_text_means_the_same(void **state)
{
    (void)state;
    static const char loose[] = ".OUTPUT r9 Zoom ; a comment\r\n"
                                "\t.input R5 +15e-1\n.Input r6 ZOOM\n;\n.input r7 $2A\n\n"
                                "I2F r0\ni2f R1->r0\n nop\n3:nop->r8\nfmul r8 ,r5 ->r10;5\nnop\n"
                                "6 : fadd r8,r6\nnop\nnop\nnop\nnop\nnop -> r9\nvectout r10,r9";
    struct base_arena arena = {0};
    struct base_diag_list messages = {.count = 0};
    struct pfpu_microcode strict;
    struct pfpu_microcode microcode;
    assert_int_equal(assemble(example, &key_table, &arena, &messages, &strict), 0);
    assert_int_equal(assemble(loose, &key_table, &arena, &messages, &microcode), 0);
    assert_int_equal(messages.count, 0);
    assert_same(&microcode, &strict);
    base_arena_free(&arena);
}

/* Any 25 bits, any constant, any key come back as they were. */
static void random_microcode(struct pfpu_microcode *microcode, struct base_rng *rng,
                             struct base_arena *arena)
{
    const size_t length = 2 + base_rng_next(rng) % 300;
    *microcode =
        (struct pfpu_microcode){.words = base_arena_array(arena, length, sizeof *microcode->words),
                                .length = length,
                                .vectout = (uint32_t)length - 2,
                                .stages = 1 + base_rng_next(rng) % 3,
                                .inputs = base_arena_array(arena, 126, sizeof *microcode->inputs),
                                .outputs = base_arena_array(arena, 2, sizeof *microcode->outputs),
                                .output_count = 2};
    for (size_t i = 0; i < length; i++) {
        do {
            microcode->words[i] = base_rng_next(rng) & 0x1ffffff;
        } while (pfpu_word_opcode(microcode->words[i]) == 7);
    }
    microcode->words[length - 2] = pfpu_word_make(base_rng_next(rng) % 128, 7, 7, 9);
    for (unsigned number = 2; number < 128; number++) {
        const uint32_t random = base_rng_next(rng);
        const bool constant = random % 8 != 0;
        const uint32_t word = base_rng_next(rng) >> (random >> 8 & 31) << (random >> 16 & 31);
        microcode->inputs[microcode->input_count++] =
            (struct pfpu_binding){(uint8_t)number, constant, constant ? word : 0,
                                  constant ? 0 : (int32_t)(random % 1000)};
    }
    microcode->outputs[0] = (struct pfpu_binding){.number = 127, .key = -5};
    microcode->outputs[1] = (struct pfpu_binding){.number = 3, .key = 7};
}

static void check_hex(const char *text, const struct pfpu_microcode *microcode)
{
    char head[32] = "";
    if (microcode->stages > 1) {
        (void)snprintf(head, sizeof head, "# mesh: stages %u\n", microcode->stages);
    }
    assert_memory_equal(text, head, strlen(head));
    text += strlen(head);
    for (size_t i = 0; i < microcode->length; i++, text += 9) {
        assert_int_equal(strtoul(text, NULL, 16), microcode->words[i]);
        assert_int_equal(text[8], '\n');
    }
    assert_string_equal(text, "");
}

static void check_registers(const char *text, const struct pfpu_microcode *microcode)
{
    for (size_t i = 0; i < microcode->input_count; i++) {
        const struct pfpu_binding *input = &microcode->inputs[i];
        char line[64];
        (void)snprintf(line, sizeof line, input->constant ? "r%u %08x\n" : "r%u %08x # %%%d\n",
                       input->number, input->word, input->key);
        assert_memory_equal(text, line, strlen(line));
        text += strlen(line);
    }
    assert_string_equal(text, "");
}

static void everything_comes_back(void **state)
{
    (void)state;
    struct base_rng rng;
    base_rng_seed(&rng, 1, 1);
    for (int i = 0; i < 100; i++) {
        struct base_arena arena = {0};
        struct base_diag_list messages = {.count = 0};
        struct pfpu_microcode microcode;
        struct pfpu_microcode again;
        random_microcode(&microcode, &rng, &arena);
        const char *text = pfpu_listing_asm(&microcode, NULL, &arena);
        assert_non_null(text);
        assert_int_equal(assemble(text, NULL, &arena, &messages, &again), 0);
        assert_same(&again, &microcode);
        check_hex(pfpu_listing_hex(&microcode, &arena), &microcode);
        check_registers(pfpu_listing_registers(&microcode, NULL, &arena), &microcode);
        base_arena_free(&arena);
    }
}

/* Every line has at most 100 columns, whatever collides. */
static void picture_is_narrow(void **state)
{
    (void)state;
    struct base_rng rng;
    base_rng_seed(&rng, 2, 2);
    struct base_arena arena = {0};
    struct pfpu_microcode microcode;
    for (int i = 0; i < 20; i++) {
        random_microcode(&microcode, &rng, &arena);
        const struct pfpu_target *target =
            i % 2 == 0 ? &pfpu_target_milkymist_one : &pfpu_target_thesis;
        const char *text = pfpu_listing_schedule(target, &microcode, &arena);
        size_t lines = 0;
        for (const char *line = text; *line != '\0'; lines++) {
            const size_t length = strcspn(line, "\n");
            assert_in_range(length, 1, 100);
            assert_int_equal(line[length], '\n');
            line += length + 1;
        }
        assert_in_range(lines, microcode.length + 5, microcode.length + 6);
    }
    base_arena_free(&arena);
}

/* Results of words 1 and 2 are written nowhere; that of word 4 comes after the end. */
static void picture_shows_what_goes_wrong(void **state)
{
    (void)state;
    struct base_arena arena = {0};
    struct base_diag_list messages = {.count = 0};
    struct pfpu_microcode microcode;
    assert_int_equal(assemble("nop\nfcopy r3\nquake r3\nnop\nfadd r3, r4\nvectout r0, r0\nnop\n",
                              NULL, &arena, &messages, &microcode),
                     0);
    const char *text = pfpu_listing_schedule(&pfpu_target_thesis, &microcode, &arena);
    assert_non_null(strstr(text, "r0 = fcopy of 1  stray\n"));
    assert_non_null(strstr(text, "r0 = quake of 2  stray\n"));
    assert_non_null(strstr(text, "; collisions: 0, stray writes: 2, results lost at the end: 1\n"));
    assert_non_null(strstr(text, "; 67 % of the issue slots used, longest idle stretch 1 words"));
    base_arena_free(&arena);
}

/* Messages */

struct mistake {
    const char *text;
    const char *message;
};

#define END "\nvectout r0, r0\n"

static const struct mistake mistakes[] = {
    {"", "a.asm:1:1: error: no vectout: the coprocessor would never finish; end the program with "
         "'vectout r0, r0'"},
    {"nop\n ; only a comment\n",
     "a.asm:3:1: error: no vectout: the coprocessor would never finish; end the program with "
     "'vectout r0, r0'"},
    {"nop\n  fad r1, r2" END,
     "a.asm:2:3: error: no operation 'fad'; nop fadd fsub fmul fabs f2i i2f vectout isin icos "
     "fabove fequal fcopy fif tsign quake"},
    {"fadd r1" END,
     "a.asm:1:8: error: fadd needs 2 operands, not 1; registers with ',' between them"},
    {"fadd r1,\n", "a.asm:1:9: error: no register at the end of the line; registers "
                   "are r0 to r127"},
    {"fadd r1, r2, r3" END, "a.asm:1:12: error: two operands at most"},
    {"fadd r1, r128" END, "a.asm:1:10: error: no register 'r128'; registers are r0 to r127"},
    {"fadd r1, 5" END, "a.asm:1:10: error: no register '5'; registers are r0 to r127"},
    {"fadd r1 r2" END,
     "a.asm:1:9: error: fadd needs 2 operands, not 1; registers with ',' between them"},
    {"nop -> r3 r4" END,
     "a.asm:1:11: error: unexpected 'r4'; one word per line; comments begin with ';'"},
    {"nop\n2: nop" END, "a.asm:2:1: error: this is word 1; numbers may be left out"},
    {"0 nop" END, "a.asm:1:1: error: no operation '0'; a word's number ends with ':'"},
    {"0: " END, "a.asm:1:4: error: no operation at the end of the line; nop fadd fsub fmul fabs "
                "f2i i2f vectout isin icos fabove fequal fcopy fif tsign quake"},
    {"\x07" END, "a.asm:1:1: error: no operation: byte 7; nop fadd fsub fmul fabs f2i i2f vectout "
                 "isin icos fabove fequal fcopy fif tsign quake"},
    {".input r5 wombat" END,
     "a.asm:1:11: error: no variable 'wombat'; names are variables of the patch"},
    {".input r5 %3" END, "a.asm:1:11: error: no variable '%3'; names are variables of the patch"},
    {".input r5 $123456789" END,
     "a.asm:1:11: error: no hexadecimal number '$123456789'; 32 bits: eight digits at most"},
    {".input r5 $" END, "a.asm:1:11: error: no hexadecimal number '$'; as in $3fc00000"},
    {".input r5 1.5.5" END, "a.asm:1:11: error: no number '1.5.5'; a constant is 1.5 or $3fc00000"},
    {".input r5 -" END, "a.asm:1:11: error: no number '-'; a constant is 1.5 or $3fc00000"},
    {".input r1 1" END, "a.asm:1:11: error: this register takes no constant '1'; r0 and r1 hold "
                        "column and row"},
    {".input r5 1\n.input r5 2" END, "a.asm:2:8: error: register r5 is bound already"},
    {".output r5 1" END, "a.asm:1:12: error: no variable '1'; names are variables of the patch"},
    {".stages 4" END,
     "a.asm:1:9: error: no number of stages '4'; 1 to 3 vertices may be in flight"},
    {".stages 0" END,
     "a.asm:1:9: error: no number of stages '0'; 1 to 3 vertices may be in flight"},
    {".text" END, "a.asm:1:1: error: no directive '.text'; there are .input, .output and .stages"},
    {"vectout r0, r0\nnop\nnop\n",
     "a.asm: warning: word 2 and those after it never run; only one word after the vectout "
     "counts"},
};

static void assert_message(const struct base_diag_list *messages, const struct mistake *mistake)
{
    char text[512] = "";
    if (messages->count > 0) {
        (void)base_diag_format(&messages->items[0], text, sizeof text);
    }
    if (messages->count != 1 || strcmp(text, mistake->message) != 0) {
        fail_msg("'%s' gives %zu messages, '%s', not '%s'", mistake->text, messages->count, text,
                 mistake->message);
    }
}

static void mistakes_are_named(void **state)
{
    (void)state;
    struct base_arena arena = {0};
    for (size_t i = 0; i < sizeof mistakes / sizeof mistakes[0]; i++) {
        struct base_diag_list messages = {.count = 0};
        struct pfpu_microcode microcode;
        const int result = assemble(mistakes[i].text, &key_table, &arena, &messages, &microcode);
        assert_message(&messages, &mistakes[i]);
        assert_int_equal(result, messages.by_severity[BASE_ERROR] > 0 ? -1 : 0);
    }
    base_arena_free(&arena);
}

/* A program of 2048 words assembles, one word more does not. */
static void length_is_limited(void **state)
{
    (void)state;
    enum { LINE = 4 };
    char *text = malloc((PFPU_MACHINE_WORDS + 1) * LINE + 32);
    assert_non_null(text);
    for (size_t nops = PFPU_MACHINE_WORDS - 2; nops < PFPU_MACHINE_WORDS; nops++) {
        for (size_t i = 0; i < nops; i++) {
            memcpy(text + i * LINE, "nop\n", LINE);
        }
        memcpy(text + nops * LINE, "vectout r0, r0\n", 16);
        struct base_arena arena = {0};
        struct base_diag_list messages = {.count = 0};
        struct pfpu_microcode microcode = {.length = 77};
        const bool fits = nops == PFPU_MACHINE_WORDS - 2;
        assert_int_equal(assemble(text, NULL, &arena, &messages, &microcode), fits ? 0 : -1);
        assert_int_equal(microcode.length, fits ? PFPU_MACHINE_WORDS : 77);
        assert_int_equal(messages.count, fits ? 0 : 1);
        base_arena_free(&arena);
    }
    free(text);
}

static void shortage_is_reported(void **state)
{
    (void)state;
    size_t refused = 0;
    for (size_t limit = 1; limit < 4000; limit += 16) {
        struct base_arena arena;
        base_arena_init(&arena, limit);
        struct base_diag_list messages = {.count = 0};
        struct pfpu_microcode microcode;
        const int result = assemble(example, &key_table, &arena, &messages, &microcode);
        assert_int_equal(result != 0, messages.count == 1);
        refused += result != 0;
        if (result == 0) {
            const char *text = pfpu_listing_asm(&microcode, &key_names, &arena);
            assert_int_equal(text == NULL, arena.failed);
        }
        base_arena_free(&arena);
    }
    assert_in_range(refused, 5, 200);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(example_goes_both_ways),
        cmocka_unit_test(column_and_row_are_left_out),
        cmocka_unit_test(loose_text_means_the_same),
        cmocka_unit_test(everything_comes_back),
        cmocka_unit_test(picture_is_narrow),
        cmocka_unit_test(picture_shows_what_goes_wrong),
        cmocka_unit_test(mistakes_are_named),
        cmocka_unit_test(length_is_limited),
        cmocka_unit_test(shortage_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
