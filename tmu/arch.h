/* A texture machine as data: how texels lie in memory, which of them are asked for at once, what
 * caches and what memory they meet. The files are YAML (tmu/arch/); their keys stand in arch.def.
 */
#ifndef TMU_ARCH_H
#define TMU_ARCH_H

#include <stdbool.h>
#include <stdint.h>

#include "base/diag.h"
#include "base/span.h"

/* Generated from arch.def: one member for each key, uint32_t, or double for rates. */
struct tmu_arch;

/* Reads a file's text. `name` is what the machine is called (of the file, without folder and
 * ending). False with messages at line and column: unknown keys, values out of range, machines that
 * make no sense. */
bool tmu_arch_read(struct tmu_arch *arch, const char *name, const char *file, struct base_span text,
                   const struct base_diag_sink *sink);

/* Another size of the first-level cache; the rest stays. False if the machine cannot have it. */
bool tmu_arch_resize(struct tmu_arch *arch, uint32_t bytes);

/* The published inequalities (tmu.md section 7): false with a message if two channels of one pixel
 * could need different lines at the same place of a direct-mapped cache. */
bool tmu_arch_check_conflicts(const struct tmu_arch *arch, uint32_t texture_width,
                              uint32_t texture_height, const struct base_diag_sink *sink);

#endif
