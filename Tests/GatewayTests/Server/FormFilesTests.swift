// SPDX-License-Identifier: Apache-2.0
// Forms with files: media takes them on the way, and the service gets their ids.

import Domain
import NIOHTTP1
import Support
import Surface
import Testing

@testable import GatewayService

@Suite struct FormFilesTests {
    private static let path = "/api/v1/accounts/update_credentials"
    private static let taken = "display_name=Ann&avatar=55"

    private static func form(_ size: Int, field: String = "avatar", file: String? = "me.jpg") -> String {
        let name = file.map { "; filename=\"\($0)\"" } ?? ""
        return "--b\r\nContent-Disposition: form-data; name=\"display_name\"\r\n\r\nAnn\r\n"
            + "--b\r\nContent-Disposition: form-data; name=\"\(field)\"\(name)\r\n\r\n"
            + String(repeating: "x", count: size) + "\r\n--b--\r\n"
    }

    private static func head(
        _ length: Int?,
        token: String? = "good-7",
        method: String = "PATCH",
        type: String = "multipart/form-data; boundary=b",
        path: String = path
    ) -> String {
        "\(method) \(path) HTTP/1.1\r\nHost: madang.test\r\nContent-Type: \(type)\r\nConnection: close\r\n"
            + (token.map { "Authorization: Bearer \($0)\r\n" } ?? "")
            + (length.map { "Content-Length: \($0)\r\n\r\n" } ?? "Transfer-Encoding: chunked\r\n\r\n")
    }

    private static func send(_ gateway: TestGateway, _ request: String) async throws -> String {
        let client = try await gateway.client()
        try await client.send(request)
        let answer = try await client.untilClosed()
        await client.close()
        return answer
    }

    private static func whole(_ form: String, token: String? = "good-7") -> String {
        head(form.utf8.count, token: token) + form
    }

    /// Media takes every form; what else it is asked for is empty.
    private static let takes: @Sendable (FakeService.Asked) -> FakeService.Behaviour = { asked in
        asked.head.uri.hasPrefix("/internal/forms")
            ? .answer(.ok, [("content-type", "application/x-www-form-urlencoded")], taken) : .answer(.ok, [], "[]")
    }

    @Test(arguments: [10, 5 << 20]) func theServiceGetsIdsInPlaceOfFiles(size: Int) async throws {
        try await TestGateway.run(others: Self.takes) { gateway in
            let form = Self.form(size)
            let answer = try await Self.send(gateway, Self.whole(form))
            #expect(answer.hasPrefix("HTTP/1.1 200") && answer.contains(#"{"from":"posts"}"#), "\(answer.prefix(300))")
            let asked = try #require(gateway.media.asked.first)
            #expect(
                asked.head.method == .POST && asked.head.uri == "/internal/forms?fields=avatar:avatar:1,header:header:1"
            )
            #expect(asked.bytes == form.utf8.count)
            #expect(asked.head.headers["content-type"] == ["multipart/form-data; boundary=b"])
            #expect(asked.head.headers["x-madang-principal"] == ["signed-7"])
            let rest = try #require(gateway.posts.asked(Self.path).first)
            #expect(rest.head.method == .PATCH && rest.body == Self.taken)
            #expect(rest.head.headers["content-type"] == ["application/x-www-form-urlencoded"])
            #expect(rest.head.headers["content-length"] == [String(Self.taken.utf8.count)])
            #expect(rest.head.headers["x-request-id"] == asked.head.headers["x-request-id"])
        }
    }

    @Test func aFormInChunksGoesTheSameWay() async throws {
        try await TestGateway.run(others: Self.takes) { gateway in
            let form = Self.form(100_000)
            let chunks = "\(String(form.utf8.count, radix: 16))\r\n\(form)\r\n0\r\n\r\n"
            let answer = try await Self.send(gateway, Self.head(nil) + chunks)
            #expect(answer.hasPrefix("HTTP/1.1 200"), "\(answer.prefix(300))")
            #expect(gateway.media.asked.map(\.bytes) == [form.utf8.count])
            #expect(gateway.posts.asked(Self.path).map(\.body) == [Self.taken])
        }
    }

    @Test func whatBringsNoFileGoesStraightOn() async throws {
        try await TestGateway.run(others: { _ in .close }) { gateway in
            for form in [
                Self.form(10, file: nil), Self.form(0, file: ""), Self.form(0, file: "empty.jpg"), "--b\r\nnonsense",
            ] {
                let answer = try await Self.send(gateway, Self.whole(form))
                #expect(answer.hasPrefix("HTTP/1.1 200"), "\(answer.prefix(200))")
                #expect(gateway.posts.asked(Self.path).last?.body == form)
            }
            for (type, body) in [
                ("application/json", #"{"note":"--b"}"#), ("application/x-www-form-urlencoded", "note=--b"),
            ] {
                let answer = try await Self.send(gateway, Self.head(body.utf8.count, type: type) + body)
                #expect(answer.hasPrefix("HTTP/1.1 200") && gateway.posts.asked(Self.path).last?.body == body)
            }
            #expect(gateway.media.asked.isEmpty)
        }
    }

    @Test func onlyWhoMaySendItBeginsAFile() async throws {
        try await TestGateway.run(others: Self.takes) { gateway in
            let form = Self.form(10)
            let nobody = try await Self.send(gateway, Self.whole(form, token: nil))
            #expect(nobody.hasPrefix("HTTP/1.1 401"), "\(nobody.prefix(200))")
            let reader = try await Self.send(gateway, Self.whole(form, token: "good-7:read"))
            #expect(reader.hasPrefix("HTTP/1.1 403"), "\(reader.prefix(200))")
            #expect(gateway.media.asked.isEmpty && gateway.posts.asked(Self.path).isEmpty)
        }
    }

    @Test func whatMediaRefusesIsAnsweredAndNothingIsDone() async throws {
        let problem = #"{"error":"No picture","code":"media-unsupported","status":422}"#
        try await TestGateway.run(others: { _ in .answer(.unprocessableEntity, [("retry-after", "7")], problem) }) {
            gateway in
            for size in [10, 1 << 20] {
                let answer = try await Self.send(gateway, Self.whole(Self.form(size)))
                #expect(answer.hasPrefix("HTTP/1.1 422") && answer.hasSuffix(problem), "\(answer.prefix(200))")
                #expect(answer.contains("Retry-After: 7"))
            }
            #expect(gateway.posts.asked(Self.path).isEmpty)
        }
    }

    @Test func aServiceThatIsAwayIsToldAfterMediaTookTheFiles() async throws {
        try await TestGateway.run(
            limits: { $0.connect = 500 },
            others: Self.takes,
            postsPort: 1
        ) { gateway in
            let answer = try await Self.send(gateway, Self.whole(Self.form(100_000)))
            #expect(answer.hasPrefix("HTTP/1.1 503"), "\(answer.prefix(200))")
            #expect(gateway.media.asked.count == 1)
        }
    }

    @Test func mediaThatIsAwayIsTold() async throws {
        try await TestGateway.run(others: { _ in .close }) { gateway in
            let answer = try await Self.send(gateway, Self.whole(Self.form(100_000)))
            #expect(answer.hasPrefix("HTTP/1.1 502"), "\(answer.prefix(200))")
            #expect(gateway.posts.asked(Self.path).isEmpty)
        }
    }

    @Test func aFormMayBeAsLargeAsItsFilesAndNoLarger() async throws {
        try await TestGateway.run(limits: { $0.picture = 100_000 }, others: Self.takes) { gateway in
            let most = 2 * 100_000 + 64 * 1024
            let form = Self.form(most - Self.form(0).utf8.count)
            #expect(try await Self.send(gateway, Self.whole(form)).hasPrefix("HTTP/1.1 200"))
            let larger = try await Self.send(gateway, Self.head(most + 1) + "")
            #expect(larger.hasPrefix("HTTP/1.1 413"), "\(larger.prefix(200))")
            // What is no form may be as large as any other body.
            let json = try await Self.send(
                gateway,
                Self.head((2 << 20) + 1, type: "application/json") + String(repeating: "x", count: 70_000)
            )
            #expect(json.hasPrefix("HTTP/1.1 413"), "\(json.prefix(200))")
            #expect(gateway.media.asked.count == 1 && gateway.posts.asked(Self.path).count == 1)
        }
    }

    @Test func whoLeavesInTheMiddleLeavesNothingBehind() async throws {
        try await TestGateway.run(others: Self.takes) { gateway in
            let client = try await gateway.client()
            let form = Self.form(1 << 20)
            try await client.send(Self.head(form.utf8.count) + String(form.prefix(500_000)))
            try await eventually("media being asked") { gateway.media.connectionCount > 0 }
            await client.close()
            // Somebody else's form is none the worse for it.
            #expect(try await Self.send(gateway, Self.whole(form)).hasPrefix("HTTP/1.1 200"))
            #expect(gateway.posts.asked(Self.path).count == 1 && gateway.media.asked.count == 1)
        }
    }

    @Test func aConnectionGoesOnAfterAForm() async throws {
        try await TestGateway.run(others: Self.takes) { gateway in
            let client = try await gateway.client()
            let form = Self.form(10)
            let request = Self.whole(form).replacing("Connection: close\r\n", with: "")
            #expect(try await client.ask(request).contains(#"{"from":"posts"}"#))
            #expect(try await client.ask(request).contains(#"{"from":"posts"}"#))
            #expect(gateway.posts.asked(Self.path).count == 2)
            await client.close()
        }
    }
}
