// SPDX-License-Identifier: Apache-2.0
// What can go wrong between us and PostgreSQL.

/// An error of the database or of the way to it. Its text is for the log, never for a client.
public enum PostgresError: Error, Sendable {
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
    public var sqlState: String? {
        if case .server(let state, _, _, _) = self { state } else { nil }
    }

    /// 23505.
    public var isUniqueViolation: Bool { sqlState == "23505" }

    /// A text held a NUL or was not UTF-8 (22021, 22P05): the client's fault.
    public var isInvalidText: Bool { sqlState == "22021" || sqlState == "22P05" }

    /// The server knows us, or what we ask for, not at all: a bad password, role or database (28…, 3D000). It stays so
    /// until an operator changes a setting.
    public var isRefusedLogin: Bool { sqlState.map { $0.hasPrefix("28") || $0 == "3D000" } ?? false }

    /// The name of the violated constraint.
    public var constraint: String? {
        if case .server(_, _, let constraint, _) = self { constraint } else { nil }
    }

    /// What kind of failure an error is, which decides who is to blame and whether another try can work.
    public enum Kind: Sendable {
        /// The database cannot be reached, is going down or coming up, or takes nobody more: not the statement's fault.
        case away
        /// It took longer, or more, than it was given: another try may work, a smaller one rather.
        case slow
        /// Another transaction was in the way: the same again may work.
        case conflict
        /// The statement's own fault: it fails every time.
        case own
    }

    public var kind: Kind {
        switch self {
        case .connectionLost, .commitUnknown, .poolExhausted, .closed: .away
        case .deadlineExceeded: .slow
        case .decoding, .misuse: .own
        case .server("XX000", let message, _, _) where message.hasPrefix(PostgresError.twoUpdaters): .conflict
        case .server(let state, _, _, _): PostgresError.kind(of: state)
        }
    }

    /// What PostgreSQL says of a row whose last updater is just being rolled back, if others hold key locks on it: seen as
    /// aborted already when waiting is considered, and as under way still when the lock is written.
    private static let twoUpdaters = "new multixact has more than one updating member"

    private static func kind(of state: String) -> Kind {
        switch state {
        case "40001", "40P01": .conflict
        // Cancelled by a timeout, a lock that did not come, a transaction that idled or lasted too long, memory, temporary files.
        case "57014", "55P03", "25P03", "25P04", "53200", "53400": .slow
        // A standby that cannot write, a disk that fails.
        case "25006", "58030": .away
        // Connection, resources, shutdown and start.
        default: state.hasPrefix("08") || state.hasPrefix("53") || state.hasPrefix("57") ? .away : .own
        }
    }

    /// Whether another try later may work, so that a client is told to come again.
    public var isUnavailable: Bool { kind == .away || kind == .slow }

    /// The disk is full: what is there can be read.
    public var hindersWritesOnly: Bool { sqlState == "53100" }

    /// A transaction that failed with it may work when it is run again.
    var isWorthRepeating: Bool { kind == .conflict }
}
