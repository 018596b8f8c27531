// SPDX-License-Identifier: Apache-2.0
// What people are told of what happens to their account.

import Domain
import Foundation
import HTTPTypes
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
