// SPDX-License-Identifier: Apache-2.0
// A socket that listens, and its end.

internal import Foundation
internal import Glibc
internal import Synchronization

/// Takes connections until it is closed, however often that is said: the number of its descriptor may be another's soon after.
final class ListeningSocket: Sendable {
    private let descriptor: Int32
    private let isOpen = Mutex(true)

    /// Takes over a descriptor that listens.
    init(_ descriptor: Int32) {
        self.descriptor = descriptor
    }

    /// Hands each connection over, on a thread of its own. To be called once.
    func accept(_ take: @escaping @Sendable (_ client: Int32) -> Void) {
        Thread.detachNewThread { [self] in
            repeat {
                let client = Glibc.accept(descriptor, nil, nil)
                if client >= 0 { take(client) } else { sched_yield() }
            } while isOpen.withLock { $0 }
            Glibc.close(descriptor)
        }
    }

    func close() {
        isOpen.withLock { isOpen in
            if isOpen { shutdown(descriptor, Int32(SHUT_RDWR)) }
            isOpen = false
        }
    }
}
