// SPDX-License-Identifier: Apache-2.0
// The events that a service has recorded and nobody has relayed.

package import Events
import Foundation
package import Postgres

/// The envelopes in the outbox, oldest first.
package func recordedEvents(in database: Database) async throws -> [[UInt8]] {
    try await recordedEvents(to: Set(Audience.allCases), in: database)
}

/// Those for some audiences.
package func recordedEvents(to audiences: Set<Audience>, in database: Database) async throws -> [[UInt8]] {
    try await database.query(
        "SELECT envelope FROM outbox WHERE audience = ANY (\(audiences.map(\.rawValue))) ORDER BY id"
    ).all { try $0.next() }
}

/// What the outbox tells of one type, oldest first; of one that is not live.
package func recorded<E: Event>(_: E.Type = E.self, in database: Database) async throws -> [E] {
    try await recordedEvents(in: database).compactMap { event in
        try TestEvent(event).type == E.type ? try JSONDecoder().decode(Envelope<E>.self, from: Data(event)).data : nil
    }
}
