// SPDX-License-Identifier: Apache-2.0
// Projections by which it is decided who may find what: the newest word on each, in whatever order it comes.

package import Domain
import Events
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
    /// A number of the words of the profile.
    package var profile: Int64 = 0
    package var followers = 0
    /// Whether others may be told to follow them.
    package var isSuggested = false
    /// Whether nobody may conclude whom they follow.
    package var hidesFollows = false
    /// BCP 47.
    package var languages: [String] = []

    package init(id: AccountID, version: Int64, handle: String, isIndexable: Bool, isGone: Bool) {
        self.id = id
        self.version = version
        self.handle = handle
        self.isIndexable = isIndexable
        self.isGone = isGone
    }
}

/// What is known of somebody's profile, to compare it with.
struct KnownProfile: Sendable {
    let version: Int64
    let profile: Int64
    let followers: Int

    static let columns: SQL = "a.version, a.profile, a.followers"
}

/// What one account has to do with another, or the end of it.
package struct Tie: Hashable, Sendable {
    /// The numbers are kept.
    package enum Kind: Int, Sendable {
        case follow = 1
        case block
        case mute
        case request
        /// Not to be told to follow.
        case dismissal
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
            INSERT INTO accounts (id, version, handle, indexable, gone, profile, followers, is_suggested, hides_follows, languages)
            SELECT id, version, handle, indexable, gone, profile, followers, is_suggested, hides_follows,
                string_to_array(languages, ',')
            FROM unnest(
                \(people.map(\.id)), \(people.map(\.version)), \(people.map(\.handle)), \(people.map(\.isIndexable)),
                \(people.map(\.isGone)), \(people.map(\.profile)), \(people.map(\.followers)), \(people.map(\.isSuggested)),
                \(people.map(\.hidesFollows)), \(people.map { $0.languages.joined(separator: ",") })
            ) AS p (id, version, handle, indexable, gone, profile, followers, is_suggested, hides_follows, languages)
            ORDER BY id
            ON CONFLICT (id) DO UPDATE
            SET version = excluded.version, handle = excluded.handle, indexable = excluded.indexable, gone = excluded.gone,
                profile = excluded.profile, followers = excluded.followers, is_suggested = excluded.is_suggested,
                hides_follows = excluded.hides_follows, languages = excluded.languages
            WHERE excluded.version > accounts.version
                -- What is told again repairs what is not as it was told, here and below.
                OR excluded.version = accounts.version AND (
                    excluded.handle, excluded.indexable, excluded.gone, excluded.profile, excluded.followers, excluded.is_suggested,
                    excluded.hides_follows, excluded.languages
                ) IS DISTINCT FROM (
                    accounts.handle, accounts.indexable, accounts.gone, accounts.profile, accounts.followers, accounts.is_suggested,
                    accounts.hides_follows, accounts.languages
                )
            """
        )
    }

    /// What is known of these; fewer where one is unknown.
    static func known(_ ids: [AccountID], in database: some Querying) async throws -> [AccountID: KnownProfile] {
        let rows: [(AccountID, KnownProfile)] = try await database.query(
            "SELECT a.id, \(KnownProfile.columns) FROM accounts a WHERE a.id = ANY (\(ids))"
        ).all { (try $0.next(), try $0.read(KnownProfile.init)) }
        return Dictionary(rows) { $1 }
    }

    /// How these are named in a query; fewer where one is unknown.
    static func handles(of ids: [AccountID], in database: some Querying) async throws -> [AccountID: String] {
        let rows: [(AccountID, String)] = try await database.query(
            "SELECT a.id, a.handle FROM accounts a WHERE a.id = ANY (\(ids))"
        ).all { (try $0.next(), try $0.next()) }
        return Dictionary(rows) { $1 }
    }

    /// Keeps in which language people signed up.
    static func keep(languages: [AccountRegistered], in transaction: some Transacting) {
        transaction.enqueue(
            """
            INSERT INTO accounts (id, version, handle, indexable, gone, language)
            SELECT id, -1, handle, false, false, language FROM unnest(
                \(languages.map(\.accountID)), \(languages.map(\.username)), \(languages.map(\.language.rawValue))
            ) AS p (id, handle, language)
            ORDER BY id
            ON CONFLICT (id) DO UPDATE SET language = excluded.language WHERE excluded.language <> accounts.language
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
            ON CONFLICT (kind, account_id, target_id) DO UPDATE
            SET version = excluded.version, active = excluded.active, changed_at = now()
            WHERE excluded.version > ties.version OR excluded.version = ties.version AND excluded.active <> ties.active
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
            ON CONFLICT (account_id, place_id) DO UPDATE
            SET version = excluded.version, active = excluded.active, changed_at = now()
            WHERE excluded.version > memberships.version
                OR excluded.version = memberships.version
                    AND (excluded.active, excluded.term) IS DISTINCT FROM (memberships.active, memberships.term)
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
