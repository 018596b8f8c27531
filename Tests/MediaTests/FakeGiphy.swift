// SPDX-License-Identifier: Apache-2.0
// Catalogues of others for tests.

import Domain
import Foundation
import Logging
import Outbound
import Postgres
import ServiceKit
import Support
import Synchronization
import Testing

@testable import MediaService

/// Answers as GIPHY does: whatever is looked for, it has some GIFs of it.
final class FakeGiphy: Sendable {
    static let key = "a-key-of-the-tests"

    private final class Manner: Sendable {
        let instead = Mutex<(@Sendable (WebConnection) -> Void)?>(nil)
    }

    private let listener: WebListener
    private let manner = Manner()

    /// The paths, with queries, of what it was asked.
    var asked: [String] { listener.paths }
    var port: Int { listener.port }

    /// - Parameter count: of GIFs of whatever is looked for.
    init(_ count: Int = 120) throws {
        listener = try WebListener { [manner] connection in
            if let instead = manner.instead.withLock({ $0 }) { return instead(connection) }
            connection.answer(type: "application/json", FakeGiphy.answer(connection.path, count))
        }
    }

    /// Has it do something else than to answer; nil has it answer again.
    func instead(_ body: (@Sendable (WebConnection) -> Void)?) { manner.instead.withLock { $0 = body } }

    func close() { listener.close() }

    func provider(_ name: GifProvider.Name = .giphy) throws -> GifProvider {
        GifProvider(name: name, key: FakeGiphy.key, server: try #require(ServerAddress("http://127.0.0.1:\(port)")))
    }

    /// What it says of a path.
    static func answer(_ path: String, _ count: Int) -> String {
        let parameters = parameters(path)
        if let ids = parameters["ids"] {
            let items = ids.split(separator: ",").filter { $0.contains("x") }.map { item(String($0)) }
            return whole(items, "")
        }
        let words = (parameters["q"] ?? "trend").replacing(" ", with: "")
        let (offset, limit) = (Int(parameters["offset"] ?? "") ?? 0, Int(parameters["limit"] ?? "") ?? 25)
        let items = (0..<count).dropFirst(offset).prefix(limit).map { item("\(words)x\($0)") }
        let counts = #""total_count":\#(count),"count":\#(items.count),"offset":\#(offset)"#
        return whole(items, #","pagination":{\#(counts)}"#)
    }

    static func parameters(_ path: String) -> [String: String] {
        let items = URLComponents(string: path)?.queryItems ?? []
        return Dictionary(items.map { ($0.name, $0.value ?? "") }) { first, _ in first }
    }

    /// With more than apps of Madang's read.
    static func item(_ id: String) -> String {
        let names = ["original", "preview_gif", "fixed_width", "fixed_height", "downsized", "original_mp4"]
        let images = names.map { name in
            #""\#(name)":{"height":"100","width":"200","size":"1000","url":"https://giphy.example/\#(id)/\#(name)"}"#
        }
        return #"""
            {"type":"gif","title":"\#(id)","id":"\#(id)","url":"https:\/\/giphy.example\/\#(id)","rating":"g","x":[1.50,{"\u0000":null}],\#
            "analytics":{"onload":{"url":"https://giphy.example/seen?a=b"}},"images":{\#(images.joined(separator: ","))}}
            """#
    }

    static func whole(_ items: [String], _ rest: String) -> String {
        #"{"data":[\#(items.joined(separator: ","))],"meta":{"status":200,"msg":"OK","response_id":"r"}\#(rest)}"#
    }
}

extension MediaWorld {
    /// The same as another process that may ask others.
    ///
    /// - Parameter patience: so much that other work on the machine does not matter, unless a test says otherwise.
    func asking(
        _ providers: [GifProvider],
        patience: Duration = .seconds(120),
        logger: Logger = logger
    ) -> MediaWorld {
        var dependencies = dependencies
        dependencies.upstreams = GifUpstreams(providers, patience: patience, logger: logger)
        return with(dependencies)
    }

    /// Runs `body` with somebody who may be asked.
    static func runUpstream(
        _ count: Int = 120,
        gifs: GifSettings = GifSettings(),
        _ body: @Sendable (MediaWorld, FakeGiphy) async throws -> Void
    ) async throws {
        let giphy = try FakeGiphy(count)
        defer { giphy.close() }
        try await runGifs(gifs: gifs) { world in try await body(world.asking([giphy.provider()]), giphy) }
    }

    /// What is kept of answers, as one text.
    func keptAnswers() async throws -> String {
        let rows: [String] = try await dependencies.database.query("SELECT CAST(a AS text) FROM gif_answers a").all {
            try $0.next()
        }
        return rows.joined()
    }
}

extension GifList {
    var ids: [String] { data.map(\.id) }
}
