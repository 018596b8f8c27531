// SPDX-License-Identifier: Apache-2.0
// Workers made by copying a process that has loaded their libraries, which is most of what starting them costs.
#define _GNU_SOURCE
#include "CConfinement.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>

// Seconds in which a process is made, even where everything is slow.
#define PATIENCE 30

pid_t confinement_spawn_server(const char *program, char *const arguments[], int *asked) {
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) return -errno;
    struct timeval patience = {.tv_sec = PATIENCE};
    pid_t server = -1;
    if (setsockopt(ends[0], SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience) != 0 ||
        setsockopt(ends[0], SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience) != 0)
        server = -errno;
    else
        server = confinement_spawn(program, arguments, ends[1], 2);
    close(ends[1]);
    if (server < 0)
        close(ends[0]);
    else
        *asked = ends[0];
    return server;
}

union rights {
    struct cmsghdr header;
    char bytes[CMSG_SPACE(2 * sizeof(int))];
};

static void describe(struct msghdr *message, struct iovec *part, char *byte, union rights *rights) {
    memset(rights, 0, sizeof *rights);
    *part = (struct iovec){.iov_base = byte, .iov_len = 1};
    *message = (struct msghdr){
        .msg_iov = part, .msg_iovlen = 1, .msg_control = rights->bytes, .msg_controllen = sizeof rights->bytes};
}

pid_t confinement_ask_fork(int asked, int input, int output) {
    struct msghdr message;
    struct iovec part;
    union rights rights;
    char byte = 0;
    describe(&message, &part, &byte, &rights);
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    *header = (struct cmsghdr){
        .cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS, .cmsg_len = CMSG_LEN(2 * sizeof(int))};
    int files[2] = {input, output};
    memcpy(CMSG_DATA(header), files, sizeof files);
    ssize_t count;
    while ((count = sendmsg(asked, &message, MSG_NOSIGNAL)) < 0 && errno == EINTR) {}
    if (count < 0) return -errno;
    pid_t process = 0;
    while ((count = recv(asked, &process, sizeof process, 0)) < 0 && errno == EINTR) {}
    if (count < 0) return -errno;
    return count == sizeof process ? process : -EPIPE;
}

// The two files of a request; anything else is the end of whoever asks.
static void take_request(int files[2]) {
    struct msghdr message;
    struct iovec part;
    union rights rights;
    char byte;
    describe(&message, &part, &byte, &rights);
    ssize_t count;
    while ((count = recvmsg(0, &message, MSG_CMSG_CLOEXEC)) < 0 && errno == EINTR) {}
    struct cmsghdr *header = count == 1 ? CMSG_FIRSTHDR(&message) : NULL;
    if (header == NULL || header->cmsg_type != SCM_RIGHTS || header->cmsg_len != CMSG_LEN(2 * sizeof(int))) _exit(0);
    memcpy(files, CMSG_DATA(header), 2 * sizeof(int));
}

void confinement_serve_forks(void) {
    for (;;) {
        int files[2];
        take_request(files);
        // The child of whoever started this process, who waits for it and at whose death it dies.
        pid_t process = (pid_t)syscall(SYS_clone, CLONE_PARENT | SIGCHLD, 0, 0, 0, 0);
        if (process == 0) {
            pid_t own = getpid();
            if (setpgid(0, 0) != 0 || send(0, &own, sizeof own, MSG_NOSIGNAL) != sizeof own ||
                dup2(files[0], 0) < 0 || dup2(files[1], 1) < 0)
                _exit(126);
        } else if (process < 0) {
            pid_t failure = -errno;
            if (send(0, &failure, sizeof failure, MSG_NOSIGNAL) < 0) _exit(0);
        }
        close(files[0]);
        close(files[1]);
        if (process == 0) return;
    }
}
