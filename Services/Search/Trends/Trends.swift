// SPDX-License-Identifier: Apache-2.0
// What many use just now.

import Domain
import Postgres
import Synchronization

/// How trends are told.
enum Trends {
    /// How long it is known what was used.
    static let kept = Duration.seconds(8 * 86_400)
    /// Days that a history tells of, the one that is under way among them.
    static let days = 7
    /// What is just now.
    private static let recent = Duration.seconds(2 * 86_400)

    /// What is used just now, best first, 200 at most.
    static func now(_ thing: Thing, _ dependencies: Dependencies) async throws -> [Trend] {
        let now = dependencies.now()
        return try await dependencies.trends.value(thing, at: now) {
            try await UseStore.trending(
                thing,
                since: now.first(before: recent),
                usual: now.first(before: .seconds(7 * 86_400)),
                now: now.first(before: .zero),
                in: dependencies.database
            )
        }
    }
}

extension Timestamp {
    /// The first id of the moment that was so long before.
    func first<Kind>(before duration: Duration) -> ID<Kind> {
        ID(max(0, (self + (.zero - duration)).milliseconds) << 16)
    }
}

/// Trends as they were a moment ago: everybody sees the same ones, and they are counted once.
final class TrendCache: Sendable {
    private let lifetime: Duration
    private let values = Mutex<[Thing: (trends: [Trend], since: Timestamp)]>([:])

    /// - Parameter lifetime: how old trends may be.
    init(lifetime: Duration = .seconds(15)) { self.lifetime = lifetime }

    func value(_ thing: Thing, at now: Timestamp, count: () async throws -> [Trend]) async throws -> [Trend] {
        let kept = values.withLock { $0[thing] }
        if let kept, kept.since <= now, now - kept.since < lifetime { return kept.trends }
        let trends = try await count()
        values.withLock { $0[thing] = (trends, now) }
        return trends
    }
}
