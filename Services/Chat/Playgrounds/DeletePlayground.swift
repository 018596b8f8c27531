// SPDX-License-Identifier: Apache-2.0
// DELETE /api/v1/playgrounds/:id: a playground ends, with everything in it.

import Domain
import Events
import Web

/// Takes a playground and its channels from everybody at once; what was said in them is removed by
/// `Sweeps`, so that a million messages hold nobody up.
enum DeletePlayground {
    /// Ids that one PlaygroundDeleted carries, so that it stays below the largest size of an event.
    private static let idsInEvent = 2000

    static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        try await ChangePlayground.run(request, dependencies, .delete, deadline: .seconds(9)) { change in
            try await delete(change)
        }
        return .empty
    }

    /// Deletes a playground that is held, and tells it.
    static func delete(_ change: PlaygroundChange) async throws {
        let work = change.work
        let channels = try await ChannelStore.holdAll(of: change.id, in: work)
        for part in channels.parts(of: idsInEvent) {
            try work.record(
                PlaygroundDeleted(
                    playgroundID: change.id,
                    channelIDs: part,
                    actorID: change.actor.id,
                    subjectVersion: work.nextNumber()
                )
            )
        }
        try tell(channels, of: change)
        for part in channels.parts(of: Work.idsInUpdate) { ChannelStore.delete(part, at: work.now(), in: work) }
        PlaygroundStore.delete(change.id, in: work)
        try await ProjectRooms.closed(change.id, in: work)
    }

    /// The channel of everybody closes last: it is the way on which they are told.
    private static func tell(_ channels: [ChannelID], of change: PlaygroundChange) throws {
        let others = channels.filter { $0 != change.everyone }.parts(of: Work.idsInUpdate)
        for (index, part) in others.enumerated() {
            let isLast = index == others.count - 1
            try change.work.tell(
                .goneFrom("deleted", change.id),
                in: isLast ? change.everyone : nil,
                closed: isLast ? part + [change.everyone] : part
            )
        }
    }
}
