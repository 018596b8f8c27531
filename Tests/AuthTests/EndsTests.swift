// SPDX-License-Identifier: Apache-2.0
// Everything in auth's tables has an end.

import Domain
import Foundation
import HTTPTypes
import Outbox
import Postgres
import ServiceKit
import Support
import Testing
import Web

@testable import AuthService

@Suite struct EndsTests {
    /// How the rows of each table go; a new table needs a line here.
    private static let ends = [
        "accounts": "with the person", "access_tokens": "swept", "apps": "swept", "audit": "swept",
        "authorization_codes": "swept", "cookies": "with the session", "refresh_tokens": "with the session",
        "known_devices": "swept", "sessions": "swept", "sign_in_attempts": "swept", "identities": "with the person",
        "issuer_visits": "swept", "taken_tokens": "swept", "newcomers": "swept",
        "letters": "swept", "mail_links": "swept",
        "departures": "swept", "departure_answers": "with the departure",
        "former_usernames": "never: nobody else is given the name",
        "issuer_revocations": "when the issuer has taken its token back, or after the last try",
        "blocked_terms": "swept", "blocked_domains": "swept", "documents": "never: people agreed to them",
        "document_texts": "with the document", "consents": "with the person",
        "restricted_accounts": "with the person",
    ]

    @Test func everyTableHasOne() async throws {
        try await AuthWorld.run { world in
            let swept = Set(Sweeps.all(world.dependencies).map(\.table))
            #expect(swept == Set(Self.ends.filter { $0.value == "swept" }.keys))
            // The rest is the outbox's and the migrations'.
            let tables = try await Tables.all(world)
            for table in Self.ends.keys { #expect(tables.contains(table), "\(table)") }
            let others = Set(tables).subtracting(Self.ends.keys)
            let shared = Set(try await Self.tablesOfTheOutbox())
            #expect(others.subtracting(shared).isEmpty, "\(others)")
            // What goes with a session goes by itself.
            let cascades = try await world.count(
                """
                SELECT count(*)
                FROM pg_constraint
                WHERE contype = 'f' AND confdeltype = 'c' AND confrelid = 'sessions'::regclass
                    AND conrelid IN ('cookies'::regclass, 'refresh_tokens'::regclass, 'access_tokens'::regclass)
                """
            )
            #expect(cascades == 3)
        }
    }

    private static func tablesOfTheOutbox() async throws -> [String] {
        let found = Found()
        try await withDatabase(migrations: [outboxMigrations], schema: "auth") { database, _ in
            let rows = try await database.query(
                "SELECT relname::text FROM pg_class WHERE relnamespace = current_schema()::regnamespace AND relkind = 'r'"
            )
            for row in rows {
                var columns = row.columns
                await found.add(try columns.next())
            }
        }
        return await found.names
    }

    private actor Found {
        var names: [String] = []
        func add(_ name: String) { names.append(name) }
    }

    @Test func forgetsAppsThatServeNobody() async throws {
        try await AuthWorld.run { world in
            // The database refuses to forget what was noted of late by its own clock.
            world.clock.advance(.seconds(-900 * 86_400))
            _ = try await world.signUp("minji")
            let (never, alone, used) = (try await world.app(), try await world.app(), try await world.app())
            _ = try await world.appToken(alone)
            var browser = TestBrowser(world)
            _ = try await browser.signIn("minji")
            let query =
                "response_type=code&client_id=\(used.id)&redirect_uri=\(AuthWorld.callback.percentEncoded)&scope=read"
            let code = try #require(try await browser.decide(query).redirected("code"))
            let redeemed = try await world.send(
                .post,
                "/oauth/token",
                form: [
                    ("grant_type", "authorization_code"), ("code", code), ("client_id", used.id),
                    ("client_secret", used.secret), ("redirect_uri", AuthWorld.callback),
                ]
            )
            #expect(redeemed.status == .ok)
            func sweep() async throws {
                for sweep in Sweeps.all(world.dependencies) { try await sweep.finish(in: world.database) }
                // Those of auth's own stay always.
                #expect(try await world.count("SELECT count(*) FROM apps WHERE first_party") == 2)
            }
            func isThere(_ app: AuthWorld.RegisteredApp) async throws -> Bool {
                try await world.count("SELECT count(*) FROM apps WHERE client_id = \(app.id)") == 1
            }
            try await sweep()
            world.clock.advance(.seconds(6 * 86_400))
            try await sweep()
            #expect(try await isThere(never))
            world.clock.advance(.seconds(2 * 86_400))
            try await sweep()
            #expect(try await !isThere(never))
            #expect(try await isThere(alone))
            // Its token went after 90 days, and the app after another year without anybody.
            world.clock.advance(.seconds(300 * 86_400))
            try await sweep()
            #expect(try await isThere(alone))
            #expect(try await isThere(used))
            world.clock.advance(.seconds(100 * 86_400))
            try await sweep()
            #expect(try await !isThere(alone))
            #expect(try await !isThere(used))
            #expect(try await world.count("SELECT count(*) FROM sessions") == 0)
            #expect(try await world.count("SELECT count(*) FROM audit WHERE act = 'apps_deleted'") >= 2)
        }
    }

    @Test func keepsAnAppThatIsUsedNow() async throws {
        try await AuthWorld.run { world in
            let app = try await world.app()
            world.clock.advance(.seconds(8 * 86_400))
            _ = try await world.appToken(app)
            let sweep = try #require(Sweeps.all(world.dependencies).first { $0.table == "apps" })
            #expect(try await sweep.finish(in: world.database) == 0)
            // Somebody who is let in at the very moment of the sweep is not cut off again.
            let late = try await world.app()
            world.clock.advance(.seconds(8 * 86_400))
            async let asked = world.send(
                .post,
                "/oauth/token",
                form: [("grant_type", "client_credentials"), ("client_id", late.id), ("client_secret", late.secret)]
            )
            async let swept = sweep.finish(in: world.database)
            let (answer, count) = try await (asked, swept)
            if answer.status == .ok {
                #expect(try await world.principal(try answer.text("access_token")) != nil)
                #expect(count == 0)
            } else {
                // The app was gone before it asked, or before its session was there.
                #expect(answer.error == "invalid_client")
                #expect(count == 1)
            }
        }
    }

    /// An app that goes between the question who it is and the session is told so: no fault of ours.
    @Test func anAppThatHasJustGoneIsToldSo() async throws {
        try await AuthWorld.run { world in
            let gone = App(
                id: AppID(7),
                clientID: "gone",
                secretHash: nil,
                name: "Gone",
                website: nil,
                scopes: ScopeSet(["read"]),
                redirectURIs: [],
                isFirstParty: false
            )
            let dependencies = world.dependencies
            do {
                _ = try await world.database.transaction { transaction in
                    try await Grant(app: gone, account: nil, scopes: gone.scopes, device: "")
                        .insert(dependencies, in: transaction)
                }
                Issue.record("a session of no app")
            } catch {
                #expect((error as? PostgresError).flatMap(AuthService.problem)?.oauthError == "invalid_client")
            }
        }
    }

    /// What is swept is counted for the operator.
    @Test func tellsWhatWasSwept() async throws {
        try await AuthWorld.run { world in
            for _ in 0..<3 { _ = try await world.app() }
            world.clock.advance(.seconds(8 * 86_400))
            let metrics = Metrics()
            let (dependencies, database) = (world.dependencies, world.database)
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    try await Sweeper(
                        Sweeps.all(dependencies),
                        database: database,
                        metrics: metrics,
                        logger: dependencies.logger
                    ).run()
                }
                try await eventually("the apps are swept") {
                    metrics.exposition().contains(#"madang_swept_rows_total{table="apps"} 3"#)
                }
                group.cancelAll()
            }
        }
    }
}
