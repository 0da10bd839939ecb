#include "pfpu/select/linear.h"

#include <math.h>

#include "pfpu/machine/machine.h"
#include "pfpu/select/expand.h"

struct pfpu_factor pfpu_factor_number(struct pfpu_linear_programs *programs, double number)
{
    return (struct pfpu_factor){pfpu_build_number(programs->frame, fabs(number)), number < 0};
}

static bool node_known(const struct pfpu_linear_programs *programs, int32_t node, double *number)
{
    if (programs->frame->failed || programs->frame->ir->instructions[node].op != PFPU_OP_NUMBER) {
        return false;
    }
    *number = programs->frame->ir->instructions[node].number;
    return true;
}

struct pfpu_factor pfpu_factor_of(struct pfpu_linear_programs *programs, int32_t node)
{
    double number = 0;
    return node_known(programs, node, &number) ? pfpu_factor_number(programs, number)
                                               : (struct pfpu_factor){node, false};
}

bool pfpu_factor_known(const struct pfpu_linear_programs *programs, struct pfpu_factor a,
                       double *number)
{
    if (!node_known(programs, a.node, number)) {
        return false;
    }
    *number = a.negative ? -*number : *number;
    return true;
}

static bool is_exactly(const struct pfpu_linear_programs *programs, struct pfpu_factor a,
                       double number)
{
    double known = 0;
    return pfpu_factor_known(programs, a, &known) && known == number;
}

static bool is_unit(const struct pfpu_linear_programs *programs, struct pfpu_factor a)
{
    double known = 0;
    return node_known(programs, a.node, &known) && known == 1;
}

struct pfpu_factor pfpu_factor_negate(struct pfpu_factor a)
{
    return (struct pfpu_factor){a.node, !a.negative};
}

struct pfpu_factor pfpu_factor_add(struct pfpu_linear_programs *programs, struct pfpu_factor a,
                                   struct pfpu_factor b)
{
    if (is_exactly(programs, a, 0)) {
        return b;
    }
    if (is_exactly(programs, b, 0)) {
        return a;
    }
    if (a.negative == b.negative) {
        const int32_t sum = pfpu_build2(programs->frame, PFPU_OP_WORD_FADD, a.node, b.node);
        return (struct pfpu_factor){sum, a.negative};
    }
    if (a.node == b.node) {
        return pfpu_factor_number(programs, 0);
    }
    const int32_t plus = a.negative ? b.node : a.node;
    const int32_t minus = a.negative ? a.node : b.node;
    return pfpu_factor_of(programs, pfpu_build2(programs->frame, PFPU_OP_WORD_FSUB, plus, minus));
}

struct pfpu_factor pfpu_factor_multiply(struct pfpu_linear_programs *programs, struct pfpu_factor a,
                                        struct pfpu_factor b)
{
    const int32_t node = pfpu_build2(programs->frame, PFPU_OP_WORD_FMUL, a.node, b.node);
    return (struct pfpu_factor){node, a.negative != b.negative};
}

int32_t pfpu_factor_node(struct pfpu_linear_programs *programs, struct pfpu_factor a)
{
    return a.negative ? pfpu_select_negative(programs->frame, a.node) : a.node;
}

int32_t pfpu_linear_new_link(struct pfpu_linear_programs *programs, enum pfpu_link_kind kind,
                             int32_t source)
{
    const size_t count = (size_t)programs->link_count;
    struct pfpu_link *links = base_arena_grow(programs->scratch, programs->links,
                                              &programs->link_capacity, count + 1, sizeof *links);
    if (links == NULL) {
        programs->frame->failed = true;
        return 0;
    }
    programs->links = links;
    links[count] = (struct pfpu_link){kind, source};
    programs->link_count++;
    return programs->first_link + (int32_t)count;
}

/* An input of the frame program that it does not change: the vertex program can read the same
 * register. */
static bool keeps_its_key(const struct pfpu_linear_programs *programs, int32_t node)
{
    const struct pfpu_instruction *made = &programs->frame->ir->instructions[node];
    const size_t variable = (size_t)(made->key - PFPU_REGISTERS_GLOBAL);
    return made->op == PFPU_OP_GET &&
           (programs->frame_stores == NULL || variable >= programs->frame_store_count ||
            programs->frame_stores[variable] == PFPU_NO_VALUE);
}

int32_t pfpu_linear_operand(struct pfpu_linear_programs *programs, struct pfpu_factor factor)
{
    double number = 0;
    if (pfpu_factor_known(programs, factor, &number)) {
        return pfpu_build_number(programs->vertex, number);
    }
    const int32_t node = pfpu_factor_node(programs, factor);
    if (programs->frame->failed || programs->vertex->failed) {
        return 0;
    }
    if (keeps_its_key(programs, node)) {
        return pfpu_build_get(programs->vertex, programs->frame->ir->instructions[node].key);
    }
    /* The link that hands the frame value over. */
    int32_t *links = base_arena_grow(programs->scratch, programs->link_of,
                                     &programs->link_of_capacity, (size_t)node + 1, sizeof *links);
    if (links == NULL) {
        programs->frame->failed = true;
        return 0;
    }
    programs->link_of = links;
    if (links[node] == 0) {
        links[node] = pfpu_linear_new_link(programs, PFPU_LINK_FRAME, node);
    }
    return programs->frame->failed ? 0 : pfpu_build_get(programs->vertex, links[node]);
}

struct pfpu_linear pfpu_linear_uniform(struct pfpu_factor constant)
{
    return (struct pfpu_linear){.constant = constant};
}

struct pfpu_linear pfpu_linear_atom(struct pfpu_linear_programs *programs, struct pfpu_atom atom)
{
    struct pfpu_linear form = {.count = 1, .constant = pfpu_factor_number(programs, 0)};
    form.terms[0] = (struct pfpu_term){atom.value, pfpu_factor_number(programs, 1)};
    form.terms[0].factor.negative = atom.negative;
    return form;
}

bool pfpu_linear_is_uniform(const struct pfpu_linear *form)
{
    return form->count == 0;
}

static void add_term(struct pfpu_linear_programs *programs, struct pfpu_linear *form,
                     struct pfpu_term term)
{
    for (size_t i = 0; i < form->count; i++) {
        struct pfpu_term *own = &form->terms[i];
        if (own->atom == term.atom) {
            own->factor = pfpu_factor_add(programs, own->factor, term.factor);
            if (is_exactly(programs, own->factor, 0)) {
                *own = form->terms[--form->count];
            }
            return;
        }
    }
    form->terms[form->count++] = term;
}

/* The form with its terms made one atom. */
static struct pfpu_linear gather(struct pfpu_linear_programs *programs,
                                 const struct pfpu_linear *form)
{
    struct pfpu_linear terms = *form;
    terms.constant = pfpu_factor_number(programs, 0);
    struct pfpu_linear whole = pfpu_linear_atom(programs, pfpu_linear_make(programs, &terms));
    whole.constant = form->constant;
    return whole;
}

struct pfpu_linear pfpu_linear_add(struct pfpu_linear_programs *programs,
                                   const struct pfpu_linear *a, const struct pfpu_linear *b)
{
    struct pfpu_linear sum = *a;
    struct pfpu_linear other = *b;
    if (sum.count + other.count > PFPU_LINEAR_TERMS) {
        sum = gather(programs, &sum);
        other = other.count < PFPU_LINEAR_TERMS ? other : gather(programs, &other);
    }
    for (size_t i = 0; i < other.count; i++) {
        add_term(programs, &sum, other.terms[i]);
    }
    sum.constant = pfpu_factor_add(programs, sum.constant, other.constant);
    return sum;
}

struct pfpu_linear pfpu_linear_negate(struct pfpu_linear form)
{
    for (size_t i = 0; i < form.count; i++) {
        form.terms[i].factor = pfpu_factor_negate(form.terms[i].factor);
    }
    form.constant = pfpu_factor_negate(form.constant);
    return form;
}

struct pfpu_linear pfpu_linear_scale(struct pfpu_linear_programs *programs,
                                     const struct pfpu_linear *form, struct pfpu_factor factor)
{
    if (is_exactly(programs, factor, 0)) {
        return pfpu_linear_uniform(factor);
    }
    /* Two bare atoms would both need a product afterwards: their sum needs one. */
    size_t units = 0;
    for (size_t i = 0; i < form->count; i++) {
        units += is_unit(programs, form->terms[i].factor) ? 1 : 0;
    }
    const bool together = !is_unit(programs, factor) && units >= 2;
    struct pfpu_linear scaled = together ? gather(programs, form) : *form;
    for (size_t i = 0; i < scaled.count; i++) {
        scaled.terms[i].factor = pfpu_factor_multiply(programs, scaled.terms[i].factor, factor);
    }
    scaled.constant = pfpu_factor_multiply(programs, scaled.constant, factor);
    return scaled;
}

struct pfpu_linear pfpu_linear_normalise(struct pfpu_linear_programs *programs,
                                         const struct pfpu_linear *form, struct pfpu_factor *scale)
{
    double number = 1;
    *scale = pfpu_factor_number(programs, 1);
    if (form->count == 1 && is_exactly(programs, form->constant, 0)) {
        *scale = form->terms[0].factor;
        return pfpu_linear_atom(programs, (struct pfpu_atom){form->terms[0].atom, false});
    }
    /* Whether the factor can be divided by the number without loss of sense, and by which. */
    double other = 0;
    for (size_t i = 0; i < form->count; i++) {
        if (!pfpu_factor_known(programs, form->terms[i].factor, i == 0 ? &number : &other)) {
            return *form;
        }
    }
    /* A constant divided by something small would make the atom large. */
    const double far = is_exactly(programs, form->constant, 0) ? 0x1p20 : 0x1p6;
    if (form->count <= 0 || !(fabs(number) > 1 / far) || fabs(number) >= far) {
        return *form;
    }
    if (number == 1) {
        return *form;
    }
    *scale = pfpu_factor_number(programs, number);
    struct pfpu_linear rest = *form;
    const struct pfpu_factor inverse = pfpu_factor_number(programs, 1 / number);
    for (size_t i = 0; i < rest.count; i++) {
        double factor = 0;
        (void)pfpu_factor_known(programs, rest.terms[i].factor, &factor);
        rest.terms[i].factor = pfpu_factor_number(programs, factor / number);
    }
    rest.constant = pfpu_factor_multiply(programs, rest.constant, inverse);
    return rest;
}

struct pfpu_linear pfpu_linear_multiply(struct pfpu_linear_programs *programs,
                                        const struct pfpu_linear *a, const struct pfpu_linear *b)
{
    if (pfpu_linear_is_uniform(a)) {
        return pfpu_linear_scale(programs, b, a->constant);
    }
    if (pfpu_linear_is_uniform(b)) {
        return pfpu_linear_scale(programs, a, b->constant);
    }
    struct pfpu_factor a_scale;
    struct pfpu_factor b_scale;
    const struct pfpu_linear a_rest = pfpu_linear_normalise(programs, a, &a_scale);
    const struct pfpu_linear b_rest = pfpu_linear_normalise(programs, b, &b_scale);
    const struct pfpu_atom x = pfpu_linear_make(programs, &a_rest);
    const struct pfpu_atom y = pfpu_linear_make(programs, &b_rest);
    const struct pfpu_atom product = {
        pfpu_build2(programs->vertex, PFPU_OP_WORD_FMUL, x.value, y.value),
        x.negative != y.negative};
    struct pfpu_linear whole = pfpu_linear_atom(programs, product);
    const struct pfpu_factor scale = pfpu_factor_multiply(programs, a_scale, b_scale);
    double known = 1;
    whole = pfpu_linear_scale(programs, &whole, scale);
    /* Atoms stay near their values in size: exponents wrap. */
    const bool far = pfpu_factor_known(programs, scale, &known) &&
                     (fabs(known) < 0x1p-24 || fabs(known) > 0x1p24);
    return far ? gather(programs, &whole) : whole;
}

static struct pfpu_factor select_factor(struct pfpu_linear_programs *programs, int32_t condition,
                                        struct pfpu_factor yes, struct pfpu_factor no)
{
    if (yes.node == no.node && yes.negative == no.negative) {
        return yes;
    }
    const bool negative = yes.negative && no.negative;
    const int32_t one = negative ? yes.node : pfpu_factor_node(programs, yes);
    const int32_t other = negative ? no.node : pfpu_factor_node(programs, no);
    const int32_t node = pfpu_build3(programs->frame, PFPU_OP_WORD_IF, condition, one, other);
    return (struct pfpu_factor){node, negative};
}

static bool has_atom(const struct pfpu_linear *form, int32_t atom)
{
    for (size_t i = 0; i < form->count; i++) {
        if (form->terms[i].atom == atom) {
            return true;
        }
    }
    return false;
}

static struct pfpu_factor factor_of(struct pfpu_linear_programs *programs,
                                    const struct pfpu_linear *form, int32_t atom)
{
    for (size_t i = 0; i < form->count; i++) {
        if (form->terms[i].atom == atom) {
            return form->terms[i].factor;
        }
    }
    return pfpu_factor_number(programs, 0);
}

struct pfpu_linear pfpu_linear_select(struct pfpu_linear_programs *programs, int32_t condition,
                                      const struct pfpu_linear *yes, const struct pfpu_linear *no)
{
    double known = 0;
    if (node_known(programs, condition, &known)) {
        return known != 0 ? *yes : *no;
    }
    const struct pfpu_linear one =
        yes->count + no->count > PFPU_LINEAR_TERMS ? gather(programs, yes) : *yes;
    const struct pfpu_linear other =
        yes->count + no->count > PFPU_LINEAR_TERMS ? gather(programs, no) : *no;
    struct pfpu_linear chosen =
        pfpu_linear_uniform(select_factor(programs, condition, one.constant, other.constant));
    for (size_t i = 0; i < one.count; i++) {
        const int32_t atom = one.terms[i].atom;
        const struct pfpu_factor factor = select_factor(programs, condition, one.terms[i].factor,
                                                        factor_of(programs, &other, atom));
        chosen.terms[chosen.count++] = (struct pfpu_term){atom, factor};
    }
    for (size_t i = 0; i < other.count; i++) {
        const int32_t atom = other.terms[i].atom;
        if (!has_atom(&one, atom)) {
            const struct pfpu_factor factor = select_factor(
                programs, condition, pfpu_factor_number(programs, 0), other.terms[i].factor);
            chosen.terms[chosen.count++] = (struct pfpu_term){atom, factor};
        }
    }
    return chosen;
}

uint32_t pfpu_linear_ready(struct pfpu_linear_programs *programs, int32_t value)
{
    const struct pfpu_ir *ir = programs->vertex->ir;
    uint32_t *ready = base_arena_grow(programs->scratch, programs->ready, &programs->ready_capacity,
                                      ir->count, sizeof *ready);
    if (ready == NULL || programs->vertex->failed) {
        programs->vertex->failed = true;
        return 0;
    }
    programs->ready = ready;
    for (; programs->ready_count < ir->count; programs->ready_count++) {
        const struct pfpu_instruction *made = &ir->instructions[programs->ready_count];
        uint32_t start = 0;
        for (int k = 0; k < pfpu_ops[made->op].arity; k++) {
            const uint32_t operand = ready[made->arguments[k]];
            start = operand > start ? operand : start;
        }
        const struct pfpu_target_op *row = &programs->target->ops[made->op];
        ready[programs->ready_count] =
            start + (row->bound ? 0 : row->latency + programs->target->read_delay);
    }
    return ready[value];
}

struct addend {
    int32_t value;
    bool negative;
    uint32_t ready;
};

static struct addend take_earliest(struct addend *addends, size_t *count)
{
    size_t best = 0;
    for (size_t i = 1; i < *count; i++) {
        if (addends[i].ready < addends[best].ready) {
            best = i;
        }
    }
    const struct addend taken = addends[best];
    for (size_t i = best + 1; i < *count; i++) {
        addends[i - 1] = addends[i];
    }
    *count -= 1;
    return taken;
}

static struct addend addend_of(struct pfpu_linear_programs *programs, const struct pfpu_term *term,
                               bool flip)
{
    struct addend addend = {term->atom, term->factor.negative, 0};
    if (flip) {
        const struct pfpu_factor factor = term->factor;
        addend.value = pfpu_build2(programs->vertex, PFPU_OP_WORD_FMUL, term->atom,
                                   pfpu_linear_operand(programs, factor));
        addend.negative = false;
    } else if (!is_unit(programs, term->factor)) {
        const struct pfpu_factor size = {term->factor.node, false};
        addend.value = pfpu_build2(programs->vertex, PFPU_OP_WORD_FMUL, term->atom,
                                   pfpu_linear_operand(programs, size));
    }
    addend.ready = pfpu_linear_ready(programs, addend.value);
    return addend;
}

/* Sums the addends, always the two that are ready earliest (as Huffman's code is built), so that
 * late ones go through the fewest additions. flip: index of the term whose sign goes into its
 * product; form->count: the constant; more than that: none. */
static struct addend sum_of(struct pfpu_linear_programs *programs, const struct pfpu_linear *form,
                            size_t flip)
{
    struct addend addends[PFPU_LINEAR_TERMS + 1];
    size_t count = 0;
    for (size_t i = 0; i < form->count; i++) {
        addends[count++] = addend_of(programs, &form->terms[i], i == flip);
    }
    if (count == 0 || !is_exactly(programs, form->constant, 0)) {
        const struct pfpu_factor size = {form->constant.node, false};
        const bool flip_constant = flip == form->count;
        addends[count++] =
            (struct addend){pfpu_linear_operand(programs, flip_constant ? form->constant : size),
                            form->constant.negative && !flip_constant, 0};
    }
    while (count > 1 && !programs->vertex->failed) {
        const struct addend a = take_earliest(addends, &count);
        const struct addend b = take_earliest(addends, &count);
        struct addend sum = {.negative = a.negative && b.negative};
        if (a.negative == b.negative) {
            sum.value = pfpu_build2(programs->vertex, PFPU_OP_WORD_FADD, a.value, b.value);
        } else {
            sum.value = pfpu_build2(programs->vertex, PFPU_OP_WORD_FSUB,
                                    a.negative ? b.value : a.value, a.negative ? a.value : b.value);
        }
        sum.ready = pfpu_linear_ready(programs, sum.value);
        addends[count++] = sum;
    }
    return addends[0];
}

struct pfpu_atom pfpu_linear_make(struct pfpu_linear_programs *programs,
                                  const struct pfpu_linear *form)
{
    const struct addend sum = sum_of(programs, form, PFPU_LINEAR_TERMS + 1);
    return (struct pfpu_atom){sum.value, sum.negative};
}

/* Where a sign can be hidden for nothing if all are negative; PFPU_LINEAR_TERMS + 1: nowhere. */
static size_t term_to_flip(const struct pfpu_linear_programs *programs,
                           const struct pfpu_linear *form)
{
    const bool constant = form->count == 0 || !is_exactly(programs, form->constant, 0);
    size_t found = constant && form->constant.negative ? form->count : PFPU_LINEAR_TERMS + 1;
    for (size_t i = 0; i < form->count; i++) {
        if (!form->terms[i].factor.negative) {
            return PFPU_LINEAR_TERMS + 1;
        }
        if (found > PFPU_LINEAR_TERMS && !is_unit(programs, form->terms[i].factor)) {
            found = i;
        }
    }
    return constant && !form->constant.negative ? PFPU_LINEAR_TERMS + 1 : found;
}

int32_t pfpu_linear_value(struct pfpu_linear_programs *programs, const struct pfpu_linear *form)
{
    const struct addend sum = sum_of(programs, form, term_to_flip(programs, form));
    return sum.negative ? pfpu_select_negative(programs->vertex, sum.value) : sum.value;
}
