// SPDX-License-Identifier: Apache-2.0
// POST /api/v1/accounts/:id/mute and /unmute: somebody does not want to see an account, or wants to again.

import Domain
import Events
import Outbox
import Web

/// Mutes an account, for ever or for a while, with or without its notifications.
enum MuteAccount {
    static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let parameters = try request.parameters()
        let notifications = try parameters.boolean("notifications") ?? true
        let seconds = try parameters.integer("duration") ?? 0
        // A century is for ever, and far from the end of the clock.
        guard (0...3_155_760_000).contains(seconds) else { throw Problem.invalid("duration", "inclusion") }
        let expires = seconds == 0 ? nil : dependencies.now() + .seconds(seconds)
        return try await ChangePair.run(request, dependencies) { pair, transaction in
            let number = dependencies.ids.number()
            BlockStore.setMute(pair, id: number, notifications: notifications, expires: expires, in: transaction)
            let version = try await pair.nextVersion(above: number, dependencies, in: transaction)
            try transaction.record(
                AccountMuted(
                    actorID: pair.actor,
                    targetID: pair.target,
                    notifications: notifications,
                    expires: expires,
                    subjectVersion: version
                )
            )
        }
    }
}

/// Takes a mute back.
enum UnmuteAccount {
    static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        try await ChangePair.run(request, dependencies) { pair, transaction in
            guard try await BlockStore.delete(.mutes, pair, in: transaction) else { return }
            let version = try await pair.nextVersion(dependencies, in: transaction)
            try transaction.record(
                AccountUnmuted(actorID: pair.actor, targetID: pair.target, subjectVersion: version)
            )
        }
    }
}
