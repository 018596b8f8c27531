// SPDX-License-Identifier: Apache-2.0
// The SQL on who may not come into a playground.

import Domain
import Postgres
import Views

/// Somebody who may not come in, and why.
struct Ban: View {
    let person: Person
    let actorID: AccountID
    let reason: String
    let createdAt: Timestamp
    let site: Site

    func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("account", PersonView(person, site: site))
            json.member("reason", reason)
            json.member("actor_id", actorID)
            json.member("created_at", createdAt)
        }
    }
}

/// Reads and writes bans.
enum BanStore {
    static func exists(_ account: AccountID, in playground: PlaygroundID, _ transaction: Transaction) async throws
        -> Bool
    {
        try await !transaction.query(
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
        _ transaction: Transaction
    ) {
        transaction.enqueue(
            """
            INSERT INTO playground_bans (playground_id, account_id, actor_id, reason, created_at)
            VALUES (\(playground), \(account), \(actor), \(reason), \(now))
            ON CONFLICT DO NOTHING
            """
        )
    }

    static func delete(_ account: AccountID, in playground: PlaygroundID, _ transaction: Transaction) {
        transaction.enqueue(
            "DELETE FROM playground_bans WHERE playground_id = \(playground) AND account_id = \(account)"
        )
    }

    /// Bans, the newest account first.
    static func list(of playground: PlaygroundID, _ page: Page, site: Site, in database: Database) async throws -> [Ban]
    {
        try await database.query(
            """
            WITH page AS (
                SELECT account_id, actor_id, reason, created_at
                FROM playground_bans
                WHERE playground_id = \(playground) AND \(page.cut("account_id"))
            )
            SELECT \(Person.columns), page.actor_id, page.reason, page.created_at
            FROM page
            JOIN accounts a ON a.id = page.account_id
            ORDER BY a.id DESC
            """
        ).map { row in try Ban(row, site: site) }
    }

    static func ban(
        _ account: AccountID,
        in playground: PlaygroundID,
        site: Site,
        _ transaction: Transaction
    ) async throws -> Ban? {
        try await transaction.query(
            """
            SELECT \(Person.columns), b.actor_id, b.reason, b.created_at
            FROM playground_bans b
            JOIN accounts a ON a.id = b.account_id
            WHERE b.playground_id = \(playground) AND b.account_id = \(account)
            """
        ).first.map { row in try Ban(row, site: site) }
    }
}

extension Ban {
    fileprivate init(_ row: Row, site: Site) throws {
        var columns = row.columns
        self.init(
            person: try Person(columns: &columns),
            actorID: try columns.next(),
            reason: try columns.next(),
            createdAt: try columns.next(),
            site: site
        )
    }
}
