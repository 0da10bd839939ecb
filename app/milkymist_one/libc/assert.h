/* <assert.h>: prints the place on the console and stops. */
#include "app/milkymist_one/libc/assert_failed.h"

#undef assert
#ifdef NDEBUG
#define assert(condition) ((void)0)
#else
#define assert(condition)                                                                          \
    ((condition) ? (void)0 : board_assert_failed(__FILE__, __LINE__, #condition))
#endif
#ifndef static_assert
#define static_assert _Static_assert
#endif
