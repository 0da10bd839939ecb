/* Where a failed assertion ends. */
#ifndef BOARD_FIRMWARE_LIBC_ASSERT_FAILED_H
#define BOARD_FIRMWARE_LIBC_ASSERT_FAILED_H

_Noreturn void board_assert_failed(const char *file, int line, const char *condition);

#endif
