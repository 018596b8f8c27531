// SPDX-License-Identifier: Apache-2.0
// Writes events into the outbox of the transaction that makes them true.

import Domain
public import Events
public import Postgres
public import ServiceKit

/// Thrown for an event that is larger than its audience is meant to receive.
public struct EventTooLarge: Error, Sendable {
    public let type: String
    public let bytes: Int
}

extension Transaction {
    /// Writes an event into the outbox, at the end of this transaction: it is told if and only if the transaction commits.
    ///
    /// - Parameters:
    ///   - audience: `plain` for what shows neither a file nor a link.
    ///   - trace: of the request that caused it.
    public func record<E: Event>(
        _ event: E,
        to audience: Audience = E.audience,
        trace: TraceContext? = .current
    ) throws {
        let id = EventID.new()
        let envelope = Envelope(
            id: id,
            time: Timestamp.now(),
            traceparent: trace?.traceparent,
            data: event
        )
        let body = try envelope.message()
        guard body.count <= audience.largestEnvelope else { throw EventTooLarge(type: E.type, bytes: body.count) }
        record(body, id: id, type: E.type, subject: event.subject, audience: audience)
    }

    private func record(_ body: [UInt8], id: String, type: String, subject: String, audience: Audience) {
        let row = OutboxRow(
            id: 0,
            eventID: id,
            type: type,
            subject: subject,
            audience: audience.rawValue,
            envelope: body
        )
        ending { Recording(database) }.add(row)
    }
}

extension Transaction {
    /// Tells a fact again as it stands now, to one queue that asked for it.
    ///
    /// - Parameter moment: when it happened.
    func retell<E: Event>(_ event: E, at moment: Timestamp, to queue: String, for rebuildID: String) throws {
        let id = EventID.new()
        let body = try Envelope(id: id, time: moment, traceparent: nil, retelling: rebuildID, data: event).message()
        guard body.count <= Audience.retold.largestEnvelope + 1024 else {
            throw EventTooLarge(type: E.type, bytes: body.count)
        }
        record(body, id: id, type: "\(queue).\(E.type)", subject: event.subject, audience: .retold)
    }
}

extension Audience {
    /// Bytes; what is for open connections carries whole answers.
    public var largestEnvelope: Int {
        switch self {
        case .services, .plain, .reached, .retold: 64 << 10
        case .live: 512 << 10
        }
    }
}
