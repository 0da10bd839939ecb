#include "base/diag.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>

const char *base_severity_name(enum base_severity severity)
{
    static const char *const names[BASE_SEVERITY_COUNT] = {[BASE_DEBUG] = "debug",
                                                           [BASE_NOTE] = "note",
                                                           [BASE_WARNING] = "warning",
                                                           [BASE_ERROR] = "error"};
    assert(severity < BASE_SEVERITY_COUNT);
    return names[severity];
}

void base_report(const struct base_diag_sink *sink, enum base_severity severity,
                 struct base_place place, const char *hint, const char *format, ...)
{
    if (sink == NULL || sink->receive == NULL) {
        return;
    }
    struct base_diag diag = {.severity = severity, .place = place};
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(diag.what, sizeof diag.what, format, arguments);
    va_end(arguments);
    if (hint != NULL) {
        (void)snprintf(diag.hint, sizeof diag.hint, "%s", hint);
    }
    sink->receive(sink->user, &diag);
}

size_t base_diag_format(const struct base_diag *diag, char *text, size_t size)
{
    assert(size > 0);
    const struct base_place *place = &diag->place;
    int length = 0;
    if (place->file == NULL) {
        length = snprintf(text, size, "froth: ");
    } else if (place->line == 0) {
        length = snprintf(text, size, "%s: ", place->file);
    } else {
        length = snprintf(text, size, "%s:%u:%u: ", place->file, (unsigned)place->line,
                          (unsigned)place->column);
    }
    size_t used = length < 0 ? 0 : (size_t)length;
    if (used >= size) {
        return size - 1;
    }
    const int rest =
        snprintf(text + used, size - used, "%s: %s%s%s", base_severity_name(diag->severity),
                 diag->what, diag->hint[0] != '\0' ? "; " : "", diag->hint);
    used += rest < 0 ? 0 : (size_t)rest;
    return used < size ? used : size - 1;
}

static void list_receive(void *user, const struct base_diag *diag)
{
    struct base_diag_list *list = user;
    list->by_severity[diag->severity]++;
    if (list->count < BASE_DIAG_LIST_MAX) {
        list->items[list->count++] = *diag;
    }
}

struct base_diag_sink base_diag_list_sink(struct base_diag_list *list)
{
    return (struct base_diag_sink){list_receive, list};
}
