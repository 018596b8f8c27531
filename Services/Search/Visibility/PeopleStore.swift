// SPDX-License-Identifier: Apache-2.0
// Projections by which it is decided who may find what: the newest word on each, in whatever order it comes.

package import Domain
package import Postgres
import TextAnalysis

/// What is known of somebody.
package struct Person: Hashable, Sendable {
    package var id: AccountID
    package var version: Int64
    /// As a query names them: `mina`, or `mina@example.org`, in lower case.
    package var handle: String
    /// Whether others may find what they wrote in public.
    package var isIndexable: Bool
    /// Suspended or deleted.
    package var isGone: Bool

    package init(id: AccountID, version: Int64, handle: String, isIndexable: Bool, isGone: Bool) {
        self.id = id
        self.version = version
        self.handle = handle
        self.isIndexable = isIndexable
        self.isGone = isGone
    }
}

/// A follow or a block, or the end of one.
package struct Tie: Hashable, Sendable {
    /// The numbers are kept.
    package enum Kind: Int, Sendable {
        case follow = 1
        case block
    }

    package var kind: Kind
    package var account: AccountID
    package var target: AccountID
    package var version: Int64
    package var isActive: Bool

    package init(_ kind: Kind, by account: AccountID, of target: AccountID, version: Int64, isActive: Bool) {
        self.kind = kind
        self.account = account
        self.target = target
        self.version = version
        self.isActive = isActive
    }
}

/// That somebody is in a channel or a playground, or is not any more.
package struct Membership: Hashable, Sendable {
    package var account: AccountID
    package var place: Int64
    package var version: Int64
    package var isActive: Bool

    package init(of account: AccountID, in place: Int64, version: Int64, isActive: Bool) {
        self.account = account
        self.place = place
        self.version = version
        self.isActive = isActive
    }
}

package enum PeopleStore {
    /// - Parameter people: each once.
    package static func keep(_ people: [Person], in transaction: some Transacting) {
        transaction.enqueue(
            """
            INSERT INTO accounts (id, version, handle, indexable, gone)
            SELECT id, version, handle, indexable, gone FROM unnest(
                \(people.map(\.id)), \(people.map(\.version)), \(people.map(\.handle)), \(people.map(\.isIndexable)),
                \(people.map(\.isGone))
            ) AS p (id, version, handle, indexable, gone)
            ORDER BY id
            ON CONFLICT (id) DO UPDATE
            SET version = excluded.version, handle = excluded.handle, indexable = excluded.indexable, gone = excluded.gone
            WHERE excluded.version > accounts.version
            """
        )
    }

    /// - Parameter ties: each pair once of a kind.
    package static func keep(_ ties: [Tie], in transaction: some Transacting) {
        transaction.enqueue(
            """
            INSERT INTO ties (kind, account_id, target_id, version, active)
            SELECT kind, account_id, target_id, version, active FROM unnest(
                \(ties.map(\.kind.rawValue)), \(ties.map(\.account)), \(ties.map(\.target)), \(ties.map(\.version)),
                \(ties.map(\.isActive))
            ) AS t (kind, account_id, target_id, version, active)
            ORDER BY kind, account_id, target_id
            ON CONFLICT (kind, account_id, target_id) DO UPDATE SET version = excluded.version, active = excluded.active
            WHERE excluded.version > ties.version
            """
        )
    }

    /// - Parameter memberships: each pair once.
    package static func keep(_ memberships: [Membership], in transaction: some Transacting) {
        transaction.enqueue(
            """
            INSERT INTO memberships (account_id, place_id, version, active, term)
            SELECT account_id, place_id, version, active, term FROM unnest(
                \(memberships.map(\.account)), \(memberships.map(\.place)), \(memberships.map(\.version)),
                \(memberships.map(\.isActive)), \(memberships.map { Term.inside($0.place).number })
            ) AS m (account_id, place_id, version, active, term)
            ORDER BY account_id, place_id
            ON CONFLICT (account_id, place_id) DO UPDATE SET version = excluded.version, active = excluded.active
            WHERE excluded.version > memberships.version
            """
        )
    }

    /// The people of these handles; fewer where one is unknown.
    package static func named(_ handles: [String], in database: some Querying) async throws -> [String: AccountID] {
        let rows: [(String, AccountID)] = try await database.query(
            "SELECT a.handle, a.id FROM accounts a WHERE a.handle = ANY (\(handles)) AND NOT a.gone ORDER BY a.id"
        ).all { (try $0.next(), try $0.next()) }
        return Dictionary(rows) { first, _ in first }
    }

    /// Under which terms the documents of the places are kept in which somebody is now.
    static func places(of account: AccountID, in database: some Querying) async throws -> [Int32] {
        let terms: [Int] = try await database.query(
            "SELECT m.term FROM memberships m WHERE m.account_id = \(account) AND m.active"
        ).all { try $0.next() }
        return terms.map(Int32.init(truncatingIfNeeded:))
    }
}
