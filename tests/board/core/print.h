/* Printing, on the host and in the processor's simulator. */
#ifndef TESTS_BOARD_CORE_PRINT_H
#define TESTS_BOARD_CORE_PRINT_H

/* Makes malloc work where it does not by itself. */
void core_begin(void);

/* Prints the text and a line end on standard output. */
void core_print(const char *text);

#endif
