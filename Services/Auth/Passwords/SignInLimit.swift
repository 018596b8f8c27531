// SPDX-License-Identifier: Apache-2.0
// How often somebody may try a password.

import Domain
import Postgres
import Web

/// Counts tries in the database, before the password is looked at: tries at the same moment cannot slip past.
///
/// A try that succeeds gives its place back. A device that has signed in before counts by itself and by nothing else, so
/// that its owner still gets in while somebody else is guessing.
struct SignInLimit: Sendable {
    struct TooMany: ProblemConvertible {
        let retryAfter: Duration
        /// Whether this is the first that is refused in its window.
        var isFirst = false
        var problem: Problem { .tooMany(retryAfter: retryAfter) }
    }

    /// What a try is counted under; nil where nothing is counted.
    let person: String?
    let address: String?
    private let limits: Limits
    private let perAddress: Int

    /// - Parameter address: nil for a device that has signed in before.
    init(person: String, address: String?, limits: Limits) {
        self.person = limits.signInsPerAccount > 0 ? person : nil
        self.address = limits.signInsPerAddress > 0 ? address.map { "address:\($0)" } : nil
        self.limits = limits
        perAddress = limits.signInsPerAddress
    }

    /// For questions that are no tries, but tell who has an account.
    init(checksFrom address: String, limits: Limits) {
        person = nil
        self.address = limits.emailChecks > 0 ? "emails:\(address)" : nil
        self.limits = limits
        perAddress = limits.emailChecks
    }

    /// For asking for letters, to whomever.
    init(lettersFor address: String, limits: Limits) {
        person = nil
        self.address = limits.letters > 0 ? "letters:\(address)" : nil
        self.limits = limits
        perAddress = limits.letters
    }

    /// Takes a place for one try; throws `TooMany` when there is none.
    func take(in database: Database, now: Timestamp) async throws {
        let cutoff = now - limits.signInWindow
        let keys = [person, address].compactMap { $0 }
        guard !keys.isEmpty else { return }
        for count in try await AttemptStore.count(keys, now: now, cutoff: cutoff, in: database) {
            let limit = count.key == person ? limits.signInsPerAccount : perAddress
            guard count.tries > limit else { continue }
            throw TooMany(
                retryAfter: max(.seconds(1), count.since + limits.signInWindow - now),
                isFirst: count.tries == limit + 1
            )
        }
    }

    /// Gives the place back after a success.
    func giveBack(in database: Database) async throws {
        try await AttemptStore.giveBack([person, address].compactMap { $0 }, in: database)
    }
}
