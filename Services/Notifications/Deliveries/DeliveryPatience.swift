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

/// Senders that are left alone: those whose keys or names are wrong, which are asked again now and then, because a provider may
/// have been wrong; and those whose provider asked for patience with everything. Of one process: another learns it by its own
/// next attempt.
final class SenderRests: Sendable {
    private struct Rest {
        var until: Timestamp
        var times: Int
    }

    private struct Rests {
        var misconfigured: [Platform: Rest] = [:]
        var patient: [Platform: Rest] = [:]
    }

    private let rests = Mutex(Rests())

    /// Lets a sender rest whose keys or names are wrong: a minute, and longer each time up to a quarter of an hour.
    func rest(_ platform: Platform, at now: Timestamp) {
        rests.withLock { rests in
            let times = rests.misconfigured[platform]?.times ?? 0
            let pause = min(Duration.seconds(60 << min(times, 4)), .seconds(900))
            rests.misconfigured[platform] = Rest(until: now + pause, times: times + 1)
        }
    }

    /// Lets a sender rest whose provider asked for patience: as long as it asks for, and longer with each time in a row. Those who
    /// were on their way when it asked count once.
    ///
    /// - Parameter chance: between 0 and 1.
    func wait(_ platform: Platform, at now: Timestamp, asked: Duration?, chance: Double) {
        rests.withLock { rests in
            var rest = rests.patient[platform] ?? Rest(until: now, times: 0)
            let isAgain = rest.until <= now
            let times = isAgain ? rest.times : max(0, rest.times - 1)
            let pause = DeliveryPatience.pause(afterAttempt: times, asked: asked, chance: chance)
            rest.until = max(rest.until, now + pause)
            if isAgain { rest.times += 1 }
            rests.patient[platform] = rest
        }
    }

    func isResting(_ platform: Platform, at now: Timestamp) -> Bool {
        rests.withLock { rests in
            [rests.misconfigured[platform], rests.patient[platform]].contains { $0.map { $0.until > now } ?? false }
        }
    }

    /// Whether it was told to be misconfigured and has sent nothing since.
    func isMisconfigured(_ platform: Platform) -> Bool { rests.withLock { $0.misconfigured[platform] != nil } }

    /// It took something. What the provider asked for stands until it is over.
    func forgive(_ platform: Platform, at now: Timestamp) {
        rests.withLock { rests in
            rests.misconfigured[platform] = nil
            if let rest = rests.patient[platform], rest.until <= now { rests.patient[platform] = nil }
        }
    }
}
