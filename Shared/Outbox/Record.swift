// SPDX-License-Identifier: Apache-2.0
// Writes events into the outbox of the transaction that makes them true.

import Domain
package import Events
package import Postgres
import ServiceKit

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Thrown for an event that is larger than its audience is meant to receive.
package struct EventTooLarge: Error, Sendable {
    package let type: String
    package let bytes: Int
}

extension Transaction {
    /// Writes an event into the outbox, in this transaction: it is told if and only if the transaction commits.
    package func record<E: Event>(_ event: E) throws {
        let id = newEventID()
        let envelope = Envelope(
            id: id,
            time: Timestamp.now(),
            traceparent: TraceContext.current?.traceparent,
            data: event
        )
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let body = [UInt8](try encoder.encode(envelope))
        guard body.count <= E.audience.largestEnvelope else { throw EventTooLarge(type: E.type, bytes: body.count) }
        enqueue(
            """
            INSERT INTO outbox (event_id, type, subject, audience, envelope)
            VALUES (CAST(\(id) AS uuid), \(E.type), \(event.subject), \(E.audience.rawValue), \(body))
            """
        )
        afterCommit { RelayBell.ringAll() }
    }
}

extension Audience {
    /// Bytes; what is for open connections carries whole answers.
    var largestEnvelope: Int {
        switch self {
        case .services: 64 << 10
        case .live: 512 << 10
        }
    }
}

/// A UUID of version 7 (RFC 9562, section 5.7): milliseconds, then chance.
func newEventID(at moment: Timestamp = .now()) -> String {
    let time = UInt64(bitPattern: moment.milliseconds) & 0xFFFF_FFFF_FFFF
    let high = time << 16 | 0x7000 | UInt64.random(in: 0...0xFFF)
    let low = UInt64.random(in: 0...UInt64.max) & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000
    let digits = Array(hexadecimal(high) + hexadecimal(low))
    return [0..<8, 8..<12, 12..<16, 16..<20, 20..<32].map { String(digits[$0]) }.joined(separator: "-")
}

/// The smallest id of an event that is told at `moment` or later.
func firstEventID(at moment: Timestamp) -> String {
    let time = hexadecimal(UInt64(bitPattern: moment.milliseconds) & 0xFFFF_FFFF_FFFF).suffix(12)
    return "\(time.prefix(8))-\(time.suffix(4))-7000-8000-000000000000"
}

private func hexadecimal(_ value: UInt64) -> String {
    let digits = String(value, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
}
