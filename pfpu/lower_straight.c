#include <math.h>

#include "pfpu/lowering.h"

enum { TURNS_MAX = 64 };

int32_t pfpu_lower_refuse(struct pfpu_lowering *lowering, const char *hint, const char *what)
{
    pfpu_complain(lowering->complaint, lowering->offset, hint, "%s", what);
    lowering->failed = true;
    return 0;
}

/* What a guarded part of the program left in a variable. */
struct outcome {
    int32_t key;
    int32_t value;
};

struct guarded {
    int32_t value; /* of the part as an expression */
    struct outcome *outcomes;
    size_t count;
};

/* Takes back what happened since `start`, newest first. A variable that was not known then is read
 * now, which is its old value still, because stores wait for the end of the block. */
static void undo(struct pfpu_lowering *lowering, size_t start)
{
    while (lowering->trail_count > start) {
        const struct pfpu_trail_entry entry = lowering->trail[--lowering->trail_count];
        struct pfpu_binding *binding = &lowering->bindings[entry.key];
        *binding = entry.old;
        if (entry.old.epoch != lowering->epoch) {
            (void)pfpu_lower_get(lowering, entry.key);
        }
        lowering->bindings[entry.key].written = true;
    }
}

static struct guarded lower_guarded(struct pfpu_lowering *lowering, struct pfpu_node *node)
{
    struct guarded part = {0};
    const size_t start = lowering->trail_count;
    lowering->guards++;
    part.value = node != NULL ? pfpu_lower_value(lowering, node) : pfpu_lower_number(lowering, 0.0);
    lowering->guards--;
    part.outcomes = base_arena_array(lowering->scratch, lowering->trail_count - start + 1,
                                     sizeof *part.outcomes);
    if (part.outcomes == NULL || lowering->failed) {
        lowering->failed = true;
        return part;
    }
    for (size_t i = start; i < lowering->trail_count; i++) {
        const int32_t key = lowering->trail[i].key;
        part.outcomes[part.count++] = (struct outcome){key, lowering->bindings[key].value};
    }
    undo(lowering, start);
    return part;
}

static int32_t outcome_of(const struct guarded *part, int32_t key, int32_t otherwise)
{
    for (size_t i = 0; i < part->count; i++) {
        if (part->outcomes[i].key == key) {
            return part->outcomes[i].value;
        }
    }
    return otherwise;
}

static bool stands_before(const struct guarded *part, size_t i)
{
    for (size_t k = 0; k < i; k++) {
        if (part->outcomes[k].key == part->outcomes[i].key) {
            return true;
        }
    }
    return false;
}

static void merge_key(struct pfpu_lowering *lowering, int32_t condition, int32_t key, int32_t yes,
                      int32_t no)
{
    const int32_t merged =
        yes == no ? yes : pfpu_lower_op(lowering, PFPU_OP_SELECT, condition, yes, no);
    pfpu_lower_set(lowering, key, merged);
}

int32_t pfpu_lower_select(struct pfpu_lowering *lowering, int32_t condition, struct pfpu_node *yes,
                          struct pfpu_node *no)
{
    const struct guarded one = lower_guarded(lowering, yes);
    const struct guarded other = lower_guarded(lowering, no);
    if (lowering->failed) {
        return 0;
    }
    for (size_t i = 0; i < one.count; i++) {
        const int32_t key = one.outcomes[i].key;
        if (!stands_before(&one, i)) {
            const int32_t old = pfpu_lower_get(lowering, key);
            merge_key(lowering, condition, key, one.outcomes[i].value,
                      outcome_of(&other, key, old));
        }
    }
    for (size_t i = 0; i < other.count; i++) {
        const int32_t key = other.outcomes[i].key;
        if (!stands_before(&other, i) && outcome_of(&one, key, PFPU_NO_VALUE) == PFPU_NO_VALUE) {
            merge_key(lowering, condition, key, pfpu_lower_get(lowering, key),
                      other.outcomes[i].value);
        }
    }
    return pfpu_lower_op(lowering, PFPU_OP_SELECT, condition, one.value, other.value);
}

int32_t pfpu_lower_unrolled(struct pfpu_lowering *lowering, const struct pfpu_node *node)
{
    const struct pfpu_node *turns = node->arguments[0];
    lowering->offset = node->offset;
    if (turns->kind != PFPU_NODE_NUMBER || !(turns->number < TURNS_MAX + 1)) {
        return pfpu_lower_refuse(lowering, "give a number of turns up to 64",
                                 "the machine cannot loop");
    }
    int32_t value = pfpu_lower_number(lowering, 0.0);
    for (int i = 0; i < (int)floor(fmax(turns->number, 0.0)) && !lowering->failed; i++) {
        value = pfpu_lower_value(lowering, node->arguments[1]);
    }
    return value;
}
