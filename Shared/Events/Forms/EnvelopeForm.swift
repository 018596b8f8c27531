// SPDX-License-Identifier: Apache-2.0
// Envelopes as bytes.

public import JSON

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// An event that is told so often that it is written and read without Foundation.
public protocol PlainEvent: Event, JSONForm {}

extension PlainEvent where Self: TellingPost {
    public var hasForm: Bool { post.hasForm }
}

extension Envelope {
    func json() throws -> [UInt8] {
        if let form = JSONWriter.form(of: self) { return form }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return [UInt8](try encoder.encode(self))
    }

    /// Throws `DecodingError`.
    public init(json: ArraySlice<UInt8>) throws {
        self = try JSONFormReader.value(Self.self, from: json) ?? JSONDecoder().decode(Self.self, from: Data(json))
    }
}

extension Envelope: JSONForm where Payload: PlainEvent {
    public var hasForm: Bool { data.hasForm }

    public func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("data", data)
            json.member("datacontenttype", datacontenttype)
            json.member("dataschema", dataschema)
            json.member("id", id)
            json.optional("retelling", retelling)
            json.member("source", source)
            json.member("specversion", specversion)
            json.member("subject", subject)
            json.member("time", time)
            json.optional("traceparent", traceparent)
            json.member("type", type)
            json.member("version", version)
        }
    }

    public init(from json: inout JSONFormReader) throws(JSONFormReader.Mismatch) {
        try json.beginObject()
        data = try json.member("data")
        datacontenttype = try json.member("datacontenttype")
        dataschema = try json.member("dataschema")
        id = try json.member("id")
        retelling = try json.optional("retelling")
        source = try json.member("source")
        specversion = try json.member("specversion")
        subject = try json.member("subject")
        time = try json.member("time")
        traceparent = try json.optional("traceparent")
        type = try json.member("type")
        version = try json.member("version")
        try json.endObject()
    }
}
