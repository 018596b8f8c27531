// SPDX-License-Identifier: Apache-2.0
// Lets only a few tests use the database server at a time.

/// A test with fifty simultaneous requests proves something only if it need not share the server with fifty others.
actor Turns {
    static let database = Turns(6)

    private var free: Int
    private var waiting: [CheckedContinuation<Void, Never>] = []

    init(_ atOnce: Int) { free = atOnce }

    func enter() async {
        if free > 0 {
            free -= 1
        } else {
            await withCheckedContinuation { waiting.append($0) }
        }
    }

    func leave() {
        if waiting.isEmpty { free += 1 } else { waiting.removeFirst().resume() }
    }
}
