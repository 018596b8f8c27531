// SPDX-License-Identifier: Apache-2.0
// Search, posts and chat as the joined endpoints meet them.

import Domain
import Foundation
import NIOCore
import NIOHTTP1
import Support
import Surface
import Testing

@testable import GatewayService

/// What search finds; posts and chat show what they are asked for, but what is hidden.
struct SearchWorld: Sendable {
    /// The answer of search to any question.
    var found = "{}"
    var suggested = #"{"people":[]}"#
    var trending = #"{"ids":[]}"#
    /// What search does instead.
    var search: FakeService.Behaviour?
    /// What chat does instead.
    var chat: FakeService.Behaviour?
    /// Ids that posts and chat do not show.
    var hidden: Set<String> = []
    var environment: [String: String] = [:]

    func run(_ body: @Sendable @escaping (TestGateway) async throws -> Void) async throws {
        let world = self
        try await TestGateway.run(
            environment,
            limits: { $0.connect = 10_000 },
            posts: { world.posts($0) },
            chat: { world.chat ?? world.chat($0) },
            others: { $0.head.uri.hasPrefix("/internal") ? world.search ?? world.search($0) : .answer(.ok, [], "[]") },
            now: Timestamp.startOfWindow,
            body
        )
    }

    private func search(_ asked: FakeService.Asked) -> FakeService.Behaviour {
        switch asked.head.uri.prefix(while: { $0 != "?" }) {
        case "/internal/search": .answer(.ok, [], found)
        case "/internal/suggestions": .answer(.ok, [], suggested)
        case "/internal/trends/posts": .answer(.ok, [], trending)
        default: .answer(.notFound, [], "{}")
        }
    }

    private func posts(_ asked: FakeService.Asked) -> FakeService.Behaviour {
        if asked.head.uri == "/internal/found/accounts" {
            let name = SearchWorld.text("name", in: asked.body).map { ["name-\($0)"] } ?? []
            return .answer(.ok, [], list(name + SearchWorld.ids("ids", in: asked.body), "account"))
        }
        for (path, kind) in [("/internal/found/projects", "project"), ("/internal/found/records", "record")]
        where asked.head.uri == path {
            return .answer(.ok, [], list(SearchWorld.ids("ids", in: asked.body), kind))
        }
        let ids = asked.head.uri.split(separator: "?").last?.split(separator: "&") ?? []
        return .answer(.ok, [], list(ids.map { String($0.dropFirst("id[]=".count)) }, "status"))
    }

    private func chat(_ asked: FakeService.Asked) -> FakeService.Behaviour {
        guard asked.head.uri == "/internal/found" else { return .answer(.notFound, [], "{}") }
        let lists = ["playgrounds", "channels", "members", "messages"].map { name in
            #""\#(name)":\#(list(SearchWorld.ids(name, in: asked.body), name))"#
        }
        return .answer(.ok, [], "{\(lists.joined(separator: ","))}")
    }

    private func list(_ ids: [String], _ kind: String) -> String {
        "[" + ids.filter { !hidden.contains($0) }.map { #"{"id":"\#($0)","of":"\#(kind)"}"# }.joined(separator: ",")
            + "]"
    }

    private static func object(_ body: String) -> [String: Any] {
        (try? JSONSerialization.jsonObject(with: Data(body.utf8))) as? [String: Any] ?? [:]
    }

    private static func ids(_ name: String, in body: String) -> [String] { object(body)[name] as? [String] ?? [] }
    static func text(_ name: String, in body: String) -> String? { object(body)[name] as? String }
}

/// An answer of a joined endpoint.
struct JoinedAnswer: CustomStringConvertible {
    let status: Int
    let head: String
    let body: String

    init(_ text: String) {
        let answer = AppAnswer(text)
        (status, body) = (answer.status, answer.body)
        head = text.components(separatedBy: "\r\n\r\n").first?.lowercased() ?? ""
    }

    var description: String { "\(status) \(body)" }
    var object: [String: Any] {
        (try? JSONSerialization.jsonObject(with: Data(body.utf8))) as? [String: Any] ?? [:]
    }
    var list: [[String: Any]] {
        (try? JSONSerialization.jsonObject(with: Data(body.utf8))) as? [[String: Any]] ?? []
    }
    func ids(_ member: String) -> [String]? { (object[member] as? [[String: Any]])?.compactMap { $0["id"] as? String } }
    var ids: [String] { list.compactMap { $0["id"] as? String } }
}

extension TestGateway {
    var search: FakeService {
        guard let search = services[.search] else { preconditionFailure("search is not on the list of services") }
        return search
    }

    func joined(_ path: String, token: String? = nil) async throws -> JoinedAnswer {
        JoinedAnswer(try await ask("GET", path, token: token))
    }
}
