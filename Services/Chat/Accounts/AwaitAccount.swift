// SPDX-License-Identifier: Apache-2.0
// Waits for the row of an account that signed up a moment ago.

import Domain

/// Whether an account is there; one so new that its AccountRegistered may still be on the way is waited for.
enum AwaitAccount {
    /// How old an id may be for its event to be still on the way.
    private static let fresh: ClosedRange<Duration> = .seconds(-5) ... .seconds(30)
    /// Longer and longer, 1.9 seconds in all.
    private static let pauses = [15, 30, 60, 120, 240, 480, 960].map { Duration.milliseconds($0) }

    static func run(_ id: AccountID, _ dependencies: Dependencies) async throws -> Bool {
        try await missing([id], dependencies).isEmpty
    }

    /// Those of the accounts that are not there, after waiting for the new ones together.
    static func missing(_ ids: [AccountID], _ dependencies: Dependencies) async throws -> [AccountID] {
        var missing = ids.filter { !dependencies.known.contains($0) }
        guard !missing.isEmpty else { return [] }
        missing = try await look(for: missing, dependencies)
        // An id tells its age, so that asking for one that never was costs nobody any time.
        for pause in pauses where missing.contains(where: { fresh.contains(dependencies.now() - $0.timestamp) }) {
            try await Task.sleep(for: pause)
            missing = try await look(for: missing, dependencies)
        }
        return missing
    }

    private static func look(for ids: [AccountID], _ dependencies: Dependencies) async throws -> [AccountID] {
        let found = try await AccountStore.existing(ids, in: dependencies.database)
        for id in found { dependencies.known.insert(id) }
        return ids.filter { !found.contains($0) }
    }
}
