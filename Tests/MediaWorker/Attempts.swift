// SPDX-License-Identifier: Apache-2.0
// What somebody would try who had taken over a worker.

import CConfinement
import Foundation

/// Confines this process as a worker is, tries what it may not, and says in a line each what came of it.
enum Attempts {
    /// Arguments: an input, a directory, an open port of this machine, the process id of whoever started this one.
    static func run(_ arguments: [String]) -> Never {
        guard arguments.count == 4, let port = UInt16(arguments[2]), let parent = pid_t(arguments[3]) else { exit(64) }
        let (input, directory) = (arguments[0], arguments[1])
        let inherited = (3..<64).filter { fcntl($0, F_GETFD) >= 0 }.count
        guard confinement_enter(parent, 1 << 30, 1 << 20, 64) == 0 else { exit(77) }
        // Afterwards it may not even read this of itself.
        let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        guard confinement_keep_files(input, directory) == 0 else { exit(77) }
        say("inherited", inherited == 0)
        say("network", !connects(AF_INET, port) && !connects(AF_INET6, port))
        say("passwd", open("/etc/passwd", O_RDONLY) < 0)
        say("beside", open(directory + "/../beside", O_WRONLY | O_CREAT, 0o600) < 0)
        say("input", open(input, O_WRONLY) < 0 && open(input, O_RDONLY) >= 0)
        say("inside", open(directory + "/inside", O_WRONLY | O_CREAT, 0o600) >= 0)
        say("memory", mmap(nil, 2 << 30, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == MAP_FAILED)
        say("rights", status.contains("NoNewPrivs:\t1\n") && status.contains("Seccomp:\t2\n"))
        say("environment", ProcessInfo.processInfo.environment.isEmpty)
        exit(0)
    }

    private static func say(_ name: String, _ held: Bool) {
        print("\(name) \(held ? "held" : "broken")")
    }

    private static func connects(_ family: Int32, _ port: UInt16) -> Bool {
        let descriptor = socket(family, Int32(SOCK_STREAM.rawValue), 0)
        guard descriptor >= 0 else { return false }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return withUnsafeBytes(of: &address) { bytes in
            guard let start = bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self) else { return false }
            return connect(descriptor, start, socklen_t(bytes.count)) == 0
        }
    }
}
