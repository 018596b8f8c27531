// SPDX-License-Identifier: Apache-2.0
// Makes ids that are unique across the processes of a service and rise within a process.

import Synchronization

/// Makes ids: Unix milliseconds shifted left by 16, then six bits of process slot and ten bits of counter.
///
/// A process makes at most 1,024 ids in a millisecond; beyond that, and when the clock goes back, it runs ahead
/// of the clock instead of repeating itself. It makes ids only in milliseconds that it was lent together with its slot: no
/// millisecond of a slot is lent twice, so two processes never make the same id, whatever their clocks say.
public final class IDGenerator: Sendable {
    /// Slots that can run side by side.
    public static let slots = 0..<64

    private struct State {
        var slot: Int64 = 0
        /// The newest id's milliseconds and counter.
        var last: Int64 = 0
        /// The first millisecond, of those that were lent, in which no id may be made.
        var end: Int64 = .min
    }

    private let now: @Sendable () -> Timestamp
    private let refused: @Sendable () -> any Error
    private let state: Mutex<State>

    /// A generator that makes no ids until it is lent a slot.
    ///
    /// - Parameter refused: called when an id is asked for and none may be made; returns what is thrown.
    public init(now: @escaping @Sendable () -> Timestamp, refused: @escaping @Sendable () -> any Error) {
        self.now = now
        self.refused = refused
        state = Mutex(State())
    }

    /// A generator that has a slot for ever: for programs that run alone, and tests.
    ///
    /// - Parameter slot: the process's own number in `slots`; numbers outside are folded into it.
    public init(slot: Int, now: @escaping @Sendable () -> Timestamp) {
        self.now = now
        refused = { CancellationError() }
        state = Mutex(State(slot: Int64(truncatingIfNeeded: slot) & 63, end: .max))
    }

    /// Takes over a slot with the milliseconds from `start` to before `end`; those it had are given back.
    public func lend(slot: Int, from start: Int64, until end: Int64) {
        state.withLock { state in
            state.slot = Int64(truncatingIfNeeded: slot) & 63
            state.last = max(state.last, (start << 10) &- 1)
            state.end = end
        }
    }

    /// Makes the slot's milliseconds up to before `end` usable too.
    public func extend(until end: Int64) { state.withLock { $0.end = max($0.end, end) } }

    /// Gives the slot back.
    ///
    /// - Returns: the first millisecond in which no id was made.
    public func giveBack() -> Int64 {
        state.withLock { state in
            state.end = .min
            return (state.last >> 10) &+ 1
        }
    }

    /// The millisecond of the next id.
    public var present: Int64 {
        let clock = now().milliseconds
        return state.withLock { max(clock, $0.last >> 10) }
    }

    /// A number above every one that this process gave before, made as ids are but never refused: a version, not an id.
    public func number() -> Int64 {
        let clock = now().milliseconds << 10
        let (tick, slot) = state.withLock { state in
            state.last = max(state.last &+ 1, clock)
            return (state.last, state.slot)
        }
        return ((tick >> 10) << 16) | (slot << 10) | (tick & 1023)
    }

    public func next<Kind>(_: ID<Kind>.Type = ID<Kind>.self) throws -> ID<Kind> {
        let clock = now().milliseconds << 10
        let made: (tick: Int64, slot: Int64)? = state.withLock { state in
            let tick = max(state.last &+ 1, clock)
            guard tick >> 10 < state.end else { return nil }
            state.last = tick
            return (tick, state.slot)
        }
        guard let made else { throw refused() }
        return ID(((made.tick >> 10) << 16) | (made.slot << 10) | (made.tick & 1023))
    }
}
