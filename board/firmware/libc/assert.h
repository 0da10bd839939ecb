/* <assert.h>: prints the place on the console and stops. */
#include "board/firmware/libc/assert_failed.h"

#undef assert
#ifdef NDEBUG
#define assert(condition) ((void)0)
#else
#define assert(condition)                                                                          \
    ((condition) ? (void)0 : board_assert_failed(__FILE__, __LINE__, #condition))
#endif
#ifndef BOARD_FIRMWARE_LIBC_ASSERT_H
#define BOARD_FIRMWARE_LIBC_ASSERT_H

#endif
