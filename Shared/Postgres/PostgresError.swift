// SPDX-License-Identifier: Apache-2.0
// What can go wrong between us and PostgreSQL.

/// An error of the database or of the way to it. Its text is for the log, never for a client.
package enum PostgresError: Error, Sendable {
    /// The server refused a statement.
    case server(sqlState: String, message: String, constraint: String?, statement: String)
    /// No connection, or it broke before the statement was answered. A write may or may not have happened only if `sent`.
    case connectionLost(String, sent: Bool)
    /// The connection broke while COMMIT was under way: nobody knows whether it happened.
    case commitUnknown
    case deadlineExceeded(statement: String)
    /// No connection became free in time.
    case poolExhausted
    case decoding(statement: String, column: Int, String)
    case closed

    /// 23505.
    package var isUniqueViolation: Bool {
        if case .server("23505", _, _, _) = self { true } else { false }
    }

    /// The name of the violated constraint.
    package var constraint: String? {
        if case .server(_, _, let constraint, _) = self { constraint } else { nil }
    }

    /// Whether the database itself is away, so that another try later may work.
    package var isUnavailable: Bool { fatalError("stub") }
}
