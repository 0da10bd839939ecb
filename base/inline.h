/* For functions whose arguments are constants where they are called, so that each call becomes code
 * of its own. */
#ifndef BASE_INLINE_H
#define BASE_INLINE_H

#define BASE_INLINE static inline __attribute__((always_inline))

#endif
