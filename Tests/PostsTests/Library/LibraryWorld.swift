// SPDX-License-Identifier: Apache-2.0
// What the tests of shelves do again and again.

import Domain
import Foundation
import HTTPTypes
import Support
import Testing
import Web

@testable import PostsService

extension GraphWorld {
    /// Asks with JSON and expects an answer.
    @discardableResult
    func ask(
        _ method: HTTPRequest.Method,
        _ path: String,
        as reader: Person?,
        _ body: [String: any Sendable]? = nil,
        code: Int = 200,
        at location: SourceLocation = #_sourceLocation
    ) async throws -> Answer {
        let json = try body.map { String(decoding: try JSONSerialization.data(withJSONObject: $0), as: UTF8.self) }
        let type = json == nil ? nil : "application/json"
        let answer = try await send(method, path, as: reader, type: type, body: json ?? "")
        #expect(answer.code == code, "\(method) \(path): \(answer.text)", sourceLocation: location)
        return answer
    }

    /// A record of a book of that title, and its id.
    @discardableResult
    func shelve(
        _ title: String,
        as reader: Person,
        _ more: [String: any Sendable] = [:],
        book: [String: any Sendable] = [:],
        at location: SourceLocation = #_sourceLocation
    ) async throws -> String {
        var body = more
        body["book"] = book.merging(["title": title]) { $1 }
        let answer = try await ask(.post, "/api/v1/shelf/records", as: reader, body, at: location)
        return try #require(try answer.string("id"), sourceLocation: location)
    }

    func record(_ id: String, as reader: Person) async throws -> [String: Any] {
        try await ask(.get, "/api/v1/shelf/records/\(id)", as: reader).object
    }

    /// Titles of the books of a list of books or of records.
    func titles(_ path: String, as reader: Person?) async throws -> [String] {
        try await ask(.get, path, as: reader).list.compactMap {
            ($0["book"] as? [String: Any] ?? $0)["title"] as? String
        }
    }

    func sendWrites(_ writes: [[String: any Sendable]], as reader: Person) async throws -> [[String: Any]] {
        let answer = try await ask(.post, "/api/v1/shelf/changes", as: reader, ["writes": writes])
        return try #require(try answer.object["outcomes"] as? [[String: Any]])
    }
}

/// What a phone knows of a shelf: only what it was told.
struct Phone {
    let world: GraphWorld
    let reader: Person
    /// By their types and ids, as JSON with its members in order.
    private(set) var items: [String: String] = [:]
    private(set) var cursor: String?
    private(set) var requests = 0

    init(_ world: GraphWorld, of reader: Person) { (self.world, self.reader) = (world, reader) }

    /// Reads what has changed, until there is no more.
    mutating func read(limit: Int = 100) async throws {
        var hasMore = true
        while hasMore {
            let since = cursor.map { "&since=\($0)" } ?? ""
            let answer = try await world.ask(.get, "/api/v1/shelf/changes?limit=\(limit)\(since)", as: reader)
            requests += 1
            let changes = try answer.object
            for type in ["book", "record", "goal"] {
                for item in try #require(changes["\(type)s"] as? [[String: Any]]) {
                    let text = try JSONSerialization.data(withJSONObject: item, options: [.sortedKeys])
                    items[try Phone.name(type, item)] = String(decoding: text, as: UTF8.self)
                }
            }
            for item in try #require(changes["deleted"] as? [[String: Any]]) {
                let type = try #require(item["type"] as? String)
                items["\(type) \(try #require(item["id"] as? String))"] = nil
            }
            cursor = try #require(changes["next"] as? String)
            hasMore = try #require(changes["has_more"] as? Bool)
        }
    }

    /// Forgets everything, as a new phone.
    mutating func forget() { (items, cursor) = ([:], nil) }

    private static func name(_ type: String, _ item: [String: Any]) throws -> String {
        guard type == "goal" else { return "\(type) \(try #require(item["id"] as? String))" }
        let year = String(try #require(item["year"] as? Int))
        let digits = String(repeating: "0", count: 4 - year.count) + year
        return "goal \(digits)" + ((item["month"] as? Int).map { $0 < 10 ? "-0\($0)" : "-\($0)" } ?? "")
    }
}

/// A name for something that an app makes.
func clientID(_ random: inout TestSeed) -> String {
    let high = String(UInt64.random(in: 0...UInt64.max, using: &random), radix: 16)
    let low = String(UInt64.random(in: 0...UInt64.max, using: &random), radix: 16)
    let digits = Array([high, low].map { String(repeating: "0", count: 16 - $0.count) + $0 }.joined())
    return [0..<8, 8..<12, 12..<16, 16..<20, 20..<32].map { String(digits[$0]) }.joined(separator: "-")
}
