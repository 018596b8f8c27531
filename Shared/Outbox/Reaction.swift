// SPDX-License-Identifier: Apache-2.0
// What a service does with an event.

public import Domain
public import Events
import FoundationEssentials
public import Postgres
public import ServiceKit

/// What a service does with one type of event, inside the transaction that notes that it was handled.
public struct Reaction: Sendable {
    /// The type with its version.
    public let type: String
    private let decode: @Sendable ([UInt8]) throws -> Arrival

    public init<E: Event>(
        to _: E.Type,
        _ react: @escaping @Sendable (Envelope<E>, Transaction) async throws -> Void
    ) {
        type = E.type
        decode = { body in
            let envelope = try Envelope<E>(json: body[...])
            guard envelope.type == E.type else {
                throw Unacceptable("its type is \(printable(envelope.type)), but it was sent as \(E.type)")
            }
            guard envelope.source == owner(of: E.type) else {
                throw Unacceptable(
                    "its source is \(printable(envelope.source)), but \(E.type) is told by \(owner(of: E.type))"
                )
            }
            return Arrival(
                id: envelope.id.lowercased(),
                time: envelope.time,
                traceparent: envelope.traceparent,
                retelling: envelope.retelling,
                event: envelope.data
            ) {
                try await react(envelope, $0)
            }
        }
    }

    /// To events for which the queue's `prepare` does everything.
    public static func noted(_ types: [any Event.Type]) -> [Reaction] {
        func noted<E: Event>(_: E.Type) -> Reaction { Reaction(to: E.self) { _, _ in } }
        return types.map { noted($0) }
    }

    /// Throws `Unacceptable` for what can never be understood.
    func arrival(of body: [UInt8]) throws -> Arrival {
        do {
            let arrival = try decode(body)
            guard UUID(uuidString: arrival.id) != nil else { throw Unacceptable("its id is no UUID") }
            return arrival
        } catch let error as DecodingError {
            throw Unacceptable("undecodable: \(error)")
        }
    }
}

/// An event that was decoded and waits to be applied.
public struct Arrival: Sendable {
    let id: String
    /// When it was recorded.
    public let time: Timestamp
    let traceparent: String?
    /// The rebuild for which it was told again.
    let retelling: String?
    public let event: any Event
    let apply: @Sendable (Transaction) async throws -> Void

    public var isRetold: Bool { retelling != nil }

    /// What comes of it is part of the trace that led to it.
    public var trace: TraceContext { TraceContext(traceparent: traceparent)?.child() ?? .random() }
}

extension Sequence<Arrival> {
    public var events: [any Event] { map(\.event) }
}

/// Thrown by a reaction when the event can never work: it goes to the dead letters with the reason.
public struct Unacceptable: Error, Sendable {
    public let reason: String
    public init(_ reason: String) { self.reason = reason }
}
