// SPDX-License-Identifier: Apache-2.0
// The bytes of stored files: who gets them, which of them, and with what said of them.

import Domain
import Events
import Foundation
import HTTPTypes
import Support
import Testing
import Web

@testable import MediaService

@Suite struct ServingTests {
    private static let origin = "https://madang.example"

    /// A stored file of ten bytes and more, by its path.
    private func stored(_ world: MediaWorld) async throws -> (name: String, open: String, closed: String) {
        _ = try await world.ready("0123456789")
        let name = try #require(try await world.told().last?.original.url)
        let links = world.dependencies.links
        let open = links.open(name).dropFirst(ServingTests.origin.count)
        let closed = links.closed(name, now: world.clock.now).dropFirst(ServingTests.origin.count)
        return (name, String(open), String(closed))
    }

    @Test func whatIsServedCannotDoAnything() async throws {
        try await MediaWorld.run { world in
            let file = try await stored(world)
            for (path, audience) in [(file.open, "public"), (file.closed, "private")] {
                let answer = try await world.send(.get, path, as: nil)
                #expect(answer.status == .ok)
                #expect(try await answer.bytes() == Array("original of 0123456789".utf8))
                #expect(answer.headers[.cacheControl] == "\(audience), max-age=31536000, immutable")
                #expect(answer.headers[.contentType] == "image/jpeg" && answer.headers[.eTag] == "\"\(file.name)\"")
                #expect(answer.headers[.xContentTypeOptions] == "nosniff")
                #expect(answer.headers[.contentSecurityPolicy]?.contains("sandbox") == true)
                #expect(answer.headers[.contentDisposition] == nil)
                let download = try await world.send(.get, path, query: "download", as: nil)
                #expect(download.headers[.contentDisposition] == "attachment; filename=\"\(file.name)\"")
            }
        }
    }

    @Test func aLinkIsGoodForWhatItWasMadeForAlone() async throws {
        try await MediaWorld.run { world in
            let file = try await stored(world)
            let other = try #require(world.files.first { $0 != file.name })
            let code = file.open.split(separator: "/")[2]
            let (until, closedCode) = (file.closed.split(separator: "/")[2], file.closed.split(separator: "/")[3])
            let bad = [
                "/media/o/\(code)/\(other)", "/media/o/\(closedCode)/\(file.name)", "/media/o/x/\(file.name)",
                "/media/x/\(until)/\(code)/\(file.name)", "/media/x/zzzzzz/\(closedCode)/\(file.name)",
                "/media/x/-1/\(closedCode)/\(file.name)", "/media/o/\(code)/..%2F..%2Fincoming%2F1",
                "/media/x/\(String(repeating: "z", count: 400))/\(closedCode)/\(file.name)",
            ]
            for path in bad { #expect(try await world.send(.get, path, as: nil).status == .notFound, "\(path)") }
            world.clock.advance(.seconds(7 * 86_400 - 1))
            #expect(try await world.send(.get, file.closed, as: nil).status == .ok)
            world.clock.advance(.seconds(86_400 + 1))
            #expect(try await world.send(.get, file.closed, as: nil).status == .notFound)
            #expect(try await world.send(.get, file.open, as: nil).status == .ok)
        }
    }

    @Test func whoHasItIsToldSo() async throws {
        try await MediaWorld.run { world in
            let file = try await stored(world)
            for tag in ["\"\(file.name)\"", "*", "\"a\", W/\"\(file.name)\""] {
                let answer = try await world.send(.get, file.open, as: nil, headers: [.ifNoneMatch: tag])
                #expect(answer.status == .notModified && answer.file == nil, "\(tag)")
            }
            let answer = try await world.send(.get, file.open, as: nil, headers: [.ifNoneMatch: "\"a\""])
            #expect(answer.status == .ok)
        }
    }

    @Test(
        arguments: [
            ("bytes=0-4", 206, "bytes 0-4/22", "origi"), ("bytes=20-", 206, "bytes 20-21/22", "89"),
            ("bytes=-3", 206, "bytes 19-21/22", "789"), ("bytes=-99", 206, "bytes 0-21/22", "original of 0123456789"),
            ("bytes=21-99999999999", 206, "bytes 21-21/22", "9"), ("bytes=22-", 416, "bytes */22", ""),
            ("bytes=-0", 416, "bytes */22", ""), ("bytes=5-4", 200, nil, "original of 0123456789"),
            ("bytes=0-1,3-4", 200, nil, "original of 0123456789"), ("bytes=a-b", 200, nil, "original of 0123456789"),
            ("bytes=99999999999999999999-", 200, nil, "original of 0123456789"),
            ("lines=1-2", 200, nil, "original of 0123456789"), ("bytes=-", 200, nil, "original of 0123456789"),
        ] as [(String, Int, String?, String)]
    )
    func partsAreServed(range: String, status: Int, said: String?, content: String) async throws {
        try await MediaWorld.run { world in
            let file = try await stored(world)
            let answer = try await world.send(.get, file.open, as: nil, headers: [.range: range])
            #expect(answer.status.code == status && answer.headers[.contentRange] == said)
            #expect(String(decoding: try await answer.bytes(), as: UTF8.self) == content)
            let changed = try await world.send(.get, file.open, as: nil, headers: [.range: range, .ifRange: "\"old\""])
            #expect(changed.status == .ok)
        }
    }

    @Test func whatIsGoneMeanwhileIsStillServedToItsEnd() async throws {
        try await MediaWorld.run { world in
            let file = try await stored(world)
            let answer = try await world.send(.get, file.open, as: nil)
            await world.dependencies.storage.remove([file.name])
            #expect(String(decoding: try await answer.bytes(), as: UTF8.self) == "original of 0123456789")
            #expect(try await world.send(.get, file.open, as: nil).status == .notFound)
        }
    }
}
