#include "facts.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { CELLS = 8 };

struct row {
    char cells[CELLS][FACTS_TEXT_MAX];
    size_t count;
};

/* "| a | b |" to cells without blanks around them. */
static bool split(const char *line, struct row *row)
{
    row->count = 0;
    if (*line != '|') {
        return false;
    }
    line++;
    while (row->count < CELLS && strchr(line, '|') != NULL) {
        while (*line == ' ') {
            line++;
        }
        size_t length = strcspn(line, "|");
        const char *next = line + length + 1;
        while (length > 0 && line[length - 1] == ' ') {
            length--;
        }
        (void)snprintf(row->cells[row->count++], FACTS_TEXT_MAX, "%.*s", (int)length, line);
        line = next;
    }
    return row->count >= 4;
}

static void read_list(const char *text, struct facts_list *list)
{
    list->count = 0;
    while (list->count < FACTS_LIST_MAX && *text != '\0' && *text != ';') {
        if (isdigit((unsigned char)*text)) {
            char *end = NULL;
            list->values[list->count++] = (int)strtol(text, &end, 10);
            text = end;
        } else {
            text++;
        }
    }
}

static void read_centroid(struct fact *fact, const char *channel)
{
    static const char *const names[] = {"blue", "green", "red"};
    for (int i = 0; i < 3; i++) {
        if (strcmp(channel, names[i]) != 0) {
            continue;
        }
        fact->shift = 8 * i;
        if (strcmp(fact->expectation, "no such pixel") == 0) {
            fact->check = facts_check_absent;
        } else if (sscanf(fact->expectation, "(%lf, %lf) [%lf]", &fact->expected[0],
                          &fact->expected[1], &fact->expected[2]) == 3) {
            fact->check = facts_check_centroid;
        }
    }
}

static void read_dots(struct fact *fact)
{
    const char *rows = strstr(fact->expectation, "rows");
    if (rows != NULL) {
        read_list(fact->expectation, &fact->columns);
        read_list(rows, &fact->rows);
        fact->check = facts_check_dots;
    }
}

static void understand(struct fact *fact)
{
    char channel[8] = "";
    double *expected = fact->expected;
    const char *text = fact->expectation;
    if (sscanf(fact->what, "pixel (%d, %d)", &fact->x, &fact->y) == 2) {
        if (sscanf(text, "%lf %lf %lf", &expected[0], &expected[1], &expected[2]) == 3) {
            fact->check = facts_check_pixel;
        }
    } else if (sscanf(fact->what, "centroid %7s", channel) == 1) {
        read_centroid(fact, channel);
    } else if (sscanf(text, "%lf", &expected[0]) == 1) {
        if (sscanf(fact->what, "first row, column %d", &fact->x) == 1) {
            fact->check = facts_check_first_row;
        } else if (sscanf(fact->what, "last row, column %d", &fact->x) == 1) {
            fact->check = facts_check_last_row;
        } else if (strcmp(fact->what, "lit pixels") == 0) {
            fact->check = facts_check_lit;
        }
    } else if (strcmp(fact->what, "left and top pixel of the dots") == 0) {
        read_dots(fact);
    }
    if (fact->x < 0 || fact->x >= FACTS_WIDTH || fact->y < 0 || fact->y >= FACTS_HEIGHT) {
        fact->check = NULL;
    }
}

static struct fact *add(struct facts_section *section, unsigned frame, const char *tolerance)
{
    if (section->count == FACTS_SECTION_MAX) {
        (void)fprintf(stderr, "facts: %s: too many rows\n", section->name);
        exit(1);
    }
    struct fact *fact = &section->facts[section->count++];
    *fact = (struct fact){.frame = frame, .tolerance = strtod(tolerance, NULL)};
    return fact;
}

static void add_plain(struct facts_section *section, const struct row *row, unsigned frame)
{
    struct fact *fact = add(section, frame, row->cells[3]);
    memcpy(fact->what, row->cells[1], sizeof fact->what);
    memcpy(fact->expectation, row->cells[2], sizeof fact->expectation);
    understand(fact);
}

static void add_levels(struct facts_section *section, const struct row *heading,
                       const struct row *row, unsigned frame)
{
    static const int inside[] = {10, 96}; /* columns of the outer and the inner border */
    for (int i = 0; i < 2; i++) {
        struct fact *fact = add(section, frame, row->cells[3]);
        memcpy(fact->what, heading->cells[1 + i], sizeof fact->what);
        memcpy(fact->expectation, row->cells[1 + i], sizeof fact->expectation);
        fact->x = inside[i];
        fact->y = FACTS_HEIGHT / 2;
        if (sscanf(fact->expectation, "%lf", &fact->expected[0]) == 1) {
            fact->check = facts_check_level;
        }
    }
}

static void read_row(struct facts_section *section, const char *line, struct row *heading)
{
    struct row row;
    if (!split(line, &row) || strncmp(row.cells[0], "--", 2) == 0) {
        return;
    }
    if (strcmp(row.cells[0], "frame") == 0) {
        *heading = row;
        return;
    }
    const unsigned frame = (unsigned)strtoul(row.cells[0], NULL, 10);
    if (strcmp(heading->cells[1], "what") == 0) {
        add_plain(section, &row, frame);
    } else {
        add_levels(section, heading, &row, frame);
    }
}

/* Takes the name of a heading "## name"; "## Several words" is no preset. */
static bool read_heading(const char *line, char *name)
{
    return sscanf(line, "## %127[A-Za-z0-9_]", name) == 1 &&
           line[strlen("## ") + strlen(name)] == '\n';
}

bool facts_read_section(FILE *page, struct facts_section *section)
{
    char line[2048];
    char name[FACTS_SECTION_MAX];
    struct row heading = {.count = 0};
    *section = (struct facts_section){.count = 0};
    long before = ftell(page);
    while (fgets(line, sizeof line, page) != NULL) {
        const bool begins = read_heading(line, name);
        if (begins && section->count > 0) {
            (void)fseek(page, before, SEEK_SET);
            return true;
        }
        if (begins) {
            memcpy(section->name, name, sizeof name);
        } else if (section->name[0] != '\0') {
            read_row(section, line, &heading);
        }
        before = ftell(page);
    }
    return section->count > 0;
}
