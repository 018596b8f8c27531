// SPDX-License-Identifier: Apache-2.0
// How one works off what waits.

import Synchronization

extension Database {
    /// Works on one of the things that wait, in a transaction. When that fails, and the database is not to blame, the thing is put
    /// off, so that the others go on.
    ///
    /// - Returns: whether there was one.
    public func workOff<Thing: Sendable>(
        next: @Sendable (Transaction) async throws -> Thing?,
        work: @Sendable (Thing, Transaction) async throws -> Void,
        putOff: (Thing, any Error) async throws -> Void
    ) async throws -> Bool {
        let taken = Mutex(Thing?.none)
        do {
            return try await transaction { transaction in
                guard let thing = try await next(transaction) else { return false }
                taken.withLock { $0 = thing }
                try await work(thing, transaction)
                return true
            }
        } catch {
            guard let thing = taken.withLock({ $0 }), await isInnocent(of: error) else { throw error }
            try await putOff(thing, error)
            return true
        }
    }
}
