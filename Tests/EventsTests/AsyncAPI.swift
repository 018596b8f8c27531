// SPDX-License-Identifier: Apache-2.0
// The AsyncAPI 3 document of every event, generated from the catalogue and the samples.

import Domain
import Events
import Support

enum AsyncAPI {
    static func document() throws -> JSON {
        var channels: [String: JSON] = [:]
        var operations: [String: JSON] = [:]
        var messages: [String: JSON] = [:]
        for (full, bare) in zip(Samples.full, Samples.bare) {
            let type = type(of: full)
            channels[type.type] = channel(type)
            operations["tell \(type.type)"] = [
                "action": "send",
                "channel": ["$ref": .string("#/channels/\(type.type)")],
                "messages": [["$ref": .string("#/channels/\(type.type)/messages/\(type.type)")]],
            ]
            let (whole, least) = (try full.enveloped(), try bare.enveloped())
            var message: [String: JSON] = [
                "name": .string(type.type),
                "contentType": "application/cloudevents+json",
                "payload": schema(whole, least: least),
                "examples": [["payload": whole]],
            ]
            if type is any LiveEvent.Type {
                message["description"] =
                    "Behind the envelope come a line break and, as bytes, what is written to connections."
            }
            messages[type.type] = .object(message)
        }
        return [
            "asyncapi": "3.0.0",
            "info": [
                "title": "Madang events",
                "version": "1",
                "description":
                    "What the services tell each other: CloudEvents 1.0 in JSON, one routing key for each type. Several of a type may travel as one message of AMQP, application/json-seq (RFC 7464), with their ids in its header madang-pack.",
            ],
            "defaultContentType": "application/cloudevents+json",
            "channels": .object(channels),
            "operations": .object(operations),
            "components": ["messages": .object(messages)],
        ]
    }

    private static func channel(_ type: any Event.Type) -> JSON {
        [
            "address": .string(type.type),
            "messages": .object([type.type: ["$ref": .string("#/components/messages/\(type.type)")]]),
            "bindings": [
                "amqp": [
                    "is": "routingKey",
                    "bindingVersion": "0.3.0",
                    "exchange": [
                        "name": .string(type.audience.rawValue),
                        "type": "topic",
                        "durable": .bool(type.audience != .live),
                        "vhost": "/",
                    ],
                ]
            ],
        ]
    }

    /// - Parameter least: the same without what is optional.
    private static func schema(_ value: JSON, least: JSON?) -> JSON {
        switch value {
        case .object(let members):
            let properties = Dictionary(uniqueKeysWithValues: members.map { ($0, schema($1, least: least?[$0])) })
            let required = members.keys.filter { key in least?[key].map { $0 != .null } ?? false }.sorted()
            return [
                "type": "object", "properties": .object(properties), "required": .array(required.map { .string($0) }),
            ]
        case .array(let values):
            var rest: [JSON] = []
            if case .array(let others) = least { rest = others }
            return ["type": "array", "items": values.first.map { schema($0, least: rest.first ?? $0) } ?? [:]]
        case .string(let text):
            return Timestamp(rfc3339: text) == nil ? ["type": "string"] : ["type": "string", "format": "date-time"]
        case .integer: return ["type": "integer"]
        case .number: return ["type": "number"]
        case .bool: return ["type": "boolean"]
        case .null: return [:]
        }
    }
}
