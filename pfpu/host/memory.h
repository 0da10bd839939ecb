/* megabuf and gmegabuf (spec/milk-expressions.md section 7). */
#ifndef PFPU_HOST_MEMORY_H
#define PFPU_HOST_MEMORY_H

#include "pfpu/host/run.h"

double pfpu_memory_load(const struct pfpu_instance *instance, const struct pfpu_globals *globals,
                        double index);
void pfpu_memory_store(struct pfpu_instance *instance, struct pfpu_globals *globals, double index,
                       double value);

double pfpu_global_load(const struct pfpu_globals *globals, double index);
void pfpu_global_store(struct pfpu_globals *globals, double index, double value);

/* Cells that memset or memcpy may touch at most, for the budget. */
int64_t pfpu_memory_span(double count);

/* Clipped to the valid cells. The value is filtered. */
void pfpu_memory_fill(struct pfpu_instance *instance, struct pfpu_globals *globals,
                      double destination, double value, double count);

/* Clipped where source or destination is not valid; as if the source was read completely before. */
void pfpu_memory_copy(struct pfpu_instance *instance, struct pfpu_globals *globals,
                      double destination, double source, double count);

#endif
