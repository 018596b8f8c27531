// SPDX-License-Identifier: Apache-2.0
// What the host is told on its command line.

/// Times are in milliseconds.
struct HostOptions {
    struct Misused: Error, CustomStringConvertible {
        let description: String
    }

    static let usage = """
        conformance-host: Engine.IO echo at /engine.io/, Socket.IO at /socket.io/, WebSocket echo at /echo
          --port N               where to listen on 127.0.0.1 (3000; 0 takes a free one, which is printed)
          --ping-interval MS     from a pong to the next ping (25000)
          --ping-timeout MS      for the answer to a ping (20000)
          --max-payload OCTETS   of a request body or a WebSocket message (1000000)
          --connect-timeout MS   for the first namespace (45000)
          --threads N            event loops (1)
        """

    var port = 3000
    var pingInterval = 25_000
    var pingTimeout = 20_000
    var maxPayload = 1_000_000
    var connectTimeout = 45_000
    var threads = 1

    init(_ arguments: some Sequence<String>) throws {
        var rest = arguments.makeIterator()
        while let flag = rest.next() {
            let name = flag.split(separator: "=", maxSplits: 1).first.map(String.init) ?? flag
            let joined = flag.split(separator: "=", maxSplits: 1).dropFirst().first.map(String.init)
            guard let place = HostOptions.flags[name] else { throw Misused(description: "unknown flag: \(name)") }
            guard let value = (joined ?? rest.next()).flatMap(Int.init), value >= (name == "--port" ? 0 : 1) else {
                throw Misused(description: "\(name) needs a number")
            }
            self[keyPath: place] = value
        }
    }

    private static var flags: [String: WritableKeyPath<HostOptions, Int>] {
        [
            "--port": \.port, "--ping-interval": \.pingInterval, "--ping-timeout": \.pingTimeout,
            "--max-payload": \.maxPayload, "--connect-timeout": \.connectTimeout, "--threads": \.threads,
        ]
    }
}
