#define _GNU_SOURCE /* O_PATH, unshare */
#include "app/apart/confine.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifdef FROTH_SECCOMP
#include <seccomp.h>
#endif
#if defined(__linux__) && __has_include(<linux/landlock.h>)
#include <linux/landlock.h>
#endif

#include "base/os/thread.h"

/* ---- limits ---- */

/* The type of a resource's name differs between systems. */
#define limit(resource, value)                                                                     \
    ((void)setrlimit((resource), &(const struct rlimit){(value), (value)}))

static void set_limits(const struct app_confine_limits *limits)
{
    limit(RLIMIT_CORE, 0);
    if (limits->memory > 0 && !BASE_SANITIZED) {
        limit(RLIMIT_DATA, limits->memory);
    }
    if (limits->seconds > 0) {
        /* First the signal that says so; a second later one that cannot be caught. */
        const struct rlimit seconds = {limits->seconds, limits->seconds + 1};
        (void)setrlimit(RLIMIT_CPU, &seconds);
    }
    /* No program that is started gets rights by being started. */
    (void)prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
}

/* ---- files: Landlock ---- */

#ifdef LANDLOCK_CREATE_RULESET_VERSION

#ifndef LANDLOCK_ACCESS_FS_TRUNCATE
#define LANDLOCK_ACCESS_FS_TRUNCATE (1ULL << 14)
#endif
#ifndef LANDLOCK_ACCESS_NET_BIND_TCP
#define LANDLOCK_ACCESS_NET_BIND_TCP    (1ULL << 0)
#define LANDLOCK_ACCESS_NET_CONNECT_TCP (1ULL << 1)
#endif
#ifndef LANDLOCK_SCOPE_ABSTRACT_UNIX_SOCKET
#define LANDLOCK_SCOPE_ABSTRACT_UNIX_SOCKET (1ULL << 0)
#define LANDLOCK_SCOPE_SIGNAL               (1ULL << 1)
#endif

enum { FIRST_TRUNCATE = 3, FIRST_NET = 4, FIRST_SCOPE = 6 }; /* versions of the interface */

static const uint64_t access_read = LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR;

/* As newer systems know it; older ones are told its length. */
struct ruleset {
    uint64_t files;
    uint64_t net;
    uint64_t scoped;
};

static int landlock_version(void)
{
    return (int)syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);
}

/* Begins a set of rules in which nothing is allowed. -1 where the system has none. */
static int begin_rules(uint64_t *files, bool network)
{
    const int version = landlock_version();
    if (version < 1) {
        return -1;
    }
    /* All that the first version knows but running programs, and what changes a file's length. */
    *files = (LANDLOCK_ACCESS_FS_MAKE_SYM << 1) - 1;
    *files &= ~(uint64_t)LANDLOCK_ACCESS_FS_EXECUTE;
    *files |= version >= FIRST_TRUNCATE ? LANDLOCK_ACCESS_FS_TRUNCATE : 0;
    struct ruleset rules = {.files = *files};
    size_t size = sizeof rules.files;
    if (version >= FIRST_NET) {
        rules.net = network ? 0 : LANDLOCK_ACCESS_NET_BIND_TCP | LANDLOCK_ACCESS_NET_CONNECT_TCP;
        size = 2 * sizeof rules.files;
    }
    if (version >= FIRST_SCOPE) {
        rules.scoped = LANDLOCK_SCOPE_ABSTRACT_UNIX_SOCKET | LANDLOCK_SCOPE_SIGNAL;
        size = sizeof rules;
    }
    return (int)syscall(SYS_landlock_create_ruleset, &rules, size, 0);
}

static void allow(int rules, int descriptor, uint64_t access)
{
    struct landlock_path_beneath_attr rule = {.allowed_access = access, .parent_fd = descriptor};
    (void)syscall(SYS_landlock_add_rule, rules, LANDLOCK_RULE_PATH_BENEATH, &rule, 0);
}

static void allow_path(int rules, const char *path, uint64_t access)
{
    const int descriptor = open(path, O_PATH | O_CLOEXEC);
    struct stat about;
    if (descriptor >= 0 && fstat(descriptor, &about) == 0) {
        allow(rules, descriptor,
              S_ISDIR(about.st_mode) ? access : access & ~(uint64_t)LANDLOCK_ACCESS_FS_READ_DIR);
    }
    if (descriptor >= 0) {
        (void)close(descriptor);
    }
}

/* The rules hold from here on. */
static void end_rules(int rules)
{
    if (rules >= 0) {
        (void)syscall(SYS_landlock_restrict_self, rules, 0);
        (void)close(rules);
    }
}

static void forbid_files(void)
{
    uint64_t files;
    end_rules(begin_rules(&files, false));
}

static void allow_paths(int rules, const char *const *paths, size_t count, uint64_t access)
{
    for (size_t i = 0; rules >= 0 && i < count; i++) {
        allow_path(rules, paths[i], access);
    }
}

#define COUNT_OF(list) (sizeof(list) / sizeof *(list))

/* What an encoder of the machine needs beside its own device. */
static void allow_encoders(int rules)
{
    static const char *const told[] = {"/sys"};
    static const char *const devices[] = {
        "/dev/dri",         "/dev/nvidia0", "/dev/nvidia1", "/dev/nvidiactl", "/dev/nvidia-uvm",
        "/dev/nvidia-caps", "/dev/video10", "/dev/video11", "/dev/video12",
    };
    allow_paths(rules, told, COUNT_OF(told), access_read);
    allow_paths(rules, devices, COUNT_OF(devices), access_read | LANDLOCK_ACCESS_FS_WRITE_FILE);
}

/* How names become addresses, and whom to believe. */
static void allow_names(int rules)
{
    static const char *const told[] = {
        "/etc/resolv.conf",     "/etc/hosts",           "/etc/nsswitch.conf", "/etc/host.conf",
        "/etc/gai.conf",        "/etc/services",        "/etc/ssl",           "/etc/pki",
        "/etc/ca-certificates", "/run/systemd/resolve", "/run/resolvconf",    "/etc/gnutls",
    };
    allow_paths(rules, told, COUNT_OF(told), access_read);
}

static void forbid_other_files(const char *program, int count,
                               const struct app_confine_rights *rights)
{
    static const char *const readable[] = {
        "/usr",
        "/lib",
        "/lib32",
        "/lib64",
        "/bin",
        "/opt",
        "/nix",
        "/gnu",
        "/snap",
        "/etc/ld.so.cache",
        "/etc/ld.so.preload",
        "/etc/alternatives",
        "/proc",
        "/sys/devices/system",
        "/dev/random",
        "/dev/urandom",
    };
    uint64_t files;
    const int rules = begin_rules(&files, rights->network);
    allow_paths(rules, readable, COUNT_OF(readable), access_read);
    if (rights->encoders) {
        allow_encoders(rules);
    }
    if (rights->network) {
        allow_names(rules);
    }
    allow_path(rules, program, LANDLOCK_ACCESS_FS_READ_FILE);
    allow_path(rules, "/dev/null", LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_WRITE_FILE);
    for (int descriptor = 0; rules >= 0 && descriptor < count; descriptor++) {
        struct stat about;
        if (fstat(descriptor, &about) == 0 && S_ISREG(about.st_mode)) {
            const bool writes = (fcntl(descriptor, F_GETFL) & O_ACCMODE) != O_RDONLY;
            const uint64_t access = LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_TRUNCATE;
            allow(rules, descriptor,
                  (LANDLOCK_ACCESS_FS_READ_FILE | (writes ? access : 0)) & files);
        }
    }
    end_rules(rules);
}

#else

static int landlock_version(void)
{
    return -1;
}

static void forbid_files(void)
{
}

static void forbid_other_files(const char *program, int count,
                               const struct app_confine_rights *rights)
{
    (void)program;
    (void)count;
    (void)rights;
}

#endif

/* ---- calls of the system: a filter ---- */

#ifdef FROTH_SECCOMP

/* All that is left to a decoder. What else it calls fails with EPERM. */
static const int decoder_calls[] = {
    SCMP_SYS(read),         SCMP_SYS(write),
    SCMP_SYS(readv),        SCMP_SYS(writev),
    SCMP_SYS(pread64),      SCMP_SYS(lseek),
    SCMP_SYS(_llseek),      SCMP_SYS(close),
    SCMP_SYS(fstat),        SCMP_SYS(fstat64),
    SCMP_SYS(brk),          SCMP_SYS(munmap),
    SCMP_SYS(mremap),       SCMP_SYS(madvise),
    SCMP_SYS(futex),        SCMP_SYS(clock_gettime),
    SCMP_SYS(gettimeofday), SCMP_SYS(time),
    SCMP_SYS(rt_sigreturn), SCMP_SYS(sigreturn),
    SCMP_SYS(exit),         SCMP_SYS(exit_group),
    SCMP_SYS(sched_yield),  SCMP_SYS(getpid),
    SCMP_SYS(gettid),       SCMP_SYS(restart_syscall),
};

/* These as long as no memory becomes a program. */
static const int memory_calls[] = {SCMP_SYS(mmap), SCMP_SYS(mmap2), SCMP_SYS(mprotect)};

/* What is the network's. */
static const int network_denied[] = {
    SCMP_SYS(socket), SCMP_SYS(socketpair), SCMP_SYS(socketcall), SCMP_SYS(connect),
    SCMP_SYS(bind),   SCMP_SYS(listen),     SCMP_SYS(accept),     SCMP_SYS(accept4),
    SCMP_SYS(sendto), SCMP_SYS(sendmsg),    SCMP_SYS(sendmmsg),
};

/* What no encoder of sound and pictures needs. */
static const int program_denied[] = {
    SCMP_SYS(ptrace),
    SCMP_SYS(process_vm_readv),
    SCMP_SYS(process_vm_writev),
    SCMP_SYS(process_madvise),
    SCMP_SYS(pidfd_open),
    SCMP_SYS(pidfd_getfd),
    SCMP_SYS(kcmp),
    SCMP_SYS(io_uring_setup),
    SCMP_SYS(io_uring_enter),
    SCMP_SYS(io_uring_register),
    SCMP_SYS(bpf),
    SCMP_SYS(perf_event_open),
    SCMP_SYS(userfaultfd),
    SCMP_SYS(keyctl),
    SCMP_SYS(add_key),
    SCMP_SYS(request_key),
    SCMP_SYS(mount),
    SCMP_SYS(umount2),
    SCMP_SYS(pivot_root),
    SCMP_SYS(chroot),
    SCMP_SYS(unshare),
    SCMP_SYS(setns),
    SCMP_SYS(open_tree),
    SCMP_SYS(move_mount),
    SCMP_SYS(fsopen),
    SCMP_SYS(open_by_handle_at),
    SCMP_SYS(init_module),
    SCMP_SYS(finit_module),
    SCMP_SYS(delete_module),
    SCMP_SYS(kexec_load),
    SCMP_SYS(reboot),
    SCMP_SYS(swapon),
    SCMP_SYS(swapoff),
    SCMP_SYS(personality),
    SCMP_SYS(chmod),
    SCMP_SYS(fchmod),
    SCMP_SYS(fchmodat),
    SCMP_SYS(chown),
    SCMP_SYS(fchown),
    SCMP_SYS(fchownat),
    SCMP_SYS(lchown),
    SCMP_SYS(setxattr),
    SCMP_SYS(lsetxattr),
    SCMP_SYS(fsetxattr),
    SCMP_SYS(utimensat),
    SCMP_SYS(ioperm),
    SCMP_SYS(iopl),
    SCMP_SYS(acct),
    SCMP_SYS(quotactl),
    SCMP_SYS(sethostname),
    SCMP_SYS(clock_settime),
    SCMP_SYS(settimeofday),
};

static bool load(scmp_filter_ctx filter)
{
    const bool loaded = filter != NULL && seccomp_load(filter) == 0;
    if (filter != NULL) {
        seccomp_release(filter);
    }
    return loaded;
}

static bool filter_decoder(void)
{
    enum { PROT_BIT_EXEC = 4 };
    const scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ERRNO(EPERM));
    for (size_t i = 0; filter != NULL && i < sizeof decoder_calls / sizeof *decoder_calls; i++) {
        (void)seccomp_rule_add(filter, SCMP_ACT_ALLOW, decoder_calls[i], 0);
    }
    for (size_t i = 0; filter != NULL && i < sizeof memory_calls / sizeof *memory_calls; i++) {
        (void)seccomp_rule_add(filter, SCMP_ACT_ALLOW, memory_calls[i], 1,
                               SCMP_A2(SCMP_CMP_MASKED_EQ, PROT_BIT_EXEC, 0));
    }
    /* The C library's fstat. With a path it would tell that a file is there, and no more. */
    if (filter != NULL) {
        (void)seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(newfstatat), 1,
                               (struct scmp_arg_cmp){3, SCMP_CMP_EQ, AT_EMPTY_PATH, 0});
    }
    return load(filter);
}

static void deny(scmp_filter_ctx filter, const int *calls, size_t count)
{
    for (size_t i = 0; filter != NULL && i < count; i++) {
        (void)seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), calls[i], 0);
    }
}

static bool filter_program(bool network)
{
    const scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ALLOW);
    deny(filter, program_denied, sizeof program_denied / sizeof *program_denied);
    if (!network) {
        deny(filter, network_denied, sizeof network_denied / sizeof *network_denied);
    }
    return load(filter);
}

#else

static bool filter_decoder(void)
{
    return false;
}

static bool filter_program(bool network)
{
    (void)network;
    return false;
}

#endif

/* Without a filter, a network of its own is the next best: one in which there is nothing. */
static void leave_network(void)
{
#ifdef CLONE_NEWNET
    if (unshare(CLONE_NEWNET) != 0) {
        (void)unshare(CLONE_NEWUSER | CLONE_NEWNET);
    }
#endif
}

/* ---- both together ---- */

void app_confine_work(int files, const struct app_confine_limits *limits)
{
    set_limits(limits);
    limit(RLIMIT_FSIZE, 0);
    limit(RLIMIT_NPROC, 0);
    limit(RLIMIT_MEMLOCK, 0);
    (void)prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
    forbid_files();
    limit(RLIMIT_NOFILE, (rlim_t)files);
    if (!filter_decoder()) {
        leave_network();
    }
}

void app_confine_program(const char *program, int files, const struct app_confine_limits *limits,
                         const struct app_confine_rights *rights)
{
    enum { BEHIND = 5 };
    set_limits(limits);
    if (rights->behind) {
        (void)setpriority(PRIO_PROCESS, 0, BEHIND);
    }
    forbid_other_files(program, files, rights);
    if (!filter_program(rights->network) && !rights->network) {
        leave_network();
    }
}

const char *app_confine_lacks(void)
{
#ifdef FROTH_SECCOMP
    static const char no_filter[] = "the system does not filter its calls (seccomp)";
    const bool filters = prctl(PR_GET_SECCOMP, 0, 0, 0, 0) >= 0;
#else
    static const char no_filter[] = "froth was built without libseccomp";
    const bool filters = false;
#endif
    static const char no_rules[] = "the system has no rules for the files of a process (Landlock)";
    return !filters ? no_filter : landlock_version() < 1 ? no_rules : NULL;
}
