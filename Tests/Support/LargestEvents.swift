// SPDX-License-Identifier: Apache-2.0
// Events at their limits: each service's `EventSizeTests` makes its own of these values.

package import Domain
package import Events
internal import Outbox
import Testing

/// Fails unless each event fits the outbox, and with it the broker, and each type that the service tells is among them.
package func expectFitting(_ events: [any Event], of owner: String) throws {
    for event in events { try expectFitting(event) }
    let missing = Set(Catalogue.told(by: owner).map { $0.type }).subtracting(events.map { type(of: $0).type })
    #expect(missing.sorted() == [], "an event type without its largest form")
}

package func expectFitting(_ event: some Event) throws {
    let envelope = Envelope(
        id: EventID.new(),
        time: .largest,
        traceparent: "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
        data: event
    )
    let size = try envelope.message().count
    let kind = type(of: event)
    #expect(size <= kind.audience.largestEnvelope, "\(kind.type): \(size) bytes")
}

extension Catalogue {
    /// Without what the kit tells for every service in one form: `Tests/OutboxTests` has its sizes.
    package static func told(by owner: String) -> [any Event.Type] {
        let common = Set((rebuilding + erasing + exportPieces).map { $0.type })
        return all.filter { $0.name.hasPrefix("\(owner).") && !common.contains($0.type) }
    }
}

extension ID {
    package static var largest: ID { ID(.max - 7) }
}

extension Array {
    /// As many ids, each of 19 digits.
    package static func largest<Kind>(_ count: Int) -> [ID<Kind>] where Element == ID<Kind> {
        (0..<count).map { ID(.max - 7 - Int64($0)) }
    }
}

extension Timestamp {
    /// The last millisecond of the year 9999.
    package static var largest: Timestamp { Timestamp(milliseconds: 253_402_300_799_999) }
}

extension Username {
    package static func largest() throws -> Username { try #require(Username(String(repeating: "n", count: 30))) }
}

extension String {
    /// A text whose every scalar takes four bytes, which no escape in JSON exceeds once controls are gone.
    package static func wide(_ scalars: Int) -> String { String(repeating: "𝔐", count: scalars) }
}

extension LiveUpdate {
    /// What is shown to as many people as are told at once.
    package static func largest(_ event: String) -> LiveUpdate {
        let people: [AccountID] = .largest(2000)
        return LiveUpdate(
            streams: people.map(LiveUpdate.user),
            event: event,
            payload: Array(String(repeating: "\"<a href=x>&amp;", count: 12_000).utf8),
            except: .largest(4000),
            readers: LiveUpdate.Readers(first: .largest, last: .largest)
        )
    }
}

extension ReportedThingTold {
    package static func largest(text: String) -> ReportedThingTold {
        ReportedThingTold(
            reportID: .largest,
            thing: Thing(kind: .playground, id: String(repeating: "i", count: 64)),
            authorID: .largest,
            snapshot: ThingSnapshot(
                title: .wide(200),
                text: text,
                warning: .wide(500),
                mediaIDs: .largest(10),
                placeID: String(Int64.max),
                createdAt: .largest
            )
        )
    }
}
