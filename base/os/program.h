/* Other programs, and froth itself, in processes of their own. */
#ifndef BASE_OS_PROGRAM_H
#define BASE_OS_PROGRAM_H

#include <stdbool.h>
#include <sys/types.h>

/* Starts words[0], a path where it has a slash, else found through PATH, with these words, NULL at
 * the end. Its standard input is empty, its standard output is `out` (-1: it goes nowhere), its
 * standard error goes nowhere, and no signal is blocked for it. behind: it does not get the
 * terminal's signals. The caller waits for the child. Returns 0, or an errno value. */
int base_program_start(const char *const *words, int out, bool behind, pid_t *child);

/* Stores the path of the file that this code is of: the program's, or a shared library's. As
 * base_program. */
bool base_code_path(char *path, size_t size);

/* Waits for its end; returns what waitpid says of it, below 0 if there is no such child. */
int base_program_wait(pid_t child);

#endif
