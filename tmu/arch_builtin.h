/* The machines that come with froth: the texts of tmu/arch/, built into the program. */
#ifndef TMU_ARCH_BUILTIN_H
#define TMU_ARCH_BUILTIN_H

#include <stdbool.h>
#include <stddef.h>

#include "base/diag.h"
#include "tmu/arch.h"

/* A machine by its name. False with a message that lists the names if there is none; *arch is then
 * undefined. */
bool tmu_arch_builtin(struct tmu_arch *arch, const char *name, const struct base_diag_sink *sink);

/* Names in alphabetical order; NULL from the count on. */
const char *tmu_arch_builtin_name(size_t index);

/* Writes "attila, furygpu, ..." for help and messages; cut if it does not fit. */
void tmu_arch_builtin_names(char *text, size_t size);

#endif
