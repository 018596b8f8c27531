// SPDX-License-Identifier: Apache-2.0
// Events for open connections: a header that gateways read, and bytes that they pass on as they are.

/// Whom a message for open connections concerns, and what it is.
public protocol LiveHeader: Codable, Sendable {
    /// What is written to connections. No part of the coded header: it travels behind it.
    var payload: [UInt8] { get set }
}

/// An event whose message is its envelope, a line break, and the payload, which nobody on the way reads or escapes.
public protocol LiveEvent: Event {
    associatedtype Header: LiveHeader
    var update: Header { get set }
}

extension Envelope {
    /// The message in which it travels. An envelope in JSON has no line break of its own.
    public func message() throws -> [UInt8] {
        var bytes = try json()
        if let live = data as? any LiveEvent {
            let payload = live.update.payload
            bytes.reserveCapacity(bytes.count + payload.count + 1)
            bytes.append(lineBreak)
            bytes += payload
        }
        return bytes
    }
}

extension Envelope where Payload: LiveEvent {
    /// Reads a whole message.
    public init(message: [UInt8]) throws {
        let (head, payload) = parts(ofMessage: message)
        try self.init(json: head)
        data.update.payload = Array(payload)
    }
}

/// The envelope of a message, and what comes behind it.
public func parts(ofMessage message: [UInt8]) -> (envelope: ArraySlice<UInt8>, payload: ArraySlice<UInt8>) {
    guard let end = message.firstIndex(of: lineBreak) else { return (message[...], []) }
    return (message[..<end], message[(end + 1)...])
}

private let lineBreak = UInt8(ascii: "\n")

/// The form in which the release before tells a live event: version 1, with the payload as a text inside the header.
///
/// Read besides the present one for as long as processes of that release may run beside this one's; the release after this
/// one reads it no more, and this type goes (`deploy/docs/decisions/0008-events-and-releases.md`).
public struct Former<Now: LiveEvent>: Event {
    public static var name: String { Now.name }
    public static var audience: Audience { Now.audience }

    public var now: Now
    public var subject: String { now.subject }
    public var subjectVersion: Int64 { now.subjectVersion }

    private enum Keys: String, CodingKey { case update }
    private enum PayloadKey: String, CodingKey { case payload }

    public init(_ now: Now) { self.now = now }

    public init(from decoder: any Decoder) throws {
        now = try Now(from: decoder)
        let container = try decoder.container(keyedBy: Keys.self)
        let update = try container.nestedContainer(keyedBy: PayloadKey.self, forKey: .update)
        now.update.payload = Array(try update.decode(String.self, forKey: .payload).utf8)
    }

    public func encode(to encoder: any Encoder) throws {
        try now.encode(to: encoder)
        var container = encoder.container(keyedBy: Keys.self)
        var update = container.nestedContainer(keyedBy: PayloadKey.self, forKey: .update)
        try update.encode(String(decoding: now.update.payload, as: UTF8.self), forKey: .payload)
    }
}
