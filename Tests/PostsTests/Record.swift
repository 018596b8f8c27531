// SPDX-License-Identifier: Apache-2.0
// Exchanges with posts, written down.

import Domain
import Foundation
import HTTPTypes
import Testing
import Web

@testable import PostsService

/// Exchanges one after another, written down.
struct Record {
    let world: GraphWorld
    var text = ""
    var asked: Set<String> = []

    /// Asks and writes down both sides; `route` is what the path is an instance of, `value` what varies in it, with a space
    /// between two.
    @discardableResult
    mutating func ask(
        _ method: HTTPRequest.Method,
        _ route: String,
        _ value: String = "",
        query: String = "",
        as person: Person?,
        _ json: String? = nil,
        scopes: String = "read write follow"
    ) async throws -> Answer {
        asked.insert("\(method) \(route)")
        var values = value.split(separator: " ")[...]
        var path = route.split(separator: "/").map { $0.hasPrefix(":") ? "/\(values.popFirst() ?? "")" : "/\($0)" }
            .joined()
        if !query.isEmpty { path += "?\(query)" }
        let answer = try await world.send(
            method,
            path,
            as: person,
            scopes: scopes,
            type: json == nil ? nil : "application/json",
            body: json ?? ""
        )
        text += "\(method) \(path)\n"
        if let person { text += "as \(person.username)\n" }
        if let json { text += "\(json)\n" }
        text += "\n\(answer.status.code)\n"
        for name in ["Content-Type", "Link"] {
            if let field = HTTPField.Name(name), let value = answer.headers[field] { text += "\(name): \(value)\n" }
        }
        text += "\(answer.text)\n\n"
        return answer
    }
}
