// SPDX-License-Identifier: Apache-2.0
// Processes that read strangers' files: how they are started, and what they may no longer do.
#pragma once

#include <stdint.h>
#include <sys/types.h>

/// A pipe that no program inherits: 0, or the number of an error.
int confinement_pipe(int ends[2]);

/// Starts a program in a group of its own: with an empty environment, no signals held back, and no open files but standard input
/// and output, which these become. Returns its process id, or the negative number of an error.
pid_t confinement_spawn(const char *program, char *const arguments[], int input, int output);

/// Starts a program as above whose standard input is `confinement_serve_forks`'s. Returns its process id, and where it is asked, or the
/// negative number of an error.
pid_t confinement_spawn_server(const char *program, char *const arguments[], int *socket);

/// Has the server at a socket make a process as `confinement_spawn` would: with these two files, in a group of its own, a child of
/// whoever started the server. Returns its process id, or the negative number of an error, after which the server is of no more use.
pid_t confinement_ask_fork(int socket, int input, int output);

/// Makes a process for each request on standard input and returns in it; the server itself ends with whoever started it, and
/// returns never.
///
/// To be called while the process has one thread.
void confinement_serve_forks(void);

/// A descriptor that becomes readable when a process ends, or -1.
int confinement_watch(pid_t process);

/// Takes from this process, and from all that it starts: the network, further memory, further files, further rights; and has it
/// killed when `parent` dies. Standard input, output and error stay open, nothing else does.
///
/// To be called while the process has one thread. Returns 0, or the number of the error for which it may not go on.
int confinement_enter(pid_t parent, uint64_t memory, uint64_t file_size, uint64_t open_files);

/// Leaves this process, and all that it starts, the programs and libraries of the system, `input` to be read and `directory` to be
/// written into, where the kernel can (Landlock, since Linux 5.13). Returns 0, or the number of an error.
int confinement_keep_files(const char *input, const char *directory);

/// Leaves this process, and each that it starts, so many seconds of processor time.
int confinement_limit_processor(uint64_t seconds);

/// Starts a program in the group of this process, which dies with this process, otherwise as above; -1 stands for nothing. Returns its process id, or the negative number of an error.
pid_t confinement_start(const char *program, char *const arguments[], int input, int output);
