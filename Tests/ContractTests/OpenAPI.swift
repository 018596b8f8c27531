// SPDX-License-Identifier: Apache-2.0
// The OpenAPI 3.1 document of everything that clients may call, generated from the surface and the types of answers.

import Domain
import HTTPTypes
import Support
import Surface

enum OpenAPI {
    struct UnknownType: Error {
        let name: String
        let endpoint: String
    }

    /// - Parameter types: the types of `Tests/Fixtures/shapes.json`.
    static func document(types: JSON?) throws -> JSON {
        guard case .object(let types) = types else { throw UnknownType(name: "types", endpoint: "shapes.json") }
        var paths: [String: [String: JSON]] = [:]
        for line in Surface.all where !line.endpoint.isInternal {
            if let answer = line.endpoint.answer { try check(answer, types, line) }
            paths[path(line.endpoint), default: [:]][line.endpoint.method.rawValue.lowercased()] = operation(line)
        }
        var schemas = types.mapValues(schema)
        schemas["Problem"] = problem
        return [
            "openapi": "3.1.0",
            "info": [
                "title": "Madang", "version": "1",
                "description":
                    "What Madang answers through its gateway. The Mastodon API has its own documentation (docs.joinmastodon.org/methods); a member that is not listed here may be there as well.",
                "license": ["name": "Apache-2.0", "identifier": "Apache-2.0"],
            ],
            "paths": .object(paths.mapValues { .object($0) }),
            "components": [
                "schemas": .object(schemas),
                "securitySchemes": ["oauth": oauth],
                "responses": [
                    "Problem": [
                        "description": "What is wrong, in the reader's language.",
                        "content": ["application/json": ["schema": ["$ref": "#/components/schemas/Problem"]]],
                    ]
                ],
            ],
        ]
    }

    private static func path(_ endpoint: Endpoint) -> String {
        "/"
            + endpoint.path.split(separator: "/").map { part in
                guard let colon = part.firstIndex(of: ":") else { return String(part) }
                return "\(part[..<colon]){\(part[part.index(after: colon)...])}"
            }.joined(
                separator: "/"
            )
    }

    private static func operation(_ line: Surface.Line) -> JSON {
        let endpoint = line.endpoint
        var parameters: [JSON] = endpoint.path.split(separator: "/").filter { $0.contains(":") }.map { part in
            [
                "name": .string(String(part.drop { $0 != ":" }.dropFirst())), "in": "path", "required": .bool(true),
                "schema": ["type": "string"],
            ]
        }
        if endpoint.isKeyed {
            parameters.append([
                "name": "Idempotency-Key", "in": "header", "required": .bool(false),
                "description": "The same wish again has the first one's answer, for a day.",
                "schema": ["type": "string", "maxLength": .integer(128)],
            ])
        }
        var operation: [String: JSON] = [
            "operationId": .string("\(line.group).\(line.name)"),
            "tags": [.string(line.group.replacing("Endpoint", with: ""))],
            "security": security(endpoint.access),
            "x-madang-rate": .string(endpoint.rate.rawValue),
            "responses": ["2XX": answer(endpoint), "default": ["$ref": "#/components/responses/Problem"]],
        ]
        if !parameters.isEmpty { operation["parameters"] = .array(parameters) }
        if let service = line.service { operation["x-madang-service"] = .string(service.rawValue) }
        return .object(operation)
    }

    private static func answer(_ endpoint: Endpoint) -> JSON {
        if endpoint.isPage { return ["description": "A page for people.", "content": ["text/html": [:]]] }
        guard let answer = endpoint.answer else { return ["description": "Done."] }
        return ["description": "Done.", "content": ["application/json": ["schema": kind(answer)]]]
    }

    private static func security(_ access: Access) -> JSON {
        switch access {
        case .anyone: [[:], ["oauth": []]]
        case .app(let scope), .account(let scope), .moderator(let scope):
            [["oauth": scope.map { [.string($0.text)] } ?? []]]
        case .internal: []
        }
    }

    private static var oauth: JSON {
        let scopes = Scope.known.sorted().map { ($0, JSON.string($0)) }
        return [
            "type": "oauth2",
            "flows": [
                "authorizationCode": [
                    "authorizationUrl": "/oauth/authorize", "tokenUrl": "/oauth/token",
                    "scopes": .object(Dictionary(uniqueKeysWithValues: scopes)),
                ],
                "clientCredentials": [
                    "tokenUrl": "/oauth/token", "scopes": .object(Dictionary(uniqueKeysWithValues: scopes)),
                ],
            ],
        ]
    }

    // MARK: Types

    /// A type of `shapes.json`: its members; `+` is what it adds to, `?` behind a name that it may be missing.
    private static func schema(_ type: JSON) -> JSON {
        guard case .object(let members) = type else { return [:] }
        var properties: [String: JSON] = [:]
        var required: [String] = []
        for (name, value) in members where name != "+" {
            guard case .string(let text) = value else { continue }
            properties[name.hasSuffix("?") ? String(name.dropLast()) : name] = kind(text)
            if !name.hasSuffix("?") { required.append(name) }
        }
        let own: JSON = [
            "type": "object", "properties": .object(properties),
            "required": .array(required.sorted().map { .string($0) }),
        ]
        guard case .string(let base) = members["+"] else { return own }
        return ["allOf": [["$ref": .string("#/components/schemas/\(base)")], own]]
    }

    private static let plain: [String: JSON] = [
        "any": [:], "flag": ["type": "boolean"], "text": ["type": "string"],
        "word": ["type": "string", "minLength": .integer(1)],
        "id": ["type": "string", "pattern": #"^\d{1,19}$"#], "time": ["type": "string", "format": "date-time"],
        "day": ["type": "string", "format": "date"], "count": ["type": "integer", "minimum": .integer(0)],
        "url": ["type": "string", "format": "uri"],
    ]

    private static func kind(_ text: String) -> JSON {
        if text.hasSuffix("?") { return ["anyOf": [kind(String(text.dropLast())), ["type": "null"]]] }
        if text.hasPrefix("["), text.hasSuffix("]") {
            return ["type": "array", "items": kind(String(text.dropFirst().dropLast()))]
        }
        if let plain = plain[text] { return plain }
        if text.contains("|") {
            return ["type": "string", "enum": .array(text.split(separator: "|").map { .string(String($0)) })]
        }
        if text.first?.isUppercase == true, text != "Bearer" {
            return ["$ref": .string("#/components/schemas/\(text)")]
        }
        return ["const": .string(text)]
    }

    private static func check(_ answer: String, _ types: [String: JSON], _ line: Surface.Line) throws {
        let name = answer.trimmingCharacters(of: "[]?")
        if plain[name] == nil, types[name] == nil { throw UnknownType(name: name, endpoint: line.name) }
    }

    private static let problem: JSON = [
        "type": "object",
        "description": "RFC 9457, with `error` as the Mastodon API has it.",
        "properties": [
            "error": ["type": "string"], "error_description": ["type": "string"],
            "type": ["type": "string", "format": "uri"], "title": ["type": "string"],
            "status": ["type": "integer"], "code": ["type": "string"], "request_id": ["type": "string"],
            "fields": [
                "type": "array",
                "items": [
                    "type": "object",
                    "properties": [
                        "name": ["type": "string"], "code": ["type": "string"], "detail": ["type": "string"],
                    ],
                    "required": ["name", "code", "detail"],
                ],
            ],
            "details": ["type": "object"],
        ],
        "required": ["error", "type", "title", "status", "code", "request_id"],
    ]
}

extension String {
    fileprivate func trimmingCharacters(of characters: String) -> String {
        var text = self[...]
        while let first = text.first, characters.contains(first) { text.removeFirst() }
        while let last = text.last, characters.contains(last) { text.removeLast() }
        return String(text)
    }
}
