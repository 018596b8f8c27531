// SPDX-License-Identifier: Apache-2.0
// Archives, from asking to their end.

import Domain
import Events
import Foundation
import HTTPTypes
import Outbox
import Postgres
import ServiceKit
import Support
import Testing
import Web

@testable import MediaService

/// An archive as its owner reads it.
private struct Shown: Decodable {
    let id: String
    let state: String
    let url: String?
    let bytes: Int?
    let failure: String?
    let expires_at: String?
}

extension MediaWorld {
    fileprivate func shown(_ answer: Answer) throws -> Shown {
        try JSONDecoder().decode(Shown.self, from: Data(answer.body))
    }

    fileprivate func ask(as person: Somebody = minji) async throws -> ExportID {
        let answer = try await send(.post, "/api/v1/exports", as: person)
        #expect(answer.status == .accepted)
        return try #require(ExportID(try shown(answer).id))
    }

    fileprivate func show(_ id: ExportID, as person: Somebody = minji) async throws -> Shown {
        try shown(try await send(.get, "/api/v1/exports/\(id)", as: person))
    }

    fileprivate func hear(_ events: [any Event]) async throws {
        func message<E: Event>(_ event: E) throws -> [UInt8] {
            Array(
                try JSONEncoder().encode(
                    Envelope(id: EventID.new(), time: clock.now, traceparent: nil, data: event)
                )
            )
        }
        try await ExportParts.queue(dependencies).apply(try events.map { try message($0) }, in: dependencies.database)
    }

    /// What a service hands over in two pieces.
    fileprivate static func part(_ type: any ExportPiece.Type, of id: ExportID, _ text: String = "안녕")
        -> [any ExportPiece]
    {
        let service = type.name.prefix { $0 != "." }
        let bytes = Array("[\"\(text) \(service)\"]".utf8)
        return [(0, bytes[..<5]), (1, bytes[5...])].map { number, bytes in
            type.init(
                exportID: id,
                number: number,
                file: "\(service)/things.json",
                about: number == 0 ? ExportWords(en: "Things of \(service)", ko: "것들", ja: "もの") : nil,
                content: Base64.encoded(Array(bytes), url: true),
                isLast: number == 1
            )
        }
    }

    fileprivate func handOver(_ id: ExportID) async throws {
        // The last piece may come first, and each may come twice.
        for type in Catalogue.exportPieces {
            let pieces = Self.part(type, of: id)
            try await hear(Array(pieces.reversed()))
            try await hear(pieces)
        }
    }

    fileprivate func write() async throws -> Bool {
        try await ExportWorker.step(dependencies, metrics: Metrics(), logger: MediaWorld.logger)
    }

    fileprivate func get(_ url: String, as person: Somebody? = nil, headers: HTTPFields = [:]) async throws -> Answer {
        let path = url.replacing("https://madang.example", with: "")
        return try await send(.get, path, as: person, headers: headers)
    }
}

@Suite struct ExportTests {
    /// The files of an archive as Python reads them.
    private static func files(_ bytes: [UInt8]) throws -> [String: String] {
        let path = FileManager.default.temporaryDirectory.appending(
            path: "madang-export-\(UInt64.random(in: 0 ... .max)).zip"
        )
        defer { try? FileManager.default.removeItem(at: path) }
        try Data(bytes).write(to: path)
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = [
            "python3", "-c",
            """
            import json, sys, zipfile
            archive = zipfile.ZipFile(sys.argv[1])
            assert archive.testzip() is None
            print(json.dumps({name: archive.read(name).decode("utf-8", "replace") for name in archive.namelist()}))
            """, path.path,
        ]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let json = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return try JSONDecoder().decode([String: String].self, from: json)
    }

    @Test func `an archive has what was handed over, the pictures and words about all of it`() async throws {
        try await MediaWorld.run { world in
            let picture = try await world.ready("a picture")
            _ = try await world.ready("of somebody else", as: MediaWorld.haruto)
            let id = try await world.ask()
            let asked = try await world.events().filter { $0.type == ExportAsked.type }
            #expect(asked.map(\.subject) == ["\(id)"])
            #expect(try await world.show(id).state == "gathering")
            #expect(try await !world.write(), "nothing is written before everything is there")
            try await world.handOver(id)
            #expect(try await world.show(id).state == "writing")
            #expect(try await world.write())
            let shown = try await world.show(id)
            #expect(shown.state == "ready" && shown.expires_at != nil)
            let url = try #require(shown.url)
            let answer = try await world.get(url)
            #expect(answer.status == .ok && answer.headers[.contentType] == "application/zip")
            #expect(answer.headers[.cacheControl] == "private, no-store")
            #expect(answer.headers[.contentDisposition]?.hasPrefix("attachment") == true)
            let bytes = try await answer.bytes()
            #expect(bytes.count == shown.bytes)
            let files = try Self.files(bytes)
            #expect(
                files.keys.sorted() == [
                    "auth/things.json", "chat/things.json", "index.json", "media/\(picture).jpg",
                    "media/gif_collections.json", "media/gif_favourites.json", "media/media.json",
                    "notifications/things.json", "posts/things.json", "search/things.json",
                ]
            )
            #expect(files["posts/things.json"] == "[\"안녕 posts\"]")
            #expect(files["media/\(picture).jpg"] == "original of a picture")
            #expect(files["media/media.json"]?.contains("media/\(picture).jpg") == true)
            let index = try #require(files["index.json"])
            #expect(index.contains("Things of posts") && index.contains("\"files_left_out\":0"))
            let part = try await world.get(url, headers: [.range: "bytes=2-5"])
            #expect(part.status == .partialContent)
            #expect(try await part.bytes() == Array(bytes[2...5]))
            let told = try await world.events().filter { $0.type == ExportReady.type }
            #expect(told.count == 1)
            let left = try await world.dependencies.database.query("SELECT count(*) FROM export_parts").number()
            #expect(left == 0 && world.workplaces.isEmpty)
        }
    }

    @Test func `one is under way at a time, and one is made a day`() async throws {
        try await MediaWorld.run { world in
            let id = try await world.ask()
            #expect(try await world.send(.post, "/api/v1/exports").status == .conflict)
            _ = try await world.ask(as: MediaWorld.haruto)
            try await world.handOver(id)
            #expect(try await world.send(.post, "/api/v1/exports").status == .conflict)
            _ = try await world.write()
            let refused = try await world.send(.post, "/api/v1/exports")
            #expect(refused.status == .tooManyRequests && refused.headers[.retryAfter] == "86400")
            // Taking it away does not make room for another.
            #expect(try await world.send(.delete, "/api/v1/exports/\(id)").status == .ok)
            #expect(try await world.send(.post, "/api/v1/exports").status == .tooManyRequests)
            world.clock.advance(.seconds(24 * 3600))
            _ = try await world.ask()
        }
    }

    @Test func `an archive is its owner's alone`() async throws {
        try await MediaWorld.run { world in
            let id = try await world.ask()
            try await world.handOver(id)
            _ = try await world.write()
            let haruto = MediaWorld.haruto
            #expect(try await world.send(.get, "/api/v1/exports/\(id)", as: haruto).status == .notFound)
            #expect(try await world.send(.delete, "/api/v1/exports/\(id)", as: haruto).status == .notFound)
            #expect(try await world.send(.get, "/api/v1/exports", as: haruto).text == "[]")
            #expect(try await world.send(.get, "/api/v1/exports", as: nil).status == .unauthorized)
            let url = try #require(try await world.show(id).url)
            let parts = url.split(separator: "/")
            let name = try #require(parts.last)
            let code = parts[parts.count - 2]
            let forged = url.replacing(code, with: String(repeating: "0", count: code.count))
            #expect(try await world.get(forged).status == .notFound)
            #expect(try await world.get("/media/o/\(code)/\(name)").status == .notFound)
            // The link is good for an hour, the archive for a week.
            world.clock.advance(.seconds(3601))
            #expect(try await world.get(url).status == .notFound)
            let next = try #require(try await world.show(id).url)
            #expect(try await world.get(next).status == .ok)
        }
    }

    @Test func `an app that was let in may ask for no archive, and see and end none`() async throws {
        try await MediaWorld.run { world in
            let id = try await world.ask()
            try await world.handOver(id)
            _ = try await world.write()
            let routes: [(HTTPRequest.Method, String)] = [
                (.post, "/api/v1/exports"), (.get, "/api/v1/exports"), (.get, "/api/v1/exports/\(id)"),
                (.delete, "/api/v1/exports/\(id)"),
            ]
            for (method, path) in routes {
                let answer = try await world.send(method, path, isOwnApp: false)
                #expect(answer.status == .forbidden, "\(method) \(path)")
                #expect(!answer.text.contains("zip"))
            }
            let haruto = MediaWorld.haruto
            #expect(try await world.send(.post, "/api/v1/exports", as: haruto, isOwnApp: false).status == .forbidden)
            #expect(try await world.send(.get, "/api/v1/exports", as: haruto).text == "[]", "nothing was asked for")
            #expect(try await world.show(id).url != nil)
        }
    }

    @Test func `what is taken away, or whose time is over, is not there any more`() async throws {
        try await MediaWorld.run { world in
            let first = try await world.ask()
            try await world.handOver(first)
            _ = try await world.write()
            let url = try #require(try await world.show(first).url)
            #expect(try await world.send(.delete, "/api/v1/exports/\(first)").status == .ok)
            #expect(try await world.get(url).status == .notFound)
            #expect(try await world.send(.get, "/api/v1/exports/\(first)").status == .notFound)
            #expect(!world.files.contains { $0.hasSuffix(".zip") })

            let second = try await world.ask(as: MediaWorld.haruto)
            try await world.handOver(second)
            _ = try await world.write()
            world.clock.advance(world.dependencies.exports.lifetime)
            #expect(try await world.show(second, as: MediaWorld.haruto).url == nil)
            #expect(try await EndExports.expired(world.dependencies) == 1)
            #expect(try await world.show(second, as: MediaWorld.haruto).state == "expired")
            world.clock.advance(.seconds(7200))
            _ = try await Sweeps.loose(world.dependencies)
            #expect(!world.files.contains { $0.hasSuffix(".zip") })
        }
    }

    @Test func `what is left in the middle is written anew by another, once`() async throws {
        try await MediaWorld.run { world in
            let id = try await world.ask()
            try await world.handOver(id)
            let database = world.dependencies.database
            let lease = world.dependencies.exports.lease
            let claimed = try await ExportStore.claim(at: world.clock.now, lease: lease, in: database)
            let dead = try #require(claimed)
            #expect(try await !world.write(), "somebody has it")
            world.clock.advance(lease + .seconds(1))
            #expect(try await world.write())
            #expect(try await world.show(id).state == "ready")
            // Who wakes up late changes nothing.
            #expect(try await !ExportStore.renew(dead, until: world.clock.now, in: database))
            #expect(try await world.events().filter { $0.type == ExportReady.type }.count == 1)
        }
    }

    @Test func `what does not become whole fails with a reason, and another may be asked for`() async throws {
        try await MediaWorld.run { world in
            let id = try await world.ask()
            try await world.hear(MediaWorld.part(Catalogue.exportPieces[0], of: id))
            world.clock.advance(world.dependencies.exports.patience + .seconds(1))
            let database = world.dependencies.database
            let moment = world.clock.now - world.dependencies.exports.patience
            #expect(try await ExportStore.abandon(before: moment, in: database) == 1)
            #expect(try await world.show(id).failure == "late")
            #expect(try await ExportPartStore.forgetEnded(in: database) == 2)
            // What comes late is passed over.
            try await world.handOver(id)
            #expect(try await world.show(id).state == "failed")
            _ = try await world.ask()
        }
    }

    @Test func `one that is too large fails, and files that find no room are left out`() async throws {
        try await MediaWorld.run { world in
            var dependencies = world.dependencies
            dependencies.exports.bytes = 20
            let small = world.with(dependencies)
            let id = try await small.ask()
            try await small.handOver(id)
            #expect(try await small.show(id).failure == "too_large")

            _ = try await world.ready(String(repeating: "a", count: 50_000), as: MediaWorld.haruto)
            dependencies.exports.bytes = 20_000
            let tight = world.with(dependencies)
            let other = try await tight.ask(as: MediaWorld.haruto)
            try await tight.handOver(other)
            _ = try await tight.write()
            let url = try #require(try await tight.show(other, as: MediaWorld.haruto).url)
            let files = try Self.files(try await tight.get(url).bytes())
            #expect(files["index.json"]?.contains("\"files_left_out\":1") == true)
            #expect(files["media/media.json"]?.contains("\"file\":null") == true)
        }
    }

    @Test func `nothing is left of an account that is deleted`() async throws {
        try await MediaWorld.run { world in
            let id = try await world.ask()
            try await world.handOver(id)
            _ = try await world.write()
            let now = world.clock.now
            try await world.dependencies.database.transaction { transaction in
                try await EndExports.erase(of: MediaWorld.minji.id, at: now, in: transaction)
            }
            #expect(try await world.send(.get, "/api/v1/exports").text == "[]")
            world.clock.advance(.seconds(7200))
            _ = try await Sweeps.loose(world.dependencies)
            #expect(!world.files.contains { $0.hasSuffix(".zip") })
        }
    }

    @Test func `a path that leads elsewhere is no part of an archive`() async throws {
        try await MediaWorld.run { world in
            let id = try await world.ask()
            for file in ["../a.json", "/a.json", "a//b.json", "a/.b", ""] {
                let piece = ExportPartTold<ExportOwners.Posts>(
                    exportID: id,
                    number: 0,
                    file: file,
                    about: nil,
                    content: "",
                    isLast: true
                )
                await #expect(throws: Unacceptable.self) { try await world.hear([piece]) }
            }
        }
    }
}
