// SPDX-License-Identifier: Apache-2.0
// Looks at what changed, for all who want to know at the same time.

public import Domain
public import Postgres
import Synchronization

/// Says whether what a process has read still holds.
///
/// A look is a statement that begins after whoever asks has asked. So it sees whatever was committed before, by whichever process.
/// Those who ask while one is under way share the next.
public final class ChangeLog: Sendable {
    private enum Turn {
        /// To look, for all who wait.
        case lead
        case done(SeenChanges.Look?)
    }

    private struct State {
        var changes = SeenChanges()
        var known: ChangeStore.Look?
        var isLooking = false
        /// They came before the look that is under way, and take what it finds.
        var following: [CheckedContinuation<Turn, Never>] = []
        /// They came since it began.
        var waiting: [CheckedContinuation<Turn, Never>] = []

        /// Nil where looking failed.
        mutating func note(_ found: ChangeStore.Look?) -> SeenChanges.Look? {
            guard let found else { return nil }
            known = found
            if found.isComplete { changes.note(found.subjects) } else { changes.noteAnew() }
            return changes.newest
        }

        /// Hands over to the next who looks.
        mutating func hand() -> CheckedContinuation<Turn, Never>? {
            let next = waiting.popLast()
            (following, waiting, isLooking) = (waiting, [], next != nil)
            return next
        }
    }

    private let passed: @Sendable (Timestamp) -> SQL?
    private let state = Mutex(State())

    /// - Parameter passed: a query for the subjects that changed since a moment though nobody wrote anything, as by the end of a time.
    public init(passed: @escaping @Sendable (Timestamp) -> SQL? = { _ in nil }) { self.passed = passed }

    /// The newest look that ended; nil where there was none.
    var newest: SeenChanges.Look? {
        state.withLock { $0.known == nil ? nil : $0.changes.newest }
    }

    /// Looks.
    ///
    /// - Returns: the look; nil where it failed: what changed since the one before it is told by the next.
    func look(in database: some Querying) async -> SeenChanges.Look? {
        let turn = await withCheckedContinuation { continuation in
            let isFirst = state.withLock { state in
                if state.isLooking { state.waiting.append(continuation) }
                defer { state.isLooking = true }
                return !state.isLooking
            }
            if isFirst { continuation.resume(returning: .lead) }
        }
        return switch turn {
        case .lead: await lead(in: database)
        case .done(let look): look
        }
    }

    /// Whether subjects are what they were after a look.
    func hold(_ subjects: [Int64], since look: SeenChanges.Look) -> Bool {
        state.withLock { $0.changes.hold(subjects, since: look) }
    }

    /// Those of some parts that are what they were after a look.
    func holding<Part: ShownPart>(_ parts: [Int64: Part], since look: SeenChanges.Look) -> [Int64: Part] {
        state.withLock { state in
            guard state.changes.hasChanges(since: look) else { return parts }
            return parts.filter { _, part in part.subjects.map { state.changes.hold($0, since: look) } ?? false }
        }
    }

    private func lead(in database: some Querying) async -> SeenChanges.Look? {
        let known = state.withLock(\.known)
        let found = try? await ChangeStore.look(after: known, passed: passed, in: database)
        let (look, following, next) = state.withLock { state in
            let look = state.note(found)
            let following = state.following
            return (look, following, state.hand())
        }
        for one in following { one.resume(returning: .done(look)) }
        next?.resume(returning: .lead)
        return look
    }
}
