/* Linked into all programs of build type Coverage: what is counted in a process that is forked
 * counts in the one that forked it. The counters of all lines lie together (counters.ld), in memory
 * that forks share, so that decoders, which may not write a file at their end, and processes that
 * are killed, are counted as well. */
#define _GNU_SOURCE /* MAP_ANONYMOUS */
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

extern char coverage_begin[];
extern char coverage_end[];

/* Before any line is counted. Named in CMakeLists.txt, by which it is linked. */
void coverage_share(void) __attribute__((constructor(101)));
void coverage_share(void)
{
    if (mmap(coverage_begin, (size_t)(coverage_end - coverage_begin), PROT_READ | PROT_WRITE,
             MAP_SHARED | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == MAP_FAILED) {
        abort();
    }
}

/* In the place of gcov's, which clear the counters behind a fork and write them before another
 * program begins. */
pid_t __wrap___gcov_fork(void);
pid_t __wrap___gcov_fork(void)
{
    return fork();
}

int __wrap___gcov_execve(const char *path, char *const words[], char *const environment[]);
int __wrap___gcov_execve(const char *path, char *const words[], char *const environment[])
{
    return execve(path, words, environment);
}
