// SPDX-License-Identifier: Apache-2.0
// What is known afterwards of what was done to accounts.

import Domain
import Foundation
import HTTPTypes
import Logging
import Outbox
import Postgres
import Support
import Synchronization
import Testing
import Web

@testable import AuthService

@Suite struct AuditTests {
    private struct Stop: Error {}

    private static func notes(_ name: String? = nil, _ world: AuthWorld) async throws -> [String] {
        var lines: [String] = []
        try await PrintAudit.lines(of: name, in: world.database) { lines.append($0) }
        return lines
    }

    private static func acts(_ name: String? = nil, _ world: AuthWorld) async throws -> [String] {
        try await notes(name, world).map { String($0.split(separator: " ")[1]) }
    }

    @Test func tellsTheStoryOfAnAccount() async throws {
        try await AuthWorld.run { world in
            let signUp = try await world.signUp("minji")
            let session = try await world.session("minji")
            let other = try await world.session("minji")
            let listed = try await world.send(.get, "/api/v1/sessions", token: session.access).list
            let newest = try #require(listed.first?["id"] as? String)
            _ = try await world.send(.delete, "/api/v1/sessions/\(newest)", token: session.access)
            func refresh(_ token: String) async throws -> Answer {
                try await world.send(.post, "/api/v1/sessions/refresh", json: #"{"refresh_token": "\#(token)"}"#)
            }
            #expect(try await refresh(other.refresh).error == "invalid_grant")
            let second = try await refresh(session.refresh)
            _ = try await refresh(try second.text("refresh_token"))
            _ = try await refresh(session.refresh)
            let change = [("old_password", AuthWorld.password), ("new_password", "umbrella-otter-9")]
            _ = try await world.send(.post, "/api/v1/accounts/change_password", form: change, token: signUp)
            #expect(
                try await Self.acts("minji", world) == [
                    "signed_up", "signed_in", "signed_in", "session_ended", "refresh_reused", "password_changed",
                ]
            )
            let id = try #require(try await world.principal(signUp)?.account?.id)
            let (byID, byName) = (try await Self.acts("\(id)", world), try await Self.acts("@Minji", world))
            #expect(byID == byName)
            let ended = try #require(try await Self.notes("minji", world).first { $0.contains("session_ended") })
            #expect(ended.contains("by=account:\(id)") && ended.contains("session=\(newest)"))
            await #expect(throws: (any Error).self) { try await Self.notes("nobody", world) }
        }
    }

    @Test func countsWrongPasswordsInOneRow() async throws {
        var limits = Limits()
        limits.signInsPerAddress = 1000
        try await AuthWorld.run(limits: limits) { world in
            _ = try await world.signUp("minji")
            for name in ["minji", "nobody", "nobody2"] {
                for index in 0..<14 {
                    _ = try await world.send(
                        .post,
                        "/api/v1/sessions",
                        form: [("username", name), ("password", "guess \(index)")],
                        headers: [("X-Forwarded-For", "2001:db8::\(index)")]
                    )
                }
            }
            let notes = try await Self.notes(nil, world)
            let failed = notes.filter { $0.contains(" sign_in_failed ") }
            #expect(failed.count == 2, "\(failed)")
            #expect(
                failed.contains { $0.contains("account=") && $0.contains("count=10") && $0.contains("from=2001:db8::") }
            )
            #expect(failed.contains { !$0.contains("account=") && $0.contains("count=20") })
            #expect(notes.filter { $0.contains(" sign_in_locked ") }.count == 2)
        }
    }

    @Test func countsAppsFromOnePlaceInOneRow() async throws {
        try await AuthWorld.run { world in
            for _ in 0..<5 { _ = try await world.app() }
            let notes = try await Self.notes(nil, world)
            #expect(notes.count == 1)
            #expect(notes.first?.contains("app_registered by=nobody from=unknown") == true)
            #expect(notes.first?.contains("count=5") == true)
        }
    }

    /// S42: what a client wrote stays on its line.
    @Test func keepsToOneLine() async throws {
        let nasty = "x\r\n2026-01-01T00:00:00Z signed_in by=operator\u{1B}[2J\u{202E}\u{2028}\\u{0}"
        #expect(nasty.escaped().unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value < 0x7F })
        #expect(nasty.escaped().hasPrefix("x\\u{d}\\u{a}2026"))
        try await AuthWorld.run { world in
            let audit = Audit(Request(method: .post, path: "/"), world.dependencies)
            try await world.database.transaction { transaction in
                try audit.note(.signedIn, .init(account: AccountID(7), detail: nasty), in: transaction)
            }
            let forged = try await world.send(
                .post,
                "/api/v1/sessions",
                form: [("username", "a\r\nb"), ("password", "x\r\ny")],
                headers: [("X-Forwarded-For", "192.0.2.1 act=signed_up")]
            )
            #expect(forged.status == .unauthorized)
            let notes = try await Self.notes(nil, world)
            #expect(notes.count == 2)
            for note in notes { #expect(note.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F }) }
        }
    }

    /// The same in the log, and nothing there that is a secret (S31).
    @Test func isLoggedWithoutSecrets() async throws {
        let log = RecordedLog()
        try await AuthWorld.run(logger: Logger(label: "auth.tests") { _ in log }) { world in
            let token = try await world.signUp("minji")
            let session = try await world.session("minji")
            _ = try await world.send(.get, "/api/v1/sessions", token: session.access)
            _ = try await world.send(
                .post,
                "/api/v1/sessions",
                form: [("username", "minji"), ("password", "wrong wrong")]
            )
            _ = try await world.send(
                .post,
                "/api/v1/sessions/refresh",
                json: #"{"refresh_token":"\#(session.refresh)"}"#
            )
            let lines = log.lines.withLock { $0 }
            for act in ["app_registered", "signed_up", "signed_in", "sign_in_failed"] where act != "app_registered" {
                #expect(lines.filter { $0.contains("Audit") && $0.contains(act) }.count == 1, "\(act)")
            }
            let secrets = [token, session.access, session.refresh, AuthWorld.password, "wrong wrong", "$argon2id"]
            for line in lines { for secret in secrets { #expect(!line.contains(secret)) } }
            // Nor in the database, in any column of any table.
            let tables = try await Tables.all(world)
            for table in tables {
                let rows = try await Tables.text(of: table, world)
                for row in rows { for secret in secrets.dropLast() { #expect(!row.contains(secret), "\(table)") } }
            }
            #expect(tables.count > 8)
        }
    }

    @Test func isNotedOnlyWithItsAct() async throws {
        try await AuthWorld.run { world in
            let audit = Audit(Request(method: .post, path: "/"), world.dependencies)
            await #expect(throws: Stop.self) {
                try await world.database.transaction { transaction in
                    try audit.note(.signedIn, .init(), in: transaction)
                    throw Stop()
                }
            }
            let notes = try await Self.notes(nil, world)
            #expect(notes.isEmpty)
        }
    }

    @Test func staysAsItIs() async throws {
        try await AuthWorld.run { world in
            _ = try await world.signUp("minji")
            for statement: SQL in [
                "UPDATE audit SET act = 'x'", "UPDATE audit SET count = 0", "UPDATE audit SET account_id = NULL",
                "DELETE FROM audit", "TRUNCATE audit",
            ] {
                await #expect(throws: PostgresError.self, "\(statement.text)") {
                    _ = try await world.database.query(statement)
                }
            }
            #expect(try await Self.acts("minji", world) == ["signed_up"])
        }
    }

    @Test func isForgottenInTheEnd() async throws {
        try await AuthWorld.run { world in
            world.clock.advance(.seconds(-401 * 86_400))
            _ = try await world.signUp("minji")
            world.clock.advance(.seconds(2 * 86_400))
            _ = try await world.session("minji")
            world.clock.advance(.seconds(399 * 86_400))
            let sweep = try #require(Sweeps.all(world.dependencies).first { $0.table == "audit" })
            #expect(try await sweep.finish(in: world.database) == 2)
            #expect(try await Self.acts(nil, world) == ["signed_in"])
        }
    }

    @Test func notesWhatTheOperatorDoes() async throws {
        try await AuthWorld.run { world in
            let app = App(
                id: try world.dependencies.ids.next(),
                clientID: "own-app",
                secretHash: nil,
                name: "Own",
                website: nil,
                scopes: ScopeSet(["read"]),
                redirectURIs: ["own:/cb"],
                isFirstParty: true
            )
            let (ids, logger) = (world.dependencies.ids, world.dependencies.logger)
            try await FirstPartyApp.register(app, ids: ids, in: world.database, logger: logger)
            #expect(try await Self.notes(nil, world).first?.contains("app_registered by=operator") == true)
        }
    }

    @Test func tellsWhoGaveWhichRole() async throws {
        try await AuthWorld.run { world in
            let administration = Administration(
                database: world.database,
                ids: world.dependencies.ids,
                now: world.dependencies.now,
                logger: world.dependencies.logger
            )
            func create(_ name: String, _ email: String, _ password: String) async throws -> AccountID {
                try await administration.create(name, email, password: password, hashing: world.dependencies.passwords)
            }
            // A name that nobody may sign up with is just for this.
            let admin = try await create("madang_admin", "boss@example.com", AuthWorld.password)
            #expect(try await AccountStore.role(of: admin, in: world.database) == .admin)
            #expect(try await Self.acts("madang_admin", world) == ["signed_up", "role_given"])
            let notes = try await Self.notes("madang_admin", world)
            #expect(notes.allSatisfy { $0.contains("by=operator:") } && notes.last?.hasSuffix("admin") == true)
            // The same event as when somebody signs up by themselves, and a password that signs in.
            #expect(try await world.recorded("auth.AccountRegistered.v1").count == 1)
            _ = try await world.session("madang_admin")

            _ = try await world.signUp("minji")
            let minji = try #require(Username("minji"))
            let id = try #require(
                try await AccountStore.credentials(username: minji, email: nil, in: world.database)?.id
            )
            #expect(try await AccountStore.role(of: id, in: world.database) == .user)
            #expect(try await administration.give(.moderator, to: "@Minji"))
            #expect(try await !administration.give(.moderator, to: "minji"))
            #expect(try await AccountStore.role(of: id, in: world.database) == .moderator)
            #expect(try await Self.notes("minji", world).last?.hasSuffix("moderator") == true)

            for (name, email, password) in [
                ("no name", "a@example.com", AuthWorld.password), ("fine", "nothing", AuthWorld.password),
                ("fine", "a@example.com", "short"), ("minji", "a@example.com", AuthWorld.password),
                ("fine", "minji@example.com", AuthWorld.password),
            ] {
                await #expect(throws: Administration.Failure.self) { try await create(name, email, password) }
            }
            await #expect(throws: Administration.Failure.self) {
                try await administration.give(.admin, to: "nobody")
            }
        }
    }
}

/// The tables of auth, whatever they are.
enum Tables {
    static func all(_ world: AuthWorld) async throws -> [String] {
        try await world.database.query(
            """
            SELECT c.relname::text
            FROM pg_class c
            WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p')
            ORDER BY 1
            """
        ).map { row in
            var columns = row.columns
            return try columns.next()
        }
    }

    /// Every row as text.
    static func text(of table: String, _ world: AuthWorld) async throws -> [String] {
        try await world.database.query(
            "SELECT table_to_xml(\(table)::regclass, true, true, '')::text"
        ).map { row in
            var columns = row.columns
            return try columns.next()
        }
    }
}
