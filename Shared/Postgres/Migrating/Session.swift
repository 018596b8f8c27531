// SPDX-License-Identifier: Apache-2.0
// A connection that blocks: for migrations and for tests, which run on threads of their own.

internal import CPostgres
internal import Threads

/// One connection that blocks its thread; never used on the cooperative pool.
public final class Session {
    private let link: OpaquePointer

    /// Connects, runs `body` on a thread of its own and closes the connection.
    public static func run<Value: Sendable>(
        _ configuration: DatabaseConfiguration,
        _ body: @escaping @Sendable (Session) throws -> Value
    ) async throws -> Value {
        try await onThread(named: "session") { try body(Session(configuration)) }
    }

    init(_ configuration: DatabaseConfiguration) throws {
        // What runs once is planned for its values, and for its tables as they are.
        var configuration = configuration
        configuration.plansOnce = false
        let keywords = configuration.keywords(statementTimeout: "0", lockTimeout: "0")
        guard let link = DatabaseConfiguration.connect(keywords, by: { PQconnectdbParams($0, $1, 1) }) else {
            throw PostgresError.connectionLost("out of memory", sent: false)
        }
        guard PQstatus(link) == CONNECTION_OK else {
            defer { PQfinish(link) }
            let message = String(cString: PQerrorMessage(link))
            // libpq keeps the code of a refused login to itself.
            if let state = Session.refusals.first(where: { message.contains($0.text) })?.state {
                throw PostgresError.server(sqlState: state, message: message, constraint: nil, statement: "")
            }
            throw PostgresError.connectionLost(message, sent: false)
        }
        PQsetNoticeReceiver(link, { _, _ in }, nil)
        self.link = link
    }

    private static let refusals: [(text: String, state: String)] = [
        ("password authentication failed", "28P01"), ("no password supplied", "28P01"), ("does not exist", "3D000"),
    ]

    deinit { PQfinish(link) }

    /// Whether a transaction is open and sound.
    public var isInTransaction: Bool { PQtransactionStatus(link) == PQTRANS_INTRANS }

    /// Runs one or more statements that belong to the program, never to a client.
    public func execute(_ text: String) throws { _ = try check(PQexec(link, text), text) }

    /// Runs one statement with text parameters.
    ///
    /// - Returns: the rows, NULL as nil.
    public func rows(_ text: String, _ parameters: [String] = []) throws -> [[String?]] {
        let bytes = parameters.map { parameter in parameter.utf8CString }
        let size = bytes.reduce(1) { $0 + $1.count }
        let result = withUnsafeTemporaryAllocation(of: CChar.self, capacity: size) { buffer in
            var values: [UnsafePointer<CChar>?] = []
            var offset = 0
            for string in bytes {
                for (index, byte) in string.enumerated() { buffer[offset + index] = byte }
                values.append(buffer.baseAddress.map { UnsafePointer($0 + offset) })
                offset += string.count
            }
            return PQexecParams(link, text, Int32(values.count), nil, values, nil, nil, 0)
        }
        let memory = try check(result, text)
        return (0..<memory.rows).map { row in
            (0..<memory.columns).map { column in
                PQgetisnull(memory.pointer, row, column) == 1
                    ? nil : String(cString: PQgetvalue(memory.pointer, row, column))
            }
        }
    }

    private func check(_ result: OpaquePointer?, _ text: String) throws -> ResultMemory {
        guard let result else {
            throw PostgresError.connectionLost(String(cString: PQerrorMessage(link)), sent: true)
        }
        let memory = ResultMemory(result, statement: nil)
        switch PQresultStatus(result) {
        case PGRES_COMMAND_OK, PGRES_TUPLES_OK, PGRES_EMPTY_QUERY: return memory
        default:
            let error = ServerError(result)
            guard !error.state.isEmpty else { throw PostgresError.connectionLost(error.message, sent: true) }
            throw error.described(text)
        }
    }
}
