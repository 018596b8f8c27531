// SPDX-License-Identifier: Apache-2.0
// Files on their way through the gateway, which keeps none of them.

import NIOHTTP1
import Surface
import Testing

@testable import GatewayService

@Suite struct UploadTests {
    private static let path = "/api/v2/media"

    private func upload(_ gateway: TestGateway, _ count: Int, to path: String = path, says: Int? = nil) async throws
        -> String
    {
        let client = try await gateway.client()
        var head = "POST \(path) HTTP/1.1\nHost: a\nConnection: close\nAuthorization: Bearer good-7\n"
        head += "Content-Length: \(says ?? count)\n\n"
        let answer = try await client.ask(head + String(repeating: "x", count: count))
        await client.close()
        return answer
    }

    @Test func aFileMayBeLargerThanAnyOtherBody() async throws {
        try await TestGateway.run(limits: { $0.upload = 6 << 20 }) { gateway in
            let answer = try await upload(gateway, 5 << 20)
            #expect(answer.hasPrefix("HTTP/1.1 200"), "\(answer.prefix(200))")
            #expect(gateway.media.asked(UploadTests.path).map(\.bytes) == [5 << 20])
            let large = try await upload(gateway, 0, says: 7 << 20)
            #expect(large.hasPrefix("HTTP/1.1 413"), "\(large.prefix(200))")
            let other = try await upload(gateway, 0, to: "/api/v1/statuses", says: 3 << 20)
            #expect(other.hasPrefix("HTTP/1.1 413"), "\(other.prefix(200))")
            let nowhere = try await upload(gateway, 0, to: "/api/v1/nothing", says: 3 << 20)
            #expect(nowhere.hasPrefix("HTTP/1.1 413"), "\(nowhere.prefix(200))")
            #expect(gateway.media.asked(UploadTests.path).count == 1 && gateway.posts.asked("/api/v1/statuses").isEmpty)
        }
    }

    @Test func aFileIsNotReadForItsHead() async throws {
        try await TestGateway.run { gateway in
            let answer = try await gateway.ask("HEAD", "/media/o/x/y.jpg", token: nil, "Connection: close")
            #expect(answer.hasPrefix("HTTP/1.1 200"))
            #expect(gateway.media.asked("/media").map(\.head.method) == [.HEAD])
        }
    }

    @Test func browsersAskTheGatewayAndUploadersTheService() async throws {
        try await TestGateway.run(others: { _ in .answer(.noContent, [("tus-version", "1.0.0")], "") }) { gateway in
            let path = "/api/v1/media/resumable"
            let preflight = try await gateway.ask(
                "OPTIONS",
                path,
                token: nil,
                "Access-Control-Request-Method: POST",
                "Access-Control-Request-Headers: tus-resumable, upload-length"
            )
            #expect(preflight.contains("Access-Control-Allow-Headers: tus-resumable, upload-length"))
            #expect(gateway.media.asked.isEmpty)
            let described = try await gateway.ask("OPTIONS", path, "Origin: https://elsewhere.example")
            #expect(described.lowercased().contains("tus-version: 1.0.0"))
            #expect(described.contains("Upload-Offset"), "browsers may read it")
            let allowed = try await gateway.ask("OPTIONS", "/api/v1/media/1")
            #expect(allowed.contains("Allow: ") && allowed.contains("PUT"))
        }
    }
}
