/* <assert.h>: a condition that does not hold is printed on the console with its place, and the
 * program stops. There is no guard, for each inclusion goes by what NDEBUG is then. */

/* Where a failed assertion ends. */
_Noreturn void board_assert_failed(const char *file, int line, const char *condition);

#undef static_assert
#define static_assert _Static_assert

#undef assert
#ifdef NDEBUG
#define assert(condition) ((void)0)
#else
#define assert(condition)                                                                          \
    ((condition) ? (void)0 : board_assert_failed(__FILE__, __LINE__, #condition))
#endif
