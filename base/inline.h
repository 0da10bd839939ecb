/* BASE_INLINE marks functions that are called with constants as arguments, so that every call
 * becomes code of its own. */
#ifndef BASE_INLINE_H
#define BASE_INLINE_H

#define BASE_INLINE static inline __attribute__((always_inline))

#endif
