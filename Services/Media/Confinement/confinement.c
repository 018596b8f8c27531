// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "CConfinement.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/landlock.h>
#include <linux/seccomp.h>
#include <malloc.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#if defined(__x86_64__)
#define ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#else
#error "the numbers of the system calls of this architecture are not known here"
#endif

#define DENY(call) \
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_##call, 0, 1), BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM)

int confinement_pipe(int ends[2]) { return pipe2(ends, O_CLOEXEC) == 0 ? 0 : errno; }

static char *const empty[] = {NULL};

pid_t confinement_spawn(const char *program, char *const arguments[], int input, int output) {
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t none, all;
    sigemptyset(&none);
    sigfillset(&all);
    int failed = posix_spawn_file_actions_init(&actions);
    if (failed != 0) return -failed;
    if ((failed = posix_spawnattr_init(&attributes)) != 0) {
        posix_spawn_file_actions_destroy(&actions);
        return -failed;
    }
    pid_t process = 0;
    if ((failed = posix_spawn_file_actions_adddup2(&actions, input, 0)) == 0 &&
        (failed = posix_spawn_file_actions_adddup2(&actions, output, 1)) == 0 &&
        (failed = posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)) == 0 &&
        (failed = posix_spawn_file_actions_addclosefrom_np(&actions, 3)) == 0 &&
        (failed = posix_spawnattr_setsigmask(&attributes, &none)) == 0 &&
        (failed = posix_spawnattr_setsigdefault(&attributes, &all)) == 0 &&
        (failed = posix_spawnattr_setpgroup(&attributes, 0)) == 0 &&
        (failed = posix_spawnattr_setflags(
             &attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF)) == 0)
        failed = posix_spawn(&process, program, &actions, &attributes, arguments, empty);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    return failed == 0 ? process : -failed;
}

int confinement_watch(pid_t process) { return (int)syscall(SYS_pidfd_open, process, 0U); }

static int refuse_calls(void) {
    struct sock_filter filter[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, ARCHITECTURE, 1, 0),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
#if defined(__x86_64__)
        // The numbers of x32, which the comparisons below would miss.
        BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, 0x40000000, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
#endif
        DENY(socket),
        DENY(connect),
        DENY(io_uring_setup),
        DENY(ptrace),
        DENY(process_vm_readv),
        DENY(process_vm_writev),
        DENY(pidfd_getfd),
        DENY(bpf),
        DENY(perf_event_open),
        DENY(userfaultfd),
        DENY(keyctl),
        DENY(add_key),
        DENY(request_key),
        DENY(mount),
        DENY(umount2),
        DENY(pivot_root),
        DENY(chroot),
        DENY(unshare),
        DENY(setns),
        DENY(kexec_load),
        DENY(init_module),
        DENY(finit_module),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog program = {.len = sizeof filter / sizeof *filter, .filter = filter};
    return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0);
}

static int limit(int resource, uint64_t value) {
    struct rlimit limit;
    if (getrlimit(resource, &limit) != 0) return -1;
    if (limit.rlim_max != RLIM_INFINITY && value > limit.rlim_max) value = limit.rlim_max;
    limit.rlim_cur = limit.rlim_max = value;
    return setrlimit(resource, &limit);
}

int confinement_enter(pid_t parent, uint64_t memory, uint64_t file_size, uint64_t open_files) {
    if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0) return errno;
    // It may have died before the signal was asked for.
    if (getppid() != parent) return ESRCH;
    if (syscall(SYS_close_range, 3U, ~0U, 0U) != 0 && errno != ENOSYS) return errno;
    if (limit(RLIMIT_AS, memory) != 0 || limit(RLIMIT_FSIZE, file_size) != 0 || limit(RLIMIT_NOFILE, open_files) != 0 ||
        limit(RLIMIT_CORE, 0) != 0)
        return errno;
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return errno;
    // Where the kernel lets anybody have a network of nothing; the filter holds where it does not.
    (void)unshare(CLONE_NEWUSER | CLONE_NEWNET);
    if (refuse_calls() != 0) return errno;
    signal(SIGPIPE, SIG_IGN);
    // Each arena reserves 64 MiB of what RLIMIT_AS leaves.
    mallopt(M_ARENA_MAX, 2);
    return 0;
}

#define READ_FILES (LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR)
#define WRITE_FILES \
    (READ_FILES | LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_MAKE_REG | LANDLOCK_ACCESS_FS_REMOVE_FILE)
#define ALL_OF_FIRST_VERSION ((LANDLOCK_ACCESS_FS_MAKE_SYM << 1) - 1)

static int keep(int rules, const char *path, uint64_t access, int required) {
    struct landlock_path_beneath_attr rule = {.allowed_access = access, .parent_fd = open(path, O_PATH | O_CLOEXEC)};
    if (rule.parent_fd < 0) return required ? errno : 0;
    int failed = syscall(SYS_landlock_add_rule, rules, LANDLOCK_RULE_PATH_BENEATH, &rule, 0) != 0 ? errno : 0;
    close(rule.parent_fd);
    return failed;
}

int confinement_keep_files(const char *input, const char *directory) {
    struct landlock_ruleset_attr handled = {.handled_access_fs = ALL_OF_FIRST_VERSION};
    int rules = syscall(SYS_landlock_create_ruleset, &handled, sizeof handled.handled_access_fs, 0);
    if (rules < 0) return errno == ENOSYS || errno == EOPNOTSUPP ? 0 : errno;
    static const char *const system[] = {"/usr", "/lib", "/lib64", "/etc/ld.so.cache", "/etc/alternatives"};
    int failed = 0;
    for (size_t index = 0; index < sizeof system / sizeof *system && failed == 0; index++) {
        int is_file = index == 3;
        failed = keep(rules, system[index],
                      is_file ? LANDLOCK_ACCESS_FS_READ_FILE : READ_FILES | LANDLOCK_ACCESS_FS_EXECUTE, 0);
    }
    if (failed == 0) failed = keep(rules, "/dev/null", LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_WRITE_FILE, 1);
    if (failed == 0) failed = keep(rules, "/dev/urandom", LANDLOCK_ACCESS_FS_READ_FILE, 0);
    if (failed == 0) failed = keep(rules, input, LANDLOCK_ACCESS_FS_READ_FILE, 1);
    if (failed == 0) failed = keep(rules, directory, WRITE_FILES, 1);
    if (failed == 0 && syscall(SYS_landlock_restrict_self, rules, 0) != 0) failed = errno;
    close(rules);
    return failed;
}

int confinement_limit_processor(uint64_t seconds) { return limit(RLIMIT_CPU, seconds) == 0 ? 0 : errno; }

pid_t confinement_start(const char *program, char *const arguments[], int input, int output) {
    pid_t parent = getpid();
    pid_t child = fork();
    if (child < 0) return -errno;
    if (child > 0) return child;
    int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
    if (nothing < 0 || prctl(PR_SET_PDEATHSIG, SIGKILL) != 0 || getppid() != parent) _exit(126);
    if (dup2(input < 0 ? nothing : input, 0) < 0 || dup2(output < 0 ? nothing : output, 1) < 0 || dup2(nothing, 2) < 0)
        _exit(126);
    syscall(SYS_close_range, 3U, ~0U, 0U);
    signal(SIGPIPE, SIG_DFL);
    execve(program, arguments, empty);
    _exit(127);
}
