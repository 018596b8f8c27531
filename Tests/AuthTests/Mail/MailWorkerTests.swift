// SPDX-License-Identifier: Apache-2.0
// Letters that wait, go, come again and end.

import Domain
import Foundation
import Outbound
import Outbox
import Postgres
import ServiceKit
import Support
import Testing

@testable import AuthService

@Suite struct MailWorkerTests {
    private static func account(_ name: String, _ world: AuthWorld) async throws -> AccountID {
        try #require(
            try await AccountStore.credentials(username: Username(name), email: nil, in: world.database)?.id
        )
    }

    @Test func aLetterGoesWithItsCause() async throws {
        let mailbox = Mailbox()
        try await AuthWorld.run(mail: try AuthWorld.mail(), mailbox: mailbox) { world in
            _ = try await world.signUp("minji")
            let (id, now) = (try await Self.account("minji", world), world.clock.now)
            struct Change: Error {}
            await #expect(throws: Change.self) {
                try await world.database.transaction { transaction in
                    try await transaction.send(.deleted, to: id, at: now)
                    throw Change()
                }
            }
            try await world.sendLetters()
            #expect(await mailbox.messages.isEmpty)
            try await world.database.transaction { transaction in
                try await transaction.send(.deleted, to: id, at: now)
                _ = try await transaction.query("DELETE FROM accounts WHERE id = \(id)")
            }
            try await world.sendLetters()
            let messages = await mailbox.messages
            #expect(messages.count == 1)
            let message = try #require(messages.first)
            #expect(message.recipient == "minji@example.com" && message.sender == "no-reply@example.org")
            #expect(ReadLetter(message.text).header("To") == "minji@example.com")
            #expect(ReadLetter(message.text).plain.contains("@minji 님"))
            #expect(try await world.letters() == ["deleted sent"])
            // Nothing of it stays.
            let left = try await world.count(
                "SELECT count(*) FROM letters WHERE address IS NOT NULL OR username IS NOT NULL OR letter IS NOT NULL"
            )
            #expect(left == 0)
        }
    }

    @Test func comesAgainAsItWas() async throws {
        let mailbox = Mailbox()
        try await AuthWorld.run(mail: try AuthWorld.mail(), mailbox: mailbox) { world in
            _ = try await world.signUp("minji")
            let (id, now) = (try await Self.account("minji", world), world.clock.now)
            try await world.database.transaction { try await $0.send(.passwordReset, to: id, at: now) }
            await mailbox.answer(.later(reason: "451 4.7.1"), .later(reason: "no reply (56)"))
            for tries in 1...3 {
                try await world.sendLetters()
                #expect(await mailbox.messages.count == tries)
                try await world.sendLetters()
                #expect(await mailbox.messages.count == tries)
                world.clock.advance(.seconds(61))
            }
            let texts = Set(await mailbox.messages.map(\.text))
            #expect(texts.count == 1)
            #expect(try await world.letters() == ["password_reset sent"])
            #expect(try await world.count("SELECT count(*) FROM mail_links") == 1)
        }
    }

    @Test func endsWithTheReasonOfTheServer() async throws {
        let mailbox = Mailbox()
        try await AuthWorld.run(mail: try AuthWorld.mail(), mailbox: mailbox) { world in
            _ = try await world.signUp("minji")
            let (id, now) = (try await Self.account("minji", world), world.clock.now)
            try await world.database.transaction { try await $0.send(.deleted, to: id, at: now) }
            await mailbox.answer(.refused(reason: "550 5.1.1"))
            try await world.sendLetters()
            world.clock.advance(.seconds(3600))
            try await world.sendLetters()
            #expect(try await world.letters() == ["deleted refused 550 5.1.1"])
            #expect(await mailbox.messages.count == 1)
        }
    }

    @Test func endsWhenNobodyNeedsItAnyMore() async throws {
        let mailbox = Mailbox()
        try await AuthWorld.run(mail: try AuthWorld.mail(), mailbox: mailbox) { world in
            _ = try await world.signUp("minji")
            let (id, now) = (try await Self.account("minji", world), world.clock.now)
            try await world.database.transaction { try await $0.send(.passwordReset, to: id, at: now) }
            for _ in 0..<20 {
                await mailbox.answer(.later(reason: "421 4.3.2"))
                try await world.sendLetters()
                world.clock.advance(.seconds(900))
            }
            #expect(try await world.letters() == ["password_reset expired 421 4.3.2"])
            #expect(await mailbox.messages.count < 12)
        }
    }

    @Test func aKilledProcessLeavesItToAnother() async throws {
        let mailbox = Mailbox()
        try await AuthWorld.run(mail: try AuthWorld.mail(), mailbox: mailbox) { world in
            _ = try await world.signUp("minji")
            let (id, now) = (try await Self.account("minji", world), world.clock.now)
            try await world.database.transaction { try await $0.send(.deleted, to: id, at: now) }
            // Somebody took it and was killed.
            let lease = now + .seconds(60)
            let claimed = try await LetterStore.claim(most: 4, at: now, lease: lease, in: world.database)
            #expect(claimed.count == 1)
            try await world.sendLetters()
            #expect(await mailbox.messages.isEmpty)
            world.clock.advance(.seconds(61))
            try await world.sendLetters()
            #expect(await mailbox.messages.count == 1)
        }
    }

    @Test func manyWorkersSendEachOnce() async throws {
        let mailbox = Mailbox()
        try await AuthWorld.run(mail: try AuthWorld.mail(), mailbox: mailbox) { world in
            _ = try await world.signUp("minji")
            let (id, now) = (try await Self.account("minji", world), world.clock.now)
            for _ in 0..<40 {
                try await world.database.transaction { try await $0.send(.deleted, to: id, at: now) }
            }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<4 { group.addTask { try await world.sendLetters() } }
                try await group.waitForAll()
            }
            let ids = await mailbox.letters.compactMap { $0.header("Message-ID") }
            #expect(ids.count == 40 && Set(ids).count == 40)
        }
    }

    @Test func nobodyIsFloodedWithLetters() async throws {
        try await AuthWorld.run(mail: try AuthWorld.mail()) { world in
            _ = try await world.signUp("minji")
            let (id, now) = (try await Self.account("minji", world), world.clock.now)
            let letter = Letter.newDevice(name: "Phone", at: now)
            for _ in 0..<9 { try await world.database.transaction { try await $0.send(letter, to: id, at: now) } }
            #expect(try await world.letters().count == LetterKind.newDevice.most)
            world.clock.advance(.seconds(3601))
            let later = world.clock.now
            try await world.database.transaction { try await $0.send(letter, to: id, at: later) }
            #expect(try await world.letters().count == LetterKind.newDevice.most + 1)
        }
    }

    @Test func whoHasNoAddressGetsNone() async throws {
        try await AuthWorld.run(mail: try AuthWorld.mail()) { world in
            _ = try await world.signUp("minji")
            let (id, now) = (try await Self.account("minji", world), world.clock.now)
            _ = try await world.database.query("UPDATE accounts SET email = NULL WHERE id = \(id)")
            try await world.database.transaction { try await $0.send(.deleted, to: id, at: now) }
            #expect(try await world.letters().isEmpty)
        }
    }

    @Test func withoutAServerNothingStays() async throws {
        try await AuthWorld.run { world in
            _ = try await world.signUp("minji")
            _ = try await world.session("minji")
            #expect(try await world.letters() == ["new_device waits"])
            world.clock.advance(.seconds(1))
            let sweep = try #require(Sweeps.all(world.dependencies).first { $0.table == "letters" })
            _ = try await sweep.finish(in: world.database)
            #expect(try await world.letters().isEmpty)
        }
    }

    @Test func forgetsWhatCameOfThem() async throws {
        try await AuthWorld.run(mail: try AuthWorld.mail()) { world in
            _ = try await world.signUp("minji")
            _ = try await world.session("minji")
            try await world.sendLetters()
            let sweep = try #require(Sweeps.all(world.dependencies).first { $0.table == "letters" })
            _ = try await sweep.finish(in: world.database)
            #expect(try await world.letters() == ["new_device sent"])
            world.clock.advance(.seconds(8 * 86_400))
            _ = try await sweep.finish(in: world.database)
            #expect(try await world.letters().isEmpty)
        }
    }
}
