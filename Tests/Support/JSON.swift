// SPDX-License-Identifier: Apache-2.0
// JSON as a value, for comparing and for writing documents.

package import Foundation

/// A JSON value.
package enum JSON: Codable, Equatable {
    case null
    case bool(Bool)
    case integer(Int64)
    case number(Double)
    case string(String)
    case array([JSON])
    case object([String: JSON])

    package init(encoding value: some Encodable) throws {
        self = try JSONDecoder().decode(JSON.self, from: JSONEncoder().encode(value))
    }

    package init(file: URL) throws { self = try JSONDecoder().decode(JSON.self, from: Data(contentsOf: file)) }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(Bool.self) {
            self = .bool(value)
        } else if let value = try? container.decode(Int64.self) {
            self = .integer(value)
        } else if let value = try? container.decode(Double.self) {
            self = .number(value)
        } else if let value = try? container.decode(String.self) {
            self = .string(value)
        } else if let value = try? container.decode([JSON].self) {
            self = .array(value)
        } else {
            self = .object(try container.decode([String: JSON].self))
        }
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .bool(let value): try container.encode(value)
        case .integer(let value): try container.encode(value)
        case .number(let value): try container.encode(value)
        case .string(let value): try container.encode(value)
        case .array(let value): try container.encode(value)
        case .object(let value): try container.encode(value)
        }
    }

    package func decode<Value: Decodable>(_: Value.Type) throws -> Value {
        try JSONDecoder().decode(Value.self, from: JSONEncoder().encode(self))
    }

    /// For people: indented, keys sorted, a newline at the end.
    package func document() throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return try encoder.encode(self) + Data("\n".utf8)
    }

    package subscript(key: String) -> JSON? {
        if case .object(let members) = self { members[key] } else { nil }
    }

    /// Whether everything in `other` is here too.
    package func contains(_ other: JSON) -> Bool {
        switch (self, other) {
        case (.object(let mine), .object(let others)):
            others.allSatisfy { key, value in mine[key]?.contains(value) ?? (value == .null) }
        case (.array(let mine), .array(let others)):
            mine.count == others.count && zip(mine, others).allSatisfy { $0.contains($1) }
        default: self == other
        }
    }

    /// The same with an unknown member in every object.
    package var withUnknownMembers: JSON {
        switch self {
        case .object(let members):
            var members = members.mapValues(\.withUnknownMembers)
            members["x-not-known-yet"] = .object(["a": .array([.integer(1), .null])])
            return .object(members)
        case .array(let values): return .array(values.map(\.withUnknownMembers))
        default: return self
        }
    }
}

extension JSON: ExpressibleByStringLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral {
    package init(stringLiteral text: String) { self = .string(text) }
    package init(arrayLiteral values: JSON...) { self = .array(values) }
    package init(dictionaryLiteral members: (String, JSON)...) {
        self = .object(Dictionary(members) { _, last in last })
    }
}
