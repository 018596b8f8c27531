// SPDX-License-Identifier: Apache-2.0
// What is worth saying once.

import Synchronization

/// Says each thing once in the life of a process; after some hundred different things it says no more.
final class OnceEach: Sendable {
    private let said = Mutex<Set<String>>([])

    func once(_ thing: String, _ say: () -> Void) {
        let isNew = said.withLock { $0.count < 500 && $0.insert(thing).inserted }
        if isNew { say() }
    }
}
