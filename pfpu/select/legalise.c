#include "pfpu/select/select.h"

/* Programs are rewritten instruction by instruction into new ones. */
struct rewriter {
    struct pfpu_ir *ir;
    struct base_arena *scratch;
    struct pfpu_ir made;
    int32_t *renamed; /* by value: in the program made; PFPU_NO_VALUE before that */
    bool failed;
};

static inline const struct pfpu_instruction *instruction_at(const struct rewriter *rewriter,
                                                            int32_t i)
{
    return &rewriter->ir->instructions[i];
}

static inline int arity_of(const struct rewriter *rewriter, int32_t i)
{
    return pfpu_ops[instruction_at(rewriter, i)->op].arity;
}

static inline bool is_operation(const struct rewriter *rewriter, int32_t value)
{
    return pfpu_ops[instruction_at(rewriter, value)->op].kind == PFPU_OP_KIND_WORD;
}

enum { SPARE = 16 }; /* instructions that a pass may add without moving the others */

/* An array of PFPU_NO_VALUE; NULL without memory. */
static int32_t *no_values(struct base_arena *scratch, size_t count)
{
    int32_t *values = base_arena_room(scratch, count, sizeof *values);
    for (size_t i = 0; values != NULL && i < count; i++) {
        values[i] = PFPU_NO_VALUE;
    }
    return values;
}

/* Begins a program of one block. False without memory. */
static bool open_rewriter(struct rewriter *rewriter, struct pfpu_ir *ir, struct base_arena *scratch)
{
    *rewriter = (struct rewriter){.ir = ir, .scratch = scratch};
    pfpu_ir_init(&rewriter->made, ir->arena);
    rewriter->made.slot_count = ir->slot_count;
    rewriter->made.key_end = ir->key_end;
    rewriter->renamed = no_values(scratch, ir->count);
    return rewriter->renamed != NULL && pfpu_ir_reserve(&rewriter->made, ir->count + SPARE) &&
           pfpu_ir_open_block(&rewriter->made) != PFPU_NO_VALUE;
}

/* Appends an instruction with values of the program made. After a failure, nothing more. */
static int32_t append(struct rewriter *rewriter, struct pfpu_instruction instruction)
{
    const int32_t value =
        rewriter->failed ? PFPU_NO_VALUE : pfpu_ir_append(&rewriter->made, instruction);
    rewriter->failed = value == PFPU_NO_VALUE;
    return value;
}

static int32_t append_copy(struct rewriter *rewriter, int32_t value, uint32_t offset)
{
    return append(rewriter, (struct pfpu_instruction){.op = PFPU_OP_WORD_COPY,
                                                      .arguments = {value, 0, 0},
                                                      .offset = offset});
}

/* An instruction of the old program with the values that its operands have in the new one. */
static struct pfpu_instruction renamed_value(const struct rewriter *rewriter, int32_t i)
{
    struct pfpu_instruction instruction = *instruction_at(rewriter, i);
    for (int k = 0; k < arity_of(rewriter, i); k++) {
        instruction.arguments[k] = rewriter->renamed[instruction.arguments[k]];
    }
    return instruction;
}

/* Appends the instruction with its arguments renamed, and notes what became of it. */
static void keep(struct rewriter *rewriter, int32_t i)
{
    const struct pfpu_instruction *from = instruction_at(rewriter, i);
    const int32_t value = append(rewriter, *from);
    if (value != PFPU_NO_VALUE) {
        struct pfpu_instruction *kept = &rewriter->made.instructions[value];
        for (int k = 0; k < pfpu_ops[kept->op].arity; k++) {
            kept->arguments[k] = rewriter->renamed[kept->arguments[k]];
        }
    }
    rewriter->renamed[i] = value;
}

/* Puts the program made in the place of the old one; false without memory, and the old one
 * stays. */
static bool close_rewriter(const struct rewriter *rewriter)
{
    if (!rewriter->failed) {
        *rewriter->ir = rewriter->made;
    }
    return !rewriter->failed;
}

enum {
    NEAR = 6,               /* levels of operations between IFs that share a condition */
    SEARCH_STEPS = 1 << 22, /* beyond, conditions are no longer shared */
    NO_GROUP = -1,
    ARGUMENTS = 3,
};

/* A group is what shares one write to R2: the condition and its IFs. An IF whose result
 * is the condition of a single other IF continues its group. */
struct group {
    int32_t condition; /* value */
    int32_t member;    /* first of the IFs */
    int32_t last;      /* the only IF, or the one that continues the group; else PFPU_NO_VALUE */
    bool continued;    /* nothing more may join */
    int32_t level;     /* of the first IF */
    int32_t made;      /* the condition in the program made */
    uint32_t seen;
};

struct grouping {
    struct rewriter rewriter;
    struct group *groups;
    int32_t group_count;
    int32_t *group;       /* by value, IFs and conditions that stand in R2 */
    int32_t *next_member; /* by value */
    int32_t *last_group;  /* by condition */
    uint32_t *group_uses; /* by condition: how many groups */
    uint32_t *if_count;   /* by condition */
    bool *ordinary;       /* by value: not only a condition */
    int32_t *level;       /* by value */
    int32_t *set_key;     /* by value: key index of its SET, or PFPU_NO_VALUE */
    bool *key_set;        /* by key index */
    int32_t *reader;      /* by key index: first of the users of its GETs */
    int32_t *next_reader; /* by value and argument */
    uint32_t *seen;
    int32_t *stack;
    int32_t depth;
    uint32_t search; /* number of the search; what has it in `seen` has been found */
    uint32_t steps;
};

static void describe(struct grouping *grouping, int32_t i)
{
    const struct rewriter *rewriter = &grouping->rewriter;
    const struct pfpu_instruction *instruction = instruction_at(rewriter, i);
    grouping->ordinary[i] = !is_operation(rewriter, i);
    for (int k = 0; k < arity_of(rewriter, i); k++) {
        const int32_t value = instruction->arguments[k];
        const int32_t level = grouping->level[value] + 1;
        grouping->level[i] = level > grouping->level[i] ? level : grouping->level[i];
        if (instruction->op == PFPU_OP_WORD_IF && k == 0) {
            grouping->if_count[value]++;
        } else {
            grouping->ordinary[value] = true;
        }
        const struct pfpu_instruction *read = instruction_at(rewriter, value);
        if (read->op == PFPU_OP_GET) {
            int32_t *reader = &grouping->reader[pfpu_ir_key_index(rewriter->ir, read->key)];
            grouping->next_reader[ARGUMENTS * i + k] = *reader;
            *reader = ARGUMENTS * i + k;
        }
    }
    if (instruction->op == PFPU_OP_SET) {
        const size_t key = pfpu_ir_key_index(rewriter->ir, instruction->key);
        grouping->set_key[instruction->arguments[0]] = (int32_t)key;
        grouping->key_set[key] = true;
    }
}

static void push(struct grouping *grouping, int32_t value)
{
    if (grouping->seen[value] != grouping->search) {
        grouping->seen[value] = grouping->search;
        grouping->stack[grouping->depth++] = value;
    }
}

/* Everything that must be issued before an instruction. */
static void push_before(struct grouping *grouping, int32_t i)
{
    const struct rewriter *rewriter = &grouping->rewriter;
    for (int k = 0; k < arity_of(rewriter, i); k++) {
        push(grouping, instruction_at(rewriter, i)->arguments[k]);
    }
    if (grouping->set_key[i] == PFPU_NO_VALUE) {
        return;
    }
    int32_t use = grouping->reader[grouping->set_key[i]];
    while (use != PFPU_NO_VALUE) {
        if (use / ARGUMENTS < i) {
            push(grouping, use / ARGUMENTS);
        }
        use = grouping->next_reader[use];
    }
}

/* Whether an IF must wait for members of a group otherwise than for its condition, directly or
 * through groups that must be complete before; too long a search says yes. */
static bool waits_for(struct grouping *grouping, int32_t i, int32_t group)
{
    const int32_t condition = instruction_at(&grouping->rewriter, i)->arguments[0];
    grouping->search++;
    grouping->depth = 0;
    grouping->seen[condition] = grouping->search;
    push_before(grouping, i);
    grouping->seen[condition] = 0;
    while (grouping->depth > 0) {
        const int32_t value = grouping->stack[--grouping->depth];
        const int32_t found = grouping->group[value];
        if (found == group || ++grouping->steps > SEARCH_STEPS) {
            return true;
        }
        struct group *whole = found != NO_GROUP ? &grouping->groups[found] : NULL;
        if (whole != NULL && whole->seen != grouping->search) {
            whole->seen = grouping->search;
            push(grouping, whole->condition);
            for (int32_t k = whole->member; k != PFPU_NO_VALUE; k = grouping->next_member[k]) {
                push(grouping, k);
            }
        }
        push_before(grouping, value);
    }
    return false;
}

static void join(struct grouping *grouping, int32_t i, int32_t number, bool continued)
{
    struct group *group = &grouping->groups[number];
    const bool only = group->member == PFPU_NO_VALUE;
    grouping->group[i] = number;
    grouping->next_member[i] = group->member;
    group->member = i;
    group->last = only || continued ? i : PFPU_NO_VALUE;
    group->continued = continued;
}

/* A condition that reads what a SET changes may have to be issued before something that its IFs
 * wait for. */
static bool reads_old(const struct grouping *grouping, int32_t value)
{
    const struct rewriter *rewriter = &grouping->rewriter;
    for (int k = 0; k < arity_of(rewriter, value); k++) {
        const struct pfpu_instruction *read =
            instruction_at(rewriter, instruction_at(rewriter, value)->arguments[k]);
        if (read->op == PFPU_OP_GET &&
            grouping->key_set[pfpu_ir_key_index(rewriter->ir, read->key)]) {
            return true;
        }
    }
    return false;
}

static void open_group(struct grouping *grouping, int32_t i, int32_t condition)
{
    const int32_t number = grouping->group_count++;
    const bool first = grouping->group_uses[condition]++ == 0;
    grouping->groups[number] = (struct group){.condition = condition,
                                              .member = PFPU_NO_VALUE,
                                              .level = grouping->level[i],
                                              .made = PFPU_NO_VALUE};
    grouping->last_group[condition] = number;
    if (first && !grouping->ordinary[condition] &&
        instruction_at(&grouping->rewriter, condition)->op != PFPU_OP_WORD_IF) {
        grouping->group[condition] = number;
        if (reads_old(grouping, condition) && waits_for(grouping, i, number)) {
            grouping->group[condition] = NO_GROUP;
        }
    }
    join(grouping, i, number, false);
}

/* The group of an IF whose result can go to R2 straight away, as the condition of one other. */
static int32_t group_to_continue(const struct grouping *grouping, int32_t condition)
{
    const int32_t number = grouping->group[condition];
    const bool can = instruction_at(&grouping->rewriter, condition)->op == PFPU_OP_WORD_IF &&
                     !grouping->ordinary[condition] && grouping->if_count[condition] == 1 &&
                     grouping->groups[number].last == condition;
    return can ? number : NO_GROUP;
}

static int32_t group_to_join(const struct grouping *grouping, int32_t i, int32_t condition)
{
    const int32_t number = grouping->last_group[condition];
    if (number == NO_GROUP || grouping->groups[number].continued) {
        return NO_GROUP;
    }
    const int32_t distance = grouping->level[i] - grouping->groups[number].level;
    return distance <= NEAR && distance >= -NEAR ? number : NO_GROUP;
}

static void append_if(struct grouping *grouping, int32_t i)
{
    struct rewriter *rewriter = &grouping->rewriter;
    struct pfpu_instruction instruction = renamed_value(rewriter, i);
    struct group *group = &grouping->groups[grouping->group[i]];
    if (group->condition == instruction_at(rewriter, i)->arguments[0]) {
        if (group->made == PFPU_NO_VALUE) {
            const int32_t condition = group->condition;
            const enum pfpu_op op = instruction_at(rewriter, condition)->op;
            const bool again = (op == PFPU_OP_WORD_ABOVE || op == PFPU_OP_WORD_EQUAL) &&
                               !reads_old(grouping, condition);
            const bool own = grouping->group[condition] == grouping->group[i] &&
                             (again || grouping->group_uses[condition] == 1);
            group->made = own     ? rewriter->renamed[condition]
                          : again ? append(rewriter, renamed_value(rewriter, condition))
                                  : append_copy(rewriter, rewriter->renamed[condition],
                                                instruction_at(rewriter, condition)->offset);
        }
        instruction.arguments[0] = group->made;
    }
    rewriter->renamed[i] = append(rewriter, instruction);
}

/* The part of pfpu_legalise that is about conditions: each is made for R2 alone, and shared by IFs
 * that need not wait for each other. False without memory. */
static bool legalise_conditions(struct pfpu_ir *ir, struct base_arena *scratch)
{
    struct grouping grouping = {.group_count = 0};
    struct rewriter *rewriter = &grouping.rewriter;
    const int32_t count = (int32_t)ir->count;
    if (!open_rewriter(rewriter, ir, scratch)) {
        return false;
    }
    grouping.groups = base_arena_array(scratch, ir->count, sizeof *grouping.groups);
    grouping.group = no_values(scratch, ir->count);
    grouping.next_member = no_values(scratch, ir->count);
    grouping.last_group = no_values(scratch, ir->count);
    grouping.group_uses = base_arena_array(scratch, ir->count, sizeof *grouping.group_uses);
    grouping.if_count = base_arena_array(scratch, ir->count, sizeof *grouping.if_count);
    grouping.ordinary = base_arena_array(scratch, ir->count, sizeof *grouping.ordinary);
    grouping.level = base_arena_array(scratch, ir->count, sizeof *grouping.level);
    grouping.set_key = no_values(scratch, ir->count);
    const size_t keys = pfpu_ir_key_count(grouping.rewriter.ir);
    grouping.key_set = base_arena_array(scratch, keys, sizeof *grouping.key_set);
    grouping.reader = no_values(scratch, keys);
    grouping.next_reader = no_values(scratch, ARGUMENTS * ir->count);
    grouping.seen = base_arena_array(scratch, ir->count, sizeof *grouping.seen);
    grouping.stack = base_arena_array(scratch, ir->count, sizeof *grouping.stack);
    if (scratch->failed) {
        return false;
    }
    for (int32_t i = 0; i < count; i++) {
        describe(&grouping, i);
    }
    for (int32_t i = 0; i < count; i++) {
        if (instruction_at(rewriter, i)->op == PFPU_OP_WORD_IF) {
            const int32_t condition = instruction_at(&grouping.rewriter, i)->arguments[0];
            const int32_t before = group_to_continue(&grouping, condition);
            const int32_t number =
                before != NO_GROUP ? before : group_to_join(&grouping, i, condition);
            if (number != NO_GROUP && !waits_for(&grouping, i, number)) {
                join(&grouping, i, number, before != NO_GROUP);
            } else {
                open_group(&grouping, i, condition);
            }
        }
    }
    for (int32_t i = 0; i < count; i++) {
        if (instruction_at(rewriter, i)->op == PFPU_OP_WORD_IF) {
            append_if(&grouping, i);
        } else {
            keep(rewriter, i);
        }
    }
    return close_rewriter(rewriter);
}

/* New operations are copies of a value, or the same comparison once more. In the program made, all
 * that must happen in order stands in order: a result that is SET behind the readers of the old
 * value, too. */
struct setting {
    struct rewriter rewriter;
    bool *key_set;   /* by key index */
    int32_t *reader; /* by key index: the last use of the old value */
    bool *taken;     /* by value: as a condition or by a SET */
    bool *saved;     /* by value: old values that the last instructions read are copied */
    int32_t *copy;   /* by value: that copy in the program made */
};

static size_t key_index(const struct setting *setting, int32_t i)
{
    return pfpu_ir_key_index(setting->rewriter.ir, instruction_at(&setting->rewriter, i)->key);
}

static bool is_last(enum pfpu_op op)
{
    return op == PFPU_OP_SET || op == PFPU_OP_WORD_VECTOUT;
}

/* A value as the last instructions read it. */
static int32_t read_late(const struct setting *setting, int32_t value)
{
    return setting->saved[value] ? setting->copy[value] : setting->rewriter.renamed[value];
}

static void append_last(struct setting *setting)
{
    struct rewriter *rewriter = &setting->rewriter;
    const int32_t count = (int32_t)rewriter->ir->count;
    for (int32_t i = 0; i < count; i++) {
        if (instruction_at(rewriter, i)->op == PFPU_OP_SET) {
            const int32_t value = instruction_at(&setting->rewriter, i)->arguments[0];
            const bool own = is_operation(&setting->rewriter, value) && !setting->taken[value] &&
                             setting->reader[key_index(setting, i)] <= value;
            setting->taken[value] = true;
            setting->copy[i] = own ? setting->rewriter.renamed[value]
                                   : append_copy(&setting->rewriter, read_late(setting, value),
                                                 instruction_at(&setting->rewriter, i)->offset);
        }
    }
    for (int32_t i = 0; i < count; i++) {
        struct pfpu_instruction instruction = *instruction_at(rewriter, i);
        if (instruction.op == PFPU_OP_WORD_VECTOUT) {
            instruction.arguments[0] = read_late(setting, instruction.arguments[0]);
            instruction.arguments[1] = read_late(setting, instruction.arguments[1]);
            (void)append(rewriter, instruction);
        }
    }
    for (int32_t i = 0; i < count; i++) {
        struct pfpu_instruction instruction = *instruction_at(rewriter, i);
        if (instruction.op == PFPU_OP_SET) {
            instruction.arguments[0] = setting->copy[i];
            (void)append(rewriter, instruction);
        }
    }
}

/* Every SET gets an operation's result of its own that is no condition and stands behind the
 * readers of the old value; the VECTOUT reads nothing that a SET changes. */
static bool legalise_sets(struct pfpu_ir *ir, struct base_arena *scratch)
{
    struct setting setting;
    struct rewriter *rewriter = &setting.rewriter;
    const size_t keys = pfpu_ir_key_count(ir);
    setting.key_set = base_arena_array(scratch, keys, sizeof *setting.key_set);
    setting.reader = no_values(scratch, keys);
    setting.taken = base_arena_array(scratch, ir->count, sizeof *setting.taken);
    setting.saved = base_arena_array(scratch, ir->count, sizeof *setting.saved);
    setting.copy = no_values(scratch, ir->count);
    if (scratch->failed || !open_rewriter(&setting.rewriter, ir, scratch)) {
        return false;
    }
    for (int32_t i = 0; (size_t)i < ir->count; i++) {
        const struct pfpu_instruction *instruction = instruction_at(&setting.rewriter, i);
        if (instruction->op == PFPU_OP_SET) {
            setting.key_set[key_index(&setting, i)] = true;
        } else if (instruction->op == PFPU_OP_WORD_IF) {
            setting.taken[instruction->arguments[0]] = true;
        }
    }
    for (int32_t i = 0; (size_t)i < ir->count; i++) {
        for (int k = 0; k < arity_of(&setting.rewriter, i); k++) {
            const int32_t value = instruction_at(&setting.rewriter, i)->arguments[k];
            if (instruction_at(&setting.rewriter, value)->op != PFPU_OP_GET ||
                !setting.key_set[key_index(&setting, value)]) {
                continue;
            }
            const bool last = is_last(instruction_at(&setting.rewriter, i)->op);
            const int32_t place = last ? value : i;
            int32_t *reader = &setting.reader[key_index(&setting, value)];
            setting.saved[value] |= last;
            *reader = place > *reader ? place : *reader;
        }
    }
    for (int32_t i = 0; (size_t)i < ir->count; i++) {
        if (is_last(instruction_at(rewriter, i)->op)) {
            continue;
        }
        keep(rewriter, i);
        if (setting.saved[i]) {
            setting.copy[i] =
                append_copy(rewriter, rewriter->renamed[i], instruction_at(rewriter, i)->offset);
        }
    }
    append_last(&setting);
    return close_rewriter(rewriter);
}

bool pfpu_legalise(struct pfpu_ir *ir, struct base_arena *scratch)
{
    /* What there is to do; both are passes over all of the program. */
    bool last_moves = false; /* there are SETs, or something stands behind the VECTOUT */
    bool conditions = false;
    for (size_t i = 0; i < ir->count; i++) {
        const enum pfpu_op op = ir->instructions[i].op;
        last_moves |= op == PFPU_OP_SET || (op == PFPU_OP_WORD_VECTOUT && i + 1 < ir->count);
        conditions |= op == PFPU_OP_WORD_IF;
    }
    return (!last_moves || legalise_sets(ir, scratch)) &&
           (!conditions || legalise_conditions(ir, scratch));
}
