// SPDX-License-Identifier: Apache-2.0
// Guessing at length, and those who get in meanwhile.

import Domain
import Foundation
import HTTPTypes
import Postgres
import Support
import Testing
import Web

@testable import AuthService

@Suite struct KnownDeviceTests {
    private static func attempt(
        _ name: String,
        _ password: String,
        _ address: String,
        device: String? = nil,
        _ world: AuthWorld
    ) async throws -> Answer {
        try await world.send(
            .post,
            "/api/v1/sessions",
            form: [("username", name), ("password", password)] + (device.map { [("device_token", $0)] } ?? []),
            headers: [("X-Forwarded-For", address)]
        )
    }

    private static func answers(
        _ count: Int,
        _ attempt: @escaping @Sendable (Int) async throws -> Answer
    ) async throws -> [Int: Int] {
        try await withThrowingTaskGroup(of: Int.self) { group in
            var statuses: [Int: Int] = [:]
            for index in 0..<count {
                if index >= 20, let status = try await group.next() { statuses[status, default: 0] += 1 }
                group.addTask { try await attempt(index).status.code }
            }
            for try await status in group { statuses[status, default: 0] += 1 }
            return statuses
        }
    }

    /// S15: a thousand passwords at one account, from one address and from five hundred.
    @Test func aThousandGuessesAtAnAccount() async throws {
        try await AuthWorld.run { world in
            _ = try await world.signUp("minji")
            let phone = try await Self.attempt("minji", AuthWorld.password, "192.0.2.1", world)
            let device = try phone.text("device_token")
            let many = try await Self.answers(500) {
                try await Self.attempt("minji", "guess \($0)", "198.51.\($0 / 250).\($0 % 250)", world)
            }
            #expect(many == [401: 10, 429: 490])
            let one = try await Self.answers(500) { try await Self.attempt("minji", "guess \($0)", "192.0.2.1", world) }
            #expect(one == [429: 500])
            #expect(try await Self.attempt("minji", AuthWorld.password, "192.0.2.7", world).status == .tooManyRequests)
            // Their own phone gets in from everywhere, from the address of those who guess too, and can do so again.
            for address in ["203.0.113.5", "192.0.2.1"] {
                let answer = try await Self.attempt("minji", AuthWorld.password, address, device: device, world)
                #expect(answer.status == .ok)
                #expect(try answer.text("device_token") == device)
            }
        }
    }

    @Test func fiveHundredAccountsFromAnAddress() async throws {
        try await AuthWorld.run { world in
            let answers = try await Self.answers(500) {
                try await Self.attempt("name\($0)", "guess", "192.0.2.1", world)
            }
            #expect(answers == [401: 30, 429: 470])
        }
    }

    @Test func aDeviceHasTriesOfItsOwnAndNoMore() async throws {
        try await AuthWorld.run { world in
            _ = try await world.signUp("minji")
            _ = try await world.signUp("jisoo")
            func token(_ name: String) async throws -> String {
                try await Self.attempt(name, AuthWorld.password, "192.0.2.1", world).text("device_token")
            }
            let (own, foreign) = (try await token("minji"), try await token("jisoo"))
            // A token of another account, or one that is made up, is no token.
            let mark = own.prefix { $0 != "." }
            for made in [foreign, "x", "", ".", "\(mark).", "\(mark).\(foreign.split(separator: ".")[1])", own + "x"] {
                _ = try await Self.attempt("minji", "guess", "192.0.2.2", device: made, world)
            }
            #expect(
                try await world.count("SELECT tries FROM sign_in_attempts WHERE key LIKE 'account:%' AND tries > 0")
                    == 7
            )
            let answers = try await Self.answers(20) {
                try await Self.attempt("minji", "guess \($0)", "192.0.2.3", device: own, world)
            }
            #expect(answers == [401: 10, 429: 10])
            // The device that was guessed from is shut out; a stranger is not, for that.
            let locked = try await Self.attempt("minji", AuthWorld.password, "192.0.2.4", device: own, world)
            #expect(locked.status == .tooManyRequests)
            #expect(try await Self.attempt("minji", AuthWorld.password, "192.0.2.4", world).status == .ok)
        }
    }

    /// S18: an unknown name and a wrong password are the same, by what is answered and by how long it takes.
    ///
    /// The hash itself is the same work for both; a small one does not hide what is around it.
    @Test func nobodyLearnsByTimeWhoHasAnAccount() async throws {
        var limits = Limits()
        (limits.signInsPerAccount, limits.signInsPerAddress) = (0, 0)
        try await AuthWorld.run(limits: limits, passwordMemory: 64) { world in
            _ = try await world.signUp("minji")
            var times: [String: [Duration]] = [:]
            var pages: Set<String> = []
            for round in 0..<300 {
                for name in round % 2 == 0 ? ["minji", "nobody"] : ["nobody", "minji"] {
                    let start = ContinuousClock.now
                    let answer = try await Self.attempt(name, "wrong wrong", "192.0.2.1", world)
                    times[name, default: []].append(ContinuousClock.now - start)
                    pages.insert("\(answer.status.code) \(answer.page)")
                }
            }
            #expect(pages.count == 1)
            func median(_ some: some Collection<Duration>) -> Duration { some.sorted()[some.count / 2] }
            let (known, unknown) = (try #require(times["minji"]), try #require(times["nobody"]))
            // Whatever else the machine does, it does to both names of a round, to the one as often as to the other.
            let longer = zip(known, unknown).count { $0 > $1 }
            let between = median(zip(known, unknown).map { $0 - $1 })
            print(
                "a wrong password: median \(median(known)), an unknown name: \(median(unknown)), between them \(between);",
                "longer in \(longer) of 300"
            )
            #expect((75...225).contains(longer) || (Duration.milliseconds(-5) ... .milliseconds(5)).contains(between))
        }
    }

    @Test func aHashOfOtherParametersIsMadeAnew() async throws {
        try await AuthWorld.run { world in
            _ = try await world.signUp("minji")
            let old = try await PasswordHashing(threads: 1, queue: 1, memory: 64)
            let password = try Password.choosing(AuthWorld.password, apartFrom: [])
            let hash = try await old.hash(password, salt: Array(0..<16))
            _ = try await world.database.query("UPDATE accounts SET password_hash = \(hash)")
            _ = try await world.session("minji")
            let count = try await world.count(
                "SELECT count(*) FROM accounts WHERE password_hash LIKE '$argon2id$v=19$m=19456,t=3,p=1$%'"
            )
            #expect(count == 1)
            _ = try await world.session("minji")
        }
    }

    /// Somebody who is signed in changes the password while others guess.
    @Test func aSessionIsAKnownDevice() async throws {
        try await AuthWorld.run { world in
            _ = try await world.signUp("minji")
            let session = try await world.session("minji")
            _ = try await Self.answers(15) { try await Self.attempt("minji", "guess", "198.51.100.\($0)", world) }
            func change(_ old: String) async throws -> Int {
                try await world.send(
                    .post,
                    "/api/v1/accounts/change_password",
                    form: [("old_password", old), ("new_password", "umbrella-otter-9")],
                    token: session.access
                ).status.code
            }
            #expect(try await change(AuthWorld.password) == 200)
            // Whoever has found a phone has ten guesses, too.
            let answers = try await Self.answers(15) { _ in
                try await world.send(
                    .post,
                    "/api/v1/accounts/change_password",
                    form: [("old_password", "guess"), ("new_password", "umbrella-otter-7")],
                    token: session.access
                )
            }
            #expect(answers == [401: 10, 429: 5])
        }
    }

    @Test func tellsOfAFewAddressesOnlyWhoHasAnAccount() async throws {
        try await AuthWorld.run { world in
            _ = try await world.signUp("minji")
            @Sendable func ask(_ email: String, _ address: String) async throws -> Answer {
                try await world.send(
                    .post,
                    "/internal/emails/check",
                    json: #"{"email":"\#(email)"}"#,
                    headers: [("X-Madang-Internal", AuthWorld.secret), ("X-Forwarded-For", address)]
                )
            }
            let answers = try await Self.answers(300) { try await ask("person\($0)@example.com", "192.0.2.1") }
            #expect(answers == [200: 10, 429: 290])
            let refused = try await ask("minji@example.com", "192.0.2.1")
            #expect(refused.status == .tooManyRequests)
            #expect(Int(refused.headers[.retryAfter] ?? "") == 900)
            // What is no address tells nothing and counts nothing; others are served.
            #expect(try await ask("x", "192.0.2.1").status == .unprocessableContent)
            #expect(try await ask("minji@example.com", "192.0.2.2").status == .unprocessableContent)
            world.clock.advance(.seconds(901))
            #expect(try await ask("new@example.com", "192.0.2.1").status == .ok)
        }
    }
}
