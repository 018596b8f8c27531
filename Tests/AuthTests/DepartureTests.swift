// SPDX-License-Identifier: Apache-2.0
// Somebody leaves, comes back, or is gone.

import Domain
import Events
import Foundation
import HTTPTypes
import Outbox
import Postgres
import ServiceKit
import Support
import Testing
import Web

@testable import AuthService

@Suite struct DepartureTests {
    private static let path = "/api/v1/account"

    private static func delete(_ world: AuthWorld, _ token: String, password: String) async throws -> Answer {
        try await world.send(.delete, path, json: "{\"password\": \"\(password)\"}", token: token)
    }

    private static func worker(_ world: AuthWorld) -> DepartureWorker {
        DepartureWorker(dependencies: world.dependencies, metrics: Metrics())
    }

    private static func finish(_ world: AuthWorld) async throws {
        while try await worker(world).step() {}
    }

    @Test func itTakesTheRightPassword() async throws {
        try await AuthWorld.run { world in
            _ = try await world.signUp("minji")
            let token = try await world.session("minji").access
            #expect(try await Self.delete(world, token, password: "wrong").status == .unauthorized)
            #expect(try await world.send(.delete, Self.path, token: token).status == .forbidden)
            #expect(try await world.count("SELECT count(*) FROM departures") == 0)
        }
    }

    @Test func everySessionEndsAndSigningInStopsIt() async throws {
        try await AuthWorld.run { world in
            _ = try await world.signUp("minji")
            let (token, other) = (try await world.session("minji").access, try await world.session("minji").access)
            let answer = try await Self.delete(world, token, password: AuthWorld.password)
            #expect(answer.status == .ok)
            #expect(try answer.text("deletion_at") == (world.clock.now + .seconds(14 * 86_400)).rfc3339)
            for token in [token, other] { #expect(try await world.principal(token) == nil) }
            world.clock.advance(.seconds(13 * 86_400))
            try await Self.finish(world)
            let back = try await world.send(
                .post,
                "/api/v1/sessions",
                form: [("username", "minji"), ("password", AuthWorld.password)]
            )
            #expect(back.status == .ok)
            #expect(back.page.contains("\"deletion_stopped\":true"))
            #expect(try await world.count("SELECT count(*) FROM departures") == 0)
            #expect(
                try await world.count("SELECT count(*) FROM outbox WHERE type = \(AccountLeaving.type)") == 2
            )
            world.clock.advance(.seconds(30 * 86_400))
            try await Self.finish(world)
            #expect(try await world.count("SELECT count(*) FROM accounts WHERE username = 'minji'") == 1)
        }
    }

    @Test func afterTheGraceNothingIsLeftAndNobodyElseIsGivenTheName() async throws {
        try await AuthWorld.run { world in
            _ = try await world.signUp("minji")
            let token = try await world.session("minji").access
            _ = try await Self.delete(world, token, password: AuthWorld.password)
            world.clock.advance(.seconds(14 * 86_400))
            try await Self.finish(world)
            #expect(try await world.count("SELECT count(*) FROM accounts WHERE username = 'minji'") == 0)
            #expect(try await world.count("SELECT count(*) FROM sessions WHERE account_id IS NOT NULL") == 0)
            #expect(
                try await world.count("SELECT count(*) FROM outbox WHERE type = \(AccountDeleted.type)") == 1
            )
            #expect(
                try await world.count(
                    """
                    SELECT count(*) FROM audit
                    WHERE account_id IN (SELECT account_id FROM departures) AND (address <> '' OR detail <> '')
                    """
                ) == 0
            )
            let again = try await world.send(
                .post,
                "/api/v1/sessions",
                form: [("username", "minji"), ("password", AuthWorld.password)]
            )
            #expect(again.status == .unauthorized)
            let app = try await world.appToken(try await world.app())
            let taken = try await world.send(.post, "/api/v1/accounts", form: AuthWorld.fields("minji"), token: app)
            #expect(taken.status == .unprocessableContent)
        }
    }

    @Test func itIsOverOnceEveryServiceHasAnswered() async throws {
        try await AuthWorld.run { world in
            _ = try await world.signUp("minji")
            let token = try await world.session("minji").access
            _ = try await Self.delete(world, token, password: AuthWorld.password)
            world.clock.advance(.seconds(14 * 86_400))
            try await Self.finish(world)
            let id: AccountID? = try await world.database.query("SELECT account_id FROM departures").one {
                try $0.next()
            }
            let account = try #require(id)
            let queue = Decisions.queue(world.dependencies)
            func told<End: ErasureEnd>(_: End.Type) throws -> [UInt8] {
                try Envelope(
                    id: EventID.new(),
                    time: world.clock.now,
                    traceparent: nil,
                    data: End(accountID: account)
                ).message()
            }
            let over: SQL = "SELECT count(*) FROM departures WHERE erased_at IS NOT NULL"
            for (index, end) in Catalogue.erasing.enumerated() {
                #expect(try await world.count(over) == 0)
                // Told twice, noted once.
                for _ in 0..<2 { _ = try await queue.apply([told(end)], in: world.database) }
                #expect(try await world.count("SELECT count(*) FROM departure_answers") == index + 1)
            }
            #expect(try await world.count(over) == 1)
        }
    }
}
