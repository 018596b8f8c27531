// SPDX-License-Identifier: Apache-2.0
// Previews of links: what is fetched how often, from whom, and what is told of it.

import Domain
import Events
import Foundation
import MediaWork
import MediaWorker
import Outbox
import Postgres
import ServiceKit
import Support
import Synchronization
import Testing

@testable import MediaService
@testable import Outbound

@Suite struct LinkTests {
    private let author = AccountSnapshot(
        id: MediaWorld.minji.id,
        username: MediaWorld.minji.username,
        createdAt: MediaWorld.start,
        version: 1
    )

    /// Reads pages as the worker does, and takes every picture.
    private static let reading: @Sendable (WorkOrder) async throws -> WorkReport = { order in
        let bytes = Array(try Data(contentsOf: URL(filePath: order.input)))
        if order.purpose == .page { return .page(Page.facts(of: bytes, charset: order.charset)) }
        guard bytes.starts(with: Array("picture".utf8)) else { return .refused(.unsupported) }
        try Data(bytes).write(to: URL(filePath: "\(order.directory)/medium.jpg"))
        let rendition = Made.Rendition(
            name: "medium",
            file: "medium.jpg",
            mime: "image/jpeg",
            width: 600,
            height: 315,
            bytes: Int64(bytes.count)
        )
        return .made(Made(kind: .image, mime: "image/jpeg", blurhash: "LKO2", renditions: [rendition]))
    }

    /// The world, with whoever it may speak to.
    private func run(
        allowing listeners: [(String, WebListener)],
        worker: @escaping @Sendable (WorkOrder) async throws -> WorkReport = reading,
        _ body: @Sendable (LinkWorld) async throws -> Void
    ) async throws {
        let allowed = try listeners.map { Guard.Endpoint(try #require(NetworkAddress($0.0)), port: $0.1.port) }
        try await MediaWorld.run(worker: worker) { world in
            var dependencies = world.dependencies
            dependencies.previews.guard = .anybody(allowing: Set(allowed))
            dependencies.previews.time = .seconds(600)
            try await body(LinkWorld(world: world, dependencies: dependencies, author: author))
        }
    }

    private static func page(_ head: String) -> String {
        "<!doctype html><html lang=ko><head>\(head)</head><body>a</body></html>"
    }

    private static let full = page(
        """
        <title>not this</title><meta property="og:title" content="마당 &amp; more"><meta name="description" content="만나요">
        <meta property="og:site_name" content="News"><meta property="og:image" content="/picture">
        <meta property="og:image:alt" content="a yard"><link rel=alternate type="application/json+oembed" href="/oembed?a=b&amp;c=d">
        <meta property="article:published_time" content="2026-01-02T03:04:05Z">
        """
    )

    @Test func aPageBecomesACard() async throws {
        let site = try WebListener { connection in
            switch connection.path {
            case "/": connection.answer(Self.full)
            case "/picture": connection.answer(type: "image/jpeg", "picture of a yard")
            case "/oembed?a=b&c=d":
                let json = """
                    {"version": "1.0", "type": "video", "title": "no", "author_name": "Mina<script>", "html": "<iframe src=x></iframe>",
                    "author_url": "https://News.example/mina", "provider_url": "javascript:alert(1)"}
                    """
                connection.answer(type: "application/json", json)
            default: connection.answer(status: "404 Not Found", "")
            }
        }
        defer { site.close() }
        try await run(allowing: [("127.0.0.1", site)]) { world in
            let url = "http://127.0.0.1:\(site.port)/"
            try await world.post(1, "look: HTTP://127.0.0.1:\(site.port)/#there")
            #expect(try await world.fetch() == 1)
            let news = try #require(try await world.told().first)
            #expect(news.url == url)
            let card = try #require(news.card)
            #expect(card.url == url)
            #expect(card.title == "마당 & more")
            #expect(card.description == "만나요")
            #expect(card.type == .video)
            #expect(card.authorName == "Mina")
            #expect(card.authorURL == "https://news.example/mina")
            #expect(card.providerName == "News")
            #expect(card.providerURL == nil)
            #expect(card.language == "ko")
            #expect(card.imageDescription == "a yard")
            #expect(card.publishedAt == Timestamp(rfc3339: "2026-01-02T03:04:05Z"))
            let image = try #require(card.image)
            #expect(world.world.files == [image.url])
            #expect(image.width == 600)
            #expect(card.blurhash == "LKO2")
            // Nothing of what came is left.
            #expect(world.world.incoming == [])
            #expect(world.world.workplaces == [])
        }
    }

    /// S21.
    @Test func oneLinkInAThousandPostsIsFetchedOnce() async throws {
        let site = try WebListener { $0.answer(Self.page("<title>a</title>")) }
        defer { site.close() }
        try await run(allowing: [("127.0.0.1", site)]) { world in
            let url = "http://127.0.0.1:\(site.port)/a"
            for first in stride(from: 1, through: 901, by: 100) {
                async let fetched = world.fetch()
                try await world.posts((first..<first + 100).map { (Int64($0), 1, "see \(url)") })
                _ = try await fetched
            }
            _ = try await world.fetch()
            #expect(site.connections == 1)
            #expect(try await world.told().count == 1)
            // Still new for a day, then fetched again once when it is mentioned.
            world.world.clock.advance(.seconds(24 * 3600 - 60))
            try await world.post(2001, url)
            _ = try await world.fetch()
            #expect(site.connections == 1)
            world.world.clock.advance(.seconds(120))
            _ = try await world.fetch()
            #expect(site.connections == 1)
            try await world.posts([(2002, 1, url), (2003, 1, url)])
            _ = try await world.fetch()
            #expect(site.connections == 2)
            let versions = try await world.told().map(\.subjectVersion)
            #expect(versions.count == 2)
            #expect(versions[0] < versions[1])
        }
    }

    @Test func twoAtATimeAreFetchedFromAHost() async throws {
        let gauge = Gauge()
        let slow = try WebListener { connection in
            gauge.during { connection.wait(milliseconds: 150) }
            connection.answer(Self.page("<title>slow</title>"))
        }
        let other = try WebListener("127.0.0.2") { $0.answer(Self.page("<title>other</title>")) }
        defer { [slow, other].forEach { $0.close() } }
        try await run(allowing: [("127.0.0.1", slow), ("127.0.0.2", other)]) { world in
            let links = (1...12).map { (Int64($0), Int64(1), "http://127.0.0.1:\(slow.port)/\($0)") }
            try await world.posts(links + [(20, 1, "http://127.0.0.2:\(other.port)/")])
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<8 {
                    group.addTask {
                        while try await world.told().count < 13 {
                            if try await world.fetch() == 0 { try await Task.sleep(for: .milliseconds(5)) }
                        }
                    }
                }
                try await group.waitForAll()
            }
            #expect(slow.connections == 12)
            #expect(gauge.most == 2)
            #expect(other.connections == 1)
        }
    }

    @Test func whoDoesNotAnswerIsLeftAloneForAnHour() async throws {
        let site = try WebListener { connection in
            switch connection.path {
            case "/broken": connection.answer(status: "503 Service Unavailable", "")
            case "/text": connection.answer(type: "text/plain", "a text")
            case "/nameless": connection.answer(Self.page("<meta name=description content=a>"))
            default: connection.answer(status: "404 Not Found", Self.page("<title>none</title>"))
            }
        }
        defer { site.close() }
        try await run(allowing: [("127.0.0.1", site)]) { world in
            let links = ["broken", "text", "nameless", "missing"].map { "http://127.0.0.1:\(site.port)/\($0)" }
            func mention(_ version: Int64) async throws {
                try await world.posts(links.enumerated().map { (Int64($0.offset + 1), version, $0.element) })
                _ = try await world.fetch()
            }
            try await mention(1)
            try await mention(2)
            #expect(site.connections == 4)
            world.world.clock.advance(.seconds(3590))
            try await mention(3)
            #expect(site.connections == 4)
            world.world.clock.advance(.seconds(20))
            try await mention(4)
            #expect(site.connections == 8)
            // There never was anything to take back.
            #expect(try await world.told().isEmpty)
        }
    }

    @Test func aCardThatIsGoneIsTold() async throws {
        let isThere = Flag(true)
        let site = try WebListener { connection in
            if connection.path == "/picture" {
                connection.answer(type: "image/jpeg", "picture")
            } else if isThere.value {
                connection.answer(Self.page("<title>a</title><meta property=og:image content=/picture>"))
            } else {
                connection.answer(status: "404 Not Found", "")
            }
        }
        defer { site.close() }
        try await run(allowing: [("127.0.0.1", site)]) { world in
            let url = "http://127.0.0.1:\(site.port)/a"
            try await world.post(1, url)
            _ = try await world.fetch()
            #expect(world.world.files.count == 1)
            isThere.set(false)
            world.world.clock.advance(.seconds(25 * 3600))
            try await world.post(2, url)
            _ = try await world.fetch()
            #expect(try await world.told().map { $0.card == nil } == [false, true])
            // Its picture goes as every file does that nothing needs.
            try await world.sweep(after: .seconds(3601))
            #expect(world.world.files == [])
        }
    }

    /// A process dies with a page in its hands.
    @Test func aPageThatOneLeavesIsFetchedAgainLater() async throws {
        let site = try WebListener { $0.answer(Self.page("<title>a</title>")) }
        defer { site.close() }
        let isAlive = Flag(false)
        let dying: @Sendable (WorkOrder) async throws -> WorkReport = { order in
            guard isAlive.value else { throw CancellationError() }
            return try await Self.reading(order)
        }
        try await run(allowing: [("127.0.0.1", site)], worker: dying) { world in
            try await world.post(1, "http://127.0.0.1:\(site.port)/a")
            await #expect(throws: CancellationError.self) { _ = try await world.fetch() }
            isAlive.set(true)
            world.world.clock.advance(.seconds(590))
            #expect(try await world.fetch() == 0)
            #expect(site.connections == 1)
            world.world.clock.advance(.seconds(20))
            #expect(try await world.fetch() == 1)
            #expect(site.connections == 2)
            #expect(try await world.told().count == 1)
            #expect(world.world.incoming == [])
            #expect(world.world.workplaces == [])
        }
    }

    @Test func aKilledWorkerCostsItsPageAlone() async throws {
        let site = try WebListener { $0.answer(Self.page("<title>a</title>")) }
        defer { site.close() }
        let killed: @Sendable (WorkOrder) async throws -> WorkReport = { _ in throw WorkerEnded.signal(9) }
        try await run(allowing: [("127.0.0.1", site)], worker: killed) { world in
            try await world.posts((1...3).map { (Int64($0), 1, "http://127.0.0.1:\(site.port)/\($0)") })
            #expect(try await world.fetch() == 3)
            #expect(try await world.told().isEmpty)
            #expect(world.world.incoming == [])
            #expect(world.world.workplaces == [])
        }
    }

    /// S20.
    @Test func whatAPageNamesIsAskedByTheSameGuard() async throws {
        let inside = try WebListener("::") { $0.answer(type: "image/jpeg", "picture") }
        let targets = [
            "http://127.0.0.1:\(inside.port)/", "http://[::1]:\(inside.port)/", "http://localhost:\(inside.port)/",
            "http://0x7f000001:\(inside.port)/", "http://2130706433:\(inside.port)/", "//127.0.0.1:\(inside.port)/",
            "http://[::ffff:127.0.0.1]:\(inside.port)/", "http://0.0.0.0:\(inside.port)/",
            "http://127.1:\(inside.port)/",
            "file:///etc/passwd", "gopher://127.0.0.1:\(inside.port)/", "http://a@127.0.0.1:\(inside.port)/",
            "/to/http://127.0.0.1:\(inside.port)/", "/to/http://[::1]:\(inside.port)/",
        ]
        let outside = try WebListener { connection in
            if connection.path.hasPrefix("/to/") {
                return connection.redirect(to: String(connection.path.dropFirst(4)))
            }
            let target = targets[Int(connection.path.dropFirst()) ?? 0]
            connection.answer(
                Self.page(
                    """
                    <title>a</title><meta property="og:image" content="\(target)"><link rel=icon href="\(target)">
                    <link rel=alternate type="application/json+oembed" href="\(target)">
                    """
                )
            )
        }
        defer { [inside, outside].forEach { $0.close() } }
        try await run(allowing: [("127.0.0.1", outside)]) { world in
            try await world.posts(targets.indices.map { (Int64($0 + 1), 1, "http://127.0.0.1:\(outside.port)/\($0)") })
            try await world.post(100, "http://127.0.0.1:\(outside.port)/to/http://127.0.0.1:\(inside.port)/")
            #expect(try await world.fetch() == targets.count + 1)
            #expect(inside.connections == 0)
            let cards = try await world.told().compactMap(\.card)
            #expect(cards.count == targets.count)
            #expect(cards.allSatisfy { $0.image == nil })
            #expect(world.world.files == [])
        }
    }

    @Test func whatNothingLinksToGoes() async throws {
        let site = try WebListener { connection in
            if connection.path.hasPrefix("/picture") {
                connection.answer(type: "image/jpeg", "picture at \(connection.path)")
            } else {
                connection.answer(
                    Self.page("<title>a</title><meta property=og:image content=/picture\(connection.path)>")
                )
            }
        }
        defer { site.close() }
        try await run(allowing: [("127.0.0.1", site)]) { world in
            func url(_ name: String) -> String { "http://127.0.0.1:\(site.port)/\(name)" }
            try await world.posts([(1, 1, url("kept")), (2, 1, url("edited")), (3, 1, url("deleted"))])
            #expect(try await world.fetch() == 3)
            try await world.edit(2, 2, "no link any more")
            try await world.delete(3, 2)
            // Late words change nothing.
            try await world.posts([(2, 1, url("edited")), (3, 1, url("deleted"))])
            try await world.sweep(after: .seconds(30 * 24 * 3600 + 10))
            try await world.sweep(after: .seconds(3601))
            #expect(world.world.files.count == 1)
            #expect(try await world.links() == [url("kept")])
            #expect(try await world.mentions() == 1)
        }
    }

    @Test func whatNeverHadALinkLeavesNothing() async throws {
        try await run(allowing: []) { world in
            func noted() async throws -> Int {
                try await world.dependencies.database.query("SELECT count(*) FROM inbox").number()
            }
            try await world.posts((1...9).map { ($0, 1, "no link \($0)") } + [(10, 1, "https://a.example/")])
            #expect(try await noted() == 1)
            #expect(try await world.mentions() == 1)
            // A link that an edit takes away is gone, whatever comes late; one that it brings is there.
            try await world.edit(1, 2, "https://b.example/")
            try await world.edit(2, 2, "still no link")
            try await world.posts([(1, 1, "no link 1"), (2, 1, "no link 2")])
            #expect(try await noted() == 3)
            #expect(try await world.links() == ["https://a.example/", "https://b.example/"])
        }
    }

    @Test func withoutPreviewsNothingIsKept() async throws {
        try await run(allowing: []) { world in
            var off = world
            off.dependencies.previews.areOn = false
            try await off.post(1, "https://a.example/")
            #expect(try await off.links().isEmpty)
        }
    }
}

private final class Flag: Sendable {
    private let state: Mutex<Bool>
    init(_ value: Bool) { state = Mutex(value) }
    var value: Bool { state.withLock { $0 } }
    func set(_ value: Bool) { state.withLock { $0 = value } }
}

/// Media, and what it hears of posts.
private struct LinkWorld: Sendable {
    let world: MediaWorld
    var dependencies: Dependencies
    let author: AccountSnapshot

    private func snapshot(_ id: Int64, _ version: Int64, _ text: String) -> PostSnapshot {
        PostSnapshot(id: PostID(id), accountID: author.id, text: text, createdAt: MediaWorld.start, version: version)
    }

    private func hear<E: Event>(_ events: [E]) async throws {
        let messages = try events.map {
            try Envelope(id: EventID.new(), time: MediaWorld.start, traceparent: nil, data: $0).message()
        }
        try await Links.queue(dependencies).apply(messages, in: dependencies.database)
    }

    func post(_ id: Int64, _ text: String) async throws { try await posts([(id, 1, text)]) }

    func posts(_ posts: [(Int64, Int64, String)]) async throws {
        try await hear(posts.map { PostCreated(author: author, post: snapshot($0.0, $0.1, $0.2)) })
    }

    func edit(_ id: Int64, _ version: Int64, _ text: String) async throws {
        try await hear([PostEdited(author: author, post: snapshot(id, version, text))])
    }

    func delete(_ id: Int64, _ version: Int64) async throws {
        try await hear([
            PostDeleted(postID: PostID(id), accountID: author.id, boostIDs: [], subjectVersion: version, continues: nil)
        ])
    }

    /// Fetches what is due; how many pages that were.
    func fetch() async throws -> Int {
        var count = 0
        while let link = try await LinkWorker.claim(dependencies) {
            try await LinkWorker.fetch(link, dependencies, metrics: Metrics())
            count += 1
        }
        return count
    }

    func told() async throws -> [LinkPreviewReady] {
        try await recordedEvents(in: dependencies.database).filter { try TestEvent($0).type == LinkPreviewReady.type }
            .map { try JSONDecoder().decode(Envelope<LinkPreviewReady>.self, from: Data($0)).data }
    }

    func sweep(after time: Duration) async throws {
        world.clock.advance(time)
        for sweep in Sweeps.all(dependencies) { try await sweep.finish(in: dependencies.database) }
    }

    func links() async throws -> [String] {
        try await dependencies.database.query("SELECT url FROM links ORDER BY url").all { try $0.next() }
    }

    func mentions() async throws -> Int {
        try await dependencies.database.query("SELECT count(*) FROM mentions").number()
    }
}
