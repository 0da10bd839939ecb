/* Steps to instructions. The vector registers are a cache: what is asked for again stays, and where
 * registers are short the one goes whose next use is the farthest. Numbers of the code's registers
 * have a place in memory until nothing asks for them, so there they go, and come from there again;
 * what is between the steps of one operation has none. */
#include "renderer/shader/native/steps.h"

#include <assert.h>

void native_look_ahead(struct native_list *list)
{
    for (size_t i = list->count; i-- > 0;) {
        struct native_step *step = &list->step[i];
        const bool wanted = native_is_wanted(step);
        for (size_t k = 0; k < NATIVE_OPERANDS && wanted; k++) {
            step->next[k] =
                step->operand[k] != NATIVE_NONE ? list->step[step->operand[k]].first : NATIVE_NEVER;
        }
        for (size_t k = 0; k < NATIVE_OPERANDS && wanted; k++) {
            if (step->operand[k] != NATIVE_NONE) {
                list->step[step->operand[k]].first = (uint16_t)i;
            }
        }
    }
}

enum { REGISTERS_MOST = 32, NOWHERE = REGISTERS_MOST };

/* A number of one of the vectors; those that are the same in all lanes are of the first. */
struct value {
    uint16_t step; /* NATIVE_NONE: none */
    uint8_t vector;
};

/* A vector register. */
struct holder {
    struct value value;
    uint16_t next; /* step that asks for it */
    bool taken;    /* by the step that is being written */
};

struct writer {
    const struct native_list *list;
    struct x86_text *text;
    struct native_numbers *numbers;
    shader_place scalars;
    unsigned vectors;
    bool failed;
    struct holder holder[REGISTERS_MOST];
    uint8_t held[NATIVE_STEPS_MOST][NATIVE_VECTORS_MOST]; /* the register that has it, or NOWHERE */
    bool stored[NATIVE_STEPS_MOST][NATIVE_VECTORS_MOST];  /* its place has it */
};

static struct x86_operand number_at(struct writer *writer, uint32_t bits)
{
    struct native_numbers *numbers = writer->numbers;
    size_t at = 0;
    while (at < numbers->count && numbers->bits[at] != bits) {
        at++;
    }
    if (at == NATIVE_NUMBERS_MOST) {
        writer->failed = true;
        at = 0;
    } else if (at == numbers->count) {
        numbers->bits[numbers->count++] = bits;
    }
    return (struct x86_operand){
        .memory = true,
        .number = X86_THIRD,
        .offset = (int32_t)(at * x86_vector_size(writer->text->wide)),
    };
}

/* Whether a number is the same in all lanes, and so in memory whatever happens. */
static bool is_equal(const struct native_list *list, shader_place scalars, uint16_t step)
{
    const struct native_step *at = &list->step[step];
    return at->op == NATIVE_NUMBER || (at->op == NATIVE_PLACE && at->place >= scalars);
}

static struct value value_of(const struct writer *writer, uint16_t step, unsigned vector)
{
    const bool equal = is_equal(writer->list, writer->scalars, step);
    return (struct value){step, equal ? 0 : (uint8_t)vector};
}

static uint8_t *held(struct writer *writer, struct value value)
{
    return &writer->held[value.step][value.vector];
}

static struct x86_operand memory_of(struct writer *writer, struct value value)
{
    const struct native_step *step = &writer->list->step[value.step];
    if (step->op == NATIVE_NUMBER) {
        return number_at(writer, step->number);
    }
    const bool scalar = step->place >= writer->scalars;
    const size_t offset = scalar ? 0 : value.vector * x86_vector_size(writer->text->wide);
    return (struct x86_operand){
        .memory = true,
        .equal = scalar,
        .number = scalar ? X86_SECOND : X86_FIRST,
        .offset = (int32_t)(step->place + offset),
    };
}

static void drop(struct writer *writer, unsigned number)
{
    struct holder *holder = &writer->holder[number];
    if (holder->value.step != NATIVE_NONE) {
        *held(writer, holder->value) = NOWHERE;
        holder->value.step = NATIVE_NONE;
        holder->next = NATIVE_NEVER;
    }
}

/* What a register has goes to its place, if that has not got it. */
static void bring_to_memory(struct writer *writer, unsigned number)
{
    const struct value value = writer->holder[number].value;
    bool *stored = &writer->stored[value.step][value.vector];
    if (*stored || is_equal(writer->list, writer->scalars, value.step)) {
        return;
    }
    if (writer->list->step[value.step].place == SHADER_PLACE_NONE) {
        writer->failed = true;
        return;
    }
    x86_store(writer->text, memory_of(writer, value), number);
    *stored = true;
}

static unsigned find_free(const struct writer *writer)
{
    for (unsigned i = 0; i < x86_registers(writer->text->wide); i++) {
        if (writer->holder[i].value.step == NATIVE_NONE && !writer->holder[i].taken) {
            return i;
        }
    }
    return NOWHERE;
}

/* The register whose number is asked for last. */
static unsigned find_farthest(const struct writer *writer)
{
    unsigned best = NOWHERE;
    for (unsigned i = 0; i < x86_registers(writer->text->wide); i++) {
        const struct holder *holder = &writer->holder[i];
        if (!holder->taken && (best == NOWHERE || holder->next > writer->holder[best].next)) {
            best = i;
        }
    }
    assert(best != NOWHERE); /* a step has three operands */
    return best;
}

static unsigned take_register(struct writer *writer, struct value value, uint16_t next)
{
    unsigned number = find_free(writer);
    if (number == NOWHERE) {
        writer->failed |= writer->vectors > 1; /* one by one they take fewer */
        number = find_farthest(writer);
        bring_to_memory(writer, number);
        drop(writer, number);
    }
    writer->holder[number] = (struct holder){value, next, true};
    *held(writer, value) = (uint8_t)number;
    return number;
}

static unsigned load(struct writer *writer, struct value value, uint16_t next)
{
    unsigned number = *held(writer, value);
    if (number == NOWHERE) {
        const struct x86_operand memory = memory_of(writer, value);
        number = take_register(writer, value, next);
        x86_vector(writer->text, X86_LOAD, number, 0, memory, 0);
    }
    writer->holder[number].taken = true;
    writer->holder[number].next = next;
    return number;
}

/* The last operand of an instruction may stand in memory; it comes to a register if it is asked for
 * again, unless it costs another one its register and is in memory whatever happens. */
static struct x86_operand last_operand(struct writer *writer, enum x86_op op, struct value value,
                                       uint16_t next)
{
    const bool here = *held(writer, value) != NOWHERE;
    const bool again =
        next != NATIVE_NEVER &&
        (!is_equal(writer->list, writer->scalars, value.step) || find_free(writer) != NOWHERE);
    if (here || again || x86_shifts(op)) {
        return x86_in_register(load(writer, value, next));
    }
    return memory_of(writer, value);
}

/* An operand of a step: which number, and when it is asked for again. */
struct operand {
    struct value value;
    uint16_t next;
};

static struct operand operand_of(const struct writer *writer, const struct native_step *step,
                                 enum native_operand which, unsigned vector)
{
    struct operand operand = {.value = {NATIVE_NONE, 0}, .next = NATIVE_NEVER};
    const uint16_t asked = step->operand[which];
    if (asked != NATIVE_NONE) {
        operand.value = value_of(writer, asked, vector);
        operand.next = step->next[which];
        if (vector + 1 < writer->vectors && is_equal(writer->list, writer->scalars, asked)) {
            operand.next = (uint16_t)(step - writer->list->step); /* by the next vector */
        }
    }
    return operand;
}

static void write_step(struct writer *writer, uint16_t at, unsigned vector)
{
    const struct native_step *step = &writer->list->step[at];
    struct operand operand[NATIVE_OPERANDS];
    for (unsigned k = 0; k < NATIVE_OPERANDS; k++) {
        operand[k] = operand_of(writer, step, k, vector);
        /* What is here must stay while another operand comes. */
        if (operand[k].value.step != NATIVE_NONE && *held(writer, operand[k].value) != NOWHERE) {
            writer->holder[*held(writer, operand[k].value)].taken = true;
        }
    }
    const bool choice = step->op == NATIVE_CHOOSE;
    struct operand from = operand[NATIVE_FROM];
    struct operand with = operand[NATIVE_WITH];
    const bool alone = from.value.step == NATIVE_NONE;
    if (!alone && !choice && x86_commutes(step->op) && *held(writer, from.value) == NOWHERE &&
        *held(writer, with.value) != NOWHERE) {
        from = operand[NATIVE_WITH];
        with = operand[NATIVE_FROM];
    }
    const struct operand truth = operand[NATIVE_TRUTH];
    const unsigned chooser = choice ? load(writer, truth.value, truth.next) : 0;
    const unsigned first = alone ? 0 : load(writer, from.value, from.next);
    const struct x86_operand last =
        last_operand(writer, choice ? X86_LOAD : step->op, with.value, with.next);
    for (unsigned i = 0; i < REGISTERS_MOST; i++) {
        writer->holder[i].taken = false;
        if (writer->holder[i].next == NATIVE_NEVER) {
            drop(writer, i);
        }
    }
    const struct value value = {at, (uint8_t)vector};
    const unsigned to = take_register(writer, value, step->first);
    if (choice) {
        x86_choose(writer->text, to, chooser, first, last);
    } else {
        x86_vector(writer->text, step->op, to, first, last, step->bits);
    }
    writer->holder[to].taken = false;
    if (step->kept) {
        x86_store(writer->text, memory_of(writer, value), to);
        writer->stored[at][vector] = true;
    }
    if (step->first == NATIVE_NEVER) {
        drop(writer, to);
    }
}

bool native_write(const struct native_list *list, struct x86_text *text,
                  struct native_numbers *numbers, shader_place scalars, unsigned vectors)
{
    struct writer writer = {
        .list = list,
        .text = text,
        .numbers = numbers,
        .scalars = scalars,
        .vectors = vectors,
    };
    for (size_t i = 0; i < REGISTERS_MOST; i++) {
        writer.holder[i] = (struct holder){{NATIVE_NONE, 0}, NATIVE_NEVER, false};
    }
    for (size_t i = 0; i < list->count; i++) {
        for (size_t v = 0; v < vectors; v++) {
            writer.held[i][v] = NOWHERE;
            writer.stored[i][v] = list->step[i].op == NATIVE_PLACE;
        }
    }
    for (size_t i = 0; i < list->count && !writer.failed; i++) {
        const struct native_step *step = &list->step[i];
        const bool computes = step->op < NATIVE_PLACE;
        for (unsigned v = 0; v < vectors && computes && native_is_wanted(step); v++) {
            write_step(&writer, (uint16_t)i, v);
        }
    }
    return !writer.failed;
}
