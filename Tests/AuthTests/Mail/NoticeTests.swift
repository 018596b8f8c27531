// SPDX-License-Identifier: Apache-2.0
// What people are told of what happens to their account.

import Domain
import Events
import Foundation
import HTTPTypes
import Outbox
import Postgres
import Support
import Testing
import Web

@testable import AuthService

@Suite struct NoticeTests {
    @Test func aDeviceIsNewOnce() async throws {
        let mailbox = Mailbox()
        try await AuthWorld.run(mail: try AuthWorld.mail(), mailbox: mailbox) { world in
            _ = try await world.signUp("minji")
            func signIn(_ device: String?) async throws -> Answer {
                var form = [("username", "minji"), ("password", AuthWorld.password), ("device_name", "내 전화")]
                if let device { form.append(("device_token", device)) }
                return try await world.send(.post, "/api/v1/sessions", form: form)
            }
            let known = try await signIn(nil).text("device_token")
            #expect(try await signIn(known).status == .ok)
            #expect(try await world.letters() == ["new_device waits"])
            try await world.sendLetters()
            let letter = try #require(await mailbox.letters.first)
            #expect(letter.plain.contains("내 전화") && letter.header("Content-Language") == "ko")
            #expect(try await signIn("a token of somebody else's").status == .ok)
            #expect(try await world.letters().sorted() == ["new_device sent", "new_device waits"])
        }
    }

    @Test func aBrowserIsNewOnce() async throws {
        try await AuthWorld.run(mail: try AuthWorld.mail()) { world in
            _ = try await world.signUp("minji")
            var browser = TestBrowser(world)
            #expect(try await browser.signIn("minji").status == .seeOther)
            #expect(try await browser.signIn("minji").status == .seeOther)
            #expect(try await world.letters() == ["new_device waits"])
        }
    }

    /// What makes the link good is made when the letter goes, and kept nowhere.
    @Test func aDecisionIsToldWithALinkToAppeal() async throws {
        let mailbox = Mailbox()
        try await AuthWorld.run(mail: try AuthWorld.mail(), mailbox: mailbox) { world in
            let token = try await world.signUp("minji")
            let account = try #require(try await world.principal(token)?.account?.id)
            let end = world.clock.now + .seconds(20 * 86_400)
            let decision = DecisionMade(
                decisionID: DecisionID(77),
                accountID: account,
                action: .suspend,
                reason: "욕설",
                appealUntil: end,
                decidedAt: world.clock.now,
                subjectVersion: 1
            )
            let message = try Envelope(id: EventID.new(), time: world.clock.now, traceparent: nil, data: decision)
                .message()
            try await Decisions.queue(world.dependencies).apply([message], in: world.database)
            let wanted = AppealToken(decisionID: DecisionID(77), accountID: account, expires: end)
            let signed = try world.dependencies.signer.sign(wanted)
            let kept: String? = try await world.database.query("SELECT letter::text FROM letters").one { try $0.next() }
            let text = try #require(kept)
            #expect(text.contains("77") && !text.contains(signed.prefix(40)) && !text.contains("appeal."))
            try await world.sendLetters()
            let letter = try #require(await mailbox.letters.first)
            #expect(letter.plain.contains("/appeal?token=\(signed)"), "\(letter.plain)")
            // One of the release before has it in the row.
            let old = Letter.decision(action: .warn, reason: "", until: nil, appealUntil: end, appeal: "of-before")
            let now = world.clock.now
            try await world.database.transaction { try await $0.send(old, to: account, at: now) }
            try await world.sendLetters()
            #expect(await mailbox.letters.last?.plain.contains("/appeal?token=of-before") == true)
        }
    }

    @Test func aChangeOfThePasswordIsTold() async throws {
        try await AuthWorld.run(mail: try AuthWorld.mail()) { world in
            let token = try await world.signUp("minji")
            let changed = try await world.send(
                .post,
                "/api/v1/accounts/change_password",
                form: [("old_password", AuthWorld.password), ("new_password", AuthWorld.password + " 2")],
                token: token
            )
            #expect(changed.status == .ok)
            #expect(try await world.letters() == ["password_changed waits"])
        }
    }
}
