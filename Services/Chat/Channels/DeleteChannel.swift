// SPDX-License-Identifier: Apache-2.0
// DELETE /api/v1/channels/:id: a channel ends, with what was said in it.

import Domain
import Events
import Outbox
import Web

/// Takes a channel from everybody at once; its messages are removed by `Sweeps`.
enum DeleteChannel {
    static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        try await ChangeChannel.run(request, dependencies, .delete) { change in
            guard !change.channel.isDefault else { throw Problem.defaultChannel }
            let transaction = change.transaction
            try transaction.record(
                ChannelDeleted(
                    channelID: change.id,
                    playgroundID: change.channel.playgroundID,
                    actorID: change.actor.id,
                    subjectVersion: dependencies.nextNumber()
                )
            )
            try dependencies.announce(
                ChatUpdate(
                    channelID: try await ChannelNews.room(of: change.channel, in: transaction),
                    event: "channel",
                    payload: dependencies.news(gone: change.id, from: change.channel.playgroundID),
                    closed: [change.id]
                ),
                in: transaction
            )
            ChannelStore.delete([change.id], at: dependencies.now(), in: transaction)
        }
        return .empty
    }
}
