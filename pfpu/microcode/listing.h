/* Microcode as text: assembly, hexadecimal, and a picture of the schedule. */
#ifndef PFPU_MICROCODE_LISTING_H
#define PFPU_MICROCODE_LISTING_H

#include "base/arena.h"
#include "pfpu/microcode/microcode.h"

/* Text of lines and columns that grows in an arena, of microcode and of other programs.
 * Zero-initialise all but the arena. */
struct pfpu_print {
    struct base_arena *arena;
    char *text;
    size_t size;
    size_t capacity;
    size_t line;    /* where the last line begins */
    bool no_memory; /* what was written since is missing */
};

void pfpu_print_bytes(struct pfpu_print *text, const char *data, size_t size);

/* Appends as printf does, 255 characters at most. */
void pfpu_print(struct pfpu_print *text, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* The text, NUL-terminated, in the arena; NULL without memory. */
char *pfpu_print_end(struct pfpu_print *text);

/* Names a key for people; the text lives as long as the caller's data. */
struct pfpu_key_names {
    const char *(*name)(const void *user, int32_t key);
    const void *user;
};

/* Text in the arena, NULL without memory. */
char *pfpu_listing_asm(const struct pfpu_microcode *microcode, const struct pfpu_key_names *names,
                       struct base_arena *arena);

/* One word per line, eight hexadecimal digits. With K > 1 vertices in flight "# mesh: stages K"
 * comes first: a host shifts the mesh for such a program. */
char *pfpu_listing_hex(const struct pfpu_microcode *microcode, struct base_arena *arena);

/* The registers before the run, "r5 3fc00000" for each constant; those with a key hold 0, and a
 * comment behind '#' names them. R0 and R1, which the coprocessor sets, are left out. */
char *pfpu_listing_registers(const struct pfpu_microcode *microcode,
                             const struct pfpu_key_names *names, struct base_arena *arena);

/* Slots over cycles: for each word what issues, what is under way in each pipeline and what
 * commits, 100 columns at most. */
char *pfpu_listing_schedule(const struct pfpu_target *target,
                            const struct pfpu_microcode *microcode, struct base_arena *arena);

#endif
