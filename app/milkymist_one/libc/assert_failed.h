/* Where a failed assertion ends. */
#ifndef APP_MILKYMIST_ONE_LIBC_ASSERT_FAILED_H
#define APP_MILKYMIST_ONE_LIBC_ASSERT_FAILED_H

_Noreturn void board_assert_failed(const char *file, int line, const char *condition);

#endif
