/* The unit tests of a folder as one program: runs the test by whose name it is called, or which is
 * its argument. */
#include <stdio.h>
#include <string.h>

#define TEST(name) int name##_main(void);
#include "unit_tests.def"
#undef TEST

static const struct {
    const char *name;
    int (*run)(void);
} tests[] = {
#define TEST(name) {#name, name##_main},
#include "unit_tests.def"
#undef TEST
};

int main(int argc, char **argv)
{
    const char *slash = strrchr(argv[0], '/');
    const char *name = argc > 1 ? argv[1] : slash != NULL ? slash + 1 : argv[0];
    for (size_t i = 0; i < sizeof tests / sizeof *tests; i++) {
        if (strcmp(tests[i].name, name) == 0) {
            return tests[i].run();
        }
    }
    (void)fprintf(stderr, "%s: there is no test %s; there are:\n", argv[0], name);
    for (size_t i = 0; i < sizeof tests / sizeof *tests; i++) {
        (void)fprintf(stderr, "    %s\n", tests[i].name);
    }
    return 2;
}
