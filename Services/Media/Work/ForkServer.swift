// SPDX-License-Identifier: Apache-2.0
// Where workers come from.

import CConfinement
import Glibc
import Synchronization
import Threads

/// A process that has loaded the libraries of workers and becomes one by copying itself, which costs a small part of starting a
/// program. It reads nothing of strangers: each copy is confined before it does.
///
/// Started with the first worker; another takes its place when it ends. While there is none workers are started one by one.
package final class ForkServer: Sendable {
    private enum State {
        case none, starting, stopped
        /// The socket at which it is asked.
        case ready(Int32)
    }

    private let state: StateBox
    private let executable: String
    private let arguments: [String]

    /// - Parameters:
    ///   - executable: What is started. The program that runs, unless said otherwise.
    ///   - arguments: Its arguments.
    package init(executable: String = "/proc/self/exe", arguments: [String] = ["fork-server"]) {
        state = StateBox()
        self.executable = executable
        self.arguments = arguments
    }

    deinit { state.leave(for: .stopped) }

    /// The process id of a new worker with these files, as `confinement_spawn` makes it; nil where there is no server.
    func fork(input: Int32, output: Int32) -> pid_t? {
        let (process, isNew): (pid_t?, Bool) = state.state.withLock { state in
            switch state {
            case .none:
                state = .starting
                return (nil, true)
            case .starting, .stopped: return (nil, false)
            case .ready(let socket):
                let process = confinement_ask_fork(socket, input, output)
                if process > 0 { return (process, false) }
                close(socket)
                state = .starting
                return (nil, false)
            }
        }
        if isNew { keep() }
        return process
    }

    /// Starts a server, and another when it ends. Workers are children of this thread, at whose end they would die.
    private func keep() {
        let (state, executable, arguments) = (state, executable, arguments)
        let failure = tryStartThread(named: "fork server") {
            while !state.isStopped {
                var socket: Int32 = -1
                let server = withArguments([executable] + arguments) {
                    confinement_spawn_server(executable, $0, &socket)
                }
                guard server > 0 else {
                    sleep(1)
                    continue
                }
                state.open(socket)
                var status: Int32 = 0
                while waitpid(server, &status, 0) < 0, errno == EINTR {}
                state.leave(for: .starting)
                // One that ends at once shall not keep the machine busy.
                if !state.isStopped { sleep(1) }
            }
        }
        if failure != 0 { state.leave(for: .none) }
    }

    private final class StateBox: Sendable {
        let state = Mutex(State.none)

        var isStopped: Bool {
            state.withLock { if case .stopped = $0 { true } else { false } }
        }

        func open(_ socket: Int32) {
            state.withLock { state in
                if case .starting = state { state = .ready(socket) } else { close(socket) }
            }
        }

        /// At the end of its socket a server ends.
        func leave(for next: State) {
            state.withLock { state in
                switch state {
                case .ready(let socket):
                    close(socket)
                    state = next
                case .starting, .none: state = next
                case .stopped: break
                }
            }
        }
    }
}

/// Texts as C has those of a program.
func withArguments<Value>(_ texts: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Value) -> Value {
    let arguments = texts.map { strdup($0) } + [nil]
    defer { arguments.forEach { free($0) } }
    return body(arguments)
}
