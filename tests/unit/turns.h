/* What tests share: how often they try something, and how they leave something out. */
#ifndef TESTS_UNIT_TURNS_H
#define TESTS_UNIT_TURNS_H

/* Turns of what is tried by chance. Under sanitizers one takes several times as long and looks for
 * other things: a part of the turns takes every branch, and the build without runs all. */
#ifdef __SANITIZE_ADDRESS__
#define TURNS(count) ((count) / 8)
#else
#define TURNS(count) (count)
#endif

/* Steps through what is tried in order: each one, or under sanitizers one in so many. */
#ifdef __SANITIZE_ADDRESS__
#define EACH(one_in) (one_in)
#else
#define EACH(one_in) 1
#endif

/* Leaves the rest of a case out; tools/test_summary tells why. */
#define SKIP(why)                                                                                  \
    do {                                                                                           \
        print_message("skipped: %s\n", why);                                                       \
        skip();                                                                                    \
    } while (0)

#endif
