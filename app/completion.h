/* Completion of the command line by shells, made from the tables of commands and options. */
#ifndef APP_COMPLETION_H
#define APP_COMPLETION_H

#include <stdio.h>

/* Prints a script for the shell, which is one of the values of the option --completion. That for
 * bash needs the functions of the package bash-completion, which loads it. */
void app_completion_print(FILE *out, const char *shell);

#endif
