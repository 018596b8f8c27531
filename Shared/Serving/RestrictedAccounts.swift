// SPDX-License-Identifier: Apache-2.0
// What a service keeps of restrictions: the table `restricted_accounts`, a row for each account that ever was restricted.

public import Domain
public import Events
public import Outbox
public import Postgres

extension Restriction: ColumnWord {}
extension Restriction: PostgresArrayElement { public static var postgresArrayType: UInt32 { 1009 } }

/// The table is posts' own; everybody else keeps it as a projection.
public enum RestrictedAccounts {
    /// Keeps what is told unless something as new is known.
    ///
    /// - Returns: what was known to be in force before; nil where something newer is.
    public static func keep(_ event: AccountRestricted, in transaction: some Transacting) async throws
        -> [Restriction]?
    {
        try await transaction.query(
            """
            WITH before AS MATERIALIZED (
                SELECT restrictions FROM restricted_accounts WHERE account_id = \(event.accountID)
            )
            INSERT INTO restricted_accounts AS kept (account_id, restrictions, version)
            VALUES (\(event.accountID), \(event.restrictions), \(event.subjectVersion))
            ON CONFLICT (account_id) DO UPDATE SET restrictions = excluded.restrictions, version = excluded.version
            WHERE kept.version < excluded.version
            RETURNING coalesce((SELECT restrictions FROM before), '{}')
            """
        ).one { try $0.next() }
    }

    /// What is in force of an account, as far as is known here.
    public static func restrictions(of account: AccountID, in database: some Querying) async throws -> [Restriction] {
        try await database.query("SELECT restrictions FROM restricted_accounts WHERE account_id = \(account)")
            .one { try $0.next() } ?? []
    }

    /// Whether nobody else may see an account: a look at one row of a small table. `OFFSET 0` keeps the planner from reading the
    /// whole table for the sake of a list.
    ///
    /// - Parameters:
    ///   - account: a column with the name of its table, or a value.
    ///   - viewer: who sees themselves all the same.
    public static func isHidden(_ account: SQL, from viewer: SQL? = nil) -> SQL {
        // Written out twice: lists ask it several times a request, and each piece of a statement costs memory of its own.
        guard let viewer else {
            return """
                EXISTS (
                    SELECT FROM restricted_accounts restricted
                    WHERE restricted.account_id = \(account) AND restricted.is_hidden
                    OFFSET 0
                )
                """
        }
        return """
            EXISTS (
                SELECT FROM restricted_accounts restricted
                WHERE restricted.account_id = \(account) AND restricted.is_hidden AND restricted.account_id IS DISTINCT FROM \(viewer)
                OFFSET 0
            )
            """
    }

    /// What of the table a rebuild knows.
    public static func seen(_ event: AccountRestricted) -> Seen { Seen("restricted", event.accountID.rawValue) }
    public static let untold = UntoldRows(from: "restricted_accounts", kind: "'restricted'", "account_id")
}
