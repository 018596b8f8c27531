// SPDX-License-Identifier: Apache-2.0
// What somebody wants a channel to be, checked.

import Events
import Postgres
import Web

/// The parts of a channel: nil leaves a part as it is.
struct ChannelDraft: Sendable {
    let name: String?
    let description: String?
    let type: ChannelType?

    init(_ parameters: Parameters, limits: Limits) throws {
        name = try parameters.line("name", limit: limits.name)
        description = try parameters.prose("description", limit: limits.description)
        type = try parameters.string("type").map { text in
            guard let type = ChannelType(rawValue: text), !type.isDirect else {
                throw Problem.invalid("type", "inclusion")
            }
            return type
        }
    }

    init(name: String, type: ChannelType) {
        self.name = name
        description = nil
        self.type = type
    }
}

/// Tells a client that a channel's name is taken, which the index finds at the latest.
func namesTaken<Value: Sendable>(_ body: () async throws -> Value) async throws -> Value {
    do {
        return try await body()
    } catch let error as PostgresError where error.isUniqueViolation && error.constraint == "channels_name" {
        throw Problem.invalid("name", "taken")
    }
}
