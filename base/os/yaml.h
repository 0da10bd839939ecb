/* YAML documents as a tree of nodes with their places. The one file that knows libyaml is yaml.c.
 *
 * Limits against hostile input: size of the text, depth, number of nodes and of lines that begin
 * with %; aliases and several documents are refused. */
#ifndef BASE_OS_YAML_H
#define BASE_OS_YAML_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/text.h"

enum {
    BASE_YAML_NODES = 500000,
    BASE_YAML_DEPTH = 32,
    BASE_YAML_TEXT = 16 * 1024 * 1024,
    BASE_YAML_DIRECTIVES = 100
};

enum base_yaml_kind { BASE_YAML_SCALAR, BASE_YAML_LIST, BASE_YAML_MAP };

/* Lives in the arena of its document. */
struct base_yaml {
    enum base_yaml_kind kind;
    bool quoted;   /* a scalar in quotes is neither a number nor a truth */
    uint32_t line; /* of the value, counted from 1 */
    uint32_t column;
    uint32_t key_line; /* in a map; else 0 */
    uint32_t key_column;
    struct base_span key;          /* in a map */
    struct base_span text;         /* of a scalar */
    const struct base_yaml *first; /* child of a list or map */
    const struct base_yaml *next;  /* sibling */
};

/* The root, or NULL with a message: file:line:column: error: what; hint, and errno, which is ENOMEM
 * where memory is short and EINVAL else. A key that stands twice in a map is an error. An empty
 * document gives an empty map. */
const struct base_yaml *base_yaml_read(struct base_arena *arena, const char *file,
                                       struct base_span text, const struct base_diag_sink *sink);

/* The child of a map, or NULL. */
const struct base_yaml *base_yaml_get(const struct base_yaml *map, const char *key);

/* Scalars in the YAML 1.2 core forms. False if it is something else; no message. */
bool base_yaml_integer(const struct base_yaml *node, int64_t *value);
bool base_yaml_number(const struct base_yaml *node, double *value);
bool base_yaml_truth(const struct base_yaml *node, bool *value);

#endif
