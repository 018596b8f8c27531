// SPDX-License-Identifier: Apache-2.0
// `auth audit [ACCOUNT]`: what was done to accounts.

import Domain
import Logging
import Postgres
import Serving

/// Prints the notes on one account, named or by its id, or all of them: a line each, the oldest first.
enum PrintAudit {
    private struct Usage: Error, CustomStringConvertible {
        var description: String { "usage: auth audit [ACCOUNT]" }
    }

    private struct Unknown: Error, CustomStringConvertible {
        let name: String
        var description: String { "there is no account \(name.escaped())" }
    }

    private static let page = 1000

    @Sendable static func run(_ config: Config, logger: Logger, arguments: [String]) async throws {
        guard arguments.count <= 1 else { throw Usage() }
        let database = Database(config.service.database, logger: logger)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await database.run() }
            try await lines(of: arguments.first, in: database) { print($0) }
            group.cancelAll()
        }
    }

    static func lines(of name: String?, in database: Database, print: (String) -> Void) async throws {
        let account = try await name.asyncMap { try await Self.account($0, in: database) }
        var last = ID<AuditNote>(0)
        while true {
            let notes = try await AuditStore.page(of: account, after: last, limit: page, in: database)
            for counted in notes { print(line(counted)) }
            guard let end = notes.last?.note.id, notes.count == page else { return }
            last = end
        }
    }

    /// An account that is gone is still known by its id.
    private static func account(_ name: String, in database: Database) async throws -> AccountID {
        let plain = name.hasPrefix("@") ? name.dropFirst() : name[...]
        if let username = Username(plain),
            let found = try await AccountStore.credentials(username: username, email: nil, in: database)
        {
            return found.id
        }
        guard let id = AccountID(name) else { throw Unknown(name: name) }
        return id
    }

    static func line(_ counted: AuditStore.Counted) -> String {
        let note = counted.note
        var parts = [
            note.at.rfc3339, note.act, "by=\(note.actor.replacing(" ", with: ":"))", "from=\(note.address.escaped())",
        ]
        if let account = note.account { parts.append("account=\(account)") }
        if let session = note.session { parts.append("session=\(session)") }
        if let app = note.app { parts.append("app=\(app)") }
        if counted.count > 1 { parts.append("count=\(counted.count) until=\(counted.last.rfc3339)") }
        if !note.detail.isEmpty { parts.append(note.detail) }
        return parts.joined(separator: " ")
    }
}

extension Optional {
    fileprivate func asyncMap<Value>(_ body: (Wrapped) async throws -> Value) async rethrows -> Value? {
        guard let self else { return nil }
        return try await body(self)
    }
}
