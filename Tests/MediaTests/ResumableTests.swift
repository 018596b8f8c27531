// SPDX-License-Identifier: Apache-2.0
// Uploads that go on where they were cut off.

import Crypto
import Domain
import Events
import Foundation
import HTTPTypes
import Support
import Testing
import Web

@testable import MediaService

@Suite struct ResumableTests {
    private static let tus: HTTPFields = [.tusResumable: "1.0.0"]

    private func encoded(_ text: String) -> String { Data(text.utf8).base64EncodedString() }

    /// Begins an upload; its path.
    private func begin(_ world: MediaWorld, _ length: Int, _ metadata: String = "") async throws -> String {
        var headers = ResumableTests.tus
        headers[.uploadLength] = String(length)
        headers[.uploadMetadata] = metadata
        let answer = try await world.send(.post, "/api/v1/media/resumable", headers: headers)
        #expect(answer.status == .created && answer.headers[.tusResumable] == "1.0.0")
        #expect(answer.headers[.uploadExpires]?.hasSuffix("GMT") == true)
        return String(try #require(answer.headers[.location]).dropFirst("https://madang.example".count))
    }

    /// - Parameter length: what the sender says of its part, where it is not true.
    private func send(
        _ world: MediaWorld,
        _ path: String,
        at offset: Int,
        _ text: String,
        checksum: String? = nil,
        length: Int? = nil,
        type: String = "application/offset+octet-stream",
        as person: Somebody = MediaWorld.minji
    ) async throws -> Answer {
        var headers = ResumableTests.tus
        headers[.uploadOffset] = String(offset)
        headers[.contentType] = type
        headers[.uploadChecksum] = checksum
        let body = UploadBody(Array(text.utf8), length: length)
        return try await world.send(.patch, path, as: person, headers: headers, upload: body)
    }

    private func offset(_ world: MediaWorld, _ path: String) async throws -> String? {
        let answer = try await world.send(.head, path, headers: ResumableTests.tus)
        #expect(answer.headers[.cacheControl] == "no-store")
        return answer.headers[.uploadOffset]
    }

    @Test func partsBecomeAFile() async throws {
        try await MediaWorld.run { world in
            let metadata =
                "filename \(encoded("a.jpg")),description \(encoded("고양이")),focus \(encoded("0.5,-1")),hidden"
            let path = try await begin(world, 11, metadata)
            let id = String(try #require(path.split(separator: "/").last))
            #expect(try await offset(world, path) == "0")
            #expect(try await world.send(.get, "/api/v1/media/\(id)").status == .partialContent)
            let first = try await send(world, path, at: 0, "GIF89a")
            #expect(first.status == .noContent && first.headers[.uploadOffset] == "6")
            #expect(try await offset(world, path) == "6")
            #expect(try await !world.work())
            #expect(try await send(world, path, at: 6, " cat!").headers[.uploadOffset] == "11")
            try await world.workAll()
            let told = try #require(try await world.told().first)
            #expect(told.mediaID.description == id && told.description == "고양이" && told.focus?.x == 0.5)
            let file = try #require(try await world.dependencies.storage.open(told.original.url))
            #expect(try await FileBody(file, 0..<file.size).bytes() == Array("original of  cat!".utf8))
            #expect(world.incoming == [])
        }
    }

    @Test func whatCameBeforeACutIsKept() async throws {
        try await MediaWorld.run { world in
            let path = try await begin(world, 11)
            #expect(try await send(world, path, at: 0, "GIF", length: 11).status == .badRequest)
            #expect(try await offset(world, path) == "3")
            #expect(try await send(world, path, at: 3, "89a cat!").status == .noContent)
            try await world.workAll()
            #expect(try await world.told().count == 1)
        }
    }

    @Test func aPartWithAChecksumCountsAsAWhole() async throws {
        try await MediaWorld.run { world in
            let path = try await begin(world, 11)
            let sha1 = "sha1 \(Data(Insecure.SHA1.hash(data: Data("GIF89a".utf8))).base64EncodedString())"
            let sha256 = "sha256 \(Data(SHA256.hash(data: Data(" cat!".utf8))).base64EncodedString())"
            #expect(try await send(world, path, at: 0, "GIF89x", checksum: sha1).status.code == 460)
            #expect(try await send(world, path, at: 0, "GIF", checksum: sha1, length: 6).status == .badRequest)
            #expect(try await send(world, path, at: 0, "GIF89a", checksum: "md5 AAAA").status == .badRequest)
            #expect(try await send(world, path, at: 0, "GIF89a", checksum: "sha1 ?").status == .badRequest)
            #expect(try await offset(world, path) == "0")
            #expect(try await send(world, path, at: 0, "GIF89a", checksum: sha1).status == .noContent)
            #expect(try await send(world, path, at: 6, " cat!", checksum: sha256).status == .noContent)
            try await world.workAll()
            #expect(try await world.told().first?.bytes == Int64("original of  cat!".utf8.count))
        }
    }

    @Test func whatDoesNotFitIsRefused() async throws {
        var limits = Limits()
        limits.sizes = MediaLimits(image: 100, video: 100)
        try await MediaWorld.run(limits: limits) { world in
            func start(_ fields: HTTPFields) async throws -> Answer {
                var headers = ResumableTests.tus
                for field in fields { headers[field.name] = field.value }
                return try await world.send(.post, "/api/v1/media/resumable", headers: headers)
            }
            #expect(try await start([.uploadLength: "101"]).status == .contentTooLarge)
            #expect(try await start([.uploadLength: "0"]).status == .unprocessableContent)
            for length in ["-1", "", "1e3", "99999999999999999999", "0x10"] {
                #expect(try await start([.uploadLength: length]).status == .badRequest, "\(length)")
            }
            #expect(try await start([:]).status == .badRequest)
            #expect(try await start([.uploadLength: "5", .uploadMetadata: "a ???"]).status == .badRequest)
            let old = try await world.send(
                .post,
                "/api/v1/media/resumable",
                headers: [.tusResumable: "0.2.2", .uploadLength: "5"]
            )
            #expect(old.status == .preconditionFailed && old.headers[.tusVersion] == "1.0.0")
            let path = try await begin(world, 5)
            #expect(try await send(world, path, at: 1, "ab").status == .conflict)
            #expect(try await send(world, path, at: 0, "abcdef").status == .contentTooLarge)
            #expect(try await send(world, path, at: 0, "ab", type: "text/plain").status == .unsupportedMediaType)
            #expect(try await send(world, path, at: 0, "ab", as: MediaWorld.haruto).status == .notFound)
            #expect(try await offset(world, path) == "0")
        }
    }

    @Test func aNewerSenderReplacesAnOlder() async throws {
        try await MediaWorld.run { world in
            let path = try await begin(world, 5)
            let id = try #require(path.split(separator: "/").last.flatMap { MediaID($0) })
            let database = world.dependencies.database
            let older = try #require(try await UploadStore.take(id, of: MediaWorld.minji.id, at: 0, in: database))
            #expect(try await send(world, path, at: 0, "ab").status == .noContent)
            let now = world.clock.now
            #expect(try await !UploadStore.advance(id, to: 4, by: older, expires: now, in: database))
            #expect(try await offset(world, path) == "2")
        }
    }

    @Test func whatIsNotContinuedGoes() async throws {
        try await MediaWorld.run { world in
            let (late, ended) = (try await begin(world, 5), try await begin(world, 5))
            #expect(try await world.send(.delete, ended, headers: ResumableTests.tus).status == .noContent)
            #expect(try await send(world, ended, at: 0, "ab").status == .notFound)
            #expect(world.incoming.count == 1)
            world.clock.advance(.seconds(24 * 3600 + 1))
            #expect(try await send(world, late, at: 0, "ab").status == .gone)
            _ = try await Sweeps.unused(world.dependencies)
            #expect(try await send(world, late, at: 0, "ab").status == .notFound)
            #expect(world.incoming == [])
        }
    }

    @Test func whatIsSpokenIsSaid() async throws {
        try await MediaWorld.run { world in
            let answer = try await world.send(.options, "/api/v1/media/resumable", as: nil)
            #expect(answer.status == .noContent && answer.headers[.tusVersion] == "1.0.0")
            #expect(answer.headers[.tusMaxSize] == String(100 << 20))
            #expect(answer.headers[.tusExtension]?.contains("termination") == true)
        }
    }
}
