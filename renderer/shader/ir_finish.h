/* Inside ir_finish*.c: what one round of the passes finds out about a list before it is made anew.
 */
#ifndef RENDERER_SHADER_IR_FINISH_H
#define RENDERER_SHADER_IR_FINISH_H

#include "renderer/shader/ir_inside.h"

/* The whole list (number 0), an IF with both parts, or a loop. Inner ones follow outer ones. */
struct shader_region {
    shader_value begin; /* IF or LOOP */
    shader_value other; /* ELSE, or SHADER_NO_VALUE */
    shader_value end;   /* ENDIF or ENDLOOP */
    uint32_t parent;
    uint32_t loop;       /* the innermost loop that it is or lies in; 0: none */
    shader_value whiles; /* the last one; the others by `chain` */
    size_t open_whiles;  /* whose condition is not known */
    double cost;         /* of what stays in it, inner ones included */
    bool idle; /* a loop that changes nothing: none enters, or all leave in the first round */
    bool needed;
    bool part_needed[2];
    bool flat;             /* an IF without markers from now on */
    shader_value moved[2]; /* first and last of the values that move in front of this loop */
};

struct shader_analysis {
    const struct shader_ir *ir;
    struct shader_region *regions;
    size_t region_count;
    uint32_t *region;    /* of each value: the innermost one; of a marker: its own */
    uint32_t *home;      /* of each value: where it will stand */
    uint32_t *before;    /* of each value: the loop in front of which it moves, or 0 */
    shader_value *chain; /* next moved value, or while */
    bool *uniform;
    bool *live;
    bool *still; /* carries that keep their start */
};

/* The arena's memory. false without. The list keeps the rules. */
bool shader_analyse(struct shader_analysis *analysis, const struct shader_ir *ir,
                    struct base_arena *arena, bool flatten);

/* Makes a list anew: `to` is empty, with the same fetches. */
void shader_rewrite(const struct shader_analysis *analysis, struct shader_ir *to,
                    shader_value *map);

/* Whether the value is the same for all pixels, given the same of those before it. */
bool shader_is_uniform(const struct shader_instruction *instruction, const bool *uniform);

#endif
