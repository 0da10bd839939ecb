/* Facts about pictures: a page (Markdown) with a section for each preset and a table of what its
 * frames must show. Presets stand beside the page as NAME.milk.
 *
 * | frame | what | expected | tol | ...
 *   pixel (x, y)               r g b                     tol per channel, 0..255
 *   centroid red|green|blue    (x, y) [count]            mean of (x + 0.5, y + 0.5) over the pixels
 *                                                        whose channel is above 100, weighted by
 * it; the count may be 5 % off no such pixel first row, column x        y uppermost pixel with a
 * channel above 60 last row, column x         y                         lowest such pixel lit
 * pixels                 count                     pixels with a channel above 60 left and top
 * pixel of the dots columns a, b; rows c, d   where runs of lit columns and rows begin
 *
 * A table whose second heading is not "what" holds levels: | frame | level | level_att | tol |,
 * shown as (red + green/255)/8 of the outer and the inner border at the left edge. */
#ifndef TESTS_FACTS_FACTS_H
#define TESTS_FACTS_FACTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum {
    FACTS_WIDTH = 640,
    FACTS_HEIGHT = 480,
    FACTS_TEXT_MAX = 400,
    FACTS_LIST_MAX = 64,
    FACTS_SECTION_MAX = 128,
};

struct facts_list {
    int values[FACTS_LIST_MAX];
    size_t count;
};

struct fact;

/* True when the picture shows the fact; else `got` says what it shows instead. */
typedef bool (*facts_check)(const struct fact *fact, const uint32_t *pixels, char *got,
                            size_t size);

struct fact {
    unsigned frame;
    facts_check check; /* NULL: the row was not understood */
    int x;
    int y;
    int shift;          /* of the channel in a pixel */
    double expected[3]; /* colour; or x, y, count */
    struct facts_list columns;
    struct facts_list rows;
    double tolerance;
    char what[FACTS_TEXT_MAX]; /* as in the page */
    char expectation[FACTS_TEXT_MAX];
};

struct facts_section {
    char name[FACTS_SECTION_MAX];
    struct fact facts[FACTS_SECTION_MAX];
    size_t count;
};

/* Reads the next section that has a name; lines before the first heading are passed over. Returns
 * false at the end of the page. */
bool facts_read_section(FILE *page, struct facts_section *section);

bool facts_check_pixel(const struct fact *fact, const uint32_t *pixels, char *got, size_t size);
bool facts_check_centroid(const struct fact *fact, const uint32_t *pixels, char *got, size_t size);
bool facts_check_absent(const struct fact *fact, const uint32_t *pixels, char *got, size_t size);
bool facts_check_first_row(const struct fact *fact, const uint32_t *pixels, char *got, size_t size);
bool facts_check_last_row(const struct fact *fact, const uint32_t *pixels, char *got, size_t size);
bool facts_check_lit(const struct fact *fact, const uint32_t *pixels, char *got, size_t size);
bool facts_check_dots(const struct fact *fact, const uint32_t *pixels, char *got, size_t size);
bool facts_check_level(const struct fact *fact, const uint32_t *pixels, char *got, size_t size);

#endif
