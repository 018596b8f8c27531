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
    /// The statement was not answered in time; if it was a write by itself, it may have happened.
    case deadlineExceeded(statement: String)
    /// No connection became free in time.
    case poolExhausted
    case decoding(statement: String, column: Int, String)
    case closed
    /// The program used a transaction from two tasks at once or after its end.
    case misuse(String)

    /// The server's code, when it was the server that refused.
    package var sqlState: String? {
        if case .server(let state, _, _, _) = self { state } else { nil }
    }

    /// 23505.
    package var isUniqueViolation: Bool { sqlState == "23505" }

    /// A text held a NUL or was not UTF-8 (22021, 22P05): the client's fault.
    package var isInvalidText: Bool { sqlState == "22021" || sqlState == "22P05" }

    /// The name of the violated constraint.
    package var constraint: String? {
        if case .server(_, _, let constraint, _) = self { constraint } else { nil }
    }

    /// Whether the database itself is away, so that another try later may work.
    package var isUnavailable: Bool {
        switch self {
        case .connectionLost, .commitUnknown, .deadlineExceeded, .poolExhausted, .closed: true
        case .decoding, .misuse: false
        case .server(let state, _, _, _):
            // Connection, resources, shutdown and start, a standby that cannot write, a lock or statement timeout.
            state.hasPrefix("08") || state.hasPrefix("53") || state.hasPrefix("57") || state == "25006"
                || state == "25P03" || state == "55P03"
        }
    }

    /// A transaction that failed with it may work when it is run again.
    var isWorthRepeating: Bool { sqlState == "40001" || sqlState == "40P01" }
}
