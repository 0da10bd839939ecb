#include "tests/board/core/print.h"

#include <stdio.h>

void core_begin(void)
{
}

void core_print(const char *text)
{
    (void)puts(text);
}
