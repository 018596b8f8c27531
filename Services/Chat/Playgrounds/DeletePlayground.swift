// SPDX-License-Identifier: Apache-2.0
// DELETE /api/v1/playgrounds/:id: a playground ends, with everything in it.

import Domain
import Events
import Outbox
import Web

/// Takes a playground and its channels from everybody at once; what was said in them is removed by
/// `Sweeps`, so that a million messages hold nobody up.
enum DeletePlayground {
    /// Ids that one PlaygroundDeleted carries, so that it stays below the largest size of an event.
    private static let idsInEvent = 2000

    static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        try await ChangePlayground.run(request, dependencies, .delete, deadline: .seconds(9)) { change in
            let transaction = change.transaction
            let channels = try await ChannelStore.holdAll(of: change.id, in: transaction)
            for part in channels.parts(of: idsInEvent) {
                try transaction.record(
                    PlaygroundDeleted(
                        playgroundID: change.id,
                        channelIDs: part,
                        actorID: change.actor.id,
                        subjectVersion: dependencies.nextNumber()
                    )
                )
            }
            try tell(channels, of: change, dependencies)
            for part in channels.parts(of: Dependencies.idsInUpdate) {
                ChannelStore.delete(part, at: dependencies.now(), in: transaction)
            }
            PlaygroundStore.delete(change.id, in: transaction)
        }
        return .empty
    }

    /// The channel of everybody closes last: it is the way on which they are told.
    private static func tell(
        _ channels: [ChannelID],
        of change: PlaygroundChange,
        _ dependencies: Dependencies
    ) throws {
        let others = channels.filter { $0 != change.everyone }.parts(of: Dependencies.idsInUpdate)
        for (index, part) in others.enumerated() {
            let isLast = index == others.count - 1
            try dependencies.announce(
                ChatUpdate(
                    channelID: isLast ? change.everyone : nil,
                    event: "playground",
                    payload: dependencies.news("deleted", gone: change.id),
                    closed: isLast ? part + [change.everyone] : part
                ),
                in: change.transaction
            )
        }
    }
}
