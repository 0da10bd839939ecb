/* Reading a YAML file of a known form: keys that may stand there, numbers within their ranges,
 * short texts. Whatever is wrong is told with its place, ten times at most, and counted; the reader
 * goes on to find the rest. */
#ifndef BASE_OS_FORM_H
#define BASE_OS_FORM_H

#include <stdbool.h>
#include <stddef.h>

#include "base/os/yaml.h"
#include "base/text.h"

enum { BASE_FORM_ERRORS = 10 };

struct base_form {
    const char *file;
    const struct base_diag_sink *sink;
    unsigned errors;
};

/* Tells and counts an error; hint may be NULL. */
void base_form_fail(struct base_form *form, const struct base_yaml *node, const char *hint,
                    const char *what);

/* The value under a key; NULL where there is none, or `map` is NULL or no map. */
const struct base_yaml *base_form_child(const struct base_yaml *map, const char *key);

/* Names keys that nobody knows. what: as messages call the map; keys: ends in NULL. False, with a
 * message, if it is no map. */
bool base_form_map(struct base_form *form, const struct base_yaml *node, const char *what,
                   const char *const *keys);

/* The number under a key; `otherwise` where there is none, or a wrong one. */
double base_form_number(struct base_form *form, const struct base_yaml *map, const char *key,
                        double low, double high, double otherwise, bool whole);

/* Yes or no under a key; `otherwise` where there is none, or a wrong one. */
bool base_form_truth(struct base_form *form, const struct base_yaml *map, const char *key,
                     bool otherwise);

/* A text of 1 to size - 1 bytes, ending in NUL; false, and nothing is written, where there is none,
 * or a wrong one. */
bool base_form_text(struct base_form *form, const struct base_yaml *map, const char *key,
                    char *text, size_t size);

/* The list under a key; NULL where there is none, or something else. */
const struct base_yaml *base_form_list(struct base_form *form, const struct base_yaml *map,
                                       const char *key);

/* Reads H:MM:SS, MM:SS or seconds, the last of them with a fraction if there is one: 1:10:00, 4:30,
 * 12.5. Minutes and seconds behind a colon are below 60. False if it is something else, or 10^9
 * seconds or more. */
bool base_time_read(const char *text, double *seconds);

/* Children of a list or map; 0 for NULL. */
size_t base_form_count(const struct base_yaml *list);

#endif
