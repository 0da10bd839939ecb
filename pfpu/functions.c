#include "pfpu/functions.h"

#include <stddef.h>

#include "pfpu/names.h"

const struct pfpu_function pfpu_functions[PFPU_FUNCTION_COUNT] = {
#define PFPU_FUNCTION(id, name, arity, kind, operation)                                            \
    [PFPU_FUNCTION_##id] = {name, arity, PFPU_KIND_##kind, PFPU_OP_##operation},
#include "pfpu/functions.def"
#undef PFPU_FUNCTION
};

static int compare(struct base_span name, const char *lower)
{
    for (size_t i = 0; i < name.size; i++) {
        const int difference = pfpu_lower_case(name.data[i]) - lower[i];
        if (difference != 0 || lower[i] == '\0') {
            return difference;
        }
    }
    return lower[name.size] == '\0' ? 0 : -1;
}

const struct pfpu_function *pfpu_function_find(struct base_span name)
{
    size_t low = 0;
    size_t high = PFPU_FUNCTION_COUNT;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        const int order = compare(name, pfpu_functions[middle].name);
        if (order == 0) {
            return &pfpu_functions[middle];
        }
        if (order < 0) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    return NULL;
}
