/* Whatever bytes come in: a tree within the limits, or one message. */
#include <stdlib.h>
#include <string.h>

#include "base/os/yaml.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Every value is reached, stands somewhere, and may be asked for in every form. */
static size_t count_nodes(const struct base_yaml *node, int depth)
{
    int64_t integer = 0;
    double number = 0;
    bool truth = false;
    if (depth > BASE_YAML_DEPTH || node->line == 0 || node->column == 0 ||
        (base_yaml_integer(node, &integer) && !base_yaml_number(node, &number)) ||
        (base_yaml_truth(node, &truth) && base_yaml_number(node, &number))) {
        abort();
    }
    size_t count = 1;
    for (const struct base_yaml *child = node->first; child != NULL; child = child->next) {
        if (node->kind == BASE_YAML_MAP && strlen(child->key.data) == child->key.size &&
            base_yaml_get(node, child->key.data) != child) {
            abort();
        }
        count += count_nodes(child, depth + 1);
    }
    return count;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct base_diag_list messages;
    messages = (struct base_diag_list){.count = 0};
    const struct base_diag_sink sink = base_diag_list_sink(&messages);
    struct base_arena arena = {0};
    const struct base_yaml *root =
        base_yaml_read(&arena, "fuzz", (struct base_span){(const char *)data, size}, &sink);
    if ((root == NULL) != (messages.count == 1) ||
        (root != NULL && count_nodes(root, 0) > BASE_YAML_NODES)) {
        abort();
    }
    base_arena_free(&arena);
    return 0;
}
