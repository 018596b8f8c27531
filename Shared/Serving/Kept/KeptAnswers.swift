// SPDX-License-Identifier: Apache-2.0
// Answers that are given again while nothing of what they show has changed.

import Domain
public import Postgres
import Synchronization
public import Web

/// What an answer is made of.
public struct Shown: Sendable {
    public let answer: Answer
    /// Numbers of whatever it shows or follows from, as `changes` names them; nil for one that is not kept.
    let subjects: [Int64]?

    public init(_ answer: Answer, subjects: [Int64]?) {
        self.answer = answer
        self.subjects = subjects
    }
}

/// The answers that were given last, each with what it shows.
///
/// Whether one still holds the database says each time (`ChangeLog`); so none outlives what it shows, whichever process changed it.
public final class KeptAnswers: Sendable {
    private struct Key: Hashable {
        let viewer: Int64?
        let path: String
        let query: String
        let variant: Int

        var bytes: Int { path.utf8.count + query.utf8.count }
    }

    private struct Kept {
        let answer: Answer
        let subjects: [Int64]
        /// A look before which nothing of it was read, or at which it held.
        var look: SeenChanges.Look

        var bytes: Int { answer.body.count + 8 * subjects.count + 512 }
    }

    private let changes: ChangeLog
    private let kept: Mutex<Generations<Key, Kept>>

    /// - Parameter capacity: bytes that are kept at most.
    public init(_ changes: ChangeLog = ChangeLog(), capacity: Int = 16 << 20) {
        self.changes = changes
        kept = Mutex(Generations(capacity: capacity))
    }

    /// The answer that was given last to the same viewer, where it still holds; else what `make` makes. 304 for who has it.
    ///
    /// - Parameter variant: whatever the answer follows from besides the request and what is noted to change.
    public func answer(
        to request: Request,
        variant: Int = 0,
        in database: some Querying,
        make: () async throws -> Shown
    ) async throws -> Answer {
        // A body may say more than path and query.
        guard request.body.isEmpty else { return try await make().answer }
        let viewer = request.principal?.account?.id.rawValue
        let key = Key(viewer: viewer, path: request.path, query: request.query, variant: variant)
        return try await known(key, in: database, make: make).unlessHad(by: request)
    }

    private func known(
        _ key: Key,
        in database: some Querying,
        make: () async throws -> Shown
    ) async throws -> Answer {
        if var last = kept.withLock({ $0.value(at: key) }), let look = await changes.look(in: database),
            changes.hold(last.subjects, since: last.look)
        {
            if last.look != look {
                last.look = look
                put(last, at: key)
            }
            return last.answer
        }
        var look = changes.newest
        if look == nil { look = await changes.look(in: database) }
        let shown = try await make()
        let answer = shown.answer.tagged()
        if let look, let subjects = shown.subjects {
            put(Kept(answer: answer, subjects: subjects, look: look), at: key)
        }
        return answer
    }

    private func put(_ kept: Kept, at key: Key) {
        self.kept.withLock { $0.put(kept, at: key, cost: kept.bytes + key.bytes) }
    }
}
