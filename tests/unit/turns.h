/* How often a test tries something by chance. Under sanitizers a turn takes several times as long
 * and looks for other things: a part of the turns takes every branch, and the build without runs
 * all. */
#ifndef TESTS_UNIT_TURNS_H
#define TESTS_UNIT_TURNS_H

#ifdef __SANITIZE_ADDRESS__
#define TURNS(count) ((count) / 8)
#else
#define TURNS(count) (count)
#endif

#endif
