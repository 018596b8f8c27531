// SPDX-License-Identifier: Apache-2.0
// The SQL on who may not come into a playground.

import Domain
import Postgres
import Views

/// Somebody who may not come in, and why.
struct Ban: ObjectView {
    let person: Person
    let actorID: AccountID
    let reason: String
    let createdAt: Timestamp
    let site: Site

    func writeMembers(to json: inout JSONWriter) {
        json.member("account", PersonView(person: person, site: site))
        json.member("reason", reason)
        json.member("actor_id", actorID)
        json.member("created_at", createdAt)
    }
}

extension Ban {
    /// The columns of `accounts a` and of bans `b` that `init(columns:site:)` reads.
    fileprivate static let columns: SQL = "\(Person.columns), b.actor_id, b.reason, b.created_at"

    fileprivate init(columns: inout Columns, site: Site) throws {
        person = try Person(columns: &columns)
        actorID = try columns.next()
        reason = try columns.next()
        createdAt = try columns.next()
        self.site = site
    }
}

/// Reads and writes bans.
enum BanStore {
    static func exists(
        _ account: AccountID,
        in playground: PlaygroundID,
        in database: some Querying
    ) async throws -> Bool {
        try await !database.query(
            "SELECT 1 FROM playground_bans WHERE playground_id = \(playground) AND account_id = \(account)"
        ).isEmpty
    }

    /// Keeps a ban that is there as it is.
    static func insert(
        _ account: AccountID,
        in playground: PlaygroundID,
        actor: AccountID,
        reason: String,
        at now: Timestamp,
        in transaction: some Transacting
    ) {
        transaction.enqueue(
            """
            INSERT INTO playground_bans (playground_id, account_id, actor_id, reason, created_at)
            VALUES (\(playground), \(account), \(actor), \(reason), \(now))
            ON CONFLICT DO NOTHING
            """
        )
    }

    static func delete(_ account: AccountID, in playground: PlaygroundID, in transaction: some Transacting) {
        transaction.enqueue(
            "DELETE FROM playground_bans WHERE playground_id = \(playground) AND account_id = \(account)"
        )
    }

    /// Bans, the newest account first.
    static func list(
        of playground: PlaygroundID,
        _ page: Page,
        site: Site,
        in database: some Querying
    ) async throws -> [Ban] {
        try await bans(of: playground, page.cut("account_id"), site: site, in: database)
    }

    static func ban(
        _ account: AccountID,
        in playground: PlaygroundID,
        site: Site,
        in database: some Querying
    ) async throws -> Ban? {
        try await bans(of: playground, "account_id = \(account)", site: site, in: database).first
    }

    private static func bans(
        of playground: PlaygroundID,
        _ chosen: SQL,
        site: Site,
        in database: some Querying
    ) async throws -> [Ban] {
        try await database.query(
            """
            WITH b AS (
                SELECT account_id, actor_id, reason, created_at
                FROM playground_bans
                WHERE playground_id = \(playground) AND \(chosen)
            )
            SELECT \(Ban.columns)
            FROM b
            JOIN accounts a ON a.id = b.account_id
            ORDER BY a.id DESC
            """
        ).all { try Ban(columns: &$0, site: site) }
    }
}
