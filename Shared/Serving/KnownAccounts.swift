// SPDX-License-Identifier: Apache-2.0
// Whose rows are there: whoever acts has one, and whoever is named is waited for.

public import Domain
import Synchronization

/// The accounts that were seen to have a row in a service's projection, so that an active one costs no query. Rows of
/// accounts never go.
public final class KnownAccounts: Sendable {
    /// How old an id may be for its AccountRegistered to be still on the way.
    private static let fresh: ClosedRange<Duration> = .seconds(-5) ... .seconds(30)
    /// Longer and longer, 1.9 seconds in all.
    private static let pauses = [15, 30, 60, 120, 240, 480, 960].map { Duration.milliseconds($0) }

    private let capacity: Int
    private let ids = Mutex<Set<AccountID>>([])

    public init(capacity: Int = 100_000) { self.capacity = capacity }

    /// Makes the asking account's row when it is missing.
    ///
    /// Somebody who signed up a moment ago may act before AccountRegistered has arrived; the principal carries all that
    /// the row needs. Call this before the transaction of a command: what it makes stays even if the command fails.
    public func ensure(_ account: Principal.Account, make: (Principal.Account) async throws -> Void) async throws {
        if contains(account.id) { return }
        try await make(account)
        insert(account.id)
    }

    /// Those of the accounts that have no row, after waiting for the new ones together: one so new that its
    /// AccountRegistered may be still on the way is waited for. Of account 0 there is a row once anybody was erased, and it is
    /// nobody whom somebody could look at or act on (decision 0026).
    ///
    /// - Parameter existing: those of some accounts that have a row.
    public func missing(
        _ ids: [AccountID],
        now: () -> Timestamp,
        existing: ([AccountID]) async throws -> Set<AccountID>
    ) async throws -> [AccountID] {
        let nobody = ids.filter { $0 == AccountID(0) }
        var missing = ids.filter { $0 != AccountID(0) && !contains($0) }
        guard !missing.isEmpty else { return nobody }
        missing = try await look(for: missing, existing)
        // An id tells its age, so that asking for one that never was costs nobody any time.
        for pause in KnownAccounts.pauses where missing.contains(where: { KnownAccounts.isFresh($0, now()) }) {
            try await Task.sleep(for: pause)
            missing = try await look(for: missing, existing)
        }
        return nobody + missing
    }

    private static func isFresh(_ id: AccountID, _ now: Timestamp) -> Bool { fresh.contains(now - id.timestamp) }

    private func look(
        for ids: [AccountID],
        _ existing: ([AccountID]) async throws -> Set<AccountID>
    ) async throws -> [AccountID] {
        let found = try await existing(ids)
        for id in found { insert(id) }
        return ids.filter { !found.contains($0) }
    }

    private func contains(_ id: AccountID) -> Bool { ids.withLock { $0.contains(id) } }

    /// A full set starts again: asking the database once more is cheaper than keeping an order.
    private func insert(_ id: AccountID) {
        ids.withLock { ids in
            if ids.count >= capacity { ids.removeAll(keepingCapacity: true) }
            ids.insert(id)
        }
    }
}
