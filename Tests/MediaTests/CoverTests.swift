// SPDX-License-Identifier: Apache-2.0
// Covers of books: asked of others once, and shown by Madang alone.

import Domain
import Events
import Foundation
import HTTPTypes
import MediaWork
import Outbox
import Support
import Synchronization
import Testing
import Web

@testable import MediaService
@testable import Outbound

@Suite struct CoverTests {
    /// Makes a smaller picture of every picture, as the worker does.
    private static let shrinking: @Sendable (WorkOrder) async throws -> WorkReport = { order in
        let bytes = Array(try Data(contentsOf: URL(filePath: order.input)))
        guard order.purpose == .card, bytes.starts(with: Array("picture".utf8)) else { return .refused(.unsupported) }
        let made = Array("small ".utf8) + bytes
        try Data(made).write(to: URL(filePath: "\(order.directory)/medium.jpg"))
        let rendition = Made.Rendition(
            name: "medium",
            file: "medium.jpg",
            mime: "image/jpeg",
            width: 200,
            height: 290,
            bytes: Int64(made.count)
        )
        return .made(Made(kind: .image, mime: "image/jpeg", renditions: [rendition]))
    }

    /// The world, which may speak with a listener of the test and waits as long as a busy machine needs.
    private func run(
        allowing listener: WebListener? = nil,
        _ body: @Sendable (MediaWorld) async throws -> Void
    ) async throws {
        let address = try #require(NetworkAddress("127.0.0.1"))
        try await MediaWorld.run(worker: Self.shrinking) { world in
            var dependencies = world.dependencies
            dependencies.previews.guard = .anybody(
                allowing: Set(listener.map { [Guard.Endpoint(address, port: $0.port)] } ?? [])
            )
            dependencies.previews.time = .seconds(600)
            dependencies.covers = Covers(patience: .seconds(600))
            try await body(world.with(dependencies))
        }
    }

    private static func path(_ url: String, _ world: MediaWorld) -> String {
        String(world.dependencies.links.cover(url).dropFirst(world.dependencies.site.origin.count))
    }

    private static func look(at url: String, _ world: MediaWorld) async throws -> Answer {
        try await world.send(.get, path(url, world), as: nil)
    }

    @Test func `a cover is asked for once, whoever looks, and served as every file is`() async throws {
        let site = try WebListener { $0.answer(type: "image/png", "picture of a book") }
        defer { site.close() }
        try await run(allowing: site) { world in
            let url = "http://127.0.0.1:\(site.port)/1.png"
            let statuses = try await withThrowingTaskGroup(of: HTTPResponse.Status.self) { group in
                for _ in 0..<20 { group.addTask { try await Self.look(at: url, world).status } }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(statuses == Array(repeating: .ok, count: 20))
            #expect(site.connections == 1)
            let answer = try await Self.look(at: url, world)
            #expect(try await answer.bytes() == Array("small picture of a book".utf8), "made anew")
            #expect(answer.headers[.contentType] == "image/jpeg")
            #expect(answer.headers[.cacheControl] == "public, max-age=86400")
            #expect(answer.headers[.contentSecurityPolicy]?.contains("sandbox") == true)
            let tag = try #require(answer.headers[.eTag])
            let again = try await world.send(.get, Self.path(url, world), as: nil, headers: [.ifNoneMatch: tag])
            #expect(again.status == .notModified)
            #expect(world.files.map { "\"\($0)\"" } == [tag] && world.incoming == [] && world.workplaces == [])
            // The same picture elsewhere is the same file; of another nobody knows.
            let other = "http://127.0.0.1:\(site.port)/2.png"
            #expect(try await Self.look(at: other, world).headers[.eTag] == tag)
            #expect(site.paths.sorted() == ["/1.png", "/2.png"])
        }
    }

    @Test func `what cannot be had is not there, and is not asked for again and again`() async throws {
        let site = try WebListener { connection in
            switch connection.path {
            case "/gone": connection.answer(status: "404 Not Found", "picture")
            case "/page": connection.answer("<!doctype html><title>no picture</title>")
            case "/long": connection.answer(type: "image/png", "picture" + String(repeating: "x", count: 9 << 20))
            default: connection.answer(type: "image/png", "")
            }
        }
        defer { site.close() }
        try await run(allowing: site) { world in
            let paths = ["/gone", "/page", "/long", "/empty"]
            for _ in 0..<2 {
                for path in paths {
                    let answer = try await Self.look(at: "http://127.0.0.1:\(site.port)\(path)", world)
                    #expect(answer.status == .notFound, "\(path)")
                }
            }
            #expect(site.paths.sorted() == paths.sorted())
            #expect(world.files == [] && world.incoming == [] && world.workplaces == [])
            world.clock.advance(.seconds(601))
            #expect(try await Self.look(at: "http://127.0.0.1:\(site.port)/gone", world).status == .notFound)
            #expect(site.paths.count == 5)
        }
    }

    @Test func `nobody within is asked, whoever has a link to it`() async throws {
        let site = try WebListener { $0.answer(type: "image/png", "picture") }
        defer { site.close() }
        try await run { world in
            let urls = [
                "http://127.0.0.1:\(site.port)/1", "http://[::1]:\(site.port)/1", "http://localhost:\(site.port)/1",
                "http://169.254.169.254/latest/meta-data", "file:///etc/passwd", "ftp://127.0.0.1/1", "not a link",
            ]
            for url in urls {
                let answer = try await Self.look(at: url, world)
                #expect(answer.status == .notFound, "\(url)")
            }
            #expect(site.connections == 0)
        }
    }

    @Test func `only a link of ours leads to somebody else's picture`() async throws {
        let site = try WebListener { $0.answer(type: "image/png", "picture") }
        defer { site.close() }
        try await run(allowing: site) { world in
            let url = "http://127.0.0.1:\(site.port)/1"
            let parts = Self.path(url, world).split(separator: "/").map(String.init)
            let (code, address) = (parts[2], parts[3])
            let bad = [
                "/media/c/\(String(repeating: "0", count: 32))/\(address)", "/media/c/\(code)/\(address)AA",
                "/media/c/\(code)/\(CoverLink.address(of: url + "2"))", "/media/c/\(code)/-", "/media/c/x/\(address)",
                "/media/o/\(code)/\(address)", "/media/c/\(code)/\(String(repeating: "a", count: 4000))",
            ]
            for path in bad {
                let answer = try await world.send(.get, path, as: nil)
                #expect(answer.status == .notFound, "\(path)")
            }
            #expect(site.connections == 0)
        }
    }

    @Test func `a cover is asked for anew after a month, and stays where none comes`() async throws {
        let content = Content("picture one")
        let site = try WebListener { $0.answer(type: "image/png", content.value) }
        defer { site.close() }
        try await run(allowing: site) { world in
            let url = "http://127.0.0.1:\(site.port)/1"
            func shown() async throws -> String {
                String(decoding: try await Self.look(at: url, world).bytes(), as: UTF8.self)
            }
            #expect(try await shown() == "small picture one")
            content.value = "no image"
            world.clock.advance(.seconds(29 * 86_400))
            #expect(try await shown() == "small picture one")
            #expect(site.connections == 1)
            world.clock.advance(.seconds(2 * 86_400))
            #expect(try await shown() == "small picture one", "better than none")
            #expect(site.connections == 2)
            content.value = "picture two"
            world.clock.advance(.seconds(601))
            #expect(try await shown() == "small picture two")
            #expect(world.files.count == 2)
            try await Self.sweep(world, after: .seconds(2 * 3600))
            #expect(world.files.count == 1, "the former one is nobody's any more")
            #expect(try await shown() == "small picture two")
        }
    }

    @Test func `what nobody looks at any more goes`() async throws {
        let site = try WebListener { $0.answer(type: "image/png", "picture \($0.path)") }
        defer { site.close() }
        try await run(allowing: site) { world in
            func look(_ path: String) async throws {
                #expect(try await Self.look(at: "http://127.0.0.1:\(site.port)/\(path)", world).status == .ok)
            }
            try await look("liked")
            try await look("left")
            world.clock.advance(.seconds(20 * 86_400))
            try await look("liked")
            try await Self.sweep(world, after: .seconds(11 * 86_400))
            try await Self.sweep(world, after: .seconds(2 * 3600))
            #expect(world.files.count == 1)
            #expect(site.connections == 2)
        }
    }

    @Test func `where no pages are fetched, no covers are`() async throws {
        let site = try WebListener { $0.answer(type: "image/png", "picture") }
        defer { site.close() }
        try await run(allowing: site) { world in
            var dependencies = world.dependencies
            dependencies.previews.areOn = false
            let off = world.with(dependencies)
            let answer = try await Self.look(at: "http://127.0.0.1:\(site.port)/1", off)
            #expect(answer.status == .notFound)
            #expect(site.connections == 0)
        }
    }

    @Test func `a host is asked for some at a time`() async throws {
        let gauge = Gauge()
        let site = try WebListener { connection in
            gauge.during { connection.answer(type: "image/png", "picture \(connection.path)") }
        }
        defer { site.close() }
        try await run(allowing: site) { world in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<30 {
                    group.addTask {
                        let answer = try await Self.look(at: "http://127.0.0.1:\(site.port)/\(number)", world)
                        #expect(answer.status == .ok)
                    }
                }
                try await group.waitForAll()
            }
            #expect(site.connections == 30)
            #expect(gauge.most <= world.dependencies.limits.coversOfHost)
        }
    }

    private static func sweep(_ world: MediaWorld, after time: Duration) async throws {
        world.clock.advance(time)
        for sweep in Sweeps.all(world.dependencies) { try await sweep.finish(in: world.dependencies.database) }
    }
}

private final class Content: Sendable {
    private let text: Mutex<String>
    init(_ text: String) { self.text = Mutex(text) }
    var value: String {
        get { text.withLock { $0 } }
        set { text.withLock { $0 = newValue } }
    }
}
