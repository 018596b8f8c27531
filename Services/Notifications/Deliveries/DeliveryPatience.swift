// SPDX-License-Identifier: Apache-2.0
// How long a device is left alone after its provider asked for patience.

import Domain
import Synchronization

enum DeliveryPatience {
    /// How long a flight may take: more than a sender does.
    static let lease = Duration.seconds(40)
    private static let longest = Duration.seconds(600)
    private static let day = Duration.seconds(86_400)

    /// Never less than the provider asks for; doubled with each attempt, and partly left to chance so that devices do not come
    /// in step.
    ///
    /// - Parameter chance: between 0 and 1.
    static func pause(afterAttempt attempt: Int, asked: Duration?, chance: Double) -> Duration {
        let step = min(Duration.seconds(1 << min(max(attempt, 0), 10)), longest)
        guard let asked else { return step * (0.5 + 0.5 * chance) }
        return min(max(asked, .zero), day) + step * (0.5 * chance)
    }
}

/// Senders whose keys or names are wrong. They are asked again now and then, because a provider may have been wrong.
final class SenderRests: Sendable {
    private struct Rest {
        var until: Timestamp
        var times: Int
    }

    private let rests = Mutex<[Platform: Rest]>([:])

    /// Lets a sender rest: a minute, and longer each time up to a quarter of an hour.
    func rest(_ platform: Platform, at now: Timestamp) {
        rests.withLock { rests in
            let times = rests[platform]?.times ?? 0
            let pause = min(Duration.seconds(60 << min(times, 4)), .seconds(900))
            rests[platform] = Rest(until: now + pause, times: times + 1)
        }
    }

    func isResting(_ platform: Platform, at now: Timestamp) -> Bool {
        rests.withLock { $0[platform].map { $0.until > now } ?? false }
    }

    /// Whether it was told to be misconfigured and has sent nothing since.
    func isMisconfigured(_ platform: Platform) -> Bool { rests.withLock { $0[platform] != nil } }

    func forgive(_ platform: Platform) { rests.withLock { $0[platform] = nil } }
}
