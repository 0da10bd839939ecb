#include "pfpu/complaint.h"

#include <stdarg.h>
#include <stdio.h>

void pfpu_complain(struct pfpu_complaint *complaint, size_t offset, const char *hint,
                   const char *format, ...)
{
    if (complaint->set) {
        return;
    }
    complaint->set = true;
    complaint->offset = offset;
    complaint->hint = hint;
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(complaint->what, sizeof complaint->what, format, arguments);
    va_end(arguments);
}
