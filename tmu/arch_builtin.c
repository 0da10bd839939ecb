#include "tmu/arch_builtin.h"

#include <stdio.h>
#include <string.h>

#include "tmu/arch_texts.h"

const char *tmu_arch_builtin_name(size_t index)
{
    return index < tmu_arch_texts_count ? tmu_arch_texts[index].name : NULL;
}

void tmu_arch_builtin_names(char *text, size_t size)
{
    size_t used = 0;
    text[0] = '\0';
    for (size_t i = 0; i < tmu_arch_texts_count && used < size; i++) {
        const int length =
            snprintf(text + used, size - used, "%s%s", i > 0 ? ", " : "", tmu_arch_texts[i].name);
        used += length > 0 ? (size_t)length : 0;
    }
}

bool tmu_arch_builtin(struct tmu_arch *arch, const char *name, const struct base_diag_sink *sink)
{
    for (size_t i = 0; i < tmu_arch_texts_count; i++) {
        if (strcmp(tmu_arch_texts[i].name, name) == 0) {
            return tmu_arch_read(arch, name, name, base_span_of(tmu_arch_texts[i].text), sink);
        }
    }
    char names[128];
    tmu_arch_builtin_names(names, sizeof names);
    base_report(sink, BASE_ERROR, (struct base_place){NULL, 0, 0}, names,
                "no machine is called '%.32s'", name);
    return false;
}
