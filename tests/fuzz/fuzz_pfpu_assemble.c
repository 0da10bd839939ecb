/* Bytes are an assembler text; what assembles must come back from its own listings. */
#include <stdlib.h>
#include <string.h>

#include "pfpu/microcode/listing.h"
#include "pfpu/pfpu.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void demand(bool condition)
{
    if (!condition) {
        abort();
    }
}

static bool is_known(void *user, struct base_span name, int32_t *key)
{
    (void)user;
    *key = (int32_t)name.size;
    return name.size < 20;
}

static void same_bindings(const struct pfpu_binding *a, size_t count_a,
                          const struct pfpu_binding *b, size_t count_b)
{
    demand(count_a == count_b);
    for (size_t i = 0; i < count_a; i++) {
        demand(a[i].number == b[i].number && a[i].constant == b[i].constant &&
               a[i].word == b[i].word && a[i].key == b[i].key);
    }
}

static void through_text(const struct pfpu_microcode *microcode, struct base_arena *arena)
{
    struct pfpu_microcode again;
    const char *text = pfpu_listing_asm(microcode, NULL, arena);
    demand(text != NULL &&
           pfpu_assemble(base_span_of(text), "again", NULL, arena, NULL, &again) == 0);
    demand(again.length == microcode->length && again.vectout == microcode->vectout &&
           again.stages == microcode->stages && again.operations == microcode->operations &&
           again.registers == microcode->registers);
    demand(memcmp(again.words, microcode->words, again.length * sizeof *again.words) == 0);
    same_bindings(again.inputs, again.input_count, microcode->inputs, microcode->input_count);
    same_bindings(again.outputs, again.output_count, microcode->outputs, microcode->output_count);
}

static void through_hex(const struct pfpu_microcode *microcode, struct base_arena *arena)
{
    const char *text = pfpu_listing_hex(microcode, arena);
    demand(text != NULL);
    text += microcode->stages > 1 ? strcspn(text, "\n") + 1 : 0;
    for (size_t i = 0; i < microcode->length; i++, text += 9) {
        demand(strtoul(text, NULL, 16) == microcode->words[i] && text[8] == '\n');
    }
    demand(*text == '\0' && pfpu_listing_registers(microcode, NULL, arena) != NULL);
}

static void picture(const struct pfpu_microcode *microcode, struct base_arena *arena)
{
    const char *text = pfpu_listing_schedule(&pfpu_target_milkymist_one, microcode, arena);
    demand(text != NULL);
    for (size_t column = 0; *text != '\0'; text++) {
        column = *text == '\n' ? 0 : column + 1;
        demand(column <= 100);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const struct pfpu_key_table table = {is_known, NULL};
    for (int named = 0; named < 2; named++) {
        struct base_arena arena = {0};
        struct base_diag_list messages = {.count = 0};
        const struct base_diag_sink sink = base_diag_list_sink(&messages);
        const struct base_span text = {(const char *)data, size};
        struct pfpu_microcode microcode;
        const int result =
            pfpu_assemble(text, "fuzz", named != 0 ? &table : NULL, &arena, &sink, &microcode);
        demand((result != 0) == (messages.by_severity[BASE_ERROR] == 1));
        if (result == 0) {
            through_text(&microcode, &arena);
            through_hex(&microcode, &arena);
            picture(&microcode, &arena);
        }
        base_arena_free(&arena);
    }
    return 0;
}
