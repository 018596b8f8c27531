// SPDX-License-Identifier: Apache-2.0
// Whoever has signed up is found by others once they are told so.

import NIOCore
import NIOHTTP1
import Support
import Synchronization
import Testing

@testable import GatewayService

@Suite(.againstHanging) struct NewAccountTests {
    private static let registering: @Sendable (FakeService.Asked) -> FakeService.Behaviour = { asked in
        guard asked.head.uri == "/api/v1/accounts" || asked.head.uri == "/auth/sign_up" else {
            return FakeAuth.answer(asked)
        }
        let told = [("x-madang-registered", "77 minji"), ("content-type", "application/json")]
        return .answer(.ok, told, #"{"access_token":"t"}"#)
    }

    private static let signUp =
        "POST /api/v1/accounts HTTP/1.1\nHost: madang.test\nContent-Length: 0\n"
        + "Authorization: Bearer good-7-9\n\n"

    @Test(arguments: [signUp, "POST /auth/sign_up HTTP/1.1\nHost: madang.test\nContent-Length: 0\n\n"])
    func theAnswerComesOnceThereIsAProfile(request: String) async throws {
        let gate = Gate()
        try await TestGateway.run(
            limits: { $0.profileWait = 600_000 },
            posts: { _ in .held(gate, .answer(.ok, [], "{}")) },
            auth: Self.registering
        ) { gateway in
            let isAnswered = Shared(false)
            async let answer: String = {
                let answer = try await gateway.ask(request)
                isAnswered.value.withLock { $0 = true }
                return answer
            }()
            try await eventually("posts asked") { gateway.posts.asked.count == 1 }
            let asked = try #require(gateway.posts.asked.first)
            #expect(asked.head.method == .POST && asked.head.uri == "/internal/accounts")
            #expect(asked.head.headers["x-madang-internal"] == ["inner"])
            #expect(asked.body == #"{"id":"77","username":"minji"}"#)
            #expect(isAnswered.value.withLock { !$0 })
            gate.open()
            let told = try await answer
            #expect(told.hasPrefix("HTTP/1.1 200 OK\r\n") && told.hasSuffix(#"{"access_token":"t"}"#))
            #expect(!told.lowercased().contains("registered"))
        }
    }

    @Test func picturesOfASignUpAreTheNewAccounts() async throws {
        try await TestGateway.run(
            posts: { _ in .answer(.ok, [], "{}") },
            auth: Self.registering,
            others: { asked in
                .answer(.ok, [], asked.head.uri.hasPrefix("/internal/forms") ? "username=minji&avatar=5&header=" : "{}")
            }
        ) { gateway in
            let form =
                "--b\r\nContent-Disposition: form-data; name=\"avatar\"; filename=\"me.jpg\"\r\n\r\nJPEG\r\n--b--\r\n"
            let answer = try await gateway.ask(
                "POST /api/v1/accounts HTTP/1.1\nHost: madang.test\nAuthorization: Bearer good-7-9\n"
                    + "Content-Type: multipart/form-data; boundary=b\nContent-Length: \(form.utf8.count)\n\n" + form
            )
            #expect(answer.hasSuffix(#"{"access_token":"t"}"#), "\(answer)")
            #expect(gateway.auth.asked("/api/v1/accounts").map(\.body) == ["username=minji&avatar=5&header="])
            #expect(gateway.posts.asked.map(\.body) == [#"{"id":"77","username":"minji","avatar":"5"}"#])
            try await eventually("media being told") { gateway.media.asked("/internal/claims").count == 1 }
            let claim = try #require(gateway.media.asked("/internal/claims").first)
            #expect(
                claim.body == #"{"ids":["5"],"owner":"77"}"# && claim.head.headers["x-madang-internal"] == ["inner"]
            )
        }
    }

    @Test func withoutPostsPeopleSignUpAllTheSame() async throws {
        try await TestGateway.run(auth: Self.registering, postsPort: 1) { gateway in
            let answer = try await gateway.ask(Self.signUp)
            #expect(answer.hasSuffix(#"{"access_token":"t"}"#))
        }
    }

    @Test func postsIsNotWaitedForLongerThanAMoment() async throws {
        try await TestGateway.run(
            limits: { $0.profileWait = 50 },
            posts: { _ in .silence },
            auth: Self.registering
        ) { gateway in
            let client = try await gateway.client()
            // On one connection: nothing of the first answer is left for the second.
            for _ in 0..<2 { #expect(try await client.ask(Self.signUp).hasSuffix(#"{"access_token":"t"}"#)) }
            await client.close()
        }
    }

    @Test func onlyAuthMakesAccounts() async throws {
        try await TestGateway.run(posts: { _ in .answer(.ok, [("x-madang-registered", "77 minji")], "{}") }) {
            gateway in
            let answer = try await gateway.ask("GET", "/api/v1/timelines/public")
            #expect(answer.hasPrefix("HTTP/1.1 200") && !answer.lowercased().contains("registered"))
            #expect(gateway.posts.asked.count == 1)
        }
    }
}
