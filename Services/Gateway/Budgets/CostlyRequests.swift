// SPDX-License-Identifier: Apache-2.0
// How many costly requests of one account are under way at a time.

import Synchronization

/// Who asks: an account, or without one an address.
enum CostlyHolder: Hashable, Sendable {
    case account(Int64)
    case address(ArraySlice<UInt8>)
}

/// Lets a few costly requests of each holder go on at a time; some more wait for their turn.
///
/// An app that asks for many threads at once gets them all, a little later; nobody takes more than a share.
final class CostlyRequests: Sendable {
    static let ofAccount = 10
    /// Several people may share an address.
    static let ofAddress = 20
    static let waiting = 40

    private struct Held {
        var running = 0
        var waiting: [(id: Int, proceed: @Sendable () -> Void)] = []
    }

    private let state = Mutex<(held: [CostlyHolder: Held], last: Int)>(([:], 0))

    /// Nil when too many wait already.
    ///
    /// - Parameter proceed: called later, on any thread, when the place that is returned has to wait.
    func enter(_ holder: CostlyHolder, proceed: @escaping @Sendable () -> Void) -> CostlyPlace? {
        let most =
            switch holder {
            case .account: CostlyRequests.ofAccount
            case .address: CostlyRequests.ofAddress
            }
        return state.withLock { state in
            var held = state.held[holder] ?? Held()
            guard held.waiting.count < CostlyRequests.waiting else { return nil }
            state.last += 1
            let isWaiting = held.running >= most
            if isWaiting { held.waiting.append((state.last, proceed)) } else { held.running += 1 }
            state.held[holder] = held
            return CostlyPlace(self, holder, id: state.last, isWaiting: isWaiting)
        }
    }

    fileprivate func leave(_ holder: CostlyHolder, id: Int) {
        let next: (@Sendable () -> Void)? = state.withLock { state in
            guard var held = state.held[holder] else { return nil }
            var next: (@Sendable () -> Void)?
            if let index = held.waiting.firstIndex(where: { $0.id == id }) {
                held.waiting.remove(at: index)
            } else if held.waiting.isEmpty {
                held.running -= 1
            } else {
                // The place goes to the first who waits.
                next = held.waiting.removeFirst().proceed
            }
            state.held[holder] = held.running == 0 && held.waiting.isEmpty ? nil : held
            return next
        }
        next?()
    }

    /// Whether nobody is counted.
    var isIdle: Bool { state.withLock { $0.held.isEmpty } }
}

/// A costly request's place, to be ended once.
final class CostlyPlace: Sendable {
    private let requests: CostlyRequests
    private let holder: CostlyHolder
    private let id: Int
    private let isEnded = Atomic(false)
    /// Whether it had to wait for its turn at first.
    let isWaiting: Bool

    fileprivate init(_ requests: CostlyRequests, _ holder: CostlyHolder, id: Int, isWaiting: Bool) {
        self.requests = requests
        self.holder = holder
        self.id = id
        self.isWaiting = isWaiting
    }

    deinit { end() }

    func end() {
        if !isEnded.exchange(true, ordering: .acquiringAndReleasing) { requests.leave(holder, id: id) }
    }
}
