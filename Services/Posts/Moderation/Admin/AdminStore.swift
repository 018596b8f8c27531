// SPDX-License-Identifier: Apache-2.0
// The SQL on people as moderators see them.

import Domain
import Events
import Postgres

/// Whom a moderator looks for.
struct AdminAccountFilter: Sendable {
    enum Status: String, CaseIterable, Sendable {
        case active, pending, disabled, silenced, suspended, sensitized

        /// What holds of them.
        fileprivate var restriction: Restriction? {
            switch self {
            case .active, .pending: nil
            case .disabled: .frozen
            case .silenced: .limited
            case .suspended: .suspended
            case .sensitized: .sensitive
            }
        }
    }

    var status: Status?
    /// Whether only those are looked for who hold a role.
    var isStaff = false
    /// Whether what is asked for is nobody.
    var isNobody = false
    /// How it begins.
    var username: String?
    /// How it begins.
    var displayName: String?

    /// Of `accounts a`.
    fileprivate var condition: SQL {
        var condition: SQL = "true"
        if let restriction = status?.restriction {
            condition = """
                a.id IN (
                    SELECT k.account_id FROM restricted_accounts k
                    WHERE k.restrictions <> '{}' AND \(restriction) = ANY (k.restrictions)
                )
                """
        } else if status == .active {
            condition = """
                NOT EXISTS (
                    SELECT FROM restricted_accounts k
                    WHERE k.account_id = a.id AND k.restrictions && '{frozen,suspended}' OFFSET 0
                )
                """
        }
        if isStaff {
            condition = "\(condition) AND a.id IN (SELECT r.account_id FROM roles r WHERE r.role <> 'user')"
        }
        if let username { condition = "\(condition) AND starts_with(a.username, \(username))" }
        if let displayName { condition = "\(condition) AND starts_with(lower(a.display_name), lower(\(displayName)))" }
        return condition
    }
}

/// Somebody as moderators see them.
struct AdminAccountRow: Sendable {
    let account: AccountSnapshot
    let role: Role
    /// What is in force on the account, whoever brought it about: a moderator's decision or an operator.
    let restrictions: [Restriction]

    /// Of `accounts a` and what `joins` joins.
    fileprivate static let columns: SQL = """
        \(AccountSnapshot.columns), coalesce(r.role, 'user'), coalesce(k.restrictions, '{}')
        """

    fileprivate static let joins: SQL = """
        LEFT JOIN LATERAL (SELECT r.role FROM roles r WHERE r.account_id = a.id OFFSET 0) r ON true
        LEFT JOIN LATERAL (
            SELECT k.restrictions FROM restricted_accounts k WHERE k.account_id = a.id OFFSET 0
        ) k ON true
        """

    fileprivate init(columns: inout Columns) throws {
        account = try columns.next()
        role = try columns.next()
        restrictions = try columns.next([String].self).compactMap(Restriction.init(rawValue:))
    }
}

enum AdminStore {
    static func accounts(_ ids: [AccountID], in database: some Querying) async throws -> [AdminAccountRow] {
        try await database.query(
            """
            SELECT \(AdminAccountRow.columns)
            FROM unnest(\(ids)) w (id)
            CROSS JOIN LATERAL (SELECT a.* FROM accounts a WHERE a.id = w.id OFFSET 0) a
            \(AdminAccountRow.joins)
            """
        ).all(AdminAccountRow.init(columns:))
    }

    /// The newest first.
    static func page(
        _ page: Page,
        _ filter: AdminAccountFilter,
        in database: some Querying
    ) async throws -> [AdminAccountRow] {
        try await database.query(
            """
            WITH page AS MATERIALIZED (
                SELECT a.* FROM accounts a WHERE \(filter.condition) AND \(page.cut("a.id"))
            )
            SELECT \(AdminAccountRow.columns)
            FROM page a
            \(AdminAccountRow.joins)
            ORDER BY a.id DESC
            """
        ).all(AdminAccountRow.init(columns:))
    }
}
