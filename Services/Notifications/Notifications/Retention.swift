// SPDX-License-Identifier: Apache-2.0
// How long notifications remembers.

import Domain
import Events
import Outbox
import Postgres

/// What happened before the horizon is told to nobody any more. So it can be forgotten a little later: an event that
/// comes that late, or again, raises nothing. One that takes something away is heeded whenever it comes.
struct Retention: Sendable {
    /// Longer than the inbox knows an event again, and than an event waits unless it was parked for months.
    private static let told = Duration.seconds(90 * 86_400)
    /// More than the clocks of processes differ.
    private static let margin = Duration.seconds(7 * 86_400)

    let now: @Sendable () -> Timestamp

    var horizon: Timestamp { now() - Retention.told }

    /// What was last touched before it has served.
    var forgotten: Timestamp { horizon - Retention.margin }

    /// Reacts to what is not older than the horizon.
    func reaction<Fact: Event>(
        to _: Fact.Type,
        _ react: @escaping @Sendable (Envelope<Fact>, Transaction) async throws -> Void
    ) -> Reaction {
        Reaction(to: Fact.self) { event, transaction in
            guard event.time > horizon else { return }
            try await react(event, transaction)
        }
    }
}

extension IDGenerator {
    /// Ids of entries. Lists go by them and markers stand between them: what is told again gets ids of the moment when it
    /// happened, by chance within its millisecond. An id that is taken fails its event, which is then tried with others.
    func entries(_ count: Int, of moment: Timestamp, again: Bool) throws -> [NotificationID] {
        guard again else { return try (0..<count).map { _ in try next() } }
        let first = Int64.random(in: 0...0xFFFF)
        return (0..<count).map { NotificationID(max(0, moment.milliseconds) << 16 | (first + Int64($0)) & 0xFFFF) }
    }
}
