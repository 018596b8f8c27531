// SPDX-License-Identifier: Apache-2.0
// Every statement of a service: that a test calls it, its text, its rows and its plan.

internal import Foundation
package import Postgres
internal import Synchronization
internal import Testing

/// Calls of every function of a service's stores.
///
/// The rows that they find are made by `Tests/<Service>Tests/StatementRows.sql`, ten thousand and more in a table that grows,
/// so that a plan which does not walk an index is dear. The text of the statements stands in
/// `Tests/Fixtures/statements/<service>.sql`.
package struct StatementCatalogue: Sendable {
    package typealias Body = @Sendable (RecordingTransaction) async throws -> Void

    struct Call: Sendable {
        let name: String
        let function: String
        let index: String?
        let shunned: String?
        let reason: String?
        let isKept: Bool
        let body: Body
    }

    /// The folder of `Services`.
    let service: String
    private(set) var calls: [Call] = []

    package init(_ service: String) { self.service = service }

    /// Adds a call that runs exactly one statement and finds at least one row.
    ///
    /// - Parameters:
    ///   - function: as Swift writes it: `PostStore.post(_:in:)`.
    ///   - variant: tells the calls of a function with several forms apart.
    ///   - index: what the statement must walk.
    ///   - shunned: an index that it must not walk, because some have far more behind a key of it than most.
    ///   - reason: why the statement may read a whole table.
    ///   - isKept: whether an answer is kept that it is read for, so that the changes of all that it reads must be noted.
    package mutating func callAsFunction(
        _ function: String,
        _ variant: String = "",
        walks index: String? = nil,
        shuns shunned: String? = nil,
        scansBecause reason: String? = nil,
        isKept: Bool = false,
        _ body: @escaping Body
    ) {
        let name = variant.isEmpty ? function : "\(function), \(variant)"
        calls.append(
            Call(
                name: name,
                function: function,
                index: index,
                shunned: shunned,
                reason: reason,
                isKept: isKept,
                body: body
            )
        )
    }
}

// MARK: The source

extension StatementCatalogue {
    /// Expects a call of every function of every store, and no statement outside a store.
    package func expectComplete() throws {
        let folder = repositoryRoot.appending(path: "Services/\(service)")
        let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
        var functions: Set<String> = []
        while let file = files?.nextObject() as? URL {
            guard file.pathExtension == "swift" else { continue }
            let text = try String(contentsOf: file, encoding: .utf8)
            let name = file.deletingPathExtension().lastPathComponent
            if name.hasSuffix("Store") {
                // A store of the kit that the service extends is one of its own.
                let kit = repositoryRoot.appending(path: "Shared/Serving/\(name).swift")
                let whole = text + ((try? String(contentsOf: kit, encoding: .utf8)) ?? "")
                functions.formUnion((Self.functions(whole) + Self.rows(whole)).map { "\(name).\($0)" })
                #expect(!text.contains(/: (Database|Transaction)\b/), "\(name) is not open to a test")
            } else {
                #expect(!text.contains(/\.(query|enqueue)\(/), "\(name) runs a statement of its own")
            }
        }
        #expect(!functions.isEmpty)
        let called = Set(calls.map(\.function))
        #expect(functions.subtracting(called).sorted() == [], "these are not in the catalogue")
        #expect(called.subtracting(functions).sorted() == [], "these are not there any more")
    }

    /// The functions of a store that run a statement and are not private, as `name(_:label:)`.
    private static func functions(_ text: String) -> [String] {
        text.matches(of: /(?m)^ *([a-z@ ]*)func (\w+)(?:<[^>]*>)?\(/).compactMap { match in
            let (labels, isStatement) = parameters(text[match.range.upperBound...])
            return isStatement && !match.1.contains("private") ? "\(match.2)(\(labels))" : nil
        }
    }

    /// The rows of a store of which the kit knows the statement, such as `AccountRows`.
    private static func rows(_ text: String) -> [String] {
        text.matches(
            of: /(?m)^ *static let (\w+)(?:: \[\w+Rows\])? =\s+\[?\s*(?:named|held|(?:Account|Aged|Exported)Rows)\(/
        ).map { String($0.1) }
            + text.matches(of: /(?m)^ *static func (\w+)\(.*\) -> ExportedRows/).map { String($0.1) }
    }

    /// The labels of the parameters at the beginning of `text`, up to the parenthesis that ends them, and whether one of them
    /// runs statements.
    private static func parameters(_ text: Substring) -> (labels: String, isStatement: Bool) {
        var depth = 0
        var parts = [""]
        for character in text {
            if ")]>".contains(character) { depth -= 1 }
            if depth < 0 { break }
            if "([<".contains(character) { depth += 1 }
            if character == ",", depth == 0 { parts.append("") } else { parts[parts.count - 1].append(character) }
        }
        let labels = parts.compactMap { part in
            part.split(whereSeparator: { " :\n".contains($0) }).first.map { "\($0):" }
        }
        return (labels.joined(), parts.contains { $0.contains(/some (Querying|Transacting)/) })
    }
}

// MARK: The database

extension StatementCatalogue {
    /// Runs every call, each in a transaction that is rolled back, and expects one statement and a row of each, the text of
    /// the golden file, and a plan that reads no table from end to end.
    ///
    /// - Parameters:
    ///   - small: tables that do not grow.
    ///   - unnoted: tables that answers are kept of though their changes are not noted: no row of them changes alone.
    package func expectStatements(
        migrations: [MigrationSource],
        schema: String,
        small: Set<String> = [],
        unnoted: Set<String> = []
    ) async throws {
        try await withDatabase(migrations: migrations, schema: schema) { database, configuration in
            let rows = try String(contentsOf: rowsFile, encoding: .utf8)
            try await Session.run(configuration) { session in
                // References are not looked at while the tables fill.
                try session.execute("SET session_replication_role = replica")
                try session.execute(rows)
                try session.execute("VACUUM ANALYZE")
                // As if there were a hundred times as many rows, so that what is chosen is what is chosen for large tables.
                try session.execute(
                    "UPDATE pg_class SET reltuples = reltuples * 100 WHERE relnamespace = current_schema()::regnamespace"
                )
            }
            var statements: [Statement] = []
            for call in calls {
                guard let statement = await record(call, in: database) else { continue }
                statements.append(statement)
            }
            let recorded = statements
            try await Session.run(configuration) {
                try expectPlans(of: recorded, small: small, unnoted: unnoted, in: $0)
            }
            try expectText(of: recorded)
        }
    }

    private struct Statement: Sendable {
        let call: Call
        let sql: SQL
    }

    private struct RolledBack: Error {}

    private func record(_ call: Call, in database: Database) async -> Statement? {
        let found = Mutex<[RecordingTransaction.Statement]>([])
        do {
            try await database.transaction { transaction in
                let recording = RecordingTransaction(transaction)
                try await call.body(recording)
                try await recording.flush()
                found.withLock { $0 = recording.statements }
                throw RolledBack()
            }
        } catch is RolledBack {
        } catch {
            Issue.record("\(call.name): \(error)")
            return nil
        }
        let statements = found.withLock { $0 }
        guard statements.count == 1, let statement = statements.first else {
            Issue.record("\(call.name) ran \(statements.count) statements")
            return nil
        }
        if statement.affected == 0 { Issue.record("\(call.name) found no row") }
        return Statement(call: call, sql: statement.sql)
    }

    private var rowsFile: URL { repositoryRoot.appending(path: "Tests/\(service)Tests/StatementRows.sql") }

    private var goldenFile: URL {
        repositoryRoot.appending(path: "Tests/Fixtures/statements/\(service.lowercased()).sql")
    }

    private func expectText(of statements: [Statement]) throws {
        let names = calls.map(\.name)
        #expect(Set(names).count == names.count, "two calls have the same name")
        let text = statements.sorted { $0.call.name < $1.call.name }
            .map { "-- \($0.call.name)\n\($0.sql.text);\n" }.joined(separator: "\n")
        let file = goldenFile
        if isWriting { try text.write(to: file, atomically: true, encoding: .utf8) }
        let golden = try String(contentsOf: file, encoding: .utf8)
        guard text != golden else { return }
        let (new, old) = (text.split(separator: "\n"), golden.split(separator: "\n"))
        Issue.record(
            """
            the statements have changed; read them and write them again with MADANG_WRITE_FIXTURES=1
            \(new.difference(from: old).map { change in
                switch change {
                case .insert(_, let line, _): "+ \(line)"
                case .remove(_, let line, _): "- \(line)"
                }
            }.joined(separator: "\n"))
            """
        )
    }

    /// The plan that a prepared statement comes to after a few uses, which knows nothing of the values.
    private func expectPlans(
        of statements: [Statement],
        small: Set<String>,
        unnoted: Set<String>,
        in session: Session
    ) throws {
        let noted = try notedTables(in: session)
        try session.execute("SET plan_cache_mode = force_generic_plan; SET max_parallel_workers_per_gather = 0")
        for (call, sql) in statements.map({ ($0.call, $0.sql) }) {
            let types = try sql.binds.map { bind in
                try session.rows("SELECT format_type($1::oid, NULL)", ["\(bind.type)"]).first?.first.flatMap(\.self)
                    ?? "?"
            }
            let (declared, values) = (types.joined(separator: ", "), types.map { _ in "NULL" }.joined(separator: ", "))
            try session.execute("PREPARE planned \(types.isEmpty ? "" : "(\(declared))") AS \(sql.text)")
            let rows = try session.rows(
                "EXPLAIN (FORMAT JSON) EXECUTE planned \(types.isEmpty ? "" : "(\(values))")"
            )
            try session.execute("DEALLOCATE planned")
            let text = rows.compactMap { $0.first.flatMap(\.self) }.joined(separator: "\n")
            let plan = Plan(try JSONDecoder().decode(JSON.self, from: Data(text.utf8)))
            if call.isKept {
                let missed = plan.tables.subtracting(noted).subtracting(unnoted).sorted()
                #expect(missed == [], "\(call.name) is kept and reads what nobody notes the changes of")
            }
            let whole = plan.readWhole.subtracting(small).sorted()
            if call.reason == nil {
                #expect(whole == [], "\(call.name) reads a whole table\n\(plan)")
            } else {
                #expect(whole != [], "\(call.name) does walk an index")
            }
            if let index = call.index {
                #expect(plan.indexes.contains(index), "\(call.name) does not walk \(index)\n\(plan)")
            }
            if let shunned = call.shunned {
                #expect(!plan.indexes.contains(shunned), "\(call.name) walks \(shunned)\n\(plan)")
            }
        }
    }
}

/// The tables of which every kind of change is noted.
private func notedTables(in session: Session) throws -> Set<String> {
    let rows = try session.rows(
        """
        SELECT c.relname
        FROM pg_class c
        WHERE c.relnamespace = current_schema()::regnamespace
            AND 4 = (
                SELECT count(*)
                FROM pg_trigger t
                WHERE t.tgrelid = c.oid AND t.tgenabled = 'O'
                    AND t.tgname IN ('note_insert', 'note_update', 'note_delete', 'note_truncate')
            )
        """
    )
    return Set(rows.compactMap { $0.first.flatMap(\.self) })
}

/// What a plan reads.
private struct Plan: CustomStringConvertible {
    private(set) var tables: Set<String> = []
    /// Tables that are read from end to end.
    private(set) var readWhole: Set<String> = []
    /// Indexes that are walked.
    private(set) var indexes: Set<String> = []
    private(set) var description = ""

    init(_ explained: JSON) {
        guard case .array(let plans) = explained else { return }
        for plan in plans { if let root = plan["Plan"] { visit(root, endsEarly: false, depth: 0) } }
    }

    /// - Parameter endsEarly: whether somebody above takes a few rows and no more.
    private mutating func visit(_ node: JSON, endsEarly: Bool, depth: Int) {
        let type = node.text("Node Type") ?? ""
        let (table, index) = (node.text("Relation Name"), node.text("Index Name"))
        let condition = node.text("Index Cond")
        let words = [type, table ?? "", index ?? "", condition ?? node.text("Filter") ?? ""].filter { !$0.isEmpty }
        description += String(repeating: "  ", count: depth) + words.joined(separator: " ") + "\n"
        if let table { tables.insert(table) }
        if let index { indexes.insert(index) }
        let isWhole = type == "Seq Scan" || (index != nil && condition == nil && !endsEarly)
        if isWhole { readWhole.insert(table ?? index ?? "") }
        let early = type == "Limit" || (endsEarly && !["Sort", "Aggregate", "Hash"].contains(type))
        guard case .array(let children)? = node["Plans"] else { return }
        for child in children { visit(child, endsEarly: early, depth: depth + 1) }
    }
}

extension JSON {
    fileprivate func text(_ key: String) -> String? {
        if case .string(let text)? = self[key] { text } else { nil }
    }
}

/// Passes statements on to a transaction and remembers them.
package final class RecordingTransaction: Transacting {
    struct Statement: Sendable {
        let sql: SQL
        /// Rows that it found or changed.
        let affected: Int
    }

    private struct State {
        var statements: [Statement] = []
        var queued: [SQL] = []
    }

    private let transaction: Transaction
    private let state = Mutex(State())

    init(_ transaction: Transaction) { self.transaction = transaction }

    var statements: [Statement] { state.withLock { $0.statements } }

    package func query(_ sql: SQL) async throws -> Rows {
        try await flush()
        let rows = try await transaction.query(sql)
        state.withLock { $0.statements.append(Statement(sql: sql, affected: rows.affected)) }
        return rows
    }

    package func enqueue(_ sql: SQL) { state.withLock { $0.queued.append(sql) } }

    package func afterCommit(_ action: @escaping @Sendable () -> Void) {}

    /// Runs what was enqueued.
    func flush() async throws {
        let queued = state.withLock { state in
            defer { state.queued = [] }
            return state.queued
        }
        for sql in queued { _ = try await query(sql) }
    }
}
