#include "pfpu/microcode.h"
#include "pfpu/rewrite.h"

/* New operations are copies of a value, or the same comparison once more. In the program made, all
 * that must happen in order stands in order: a result that is SET behind the readers of the old
 * value, too. */
struct setting {
    struct pfpu_rewriter rewriter;
    bool *key_set;   /* by key index */
    int32_t *reader; /* by key index: the last use of the old value */
    bool *taken;     /* by value: as a condition or by a SET */
    bool *saved;     /* by value: old values that the last instructions read are copied */
    int32_t *copy;   /* by value: that copy in the program made */
};

static size_t key_index(const struct setting *setting, int32_t i)
{
    return pfpu_ir_key_index(setting->rewriter.ir, pfpu_rewriter_at(&setting->rewriter, i)->key);
}

static bool is_last(enum pfpu_op op)
{
    return op == PFPU_OP_SET || op == PFPU_OP_WORD_VECTOUT;
}

static void note_use(struct setting *setting, int32_t i, int32_t value)
{
    if (pfpu_rewriter_at(&setting->rewriter, value)->op != PFPU_OP_GET ||
        !setting->key_set[key_index(setting, value)]) {
        return;
    }
    const bool last = is_last(pfpu_rewriter_at(&setting->rewriter, i)->op);
    const int32_t place = last ? value : i;
    int32_t *reader = &setting->reader[key_index(setting, value)];
    setting->saved[value] |= last;
    *reader = place > *reader ? place : *reader;
}

static bool setting_init(struct setting *setting, struct pfpu_ir *ir, struct base_arena *scratch)
{
    const size_t keys = pfpu_ir_key_count(ir);
    setting->key_set = base_arena_array(scratch, keys, sizeof *setting->key_set);
    setting->reader = pfpu_rewriter_values(scratch, keys);
    setting->taken = base_arena_array(scratch, ir->count, sizeof *setting->taken);
    setting->saved = base_arena_array(scratch, ir->count, sizeof *setting->saved);
    setting->copy = pfpu_rewriter_values(scratch, ir->count);
    if (scratch->failed || !pfpu_rewriter_init(&setting->rewriter, ir, scratch)) {
        return false;
    }
    for (int32_t i = 0; (size_t)i < ir->count; i++) {
        const struct pfpu_instruction *instruction = pfpu_rewriter_at(&setting->rewriter, i);
        if (instruction->op == PFPU_OP_SET) {
            setting->key_set[key_index(setting, i)] = true;
        } else if (instruction->op == PFPU_OP_WORD_IF) {
            setting->taken[instruction->arguments[0]] = true;
        }
    }
    for (int32_t i = 0; (size_t)i < ir->count; i++) {
        for (int k = 0; k < pfpu_rewriter_arity(&setting->rewriter, i); k++) {
            note_use(setting, i, pfpu_rewriter_at(&setting->rewriter, i)->arguments[k]);
        }
    }
    return true;
}

/* A value as the last instructions read it. */
static int32_t read_late(const struct setting *setting, int32_t value)
{
    return setting->saved[value] ? setting->copy[value] : setting->rewriter.renamed[value];
}

static int32_t stored_value(struct setting *setting, int32_t set)
{
    const int32_t value = pfpu_rewriter_at(&setting->rewriter, set)->arguments[0];
    const bool own = pfpu_rewriter_is_operation(&setting->rewriter, value) &&
                     !setting->taken[value] && setting->reader[key_index(setting, set)] <= value;
    setting->taken[value] = true;
    return own ? setting->rewriter.renamed[value]
               : pfpu_rewriter_append_copy(&setting->rewriter, read_late(setting, value),
                                           pfpu_rewriter_at(&setting->rewriter, set)->offset);
}

static void append_last(struct setting *setting)
{
    struct pfpu_rewriter *rewriter = &setting->rewriter;
    const int32_t count = (int32_t)rewriter->ir->count;
    for (int32_t i = 0; i < count; i++) {
        if (pfpu_rewriter_at(rewriter, i)->op == PFPU_OP_SET) {
            setting->copy[i] = stored_value(setting, i);
        }
    }
    for (int32_t i = 0; i < count; i++) {
        struct pfpu_instruction instruction = *pfpu_rewriter_at(rewriter, i);
        if (instruction.op == PFPU_OP_WORD_VECTOUT) {
            instruction.arguments[0] = read_late(setting, instruction.arguments[0]);
            instruction.arguments[1] = read_late(setting, instruction.arguments[1]);
            (void)pfpu_rewriter_append(rewriter, instruction);
        }
    }
    for (int32_t i = 0; i < count; i++) {
        struct pfpu_instruction instruction = *pfpu_rewriter_at(rewriter, i);
        if (instruction.op == PFPU_OP_SET) {
            instruction.arguments[0] = setting->copy[i];
            (void)pfpu_rewriter_append(rewriter, instruction);
        }
    }
}

/* Every SET gets an operation's result of its own that is no condition and stands behind the
 * readers of the old value; the VECTOUT reads nothing that a SET changes. */
static bool legalise_sets(struct pfpu_ir *ir, struct base_arena *scratch)
{
    struct setting setting;
    struct pfpu_rewriter *rewriter = &setting.rewriter;
    if (!setting_init(&setting, ir, scratch)) {
        return false;
    }
    for (int32_t i = 0; (size_t)i < ir->count; i++) {
        if (is_last(pfpu_rewriter_at(rewriter, i)->op)) {
            continue;
        }
        pfpu_rewriter_keep(rewriter, i);
        if (setting.saved[i]) {
            setting.copy[i] = pfpu_rewriter_append_copy(rewriter, rewriter->renamed[i],
                                                        pfpu_rewriter_at(rewriter, i)->offset);
        }
    }
    append_last(&setting);
    return pfpu_rewriter_finish(rewriter);
}

/* What there is to do; both are passes over all of the program. */
struct contents {
    bool last_moves; /* there are SETs, or something stands behind the VECTOUT */
    bool conditions;
};

static struct contents look_at(const struct pfpu_ir *ir)
{
    struct contents contents = {false, false};
    for (size_t i = 0; i < ir->count; i++) {
        const enum pfpu_op op = ir->instructions[i].op;
        contents.last_moves |=
            op == PFPU_OP_SET || (op == PFPU_OP_WORD_VECTOUT && i + 1 < ir->count);
        contents.conditions |= op == PFPU_OP_WORD_IF;
    }
    return contents;
}

bool pfpu_legalise(struct pfpu_ir *ir, struct base_arena *scratch)
{
    const struct contents contents = look_at(ir);
    return (!contents.last_moves || legalise_sets(ir, scratch)) &&
           (!contents.conditions || pfpu_legalise_conditions(ir, scratch));
}
