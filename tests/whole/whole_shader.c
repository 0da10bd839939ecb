#include "whole.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

/* ---- blurred pictures: section 9.4 ---- */

void whole_blur_create(struct whole_blur *blur, int width, int height)
{
    for (int pass = 0; pass < WHOLE_BLUR_PASSES; pass++) {
        if (pass != 3 && pass != 5) {
            width = width / 2 > 16 ? width / 2 : 16;
            height = height / 2 > 16 ? height / 2 : 16;
        }
        blur->pass[pass] = whole_picture_create((width + 3) / 16 * 16, (height + 3) / 4 * 4);
    }
}

void whole_blur_free(struct whole_blur *blur)
{
    for (int pass = 0; pass < WHOLE_BLUR_PASSES; pass++) {
        free(blur->pass[pass].rgb);
    }
}

struct range {
    double min;
    double max;
};

static void blur_ranges(const double *value, struct range range[WHOLE_BLURS])
{
    for (int level = 0; level < WHOLE_BLURS; level++) {
        range[level] = (struct range){value[PRESET_KEY_blur1_min + level],
                                      value[PRESET_KEY_blur1_max + level]};
        if (level > 0) {
            range[level].min = fmax(range[level].min, range[level - 1].min);
            range[level].max = fmin(range[level].max, range[level - 1].max);
        }
        if (range[level].max - range[level].min < 0.1) {
            const double mean = 0.5 * (range[level].min + range[level].max);
            range[level] = (struct range){mean - 0.05, mean + 0.05};
        }
    }
}

struct tap {
    double distance;
    double weight;
};

static void run_blur(const struct whole_picture *to, const struct whole_picture *from, int pass,
                     double scale, double bias, double edge, unsigned nudge)
{
    static const struct tap wide[] = {{0.974359, 7.8}, {2.90625, 6.4}, {4.774194, 3.1}, {6.6, 1}};
    static const struct tap tall[] = {{0.901408, 14.2}, {2.487805, 4.1}};
    const bool horizontal = pass % 2 == 0;
    const struct tap *taps = horizontal ? wide : tall;
    const double moved = pass == 2 || pass == 4 ? 1 : 0;
    for (int y = 0; y < to->height; y++) {
        for (int x = 0; x < to->width; x++) {
            const double u = (x + 0.5) / to->width;
            const double v = (y + 0.5) / to->height;
            double sum[WHOLE_CHANNELS] = {0};
            for (int k = 0; k < (horizontal ? 4 : 2); k++) {
                for (int sign = -1; sign <= 1; sign += 2) {
                    const double step = sign * taps[k].distance;
                    double rgb[WHOLE_CHANNELS];
                    whole_sample(from, u + (moved + (horizontal ? step : 0)) / from->width,
                                 v + (moved + (horizontal ? 0 : step)) / from->height, false, nudge,
                                 rgb);
                    for (int c = 0; c < WHOLE_CHANNELS; c++) {
                        sum[c] += rgb[c] * taps[k].weight / 36.6;
                    }
                }
            }
            const double near = fmin(fmin(u, 1 - u), fmin(v, 1 - v));
            const double light = pass == 1 ? (1 - edge) + edge * fmin(5 * sqrt(near), 1) : 1;
            for (int c = 0; c < WHOLE_CHANNELS; c++) {
                const double level = (sum[c] * scale + 255 * bias) * light;
                to->rgb[((size_t)y * (size_t)to->width + (size_t)x) * WHOLE_CHANNELS + (size_t)c] =
                    whole_byte(whole_nudged_level(level, WHOLE_PARTS, nudge));
            }
        }
    }
}

void whole_blur_step(struct whole_blur *blur, const struct whole_picture *from, int levels,
                     const struct whole_frame *frame)
{
    struct range range[WHOLE_BLURS];
    blur_ranges(frame->value, range);
    for (int pass = 0; pass < 2 * levels; pass++) {
        const int level = pass / 2;
        const struct range outer = level > 0 ? range[level - 1] : (struct range){0, 1};
        const double a = (range[level].min - outer.min) / (outer.max - outer.min);
        const double b = (range[level].max - outer.min) / (outer.max - outer.min);
        const double scale = pass % 2 == 0 ? 1 / (b - a) : 1;
        run_blur(&blur->pass[pass], pass == 0 ? from : &blur->pass[pass - 1], pass, scale,
                 pass % 2 == 0 ? -a * scale : 0, frame->value[PRESET_KEY_blur1_edge_darken],
                 frame->nudge);
    }
}

/* ---- uniforms: section 9.2 ---- */

static void put(float *out, size_t count, const double *values)
{
    for (size_t i = 0; i < count; i++) {
        out[i] = (float)values[i];
    }
}

static void put_sizes(float *out, double width, double height)
{
    const double values[4] = {width, height, 1 / width, 1 / height};
    put(out, 4, values);
}

static void put_roam(float *cosines, float *sines, const double speed[4], const double start[4],
                     double time)
{
    for (int i = 0; i < 4; i++) {
        cosines[i] = (float)(0.5 + 0.5 * cos(time * speed[i] + start[i]));
        sines[i] = (float)(0.5 + 0.5 * sin(time * speed[i] + start[i]));
    }
}

typedef double matrix[4][4];

static void multiply(matrix result, matrix with)
{
    matrix product = {{0}};
    for (int i = 0; i < 4; i++) {
        for (int j = 0; j < 4; j++) {
            for (int k = 0; k < 4; k++) {
                product[i][j] += result[i][k] * with[k][j];
            }
        }
    }
    memcpy(result, product, sizeof product);
}

/* Row vectors are turned from one axis towards the next. */
static void turn(matrix result, double angle, int from, int to)
{
    matrix with = {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}};
    with[from][from] = with[to][to] = cos(angle);
    with[from][to] = sin(angle);
    with[to][from] = -sin(angle);
    multiply(result, with);
}

static void put_rotation(float *out, const double angle[3], const double translation[3])
{
    matrix all = {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}};
    matrix moved = {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}};
    memcpy(moved[3], translation, 3 * sizeof(double));
    turn(all, angle[0], 1, 2);
    multiply(all, moved);
    turn(all, angle[2], 0, 1);
    turn(all, angle[1], 2, 0);
    for (int row = 0; row < 4; row++) {
        put(out + (ptrdiff_t)row * 3, 3, all[row]);
    }
}

static void fill_uniforms(float *out, const struct whole_frame *frame,
                          const struct whole_chances *chances, const struct range *blur)
{
    static const double fast[2][4] = {{0.329, 1.293, 5.070, 20.051}, {1.2, 3.9, 2.5, 5.4}};
    static const double slow[2][4] = {{0.0050, 0.0085, 0.0133, 0.0217}, {2.7, 5.3, 4.5, 3.8}};
    const double *level = frame->sound->level;
    const double *att = frame->sound->level_att;
    const double clock[4] = {fmod(frame->time, 10000), frame->fps, frame->frame, frame->progress};
    const double levels[4] = {level[0], level[1], level[2], (level[0] + level[1] + level[2]) / 3};
    const double atts[4] = {att[0], att[1], att[2], (att[0] + att[1] + att[2]) / 3};
    const double mip = log2(frame->width);
    const double mips[4] = {mip, mip, mip, 0};
    const double limits[6] = {blur[0].min, blur[0].max, blur[1].min,
                              blur[1].max, blur[2].min, blur[2].max};
    const double c5[4] = {blur[0].max - blur[0].min, blur[0].min, blur[1].max - blur[1].min,
                          blur[1].min};
    const double c6[4] = {blur[2].max - blur[2].min, blur[2].min, blur[0].min, blur[0].max};
    const double c13[4] = {blur[1].min, blur[1].max, blur[2].min, blur[2].max};
    memset(out, 0, SHADER_SLOTS * sizeof *out);
    for (int i = 0; i < 4; i++) {
        out[SHADER_SLOT_time + i] = out[SHADER_SLOT__c2 + i] = (float)clock[i];
        out[SHADER_SLOT_bass + i] = out[SHADER_SLOT__c3 + i] = (float)levels[i];
        out[SHADER_SLOT_bass_att + i] = out[SHADER_SLOT__c4 + i] = (float)atts[i];
        out[SHADER_SLOT_rand_frame + i] = chances->rand_frame[i];
        out[SHADER_SLOT_rand_preset + i] = chances->rand_preset[i];
    }
    put_sizes(out + SHADER_SLOT_aspect, frame->aspect_x, frame->aspect_y);
    put_sizes(out + SHADER_SLOT__c0, frame->aspect_x, frame->aspect_y);
    put_sizes(out + SHADER_SLOT_texsize, frame->width, frame->height);
    put_sizes(out + SHADER_SLOT__c7, frame->width, frame->height);
    out[SHADER_SLOT_mip_x] = out[SHADER_SLOT_mip_y] = out[SHADER_SLOT_mip_avg] = (float)mip;
    put(out + SHADER_SLOT_mip_xy, 2, mips);
    put(out + SHADER_SLOT__c12, 4, mips);
    put(out + SHADER_SLOT_blur1_min, 6, limits);
    put(out + SHADER_SLOT__c5, 4, c5);
    put(out + SHADER_SLOT__c6, 4, c6);
    put(out + SHADER_SLOT__c13, 4, c13);
    put_roam(out + SHADER_SLOT_roam_cos, out + SHADER_SLOT_roam_sin, fast[0], fast[1], frame->time);
    put_roam(out + SHADER_SLOT_slow_roam_cos, out + SHADER_SLOT_slow_roam_sin, slow[0], slow[1],
             frame->time);
    put_roam(out + SHADER_SLOT__c8, out + SHADER_SLOT__c9, fast[0], fast[1], frame->time);
    put_roam(out + SHADER_SLOT__c10, out + SHADER_SLOT__c11, slow[0], slow[1], frame->time);
    put(out + SHADER_SLOT_q1, WHOLE_QS, frame->q);
    put(out + SHADER_SLOT__qa, WHOLE_QS, frame->q);
    for (int n = 0; n < WHOLE_ROTATIONS; n++) {
        double angle[3];
        for (int k = 0; k < 3; k++) {
            angle[k] = chances->angle[n][k] + chances->speed[n][k] * frame->time;
        }
        put_rotation(out + SHADER_SLOT_rot_s1 + (ptrdiff_t)n * 12, angle, chances->translation[n]);
    }
}

/* ---- reading textures: section 9.3 ---- */

static size_t texel_place(double whole, int size, bool repeat)
{
    return (size_t)(repeat ? whole - floor(whole / size) * size : fmin(fmax(whole, 0), size - 1));
}

static void add_texel(const struct shader_level *level, const size_t at[3], double weight,
                      double sum[4])
{
    const uint32_t texel = level->texels[at[0] + at[1] * level->pitch + at[2] * level->slice];
    sum[0] += weight * (texel >> 16 & 255) / 255;
    sum[1] += weight * (texel >> 8 & 255) / 255;
    sum[2] += weight * (texel & 255) / 255;
    sum[3] += weight * (texel >> 24) / 255;
}

static void read_level(const struct shader_level *level, struct shader_sampler sampler, bool volume,
                       unsigned nudge, const double c[3], double weight, double sum[4])
{
    const bool repeat = sampler.address == SHADER_REPEAT;
    const int size[3] = {level->width, level->height, level->depth};
    const int axes = volume ? 3 : 2;
    double fraction[3] = {0};
    size_t place[3][2] = {{0}};
    for (int axis = 0; axis < axes; axis++) {
        const double at = c[axis] * size[axis] - (sampler.linear ? 0.5 : 0);
        fraction[axis] = sampler.linear ? whole_weight(at - floor(at), nudge) : 0;
        place[axis][0] = texel_place(floor(at), size[axis], repeat);
        place[axis][1] = texel_place(floor(at) + 1, size[axis], repeat);
    }
    for (int corner = 0; corner < 1 << axes; corner++) {
        double part = weight;
        size_t at[3] = {0};
        for (int axis = 0; axis < axes; axis++) {
            const int far = corner >> axis & 1;
            part *= far != 0 ? fraction[axis] : 1 - fraction[axis];
            at[axis] = place[axis][far];
        }
        if (part > 0) {
            add_texel(level, at, part, sum);
        }
    }
}

static void read_texture(const struct shader_texture *texture, struct shader_sampler sampler,
                         bool volume, unsigned nudge, const double coordinate[3], double detail,
                         double sum[4])
{
    double c[3];
    for (int axis = 0; axis < 3; axis++) {
        c[axis] = fabs(coordinate[axis]) < 1e9 ? coordinate[axis] : 0;
    }
    const double top = texture->levels - 1;
    const double bounded = detail > 0 ? fmin(detail, top) : 0;
    memset(sum, 0, 4 * sizeof *sum);
    if (!sampler.linear) {
        read_level(&texture->level[(int)(bounded + 0.5)], sampler, volume, nudge, c, 1, sum);
    } else {
        const int low = (int)bounded;
        const double part = whole_weight(bounded - low, nudge);
        read_level(&texture->level[low], sampler, volume, nudge, c, 1 - part, sum);
        if (part > 0) {
            read_level(&texture->level[low + 1], sampler, volume, nudge, c, part, sum);
        }
    }
    sum[3] = texture->opaque ? 1 : sum[3];
}

/* ---- the list of operations, over two rows of pixels at a time ---- */

enum { LOOP_ROUNDS_MAX = 4096, QUAD = 2 };

/* Of nudges: how many last bits a place may be off. */
enum { INPUT_BITS = 4 };

struct lanes {
    const struct shader_ir *ir;
    const struct shader_texture *textures[SHADER_TEXTURES_MAX];
    const float *uniforms;
    size_t columns;
    size_t count; /* lanes: the upper row, then the lower one */
    float *values;
    float *inputs[SHADER_INPUTS];
    size_t *end;     /* of a marker: the list's place where its region ends, or goes on */
    size_t *begin;   /* of an ELSE: its IF */
    uint32_t *parts; /* of a read: its place among the reads */
    float *reads;    /* four components of each */
    bool endless;
    unsigned nudge;
};

static float *lane_of(const struct lanes *lanes, size_t value)
{
    return lanes->values + value * lanes->count;
}

static double quotient(double a, double b)
{
    const double result = a / b;
    return isnan(result) ? 0 : fmin(fmax(result, -(double)FLT_MAX), (double)FLT_MAX);
}

static double remainder_of(double a, double b)
{
    return b == 0 || isnan(b) || !isfinite(a) ? 0 : fmod(a, b);
}

static double logarithm(double a)
{
    return fabs(a) < (double)FLT_MIN ? -(double)FLT_MAX : log2(fabs(a));
}

static double compute(enum shader_op op, double a, double b, double c)
{
    switch (op) {
    case SHADER_OP_ADD:
        return a + b;
    case SHADER_OP_SUB:
        return a - b;
    case SHADER_OP_MUL:
        return a * b;
    case SHADER_OP_DIV:
        return quotient(a, b);
    case SHADER_OP_FMOD:
        return remainder_of(a, b);
    case SHADER_OP_MIN:
        return b < a ? b : a;
    case SHADER_OP_MAX:
        return a < b ? b : a;
    case SHADER_OP_NEG:
        return -a;
    case SHADER_OP_ABS:
        return fabs(a);
    case SHADER_OP_FLOOR:
        return floor(a);
    case SHADER_OP_CEIL:
        return ceil(a);
    case SHADER_OP_TRUNC:
        return trunc(a);
    case SHADER_OP_ROUND:
        return nearbyint(a);
    case SHADER_OP_FRAC:
        return a - floor(a);
    case SHADER_OP_SQRT:
        return sqrt(fabs(a));
    case SHADER_OP_RSQRT:
        return a == 0 ? (double)FLT_MAX : 1 / sqrt(fabs(a));
    case SHADER_OP_SIN:
        return sin(a);
    case SHADER_OP_COS:
        return cos(a);
    case SHADER_OP_EXP2:
        return a < -125.5 ? 0 : exp2(a);
    case SHADER_OP_LOG2:
        return logarithm(a);
    case SHADER_OP_ATAN2:
        return atan2(a, b);
    case SHADER_OP_ASIN:
        return asin(fmin(fmax(a, -1), 1));
    case SHADER_OP_ACOS:
        return acos(fmin(fmax(a, -1), 1));
    case SHADER_OP_LT:
        return a < b;
    case SHADER_OP_LE:
        return a <= b;
    case SHADER_OP_EQ:
        return a == b;
    case SHADER_OP_NE:
        return a < b || a > b;
    case SHADER_OP_AND:
        return a != 0 && b != 0;
    case SHADER_OP_OR:
        return a != 0 || b != 0;
    case SHADER_OP_NOT:
        return a == 0;
    case SHADER_OP_SELECT:
    case SHADER_OP_CHOOSE:
        return a != 0 ? b : c;
    default:
        (void)fprintf(stderr, "whole: an operation without a meaning\n");
        exit(1);
    }
}

/* What implementations make differently of an operation. Most have one right result in 32 bits.
 * a: its first argument. */
static double nudged_result(enum shader_op op, double result, double a, unsigned nudge)
{
    switch (op) {
    case SHADER_OP_SIN:
    case SHADER_OP_COS:
        if (nudge != 0 && fabs(a) > 1e4) {
            /* The last bits of so large an angle are what is left of others that were lost. */
            a += fabs(a) * 0x1p-23 * whole_error(a, nudge);
            result = op == SHADER_OP_SIN ? sin(a) : cos(a);
        }
        return nudge != 0 ? result + 1e-6 * whole_error(result, nudge) : result;
    case SHADER_OP_ASIN:
    case SHADER_OP_ACOS:
        return nudge != 0 ? result + 1e-6 * whole_error(result, nudge) : result;
    case SHADER_OP_ATAN2:
        return whole_nudged(result, 4, nudge);
    case SHADER_OP_EXP2:
    case SHADER_OP_LOG2:
    case SHADER_OP_RSQRT:
        return whole_nudged(result, 2, nudge);
    default:
        return result;
    }
}

/* The level of detail of the quad that a lane belongs to. */
static double quad_detail(const struct lanes *lanes, const struct shader_instruction *instruction,
                          const struct shader_level *level, bool volume, size_t lane)
{
    const size_t column = lane % lanes->columns / QUAD * QUAD;
    const double size[3] = {level->width, level->height, level->depth};
    double longest = 0;
    for (int down = 0; down < 2; down++) {
        const size_t other = down != 0 ? column + lanes->columns : column + 1;
        double square = 0;
        for (int axis = 0; axis < (volume ? 3 : 2); axis++) {
            const float *c = lane_of(lanes, instruction->argument[axis]);
            const double step = ((double)c[other] - (double)c[column]) * size[axis];
            square += step * step;
        }
        longest = isfinite(square) ? fmax(longest, square) : longest;
    }
    return longest > 1.002 ? 0.5 * log2(longest) : 0;
}

static void run_read(struct lanes *lanes, size_t value)
{
    const struct shader_instruction *instruction = &lanes->ir->list[value];
    const enum shader_op op = instruction->op;
    const struct shader_fetch *fetch = &lanes->ir->fetches[instruction->index];
    const struct shader_texture *texture = lanes->textures[fetch->binding];
    const bool volume = op >= SHADER_OP_READ3;
    const bool given = op == SHADER_OP_READ2_LOD || op == SHADER_OP_READ3_LOD;
    const bool biased = op == SHADER_OP_READ2_BIAS || op == SHADER_OP_READ3_BIAS;
    float *parts = lanes->reads + lanes->parts[value] * lanes->count * 4;
    for (size_t lane = 0; lane < lanes->count; lane++) {
        double c[3] = {0};
        double rgba[4] = {0};
        for (int axis = 0; axis < (volume ? 3 : 2); axis++) {
            c[axis] = (double)lane_of(lanes, instruction->argument[axis])[lane];
        }
        if (texture != NULL) {
            double detail = 0;
            if (texture->levels > 1) {
                const size_t last = instruction->argument[volume ? 3 : 2];
                detail = given ? 0 : quad_detail(lanes, instruction, texture->level, volume, lane);
                detail += given || biased ? (double)lane_of(lanes, last)[lane] : 0;
            }
            read_texture(texture, fetch->sampler, volume, lanes->nudge, c, detail, rgba);
        }
        for (size_t k = 0; k < 4; k++) {
            parts[k * lanes->count + lane] = (float)rgba[k];
        }
    }
}

static void set_all(const struct lanes *lanes, size_t value, float number)
{
    for (size_t lane = 0; lane < lanes->count; lane++) {
        lane_of(lanes, value)[lane] = number;
    }
}

static float uniform_at(const struct lanes *lanes, unsigned index)
{
    if (index < SHADER_SLOTS) {
        return lanes->uniforms[index];
    }
    const struct shader_texture *texture = lanes->textures[(index - SHADER_SLOTS) / 4];
    float sizes[4] = {0};
    if (texture != NULL) {
        put_sizes(sizes, texture->level[0].width, texture->level[0].height);
    }
    return sizes[(index - SHADER_SLOTS) % 4];
}

static void run_value(struct lanes *lanes, size_t value)
{
    const struct shader_instruction *instruction = &lanes->ir->list[value];
    const enum shader_op op = instruction->op;
    const size_t size = lanes->count * sizeof(float);
    if (op == SHADER_OP_CONST || op == SHADER_OP_TRUTH) {
        set_all(lanes, value, instruction->number);
    } else if (op == SHADER_OP_UNIFORM) {
        set_all(lanes, value, uniform_at(lanes, instruction->index));
    } else if (op == SHADER_OP_INPUT) {
        memcpy(lane_of(lanes, value), lanes->inputs[instruction->index], size);
    } else if (shader_op_reads(op)) {
        run_read(lanes, value);
    } else if (op == SHADER_OP_PART) {
        const size_t read = lanes->parts[instruction->argument[0]];
        memcpy(lane_of(lanes, value), lanes->reads + (read * 4 + instruction->index) * lanes->count,
               size);
    } else {
        const size_t arity = strlen(shader_ops[op].arguments);
        const float *a = lane_of(lanes, instruction->argument[0]);
        const float *b = arity > 1 ? lane_of(lanes, instruction->argument[1]) : a;
        const float *c = arity > 2 ? lane_of(lanes, instruction->argument[2]) : a;
        for (size_t lane = 0; lane < lanes->count; lane++) {
            const double result = compute(op, (double)a[lane], (double)b[lane], (double)c[lane]);
            lane_of(lanes, value)[lane] =
                (float)nudged_result(op, result, (double)a[lane], lanes->nudge);
        }
    }
}

static bool any(const struct lanes *lanes, const float *truth)
{
    for (size_t lane = 0; lane < lanes->count; lane++) {
        if (truth[lane] != 0) {
            return true;
        }
    }
    return false;
}

static bool all(const struct lanes *lanes, const float *truth)
{
    for (size_t lane = 0; lane < lanes->count; lane++) {
        if (truth[lane] == 0) {
            return false;
        }
    }
    return true;
}

static size_t run_loop(struct lanes *lanes, size_t at);

/* Of list places from..to - 1. mask: of the loop that they are the body of; NULL: none. False where
 * all pixels have left that. */
static bool run_list(struct lanes *lanes, size_t from, size_t to, float *mask)
{
    const struct shader_instruction *list = lanes->ir->list;
    for (size_t at = from; at < to; at++) {
        const float *truth =
            list[at].argument[0] < lanes->ir->count ? lane_of(lanes, list[at].argument[0]) : NULL;
        switch (list[at].op) {
        case SHADER_OP_IF:
            at = any(lanes, truth) ? at : lanes->end[at];
            break;
        case SHADER_OP_ELSE:
            truth = lane_of(lanes, list[lanes->begin[at]].argument[0]);
            at = all(lanes, truth) ? lanes->end[at] : at;
            break;
        case SHADER_OP_ENDIF:
            break;
        case SHADER_OP_LOOP:
            at = run_loop(lanes, at);
            break;
        case SHADER_OP_WHILE:
            for (size_t lane = 0; lane < lanes->count; lane++) {
                mask[lane] = mask[lane] != 0 && truth[lane] != 0;
            }
            if (!any(lanes, mask)) {
                return false;
            }
            break;
        default:
            run_value(lanes, at);
        }
    }
    return true;
}

/* The place of its end. */
static size_t run_loop(struct lanes *lanes, size_t at)
{
    const struct shader_instruction *list = lanes->ir->list;
    const size_t size = lanes->count * sizeof(float);
    size_t body = at + 1;
    float *mask = whole_memory(lanes->count, sizeof *mask);
    memcpy(mask, lane_of(lanes, list[at].argument[0]), size);
    for (; shader_op_carries(list[body].op); body++) {
        memcpy(lane_of(lanes, body), lane_of(lanes, list[body].argument[0]), size);
    }
    float *next = whole_memory((body - at) * lanes->count, sizeof *next);
    int rounds = 0;
    while (any(lanes, mask) && run_list(lanes, body, lanes->end[at], mask)) {
        for (size_t v = at + 1; v < body; v++) {
            memcpy(next + (v - at) * lanes->count, lane_of(lanes, list[v].argument[1]), size);
        }
        for (size_t v = at + 1; v < body; v++) {
            for (size_t lane = 0; lane < lanes->count; lane++) {
                if (mask[lane] != 0) {
                    lane_of(lanes, v)[lane] = next[(v - at) * lanes->count + lane];
                }
            }
        }
        if (++rounds == LOOP_ROUNDS_MAX) {
            lanes->endless = true;
            break;
        }
    }
    free(next);
    free(mask);
    return lanes->end[at];
}

/* Where markers lead, and where reads have their parts. */
static void find_markers(struct lanes *lanes)
{
    const size_t count = lanes->ir->count;
    size_t *open = whole_memory(count, sizeof *open);
    size_t depth = 0;
    uint32_t reads = 0;
    for (size_t at = 0; at < count; at++) {
        const enum shader_op op = lanes->ir->list[at].op;
        if (op == SHADER_OP_IF || op == SHADER_OP_LOOP) {
            open[depth++] = at;
        } else if (op == SHADER_OP_ELSE || op == SHADER_OP_ENDIF || op == SHADER_OP_ENDLOOP) {
            const size_t begin = open[--depth];
            lanes->end[begin] = at;
            lanes->begin[at] = begin;
            if (op == SHADER_OP_ELSE) {
                /* Past a part that is left out the ELSE itself is to be looked at. */
                lanes->end[begin] = at - 1;
                open[depth++] = at;
            }
        }
        lanes->parts[at] = shader_op_reads(op) ? reads++ : 0;
    }
    lanes->reads = whole_memory((size_t)reads * 4 * lanes->count, sizeof(float));
    free(open);
}

/* ---- a stage ---- */

/* The canvas as textures are: words, one level. */
static uint32_t *words_of(const struct whole_picture *picture, struct shader_texture *texture)
{
    const size_t pixels = (size_t)picture->width * (size_t)picture->height;
    uint32_t *words = whole_memory(pixels, sizeof *words);
    for (size_t i = 0; i < pixels; i++) {
        const uint8_t *rgb = picture->rgb + i * WHOLE_CHANNELS;
        words[i] = (uint32_t)rgb[0] << 16 | (uint32_t)rgb[1] << 8 | rgb[2];
    }
    *texture = (struct shader_texture){.levels = 1, .opaque = true};
    texture->level[0] = (struct shader_level){words, picture->width,         picture->height,
                                              1,     (size_t)picture->width, pixels};
    return words;
}

static void fill_inputs(const struct lanes *lanes, enum shader_stage stage, int row,
                        const struct whole_mesh *mesh, const struct whole_frame *frame,
                        double corner[4][WHOLE_CHANNELS])
{
    const double ax = frame->aspect_x;
    const double ay = frame->aspect_y;
    for (size_t lane = 0; lane < lanes->count; lane++) {
        const int x = (int)(lane % lanes->columns);
        const int y = row + (int)(lane / lanes->columns);
        const double u = (x + 0.5) / frame->width;
        const double v = (y + 0.5) / frame->height;
        const double px = (2 * u - 1) * ax;
        const double py = (2 * v - 1) * ay;
        double in[SHADER_INPUTS] = {[SHADER_INPUT_U] = u,
                                    [SHADER_INPUT_V] = v,
                                    [SHADER_INPUT_U_ORIG] = u,
                                    [SHADER_INPUT_V_ORIG] = v};
        if (stage == SHADER_WARP) {
            whole_mesh_at(mesh, frame, x, y, &in[SHADER_INPUT_U], &in[SHADER_INPUT_V]);
            in[SHADER_INPUT_RAD] = sqrt(px * px + py * py);
            in[SHADER_INPUT_ANG] = atan2(-py, px);
        } else {
            const double ang = atan2(py, px);
            in[SHADER_INPUT_RAD] = sqrt(px * px + py * py) / sqrt(ax * ax + ay * ay);
            in[SHADER_INPUT_ANG] = ang < 0 ? ang + 2 * pi : ang;
            /* From the first: top right, top left, bottom right, bottom left. */
            for (int k = 0; k < WHOLE_CHANNELS; k++) {
                const double top = corner[1][k] * (1 - u) + corner[0][k] * u;
                const double bottom = corner[3][k] * (1 - u) + corner[2][k] * u;
                in[SHADER_INPUT_HUE_R + k] = top * (1 - v) + bottom * v;
            }
        }
        for (int k = 0; k < SHADER_INPUTS; k++) {
            lanes->inputs[k][lane] = (float)whole_nudged(in[k], INPUT_BITS, frame->nudge);
        }
    }
}

static const struct whole_picture *own_picture(const char *name, const struct whole_picture *canvas,
                                               const struct whole_blur *blur)
{
    static const char *const names[WHOLE_BLURS] = {"blur1", "blur2", "blur3"};
    for (int level = 0; level < WHOLE_BLURS; level++) {
        if (strcmp(name, names[level]) == 0) {
            return &blur->pass[2 * level + 1];
        }
    }
    return strcmp(name, "main") == 0 ? canvas : NULL;
}

bool whole_shade(const struct whole_stage *stage, const struct whole_picture *to,
                 const struct whole_picture *from, const struct whole_blur *blur,
                 const struct whole_mesh *mesh, const struct whole_frame *frame,
                 const struct whole_chances *chances)
{
    const size_t count = stage->ir->count;
    float uniforms[SHADER_SLOTS];
    struct range range[WHOLE_BLURS];
    double corner[4][WHOLE_CHANNELS];
    struct lanes lanes = {
        .ir = stage->ir, .uniforms = uniforms, .columns = (size_t)to->width, .nudge = frame->nudge};
    struct shader_texture own[SHADER_TEXTURES_MAX];
    uint32_t *words[SHADER_TEXTURES_MAX] = {NULL};
    lanes.count = 2 * lanes.columns;
    lanes.values = whole_memory(count * lanes.count, sizeof(float));
    lanes.end = whole_memory(count, sizeof *lanes.end);
    lanes.begin = whole_memory(count, sizeof *lanes.begin);
    lanes.parts = whole_memory(count, sizeof *lanes.parts);
    for (int k = 0; k < SHADER_INPUTS; k++) {
        lanes.inputs[k] = whole_memory(lanes.count, sizeof(float));
    }
    for (size_t k = 0; k < stage->ir->binding_count; k++) {
        const struct whole_picture *picture = own_picture(stage->ir->bindings[k].name, from, blur);
        words[k] = picture != NULL ? words_of(picture, &own[k]) : NULL;
        lanes.textures[k] = picture != NULL ? &own[k] : stage->fixed[k];
    }
    blur_ranges(frame->value, range);
    fill_uniforms(uniforms, frame, chances, range);
    whole_corner_shades(corner, 1, frame->time, chances->phase);
    find_markers(&lanes);
    for (int row = 0; row < to->height; row += 2) {
        fill_inputs(&lanes, stage->stage, row, mesh, frame, corner);
        (void)run_list(&lanes, 0, count, NULL);
        for (size_t lane = 0; lane < lanes.count; lane++) {
            uint8_t *pixel = to->rgb + ((size_t)row * lanes.columns + lane) * WHOLE_CHANNELS;
            for (int k = 0; k < WHOLE_CHANNELS; k++) {
                pixel[k] = whole_byte((double)(255 * lane_of(&lanes, stage->ir->ret[k])[lane]));
            }
        }
    }
    for (size_t k = 0; k < SHADER_TEXTURES_MAX; k++) {
        free(words[k]);
    }
    for (int k = 0; k < SHADER_INPUTS; k++) {
        free(lanes.inputs[k]);
    }
    free(lanes.values);
    free(lanes.end);
    free(lanes.begin);
    free(lanes.parts);
    free(lanes.reads);
    return !lanes.endless;
}
