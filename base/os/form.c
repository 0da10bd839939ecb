#include "base/os/form.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const struct base_yaml *base_form_child(const struct base_yaml *map, const char *key)
{
    return map != NULL && map->kind == BASE_YAML_MAP ? base_yaml_get(map, key) : NULL;
}

void base_form_fail(struct base_form *form, const struct base_yaml *node, const char *hint,
                    const char *what)
{
    if (form->errors++ < BASE_FORM_ERRORS) {
        base_report(form->sink, BASE_ERROR,
                    (struct base_place){form->file, node->line, node->column}, hint, "%s", what);
    }
}

bool base_form_map(struct base_form *form, const struct base_yaml *node, const char *what,
                   const char *const *keys)
{
    char text[160];
    if (node->kind != BASE_YAML_MAP) {
        (void)snprintf(text, sizeof text, "%s is a map", what);
        base_form_fail(form, node, NULL, text);
        return false;
    }
    for (const struct base_yaml *entry = node->first; entry != NULL; entry = entry->next) {
        struct base_closest closest = {0};
        bool known = false;
        (void)snprintf(text, sizeof text, "%.*s", (int)entry->key.size, entry->key.data);
        for (size_t i = 0; keys[i] != NULL; i++) {
            known = known || strcmp(keys[i], text) == 0;
            base_closest_try(&closest, text, keys[i]);
        }
        if (!known && form->errors++ < BASE_FORM_ERRORS) {
            char list[160] = "it has";
            char hint[160];
            for (size_t i = 0; keys[i] != NULL; i++) {
                const size_t size = strlen(list);
                (void)snprintf(list + size, sizeof list - size, "%s %s", i > 0 ? "," : "", keys[i]);
            }
            base_closest_hint(&closest, list, hint, sizeof hint);
            base_report(form->sink, BASE_ERROR,
                        (struct base_place){form->file, entry->key_line, entry->key_column}, hint,
                        "%s has no '%.40s'", what, text);
        }
    }
    return true;
}

double base_form_number(struct base_form *form, const struct base_yaml *map, const char *key,
                        double low, double high, double otherwise, bool whole)
{
    const struct base_yaml *node = base_form_child(map, key);
    double number = otherwise;
    int64_t count = 0;
    if (node == NULL) {
        return otherwise;
    }
    const bool read = whole ? base_yaml_integer(node, &count) : base_yaml_number(node, &number);
    number = whole && read ? (double)count : number;
    if (!read || !(number >= low && number <= high)) {
        char what[120];
        (void)snprintf(what, sizeof what, "%s is a %snumber from %.15g to %.15g", key,
                       whole ? "whole " : "", low, high);
        base_form_fail(form, node, NULL, what);
        return otherwise;
    }
    return number;
}

bool base_form_truth(struct base_form *form, const struct base_yaml *map, const char *key,
                     bool otherwise)
{
    const struct base_yaml *node = base_form_child(map, key);
    bool truth = otherwise;
    if (node != NULL && !base_yaml_truth(node, &truth)) {
        char what[120];
        (void)snprintf(what, sizeof what, "%s is true or false", key);
        base_form_fail(form, node, NULL, what);
    }
    return truth;
}

bool base_form_text(struct base_form *form, const struct base_yaml *map, const char *key,
                    char *text, size_t size)
{
    const struct base_yaml *node = base_form_child(map, key);
    if (node == NULL) {
        return false;
    }
    if (node->kind != BASE_YAML_SCALAR || node->text.size == 0 || node->text.size >= size ||
        memchr(node->text.data, '\0', node->text.size) != NULL) {
        char what[120];
        (void)snprintf(what, sizeof what, "%s is a text of 1 to %zu bytes", key, size - 1);
        base_form_fail(form, node, NULL, what);
        return false;
    }
    memcpy(text, node->text.data, node->text.size);
    text[node->text.size] = '\0';
    return true;
}

const struct base_yaml *base_form_list(struct base_form *form, const struct base_yaml *map,
                                       const char *key)
{
    const struct base_yaml *node = base_form_child(map, key);
    if (node != NULL && node->kind != BASE_YAML_LIST) {
        char what[64];
        (void)snprintf(what, sizeof what, "%s is a list", key);
        base_form_fail(form, node, "each of its lines begins with -", what);
        return NULL;
    }
    return node;
}

size_t base_form_count(const struct base_yaml *list)
{
    size_t count = 0;
    for (const struct base_yaml *node = list != NULL ? list->first : NULL; node != NULL;
         node = node->next) {
        count++;
    }
    return count;
}

bool base_time_read(const char *text, double *seconds)
{
    enum { PARTS = 3, BASE = 60, DIGITS = 9 };
    double sum = 0;
    for (unsigned part = 0; part < PARTS; part++) {
        const size_t whole = strspn(text, "0123456789");
        const size_t fraction = text[whole] == '.' ? 1 + strspn(text + whole + 1, "0123456789") : 0;
        const size_t size = whole + fraction;
        const double number = size > 0 ? strtod(text, NULL) : 0;
        if (whole > DIGITS || whole + (fraction > 1) == 0 || (part > 0 && number >= BASE) ||
            (fraction > 0 && text[size] == ':')) {
            return false;
        }
        sum = sum * BASE + number;
        text += size;
        if (*text == '\0') {
            *seconds = sum;
            return sum < 1e9;
        }
        if (*text++ != ':') {
            return false;
        }
    }
    return false;
}
