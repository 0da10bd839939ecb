/* Outputs of the display, which are monitors and projectors, and on which of them the show belongs.
 * Reading them is the window's thread's; all else is plain data and knows no window. */
#ifndef UI_OUTPUTS_H
#define UI_OUTPUTS_H

#include <stdbool.h>

#include "ui/toolkit/text.h"

enum { UI_OUTPUTS_MAX = 16, UI_OUTPUT_NAME = 64 };

struct ui_output {
    char name[UI_OUTPUT_NAME];        /* as the system calls it, such as HDMI-1 */
    char description[UI_OUTPUT_NAME]; /* what it is, such as its maker and model; may be empty */
    struct ui_rect place;             /* in the desktop */
    int index;                        /* by which the window's system knows it */
};

/* The desktop's primary one first. Those that show the same are one, whose name has both. */
struct ui_outputs {
    struct ui_output items[UI_OUTPUTS_MAX];
    int count;
};

/* What the X server says of outputs and windows; a connection of its own to it. */
struct ui_outputs_reader;

/* NULL where there is no such server. */
struct ui_outputs_reader *ui_outputs_open(void);
void ui_outputs_close(struct ui_outputs_reader *reader); /* NULL is fine */

/* Something may have changed since the last call. Does not wait for the server. */
bool ui_outputs_changed(struct ui_outputs_reader *reader);

/* Waits for the server. Adds those that show something. */
void ui_outputs_read(struct ui_outputs_reader *reader, struct ui_outputs *outputs);

/* Where a window of the server is in the desktop, without what is around it; false if there is no
 * such window. Waits for the server. */
bool ui_outputs_place(struct ui_outputs_reader *reader, unsigned long window,
                      struct ui_rect *place);

/* Dots per inch that the desktop (Xft.dpi), or else the server (-dpi), was set to when the reader
 * was opened; 0: to nothing but the usual 96. */
double ui_outputs_dots(struct ui_outputs_reader *reader);
/* What the resources of a server, "name:\tvalue" lines, say of that. NULL is fine. */
double ui_outputs_dots_of(const char *resources);

/* Joins an output to the list, or to the one that shows the same. Left out where it is full. */
void ui_outputs_add(struct ui_outputs *outputs, const char *name, struct ui_rect place,
                    bool primary);

/* Adds an output, each of which stays its own; equal descriptions get numbers: "Foo", "Foo 2". What
 * has an empty name is called by its description. Left out where the list is full. */
void ui_outputs_add_apart(struct ui_outputs *outputs, const struct ui_output *output);

/* Which of `told`, that another source tells of, is this output, which has a name and a place too;
 * -1: none. taken: bits of those that are another's already. */
int ui_outputs_match(const struct ui_output *told, int count, unsigned taken,
                     const struct ui_output *output);

/* Index of the output that is meant by a number, counted from 1, or by a part of its name or
 * description, a whole one first, then names; ASCII case does not count. -1: there is none. */
int ui_outputs_find(const struct ui_outputs *outputs, const char *wish);

/* Index of the output that holds the most of the rectangle; -1: none holds anything. */
int ui_outputs_at(const struct ui_outputs *outputs, struct ui_rect rect);

/* Index of an output for the operator where the show is on another one: the first; -1: none. */
int ui_outputs_beside(const struct ui_outputs *outputs, int show);

/* Where the show belongs. */
struct ui_stage {
    char wish[UI_OUTPUT_NAME]; /* what was told, as ui_outputs_find takes it; empty: nothing */
    char home[UI_OUTPUT_NAME]; /* the output that this came to; empty: none yet */
    bool apart;                /* nothing was told: not on the primary one, if there is another */
    bool sole;                 /* home was the only one */
    bool lost;                 /* home is not there */
    bool reached;              /* the show was seen there since anything changed */
};

enum ui_stage_order {
    UI_STAGE_STAY,
    UI_STAGE_LOST, /* home is gone: told once */
    UI_STAGE_GO,   /* to be put on *to */
    UI_STAGE_BACK, /* to be put on *to, which came or came back */
};

/* What is told by --monitor or the command: the show belongs there from now on. "" with apart: see
 * there; "" without: it belongs nowhere. */
void ui_stage_tell(struct ui_stage *stage, const char *wish, bool apart);

/* The show stands on the output `at` (-1: on none). changed: the outputs are others than before.
 * Where they are not, and the show was at home, who moved it was the user: that is its home then.
 */
enum ui_stage_order ui_stage_follow(struct ui_stage *stage, const struct ui_outputs *outputs,
                                    int at, bool changed, int *to);

#endif
