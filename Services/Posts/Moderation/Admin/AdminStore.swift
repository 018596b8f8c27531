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
        fileprivate var action: DecisionAction? {
            switch self {
            case .active, .pending: nil
            case .disabled: .freeze
            case .silenced: .limit
            case .suspended: .suspend
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
    fileprivate func condition(at now: Timestamp) -> SQL {
        var condition: SQL = "true"
        if let action = status?.action {
            condition = "a.id IN (SELECT d.account_id FROM decisions d WHERE d.action = \(action) AND \(held(now)))"
        } else if status == .active {
            condition = """
                NOT EXISTS (
                    SELECT FROM decisions d
                    WHERE d.account_id = a.id AND d.action IN ('freeze', 'suspend') AND \(held(now))
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

    private func held(_ now: Timestamp) -> SQL { DecisionStore.isInForce("d", at: now) }
}

/// Somebody as moderators see them.
struct AdminAccountRow: Sendable {
    let account: AccountSnapshot
    let role: Role
    /// What holds of the account.
    let held: [DecisionAction]

    /// Of `accounts a` and what `joins` joins.
    fileprivate static let columns: SQL = "\(AccountSnapshot.columns), coalesce(r.role, 'user'), h.actions"

    fileprivate static func joins(at now: Timestamp) -> SQL {
        """
        LEFT JOIN LATERAL (SELECT r.role FROM roles r WHERE r.account_id = a.id OFFSET 0) r ON true
        CROSS JOIN LATERAL (
            SELECT coalesce(array_agg(DISTINCT d.action), '{}') AS actions
            FROM decisions d
            WHERE d.account_id = a.id AND \(DecisionStore.isInForce("d", at: now))
        ) h
        """
    }

    fileprivate init(columns: inout Columns) throws {
        account = try columns.next()
        role = try columns.next()
        held = try columns.next([String].self).compactMap(DecisionAction.init(rawValue:))
    }
}

enum AdminStore {
    static func accounts(
        _ ids: [AccountID],
        at now: Timestamp,
        in database: some Querying
    ) async throws -> [AdminAccountRow] {
        try await database.query(
            """
            SELECT \(AdminAccountRow.columns)
            FROM unnest(\(ids)) w (id)
            CROSS JOIN LATERAL (SELECT a.* FROM accounts a WHERE a.id = w.id OFFSET 0) a
            \(AdminAccountRow.joins(at: now))
            """
        ).all(AdminAccountRow.init(columns:))
    }

    /// The newest first.
    static func page(
        _ page: Page,
        _ filter: AdminAccountFilter,
        at now: Timestamp,
        in database: some Querying
    ) async throws -> [AdminAccountRow] {
        try await database.query(
            """
            WITH page AS MATERIALIZED (
                SELECT a.* FROM accounts a WHERE \(filter.condition(at: now)) AND \(page.cut("a.id"))
            )
            SELECT \(AdminAccountRow.columns)
            FROM page a
            \(AdminAccountRow.joins(at: now))
            ORDER BY a.id DESC
            """
        ).all(AdminAccountRow.init(columns:))
    }
}
