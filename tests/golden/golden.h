/* Golden pictures: small renderings with exact hashes. A table is a text file; lines that begin
 * with # are comments, the first other one names the columns, each further one is a case. Words
 * stand between blanks; - is an empty one.
 *
 *   name      of the case
 *   preset    NAME.milk beside the table, its first line is [preset00]
 *   set       lines that go before those of the preset, with | between: key=value|key=value
 *   against   !CASE: the last picture differs from that of the other case (of this table)
 *             =CASE: it is the same
 *             flat: it has one colour, which is an error elsewhere
 *   equation  yes: the first line of `set` can be said in equations too, with the same pictures
 *   size      WxH
 *   mesh      WxH cells
 *   sound     test or demo
 *   next      NAME.milk that takes its place, from frame 4 to 34
 *   way       transition by which it does (transitions.def)
 *   frames    numbers from 1, growing, with commas between
 *   hash      of the picture of each, in hex; the last column
 *
 * Columns but the first and the last may be missing, which gives their default. TABLE.png beside
 * TABLE.txt is for the eye: the last picture of each case, row by row. */
#ifndef TESTS_GOLDEN_GOLDEN_H
#define TESTS_GOLDEN_GOLDEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/cpu.h"
#include "renderer/show.h"

enum {
    GOLDEN_CASES_MAX = 256,
    GOLDEN_FRAMES_MAX = 4,
    GOLDEN_NAME_MAX = 256,
    GOLDEN_WORD_MAX = 512,
    GOLDEN_PATH_MAX = 1024,
    GOLDEN_SHEET_COLUMNS = 12,
};

struct golden_pair {
    int width;
    int height;
};

struct golden_case {
    unsigned line; /* in the table */
    char name[GOLDEN_NAME_MAX];
    char preset[GOLDEN_NAME_MAX];
    char set[GOLDEN_WORD_MAX];
    char against[GOLDEN_NAME_MAX];
    bool equation;
    struct golden_pair size;
    struct golden_pair mesh;
    char sound[16];
    char next[GOLDEN_NAME_MAX];
    enum rend_transition way;
    unsigned frames[GOLDEN_FRAMES_MAX];
    size_t frame_count;
    uint64_t hashes[GOLDEN_FRAMES_MAX];
    size_t hash_count;
    bool lenient; /* not of a table: messages about the preset do not matter */
};

struct golden_table {
    char path[GOLDEN_PATH_MAX];
    char folder[GOLDEN_PATH_MAX];
    char name[64]; /* of the file, without its ending */
    struct golden_case cases[GOLDEN_CASES_MAX];
    size_t count;
};

/* 0, or -1 with a message. */
int golden_table_read(struct golden_table *table, const char *path);

/* Writes the file anew, with hashes[case][frame] instead of those that stand there. */
int golden_table_write(const struct golden_table *table, uint64_t hashes[][GOLDEN_FRAMES_MAX]);

const struct golden_case *golden_find(const struct golden_table *table, const char *name);

/* What a case looks like; each picture is width * height pixels, owned. */
struct golden_pictures {
    uint32_t *pixels[GOLDEN_FRAMES_MAX];
    uint64_t hashes[GOLDEN_FRAMES_MAX];
};
void golden_pictures_free(struct golden_pictures *pictures);

/* set: instead of that of the case. device: NULL: the processor draws. 0, or -1 with a message. */
int golden_draw(const struct golden_table *table, const struct golden_case *of, const char *set,
                enum base_cpu_level cpu, const struct rend_device *device,
                struct golden_pictures *pictures);

/* One picture of a size. */
struct golden_image {
    uint32_t *pixels; /* owned */
    int width;
    int height;
};

/* PNG files; 0, or -1 with a message. */
int golden_png_write(const char *path, const uint32_t *pixels, int width, int height);
int golden_png_read(const char *path, struct golden_image *image);

/* The sheet of a table: where each case stands on it. */
struct golden_pair golden_sheet_size(const struct golden_table *table);
struct golden_pair golden_sheet_place(const struct golden_table *table, size_t index);

/* Copies a part of the sheet; false if the sheet does not reach there. */
bool golden_cut(const struct golden_image *sheet, struct golden_pair place, struct golden_pair size,
                uint32_t *pixels);

/* The difference of two pictures, eight times as strong, and how much it is. */
struct golden_difference {
    size_t pixels; /* that differ */
    int largest;   /* of any channel */
};
struct golden_difference golden_difference(const uint32_t *a, const uint32_t *b, size_t count,
                                           uint32_t *out);

#endif
