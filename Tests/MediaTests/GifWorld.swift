// SPDX-License-Identifier: Apache-2.0
// A catalogue of GIFs for tests.

import Domain
import Foundation
import HTTPTypes
import MediaWork
import Outbox
import Support
import Testing
import Web

@testable import MediaService

/// An answer in GIPHY's form, as apps read it.
struct GifList: Decodable {
    struct Item: Decodable {
        struct Picture: Decodable {
            let url: String
            let width: String
            let height: String
            let size: String
        }
        struct User: Decodable {
            let avatar_url: String
            let username: String
        }

        let type: String
        let id: String
        let url: String
        let title: String
        let rating: String
        let user: User?
        let images: [String: Picture]
    }
    struct Pagination: Decodable, Equatable {
        let total_count: Int
        let count: Int
        let offset: Int
    }
    struct Meta: Decodable {
        let status: Int
        let msg: String
        let response_id: String
    }

    let data: [Item]
    let pagination: Pagination?
    let meta: Meta

    var titles: [String] { data.map(\.title) }
}

struct GifOne: Decodable {
    let data: GifList.Item
}

struct GifNames: Decodable {
    struct Name: Decodable {
        let name: String
    }
    let data: [Name]
}

extension MediaWorld {
    static let admin = Somebody(
        id: AccountID(3),
        username: Username("boss").unsafelyUnwrapped,
        role: .admin
    )

    /// As the worker makes a GIF's files, but out of nothing.
    static let animating: @Sendable (WorkOrder) async throws -> WorkReport = { order in
        guard order.purpose == .gif else { return try await copying(order) }
        let input = try Data(contentsOf: URL(filePath: order.input)).dropFirst(signature.utf8.count)
        if input.starts(with: Data("refuse".utf8)) { return .refused(.damaged) }
        func rendition(_ name: String, _ suffix: String, _ mime: String, _ width: Int, _ height: Int) throws
            -> Made.Rendition
        {
            let file = "\(name).\(suffix)"
            let content = Data("\(file) of ".utf8) + input
            try content.write(to: URL(filePath: "\(order.directory)/\(file)"))
            return Made.Rendition(
                name: name,
                file: file,
                mime: mime,
                width: width,
                height: height,
                bytes: Int64(content.count)
            )
        }
        let pictures = ["", "_still", "_downsampled", "_small", "_small_still"].flatMap { part in
            [("fixed_height\(part)", 400, 200), ("fixed_width\(part)", 200, 100)]
        }
        let gifs = [("gif", 500, 250), ("original_still", 500, 250), ("preview_gif", 120, 60)] + pictures
        var made = [try rendition("original", "mp4", "video/mp4", 500, 250)]
        made += try gifs.map { try rendition($0, "gif", "image/gif", $1, $2) }
        for name in ["fixed_height", "fixed_width", "downsized_small", "preview", "looping"] {
            made.append(try rendition(name, "mp4", "video/mp4", 200, 100))
        }
        for name in ["animated", "fixed_height", "fixed_width", "preview_webp"] {
            made.append(try rendition(name, "webp", "image/webp", 200, 100))
        }
        made.append(try rendition("medium", "jpg", "image/jpeg", 500, 250))
        return .made(
            Made(kind: .gifv, mime: "image/gif", width: 500, height: 250, duration: 1.5, renditions: made)
        )
    }

    /// Runs `body` with a worker that makes GIFs.
    static func runGifs(
        gifs: GifSettings = GifSettings(),
        _ body: @Sendable (MediaWorld) async throws -> Void
    ) async throws { try await run(gifs: gifs, worker: animating, body) }

    /// Uploads a file for the catalogue and has it worked on.
    func readyGif(_ content: String, as person: Somebody = admin) async throws -> MediaID {
        let id = try attachment(try await upload(content, fields: [("purpose", "gif")], as: person)).id
        try await workAll()
        return try #require(MediaID(id))
    }

    /// Puts something into the catalogue; `fields` as a form has them.
    @discardableResult
    func gif(_ title: String, _ fields: String = "", as person: Somebody = admin) async throws -> MediaID {
        let id = try await readyGif("\(title) \(fields)", as: person)
        clock.advance(.seconds(1))
        let named = title.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
        let answer = try await send(
            .post,
            "/api/v1/gifs",
            as: person,
            form: "media_id=\(id)&title=\(named)&\(fields)"
        )
        #expect(answer.status == .ok, "\(answer.text)")
        return id
    }

    /// Asks the catalogue as nobody.
    func gifs(_ path: String, _ query: String = "") async throws -> GifList {
        let answer = try await send(.get, "/api/v1/gifs\(path)", query: query, as: nil)
        #expect(answer.status == .ok, "\(path) \(answer.text)")
        return try JSONDecoder().decode(GifList.self, from: Data(answer.body))
    }

    func one(_ path: String, _ query: String = "") async throws -> GifList.Item {
        let answer = try await send(.get, "/api/v1/gifs\(path)", query: query, as: nil)
        return try JSONDecoder().decode(GifOne.self, from: Data(answer.body)).data
    }

    func names(_ path: String, _ query: String = "") async throws -> [String] {
        let answer = try await send(.get, "/api/v1/gifs\(path)", query: query, as: nil)
        return try JSONDecoder().decode(GifNames.self, from: Data(answer.body)).data.map(\.name)
    }

    func sweep(after time: Duration = .zero) async throws {
        clock.advance(time)
        for sweep in Sweeps.all(dependencies) { try await sweep.finish(in: dependencies.database) }
    }
}

extension Sequence where Element: Sendable {
    func asyncMap<Value: Sendable>(_ body: (Element) async throws -> Value) async throws -> [Value] {
        var values: [Value] = []
        for element in self { values.append(try await body(element)) }
        return values
    }
}
