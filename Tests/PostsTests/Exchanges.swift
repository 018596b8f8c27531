// SPDX-License-Identifier: Apache-2.0
// Exchanges that are compared with what was agreed on.

import Domain
import HTTPTypes
import Support
import Web

@testable import PostsService

/// Exchanges one after another, written down.
struct Exchanges {
    let world: GraphWorld
    var text = ""
    var asked: Set<String> = []

    /// Asks and writes down both sides; `route` is what the path is an instance of.
    @discardableResult
    mutating func ask(
        _ method: HTTPRequest.Method,
        _ route: String,
        _ value: String = "",
        query: String = "",
        as person: Person?,
        _ json: String? = nil,
        type: String = "application/json"
    ) async throws -> Answer {
        asked.insert("\(method) \(route)")
        var path = route.split(separator: "/").map { $0.hasPrefix(":") ? "/\(value)" : "/\($0)" }.joined()
        if !query.isEmpty { path += "?\(query)" }
        let answer = try await world.send(
            method,
            path,
            as: person,
            type: json == nil ? nil : type,
            body: json ?? ""
        )
        text += "\(method) \(path)\n"
        if let person { text += "as \(person.username)\n" }
        if let json { text += "\(json)\n" }
        text += "\n\(answer.status.code)\n"
        for name in ["Content-Type", "Link"] {
            if let field = HTTPField.Name(name), let value = answer.headers[field] { text += "\(name): \(value)\n" }
        }
        // Tables end their lines as RFC 4180 says.
        text += "\(answer.text.replacing("\r\n", with: "\n"))\n\n"
        return answer
    }
}
