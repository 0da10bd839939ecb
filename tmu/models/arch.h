/* A texture machine as data: how texels lie in memory, which of them are asked for at once, what
 * caches and what memory they meet. The files are YAML (tmu/models/arch/); their keys stand in
 * arch.def. */
#ifndef TMU_MODELS_ARCH_H
#define TMU_MODELS_ARCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"

#define TMU_ARCH_WORD(section, key, start, help)                                                   \
    enum tmu_arch_##section##_##key                                                                \
    {
#define TMU_ARCH_CHOICE(section, key, name, word) name,
#define TMU_ARCH_END(section, key)                                                                 \
    }                                                                                              \
    ; /* one enumeration for each key that takes words */
#include "tmu/models/arch.def"

enum {
    TMU_ARCH_NAME = 32,
    TMU_ARCH_LINES = 262144 /* of a level of cache */
};

/* Made by tmu_arch_read or tmu_arch_builtin, which see to it that the values fit together. */
struct tmu_arch {
    char name[TMU_ARCH_NAME];
#define TMU_ARCH_COUNT(section, key, low, high, start, help) uint32_t section##_##key;
#define TMU_ARCH_RATE(section, key, low, high, start, help)  double section##_##key;
#define TMU_ARCH_TRUTH(section, key, start, help)            uint32_t section##_##key;
#define TMU_ARCH_WORD(section, key, start, help)             uint32_t section##_##key;
#include "tmu/models/arch.def"
};

/* Reads a file's text. `name` is what the machine is called (of the file, without folder and
 * ending; cut if it is long). False with messages at line and column: unknown keys, values out of
 * range, machines that make no sense, 20 messages at most; *arch is then undefined. */
bool tmu_arch_read(struct tmu_arch *arch, const char *name, const char *file, struct base_span text,
                   const struct base_diag_sink *sink);

/* Changes what a text names, written as in a machine file; the rest stays. False with messages as
 * above; *arch is then as before. */
bool tmu_arch_change(struct tmu_arch *arch, const char *file, struct base_span text,
                     const struct base_diag_sink *sink);

/* Another size of the first-level cache; the rest stays. False if the machine cannot have it;
 * *arch is then as before. */
bool tmu_arch_resize(struct tmu_arch *arch, uint32_t bytes);

/* What does not fit together, in words; NULL if all does. *key becomes "section.key" of the value
 * to change. */
const char *tmu_arch_problem(const struct tmu_arch *arch, const char **key);

/* The published inequalities (spec/tmu.md section 7): false with a message if two channels of one
 * pixel could need different lines at the same place of a direct-mapped cache of linear textures.
 * Those of wrapped textures count for machines that ask for texels across the edge
 * (requests.weightless); textures are taken to begin at a line. */
bool tmu_arch_check_conflicts(const struct tmu_arch *arch, uint32_t texture_width,
                              uint32_t texture_height, const struct base_diag_sink *sink);

/* The machines that come with froth: the texts of tmu/models/arch/, built into the program. */

/* A machine by its name. False with a message that lists the names if there is none; *arch is then
 * undefined. */
bool tmu_arch_builtin(struct tmu_arch *arch, const char *name, const struct base_diag_sink *sink);

/* Names in alphabetical order; NULL from the count on. */
const char *tmu_arch_builtin_name(size_t index);

/* Writes "attila, furygpu, ..." for help and messages; cut if it does not fit. */
void tmu_arch_builtin_names(char *text, size_t size);

/* The texts of tmu/models/arch/, in alphabetical order; written by the build
 * (tools/embed_text.cmake). */

struct tmu_arch_text {
    const char *name;
    const char *text;
};

extern const struct tmu_arch_text tmu_arch_texts[];
extern const size_t tmu_arch_texts_count;

#endif
