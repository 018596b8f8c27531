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
import Synchronization
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

    // MARK: What issuers gave

    private static func leave(_ world: AuthWorld, _ issuer: TestIssuer, _ token: String, more: String = "") async throws
    {
        let proof = #"{"issuer":"\#(issuer.issuer.name)","id_token":"\#(try issuer.token("mina"))"\#(more)}"#
        let answer = try await world.send(.delete, path, json: #"{"proof":\#(proof)}"#, token: token)
        #expect(answer.status == .ok, "\(answer.page)")
    }

    private static let accounts: SQL = "SELECT count(*) FROM accounts"

    private static func noted(_ act: Audit.Act, _ world: AuthWorld) async throws -> Int {
        try await world.count("SELECT count(*) FROM audit WHERE act = \(act.rawValue)")
    }

    @Test func whatAppleGaveIsGivenBackBeforeTheAccountGoes() async throws {
        try await TestIssuer.run("apple") { world, issuer in
            let code = issuer.code(.init(client: TestIssuer.app, subject: "mina"))
            let token = try await world.join("mina", at: issuer, code: code)
            try await Self.leave(world, issuer, token)
            world.clock.advance(.seconds(14 * 86_400))
            try await Self.finish(world)
            // Nobody gets in any more, and the account waits.
            #expect(try await world.count("SELECT count(*) FROM identities") == 0)
            #expect(try await world.count(Self.accounts) == 1)
            #expect(issuer.state.withLock { $0.revoked } == [])
            #expect(try await RevocationWorker(dependencies: world.dependencies).step())
            #expect(issuer.state.withLock { $0.revoked } == ["refresh-1"])
            #expect(try await world.count(Self.accounts) == 1)
            world.clock.advance(.seconds(2))
            try await Self.finish(world)
            #expect(try await world.count(Self.accounts) == 0)
            #expect(try await Self.noted(.issuerTokenRevoked, world) == 1)
            #expect(try await Self.noted(.issuerTokenMissing, world) == 0)
        }
    }

    @Test func afterAWeekOfTryingItGoesAllTheSame() async throws {
        try await TestIssuer.run("apple") { world, issuer in
            let code = issuer.code(.init(client: TestIssuer.app, subject: "mina"))
            let token = try await world.join("mina", at: issuer, code: code)
            try await Self.leave(world, issuer, token)
            issuer.state.withLock { $0.isAway = true }
            world.clock.advance(.seconds(14 * 86_400))
            try await Self.finish(world)
            let revocations = RevocationWorker(dependencies: world.dependencies)
            #expect(try await revocations.step())
            world.clock.advance(.seconds(7 * 86_400))
            #expect(try await revocations.step())
            try await Self.finish(world)
            #expect(try await world.count(Self.accounts) == 1)
            world.clock.advance(.seconds(2))
            try await Self.finish(world)
            #expect(try await world.count(Self.accounts) == 0)
            // It goes on being tried.
            #expect(try await world.count("SELECT count(*) FROM issuer_revocations") == 1)
            issuer.state.withLock { $0.isAway = false }
            world.clock.advance(.seconds(86_400))
            #expect(try await revocations.step())
            #expect(issuer.state.withLock { $0.revoked } == ["refresh-1"])
            #expect(try await world.count("SELECT count(*) FROM issuer_revocations") == 0)
        }
    }

    @Test func aCodeThatComesWithTheProofIsEnough() async throws {
        try await TestIssuer.run("apple") { world, issuer in
            let token = try await world.join("mina", at: issuer)
            #expect(try await world.count("SELECT count(*) FROM identities WHERE sealed_token IS NOT NULL") == 0)
            let code = issuer.code(.init(client: TestIssuer.app, subject: "mina"))
            try await Self.leave(world, issuer, token, more: #","authorization_code":"\#(code)""#)
            world.clock.advance(.seconds(14 * 86_400))
            try await Self.finish(world)
            #expect(try await RevocationWorker(dependencies: world.dependencies).step())
            #expect(issuer.state.withLock { $0.revoked } == ["refresh-1"])
            #expect(try await Self.noted(.issuerTokenMissing, world) == 0)
        }
    }

    @Test(arguments: [("apple", 1), ("kakao", 0)])
    func whereNothingWasKeptItIsNoted(name: String, notes: Int) async throws {
        try await TestIssuer.run(name) { world, issuer in
            let token = try await world.join("mina", at: issuer)
            try await Self.leave(world, issuer, token)
            world.clock.advance(.seconds(14 * 86_400))
            try await Self.finish(world)
            #expect(try await world.count(Self.accounts) == 0)
            #expect(try await Self.noted(.issuerTokenMissing, world) == notes)
        }
    }

    // MARK: Letters

    private static func answer(_ world: AuthWorld, _ ends: ArraySlice<any ErasureEnd.Type>) async throws {
        let id: AccountID? = try await world.database.query("SELECT account_id FROM departures").one { try $0.next() }
        let account = try #require(id)
        func told<End: ErasureEnd>(_: End.Type) throws -> [UInt8] {
            try Envelope(id: EventID.new(), time: world.clock.now, traceparent: nil, data: End(accountID: account))
                .message()
        }
        for end in ends { try await Decisions.queue(world.dependencies).apply([try told(end)], in: world.database) }
    }

    @Test func itIsToldWhenItWillHappenAndWhenNothingIsLeft() async throws {
        let mailbox = Mailbox()
        try await AuthWorld.run(mail: try AuthWorld.mail(), mailbox: mailbox) { world in
            _ = try await world.signUp("minji")
            let token = try await world.session("minji").access
            _ = try await Self.delete(world, token, password: AuthWorld.password)
            let deletion = (world.clock.now + .seconds(14 * 86_400)).rfc3339.prefix(16).replacing("T", with: " ")
            try await world.sendLetters()
            let leaving = try #require(await mailbox.letters.first { $0.plain.contains("\(deletion) UTC") })
            #expect(leaving.plain.contains("/auth/sign_in?") && leaving.header("To") == "minji@example.com")
            world.clock.advance(.seconds(14 * 86_400))
            try await Self.finish(world)
            #expect(try await world.count(Self.accounts) == 0)
            let before = await mailbox.messages.count
            let ends = Catalogue.erasing
            try await Self.answer(world, ends.dropLast())
            try await world.sendLetters()
            #expect(await mailbox.messages.count == before, "somebody has something left")
            #expect(try await world.letters().contains("deleted waits"))
            try await Self.answer(world, ends.suffix(1))
            // Told again, it goes no second time.
            try await Self.answer(world, ends.suffix(1))
            try await world.sendLetters()
            #expect(await mailbox.messages.count == before + 1)
            let letter = try #require(await mailbox.letters.last)
            #expect(letter.header("To") == "minji@example.com" && letter.subject.contains("삭제되었습니다"))
            #expect(try await world.letters().contains("deleted sent"))
        }
    }

    @Test func whoeverHasSomethingLeftKeepsNobodyFromBeingTold() async throws {
        let mailbox = Mailbox()
        try await AuthWorld.run(mail: try AuthWorld.mail(), mailbox: mailbox) { world in
            _ = try await world.signUp("minji")
            let token = try await world.session("minji").access
            _ = try await Self.delete(world, token, password: AuthWorld.password)
            world.clock.advance(.seconds(14 * 86_400))
            try await Self.finish(world)
            world.clock.advance(DepartureWorker.patience + .seconds(-1))
            try await world.sendLetters()
            #expect(try await world.letters().contains("deleted waits"))
            world.clock.advance(.seconds(1))
            try await world.sendLetters()
            #expect(try await world.letters().contains("deleted sent"))
        }
    }
}
